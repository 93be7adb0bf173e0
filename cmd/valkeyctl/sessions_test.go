package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

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
		{"unknown command", []string{"logs", "--operator", "app"}},
	} {
		r := valkeyctl(t, noKubeconfig, c.args...)
		r.expect(t, exitUsage, c.words)
	}
}

func TestEventsAreToldOnce(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	e := kube.Event{Type: "Normal", Reason: "Failover", Message: "app-node-1 is the primary", Object: "Valkey/app", Count: 1, First: now, Last: now}
	told := map[kube.Event]bool{}
	var out bytes.Buffer
	if err := writeNewEvents(&out, []kube.Event{e}, told, true, now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "AGE") || !strings.Contains(out.String(), "60s  Normal  Failover  Valkey/app  app-node-1 is the primary") {
		t.Errorf("it tells\n%s", out.String())
	}
	out.Reset()
	again := e
	again.Count, again.Last = 2, now.Add(time.Minute)
	if err := writeNewEvents(&out, []kube.Event{e}, told, false, now); err != nil || out.Len() > 0 {
		t.Errorf("it repeats %q, %v", out.String(), err)
	}
	if err := writeNewEvents(&out, []kube.Event{again}, told, false, again.Last); err != nil || !strings.Contains(out.String(), "x2 over 60s") {
		t.Errorf("what came again is told %q, %v", out.String(), err)
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
