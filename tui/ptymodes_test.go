package tui

import "golang.org/x/sys/unix"

// modes says whether the terminal is raw.
func (p *program) modes() (raw bool) {
	state, err := unix.IoctlGetTermios(int(p.ptmx.Fd()), unix.TCGETS)
	if err != nil {
		p.t.Fatalf("read the modes of the terminal: %v", err)
	}
	return state.Lflag&(unix.ECHO|unix.ICANON) != unix.ECHO|unix.ICANON
}
