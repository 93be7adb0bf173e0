package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

const noKubeconfig = "/does/not/exist"

func TestHelp(t *testing.T) {
	for _, verb := range []string{"", "create", "get", "describe", "scale", "delete", "logs", "cli", "port-forward", "events", "version"} {
		name := "help"
		args := []string{"--help"}
		if verb != "" {
			name, args = "help-"+verb, []string{verb, "--help"}
		}
		t.Run(name, func(t *testing.T) {
			r := valkeyctl(t, noKubeconfig, args...)
			r.expect(t, exitOK)
			// The flags of the kubeconfig are cli-runtime's, in its words.
			text, _, _ := strings.Cut(r.out, "\nGlobal Flags:")
			if verb == "" {
				text, _, _ = strings.Cut(r.out, "\nAvailable Commands:")
			}
			golden(t, name, text)
		})
	}
}

// The original's command line, word for word, needs no cluster to be read.
func TestCreateDryRun(t *testing.T) {
	original := []string{
		"create", "--name=test", "--namespace=test", "--image=valkey/valkey", "--user=root", "--pass=root", "--replicas=1",
		"--volume_enabled=true", "--cpu=200m", "--memory=512Mi", "--storage=512Mi", "--dry-run=client", "-o", "yaml",
	}
	want := valkeyctl(t, noKubeconfig, original...)
	want.expect(t, exitOK)
	golden(t, "create-original", want.out)
	for name, args := range map[string][]string{
		"by its alias":         append([]string{"valkey"}, original...),
		"with dashes":          replaced(original, "--volume_enabled=true", "--volume-enabled=true"),
		"with words apart":     append(replaced(original, "--volume_enabled=true", "--volume_enabled"), "true"),
		"with the name behind": append(replaced(original, "--name=test", "--replicas=1"), "test"),
	} {
		if name == "with words apart" {
			args = replaced(original, "--volume_enabled=true", "--volume_enabled", "true")
		}
		got := valkeyctl(t, noKubeconfig, args...)
		got.expect(t, exitOK)
		if diff := cmp.Diff(want.out, got.out); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	defaults := valkeyctl(t, noKubeconfig, "create", "--dry-run=client", "-o", "yaml")
	defaults.expect(t, exitOK)
	golden(t, "create-defaults", defaults.out)
	if !strings.Contains(defaults.err, "app-db-password") {
		t.Errorf("the Secret that is not printed is not told: %q", defaults.err)
	}
	shown := valkeyctlWith(t, noKubeconfig, "x\n", "create", "--dry-run=client", "-o", "yaml", "--pass-file=-", "--show-password",
		"--set-config=maxmemory-policy=allkeys-lru", "--storage-class=fast", "--reclaim=Retain", "--image-pull-policy=Always")
	shown.expect(t, exitOK)
	golden(t, "create-everything", shown.out)
}

// replaced is args with one of them replaced by others.
func replaced(args []string, old string, by ...string) []string {
	var all []string
	for _, arg := range args {
		if arg == old {
			all = append(all, by...)
		} else {
			all = append(all, arg)
		}
	}
	return all
}

// case 19 (dashboard): without a terminal, one clear line that names the verbs that work without, before anything else is tried.
func TestNoTerminal(t *testing.T) {
	valkeyctl(t, noKubeconfig).expect(t, exitUsage, "needs a terminal", "get", "describe", "create", "scale", "delete", "logs")
}

func TestNameOfThePlugin(t *testing.T) {
	var out strings.Builder
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out}
	if code := run(t.Context(), streams, "/usr/bin/kubectl-valkey", []string{"scale", "--help"}); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if text := out.String(); !strings.Contains(text, "kubectl valkey scale NAME") || strings.Contains(text, "valkeyctl scale") {
		t.Errorf("help of the plugin:\n%s", text)
	}
}

