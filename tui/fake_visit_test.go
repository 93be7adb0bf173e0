package tui

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/output"
	"kuberly.io/valkey-operator/tui/kube"
)

// fakeVisit is what is looked into of a fake cluster.
type fakeVisit struct {
	read          []kube.LogOptions // with which logs were opened, the last one last
	operatorLines []kube.Line
	noLogs        error
	noServers     error
	noURI         error
	clipboard     output.Buffer
	forwards      []*fakeForward
	noSession     error
	noCommands    bool
	sessions      int // that are open
}

func (f *fake) lastRead() kube.LogOptions {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.read) == 0 {
		return kube.LogOptions{}
	}
	return f.read[len(f.read)-1]
}

func (f *fake) OperatorLogs(ctx context.Context, opts kube.LogOptions) (liner, error) {
	if f.noLogs != nil {
		return nil, f.noLogs
	}
	f.set(func() { f.lines = f.operatorLines })
	return f.Logs(ctx, kube.Ref{}, opts), nil
}

func (f *fake) Servers(_ context.Context, ref kube.Ref) ([]kube.Node, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noServers != nil {
		return nil, f.noServers
	}
	var nodes []kube.Node
	for _, r := range f.rows {
		if r.Namespace != ref.Namespace || r.Name != ref.Name {
			continue
		}
		for i := range int(r.Replicas) {
			n := kube.Node{Name: r.Name + "-node-" + strconv.Itoa(i), Role: v1alpha1.RoleReplica, Ready: i < int(r.Ready)}
			n.Pod = n.Name + "-abcde"
			if i == 1 || r.Replicas == 1 {
				n.Role = v1alpha1.RolePrimary
			}
			nodes = append(nodes, n)
		}
	}
	return nodes, nil
}

func (f *fake) URI(_ context.Context, ref kube.Ref, reveal bool) (string, error) {
	if reveal {
		return "redis://root:s3cret@" + kube.Address(ref), f.noURI
	}
	return kube.OpenURI("root", kube.Address(ref)), f.noURI
}

func (f *fake) YAML(_ context.Context, ref kube.Ref, _ bool) (string, error) {
	return "kind: Valkey\nmetadata:\n  name: " + ref.Name + "\n", nil
}

func (f *fake) Shell(_ context.Context, ref kube.Ref, node string, in io.Reader, out io.Writer, sizes <-chan kube.Size) error {
	f.set(func() { f.note("shell %s %s", ref, node) })
	size := <-sizes
	if _, err := fmt.Fprintf(out, "SHELL %dx%d\r\n", size.Width, size.Height); err != nil {
		return err
	}
	typed := make([]byte, 1)
	for {
		n, err := in.Read(typed)
		if err != nil {
			return err
		}
		if n == 1 && typed[0] == 'q' {
			return nil
		}
		if _, err := fmt.Fprintf(out, "<%q>", typed[:n]); err != nil {
			return err
		}
	}
}
