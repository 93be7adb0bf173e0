package plan

import (
	"fmt"
	"slices"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// faults are what can happen to the world; each is one byte of a fuzz input.
var faults = []struct {
	name string
	do   func(w *world, s *server)
}{
	{"a client writes", func(w *world, _ *server) { w.write() }},
	{"time passes", func(w *world, _ *server) { w.pass() }},
	{"the process is killed", func(_ *world, s *server) { s.alive = false }},
	{"the pod is deleted by force", func(_ *world, s *server) { s.exists, s.alive = false, false }},
	{"the server freezes", func(_ *world, s *server) { s.frozen = s.alive }},
	{"the server goes on", func(w *world, s *server) { w.thaw(s) }},
	{"the operator cannot reach the server", func(_ *world, s *server) { s.silent = true }},
	{"the operator reaches the server again", func(_ *world, s *server) { s.silent = false }},
	{"another number is wanted", func(w *world, s *server) { w.wanted = s.node + 1 }},
	{"the template changes", func(w *world, _ *server) { w.version++ }},
	{"the operator dies after one action", func(w *world, _ *server) { w.operate(1) }},
	{"the operator reconciles", func(w *world, _ *server) { w.operate(-1) }},
}

// run plays faults on a world that was settled before, then lets it be, and checks that it settles again.
func run(t *testing.T, w *world, script []byte) {
	t.Helper()
	heal(t, w, "at the start")
	for range 20 {
		w.write()
	}
	w.pass()
	var played []string
	for _, b := range script {
		fault := faults[int(b)%len(faults)]
		node := int(b) / len(faults) % 5
		if node >= len(w.servers) || node >= 5 {
			node = 0
		}
		played = append(played, fmt.Sprintf("%s (%d)", fault.name, node))
		fault.do(w, w.at(node))
		w.check()
		if w.rng.IntN(2) == 0 {
			w.operate(-1)
		}
	}
	heal(t, w, "after the faults")
	if len(w.lost) > 0 {
		t.Fatalf("invariants broken: %v\nscript: %v\n%s", w.lost, played, w.describe())
	}
}

// heal ends all faults and waits until the world is as wanted.
func heal(t *testing.T, w *world, when string) {
	t.Helper()
	for i := range w.wanted {
		w.at(i)
	}
	for _, s := range w.servers {
		w.thaw(s)
		s.silent = false
	}
	for range 60 {
		w.pass()
		w.operate(-1)
		if w.settled() == "" {
			return
		}
	}
	st := w.state()
	r := Assign(st)
	t.Fatalf("%s it never settles: %s\nroles: %+v\ntopology: %+v\nbroken: %v\n%s", when, w.settled(), r, Arrange(st, r), w.lost, w.describe())
}

// TestConverges plays many random scripts: whatever happens, in whatever order, the invariants hold and the Valkey comes
// back once faults stop.
func TestConverges(t *testing.T) {
	t.Parallel()
	for _, persistent := range []bool{true, false} {
		for wanted := 1; wanted <= 5; wanted++ {
			for seed := range uint64(6000) {
				w := newWorld(wanted, persistent, seed)
				script := make([]byte, 1+w.rng.IntN(30))
				for i := range script {
					script[i] = byte(w.rng.Uint32())
				}
				run(t, w, script)
			}
		}
	}
}

// FuzzConverges does the same from bytes.
func FuzzConverges(f *testing.F) {
	f.Add(uint8(3), true, []byte{2, 11, 1, 11})
	f.Add(uint8(2), false, []byte{3, 11, 1, 0, 11, 3})
	f.Fuzz(func(t *testing.T, wanted uint8, persistent bool, script []byte) {
		if len(script) > 200 {
			return
		}
		run(t, newWorld(1+int(wanted)%5, persistent, 1), script)
	})
}

// TestPlannedMovesLoseNothing: roll, scale-down of the primary and stop, with a client that writes all the time and an
// operator that dies after any number of actions.
func TestPlannedMovesLoseNothing(t *testing.T) {
	t.Parallel()
	moves := map[string]func(*world){
		"a roll":                     func(w *world) { w.version++ },
		"a scale-down to one":        func(w *world) { w.wanted = 1 },
		"a stop and a start of one":  func(w *world) { w.wanted = 0 },
		"a roll while scaling to 5":  func(w *world) { w.version++; w.wanted = 5 },
		"a scale-down with the roll": func(w *world) { w.version++; w.wanted = 2 },
	}
	for name, move := range moves {
		for dies := range 6 {
			for primary := range 3 {
				w := newWorld(3, true, uint64(dies))
				heal(t, w, "at the start")
				moveTo(t, w, primary)
				w.write()
				w.pass()
				move(w)
				for range 60 {
					w.write()
					w.operate(dies)
					w.check()
					w.pass()
					w.write() // what is not replicated yet when a node goes is lost without a handover
					w.operate(-1)
				}
				if w.wanted == 0 {
					w.wanted = 1
				}
				heal(t, w, name)
				if got := len(primaryOf(w).data); got != w.writes {
					t.Errorf("%s with primary %d: %d of %d writes are left\n%s", name, primary, got, w.writes, w.describe())
				}
				if len(w.lost) > 0 {
					t.Errorf("%s with primary %d: %v", name, primary, w.lost)
				}
			}
		}
	}
}

// TestRecordIsAheadOfTheClients: the operator dies in the middle of a roll with its handover, clients write on where they are led,
// and all servers end, with what they wrote on disk. The next operator begins with the one that has it.
func TestRecordIsAheadOfTheClients(t *testing.T) {
	t.Parallel()
	for looks := range 12 {
		for dies := range 6 {
			w := newWorld(2, true, uint64(looks))
			heal(t, w, "at the start")
			w.write()
			w.pass()
			w.version++
			for range looks {
				w.operate(-1)
				w.pass()
			}
			w.operate(dies)
			w.write()
			for _, s := range w.servers {
				if s.alive {
					s.disk = slices.Clone(s.data)
				}
				s.alive = false
			}
			heal(t, w, "after all were down")
			if got := len(primaryOf(w).data); got != w.writes {
				t.Errorf("after %d looks and %d actions: %d of %d writes are left\n%s", looks, dies, got, w.writes, w.describe())
			}
		}
	}
}

// moveTo makes a node the primary by a request.
func moveTo(t *testing.T, w *world, node int) {
	t.Helper()
	for range 20 {
		if primaryOf(w).node == node {
			return
		}
		st := w.state()
		st.HandOverTo = node
		for _, a := range Arrange(st, Assign(st)).Actions {
			w.carryOut(a)
		}
		heal(t, w, "after a request")
	}
	t.Fatalf("node %d never becomes the primary\n%s", node, w.describe())
}

func primaryOf(w *world) *server {
	at := slices.IndexFunc(w.servers, func(s *server) bool { return s.exists && s.primary && s.label == v1alpha1.RolePrimary })
	if at < 0 {
		return &server{node: NoNode}
	}
	return w.servers[at]
}