func TestReport(t *testing.T) {
	refused := &kube.Problem{Class: kube.ClassNotFound, Message: "a"}
	for name, tc := range map[string]struct {
		err  error
		code int
		out  string
	}{
		"nothing":     {nil, exitOK, ""},
		"a refusal":   {refused, exitRefused, "valkeyctl: a\n"},
		"usage":       {kube.Usage("b", "see c"), exitUsage, "valkeyctl: b; see c\n"},
		"interrupted": {context.Canceled, exitInterrupted, ""},
		"several":     {&manyErrors{errs: []error{refused, kube.Usage("b", "")}}, exitRefused, "valkeyctl: a\nvalkeyctl: b\n"},
	} {
		var out strings.Builder
		if code := report(&out, "valkeyctl", tc.err); code != tc.code || out.String() != tc.out {
			t.Errorf("%s: exit code %d and %q, want %d and %q", name, code, out.String(), tc.code, tc.out)
		}
	}
}

func TestDescription(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	at := func(before time.Duration) metav1.Time { return metav1.NewTime(now.Add(-before)) }
	replicas := int32(2)
	v := &v1alpha1.Valkey{
		ObjectMeta: metav1.ObjectMeta{Name: "app", Namespace: "shop", Labels: map[string]string{"team": "a", "env": "dev"}, CreationTimestamp: at(time.Hour), Generation: 2},
		Spec: v1alpha1.ValkeySpec{
			Image: "valkey/valkey:9.1", User: "root", Replicas: &replicas, PasswordSecretRef: &v1alpha1.SecretKeyRef{Name: "app-password", Key: "password"},
			Volume:   v1alpha1.VolumeSpec{Enabled: true, Storage: "1Gi"},
			Resource: v1alpha1.ResourceSpec{CPU: "200m", Memory: "512Mi"},
			Config:   map[string]v1alpha1.ConfigValue{"maxmemory-policy": "allkeys-lru"},
		},
		Status: v1alpha1.ValkeyStatus{
			Status: v1alpha1.PhaseInProgress, Error: "image\x1b[2J not found", ReadyReplicas: 1, ObservedGeneration: 1, Primary: "app-node-0", Version: "9.1.2",
			Nodes: []v1alpha1.NodeStatus{
				{Name: "app-node-0", Pod: "app-node-0-x", Host: "host-1", Role: v1alpha1.RolePrimary, Ready: true},
				{Name: "app-node-1", Message: "pulling"},
			},
			Conditions: []metav1.Condition{{Type: "Ready", Status: "False", Reason: "NodesStarting", Message: "1 of 2", LastTransitionTime: at(time.Minute)}},
		},
	}
	d := &description{
		valkey:    v,
		children:  []kube.Child{{Kind: "PersistentVolumeClaim", Name: "app-node-0", Detail: "1Gi"}, {Kind: "Service", Name: "app"}},
		events:    []kube.Event{{Type: "Warning", Reason: "Failed", Message: "no such image", Object: "Pod/app-node-1-x", Count: 3, First: now.Add(-time.Hour), Last: now.Add(-time.Minute)}},
		forbidden: []string{"Secret"},
	}
	var out strings.Builder
	if err := d.write(&out, now); err != nil {
		t.Fatal(err)
	}
	golden(t, "describe", out.String())
}

// A kubeconfig that is not there is named, whoever names it.
func TestMissingKubeconfigIsNamed(t *testing.T) {
	t.Setenv("KUBECONFIG", "/does/not/exist/either")
	valkeyctl(t, noKubeconfig, "get").expect(t, exitUsage, noKubeconfig+" does not exist")
	valkeyctl(t, "", "get").expect(t, exitUsage, "kubeconfig: /does/not/exist/either does not exist; KUBECONFIG names it")
	empty := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", empty)
	valkeyctl(t, "", "get").expect(t, exitUsage, "kubeconfig: "+empty+" names no cluster; KUBECONFIG names it")
	t.Setenv("KUBECONFIG", "")
	t.Setenv("HOME", t.TempDir())
	valkeyctl(t, empty, "get").expect(t, exitUsage, "kubeconfig: "+empty+" names no cluster")
}
