//go:build e2e

package e2e

import (
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// fault is one thing that a chaos run does to a Valkey.
type fault struct {
	name    string
	planned bool
	// only is the instance that is hit by it, empty for all: managers that are ended for three would never be there.
	only string
	do   func(t testing.TB, s subject, rng *rand.Rand)
}

// in says whether the fault may happen to an instance.
func (f fault) in(instance string) bool {
	return (f.planned || instance != onlyPlanned) && (f.only == "" || f.only == instance)
}

// onlyPlanned is the instance that is only moved as planned.
const onlyPlanned = "planned"

// anyPod is one of the pods that are there, nil where there is none.
func (s subject) anyPod(rng *rand.Rand) *corev1.Pod {
	pods := s.pods()
	if len(pods) == 0 {
		return nil
	}
	return &pods[rng.IntN(len(pods))]
}

// hit sends a signal to the server of a pod, if it has one just now.
func hit(t testing.TB, pod *corev1.Pod, sig syscall.Signal) {
	if pod == nil {
		return
	}
	for _, pid := range processes(t, pod) {
		_ = syscall.Kill(pid, sig) // it may have ended meanwhile, which is as good
	}
}

var faults = []fault{
	{"a graceful delete", true, "", func(t testing.TB, s subject, rng *rand.Rand) {
		if p := s.anyPod(rng); p != nil {
			deletePod(t, p)
		}
	}},
	{"a failover on request", true, "", func(_ testing.TB, s subject, _ *rand.Rand) { s.requestFailover() }},
	{"a roll", true, "", func(_ testing.TB, s subject, rng *rand.Rand) {
		s.change(func(v *v1alpha1.Valkey) { v.Spec.Resource.CPU = strconv.Itoa(200+rng.IntN(10)) + "m" })
	}},
	{"another number of nodes", true, "", func(_ testing.TB, s subject, rng *rand.Rand) { s.scale(int32(2 + rng.IntN(2))) }},
	{"SIGKILL", false, "", func(t testing.TB, s subject, rng *rand.Rand) { hit(t, s.anyPod(rng), syscall.SIGKILL) }},
	{"a delete by force", false, "", func(t testing.TB, s subject, rng *rand.Rand) {
		if p := s.anyPod(rng); p != nil {
			deleteByForce(t, p)
		}
	}},
	{"a freeze of three seconds", false, "", func(t testing.TB, s subject, rng *rand.Rand) {
		if p := s.anyPod(rng); p != nil {
			hit(t, p, syscall.SIGSTOP)
			pause(t.Context(), 3*time.Second)
			hit(t, p, syscall.SIGCONT)
		}
	}},
	{"the end of the managers", true, "mixed again", func(t testing.TB, _ subject, _ *rand.Rand) { killManagers(t) }},
}

// TestChaos does random things to three Valkeys under load for CHAOS_DURATION (two minutes unless set). What it does follows
// from CHAOS_SEED. One of the three is only moved as planned, and must lose nothing; of the others only what no replica
// had may go. The managers are ended as well. At no time do two pods of one Valkey carry the primary's label.
func TestChaos(t *testing.T) {
	t.Parallel()
	duration, seed := 2*time.Minute, uint64(1)
	if text := os.Getenv("CHAOS_DURATION"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("CHAOS_DURATION: %v", err)
		}
		duration = min(d, time.Hour)
	}
	if text := os.Getenv("CHAOS_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("CHAOS_SEED: %v", err)
		}
		seed = n
	}
	for _, name := range []string{onlyPlanned, "mixed", "mixed again"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chaos(t, rand.New(rand.NewPCG(seed, uint64(len(name)))), name, duration)
		})
	}
}

func chaos(t *testing.T, rng *rand.Rand, name string, duration time.Duration) {
	s := create(t, newValkey(newNamespace(t), 3, func(v *v1alpha1.Valkey) { v.Spec.Replicas = ptr.To[int32](3) }))
	s.waitLinked(2)
	l := startLoad(s)
	stopWatch := s.watchLabels()
	for began := time.Now(); time.Since(began) < duration; {
		f := faults[rng.IntN(len(faults))]
		if !f.in(name) {
			continue
		}
		t.Logf("%s after %s, %s", f.name, time.Since(began).Round(100*time.Millisecond), time.Now().UTC().Format(time.TimeOnly))
		f.do(t, s, rng)
		pause(t.Context(), time.Duration(1+rng.IntN(4))*time.Second)
	}
	s.waitRunning()
	s.waitLinked(s.get().WantedReplicas() - 1)
	l.waitWrites(100)
	stopWatch()
	r := l.finish()
	for _, c := range s.get().Status.RoleChanges {
		t.Logf("%s %s -> %s: %s", c.Time.UTC().Format(time.TimeOnly), c.From, c.To, c.Reason)
	}
	switch {
	case name == onlyPlanned && r.lost > 0:
		t.Errorf("planned moves lost %d acknowledged writes", r.lost)
	case r.lostOn(1) > 0:
		t.Errorf("%d writes are gone that a replica had", r.lostOn(1))
	case r.lost > r.acked/5:
		t.Errorf("%d of %d acknowledged writes are gone", r.lost, r.acked)
	}
}

// watchLabels fails the test where two pods of a Valkey carry the primary's label at the same time.
func (s subject) watchLabels() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
			}
			var list corev1.PodList
			err := kube.List(s.t.Context(), &list, client.InNamespace(s.Namespace), client.MatchingLabels{v1alpha1.LabelRole: string(v1alpha1.RolePrimary)})
			if err == nil && len(list.Items) > 1 {
				s.t.Errorf("%d pods carry the primary's label: %s and %s", len(list.Items), list.Items[0].Name, list.Items[1].Name)
			}
		}
	}()
	return func() { close(done); <-ended }
}
