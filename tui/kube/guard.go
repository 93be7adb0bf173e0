package kube

import utilruntime "k8s.io/apimachinery/pkg/util/runtime"

// guarded lets a panic in a goroutine reach the panic handlers before it ends the program: the dashboard puts the terminal back in
// one of them.
func guarded(do func()) func() {
	return func() {
		defer utilruntime.HandleCrash()
		do()
	}
}
