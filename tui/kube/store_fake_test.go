package kube

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// case 7 (dashboard): a watch that ends with 410 leaves no stale row.
func TestStoreListsAnewAfterAnExpiredWatch(t *testing.T) {
	for name, expire := range map[string]func(http.ResponseWriter, *http.Request){
		"in the watch": func(w http.ResponseWriter, _ *http.Request) {
			send(w, event("ERROR", status(http.StatusGone, "Expired", "too old resource version")))
		},
		"at its opening": func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, http.StatusGone, "Expired", "too old resource version")
		},
		"by an older server": func(w http.ResponseWriter, _ *http.Request) {
			send(w, event("ERROR", status(http.StatusGone, "Gone", "too old resource version")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := newFakeAPI(t)
			var lists atomic.Int32
			api.handle(valkeysPath, func(w http.ResponseWriter, _ *http.Request) {
				if lists.Add(1) == 1 {
					send(w, valkeyList("10", "", object("a", "1"), object("b", "2")))
					return
				}
				send(w, valkeyList("20", "", object("b", "2"), object("c", "15")))
			}, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("resourceVersion") == "10" {
					expire(w, r)
					return
				}
				hang(w, r)
			})
			store := api.client(t).Watch(t.Context(), Scope{})
			defer store.Close()
			first := await(t, store, "the first list is there", func(s Snapshot) bool { return s.Synced })
			second := first
			if len(first.Rows) != 2 || first.Rows[0].Name != "a" {
				second = first // both lists fell into one snapshot
			} else {
				second = await(t, store, "the second is there", func(s Snapshot) bool { return s.Rows[len(s.Rows)-1].Name == "c" })
			}
			if diff := cmp.Diff([]string{"b", "c"}, names(second)); diff != "" {
				t.Errorf("rows: -want +got\n%s", diff)
			}
			if second.Err != nil || second.Stale {
				t.Errorf("an expired watch is no fault: %v, stale %t", second.Err, second.Stale)
			}
		})
	}
}

// case 8 (dashboard): the first page shows before the list is complete, and the rest as it comes.
func TestStoreShowsPagesAsTheyCome(t *testing.T) {
	api := newFakeAPI(t)
	seen := make(chan struct{})
	wait := func(r *http.Request) {
		select {
		case <-seen:
		case <-r.Context().Done():
		}
	}
	api.handle(valkeysPath, func(w http.ResponseWriter, r *http.Request) {
		switch query := r.URL.Query(); query.Get("limit") {
		case "1": // for the columns
			send(w, valkeyList("10", "", object("a", "1")))
		case fmt.Sprint(pageSize):
			send(w, valkeyList("10", "more", object("a", "1"), object("b", "2")))
		default:
			if query.Get("resourceVersion") != "10" || query.Get("resourceVersionMatch") != "NotOlderThan" {
				t.Errorf("the rest is asked for with %v", query)
			}
			wait(r)
			_, _ = io.WriteString(w, `{"apiVersion": "database.kuberly.io/v1alpha1", "items": [`)
			for i := range batchSize + 1 {
				if i > 0 {
					_, _ = io.WriteString(w, ",")
				}
				_, _ = io.WriteString(w, encode(t, object(fmt.Sprintf("c-%03d", i), "3")))
			}
			w.(http.Flusher).Flush()
			wait(r)
			_, _ = io.WriteString(w, `], "kind": "ValkeyList", "metadata": {"resourceVersion": "12"}}`)
		}
	}, hang)
	store := api.client(t).Watch(t.Context(), Scope{})
	defer store.Close()
	partial := await(t, store, "the first page is there", func(s Snapshot) bool { return len(s.Rows) > 0 })
	if diff := cmp.Diff([]string{"a", "b"}, names(partial)); diff != "" || partial.Synced {
		t.Errorf("synced %t, rows: -want +got\n%s", partial.Synced, diff)
	}
	seen <- struct{}{}
	partial = await(t, store, "a part of the rest is there", func(s Snapshot) bool { return len(s.Rows) > 2 })
	if partial.Synced || partial.Rows[0].Name != "a" {
		t.Errorf("synced %t, rows %v", partial.Synced, names(partial))
	}
	seen <- struct{}{}
	whole := await(t, store, "the list is complete", func(s Snapshot) bool { return s.Synced })
	if len(whole.Rows) != batchSize+1 || whole.Rows[0].Name != "c-000" { // a and b are gone by then
		t.Errorf("rows %v", names(whole))
	}
}

