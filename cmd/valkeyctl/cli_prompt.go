package main

import (
	"context"
	"errors"
	"io"
	"os"

	"kuberly.io/valkey-operator/tui/console"
	"kuberly.io/valkey-operator/tui/kube"
)

// interact asks for commands on the terminal.
func (p *program) interact(ctx context.Context, client *kube.Client, ref kube.Ref, node string) error {
	in, isFile := p.In.(*os.File)
	if !isFile {
		return errors.New("standard input is no terminal")
	}
	return console.OnTerminal(ctx, in, func(keys io.Reader, sizes <-chan kube.Size) error {
		c := console.Console{
			Open: func(ctx context.Context) (console.Session, error) {
				return client.OpenSession(ctx, ref, node, console.Limits)
			},
			Keys: keys, Out: p.Out, Sizes: sizes,
		}
		return c.Run(ctx)
	})
}
