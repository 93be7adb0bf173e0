package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen/roster"
	"kuberly.io/valkey-operator/tui/server"
)

const (
	// topEvery is the time between two tables of -w.
	topEvery = 2 * time.Second
	// topWait is how long the servers of one Valkey have to answer.
	topWait = 12 * time.Second
	// topLanes is how many Valkeys are looked at at a time.
	topLanes = 8
)

type topOptions struct {
	allNamespaces, watch, noHeaders bool
	output                          string
	names                           []string
}

func (p *program) topCommand() *cobra.Command {
	var o topOptions
	cmd := &cobra.Command{
		Use:   "top [NAME...]",
		Short: "Print what the servers of Valkeys do now: role, memory, operations, clients, lag",
		Long: `Print what Valkeys do now, one line for each, or with names one line for each of their servers.

The servers are asked as the user that may only look, through the API server: that takes the rights to get the Secret NAME-observer and to
create pods/portforward. What cannot be asked is shown as far as the cluster knows it, and told on standard error; the exit code is 1 then.
Of a Valkey that is stopped there is nobody to ask.

With -w it goes on: on a terminal each table takes the place of the last one, elsewhere a line with the time stands above each. The first one
leaves out the operations: what a server counts then are those of the questions themselves. A cluster that cannot be reached is told once, and
waited for.`,
		Example:           p.example("top", "top -A", "top app", "top app -w", "top app -o json"),
		Args:              nameArgs(0),
		ValidArgsFunction: p.completeNames(true),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.names = args
			return p.top(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, "the Valkeys of all namespaces")
	flags.BoolVarP(&o.watch, "watch", "w", false, "go on and print it again every two seconds")
	flags.BoolVar(&o.noHeaders, "no-headers", false, "print no line of headers")
	addOutput(cmd, &o.output, "json")
	return cmd
}

func (p *program) top(ctx context.Context, o topOptions) error {
	if len(o.names) > 0 && o.allNamespaces {
		return kube.Usage("a name goes with one namespace, not with --all-namespaces", "")
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	t := &topper{client: client, o: o, every: topEvery, observers: map[kube.Ref]*server.Observer{}}
	defer t.close()
	if o.watch {
		return p.topAgain(ctx, t)
	}
	all, errs, err := p.topOnce(ctx, t)
	if err != nil {
		return err
	}
	if errs = append(errs, missingOf(all)...); len(errs) > 0 {
		return &manyErrors{errs: errs}
	}
	return nil
}

// topOnce prints one table of what there is, and returns what went wrong with others.
func (p *program) topOnce(ctx context.Context, t *topper) (all []*topped, errs []error, err error) {
	all, errs, err = t.look(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, nil, err
	case len(all) > 0 || len(errs) == 0:
		err = p.printTop(t, all)
	}
	return all, errs, err
}

// topAgain prints a table over and over. What is missing is told once, not with every table; an outage, too, and waited out unless there was no
// table before it.
func (p *program) topAgain(ctx context.Context, t *topper) error {
	told := map[string]bool{}
	looked, outage := false, ""
	for ; ; looked, t.again = true, true {
		if isTerminal(p.Out) {
			clear(told) // the next table wipes what is told under this one
		}
		all, errs, err := p.topOnce(ctx, t)
		switch problem := outageOf(all, errs, err); {
		case problem == nil && err != nil:
			return err
		case problem != nil && !looked, isGone(all, errs):
			return cmp.Or(err, error(&manyErrors{errs: errs}))
		case problem != nil:
			if outage != problem.Message {
				outage = problem.Message
				line(p.ErrOut, p.errorName(), problem)
			}
		default:
			outage = ""
			for _, err := range append(errs, missingOf(all)...) {
				if !told[err.Error()] {
					told[err.Error()] = true
					line(p.ErrOut, p.errorName(), kube.Explain(err))
				}
			}
		}
		if !waitFor(ctx, t.every) {
			return ctx.Err()
		}
	}
}

// outageOf is why nothing at all is known; nil where something is, or where it is no problem of the cluster.
func outageOf(all []*topped, errs []error, err error) *kube.Problem {
	var p *kube.Problem
	switch {
	case errors.As(err, &p):
		return p
	case err == nil && len(all) == 0 && len(errs) > 0:
		return kube.Explain(errs[0])
	default:
		return nil
	}
}

// isGone says that there is none of those that were named.
func isGone(all []*topped, errs []error) bool {
	return len(all) == 0 && len(errs) > 0 && !slices.ContainsFunc(errs, func(err error) bool { return !kube.IsClass(err, kube.ClassNotFound) })
}

// topped is one Valkey with its servers.
type topped struct {
	valkey *v1alpha1.Valkey
	nodes  []roster.Node
	// pods says why its pods are not known.
	pods error
}

// topper looks at Valkeys, and holds its connections to their servers from one look to the next.
type topper struct {
	client *kube.Client
	o      topOptions
	every  time.Duration
	again  bool // there was a table before

	mu        sync.Mutex
	observers map[kube.Ref]*server.Observer
}

func (t *topper) close() {
	for _, o := range t.observers {
		o.Close()
	}
}

// look takes a look at each, a few at a time. It returns those that there are, also where others are not, and why those are not.
func (t *topper) look(ctx context.Context) (all []*topped, errs []error, err error) {
	refs, err := t.refs(ctx)
	if err != nil {
		return nil, nil, err
	}
	found := make([]*topped, len(refs))
	failed := make([]error, len(refs))
	lanes := make(chan struct{}, topLanes)
	var running sync.WaitGroup
	for i, ref := range refs {
		running.Go(func() {
			lanes <- struct{}{}
			defer func() { <-lanes }()
			found[i], failed[i] = t.one(ctx, ref)
		})
	}
	running.Wait()
	for i := range refs {
		switch {
		case failed[i] == nil:
			all = append(all, found[i])
		case len(t.o.names) > 0 || !kube.IsClass(failed[i], kube.ClassNotFound): // one of a list may be gone by now
			errs = append(errs, failed[i])
		}
	}
	return all, errs, nil
}

func (t *topper) refs(ctx context.Context) ([]kube.Ref, error) {
	var refs []kube.Ref
	for _, name := range t.o.names {
		refs = append(refs, kube.Ref{Namespace: t.client.Namespace(), Name: name})
	}
	if len(refs) > 0 {
		return refs, nil
	}
	scope := kube.Scope{Namespace: t.client.Namespace()}
	if t.o.allNamespaces {
		scope.Namespace = ""
	}
	list, err := t.client.Objects(ctx, scope, false)
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		refs = append(refs, kube.Ref{Namespace: list.Items[i].GetNamespace(), Name: list.Items[i].GetName()})
	}
	return refs, nil
}

func (t *topper) one(ctx context.Context, ref kube.Ref) (*topped, error) {
	v, err := t.client.Get(ctx, ref.Namespace, ref.Name)
	if err != nil {
		return nil, err
	}
	d := kube.Detail{Valkey: v}
	if d.Nodes, err = t.client.Nodes(ctx, ref); err != nil {
		d.PodsProblem = kube.Explain(err)
	}
	ctx, cancel := context.WithTimeout(ctx, topWait)
	defer cancel()
	return &topped{valkey: v, nodes: roster.Of(d, t.observer(ref).Once(ctx, roster.Pods(d))), pods: err}, nil
}

func (t *topper) observer(ref kube.Ref) *server.Observer {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.observers[ref] == nil {
		t.observers[ref] = server.Observe(context.Background(), t.client, ref) // until close
	}
	return t.observers[ref]
}

// missingOf says what is not known, each reason once for a Valkey.
func missingOf(all []*topped) []error {
	var missing []error
	for _, one := range all {
		name := one.valkey.Namespace + "/" + one.valkey.Name
		if one.pods != nil {
			missing = append(missing, fmt.Errorf("%s: its pods are not known: %w", name, one.pods))
		} else if silent := one.silentOf(); len(silent) > 0 {
			missing = append(missing, fmt.Errorf("%s: cannot be asked: %s", name, strings.Join(silent, ", ")))
		}
		for i := range one.nodes {
			n := &one.nodes[i]
			if n.Problem() == "" {
				continue
			}
			if n.Reading.Login {
				missing = append(missing, fmt.Errorf("%s: its servers cannot be asked: %s", name, n.Problem()))
				break
			}
			missing = append(missing, fmt.Errorf("%s: %s cannot be asked: %s", name, n.Name, n.Problem()))
		}
	}
	return missing
}

// silentOf are the servers that are wanted and were not even asked, with why: they have no pod, or it does not run yet.
func (t *topped) silentOf() []string {
	var silent []string
	for i := range t.valkey.WantedReplicas() {
		name := t.valkey.NodeName(i)
		at := slices.IndexFunc(t.nodes, func(n roster.Node) bool { return n.Name == name && !n.Ending })
		switch {
		case at < 0:
			silent = append(silent, name+" (no pod)")
		case t.nodes[at].Reading == nil:
			silent = append(silent, name+" ("+cmp.Or(t.nodes[at].State, t.nodes[at].Message, "no answer in time")+")")
		}
	}
	return silent
}

func (p *program) printTop(t *topper, all []*topped) error {
	o := t.o
	if o.output == "json" {
		list := []topLine{}
		for _, one := range all {
			list = append(list, t.lines(one)...)
		}
		return p.printData(list, o.output)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(p.ErrOut, "no Valkeys")
		return err
	}
	var text strings.Builder
	if o.watch && !o.noHeaders {
		text.WriteString(time.Now().Format(time.TimeOnly) + "\n")
	}
	w := tabwriter.NewWriter(&text, 0, 8, 3, ' ', 0)
	row := func(cells ...string) { _, _ = fmt.Fprintln(w, strings.Join(cells, "\t")) } // a Builder takes everything
	head := []string{"NAME", "PRIMARY", "READY", "MEMORY", "OPS/S", "HITS", "CLIENTS", "LAG"}
	if len(o.names) > 0 {
		head = []string{"NODE", "ROLE", "READY", "MEMORY", "OPS/S", "HITS", "CLIENTS", "LAG"}
	}
	if o.allNamespaces {
		head = append([]string{"NAMESPACE"}, head...)
	}
	if !o.noHeaders {
		row(head...)
	}
	for _, one := range all {
		for _, l := range t.lines(one) {
			cells := l.cells()
			if o.allNamespaces {
				cells = append([]string{clean.Text(one.valkey.Namespace)}, cells...)
			}
			row(cells...)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if o.watch && isTerminal(p.Out) {
		_, err := fmt.Fprint(p.Out, "\x1b[H\x1b[2J"+text.String()) // the table takes the place of the last one
		return err
	}
	_, err := fmt.Fprint(p.Out, text.String())
	return err
}

// lines are those of one Valkey. What a server counts at the first look of a watch is what that look itself has asked.
func (t *topper) lines(one *topped) []topLine {
	lines := one.lines(len(t.o.names) > 0)
	if t.o.watch && !t.again {
		for i := range lines {
			lines[i].OpsPerSecond = nil
		}
	}
	return lines
}

// waitFor waits, and says false where ctx ends first.
func waitFor(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func dashed(known bool, text string) string {
	if !known {
		return "-"
	}
	return text
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
