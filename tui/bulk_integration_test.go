//go:build integration

package tui

import (
	"regexp"
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
)

// case 3 (dashboard), the whole program on a real API server: of several each goes from what it has, one that is at its end stays, and all
// go at once when their word is typed.
func TestBulkOnARealAPIServer(t *testing.T) {
	p, client, namespace := onCluster(t, 120, 40)
	for name, replicas := range map[string]int32{"app-a": 1, "app-b": 3, "app-c": 5} {
		v := newValkey(namespace, name)
		v.Spec.Replicas = &replicas
		if _, err := client.Create(t.Context(), kube.CreateOptions{Valkey: v}); err != nil {
			t.Fatal(err)
		}
	}
	p.sees("3 Valkeys")
	p.sees("app-c")
	p.types("\x01+") // ctrl-a
	p.sees("Scale 3 Valkeys")
	p.sees("app-a  1 → 2")
	p.sees("app-b  3 → 4")
	p.sees("app-c  5 → 5")
	p.types("\r")
	p.sees("● done")
	p.until("each has what it was to get", func() bool {
		for name, want := range map[string]int{"app-a": 2, "app-b": 4, "app-c": 5} {
			if v, err := client.Get(t.Context(), namespace, name); err != nil || v.WantedReplicas() != want {
				return false
			}
		}
		return true
	})
	p.types(escKey)
	p.misses("Scale 3 Valkeys")
	// What is deleted is what is seen: the list has to have come to know of the scaling.
	seen := regexp.MustCompile(`(?m)app-a .* 2 *\n.*app-b .* 4 *\n.*app-c .* 5 *$`)
	p.until("the list shows it", func() bool { return seen.MatchString(p.plain()) })
	p.types(ctrlD)
	p.sees("Delete 3 Valkeys")
	p.sees("to delete:")
	p.types("delete 3\r")
	p.sees("There is no Valkey in the namespace " + namespace)
}
