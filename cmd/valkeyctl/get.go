package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/printers"

	"kuberly.io/valkey-operator/tui/kube"
)

type getOptions struct {
	allNamespaces, watch, noHeaders, showPassword bool
	selector, output                              string
	names                                         []string
}

func (p *program) getCommand() *cobra.Command {
	var o getOptions
	cmd := &cobra.Command{
		Use:   "get [NAME...]",
		Short: "Print Valkeys as a table, or as yaml, json or names",
		Long: `Print Valkeys, as kubectl prints them.

In yaml and json a password that stands in the object is hidden, in such a way that what was printed cannot be applied by mistake;
--show-password prints it.`,
		Example:           p.example("get", "get -A -w", "get app -o yaml", "get -l team=shop -o name"),
		Args:              nameArgs(0),
		ValidArgsFunction: p.completeNames(true),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.names = args
			return p.get(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, "the Valkeys of all namespaces")
	flags.BoolVarP(&o.watch, "watch", "w", false, "go on and print what changes")
	flags.StringVarP(&o.selector, "selector", "l", "", "only those with these labels, e.g. team=shop")
	flags.BoolVar(&o.noHeaders, "no-headers", false, "print no line of headers")
	flags.BoolVar(&o.showPassword, "show-password", false, "print the password, too (yaml, json)")
	addOutput(cmd, &o.output, "wide", "yaml", "json", "name")
	return cmd
}

func (p *program) get(ctx context.Context, o getOptions) error {
	if _, err := labels.Parse(o.selector); err != nil {
		return kube.Usage("--selector: "+err.Error(), "")
	}
	switch {
	case len(o.names) > 0 && o.allNamespaces:
		return kube.Usage("a name goes with one namespace, not with --all-namespaces", "")
	case len(o.names) > 0 && o.selector != "":
		return kube.Usage("give names or --selector, not both", "")
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	scope := kube.Scope{Namespace: client.Namespace(), LabelSelector: o.selector}
	if o.allNamespaces {
		scope.Namespace = ""
	}
	if o.watch {
		return p.watchValkeys(ctx, client, scope, o)
	}
	switch o.output {
	case "yaml", "json":
		return p.getData(ctx, client, scope, o)
	default:
		return p.getTable(ctx, client, scope, o)
	}
}

// getTable prints what is there also where some of the names are not.
func (p *program) getTable(ctx context.Context, client *kube.Client, scope kube.Scope, o getOptions) error {
	table, err := client.Table(ctx, scope, o.names...)
	if table == nil {
		return err
	}
	if len(table.Rows) == 0 && err == nil {
		where := "in namespace " + scope.Namespace
		if scope.Namespace == "" {
			where = "in any namespace"
		}
		_, err := fmt.Fprintf(p.ErrOut, "no Valkeys %s\n", where)
		return err
	}
	if o.output == "name" {
		if printErr := p.printNames(table); printErr != nil {
			return printErr
		}
		return err
	}
	if printErr := o.printer().PrintObj(table, p.Out); printErr != nil {
		return printErr
	}
	return err
}

func (o *getOptions) printer() printers.ResourcePrinter {
	return printers.NewTablePrinter(printers.PrintOptions{Wide: o.output == "wide", WithNamespace: o.allNamespaces, NoHeaders: o.noHeaders})
}

func (p *program) printNames(table *metav1.Table) error {
	for i := range table.Rows {
		name, _ := table.Rows[i].Cells[0].(string)
		if _, err := fmt.Fprintln(p.Out, objectName(name, "name")); err != nil {
			return err
		}
	}
	return nil
}

// getData prints one object as itself, several as a list.
func (p *program) getData(ctx context.Context, client *kube.Client, scope kube.Scope, o getOptions) error {
	items := []any{}
	var missing error
	if len(o.names) == 0 {
		list, err := client.Objects(ctx, scope, o.showPassword)
		if err != nil {
			return err
		}
		for i := range list.Items {
			items = append(items, list.Items[i].Object)
		}
	} else {
		missing = forEach(o.names, func(name string) error {
			object, err := client.Object(ctx, kube.Ref{Namespace: scope.Namespace, Name: name}, o.showPassword)
			if err == nil {
				items = append(items, object.Object)
			}
			return err
		})
		if len(o.names) == 1 {
			if missing != nil {
				return missing
			}
			return p.printData(items[0], o.output)
		}
	}
	list := map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}, "items": items}
	if err := p.printData(list, o.output); err != nil {
		return err
	}
	return missing
}

