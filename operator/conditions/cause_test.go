package conditions_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/conditions"
)

// pod is one that has been scheduled and whose container runs and is ready, with changes.
func pod(changes ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "db-node-0-abc"},
		Spec:       corev1.PodSpec{NodeName: "host-1"},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning,
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, {Type: corev1.PodReady, Status: corev1.ConditionTrue},
			},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: v1alpha1.ContainerName, Image: "valkey/valkey:9.1", Ready: true,
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
			}},
		},
	}
	for _, change := range changes {
		change(p)
	}
	return p
}

func unready(p *corev1.Pod) {
	p.Status.Conditions[1].Status = corev1.ConditionFalse
	p.Status.ContainerStatuses[0].Ready = false
}

func pending(p *corev1.Pod) {
	unready(p)
	p.Status.Phase = corev1.PodPending
	p.Status.ContainerStatuses = nil
}

func ending(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }

func waiting(reason, message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		unready(p)
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{
			Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message},
		}
	}
}

func exited(code int32, reason, said string, restarts int32) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		unready(p)
		p.Status.ContainerStatuses[0].RestartCount = restarts
		p.Status.ContainerStatuses[0].LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
			ExitCode: code, Reason: reason, Message: said,
		}
	}
}

func unschedulable(message string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		pending(p)
		p.Spec.NodeName = ""
		p.Status.Conditions[0] = corev1.PodCondition{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: message,
		}
	}
}

func claim(phase corev1.PersistentVolumeClaimPhase) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: "db-node-0"}, Status: corev1.PersistentVolumeClaimStatus{Phase: phase},
	}
}

func refusedPods(message string) *appsv1.Deployment {
	return &appsv1.Deployment{Status: appsv1.DeploymentStatus{Conditions: []appsv1.DeploymentCondition{{
		Type: appsv1.DeploymentReplicaFailure, Status: corev1.ConditionTrue, Message: message,
	}}}}
}

