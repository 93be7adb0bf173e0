//go:build integration

package kube_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

// case 8 (dashboard): thousands of objects load at once; rows show as they arrive.
func BenchmarkStoreStart(b *testing.B) {
	const objects = 10_000
	server := apiserver.New(b)
	client := newClient(b, server.Config())
	namespace := server.Namespace(b)
	fill(b, server, namespace, objects)
	b.ReportAllocs()
	var first, all time.Duration
	for b.Loop() {
		start := time.Now()
		store := client.Watch(b.Context(), kube.Scope{})
		await(b, store, "the first rows", func(s kube.Snapshot) bool { return len(s.Rows) > 0 })
		first += time.Since(start)
		await(b, store, "all rows", func(s kube.Snapshot) bool { return s.Synced && len(s.Rows) == objects })
		all += time.Since(start)
		b.StopTimer()
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		b.ReportMetric(float64(memory.HeapInuse)/(1<<20), "heap-MB")
		store.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(first.Milliseconds())/float64(b.N), "ms/first-rows")
	b.ReportMetric(float64(all.Milliseconds())/float64(b.N), "ms/all-rows")
}

func fill(b *testing.B, server *apiserver.Server, namespace string, objects int) {
	b.Helper()
	const workers = 8
	var running sync.WaitGroup
	for worker := range workers {
		client := newClient(b, server.Config()) // each has a rate limit of its own
		running.Go(func() {
			for i := worker; i < objects; i += workers {
				v := newValkey(namespace, fmt.Sprintf("app-%05d", i))
				if _, err := client.Create(b.Context(), kube.CreateOptions{Valkey: v}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	running.Wait()
}
