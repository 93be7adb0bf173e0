package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func start(t *testing.T) Record {
	t.Helper()
	cmd := exec.Command("cat") // ends when its input does, so a failed test leaves none behind
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	r, err := Of(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKillEndsTheProcessAndIsDoneAtOnceTheSecondTime(t *testing.T) {
	r := start(t)
	if !r.IsAlive() {
		t.Fatal("the process runs, yet its record says that it does not")
	}
	if err := r.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r.IsAlive() { // nobody has waited for it: it is a zombie now
		t.Fatal("the process was killed, yet its record says that it runs")
	}
	if err := r.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAnotherProcessOfThatNumberIsLeftAlone(t *testing.T) {
	r := start(t)
	for name, other := range map[string]Record{
		"another start": {PID: r.PID, Start: r.Start + "1", Boot: r.Boot},
		"another boot":  {PID: r.PID, Start: r.Start, Boot: "before"},
		"no process":    {},
	} {
		if other.IsAlive() {
			t.Errorf("%s: taken for the recorded process", name)
		}
		if err := other.Kill(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !r.IsAlive() {
		t.Fatal("a record of another process killed this one")
	}
}

func TestSaveAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "process.json")
	if r, err := Load(path); err != nil || r != (Record{}) {
		t.Fatalf("a missing file gave %v and %v, want no process", r, err)
	}
	self, err := Self()
	if err != nil {
		t.Fatal(err)
	}
	if self.PID != os.Getpid() {
		t.Fatalf("own process is %d, want %d", self.PID, os.Getpid())
	}
	if err := self.Save(path); err != nil {
		t.Fatal(err)
	}
	if r, err := Load(path); err != nil || r != self {
		t.Fatalf("got %v and %v, want %v", r, err, self)
	}
	if err := os.WriteFile(path, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil {
		t.Fatal("a broken record must be an error")
	}
}
