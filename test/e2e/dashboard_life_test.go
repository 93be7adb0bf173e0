//go:build e2e

package e2e

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// TestDashboardFromCreateToNothing makes a Valkey by the form, rolls, stops, starts, scales and deletes it by keys alone. Each is seen live, a
// key that was written goes through all of it, and in the end nothing is left.
func TestDashboardFromCreateToNothing(t *testing.T) {
	t.Parallel()
	s := subject{t, client.ObjectKey{Namespace: newNamespace(t), Name: "x"}}
	m := openTerminal(t, "--namespace", s.Namespace)
	m.sees("There is no Valkey in the namespace " + s.Namespace)
	m.createsByForm(s)
	s.waitRunning()
	m.sees("● running")
	s.waitLinked(2)
	s.writeKey()

	m.types(enterKey)
	m.sees("3 of 3 ready", "2 online")
	m.rollsByForm(s)
	s.waitKey()

	m.types(escKey)
	m.sees("1 Valkey", "● running")
	m.scales(s, "-", "3 → 2")
	m.types("S")
	m.sees("Stop "+s.String(), "servers   2 → 0", "The data is kept on the claims")
	m.types(enterKey)
	m.sees("is being stopped")
	s.waitFor(v1alpha1.PhaseStopped)
	m.sees("○ stopped")
	if pods := s.pods(); len(pods) > 0 {
		t.Errorf("it is stopped, and has %d pods", len(pods))
	}
	m.types("S")
	m.sees("Start "+s.String(), "It had 2 when it was stopped")
	m.types(enterKey)
	m.sees("is being started")
	s.waitRunning()
	m.sees("● running")
	s.waitKey()
	m.scales(s, "s1", "2 → 1")
	m.scales(s, "+", "1 → 2")
	s.waitLinked(1)
	s.waitKey()
	m.deletes(s)
	m.quits()
}

// createsByForm makes three servers with a password that has everything in it.
func (m *terminal) createsByForm(s subject) {
	m.t.Helper()
	m.types("c")
	m.sees("Create a Valkey", "of the Valkey, and of the Service")
	m.types(s.Name + "\t\t" + ctrlU + "3" + "\t\t\t" + password + "\t" + ctrlU + "64Mi" + "\t\t\t" + ctrlU + "128Mi")
	m.sees("64Mi", "128Mi")
	m.types(ctrlS)
	m.sees("starts 3 servers: one primary and 2 replicas of it", "makes 3 claims of 128Mi", "keeps the password in the Secret x-password")
	m.types(enterKey)
	m.sees(s.String() + " is created; its password is in the Secret x-password")
}

// rollsByForm changes the CPU on the screen of one Valkey, and sees how the roll goes.
func (m *terminal) rollsByForm(s subject) {
	m.t.Helper()
	m.types("e")
	m.sees("Edit "+s.String(), image)
	m.types("\t\t\t\t\t" + ctrlU + "210m\t")
	m.sees("210m  was 200m")
	m.types(ctrlS)
	m.sees("rolls 3 nodes, replicas first, each in sync before the next, the primary last after it has handed over (cpu)", "+     cpu: 210m")
	m.types(enterKey)
	m.sees(s.String()+" is changed", "restarts", "waits (primary, last)")
	s.waitRunning()
	for _, p := range s.pods() {
		if got := p.Spec.Containers[0].Resources.Limits.Cpu().String(); got != "210m" {
			m.t.Errorf("%s has %s after the roll", p.Name, got)
		}
	}
	m.sees("210m CPU", "3 of 3 ready", "its node is to be rolled")
}

// scales presses the keys of a dialog for another number of servers, and waits until there are as many.
func (m *terminal) scales(s subject, keys, change string) {
	m.t.Helper()
	m.types(keys)
	m.sees("Scale "+s.String(), "servers   "+change)
	m.types(enterKey)
	m.sees(s.String() + ": " + change + " servers")
	s.waitRunning()
}

// deletes has the name asked for, and leaves nothing.
func (m *terminal) deletes(s subject) {
	m.t.Helper()
	m.types(ctrlD)
	m.sees("Delete "+s.String(), "PersistentVolumeClaim  x-node-1", "x-password")
	m.types("y" + enterKey)
	m.sees("type x to delete")
	m.types(ctrlU + s.Name + enterKey)
	m.sees(s.String() + ": its deletion has begun")
	m.sees("There is no Valkey in the namespace " + s.Namespace)
	eventually(m.t, "nothing left", func() string { return leftovers(m.t, s.Namespace) })
}