func TestCause(t *testing.T) {
	for name, c := range map[string]struct {
		facts  conditions.Facts
		reason string // empty: nothing is wrong
		words  []string
	}{
		"a pod that serves":      {conditions.Facts{Pod: pod()}, "", nil},
		"no pod yet":             {conditions.Facts{Deployment: &appsv1.Deployment{}}, "", nil},
		"no Deployment yet":      {conditions.Facts{}, "", nil},
		"a container that loads": {conditions.Facts{Pod: pod(unready)}, "", nil},
		"a container that is being made": {
			conditions.Facts{Pod: pod(waiting("ContainerCreating", ""))}, "", nil,
		},
		"an image that is not there": {
			conditions.Facts{Pod: pod(waiting("ImagePullBackOff", `Back-off pulling image "valkey/valkey:9.1"`))},
			v1alpha1.ReasonImagePull,
			[]string{"db-node-0", "valkey/valkey:9.1", "Back-off pulling"},
		},
		"an image that cannot be pulled for now": {
			conditions.Facts{Pod: pod(waiting("ErrImagePull", "no such host"))}, v1alpha1.ReasonImagePull, []string{"no such host"},
		},
		"an image name that is none": {
			conditions.Facts{Pod: pod(waiting("InvalidImageName", ""))}, v1alpha1.ReasonImagePull, []string{"InvalidImageName"},
		},
		"an image that must be there and is not": {
			conditions.Facts{Pod: pod(waiting("ErrImageNeverPull", "not present"))}, v1alpha1.ReasonImagePull, []string{"not present"},
		},
		"a container whose configuration is missing": {
			conditions.Facts{Pod: pod(waiting("CreateContainerConfigError", `configmap "db" not found`))},
			v1alpha1.ReasonCrash,
			[]string{"cannot start", `configmap "db" not found`},
		},
		"a container that cannot be run": {
			conditions.Facts{Pod: pod(waiting("RunContainerError", `exec: "sh": not found`))},
			v1alpha1.ReasonCrash,
			[]string{"cannot start", "not found"},
		},
		"a server that is older than its data says so": {
			conditions.Facts{Pod: pod(waiting("CrashLoopBackOff", "back-off 20s"), exited(1, "Error",
				"* Server initialized\n# Bad file format reading the append only file appendonly.aof.2.base.rdb: make a backup of your AOF file\n", 3))},
			v1alpha1.ReasonCrash,
			[]string{"db-node-0", "is older than the Valkey that wrote it", "go back to the newer image", "Bad file format"},
		},
		"a server that crashes says its last words": {
			conditions.Facts{Pod: pod(waiting("CrashLoopBackOff", "back-off 20s"), exited(1, "Error",
				"one\n\n*** FATAL CONFIG FILE ERROR ***\nBad directive or wrong number of arguments\n", 3))},
			v1alpha1.ReasonCrash,
			[]string{"db-node-0", "code 1", "3 restarts", "FATAL CONFIG FILE ERROR *** / Bad directive"},
		},
		"a server that crashes and says nothing": {
			conditions.Facts{Pod: pod(exited(139, "Error", "", 2))}, v1alpha1.ReasonCrash, []string{"code 139", "2 restarts"},
		},
		"a server that has just crashed": {
			conditions.Facts{Pod: pod(func(p *corev1.Pod) {
				exited(0, "Completed", "", 1)(p)
				p.Status.ContainerStatuses[0].State = corev1.ContainerState{
					Terminated: &corev1.ContainerStateTerminated{ExitCode: 2, Message: "now"},
				}
			})},
			v1alpha1.ReasonCrash,
			[]string{"code 2", "now"},
		},
		"a server that used too much memory": {
			conditions.Facts{Pod: pod(exited(137, "OOMKilled", "", 4))},
			v1alpha1.ReasonOOM,
			[]string{"memory limit", "4 times", "spec.resource.memory"},
		},
		"a server that ended as told and comes back": {conditions.Facts{Pod: pod(exited(0, "Completed", "", 1))}, "", nil},
		"a server that crashed long ago and is ready": {
			conditions.Facts{Pod: pod(exited(1, "Error", "", 1), func(p *corev1.Pod) { p.Status.ContainerStatuses[0].Ready = true })},
			"", nil,
		},
		"a container beside the server that crashes": {
			conditions.Facts{Pod: pod(exited(1, "Error", "", 9), func(p *corev1.Pod) { p.Status.ContainerStatuses[0].Name = "mesh" })},
			"", nil,
		},
		"a pod that no host takes": {
			conditions.Facts{Pod: pod(unschedulable("0/3 nodes are available: 3 Insufficient memory."))},
			v1alpha1.ReasonUnschedulable,
			[]string{"no host", "Insufficient memory"},
		},
		"a pod whose claim has no volume, so that no host takes it": {
			conditions.Facts{
				Pod: pod(unschedulable("unbound immediate PersistentVolumeClaims")), Claim: claim(corev1.ClaimPending),
				Warning: `storageclass.storage.k8s.io "fast" not found`,
			},
			v1alpha1.ReasonClaimPending,
			[]string{"db-node-0", `"fast" not found`},
		},
		"a pod that no host takes while its claim waits for it": {
			conditions.Facts{Pod: pod(unschedulable("Insufficient cpu")), Claim: claim(corev1.ClaimPending)},
			v1alpha1.ReasonUnschedulable,
			[]string{"Insufficient cpu"},
		},
		"a claim that is pending on a host": {
			conditions.Facts{Pod: pod(pending), Claim: claim(corev1.ClaimPending), Warning: "disk is full"},
			v1alpha1.ReasonClaimPending,
			[]string{"disk is full"},
		},
		"a claim that lost its volume": {
			conditions.Facts{Pod: pod(pending), Claim: claim(corev1.ClaimLost), Warning: "volume is gone"},
			v1alpha1.ReasonClaimPending,
			[]string{"volume is gone"},
		},
		"a volume that cannot be mounted": {
			conditions.Facts{Pod: pod(pending), Claim: claim(corev1.ClaimBound), Warning: "Multi-Attach error"},
			v1alpha1.ReasonStarting,
			[]string{"does not start", "Multi-Attach error"},
		},
		"a warning about a pod that has started since": {
			conditions.Facts{Pod: pod(unready), Warning: "Multi-Attach error"}, "", nil,
		},
		"a pod that a quota refuses": {
			conditions.Facts{Deployment: refusedPods(`pods "db-node-0-x" is forbidden: exceeded quota`)},
			v1alpha1.ReasonPodRefused,
			[]string{"db-node-0", "exceeded quota"},
		},
		"a pod that was refused before and is there now": {
			conditions.Facts{Deployment: refusedPods("exceeded quota"), Pod: pod()}, "", nil,
		},
		"a server that is ready and out of reach": {
			conditions.Facts{Pod: pod(), Unreachable: errors.New("i/o timeout")},
			v1alpha1.ReasonNodeUnreachable,
			[]string{"NetworkPolicy", "i/o timeout"},
		},
		"a server that is out of reach and not ready": {
			conditions.Facts{Pod: pod(unready), Unreachable: errors.New("i/o timeout")}, "", nil,
		},
		"a server that ends": {conditions.Facts{Pod: pod(ending), Unreachable: errors.New("EOF")}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			c.facts.Name = "db-node-0"
			got := conditions.Cause(c.facts)
			if got == nil || c.reason == "" {
				if got != nil || c.reason != "" {
					t.Fatalf("got %+v, want reason %q", got, c.reason)
				}
				return
			}
			if got.Reason != c.reason {
				t.Errorf("reason %s, want %s", got.Reason, c.reason)
			}
			for _, words := range c.words {
				if !strings.Contains(got.Message, words) {
					t.Errorf("message %q does not say %q", got.Message, words)
				}
			}
		})
	}
}

