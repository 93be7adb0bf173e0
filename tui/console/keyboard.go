package console

import (
	"bytes"
	"io"
	"sync"
)

// interrupt is what ctrl-c sends in raw mode.
const interrupt = 0x03

// keyboard reads keys all the time, so that ctrl-c is heard while a command runs. Other keys wait until they are read.
type keyboard struct {
	mu      sync.Mutex
	ready   *sync.Cond
	waiting []byte
	err     error
	stop    func() // what ctrl-c does now; nil: it is a key
}

func newKeyboard(in io.Reader) *keyboard {
	k := &keyboard{}
	k.ready = sync.NewCond(&k.mu)
	go k.pump(in)
	return k
}

// pump ends with its reader.
func (k *keyboard) pump(in io.Reader) {
	buf := make([]byte, 4096)
	for {
		n, err := in.Read(buf)
		k.take(buf[:n], err)
		if err != nil {
			return
		}
	}
}

func (k *keyboard) take(typed []byte, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stop != nil && bytes.IndexByte(typed, interrupt) >= 0 {
		k.stop()
		typed = bytes.ReplaceAll(typed, []byte{interrupt}, nil)
	}
	k.waiting = append(k.waiting, typed...)
	if err != nil {
		k.err = err
	}
	k.ready.Broadcast()
}

// onInterrupt says what ctrl-c does until release.
func (k *keyboard) onInterrupt(stop func()) (release func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stop = stop
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.stop = nil
	}
}

// Read is for io.Reader. ctrl-c at the prompt empties the line (ctrl-u does): leaving is what ctrl-d is for.
func (k *keyboard) Read(p []byte) (int, error) {
	const killLine = 0x15
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.waiting) == 0 && k.err == nil {
		k.ready.Wait()
	}
	if len(k.waiting) == 0 {
		return 0, k.err
	}
	n := copy(p, k.waiting)
	k.waiting = k.waiting[n:]
	for i := range p[:n] {
		if p[i] == interrupt {
			p[i] = killLine
		}
	}
	return n, nil
}