// watchValkeys prints the list and then every row that changes, with the columns as wide as they were. An outage is told and waited out.
func (p *program) watchValkeys(ctx context.Context, client *kube.Client, scope kube.Scope, o getOptions) error {
	store := client.Watch(ctx, scope)
	defer store.Close()
	w := &rowWriter{p: p, client: client, o: o, printer: o.printer(), table: printers.GetNewTabWriter(p.Out), seen: map[string]*kube.Row{}}
	told := ""
	synced := false
	for {
		snapshot, err := store.Next(ctx)
		if err != nil {
			return err
		}
		synced = synced || snapshot.Synced
		switch {
		case snapshot.Err == nil:
			told = ""
		case !synced:
			return snapshot.Err
		case snapshot.Err.Message != told:
			told = snapshot.Err.Message
			line(p.ErrOut, p.errorName(), snapshot.Err)
		}
		if !snapshot.Synced {
			continue
		}
		if err := w.write(ctx, snapshot); err != nil {
			return err
		}
	}
}

// rowWriter prints the rows that differ from what it printed last.
type rowWriter struct {
	p       *program
	client  *kube.Client
	o       getOptions
	printer printers.ResourcePrinter
	table   flushWriter
	seen    map[string]*kube.Row
}

// flushWriter is a tab writer.
type flushWriter interface {
	io.Writer
	Flush() error
}

func (w *rowWriter) write(ctx context.Context, snapshot kube.Snapshot) error {
	present := make(map[string]*kube.Row, len(snapshot.Rows))
	var changed []*kube.Row
	for _, row := range snapshot.Rows {
		if !w.wants(row) {
			continue
		}
		key := string(row.UID)
		present[key] = row
		// A row whose dates have moved on is no change.
		if old := w.seen[key]; old == nil || old.ResourceVersion != row.ResourceVersion {
			changed = append(changed, row)
		}
	}
	// A Valkey that is gone is printed once more, as kubectl does.
	var gone []*kube.Row
	for key, row := range w.seen {
		if present[key] == nil {
			gone = append(gone, row)
		}
	}
	w.seen = present
	return w.print(ctx, snapshot.Columns, changed, gone)
}

func (w *rowWriter) wants(row *kube.Row) bool {
	if len(w.o.names) == 0 {
		return true
	}
	for _, name := range w.o.names {
		if name == row.Name {
			return true
		}
	}
	return false
}

func (w *rowWriter) print(ctx context.Context, columns []kube.Column, changed, gone []*kube.Row) error {
	rows := slices.Concat(changed, gone)
	switch {
	case len(rows) == 0:
		return nil
	case w.o.output == "name":
		return w.p.printNames(kube.TableOf(columns, rows))
	case w.o.output == "yaml" || w.o.output == "json":
		return w.printData(ctx, changed)
	}
	if err := w.printer.PrintObj(kube.TableOf(columns, rows), w.table); err != nil {
		return err
	}
	return w.table.Flush()
}

// printData reads each object that changed: a row holds only what a table shows.
func (w *rowWriter) printData(ctx context.Context, rows []*kube.Row) error {
	for _, row := range rows {
		object, err := w.client.Object(ctx, row.Ref(), w.o.showPassword)
		if kube.IsClass(err, kube.ClassNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if w.o.output == "yaml" {
			if _, err := fmt.Fprintln(w.p.Out, "---"); err != nil {
				return err
			}
		}
		if err := w.p.printData(object.Object, w.o.output); err != nil {
			return err
		}
	}
	return nil
}
