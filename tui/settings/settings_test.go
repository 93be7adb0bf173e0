package settings

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kuberly.io/valkey-operator/tui/keys"
)

func TestParse(t *testing.T) {
	s, err := Parse("c.yaml", []byte(`
theme: light
columns: [Status, Ready replicas]
refresh: 2s
readOnly: true
mouse: true
keys:
  everywhere: {help: ["?", h]}
  list:
    delete: [D, ctrl-alt-x, del]
`))
	if err == nil || err.Error() != `c.yaml:10: there is no key "ctrl-alt-x": want one like x, X, ctrl-x, alt-x, enter, space, f5, pgup` {
		t.Errorf("%+v, %v", s, err)
	}
	s, err = Parse("c.yaml", []byte("theme: light\ncolumns: [Status, Ready replicas]\nrefresh: 2s\nreadOnly: true\nmouse: true\nkeys:\n  list: {delete: [D, alt-x, space], mark: m}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Theme != "light" || strings.Join(s.Columns, "|") != "Status|Ready replicas" || s.Refresh != 2*time.Second || !s.ReadOnly || !s.Mouse {
		t.Errorf("%+v", s)
	}
	for key, want := range map[string]keys.Action{"D": keys.Delete, "alt+x": keys.Delete, " ": keys.Delete, "m": keys.Mark, "ctrl+d": keys.None, "s": keys.Scale} {
		if got := s.Keys.Action(key, keys.List); got != want {
			t.Errorf("%q is %q, want %q", key, got, want)
		}
	}
	if got := keys.Default().Action("D", keys.List); got == keys.Delete {
		t.Error("the default map was changed")
	}
}

// Two keys may change places.
func TestKeysChangePlaces(t *testing.T) {
	s, err := Parse("c.yaml", []byte("keys: {list: {scale: l, logs: s}}"))
	if err != nil || s.Keys.Action("l", keys.List) != keys.Scale || s.Keys.Action("s", keys.List) != keys.Logs {
		t.Errorf("%v", err)
	}
}

func TestEmptyIsDefault(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "---\n"} {
		s, err := Parse("c.yaml", []byte(text))
		if err != nil || s.Theme != "auto" || s.Refresh != DefaultRefresh || s.Keys.Action("s", keys.List) != keys.Scale {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}

func TestBadFilesAreOneClearLine(t *testing.T) {
	for text, want := range map[string]string{
		"colour: red":                         `c.yaml:1: there is no setting "colour": want one of columns, keys, mouse, readOnly, refresh, screenReader, theme`,
		"theme: dark\n\ntheme: light":         `c.yaml:3: the setting theme stands here a second time: take one of them away`,
		"theme: purple":                       `c.yaml:1: "purple" is none: want one of auto, dark, light, high-contrast, high-contrast-light`,
		"theme: [dark]":                       `c.yaml:1: "" is none: want one of auto`,
		"mouse: maybe":                        `c.yaml:1: "maybe" is neither: want true or false`,
		"refresh: 1ms":                        `c.yaml:1: "1ms" is no time to refresh after: want one like 100ms or 2s, from 50ms to 1m0s`,
		"refresh: 7":                          `c.yaml:1: "7" is no time`,
		"columns: [a, [b]]":                   `c.yaml:1: want a list of texts`,
		"- a":                                 `c.yaml:1: want lines of the form setting: value`,
		"text":                                `c.yaml:1: want lines of the form setting: value`,
		"theme: dark\nkeys: {lst: {}}":        `c.yaml:2: there is no group of keys "lst": want one of `,
		"keys:\n  list:\n    remove: x":       `c.yaml:3: there is no action of list "remove": want one of`,
		"keys:\n  list:\n    delete: strg-x":  `c.yaml:3: there is no key "strg-x"`,
		"keys:\n  list:\n    delete: s":       `c.yaml:3: s is the key of scale already: give that one another key, or take another one here`,
		"keys:\n  list:\n    delete: [x, x]":  `c.yaml:3: x stands here twice`,
		"keys:\n  everywhere:\n    abort: []": `c.yaml:3: abort needs a key`,
		"keys:\n  typing:\n    confirm: x":    `c.yaml:3: "x" is a letter that is typed there: want one like ctrl-x, alt-x or f5`,
		"keys: &a {list: *a}":                 `c.yaml:`,
		"theme: dark\n---\ntheme: dark":       `c.yaml:2: a second document begins here: want one`,
		"theme: 'dark":                        `c.yaml: no YAML: found unexpected end of stream`,
		"theme: dark\n\na: b: c":              `c.yaml:3: no YAML: mapping values`,
		"a: b: c":                             `c.yaml: no YAML: mapping values are not allowed in this context`,
		"theme: \x1b[31m":                     `c.yaml:`,
	} {
		_, err := Parse("c.yaml", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	var all bytes.Buffer
	if err := Write(&all, Default()); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{all.String(), "keys: {list: {delete: [x]}}", "a: &x [*x]", "\x00", "? [a]: b"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Parse("c", data); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: more than a line: %v", data, err)
		}
	})
}

// What is written is what is read.
func TestWriteIsReadAgain(t *testing.T) {
	s := Default()
	s.Theme, s.Columns, s.Refresh, s.Mouse = "dark", []string{"Ready replicas", `a"b`}, time.Second, true
	s.Keys = s.Keys.With(keys.List, keys.Delete, []string{"alt+x"}).With(keys.List, keys.Create, nil)
	var text bytes.Buffer
	if err := Write(&text, s); err != nil {
		t.Fatal(err)
	}
	got, err := Parse("c.yaml", text.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, text.String())
	}
	if diff := cmp.Diff(s, got, cmp.Comparer(func(a, b *keys.Map) bool {
		for _, scope := range keys.Scopes() {
			if !cmp.Equal(a.Bindings(scope), b.Bindings(scope)) {
				return false
			}
		}
		return true
	})); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none.yaml")
	if _, err := Load(missing, false); err != nil {
		t.Errorf("a file that is not there, and that nobody named: %v", err)
	}
	if _, err := Load(missing, true); err == nil || err.Error() != missing+": cannot be read: no such file or directory" {
		t.Errorf("a file that is named and not there: %v", err)
	}
	if _, err := Load(dir, true); err == nil || !strings.Contains(err.Error(), "cannot be read: ") {
		t.Errorf("a folder: %v", err)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(large, true); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("a large file: %v", err)
	}
}

func TestPath(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"/x/valkeyctl/config.yaml":         {"XDG_CONFIG_HOME": "/x", "HOME": "/h"},
		"/h/.config/valkeyctl/config.yaml": {"XDG_CONFIG_HOME": "relative", "HOME": "/h"},
		"":                                 {},
	} {
		if got := Path(func(key string) string { return env[key] }); got != want {
			t.Errorf("%v leads to %q, want %q", env, got, want)
		}
	}
}
