package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/duration"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
)

func (p *program) describeCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "describe NAME...",
		Short:             "Print all that is known of Valkeys: servers, conditions, volumes, events",
		Example:           p.example("describe app"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(true),
		RunE:              func(cmd *cobra.Command, args []string) error { return p.describe(cmd.Context(), args) },
	}
}

func (p *program) describe(ctx context.Context, names []string) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	first := true
	return forEach(names, func(name string) error {
		d, err := describeOf(ctx, client, name)
		if err != nil {
			return err
		}
		if !first {
			if _, err := fmt.Fprint(p.Out, "\n\n"); err != nil {
				return err
			}
		}
		first = false
		return d.write(p.Out, time.Now())
	})
}

// description is all that is told of one Valkey.
type description struct {
	valkey    *v1alpha1.Valkey
	children  []kube.Child
	events    []kube.Event
	forbidden []string // what could not be read
}

func describeOf(ctx context.Context, client *kube.Client, name string) (*description, error) {
	v, err := client.Get(ctx, client.Namespace(), name)
	if err != nil {
		return nil, err
	}
	d := &description{valkey: v}
	ref := refOf(v)
	if d.children, d.forbidden, err = client.Children(ctx, ref); err != nil {
		return nil, err
	}
	d.events, err = client.Events(ctx, ref)
	if kube.IsClass(err, kube.ClassForbidden) {
		d.forbidden, err = append(d.forbidden, "Event"), nil
	}
	return d, err
}

func (d *description) write(out io.Writer, now time.Time) error {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	v := d.valkey
	field := func(name, value string) {
		if value != "" {
			_, _ = fmt.Fprintf(w, "%s:\t%s\n", name, clean.Text(value))
		}
	}
	field("Name", v.Name)
	field("Namespace", v.Namespace)
	field("Labels", pairs(v.Labels))
	field("Created", v.CreationTimestamp.UTC().Format(time.RFC3339)+" ("+ago(v.CreationTimestamp.Time, now)+")")
	if v.DeletionTimestamp != nil {
		field("Deleting", "since "+ago(v.DeletionTimestamp.Time, now))
	}
	field("Status", string(v.Status.Status))
	field("Error", v.Status.Error)
	field("Servers", fmt.Sprintf("%d of %d ready", v.Status.ReadyReplicas, v.WantedReplicas()))
	field("Primary", v.Status.Primary)
	field("Version", v.Status.Version)
	field("Image", v.Spec.Image)
	field("Address", fmt.Sprintf("%s.%s.svc:%d", v.ServiceName(), v.Namespace, v1alpha1.Port))
	field("User", v.Spec.User)
	field("Password", passwordPlace(v))
	field("CPU", v.Spec.Resource.CPU)
	field("Memory", v.Spec.Resource.Memory)
	field("Volume", volume(v))
	if v.Status.ObservedGeneration != v.Generation {
		field("Note", "the operator has not looked at the latest change yet")
	}
	writeConfig(w, v)
	writeNodes(w, v)
	writeConditions(w, v, now)
	writeChildren(w, d.children)
	writeEvents(w, d.events, now)
	for _, kind := range d.forbidden {
		_, _ = fmt.Fprintf(w, "You may not list objects of kind %s: they are not shown.\n", kind)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	// An empty cell at the end of a row is filled up with spaces.
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// passwordPlace says where the password is, never what it is.
func passwordPlace(v *v1alpha1.Valkey) string {
	if ref := v.Spec.PasswordSecretRef; ref != nil {
		return "in key " + ref.Key + " of Secret " + ref.Name
	}
	return "in spec.password (hidden); also in Secret " + v.SecretName()
}

func volume(v *v1alpha1.Valkey) string {
	if !v.Spec.Volume.Enabled {
		return "none: data is lost when a server's pod goes"
	}
	text := v.VolumeSize()
	if class := v.Spec.Volume.StorageClassName; class != nil {
		text += " of class " + *class
	}
	if v.Spec.Volume.Reclaim == v1alpha1.ReclaimRetain {
		return text + ", kept when its server is removed"
	}
	return text + ", deleted with its server"
}

func writeConfig(w io.Writer, v *v1alpha1.Valkey) {
	if len(v.Spec.Config) == 0 {
		return
	}
	_, _ = fmt.Fprintln(w, "Config:")
	for _, key := range slices.Sorted(maps.Keys(v.Spec.Config)) {
		row(w, key, string(v.Spec.Config[key]))
	}
}

func writeNodes(w io.Writer, v *v1alpha1.Valkey) {
	if len(v.Status.Nodes) == 0 {
		return
	}
	_, _ = fmt.Fprintln(w, "Servers:")
	row(w, "NAME", "ROLE", "READY", "HOST", "POD", "MESSAGE")
	for _, n := range v.Status.Nodes {
		row(w, n.Name, string(n.Role), fmt.Sprint(n.Ready), n.Host, n.Pod, n.Message)
	}
}

func writeConditions(w io.Writer, v *v1alpha1.Valkey, now time.Time) {
	if len(v.Status.Conditions) == 0 {
		return
	}
	_, _ = fmt.Fprintln(w, "Conditions:")
	row(w, "TYPE", "STATUS", "SINCE", "REASON", "MESSAGE")
	for _, c := range v.Status.Conditions {
		row(w, c.Type, string(c.Status), ago(c.LastTransitionTime.Time, now), c.Reason, c.Message)
	}
}

func writeChildren(w io.Writer, children []kube.Child) {
	if len(children) == 0 {
		return
	}
	_, _ = fmt.Fprintln(w, "Objects:")
	for _, c := range children {
		row(w, c.Kind, c.Name, c.Detail)
	}
}

func writeEvents(w io.Writer, events []kube.Event, now time.Time) {
	if len(events) == 0 {
		_, _ = fmt.Fprintln(w, "Events:\tnone")
		return
	}
	_, _ = fmt.Fprintln(w, "Events:")
	row(w, "AGE", "TYPE", "REASON", "OBJECT", "MESSAGE")
	for _, e := range events {
		row(w, eventAge(e, now), e.Type, e.Reason, e.Object, e.Message)
	}
}

// eventAge tells how old an event is, and how often it came.
func eventAge(e kube.Event, now time.Time) string {
	if e.Count > 1 {
		return fmt.Sprintf("%s (x%d over %s)", ago(e.Last, now), e.Count, ago(e.First, now))
	}
	return ago(e.Last, now)
}

// row writes one indented line of a table; cells come from the cluster.
func row(w io.Writer, cells ...string) {
	for i, cell := range cells {
		cells[i] = clean.Text(cell)
	}
	_, _ = fmt.Fprintln(w, "  "+strings.Join(cells, "\t"))
}

func pairs(labels map[string]string) string {
	text := make([]string, 0, len(labels))
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		text = append(text, key+"="+labels[key])
	}
	return strings.Join(text, ", ")
}

func ago(at, now time.Time) string { return duration.HumanDuration(now.Sub(at)) }
