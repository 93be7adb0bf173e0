package v1alpha1_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

func TestChildrenOfTheLongestNameHaveValidNames(t *testing.T) {
	valkey := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: strings.Repeat("a", 50)}}
	services := []string{valkey.ServiceName(), valkey.ReplicasServiceName(), valkey.NodesServiceName()}
	for _, name := range services {
		if faults := validation.IsDNS1035Label(name); len(faults) != 0 {
			t.Errorf("Service %s: %v", name, faults)
		}
	}
	for _, name := range []string{valkey.SecretName(), valkey.InternalSecretName(), valkey.ObserverSecretName(), valkey.NodeName(4)} {
		if faults := validation.IsDNS1123Label(name); len(faults) != 0 {
			t.Errorf("child %s: %v", name, faults)
		}
	}
	for key, value := range valkey.PodLabels() {
		if faults := append(validation.IsQualifiedName(key), validation.IsValidLabelValue(value)...); len(faults) != 0 {
			t.Errorf("label %s=%s: %v", key, value, faults)
		}
	}
}

func TestChildrenOfDifferentKindsMayShareANameOnlyByDesign(t *testing.T) {
	valkey := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "x"}}
	for kind, names := range map[string][]string{
		"Secret":  {valkey.SecretName(), valkey.InternalSecretName(), valkey.ObserverSecretName()},
		"Service": {valkey.ServiceName(), valkey.ReplicasServiceName(), valkey.NodesServiceName()},
		"node":    {valkey.NodeName(0), valkey.NodeName(1), valkey.NodeName(10)},
	} {
		seen := map[string]bool{}
		for _, name := range names {
			if seen[name] {
				t.Errorf("two of kind %s are called %s", kind, name)
			}
			seen[name] = true
		}
	}
}

func TestWantedReplicas(t *testing.T) {
	three, none := int32(3), int32(0)
	for name, test := range map[string]struct {
		replicas *int32
		want     int
	}{
		"not set":     {nil, 1},
		"none wanted": {&none, 0},
		"three":       {&three, 3},
	} {
		t.Run(name, func(t *testing.T) {
			valkey := &v1alpha1.Valkey{Spec: v1alpha1.ValkeySpec{Replicas: test.replicas}}
			if got := valkey.WantedReplicas(); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestVolumeSize(t *testing.T) {
	for name, test := range map[string]struct {
		enabled          bool
		volume, resource string
		want             string
	}{
		"no volume":                {false, "1Gi", "2Gi", ""},
		"its own size":             {true, "1Gi", "2Gi", "1Gi"},
		"the size of the resource": {true, "", "2Gi", "2Gi"},
	} {
		t.Run(name, func(t *testing.T) {
			valkey := &v1alpha1.Valkey{Spec: v1alpha1.ValkeySpec{
				Volume:   v1alpha1.VolumeSpec{Enabled: test.enabled, Storage: test.volume},
				Resource: v1alpha1.ResourceSpec{Storage: test.resource},
			}}
			if got := valkey.VolumeSize(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
