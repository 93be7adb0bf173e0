package tui

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"kuberly.io/valkey-operator/tui/kube"
)

// fakeShell is what the frame asks of a fake cluster.
type fakeShell struct {
	contexts   []kube.Context
	clusters   map[string]*fake // by context
	namespaces []string
	noSpaces   error
	denied     []string // "verb resource", or "verb resource in namespace"
	noRights   error
	rightsRead int
	operator   *kube.Operator // nil for one that is well
	waiting    int            // who waits for a change of the namespaces
}

func (f *fake) Contexts() []kube.Context { return f.contexts }

func (f *fake) Switch(name string) (backend, error) {
	other, found := f.clusters[name]
	if !found {
		return backend{}, &kube.Problem{Class: kube.ClassUsage, Message: "there is no context " + name}
	}
	b := other.backend()
	b.context = kube.Context{Name: name, Server: "https://" + name + ":6443", Current: true}
	b.router = f
	return b, nil
}

func (f *fake) NamespacesAfter(ctx context.Context, version string) ([]string, string, error) {
	for {
		f.mu.Lock()
		names, now, err := slices.Clone(f.namespaces), f.changed, f.noSpaces
		f.mu.Unlock()
		next := strings.Join(names, " ")
		if err != nil || next != version || version == "" {
			return names, next, err
		}
		f.wait(1)
		select {
		case <-ctx.Done():
			f.wait(-1)
			return nil, "", ctx.Err()
		case <-now:
			f.wait(-1)
		}
	}
}

func (f *fake) wait(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting += n
}

func (f *fake) Rights(_ context.Context, actions []kube.Action) ([]kube.Access, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rightsRead++
	if f.noRights != nil {
		return nil, f.noRights
	}
	answers := make([]kube.Access, len(actions))
	for i, a := range actions {
		what := strings.TrimSuffix(a.Verb+" "+a.Resource+"/"+a.Subresource, "/")
		answers[i] = kube.Access{Allowed: true}
		if slices.Contains(f.denied, what) || slices.Contains(f.denied, what+" in "+a.Namespace) {
			answers[i] = kube.Access{Reason: "you may not " + what + " in namespace " + strconv.Quote(a.Namespace)}
		}
	}
	return answers, nil
}

func (f *fake) Operator(context.Context, string, time.Time) (kube.Operator, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.operator != nil {
		return *f.operator, nil
	}
	return kube.Operator{
		Known: true, Found: true, Namespace: "valkey-operator-system", Name: "valkey-operator-controller-manager", Ready: 2, Wanted: 2, Version: "0.4.0",
		Leader: "valkey-operator-controller-manager-6d5-x7k2p",
	}, nil
}
