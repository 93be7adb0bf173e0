//go:build integration

package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
)

// The whole program on a terminal: create by form, with a field that the schema refuses and one that a rule of the server does.
func TestCreateByFormOnARealAPIServer(t *testing.T) {
	p, client, namespace := onCluster(t, 120, 40)
	p.types("c")
	p.sees("Create a Valkey")
	p.types("app-replicas\x13")
	p.sees("✗ may not end in -replicas")
	p.types(strings.Repeat("\x7f", len("-replicas")) + "\t\t\x7f9\x13")
	p.sees("✗ should be less than or equal to 5")
	p.types("\x7f3\x13")
	p.sees("starts 3 servers: one primary and 2 replicas of it")
	p.sees("+   replicas: 3")
	if _, err := client.Get(t.Context(), namespace, "app"); !kube.IsClass(err, kube.ClassNotFound) {
		t.Fatalf("it was made before it was agreed to: %v", err)
	}
	p.types("\r")
	p.sees(namespace + "/app is created; its password is in the Secret app-password")
	v, err := client.Get(t.Context(), namespace, "app")
	if err != nil || v.WantedReplicas() != 3 || v.Spec.Password != nil || v.Spec.PasswordSecretRef == nil {
		t.Errorf("created as %+v, %v", v.Spec, err)
	}
}

// Edit with a field that the server refuses by a rule in CEL: it stands beside the field, and what was typed is still there.
func TestEditByFormOnARealAPIServer(t *testing.T) {
	p, client, namespace := onCluster(t, 120, 40)
	v := newValkey(namespace, "app")
	v.Spec.Volume.Enabled, v.Spec.Volume.Storage = true, "1Gi"
	if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: v}); err != nil {
		t.Fatal(err)
	}
	p.sees("▌  app")
	p.types("e")
	p.sees("Edit " + namespace + "/app")
	p.sees("valkey/valkey:9.1")
	p.types("\t\x7f2")                                   // the image: 9.2
	p.types(strings.Repeat("\t", 6) + "\x7f\x7f\x7f1Mi") // the storage: less
	p.types(ctrlS)
	p.sees("✗ a volume can grow but not shrink")
	p.sees("not changed")
	p.sees("was valkey/valkey:9.1")
	p.types("\x7f\x7f\x7f2Gi" + ctrlS)
	p.sees("restarts the one server: it is away until it is back, the data is kept (image)")
	p.sees("grows 1 claim from 1Gi to 2Gi")
	// Somebody else changes it meanwhile.
	if _, err := client.Scale(t.Context(), kube.Ref{Namespace: namespace, Name: "app"}, 2, kube.ScaleOptions{}); err != nil {
		t.Fatal(err)
	}
	p.types("\r")
	p.sees("Changed by others meanwhile")
	p.sees("spec.replicas: 1 -> 2")
	p.sees("rolls 2 nodes, replicas first")
	p.types("\r")
	p.sees(namespace + "/app is changed")
	got, err := client.Get(t.Context(), namespace, "app")
	if err != nil || got.Spec.Image != "valkey/valkey:9.2" || got.Spec.Volume.Storage != "2Gi" || got.WantedReplicas() != 2 || *got.Spec.Password != "secret" {
		t.Errorf("changed to %+v, %v", got.Spec, err)
	}
	p.types("q")
	if code := p.exits(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.checkRestored()
}

// The editor has the terminal and gives it back; it sees the context and the namespace that are shown.
func TestEditorOnARealAPIServer(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "editor")
	text := "#!/bin/sh\necho $KUBECONFIG >" + dir + "/seen\necho THE-EDITOR-IS-HERE\nread line\nsed -i \"s/9.1/$line/\" \"$1\"\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	p, client, namespace := onCluster(t, 120, 40, "KUBE_EDITOR="+script, "TMPDIR="+dir)
	if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: newValkey(namespace, "app")}); err != nil {
		t.Fatal(err)
	}
	p.sees("▌  app")
	p.types("E")
	p.sees("THE-EDITOR-IS-HERE")
	p.types("9 9\n")
	p.sees("an image has no spaces")
	p.sees("What was written is kept in " + dir)
	p.types("e")
	p.sees("THE-EDITOR-IS-HERE")
	p.types("x\n") // there is no 9.1 any more: the same text
	p.sees("an image has no spaces")
	p.types(escKey)
	p.sees("not applied: what was written is kept in")
	p.types("E")
	p.sees("THE-EDITOR-IS-HERE")
	p.types("9.2\n")
	p.sees("+   image: valkey/valkey:9.2")
	p.types("\r")
	p.sees("Type app to lose the data:") // it has no volume
	p.types("app\r")
	p.sees(namespace + "/app is changed")
	seen, err := os.ReadFile(filepath.Join(dir, "seen"))
	first, _, _ := strings.Cut(string(seen), ":")
	if err != nil || !strings.HasPrefix(first, dir) {
		t.Errorf("the editor saw KUBECONFIG=%s, %v", seen, err)
	}
	if v, err := client.Get(t.Context(), namespace, "app"); err != nil || v.Spec.Image != "valkey/valkey:9.2" {
		t.Errorf("changed to %+v, %v", v.Spec, err)
	}
	p.types("j")
	p.until("the screen is whole", p.isWhole)
}

func TestStopOnARealAPIServer(t *testing.T) {
	p, client, namespace := onCluster(t, 120, 30)
	v := newValkey(namespace, "app")
	three := int32(3)
	v.Spec.Replicas, v.Spec.Volume.Enabled, v.Spec.Volume.Storage = &three, true, "1Gi"
	if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: v}); err != nil {
		t.Fatal(err)
	}
	p.sees("▌  app")
	p.types("S")
	p.sees("The data is kept on the claims")
	p.types("\r")
	p.sees("is being stopped")
	p.until("the row has no server", func() bool { return regexp.MustCompile(`1Gi +0`).MatchString(p.plain()) })
	p.types("S")
	p.sees("It had 3 when it was stopped")
	p.types("\r")
	p.sees("is being started")
	if got, err := client.Get(t.Context(), namespace, "app"); err != nil || got.WantedReplicas() != 3 {
		t.Errorf("started with %d, %v", got.WantedReplicas(), err)
	}
}
