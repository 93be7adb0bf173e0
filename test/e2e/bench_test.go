//go:build e2e

package e2e

import (
	"context"
	"slices"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// The benchmarks are run with -benchtime Nx: N is the number of faults. They report, in milliseconds, the distribution
// of the time from the fault to the first write that is acknowledged after it through the Service, and how many
// acknowledged writes were lost in all.

func BenchmarkUnplanned(b *testing.B) {
	for name, fault := range map[string]func(b *testing.B, p *corev1.Pod) (undo func()){
		"SIGKILL": func(b *testing.B, p *corev1.Pod) func() {
			signal(b, p, syscall.SIGKILL)
			return func() { deleteByForce(b, p) } // a container that is killed often is kept waiting, a new one is not
		},
		"DeleteByForce": func(b *testing.B, p *corev1.Pod) func() { deleteByForce(b, p); return func() {} },
		"SIGSTOP": func(b *testing.B, p *corev1.Pod) func() {
			signal(b, p, syscall.SIGSTOP)
			return func() { signal(b, p, syscall.SIGCONT) }
		},
	} {
		b.Run(name, func(b *testing.B) {
			s := create(b, newValkey(newNamespace(b), 3))
			measure(b, s, func() func() { return fault(b, s.primary()) })
		})
	}
}

func BenchmarkPlanned(b *testing.B) {
	for name, move := range map[string]func(b *testing.B, s subject){
		"Request":        func(_ *testing.B, s subject) { s.requestFailover() },
		"GracefulDelete": func(b *testing.B, s subject) { deletePod(b, s.primary()) },
		"Drain": func(b *testing.B, s subject) {
			old := s.primary()
			cordon(b.Context(), b, old.Spec.NodeName, true)
			defer cordon(context.Background(), b, old.Spec.NodeName, false)
			eventually(b, "the eviction is granted", func() string {
				if err := evict(b, old); err != nil {
					return err.Error()
				}
				return ""
			})
		},
		"Roll": func(_ *testing.B, s subject) {
			s.change(func(v *v1alpha1.Valkey) {
				metav1.SetMetaDataAnnotation(&v.ObjectMeta, v1alpha1.AnnotationRestartedAt, time.Now().Format(time.RFC3339Nano))
			})
		},
	} {
		b.Run(name, func(b *testing.B) {
			s := create(b, newValkey(newNamespace(b), 3))
			measure(b, s, func() func() {
				before := s.get().Status.PrimaryAddress
				move(b, s)
				eventually(b, "the primary moved", func() string {
					if s.get().Status.PrimaryAddress == before {
						return "not yet"
					}
					return ""
				})
				return func() {}
			})
		})
	}
}

// BenchmarkHostCut cuts the primary's host off the network; the leader is on another.
func BenchmarkHostCut(b *testing.B) {
	s := create(b, newValkey(newNamespace(b), 3))
	s.waitLinked(2)
	host := ""
	measure(b, s, func() func() {
		sandbox(b, "cut", host)
		return func() { sandbox(b, "heal", host) }
	}, func() {
		host = "node2"
		if leaderHost(b) == host {
			host = "node3"
		}
		s.primaryOn(host)
	})
}

// measure breaks a Valkey b.N times under load and reports the longest gaps between acknowledged writes.
func measure(b *testing.B, s subject, act func() (undo func()), prepare ...func()) {
	b.Helper()
	var gaps []time.Duration
	lost := 0
	for range b.N {
		s.waitRunning()
		s.waitLinked(2)
		for _, p := range prepare {
			p()
		}
		l := startLoad(s)
		undo := act()
		l.waitWrites(100)
		undo()
		s.waitRunning()
		r := l.finish()
		gaps, lost = append(gaps, r.gap), lost+r.lost
	}
	report := func(name string, d time.Duration) { b.ReportMetric(float64(d.Milliseconds()), name) }
	slices.Sort(gaps)
	b.Logf("%s: %v", b.Name(), gaps)
	report("median-ms", gaps[len(gaps)/2])
	report("p95-ms", gaps[(len(gaps)*95+99)/100-1])
	report("worst-ms", gaps[len(gaps)-1])
	b.ReportMetric(float64(lost), "lost")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCreate measures from the creation of a standalone with a claim to status running, the image being present and
// the size the default of valkeyctl create.
func BenchmarkCreate(b *testing.B) {
	var took []time.Duration
	for range b.N {
		ns := newNamespace(b)
		started := time.Now()
		s := create(b, newValkey(ns, 1, func(v *v1alpha1.Valkey) {
			v.Spec.Resource = v1alpha1.ResourceSpec{CPU: "200m", Memory: "512Mi", Storage: "512Mi"}
		}))
		took = append(took, time.Since(started))
		if err := kube.Delete(b.Context(), s.get()); err != nil {
			b.Fatal(err)
		}
		eventually(b, "nothing left", func() string { return leftovers(b, ns) })
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "median-ms")
	b.ReportMetric(float64(took[len(took)-1].Milliseconds()), "worst-ms")
	b.ReportMetric(0, "ns/op")
}
