package controller

import (
	"fmt"
	"reflect"
	"strings"
)

// drift is how an object differs from what is wanted.
type drift struct {
	// changed are the paths of fields that are missing or have another value.
	changed []string
	// extras are JSON pointers to entries that others added to lists and maps that are ours as a whole, in an order in
	// which they can be removed one after the other.
	extras []string
}

func (d drift) none() bool { return len(d.changed) == 0 && len(d.extras) == 0 }

// within says whether anything below the path has changed.
func (d drift) within(path string) bool {
	for _, at := range append(append([]string(nil), d.changed...), d.extras...) {
		if strings.HasPrefix(at, path) {
			return true
		}
	}
	return false
}

// outside says whether anything not below the path has changed.
func (d drift) outside(path string) bool {
	for _, at := range append(append([]string(nil), d.changed...), d.extras...) {
		if !strings.HasPrefix(at, path) {
			return true
		}
	}
	return false
}

// ownedWhole are the maps in which nobody else has a say, and the lists that we want empty. All lists that we set are
// ours as a whole too.
var (
	ownedMaps = map[string]bool{
		"/data": true, "/spec/selector": true, "/spec/template/spec/nodeSelector": true,
		"/spec/strategy": true,
	}
	wantedEmpty = []string{"initContainers", "ephemeralContainers"}
)

// compare finds what has to be written to bring have to want. Fields of have that want does not mention are others'
// or the API server's defaults, and are left alone.
func compare(want, have map[string]any) drift {
	var d drift
	d.maps("", want, have)
	d.uninvited(have)
	return d
}

func (d *drift) maps(path string, want, have map[string]any) {
	for key, w := range want {
		if path == "" && (key == "apiVersion" || key == "kind") {
			continue // objects from the cache carry none
		}
		at := path + "/" + escape(key)
		h, ok := have[key]
		if !ok {
			if !isEmpty(w) {
				d.changed = append(d.changed, at)
			}
			continue
		}
		d.values(at, w, h)
	}
	if !ownedMaps[path] {
		return
	}
	for key := range have {
		if _, ok := want[key]; !ok {
			d.extras = append(d.extras, path+"/"+escape(key))
		}
	}
}

func (d *drift) values(at string, want, have any) {
	switch w := want.(type) {
	case map[string]any:
		if h, ok := have.(map[string]any); ok {
			d.maps(at, w, h)
			return
		}
	case []any:
		if h, ok := have.([]any); ok {
			d.lists(at, w, h)
			return
		}
	default:
		if reflect.DeepEqual(want, have) {
			return
		}
	}
	d.changed = append(d.changed, at)
}

func (d *drift) lists(at string, want, have []any) {
	key := listKey(want)
	if key == "" {
		if len(want) != len(have) {
			d.changed = append(d.changed, at)
			return
		}
		for i := range want {
			d.values(fmt.Sprintf("%s/%d", at, i), want[i], have[i])
		}
		return
	}
	place := map[any]int{}
	for i, entry := range have {
		if m, ok := entry.(map[string]any); ok {
			place[m[key]] = i
		}
	}
	for _, entry := range want {
		w := entry.(map[string]any)
		i, ok := place[w[key]]
		if !ok {
			d.changed = append(d.changed, at+"/"+fmt.Sprint(w[key]))
			continue
		}
		delete(place, w[key])
		d.values(fmt.Sprintf("%s/%d", at, i), w, have[i])
	}
	if strings.HasPrefix(at, "/metadata/") {
		return // owner references and finalizers of others are theirs
	}
	for i := len(have) - 1; i >= 0 && len(place) > 0; i-- { // from the end, so that the indices before stay true
		if m, ok := have[i].(map[string]any); ok {
			if at2, extra := place[m[key]]; extra && at2 == i {
				d.extras = append(d.extras, fmt.Sprintf("%s/%d", at, i))
			}
		}
	}
}

// uninvited finds containers of kinds that we never set.
func (d *drift) uninvited(have map[string]any) {
	pod := have
	for _, step := range []string{"spec", "template", "spec"} {
		next, ok := pod[step].(map[string]any)
		if !ok {
			return
		}
		pod = next
	}
	for _, key := range wantedEmpty {
		if list, ok := pod[key].([]any); ok && len(list) > 0 {
			d.extras = append(d.extras, "/spec/template/spec/"+key)
		}
	}
}

// listKey is the field that tells the entries of a list apart, as server-side apply knows them; empty where the list
// is compared by position.
func listKey(list []any) string {
	for _, key := range []string{"mountPath", "name", "uid"} {
		named := len(list) > 0
		for _, entry := range list {
			m, ok := entry.(map[string]any)
			_, has := m[key]
			named = named && ok && has
		}
		if named {
			return key
		}
	}
	return ""
}

// isEmpty says that a value means the same as its absence.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	default:
		return false
	}
}

// escape makes a key part of a JSON pointer (RFC 6901).
func escape(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
