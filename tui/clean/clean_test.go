package clean_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"kuberly.io/valkey-operator/tui/clean"
)

// TestText covers case 12 (dashboard): text from the cluster cannot drive the terminal.
func TestText(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"plain text stays":                       {"app-db is running", "app-db is running"},
		"a colour goes":                          {"a\x1b[31mred\x1b[0m", "ared"},
		"the screen is not erased":               {"x\x1b[2J\x1b[1;1Hy", "xy"},
		"a private mode is not switched":         {"\x1b[?1049hx\x1b[>c", "x"},
		"the title is not set, by BEL":           {"a\x1b]0;owned\x07b", "ab"},
		"the title is not set, by ST":            {"a\x1b]0;owned\x1b\\b", "ab"},
		"the clipboard is not set":               {"\x1b]52;c;ZXZpbA==\x07x", "x"},
		"a device control string goes":           {"a\x1bP+q544e\x1b\\b", "ab"},
		"a broken string hides nothing":          {"a\x1b]0;the rest of it", "a0;the rest of it"},
		"a string ends at the next escape":       {"a\x1b]0;x\x1b[31my", "a0;xy"},
		"a lone ESC goes":                        {"a\x1b", "a"},
		"ESC c does not reset":                   {"a\x1bcb", "ab"},
		"a character set is not switched":        {"a\x1b(0b", "ab"},
		"a broken off CSI goes":                  {"a\x1b[31", "a"},
		"a C1 CSI goes":                          {"a\u009b2Jb", "ab"},
		"a C1 OSC goes":                          {"a\u009d0;t\u009cb", "ab"},
		"a raw C1 byte is broken UTF-8":          {"a\x9b2Jb", "a�2Jb"},
		"broken UTF-8 is marked":                 {"a\xffb\xc3", "a�b�"},
		"controls go":                            {"a\x00\x07\x08b\x7f", "ab"},
		"a carriage return overwrites nothing":   {"Error\rOK", "Error OK"},
		"the carriage return of CRLF goes":       {"a\r\nb", "a b"},
		"a newline is a space":                   {"a\nb", "a b"},
		"a tab is a space":                       {"a\tb", "a b"},
		"line separators are spaces":             {"a\u2028b\u0085c", "a b c"},
		"direction marks go":                     {"a\u202egnp.exe\u2066b\u200f", "agnp.exeb"},
		"zero-width characters go":               {"ad\u200bmin\ufeff\u2060\u00ad", "admin"},
		"tags go":                                {"a\U000e0041b", "ab"},
		"Hangul fillers go":                      {"a\u3164b", "ab"},
		"CJK stays":                              {"数据库", "数据库"},
		"an accent stays":                        {"e\u0301", "e\u0301"},
		"a tower of marks is cut":                {"e" + strings.Repeat("\u0301", 50), "e" + strings.Repeat("\u0301", 4)},
		"a mark without a base goes":             {"\u0301a", "a"},
		"joined emoji stay joined":               {"👩\u200d💻", "👩\u200d💻"},
		"a joiner between letters goes":          {"a\u200db", "ab"},
		"emoji presentation stays":               {"❤\ufe0f", "❤\ufe0f"},
		"variation selectors hide no data":       {"a\ufe01\U000e0101b", "ab"},
		"no-break spaces are spaces":             {"a\u00a0b", "a b"},
		"a noncharacter is marked":               {"a\uffffb", "a�b"},
		"markup means nothing and stays":         {"[red]x[-] <b>", "[red]x[-] <b>"},
		"nested escapes leave nothing to misuse": {"\x1b\x1b[31[31mx", "31mx"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, clean.Text(tc.in)); diff != "" {
				t.Errorf("Text(%q): -want +got\n%s", tc.in, diff)
			}
		})
	}
}

func TestBlock(t *testing.T) {
	got := clean.Block("a:\r\n\tb\x1b[31m: c\n")
	if diff := cmp.Diff("a:\n    b: c\n", got); diff != "" {
		t.Error(diff)
	}
}

