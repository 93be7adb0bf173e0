package resp

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var wide = Limits{Bytes: 1 << 20, Items: 1000}

func read(t *testing.T, raw string, limits Limits) Value {
	t.Helper()
	v, err := NewReader(strings.NewReader(raw), limits).Read()
	if err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return v
}

func TestRepliesArePrintedAsValkeyCLIDoes(t *testing.T) {
	for raw, want := range map[string]string{
		"+OK\r\n":                        "OK",
		"-ERR no\r\n":                    "(error) ERR no",
		"!6\r\nERR no\r\n":               "(error) ERR no",
		":-3\r\n":                        "(integer) -3",
		"$5\r\na\"\x00\xe9\n\r\n":        `"a\"\x00\xe9\n"`,
		"$0\r\n\r\n":                     `""`,
		"$-1\r\n":                        "(nil)",
		"_\r\n":                          "(nil)",
		"*-1\r\n":                        "(nil)",
		"#t\r\n":                         "(true)",
		"#f\r\n":                         "(false)",
		",1.5\r\n":                       "(double) 1.5",
		"(123456789012345678901\r\n":     "(big number) 123456789012345678901",
		"=9\r\ntxt:a\nb\n\x1b\r\n":       "a\nb",
		"*0\r\n":                         "(empty array)",
		"~0\r\n":                         "(empty set)",
		"%0\r\n":                         "(empty hash)",
		"~2\r\n:1\r\n:2\r\n":             "1~ (integer) 1\n2~ (integer) 2",
		"%1\r\n$1\r\na\r\n:1\r\n":        `1# "a" => (integer) 1`,
		"|1\r\n+k\r\n+v\r\n:7\r\n":       "(integer) 7",
		">2\r\n+message\r\n$1\r\nx\r\n":  "1) message\n2) \"x\"",
		"*2\r\n*2\r\n:1\r\n:2\r\n+x\r\n": "1) 1) (integer) 1\n   2) (integer) 2\n2) x",
		"%1\r\n+k\r\n*2\r\n:1\r\n:2\r\n": "1# k =>\n       1) (integer) 1\n       2) (integer) 2",
		"+a\x1b[2Jb\r\n":                 "ab",
	} {
		if diff := cmp.Diff(want, strings.Join(Lines(read(t, raw, wide)), "\n")); diff != "" {
			t.Errorf("%q: -want +got\n%s", raw, diff)
		}
	}
	ten := Lines(read(t, "*10\r\n"+strings.Repeat(":1\r\n", 10), wide))
	if ten[0] != " 1) (integer) 1" || ten[9] != "10) (integer) 1" {
		t.Errorf("ten elements are numbered %q ... %q", ten[0], ten[9])
	}
}

func TestRepliesAreBounded(t *testing.T) {
	small := Limits{Bytes: 200, Items: 3}
	r := NewReader(strings.NewReader("*5\r\n"+strings.Repeat(":1\r\n", 5)+"$1000\r\n"+strings.Repeat("x", 1000)+"\r\n+next\r\n"), small)
	v, err := r.Read()
	if err != nil || len(v.Items) != 3 || v.More != 2 {
		t.Errorf("%d elements and %d more, %v", len(v.Items), v.More, err)
	}
	if lines := Lines(v); lines[len(lines)-1] != "... 2 elements more" {
		t.Errorf("it reads %q", lines)
	}
	if v, err = r.Read(); err != nil || len(v.Text) != 200 || v.More != 800 || !strings.HasSuffix(Lines(v)[0], "... 800 bytes more") {
		t.Errorf("%d bytes and %d more, %v", len(v.Text), v.More, err)
	}
	if v, err = r.Read(); err != nil || v.Text != "next" {
		t.Errorf("the reply behind it is %+v, %v", v, err)
	}
}

