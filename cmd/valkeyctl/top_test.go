package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/server"
)

func toppedOf(replicas int32, nodes ...roster.Node) *topped {
	return &topped{
		valkey: &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "app"}, Spec: v1alpha1.ValkeySpec{Replicas: &replicas}},
		nodes:  nodes,
	}
}

func answers(name string, ops int64) roster.Node {
	return roster.Node{
		Node: kube.Node{Name: name, Pod: name + "-x", Role: v1alpha1.RolePrimary}, Role: v1alpha1.RolePrimary,
		Reading: &server.Reading{Info: &server.Info{OpsPerSecond: ops}},
	}
}

func TestTopTellsWhatCannotBeAsked(t *testing.T) {
	silent := func(name, state string) roster.Node { return roster.Node{Node: kube.Node{Name: name, State: state}} }
	ending := silent("app-node-1", "ending")
	ending.Ending = true
	unknown := toppedOf(1)
	unknown.pods = errors.New("no right")
	for name, tc := range map[string]struct {
		one  *topped
		want []string
	}{
		"all answer":                 {toppedOf(1, answers("app-node-0", 1)), nil},
		"one is stopped":             {toppedOf(0), nil},
		"one starts, one is no more": {toppedOf(2, silent("app-node-0", "ContainerCreating"), ending), []string{"shop/app: cannot be asked: app-node-0 (ContainerCreating), app-node-1 (no pod)"}},
		"one ends, one is there":     {toppedOf(2, answers("app-node-0", 1), ending, answers("app-node-1", 1)), nil},
		"none has said a word":       {toppedOf(1, silent("app-node-0", "")), []string{"shop/app: cannot be asked: app-node-0 (no answer in time)"}},
		"what the pods are":          {unknown, []string{"shop/app: its pods are not known: no right"}},
	} {
		var got []string
		for _, err := range missingOf([]*topped{tc.one}) {
			got = append(got, err.Error())
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// The first table of a watch has no rates, and each has the time above it.
func TestTopWatchCountsFromTheSecondTableOn(t *testing.T) {
	var out strings.Builder
	p := &program{IOStreams: genericiooptions.IOStreams{Out: &out}}
	top := &topper{o: topOptions{watch: true}}
	table := func() []string {
		t.Helper()
		out.Reset()
		if err := p.printTop(top, []*topped{toppedOf(1, answers("app-node-0", 77))}); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(out.String()), "\n")
	}
	if lines := table(); len(lines) != 3 || strings.Count(lines[0], ":") != 2 || strings.Contains(lines[2], "77") {
		t.Errorf("the first table: %q", lines)
	}
	top.again = true
	if lines := table(); len(lines) != 3 || !strings.Contains(lines[2], " 77 ") {
		t.Errorf("the second table: %q", lines)
	}
	top.o.watch, top.again = false, false
	if lines := table(); len(lines) != 2 || !strings.Contains(lines[1], " 77 ") {
		t.Errorf("one table: %q", lines)
	}
}
