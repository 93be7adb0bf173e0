//go:build e2e

package e2e

import (
	"errors"
	"slices"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// TestUnplanned ends the primary in every way, with a load on it. What was replicated must be there afterwards; of
// what was acknowledged in the last instant some may not have been, which is reported.
func TestUnplanned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		replicas int32
		// ends is how many servers a write may be lost with.
		ends  int
		fault func(t *testing.T, s subject, primary *corev1.Pod)
	}{
		"SIGKILL with three nodes": {3, 1, func(t *testing.T, _ subject, p *corev1.Pod) { signal(t, p, syscall.SIGKILL) }},
		"SIGKILL with two nodes":   {2, 1, func(t *testing.T, _ subject, p *corev1.Pod) { signal(t, p, syscall.SIGKILL) }},
		"delete by force":          {3, 1, func(t *testing.T, _ subject, p *corev1.Pod) { deleteByForce(t, p) }},
		"SIGSTOP and SIGCONT": {3, 1, func(t *testing.T, s subject, p *corev1.Pod) {
			signal(t, p, syscall.SIGSTOP)
			eventually(t, "another primary", func() string {
				if s.get().Status.PrimaryAddress == p.Status.PodIP {
					return "the frozen one is still it"
				}
				return ""
			})
			signal(t, p, syscall.SIGCONT)
		}},
		"SIGSTOP, and SIGCONT while another is promoted": {3, 1, func(t *testing.T, s subject, p *corev1.Pod) {
			signal(t, p, syscall.SIGSTOP)
			eventually(t, "it is given up", func() string {
				if slices.ContainsFunc(s.pods(), func(now corev1.Pod) bool {
					return now.UID == p.UID && now.Labels[v1alpha1.LabelRole] == string(v1alpha1.RolePrimary)
				}) {
					return "the frozen one has the primary's label"
				}
				return ""
			})
			signal(t, p, syscall.SIGCONT)
		}},
		"SIGKILL twice": {3, 1, func(t *testing.T, s subject, p *corev1.Pod) {
			signal(t, p, syscall.SIGKILL)
			eventually(t, "another primary", func() string {
				if s.get().Status.PrimaryAddress == p.Status.PodIP {
					return "the killed one is still it"
				}
				return ""
			})
			signal(t, s.primary(), syscall.SIGKILL)
		}},
		"the primary and a replica at once": {3, 2, func(t *testing.T, s subject, p *corev1.Pod) {
			replica := s.replicas()[0]
			signal(t, &replica, syscall.SIGKILL)
			signal(t, p, syscall.SIGKILL)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := create(t, newValkey(newNamespace(t), c.replicas))
			s.waitLinked(int(c.replicas) - 1)
			l := startLoad(s)
			c.fault(t, s, s.primary())
			l.waitWrites(200)
			s.waitRunning()
			s.waitLinked(int(c.replicas) - 1)
			r := l.finish()
			if len(s.get().Status.RoleChanges) < 2 {
				t.Errorf("the changes of the primary are %+v", s.get().Status.RoleChanges)
			}
			if n := r.lostOn(c.ends); n > 0 {
				t.Errorf("%d writes are gone that had reached %d replicas or more", n, c.ends)
			}
			// A write that was acknowledged and not yet replicated dies with its server: no more than each client
			// had under way within the last second.
			if r.lost > r.acked/5 {
				t.Errorf("%d of %d acknowledged writes are gone: that is more than what was not replicated yet", r.lost, r.acked)
			}
			// Loose, since the chaos run beside it ends all managers: the next one has to wait for what the last knew.
			if r.gap > patience {
				t.Errorf("no write was taken for %s", r.gap)
			}
		})
	}
}

// TestAllAtOnce ends all servers at the same time, under load. With claims all that was on disk comes back, from the node
// that was the primary; without, they come back empty and serve.
func TestAllAtOnce(t *testing.T) {
	t.Parallel()
	for name, persistent := range map[string]bool{"with claims": true, "without claims": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := create(t, newValkey(newNamespace(t), 3, func(v *v1alpha1.Valkey) {
				if !persistent {
					withoutVolume(v)
				}
			}))
			s.waitLinked(2)
			l := startLoad(s)
			l.waitWrites(500)
			kept := l.acknowledged()
			if persistent {
				s.waitOnDisk()
			}
			killAll(t, s)
			l.waitWrites(100)
			s.waitRunning()
			s.waitLinked(2)
			lost := len(l.missing(kept))
			t.Logf("of %d writes from before the end of all, %d are gone", len(kept), lost)
			if persistent && lost > 0 {
				t.Errorf("%d writes that were on disk are gone", lost)
			}
			l.finish()
		})
	}
}

