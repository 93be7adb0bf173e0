package widget

import (
	"strings"
	"testing"

	"kuberly.io/valkey-operator/tui/theme"
)

func TestJSONLinesAreReadable(t *testing.T) {
	plain := theme.New(theme.Options{Depth: theme.Mono, Unicode: true})
	for line, want := range map[string]string{
		`{"level":"info","ts":1.5,"msg":"started","n":3}`:             "INFO  started  n=3",
		`{"severity":"ERROR","message":"two  words","err":"a b"}`:     `ERROR two  words  err="a b"`,
		`{"msg":"x","empty":"","list":[1, 2],"obj":{"a": "b c"}}`:     `x  empty=""  list=[1,2]  obj={"a":"b c"}`,
		`{"msg":"x\u001b[31m\u202ey","k\u001b]0;t\u0007ey":"v\r\nw"}`: `xy  key="v w"`,
		`{}`: "",
		`{"level":"info","ts":"2026-01-02","msg":"done","controller":"valkey","controllerGroup":"g","controllerKind":"Valkey","Valkey":{"name":"a","namespace":"n"},"namespace":"n","name":"a","x":1}`: "INFO  done  namespace=n  name=a  x=1",
	} {
		got, ok := readable(plain, line)
		if !ok || bare(got) != want {
			t.Errorf("%s reads %q (%v), want %q", line, bare(got), ok, want)
		}
	}
	for _, line := range []string{``, `{`, `{"a":1} x`, `[1]`, `{"a":}`, `{a:1}`, `{"a":1}{"b":2}`, `text {"a":1}`} {
		if got, ok := readable(plain, line); ok {
			t.Errorf("%q is no object, but reads %q", line, got)
		}
	}
}

func TestLogFindsInJSONAsItCame(t *testing.T) {
	l := newTestLog(60, 4, 1<<20)
	l.Append([]LogLine{{Text: `{"level":"info","ts":"2026-01-02","msg":"hello"}`}})
	if got := strings.TrimSpace(plainView(l)[0]); got != "INFO  hello" {
		t.Errorf("it reads %q", got)
	}
	l.Apply(l.SetPattern("2026").Run())
	if got := plainView(l)[0]; !strings.Contains(got, `"ts":"2026-01-02"`) {
		t.Errorf("what was found is not shown: %q", got)
	}
	l.Apply(l.SetPattern("hello").Run())
	if got := strings.TrimSpace(plainView(l)[0]); got != "INFO  hello" {
		t.Errorf("it reads %q", got)
	}
}

// Whatever a line of JSON holds, nothing of it drives the terminal, in either view.
func FuzzJSONLine(f *testing.F) {
	f.Add(`{"level":"x","msg":"\u001b[2J","a":{"b":"\u009b1m"}}`, 20)
	f.Add(`{"msg":"\ud800","\u0000":null,"t":1e400}`, 3)
	f.Fuzz(func(t *testing.T, line string, width int) {
		plain := theme.New(theme.Options{Depth: theme.Mono})
		views := []string{}
		if text, ok := readable(plain, line); ok {
			views = append(views, text)
			views = append(views, Unfolded(plain, line, 1+width&0xff)...)
		}
		for _, v := range views {
			for _, r := range bare(v) {
				if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e {
					t.Fatalf("%q leaves %q", line, v)
				}
			}
		}
	})
}
