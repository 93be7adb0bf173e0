package controller

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// drift is how an object differs from what is wanted.
type drift struct {
	// changed are the paths of fields that are missing or have another value.
	changed []string
	// extras are entries that others added to lists and maps that are ours as a whole, in an order in which they can be
	// removed one after the other.
	extras []extra
}

// extra is something that is not wanted.
type extra struct {
	// path is a JSON pointer (RFC 6901).
	path string
	// instead is what has to stand there, nil for nothing. Some lists must not be empty even for a moment, and a part
	// that is left out may be filled in again.
	instead any
}

func (d drift) none() bool { return len(d.changed) == 0 && len(d.extras) == 0 }

// within says whether anything below the path has changed.
func (d drift) within(path string) bool {
	return slices.ContainsFunc(d.paths(), func(at string) bool { return strings.HasPrefix(at, path) })
}

func (d drift) paths() []string {
	out := slices.Clone(d.changed)
	for _, e := range d.extras {
		out = append(out, e.path)
	}
	return out
}

// Paths in which an index of a list is written *.
const (
	podPath       = "/spec/template/spec"
	containerPath = podPath + "/containers/*"
)

// ownedMaps are the maps in which nobody else has a say, the API server's defaults included. All lists that we set are
// ours as a whole too.
var ownedMaps = map[string]bool{
	"/data": true, "/spec/strategy": true,
	podPath + "/nodeSelector": true, podPath + "/securityContext": true, podPath + "/volumes/*": true,
	podPath + "/affinity": true, podPath + "/affinity/nodeAffinity": true, podPath + "/affinity/podAffinity": true,
	podPath + "/affinity/podAntiAffinity": true,
	containerPath + "/env/*":              true, containerPath + "/env/*/valueFrom": true,
	containerPath + "/resources/limits": true, containerPath + "/resources/requests": true,
	containerPath + "/securityContext": true, containerPath + "/securityContext/capabilities": true,
}

// uninvited are the fields that must not be there unless we set them: what the spec set before, what would run beside or
// in place of what we run, and the other arms of unions, of which the API server takes one at a time.
var uninvited = map[string][]string{
	"/spec": {"externalIPs", "minAvailable", "maxUnavailable"},
	podPath: {
		"nodeSelector", "tolerations", "topologySpreadConstraints", "priorityClassName",
		"initContainers", "ephemeralContainers", "hostNetwork", "hostPID", "hostIPC", "hostAliases", "nodeName",
	},
	containerPath:                     {"args", "envFrom", "lifecycle", "volumeDevices"},
	containerPath + "/startupProbe":   {"httpGet", "tcpSocket", "grpc"},
	containerPath + "/livenessProbe":  {"httpGet", "tcpSocket", "grpc"},
	containerPath + "/readinessProbe": {"httpGet", "tcpSocket", "grpc"},
}

// compare finds what has to be written to bring have to want. Fields of have that want does not mention are others'
// or the API server's defaults, and are left alone.
func compare(want, have map[string]any) drift {
	var d drift
	d.maps("", want, have)
	return d
}

func (d *drift) maps(path string, want, have map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		w := want[key]
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
	d.mapExtras(path, want, have)
}

// mapExtras finds the keys that are not wanted. They come in their order, so that the same objects give the same answer.
func (d *drift) mapExtras(path string, want, have map[string]any) {
	pattern := patternOf(path)
	for _, key := range slices.Sorted(maps.Keys(have)) {
		_, wanted := want[key]
		switch {
		case wanted || isEmpty(have[key]):
		case pattern == "/spec/selector" || pattern == "/spec/selector/matchLabels":
			// To server-side apply a selector is one value, so one write puts it right. Between two of them it would select
			// what was never meant.
			d.changed = append(d.changed, path+"/"+escape(key))
		case pattern == "/spec/strategy":
			d.extras = append(d.extras, extra{path, want})
			return
		case ownedMaps[pattern] || slices.Contains(uninvited[pattern], key):
			d.extras = append(d.extras, extra{path: path + "/" + escape(key)})
		}
	}
}

// patternOf is a path with each index of a list written *.
func patternOf(path string) string {
	steps := strings.Split(path, "/")
	for i, step := range steps {
		if step != "" && strings.Trim(step, "0123456789") == "" {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
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
	keys := listKeys(want)
	if keys == nil {
		if !reflect.DeepEqual(want, have) {
			d.changed = append(d.changed, at)
		}
		return
	}
	place := map[string]int{}
	for i, entry := range have {
		place[identity(entry, keys)] = i
	}
	for _, entry := range want {
		id := identity(entry, keys)
		i, ok := place[id]
		if !ok {
			d.changed = append(d.changed, at+"/"+id)
			continue
		}
		delete(place, id)
		d.values(fmt.Sprintf("%s/%d", at, i), entry, have[i])
	}
	if strings.HasPrefix(at, "/metadata/") {
		return // owner references and finalizers of others are theirs
	}
	if len(place) == len(have) && len(have) > 0 {
		d.extras = append(d.extras, extra{at, want})
		return
	}
	// From the end, so that the indices before stay true. Their own parts come before, for the same reason.
	for _, i := range slices.Backward(slices.Sorted(maps.Values(place))) {
		d.extras = append(d.extras, extra{path: fmt.Sprintf("%s/%d", at, i)})
	}
}

// listKeys are the fields that tell the entries of a list apart, as server-side apply knows them; nil where the list is
// compared by position.
func listKeys(list []any) []string {
	for _, keys := range [][]string{
		{"mountPath"}, {"uid"}, {"containerPort", "protocol"}, {"port", "protocol"}, {"topologyKey", "whenUnsatisfiable"}, {"name"},
	} {
		if len(list) > 0 && !slices.ContainsFunc(list, func(entry any) bool { return !hasAll(entry, keys) }) {
			return keys
		}
	}
	return nil
}

func hasAll(entry any, keys []string) bool {
	m, ok := entry.(map[string]any)
	return ok && !slices.ContainsFunc(keys, func(key string) bool { _, has := m[key]; return !has })
}

func identity(entry any, keys []string) string {
	m, _ := entry.(map[string]any)
	words := make([]string, 0, len(keys))
	for _, key := range keys {
		words = append(words, fmt.Sprint(m[key]))
	}
	return strings.Join(words, " ")
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
