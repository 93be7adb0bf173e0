package console

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"

	"kuberly.io/valkey-operator/tui/kube"
)

// OnTerminal runs work with a terminal in raw mode, which is as before afterwards. Keys that are typed then are left to whoever reads next.
// Sizes tells the terminal's size, first the one that it has.
func OnTerminal(ctx context.Context, in *os.File, work func(keys io.Reader, sizes <-chan kube.Size) error) error {
	fd := int(in.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return err
	}
	defer term.Restore(fd, state) //nolint:errcheck // there is nobody to tell
	reader, err := cancelreader.NewReader(in)
	if err != nil {
		return err
	}
	keys := &typed{CancelReader: reader}
	defer keys.end()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { keys.Cancel() })()
	return work(keys, Sizes(ctx, fd))
}

// typed are the keys of a terminal until its end.
type typed struct {
	cancelreader.CancelReader
	reading sync.Mutex
}

// Read is for io.Reader.
func (k *typed) Read(p []byte) (int, error) {
	k.reading.Lock()
	defer k.reading.Unlock()
	return k.CancelReader.Read(p)
}

// end returns when nobody reads any more. A reader that is closed under the hands of one who waits for a key might take the next one, which is
// for somebody else.
func (k *typed) end() {
	k.Cancel()
	k.reading.Lock()
	defer k.reading.Unlock()
	_ = k.Close() // it was only read from
}

// Sizes are the sizes of a terminal, first the one that it has, until ctx ends. One that is not known is not told.
func Sizes(ctx context.Context, fd int) <-chan kube.Size {
	sizes := make(chan kube.Size, 1)
	changes := make(chan os.Signal, 1)
	signal.Notify(changes, syscall.SIGWINCH)
	go func() {
		defer close(sizes)
		defer signal.Stop(changes)
		for {
			if width, height, err := term.GetSize(fd); err == nil {
				select {
				case sizes <- kube.Size{Width: uint16(width), Height: uint16(height)}: //nolint:gosec // no terminal is that large
				case <-ctx.Done():
					return
				}
			}
			select {
			case <-changes:
			case <-ctx.Done():
				return
			}
		}
	}()
	return sizes
}