// A list that breaks off is no list: it is asked for again.
func TestStoreTakesNoPartForTheWhole(t *testing.T) {
	for name, rest := range map[string]string{
		"no end":     `{"items": [` + encode(t, object("a", "1")),
		"no version": `{"items": []}`,
		"no list":    `[]`,
		"nothing":    ``,
	} {
		t.Run(name, func(t *testing.T) {
			api := newFakeAPI(t)
			var asked atomic.Int32
			api.handle(valkeysPath, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Query().Get("limit") != "":
					send(w, valkeyList("10", "more", object("a", "1"), object("b", "2")))
				case asked.Add(1) == 1:
					_, _ = io.WriteString(w, rest)
				default:
					send(w, valkeyList("12", "", object("c", "3")))
				}
			}, hang)
			store := api.client(t).Watch(t.Context(), Scope{})
			defer store.Close()
			await(t, store, "the fault shows", func(s Snapshot) bool { return s.Err != nil && !s.Synced && len(s.Rows) == 2 })
			whole := await(t, store, "the list is complete", func(s Snapshot) bool { return s.Synced })
			if diff := cmp.Diff([]string{"c"}, names(whole)); diff != "" || whole.Err != nil {
				t.Errorf("error %v, rows: -want +got\n%s", whole.Err, diff)
			}
		})
	}
}

// An unchanged row keeps its pointer, also over a new list; managedFields and the like are not kept in memory at all.
func TestStoreKeepsUnchangedRows(t *testing.T) {
	api := newFakeAPI(t)
	next := make(chan map[string]any)
	api.handle(valkeysPath, func(w http.ResponseWriter, _ *http.Request) {
		send(w, valkeyList("10", "", object("a", "1"), object("b", "2")))
	}, func(w http.ResponseWriter, r *http.Request) {
		for {
			select {
			case <-r.Context().Done():
				return
			case e := <-next:
				send(w, e)
			}
		}
	})
	store := api.client(t).Watch(t.Context(), Scope{})
	defer store.Close()
	before := await(t, store, "the list is there", func(s Snapshot) bool { return s.Synced })
	next <- event("MODIFIED", object("b", "11"))
	after := await(t, store, "the change is there", func(s Snapshot) bool { return s.Rows[1].ResourceVersion == "11" })
	if before.Rows[0] != after.Rows[0] {
		t.Error("the row of an object that did not change is another one")
	}
	if before.Rows[1].ResourceVersion != "2" {
		t.Error("a snapshot that was handed out has changed")
	}
	next <- event("DELETED", object("a", "12"))
	await(t, store, "the row is gone", func(s Snapshot) bool { return len(s.Rows) == 1 })
}

// A late DELETED of an object does not take the row of the one that has its name now.
func TestListRemovesOnlyTheObjectItself(t *testing.T) {
	var l list
	l.put(&Row{UID: "new", Namespace: "x", Name: "a"})
	if l.remove(&Row{UID: "old", Namespace: "x", Name: "a"}) || len(l.rows) != 1 {
		t.Error("the row of another object was removed")
	}
}

// case 5 (dashboard): credentials that run out are told, rows stay and are marked, and the program that the kubeconfig names for logging
// in is run again.
func TestStoreRunsTheCredentialPluginAgain(t *testing.T) {
	api := newSecureFakeAPI(t)
	valid, expired := atomic.Value{}, make(chan struct{})
	valid.Store("Bearer first")
	guarded := func(serve http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != valid.Load() {
				refuse(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
				return
			}
			serve(w, r)
		}
	}
	api.handle(valkeysPath, guarded(func(w http.ResponseWriter, _ *http.Request) {
		send(w, valkeyList("10", "", object("a", "1")))
	}), guarded(func(w http.ResponseWriter, r *http.Request) {
		if valid.Load() == "Bearer first" {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-expired
			return
		}
		hang(w, r)
	}))
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	write(t, token, "first")
	client, err := New(flagsFor(t, dir, api.URL, fmt.Sprintf(`
    exec:
      apiVersion: client.authentication.k8s.io/v1
      interactiveMode: Never
      command: /bin/sh
      args: ["-c", "printf '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%%s\"}}' \"$(cat '%s')\""]`, token)))
	if err != nil {
		t.Fatal(err)
	}
	store := client.Watch(t.Context(), Scope{})
	defer store.Close()
	await(t, store, "the row is there", func(s Snapshot) bool { return s.Synced && len(s.Rows) == 1 })

	valid.Store("Bearer second") // and the plugin still gives the first
	close(expired)
	snapshot := await(t, store, "the loss is told", func(s Snapshot) bool { return s.Err != nil })
	if snapshot.Err.Class != ClassCredentials || !snapshot.Stale || len(snapshot.Rows) != 1 {
		t.Errorf("class %d, stale %t, %d rows: %v", snapshot.Err.Class, snapshot.Stale, len(snapshot.Rows), snapshot.Err)
	}
	write(t, token, "second")
	store.Retry()
	await(t, store, "the new credentials are used", func(s Snapshot) bool { return s.Err == nil && !s.Stale })
}

