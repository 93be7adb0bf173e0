package console

import (
	"io"
	"os"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/term"

	"kuberly.io/valkey-operator/tui/kube"
)

// Whoever waited for a key when the work ended takes none of those that follow.
func TestTheNextKeyIsForTheNextReader(t *testing.T) {
	keyboard, in, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keyboard.Close(); _ = in.Close() })
	if _, err := term.MakeRaw(int(in.Fd())); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		ended := make(chan error, 1)
		work := func(keys io.Reader, _ <-chan kube.Size) error {
			waits := make(chan struct{})
			go func() {
				close(waits)
				_, err := keys.Read(make([]byte, 1))
				ended <- err
			}()
			<-waits
			return nil
		}
		if err := OnTerminal(t.Context(), in, work); err != nil {
			t.Fatal(err)
		}
		if _, err := keyboard.WriteString("k"); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err == nil {
			t.Fatal("a reader of the work that has ended took the key")
		}
		if key := next(t, in); key != 'k' {
			t.Fatalf("the key is %q", key)
		}
	}
}

func next(t *testing.T, in *os.File) byte {
	t.Helper()
	key := make([]byte, 1)
	if _, err := io.ReadFull(in, key); err != nil {
		t.Fatal(err)
	}
	return key[0]
}
