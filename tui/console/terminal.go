package console

import (
	"context"
	"io"
	"os"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"
)

// OnTerminal runs work with a terminal in raw mode, which is as before afterwards. Keys that are typed then are left to whoever reads next.
func OnTerminal(ctx context.Context, in *os.File, work func(keys io.Reader, width, height int) error) error {
	fd := int(in.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return err
	}
	defer term.Restore(fd, state) //nolint:errcheck // there is nobody to tell
	keys, err := cancelreader.NewReader(in)
	if err != nil {
		return err
	}
	defer keys.Close() //nolint:errcheck // it was only read from
	defer keys.Cancel()
	defer context.AfterFunc(ctx, func() { keys.Cancel() })()
	width, height, err := term.GetSize(fd)
	if err != nil {
		width, height = 0, 0 // it is drawn as on any terminal
	}
	return work(keys, width, height)
}
