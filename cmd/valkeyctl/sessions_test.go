package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"

	"kuberly.io/valkey-operator/tui/kube"
)

func TestPorts(t *testing.T) {
	for text, want := range map[string][2]int{
		"7000": {7000, 0}, "7000:": {7000, 0}, "7000:6379": {7000, 6379}, ":6380": {-1, 6380}, ":": {-1, 0},
	} {
		if local, port, err := ports(text); err != nil || local != want[0] || port != want[1] {
			t.Errorf("%q is %d to %d, %v", text, local, port, err)
		}
	}
	for _, text := range []string{"", "0", "65536", "x", "1:x", "-1", "1:2:3"} {
		if _, _, err := ports(text); !kube.IsClass(err, kube.ClassUsage) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestVerbsOfSessionsRefuseBadUse(t *testing.T) {
	for _, c := range []struct {
		words string
		args  []string
	}{
		{"a command stands behind --", []string{"cli", "app", "PING"}},
		{"which Valkey", []string{"cli"}},
		{"-o yaml is no format", []string{"cli", "app", "-o", "yaml", "--", "PING"}},
		{"is no port", []string{"port-forward", "app", "x"}},
		{"one pair of ports", []string{"port-forward", "app", "1", "2"}},
		{"which Valkey", []string{"events"}},
		{"logs takes no name", []string{"logs", "--operator", "app"}},
	} {
		r := valkeyctl(t, noKubeconfig, c.args...)
		r.expect(t, exitUsage, c.words)
	}
}

func TestEventsAreToldOnce(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	e := kube.Event{Type: "Normal", Reason: "Failover", Message: "app-node-1 is the primary", Object: "Valkey/app", Count: 1, First: now, Last: now}
	var out bytes.Buffer
	w := &eventWriter{table: printers.GetNewTabWriter(&out), told: map[kube.Event]bool{}}
	tells := func(e kube.Event, at time.Time) string {
		t.Helper()
		out.Reset()
		if err := w.write([]kube.Event{e}, at); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if got := tells(e, now.Add(time.Minute)); !strings.HasPrefix(got, "AGE   TYPE     REASON     OBJECT       MESSAGE\n60s   Normal   Failover   Valkey/app   app-node-1 is the primary") {
		t.Errorf("it tells\n%s", got)
	}
	again, short := e, e
	again.Count, again.Last = 2, now.Add(time.Minute)
	short.Reason, short.Object = "Up", "Pod/a"
	if got := tells(e, now); got != "" {
		t.Errorf("it repeats %q", got)
	}
	if got := tells(again, again.Last); !strings.Contains(got, "x2 over 60s") {
		t.Errorf("what came again is told %q", got)
	}
	if got := tells(short, again.Last); !strings.Contains(got, "Up         Pod/a        app-node-1") {
		t.Errorf("the columns have moved: %q", got)
	}
}

// Under the name of a plugin it calls itself as kubectl calls it.
func TestPluginIsCalledAsKubectlCallsIt(t *testing.T) {
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	if code := run(t.Context(), streams, "/some/where/kubectl-valkey", []string{"get", "--help"}); code != exitOK || !strings.Contains(out.String(), "kubectl valkey get") {
		t.Errorf("exit code %d, help:\n%s", code, out.String())
	}
}