func TestLog(t *testing.T) {
	long := strings.Repeat("x", clean.MaxLine+10)
	for name, tc := range map[string]struct{ in, want string }{
		"plain text stays":                  {"ready", "ready"},
		"a colour stays and ends":           {"\x1b[31mred", "\x1b[31mred\x1b[0m"},
		"a colour that ends is left so":     {"\x1b[31mred\x1b[0m!", "\x1b[31mred\x1b[0m!"},
		"an empty SGR is a reset":           {"\x1b[1mx\x1b[m", "\x1b[1mx\x1b[0m"},
		"256 colours stay":                  {"\x1b[38;5;208mx", "\x1b[38;5;208mx\x1b[0m"},
		"true colours stay, by colons also": {"\x1b[48:2:1:2:3mx", "\x1b[48;2;1;2;3mx\x1b[0m"},
		"a broken colour goes":              {"\x1b[38;5mx\x1b[38;5;999my", "xy"},
		"hidden and blinking text is seen":  {"\x1b[8;5mx", "x"},
		"hidden goes, its colour stays":     {"\x1b[8;31mx", "\x1b[31mx\x1b[0m"},
		"the cursor does not move":          {"a\x1b[10Ab\x1b[Kc", "abc"},
		"a private m is no colour":          {"\x1b[?4m\x1b[>4;2mx", "x"},
		"a tab is four spaces":              {"a\tb", "a    b"},
		"markup is not eaten":               {"[red]x[-:-:-]", "[red]x[-:-:-]"},
		"a long line is cut":                {long, long[:clean.MaxLine] + " … (10 bytes more)"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, clean.Log(tc.in)); diff != "" {
				t.Errorf("Log(%q): -want +got\n%s", tc.in, diff)
			}
		})
	}
	if got := clean.LogPart("x", 5); got != "x … (5 bytes more)" {
		t.Errorf("LogPart: got %q", got)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb", "\x1b]0;t\x07", "\u202e", "\xff", "👩\u200d💻", "\r\n\t", "\u009b1m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := clean.Text(s)
		checkClean(t, got, false)
		if again := clean.Text(got); again != got {
			t.Errorf("not stable: %q, then %q", got, again)
		}
		for line := range strings.SplitSeq(clean.Block(s), "\n") {
			checkClean(t, line, false)
		}
	})
}

func FuzzLog(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb", "\x1b[38;5;1m\x1b[1;38;2;1;2;3m", "\x1b[8m", "\u009b1m", "\x1b[0;0;31m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := clean.Log(s)
		checkClean(t, got, true)
		if len(got) > clean.MaxLine+maxParams+64 {
			t.Errorf("%d bytes", len(got))
		}
	})
}

// maxParams is by how much the last colour of a line may pass the limit.
const maxParams = 256

// checkClean fails where a terminal would do anything else with s than draw characters (and switch colours).
func checkClean(t *testing.T, s string, colours bool) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("broken UTF-8: %q", s)
	}
	on := false
	for rest := s; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		switch {
		case r == 0x1b && colours:
			params, after, found := strings.Cut(strings.TrimPrefix(rest, "["), "m")
			if rest[0] != '[' || !found || strings.Trim(params, "0123456789;") != "" {
				t.Fatalf("an escape sequence that is no colour in %q", s)
			}
			on = params != "0" && !strings.HasSuffix(params, ";0")
			rest = after
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != 0x200d, unicode.Is(unicode.Zl, r):
			t.Fatalf("%U in %q", r, s)
		}
	}
	if on {
		t.Fatalf("a colour is left on at the end of %q", s)
	}
}

// BenchmarkLogLong covers case 11 (dashboard): a line of 90,000 characters, plain and hostile, costs what its length costs.
func BenchmarkLogLong(b *testing.B) {
	for name, line := range map[string]string{
		"plain":   strings.Repeat("x", 90_000),
		"colours": strings.Repeat("\x1b[31mx", 15_000),
		"strings": strings.Repeat("\x1b]0;x", 18_000),
		"csi":     strings.Repeat("\x1b[", 45_000),
		"params":  "\x1b[" + strings.Repeat("1;", 45_000) + "m",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				clean.Log(line)
			}
		})
	}
}
