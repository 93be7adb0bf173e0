package valkeys

import (
	"strings"
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

func TestFilter(t *testing.T) {
	row := func(name, namespace string, labels map[string]string, cells ...string) *kube.Row {
		r := &kube.Row{Name: name, Namespace: namespace, Labels: labels}
		for _, c := range cells {
			r.Cells = append(r.Cells, kube.Cell{Text: c})
		}
		return r
	}
	rows := []*kube.Row{
		row("cache", "shop", map[string]string{"tier": "hot", "team": "a"}, "valkey:9.1", "running"),
		row("cache-2", "shop", map[string]string{"tier": "cold"}, "valkey:8.1", "failed"),
		row("jobs", "back", nil, "valkey:9.1", "in_progress"),
	}
	for text, want := range map[string]string{
		"":                  "cache cache-2 jobs",
		"   ":               "cache cache-2 jobs",
		"CACHE":             "cache cache-2",
		"9.1 cac":           "cache",
		"9x1":               "",
		"!cache":            "jobs",
		"! 9.1":             "cache-2",
		"!":                 "cache cache-2 jobs",
		"^cache$":           "cache",
		"cache|jobs back":   "jobs",
		"~shop$":            "cache cache-2",
		"~valkey:9.1\\n":    "cache jobs",
		"!~^jobs$":          "cache cache-2",
		"~":                 "cache cache-2 jobs",
		"-l tier=hot":       "cache",
		"-l tier!=hot":      "cache-2 jobs",
		"-l tier in (cold)": "cache-2",
		"-l team":           "cache",
		"!-l tier":          "jobs",
		"-f ce2":            "cache-2",
		"!-f ce2":           "cache jobs",
		"-f":                "cache cache-2 jobs",
	} {
		f, err := parseFilter(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, r := range f.apply(rows) {
			got = append(got, r.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q shows %v, want %s", text, got, want)
		}
	}
}

func TestBadFilterIsTold(t *testing.T) {
	for text, want := range map[string]string{
		"cache[":      "no regular expression: missing closing ]",
		"~(":          "no regular expression: missing closing )",
		"!*":          "no regular expression: missing argument to repetition operator",
		"-l a=b=c":    "no label selector",
		"-l (":        "no label selector",
		"fine but a(": "no regular expression",
	} {
		if _, err := parseFilter(text); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"a", "!~x", "-l a in (b,c)", "-f x", "[", "\\", "~(?i)"} {
		f.Add(seed)
	}
	s := snapshotOf(20)
	look := theme.New(theme.Options{})
	f.Fuzz(func(t *testing.T, text string) {
		a := arrange(look, s, true, wish{filter: text})
		if a.Len() > len(s.Rows) {
			t.Errorf("%q makes more rows than there are", text)
		}
	})
}

func TestColumnsOfTheConfiguration(t *testing.T) {
	s := snapshotOf(3)
	titles := func(w wish) string {
		var all []string
		for _, c := range arrange(theme.New(theme.Options{}), s, true, w).columns {
			all = append(all, c.Title)
		}
		return strings.Join(all, " ")
	}
	for _, test := range []struct {
		w    wish
		want string
	}{
		{wish{}, "NAMESPACE NAME IMAGE STATUS REPLICAS"},
		{wish{wide: true}, "NAMESPACE NAME IMAGE STATUS REPLICAS PRIMARY"},
		{wish{names: "primary\nStatus\nno such"}, "NAMESPACE NAME PRIMARY STATUS"},
		{wish{names: "primary\nStatus", wide: true}, "NAMESPACE NAME PRIMARY STATUS IMAGE REPLICAS"},
	} {
		if got := titles(test.w); got != test.want {
			t.Errorf("%+v shows %s, want %s", test.w, got, test.want)
		}
	}
}
