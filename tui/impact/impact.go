// Package impact says in words what a change of a Valkey does to its servers and its data: what restarts, what grows, what is lost. It is
// pure. A test holds it against what the operator builds of each field.
package impact

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
)

// Weight is how much an effect matters.
type Weight int

// Weights, the lightest first.
const (
	Calm    Weight = iota // nobody notices
	Notable               // servers come, go or restart
	Danger                // data is lost, or everything is away
)

// Effect is one thing that a change does.
type Effect struct {
	Weight Weight
	Text   string
	// DeletesClaims says that claims go, and what is on them.
	DeletesClaims bool
}

// Of says what becomes of the servers and the data when before becomes after. Both are as the server has them, with its defaults; before is nil
// for a new Valkey.
func Of(before, after *v1alpha1.Valkey) []Effect {
	if before == nil {
		return ofNew(after)
	}
	c := change{before: before, after: after, from: before.WantedReplicas(), to: after.WantedReplicas()}
	c.replicas()
	c.roll()
	c.claims()
	c.access()
	c.rest()
	slices.SortStableFunc(c.effects, func(a, b Effect) int { return cmp.Compare(b.Weight, a.Weight) })
	return c.effects
}

// OfScale says what becomes of the servers and their claims where only their number changes, of a Valkey of which no more is known than its
// name and its volume.
func OfScale(name string, from, to int, volume v1alpha1.VolumeSpec) []Effect {
	v := &v1alpha1.Valkey{}
	v.Name, v.Spec.Volume = name, volume
	c := change{before: v, after: v, from: from, to: to}
	c.replicas()
	return c.effects
}

// change collects the effects of one.
type change struct {
	before, after *v1alpha1.Valkey
	from, to      int
	effects       []Effect
}

func (c *change) add(w Weight, text string) {
	c.effects = append(c.effects, Effect{Weight: w, Text: clean.Text(text)})
}

func ofNew(v *v1alpha1.Valkey) []Effect {
	c := change{after: v, to: v.WantedReplicas()}
	switch c.to {
	case 0:
		c.add(Calm, "makes it stopped: no server runs until it is started")
	case 1:
		c.add(Calm, "starts 1 server, alone")
	default:
		c.add(Calm, "starts "+strconv.Itoa(c.to)+" servers: one primary and "+count(c.to-1, "replica")+" of it")
	}
	switch {
	case !v.Spec.Volume.Enabled:
		c.add(Notable, "keeps no data: without a volume what a server holds is lost when its pod ends")
	case c.to > 0:
		c.add(Calm, "makes "+count(c.to, "claim")+" of "+v.VolumeSize()+each(c.to))
	}
	return c.effects
}

// replicas are servers that come and go, and what becomes of their claims.
func (c *change) replicas() {
	hasVolume := c.after.Spec.Volume.Enabled
	switch {
	case c.to == c.from:
	case c.to == 0 && hasVolume:
		c.add(Notable, "stops "+all(c.from)+": nothing is served; the data is kept on the claims")
	case c.to == 0:
		c.add(Danger, "stops "+all(c.from)+": without a volume all data is lost")
	case c.from == 0 && hasVolume:
		c.add(Notable, "starts "+count(c.to, "server")+" with the data of the claims, as far as there are")
	case c.from == 0:
		c.add(Notable, "starts "+count(c.to, "server")+", empty")
	case c.to > c.from:
		c.add(Notable, "adds "+c.nodes(c.from, c.to)+": each copies the data of the primary")
		if c.from == 1 {
			c.add(Calm, "from now on the server does not become primary by itself when it restarts: the operator decides")
		}
	default:
		c.add(Notable, "removes "+c.nodes(c.to, c.from)+c.handover())
		c.removedClaims()
	}
}

// all are all of so many servers.
func all(n int) string {
	if n == 1 {
		return "the server"
	}
	return "all " + count(n, "server")
}

// handover says that the primary is among those that go.
func (c *change) handover() string {
	for i := c.to; i < c.from; i++ {
		if c.before.Status.Primary == c.before.NodeName(i) {
			return ", the primary among them: it hands over first, and no write is lost"
		}
	}
	return ""
}

func (c *change) removedClaims() {
	switch gone := c.nodes(c.to, c.from); {
	case !c.after.Spec.Volume.Enabled:
	case c.after.Spec.Volume.Reclaim == v1alpha1.ReclaimRetain:
		c.add(Calm, "keeps "+plural(c.from-c.to, "claim")+" "+gone)
	default:
		c.add(Notable, "deletes "+plural(c.from-c.to, "claim")+" "+gone+": the other nodes have the data")
		c.effects[len(c.effects)-1].DeletesClaims = true
	}
}