func TestWhatIsNoReplyIsAnError(t *testing.T) {
	for _, raw := range []string{"x\r\n", "\r\n", "$x\r\n", "*-2\r\n", "$99999999999999999\r\n", strings.Repeat("*1\r\n", 100), strings.Repeat("+", maxLine+1)} {
		if _, err := NewReader(strings.NewReader(raw), wide).Read(); !errors.Is(err, errProtocol) {
			t.Errorf("%.20q: %v", raw, err)
		}
	}
	for _, raw := range []string{"$5\r\nab", "*2\r\n:1\r\n"} {
		if _, err := NewReader(strings.NewReader(raw), wide).Read(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%.20q: %v", raw, err)
		}
	}
}

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		`set k v`:            {"set", "k", "v"},
		`  a   b  `:          {"a", "b"},
		`"a b" 'c d'`:        {"a b", "c d"},
		`"\x00\n\"" 'it\'s'`: {"\x00\n\"", "it's"},
		`""`:                 {""},
		``:                   nil,
	} {
		if got, err := Split(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %q, %v", line, got, err)
		}
	}
	for _, line := range []string{`"a`, `'a`, `"a"b`} {
		if _, err := Split(line); !errors.Is(err, ErrQuotes) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// info is one command as COMMAND tells it.
func info(name, flags, categories string, subs ...Value) Value {
	list := func(words string) Value {
		v := Value{Kind: Array}
		for _, w := range strings.Fields(words) {
			v.Items = append(v.Items, Value{Kind: Status, Text: w})
		}
		return v
	}
	nothing := Value{Kind: Array}
	return Value{Kind: Array, Items: []Value{
		{Kind: String, Text: name}, {}, list(flags), {}, {}, {}, list(categories), nothing, nothing, {Kind: Array, Items: subs},
	}}
}

func TestEffectsFollowWhatTheServerTells(t *testing.T) {
	c := ParseCommands(Value{Items: []Value{
		info("get", "readonly fast", "@read @string"), info("set", "write denyoom", "@write @string"), info("keys", "readonly", "@keyspace @read @slow @dangerous"),
		info("flushall", "write", "@keyspace @write @dangerous"), info("info", "loading stale", "@slow @dangerous"),
		info("eval", "noscript", "@slow @scripting"), info("eval_ro", "noscript readonly", "@scripting"), info("shutdown", "admin", "@admin @dangerous"),
		info("config", "", "@slow", info("config|get", "admin", "@admin @dangerous"), info("config|set", "admin", "@admin @dangerous")),
		info("newcmd", "write", "@dangerous"),
	}}, Value{})
	for line, want := range map[string]Effect{
		"get k": Reads, "SET k v": Writes, "KEYS *": Dangerous, "flushall": Dangerous, "INFO": Reads, "eval x 0": Writes, "eval_ro x 0": Reads,
		"SHUTDOWN": Dangerous, "config get *": Reads, "CONFIG SET a b": Dangerous, "newcmd": Dangerous, "unheard of": Dangerous, "": Reads,
	} {
		if got := c.Effect(strings.Fields(line)); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
	if got := Commands(nil).Effect([]string{"DEL", "k"}); got != Dangerous {
		t.Errorf("of a server that has told nothing: %d", got)
	}
	if got := c.Complete("CONFIG s"); !slices.Equal(got, []string{"SET"}) {
		t.Errorf("it is completed by %v", got)
	}
	if got := c.Complete("e"); !slices.Equal(got, []string{"EVAL", "EVAL_RO"}) {
		t.Errorf("it is completed by %v", got)
	}
}

func TestCommandsAreCompletedAndExplained(t *testing.T) {
	text := func(s string) Value { return Value{Kind: String, Text: s} }
	c := ParseCommands(Value{Items: []Value{
		info("get", "readonly", "@read"), info("getdel", "write", "@write"), info("shutdown", "admin", "@admin @dangerous"),
		info("config", "", "@slow", info("config|get", "admin", "@admin"), info("config|set", "admin", "@admin")),
	}}, Value{Items: []Value{text("get"), {Items: []Value{
		text("summary"), text("Returns a value."), text("arguments"), {Items: []Value{{Items: []Value{text("name"), text("key"), text("type"), text("key")}}}},
	}}}})
	for line, want := range map[string]string{
		"g": "GET", "ge": "GET", "getd": "GETDEL ", "get ": "get ", "get k": "get k", "config": "CONFIG ", "config g": "config GET ", "nope": "nope", "": "",
	} {
		if got, _ := c.Completed(line); got != want {
			t.Errorf("%q is completed to %q, want %q", line, got, want)
		}
	}
	if _, choice := c.Completed("get"); !slices.Equal(choice, []string{"GET", "GETDEL"}) {
		t.Errorf("the choice is %q", choice)
	}
	for line, want := range map[string]string{
		"ge": "", "get": "GET key", "GET k": "GET key", "config": "CONFIG get | set", "config set": "CONFIG SET", "config nope": "CONFIG get | set", "": "", "x": "",
	} {
		if got, _ := c.Hint(line); got != want {
			t.Errorf("%q goes on as %q, want %q", line, got, want)
		}
	}
	if _, summary := c.Hint("get"); summary != "Returns a value." {
		t.Errorf("it does %q", summary)
	}
	for line, want := range map[string]string{
		"get k": "", "getdel k": "GETDEL writes", "shutdown": "SHUTDOWN is dangerous", "what is it": "what WHAT does is not known",
	} {
		if got := c.Why(strings.Fields(line)); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestSecretsAreKnown(t *testing.T) {
	for line, want := range map[string]bool{
		"AUTH x": true, "hello 3 auth u p": true, "hello 3": false, "ACL SETUSER u >p": true, "acl list": false, "CONFIG SET requirepass x": true,
		"config set maxmemory 1 primaryauth x": true, "config set maxmemory requirepass": false, "config get requirepass": false, "migrate h 1 k 0 1 auth p": true,
		"": false, "get auth": false,
	} {
		if got := HoldsSecret(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestJSON(t *testing.T) {
	v := read(t, "%3\r\n+a\r\n:1\r\n+b\r\n*2\r\n_\r\n#t\r\n+c\r\n,inf\r\n", wide)
	got, err := JSON(v)
	if err != nil || string(got) != `{"a":1,"b":[null,true],"c":"inf"}` {
		t.Errorf("%s, %v", got, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("*2\r\n$1\r\na\r\n%1\r\n+k\r\n=7\r\ntxt:a\x1bb\r\n", 5)
	f.Add("*1000000000\r\n:1\r\n", 1)
	f.Fuzz(func(t *testing.T, raw string, items int) {
		r := NewReader(strings.NewReader(raw), Limits{Bytes: 1000, Items: items & 0xff})
		for {
			v, err := r.Read()
			if err != nil {
				return
			}
			for _, l := range Lines(v) {
				for _, c := range l {
					if c < 0x20 || c == 0x7f || c >= 0x80 && c < 0xa0 {
						t.Fatalf("%q prints %q", raw, l)
					}
				}
			}
			if text, err := JSON(v); err != nil || !utf8.Valid(text) {
				t.Fatalf("%q: %v", raw, err)
			}
		}
	})
}

// What is quoted is read as the same bytes again.
func FuzzQuote(f *testing.F) {
	f.Add("a\"\\\x00é\n")
	f.Fuzz(func(t *testing.T, s string) {
		if words, err := Split(Quote(s) + " x"); err != nil || len(words) != 2 || words[0] != s {
			t.Fatalf("%q becomes %q, %v", s, words, err)
		}
	})
}

func ExampleQuote() {
	fmt.Println(Quote("a\x00b"))
	// Output: "a\x00b"
}
