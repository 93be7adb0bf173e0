package kube

import (
	"context"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// case 18 (dashboard), the client's goroutines: a panic in one reaches the handlers, of which one puts the terminal back.
func TestPanicReachesTheHandlers(t *testing.T) {
	before := utilruntime.PanicHandlers
	defer func() { utilruntime.PanicHandlers = before }()
	told := ""
	utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, r any) { told, _ = r.(string) }}
	func() {
		defer func() { _ = recover() }()
		guarded(func() { panic("lost") })()
	}()
	if told != "lost" {
		t.Errorf("the handlers were told %q", told)
	}
}