// Somebody who logs in by writing a token into the kubeconfig is seen, too.
func TestStoreReadsTheKubeconfigAgain(t *testing.T) {
	api := newSecureFakeAPI(t)
	api.handle(valkeysPath, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer new" {
			refuse(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
			return
		}
		send(w, valkeyList("10", ""))
	}, hang)
	dir := t.TempDir()
	client, err := New(flagsFor(t, dir, api.URL, "\n    token: old"))
	if err != nil {
		t.Fatal(err)
	}
	store := client.Watch(t.Context(), Scope{})
	defer store.Close()
	await(t, store, "the refusal is told", func(s Snapshot) bool { return s.Err != nil && s.Err.Class == ClassCredentials })
	flagsFor(t, dir, api.URL, "\n    token: new")
	store.Retry()
	await(t, store, "the new token is used", func(s Snapshot) bool { return s.Synced && s.Err == nil })
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// flagsFor writes a kubeconfig with these credentials and returns flags that name it.
func flagsFor(t testing.TB, dir, server, user string) *genericclioptions.ConfigFlags {
	t.Helper()
	path := filepath.Join(dir, "kubeconfig")
	write(t, path, `apiVersion: v1
kind: Config
current-context: here
contexts:
- name: here
  context: {cluster: c, user: u, namespace: shop}
- name: there
  context: {cluster: c, user: u}
clusters:
- name: c
  cluster: {server: "`+server+`", insecure-skip-tls-verify: true}
users:
- name: u
  user:`+user+"\n")
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &path
	return flags
}

func TestContexts(t *testing.T) {
	client, err := New(flagsFor(t, t.TempDir(), "https://one.example:6443", " {}"))
	if err != nil {
		t.Fatal(err)
	}
	want := Context{Name: "here", Cluster: "c", User: "u", Namespace: "shop", Server: "https://one.example:6443", Current: true}
	if diff := cmp.Diff(want, client.Context()); diff != "" {
		t.Error(diff)
	}
	there, err := client.WithContext("there")
	if err != nil {
		t.Fatal(err)
	}
	if got := there.Context(); got.Name != "there" || there.Namespace() != "default" {
		t.Errorf("%+v, namespace %s", got, there.Namespace())
	}
	if _, err := client.WithContext("nowhere"); !IsClass(err, ClassNoKubeconfig) {
		t.Errorf("a context that is not there: %v", err)
	}
}

// A watch that the user may not have is made up for by lists.
func TestStoreListsWhereItMayNotWatch(t *testing.T) {
	api := newFakeAPI(t)
	var lists atomic.Int32
	api.handle(valkeysPath, func(w http.ResponseWriter, _ *http.Request) {
		send(w, valkeyList("10", "", object(fmt.Sprintf("list-%d", lists.Add(1)), "1")))
	}, func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusForbidden, "Forbidden", `valkeys is forbidden: User "u" cannot watch resource "valkeys" in API group "database.kuberly.io" at the cluster scope`)
	})
	store := api.client(t).Watch(t.Context(), Scope{})
	defer store.Close()
	snapshot := await(t, store, "it is told", func(s Snapshot) bool { return s.Err != nil })
	if snapshot.Err.Message != `user "u" may not watch valkeys in all namespaces` {
		t.Errorf("message %q", snapshot.Err.Message)
	}
	store.Retry()
	await(t, store, "there is another list", func(s Snapshot) bool { return len(s.Rows) == 1 && s.Rows[0].Name > "list-1" })
}

func TestStoreLeavesNothingBehind(t *testing.T) {
	api := newFakeAPI(t)
	api.handle(valkeysPath, func(w http.ResponseWriter, _ *http.Request) { send(w, valkeyList("10", "")) }, hang)
	client := api.client(t)
	before := goleak.IgnoreCurrent()
	for range 20 {
		store := client.Watch(t.Context(), Scope{})
		await(t, store, "the list is there", func(s Snapshot) bool { return s.Synced })
		store.Close()
		if _, err := store.Next(t.Context()); err == nil {
			// What was left to hand out may come once.
			if _, err = store.Next(t.Context()); err != ErrClosed { //nolint:errorlint // The very value is promised.
				t.Fatalf("Next after Close: %v", err)
			}
		}
	}
	api.settle(t, before)
}

// Without its kind an object does not exist: rows of a CRD that is gone are not shown as stale, also where nobody told of their end.
func TestStoreForgetsTheRowsOfAKindThatIsGone(t *testing.T) {
	api := newFakeAPI(t)
	var gone atomic.Bool
	end := make(chan struct{})
	missing := func(w http.ResponseWriter) { http.Error(w, "404 page not found", http.StatusNotFound) }
	api.handle(valkeysPath, func(w http.ResponseWriter, _ *http.Request) {
		if gone.Load() {
			missing(w)
			return
		}
		send(w, valkeyList("10", "", object("a", "1")))
	}, func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			missing(w)
			return
		}
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		select {
		case <-end:
		case <-r.Context().Done():
		}
	})
	store := api.client(t).Watch(t.Context(), Scope{})
	defer store.Close()
	await(t, store, "the row is there", func(s Snapshot) bool { return s.Synced && len(s.Rows) == 1 })
	gone.Store(true)
	close(end)
	snapshot := await(t, store, "it is told", func(s Snapshot) bool { return s.Err != nil })
	if snapshot.Err.Class != ClassNoCRD || len(snapshot.Rows) != 0 || snapshot.Stale {
		t.Errorf("class %d, %d rows, stale %t: %v", snapshot.Err.Class, len(snapshot.Rows), snapshot.Stale, snapshot.Err)
	}
	gone.Store(false)
	store.Retry()
	await(t, store, "the kind is there again", func(s Snapshot) bool { return s.Err == nil && s.Synced && len(s.Rows) == 1 })
}
