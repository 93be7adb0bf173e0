//go:build integration

package controller_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// A password Secret that is missing or of no use is told, with what a person can do, and mended by mending it.
func TestPasswordSecret(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", func(v *v1alpha1.Valkey) {
		v.Spec.Password, v.Spec.PasswordSecretRef = nil, &v1alpha1.SecretKeyRef{Name: "login", Key: "word"}
	})
	failed := func(words string) {
		t.Helper()
		if v := w.awaitError(words); v.Status.Status != v1alpha1.PhaseFailed {
			t.Errorf("%q, and the status is %s", v.Status.Error, v.Status.Status)
		}
		if !w.gone("Deployment db-node-0") {
			t.Error("a server without a usable password")
		}
	}
	failed("the Secret login that spec.passwordSecretRef names does not exist")
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "login", Namespace: w.ns}}
	if err := w.client.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	r := w.reconciler(w.client)
	for words, data := range map[string]map[string][]byte{
		`the key "word" of the Secret login does not exist`: {"other": []byte("x")},
		"is empty":           {"word": {}},
		"a newline":          {"word": []byte("sesame\n")},
		"or a NUL character": {"word": []byte("ses\x00ame")},
		"is longer than 512": {"word": []byte(strings.Repeat("x", 513))},
	} {
		secret.Data = data
		if err := w.client.Update(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		w.reconcile(r, "db")
		failed(words)
	}
	secret.Data = map[string][]byte{"word": []byte(awkward)}
	if err := w.client.Update(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	w.reconcile(r, "db")
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	if got := w.login("root", awkward); got != "PONG" {
		t.Errorf("with the password of the Secret: %q", got)
	}
	if o := w.named("Secret login"); len(o.GetOwnerReferences()) > 0 || len(o.GetLabels()) > 0 {
		t.Errorf("the user's own Secret was changed: %v", o)
	}
}

// Case 1 (operator): the admin logs in with exactly the password given, and nobody else gets in.
func TestPasswordCountsByteForByte(t *testing.T) {
	w := newWorld(t)
	w.valkey("db", nil)
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	for login, want := range map[[2]string]string{
		{"root", awkward}: "PONG", {"root", awkward + " "}: "", {"root", ""}: "", {"default", awkward}: "", {"default", ""}: "",
	} {
		if got := w.login(login[0], login[1]); want != "" && got != want || want == "" && got == "PONG" {
			t.Errorf("%s with %q: %q", login[0], login[1], got)
		}
	}
}

// No password reaches a log, an event, a status or an object that is no Secret.
func TestNoSecretIsTold(t *testing.T) {
	w := newWorld(t)
	const given = "GIVENPASSWORD-1742"
	w.valkey("db", func(v *v1alpha1.Valkey) { v.Spec.Password, v.Spec.Replicas = ptr.To(given), ptr.To[int32](2) })
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	secrets := []string{given}
	for key, value := range w.named("Secret db-internal").(*corev1.Secret).Data {
		if strings.HasSuffix(key, "password") {
			secrets = append(secrets, string(value))
		}
	}
	if len(secrets) < 5 {
		t.Fatalf("only %d secrets to look for", len(secrets))
	}
	w.scale(1)
	w.awaitPhase("db", v1alpha1.PhaseRunning)
	w.eventually("events are there", func() bool { return strings.Contains(w.events(), "Running") })
	for _, secret := range secrets {
		if strings.Contains(manager.logs.String(), secret) {
			t.Error("a password is in the log")
		}
		if strings.Contains(w.events(), secret) {
			t.Error("a password is in an event")
		}
		for _, o := range w.objects() {
			m, err := runtimeMap(o)
			if err != nil {
				t.Fatal(err)
			}
			switch o.(type) {
			case *corev1.Secret:
				continue
			case *v1alpha1.Valkey: // the given one is in its spec, by its user's will
				m = m["status"].(map[string]any)
			}
			if strings.Contains(asText(t, m), secret) {
				t.Errorf("a password is in %s", describe(o))
			}
		}
	}
}