// waitOnDisk waits until the primary has fsynced all that it has acknowledged up to now.
func (s subject) waitOnDisk() {
	s.t.Helper()
	c, err := dial(address(s.primary()), time.Second)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.close()
	if _, err := c.do(time.Second, "SET", "mark", "1"); err != nil {
		s.t.Fatal(err)
	}
	if reply, err := c.do(20*time.Second, "WAITAOF", "1", "0", "10000"); err != nil || reply[:1] != "1" {
		s.t.Fatalf("WAITAOF: %q, %v", reply, err)
	}
}

// killAll ends the servers of all pods: the processes are looked for first, so that they end within an instant.
func killAll(t *testing.T, s subject) {
	t.Helper()
	var pids []int
	for _, p := range s.pods() {
		pids = append(pids, processes(t, &p)...)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) { // it went with one of the others
			t.Fatal(err)
		}
	}
}

// TestEmptyPrimary is case 22 (operator): a primary without a volume that restarts empty does not wipe its replicas.
func TestEmptyPrimary(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 2, withoutVolume))
	s.waitLinked(1)
	s.writeKey()
	s.mustAsk(s.service(s.Name), "WAIT", "1", "5000")
	deleteByForce(t, s.primary())
	s.waitKey()
	s.waitRunning()
	s.waitLinked(1)
}

// TestPlanned moves the primary in every planned way, with a load on it: not one acknowledged write may be lost.
func TestPlanned(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(t *testing.T, s subject){
		"graceful delete": func(t *testing.T, s subject) { deletePod(t, s.primary()) },
		"eviction as by a drain": func(t *testing.T, s subject) {
			before := s.primary()
			eventually(t, "the old primary is evicted", func() string {
				if err := evict(t, before); err != nil {
					s.requestFailover() // what a cordoned host does; see TestDrain for the host
					return err.Error()
				}
				return ""
			})
		},
		"a request": func(_ *testing.T, s subject) { s.requestFailover() },
		"a roll by resources": func(_ *testing.T, s subject) {
			s.change(func(v *v1alpha1.Valkey) { v.Spec.Resource.CPU = "210m" })
		},
		"a roll by config": func(_ *testing.T, s subject) {
			s.change(func(v *v1alpha1.Valkey) {
				v.Spec.Config = map[string]v1alpha1.ConfigValue{"maxmemory-policy": "allkeys-lru"}
			})
		},
		"a roll by image": func(_ *testing.T, s subject) {
			s.change(func(v *v1alpha1.Valkey) { v.Spec.Image = "valkey/valkey:9.1.2" })
		},
		"a scale-down of the primary": func(t *testing.T, s subject) {
			s.change(func(v *v1alpha1.Valkey) { askFailover(v, v.NodeName(2)) })
			eventually(t, "node 2 is the primary", func() string {
				if v := s.get(); v.Status.Primary != v.NodeName(2) {
					return v.Status.Primary + " is"
				}
				return ""
			})
			s.scale(2)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := create(t, newValkey(newNamespace(t), 3))
			s.waitLinked(2)
			l := startLoad(s)
			before := s.get().Status.PrimaryAddress
			move(t, s)
			eventually(t, "the primary moved", func() string {
				if now := s.get().Status.PrimaryAddress; now == before {
					return now + " is still it"
				}
				return ""
			})
			s.waitRunning()
			l.waitWrites(100)
			l.lostNothing()
		})
	}
}

// TestStop stops three servers whose primary is not node 0, and starts one again: it has every acknowledged write
// (case 5 (operator)).
func TestStop(t *testing.T) {
	t.Parallel()
	s := create(t, newValkey(newNamespace(t), 3))
	s.waitLinked(2)
	s.change(func(v *v1alpha1.Valkey) { askFailover(v, v.NodeName(2)) })
	eventually(t, "node 2 is the primary", func() string {
		if v := s.get(); v.Status.Primary != v.NodeName(2) {
			return v.Status.Primary + " is"
		}
		return ""
	})
	l := startLoad(s)
	s.scale(0)
	s.waitFor(v1alpha1.PhaseStopped)
	s.change(func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](1) })
	s.waitRunning()
	l.waitWrites(10)
	l.lostNothing()
	s.scale(3)
	s.waitRunning()
	s.waitLinked(2)
}

func (s subject) requestFailover() {
	s.t.Helper()
	s.change(func(v *v1alpha1.Valkey) { askFailover(v, v1alpha1.FailoverAny) })
}