// roll is what only a new pod brings in.
func (c *change) roll() {
	fields := rolled(c.before, c.after)
	rolling := min(c.from, c.to)
	if len(fields) == 0 {
		return
	}
	why := " (" + strings.Join(fields, ", ") + ")"
	switch {
	case rolling == 0:
		c.add(Calm, "is in force from the next start on"+why)
	case rolling > 1:
		c.add(Notable, "rolls "+strconv.Itoa(rolling)+" nodes, replicas first, each in sync before the next, the primary last after it has handed over"+why)
	case c.after.Spec.Volume.Enabled:
		c.add(Notable, "restarts the one server: it is away until it is back, the data is kept"+why)
	default:
		c.add(Danger, "restarts the one server: without a volume all data is lost"+why)
	}
}

// rolled names the fields that stand in the pods' template and differ.
func rolled(a, b *v1alpha1.Valkey) []string {
	var fields []string
	for _, f := range []struct {
		name string
		same bool
	}{
		{"image", a.Spec.Image == b.Spec.Image},
		{"imagePullPolicy", a.Spec.ImagePullPolicy == b.Spec.ImagePullPolicy},
		{"memory", isEqual(a.Spec.Resource.Memory, b.Spec.Resource.Memory)},
		{"cpu", isEqual(a.Spec.Resource.CPU, b.Spec.Resource.CPU)},
		{"ephemeral storage", isEqual(a.Spec.Resource.Storage, b.Spec.Resource.Storage)},
		{"config", maps.Equal(a.Spec.Config, b.Spec.Config)},
		{"nodeSelector", maps.Equal(a.Spec.NodeSelector, b.Spec.NodeSelector)},
		{"tolerations", isSame(a.Spec.Tolerations, b.Spec.Tolerations)},
		{"affinity", reflect.DeepEqual(a.Spec.Affinity, b.Spec.Affinity)},
		{"topologySpreadConstraints", isSame(a.Spec.TopologySpreadConstraints, b.Spec.TopologySpreadConstraints)},
		{"priorityClassName", a.Spec.PriorityClassName == b.Spec.PriorityClassName},
		{"a restart is asked for", a.Annotations[v1alpha1.AnnotationRestartedAt] == b.Annotations[v1alpha1.AnnotationRestartedAt]},
	} {
		if !f.same {
			fields = append(fields, f.name)
		}
	}
	return fields
}

// isSame takes an empty list for none.
func isSame[T any](a, b []T) bool { return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b) }

// isEqual compares two quantities as numbers.
func isEqual(a, b string) bool {
	x, errX := resource.ParseQuantity(a)
	y, errY := resource.ParseQuantity(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return x.Cmp(y) == 0
}

// claims are those that stay: they can grow, and be kept or not when their node goes.
func (c *change) claims() {
	if !c.after.Spec.Volume.Enabled {
		return
	}
	if staying := min(c.from, c.to); !isEqual(c.before.VolumeSize(), c.after.VolumeSize()) {
		from, to := c.before.VolumeSize(), c.after.VolumeSize()
		if staying == 0 {
			c.add(Calm, "grows the claims from "+from+" to "+to+" at the next start, where the storage class can")
		} else {
			c.add(Notable, "grows "+count(staying, "claim")+" from "+from+" to "+to+", where the storage class can: a claim never shrinks again")
		}
	}
	if c.before.Spec.Volume.Reclaim != c.after.Spec.Volume.Reclaim {
		if c.after.Spec.Volume.Reclaim == v1alpha1.ReclaimRetain {
			c.add(Calm, "from now on the claim of a node that is removed is kept, also when the Valkey is deleted")
		} else {
			c.add(Notable, "from now on the claim of a node that is removed is deleted, and all of them with the Valkey")
		}
	}
}

// access is who may log in: the servers are told while they run.
func (c *change) access() {
	a, b := c.before.Spec, c.after.Spec
	if a.User != b.User {
		c.add(Notable, "applied live: the user "+b.User+" takes the place of "+a.User+", who cannot log in any more")
	}
	if !reflect.DeepEqual(a.Password, b.Password) || !reflect.DeepEqual(a.PasswordSecretRef, b.PasswordSecretRef) {
		becomes := "changes"
		if b.PasswordSecretRef != nil {
			becomes = "becomes that of the Secret " + b.PasswordSecretRef.Name
		}
		c.add(Notable, "applied live: the password "+becomes+"; applications find it in the Secret "+c.after.SecretName())
	}
}

// rest is what does nothing to the servers.
func (c *change) rest() {
	if to := c.after.Annotations[v1alpha1.AnnotationFailover]; to != "" && to != c.before.Annotations[v1alpha1.AnnotationFailover] {
		c.add(Notable, "asks the primary to hand over to: "+to)
	}
	if len(c.effects) == 0 {
		c.add(Calm, "applied live: nothing happens to the servers")
	}
}

// nodes names some, the ones with the highest index first: they go first.
func (c *change) nodes(from, to int) string {
	var names []string
	for i := to - 1; i >= from; i-- {
		names = append(names, c.after.NodeName(i))
	}
	return strings.Join(names, ", ")
}

func count(n int, word string) string { return strconv.Itoa(n) + " " + plural(n, word) }

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func each(n int) string {
	if n == 1 {
		return ""
	}
	return " each"
}
