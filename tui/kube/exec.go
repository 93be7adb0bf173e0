package kube

import (
	"context"
	"errors"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"k8s.io/streaming/pkg/httpstream"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// shellLine takes the shell that people like best of those that the image has.
const shellLine = "command -v bash >/dev/null 2>&1 && exec bash; exec sh"

// Size is that of a terminal.
type Size struct{ Width, Height uint16 }

// Shell runs a shell in the server's container of a node, on a terminal that is in raw mode. Sizes tells the terminal's size, first the one it
// has. It needs the right to create pods/exec, and ends with the shell: how that ended is no error.
func (c *Client) Shell(ctx context.Context, ref Ref, node string, in io.Reader, out io.Writer, sizes <-chan Size) error {
	server, err := c.server(ctx, ref, node)
	if err != nil {
		return err
	}
	executor, err := c.executor(ref.Namespace, server.Pod, []string{"/bin/sh", "-c", shellLine})
	if err != nil {
		return c.failed(err)
	}
	err = executor.StreamWithContext(ctx, remotecommand.StreamOptions{Stdin: in, Stdout: out, Tty: true, TerminalSizeQueue: sizeQueue{ctx, sizes}})
	return c.shellEnded(err, server)
}

// executor prefers WebSockets, which pass proxies, and falls back to SPDY for servers that do not know them.
func (c *Client) executor(namespace, pod string, command []string) (remotecommand.Executor, error) {
	conn := c.connection()
	url := conn.core.RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{
			Container: v1alpha1.ContainerName, Command: command, Stdin: true, Stdout: true, TTY: true,
		}, scheme.ParameterCodec).URL()
	overWebSocket, err := remotecommand.NewWebSocketExecutor(conn.config, "GET", url.String())
	if err != nil {
		return nil, err
	}
	overSPDY, err := remotecommand.NewSPDYExecutor(conn.config, "POST", url)
	if err != nil {
		return nil, err
	}
	return remotecommand.NewFallbackExecutor(overWebSocket, overSPDY, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	})
}

func (c *Client) shellEnded(err error, server Node) error {
	if err == nil {
		return nil
	}
	noShell := problem(ClassFailed, "the image of "+server.Name+" has no shell", "")
	var code exec.CodeExitError
	const cannotRun, notFound = 126, 127
	switch text := err.Error(); {
	case strings.Contains(text, "/bin/sh") && (strings.Contains(text, "no such file") || strings.Contains(text, "not found")):
		return noShell.cleaned(err)
	case errors.As(err, &code) && (code.Code == cannotRun || code.Code == notFound) && strings.Contains(text, "/bin/sh"):
		return noShell.cleaned(err)
	case errors.As(err, &code):
		return nil // what the last command of the shell ended with
	default:
		return c.failed(tunnelError(err))
	}
}

// sizeQueue is for remotecommand.
type sizeQueue struct {
	ctx   context.Context //nolint:containedctx // the interface of the library takes none
	sizes <-chan Size
}

// Next is for remotecommand.TerminalSizeQueue.
func (q sizeQueue) Next() *remotecommand.TerminalSize {
	select {
	case <-q.ctx.Done():
		return nil
	case s, open := <-q.sizes:
		if !open {
			return nil
		}
		return &remotecommand.TerminalSize{Width: s.Width, Height: s.Height}
	}
}