// What others wrote reaches the terminal of whoever reads the status.
func TestHostileTextIsCleaned(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"lines become one":                     {"one\r\ntwo\n\nthree\v", "one two three"},
		"escapes lose their escape":            {"\x1b[31mred\x1b[0m \x1b]0;title\x07", "[31mred [0m ]0;title"},
		"the eight-bit escape goes too":        {"a\u009b31mb", "a 31mb"},
		"marks that turn the direction go":     {"ab\u202ec\u2066d\u200fe", "ab c d e"},
		"bytes that are no text are marked":    {"a\xff\xfeb", "a?b"},
		"text in any language stays":           {"nœud 日本語 🙂", "nœud 日本語 🙂"},
		"line separators of Unicode are lines": {"a\u2028b\u2029c\u0085d", "a b c d"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := conditions.Text(c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			message := conditions.Cause(conditions.Facts{Name: "n", Pod: pod(waiting("ErrImagePull", c.text))}).Message
			if !strings.HasSuffix(message, c.want) {
				t.Errorf("a cause says %q, want it to end in %q", message, c.want)
			}
		})
	}
}

func TestLongTextIsBounded(t *testing.T) {
	got := conditions.Text(strings.Repeat("é", 10_000))
	if n := utf8.RuneCountInString(got); n > 400 || n < 100 {
		t.Errorf("%d characters are left of 10000", n)
	}
	if !strings.HasSuffix(got, "…") || !utf8.ValidString(got) {
		t.Errorf("it does not show that it was cut, or is cut within a character: …%q", got[len(got)-8:])
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[2Jb\u202e\xff" + strings.Repeat("x", 500))
	f.Fuzz(func(t *testing.T, text string) {
		got := conditions.Text(text)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 400 || strings.ContainsAny(got, "\x1b\r\n\x00\u009b\u202e") {
			t.Errorf("%q became %q", text, got)
		}
	})
}
