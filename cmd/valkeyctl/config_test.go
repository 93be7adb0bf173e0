package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	valkeyctl(t, "", "config").expect(t, exitOK, "theme: auto\n", "refresh: 100ms\n", "    delete: [\"ctrl-d\"] # delete")

	write := func(path, text string) string {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	usual := write(filepath.Join(dir, "valkeyctl", "config.yaml"), "theme: light\nkeys: {list: {delete: D}}\n")
	valkeyctl(t, "", "config").expect(t, exitOK, "theme: light\n", "    delete: [\"D\"] # delete")

	other := write(filepath.Join(dir, "other.yaml"), "theme: dark\nmouse: yes\n")
	valkeyctl(t, "", "config", "--config", other).expect(t, exitUsage, other+`:2: "yes" is neither: want true or false`)
	valkeyctl(t, "", "--config", other).expect(t, exitUsage, other+`:2: "yes" is neither: want true or false`)
	valkeyctl(t, "", "config", "--config", dir+"/none").expect(t, exitUsage, dir+"/none: cannot be read: no such file or directory")
	write(usual, "key: {}")
	valkeyctl(t, "", "config").expect(t, exitUsage, usual+`:1: there is no setting "key"`)
	if got := valkeyctl(t, "", "get", "-h"); got.code != exitOK || strings.Contains(got.out, "--config") {
		t.Errorf("a verb reads the dashboard's settings: %+v", got)
	}
}

// Flags go before the file.
func TestFlagsGoBeforeTheSettingsOfTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte("theme: dark\nreadOnly: true\nmouse: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &program{}
	for _, test := range []struct {
		args            []string
		theme           string
		readOnly, mouse bool
	}{
		{[]string{"--config=" + file}, "dark", true, true},
		{[]string{"--config=" + file, "--theme=light", "--readonly=false", "--mouse=false"}, "light", false, false},
	} {
		var o dashboardOptions
		cmd := p.configCommand()
		cmd.ResetFlags()
		o.addFlags(cmd)
		if err := cmd.ParseFlags(test.args); err != nil {
			t.Fatal(err)
		}
		s, err := o.settings(cmd.Flags())
		if err != nil || s.Theme != test.theme || s.ReadOnly != test.readOnly || s.Mouse != test.mouse {
			t.Errorf("%q: %+v, %v", test.args, s, err)
		}
	}
}
