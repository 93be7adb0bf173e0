package kube

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

func TestCheckNodes(t *testing.T) {
	two, none := int32(2), int32(0)
	v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "app"}, Spec: v1alpha1.ValkeySpec{Replicas: &two}}
	stopped := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: "app"}, Spec: v1alpha1.ValkeySpec{Replicas: &none}}
	nodes := []Node{{Name: "app-node-0", Pod: "app-node-0-x"}, {Name: "app-node-2", Pod: "app-node-2-y"}}
	for name, tc := range map[string]struct {
		valkey *v1alpha1.Valkey
		nodes  []Node
		names  []string
		want   string
	}{
		"none is named":                  {v, nodes, nil, ""},
		"one that has no pod yet":        {v, nil, []string{"app-node-1"}, ""},
		"one that is not wanted anymore": {v, nodes, []string{"app-node-2"}, ""},
		"a pod":                          {v, nodes, []string{"app-node-0-x"}, ""},
		"one that there is not":          {v, nodes, []string{"app-node-0", "foo"}, `valkey "app" has no node "foo"; it has app-node-0, app-node-1, app-node-2`},
		"where there are none":           {stopped, nil, []string{"app-node-0"}, `valkey "app" has no node "app-node-0"; it has none now`},
	} {
		got := ""
		if err := checkNodes(tc.valkey, tc.nodes, tc.names); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
