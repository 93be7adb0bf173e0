//go:build integration

package controller_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// What stands in the way of one part, here a Secret that was deleted, may stand there for days. A primary that ends meanwhile is
// succeeded all the same, and one that is told to end hands over.
func TestPrimaryIsReplacedThoughAPartFails(t *testing.T) {
	w := newWorld(t)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "login", Namespace: w.ns}, Data: map[string][]byte{"word": []byte(awkward)}}
	if err := w.client.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	w.valkey("db", func(v *v1alpha1.Valkey) {
		v.Spec.Replicas, v.Spec.Password = ptr.To[int32](3), nil
		v.Spec.PasswordSecretRef = &v1alpha1.SecretKeyRef{Name: "login", Key: "word"}
	})
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	if err := w.client.Delete(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	w.reconcile(w.reconciler(w.client), "db")
	const missing = "the Secret login that spec.passwordSecretRef names does not exist"
	w.awaitError(missing)

	killed := w.primaryPod()
	w.kubelet.hold(func(pod *corev1.Pod) bool { return pod.UID == killed.UID })
	w.kubelet.kill(killed)
	w.eventually("a replica succeeds the primary that was killed", func() bool { return w.primaryPod().UID != killed.UID })
	w.kubelet.hold(func(*corev1.Pod) bool { return false })

	ending := w.primaryPod()
	w.eventually("two replicas follow", func() bool { return w.onPrimary("WAIT", "2", "100") == "2" })
	w.kubelet.hold(func(pod *corev1.Pod) bool { return pod.UID == ending.UID })
	if err := w.client.Delete(t.Context(), ending); err != nil {
		t.Fatal(err)
	}
	w.eventually("the primary that is told to end hands over", func() bool { return w.primaryPod().UID != ending.UID })
	w.kubelet.hold(func(*corev1.Pod) bool { return false })
	w.awaitError(missing)

	secret.ResourceVersion = ""
	if err := w.client.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	w.awaitPhase("db", v1alpha1.PhaseRunning)
}
