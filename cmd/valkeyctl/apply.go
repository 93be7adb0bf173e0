package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
)

const applyLong = `Apply manifests of Valkeys: create those that are not there, and bring the others to what the manifest says. What a manifest does not speak
about stays as it is (server-side apply), so that a number of servers that was scaled to outlives an apply of a manifest without replicas.

The file holds one or several documents in YAML or JSON, lists included. Anything in it that is no Valkey is refused, and then nothing is
applied. "valkeyctl diff" shows first what an apply would change and do.

Before a change is made, what it does is told on standard error: which servers restart, which go, which claims grow or are deleted. Where data is
lost or a claim deleted it asks on a terminal, unless --yes answers; without a terminal it goes on, as kubectl does.

A password that stands as <hidden> in what "valkeyctl get -o yaml" printed stays as it is.

For each Valkey it prints created, configured or unchanged. One that is refused does not keep the others from it.`

type applyOptions struct {
	files          []string
	force, yes     bool
	dryRun, output string
}

func (p *program) applyCommand() *cobra.Command {
	var o applyOptions
	cmd := &cobra.Command{
		Use:   "apply -f FILE",
		Short: "Apply manifests of Valkeys",
		Long:  applyLong,
		Example: p.example("apply -f app.yaml", "apply -f app.yaml --dry-run=server", "apply -f a.yaml -f b.yaml -n shop", "get app -o yaml | "+p.name+" apply -f -",
			"apply -f app.yaml -o name"),
		Args: filesArgs(&o.files),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.apply(cmd.Context(), o) },
	}
	addFiles(cmd, &o.files)
	cmd.Flags().BoolVar(&o.force, "force-conflicts", false, "take over fields that another program or person has set")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "do not ask where data is lost or a claim deleted")
	addDryRun(cmd, &o.dryRun)
	addOutput(cmd, &o.output, "yaml", "json", "name")
	return cmd
}

// addFiles adds -f, which filesArgs requires.
func addFiles(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringArrayVarP(files, "filename", "f", nil, "`file` with manifests; - is standard input; may be repeated")
	if err := cmd.MarkFlagFilename("filename", "yaml", "yml", "json"); err != nil {
		panic(err) // It was just added.
	}
}

func (p *program) apply(ctx context.Context, o applyOptions) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	objects, err := p.readManifests(o.files, client.Namespace())
	if err != nil {
		return err
	}
	a := &applying{program: p, client: client, o: o, many: len(objects) > 1}
	if !o.yes && isTerminal(p.In) {
		a.answers = bufio.NewReader(p.In)
	}
	return forEachManifest(objects, func(object *unstructured.Unstructured) error {
		if o.dryRun == dryRunClient {
			return p.printDryApply(object, o.output)
		}
		return a.one(ctx, object)
	})
}

// applying is one run of apply.
type applying struct {
	*program
	client  *kube.Client
	o       applyOptions
	many    bool          // several manifests, so that a line names its Valkey
	answers *bufio.Reader // nil: nobody is asked
}

// one has the server check a manifest, tells what it does, and makes it true.
func (a *applying) one(ctx context.Context, object *unstructured.Unstructured) error {
	options := kube.ApplyOptions{DryRun: true, Force: a.o.force}
	result, err := a.client.Apply(ctx, object, options)
	if err != nil {
		return err
	}
	if err := a.announce(result); err != nil {
		return err
	}
	if a.o.dryRun == dryRunNone {
		options.DryRun = false
		if result, err = a.client.Apply(ctx, object, options); err != nil {
			return err
		}
	}
	return a.printApplied(result, a.o)
}

// announce tells what a change will do, and asks where that cannot be undone.
func (a *applying) announce(result kube.ApplyResult) error {
	if result.IsUnchanged() {
		return nil
	}
	effects, err := effectsOf(result.Before, result.After)
	if err != nil {
		return err
	}
	name := ""
	if a.many {
		name = objectName(result.After.GetName(), "") + ":"
	}
	if err := a.tellEffects(name, effects); err != nil {
		return err
	}
	if a.answers == nil || a.o.dryRun != dryRunNone || !loses(effects) {
		return nil
	}
	switch answer, err := ask(a.ErrOut, a.answers, "Apply it? y: yes, n: no ", "yes", "no"); {
	case err != nil:
		return err
	case answer != 'y':
		return &kube.Problem{Class: kube.ClassFailed, Message: fmt.Sprintf("valkey %q is not applied", result.After.GetName())}
	}
	return nil
}

// printDryApply checks a manifest by the schema that this program was built with, and asks nobody.
func (p *program) printDryApply(object *unstructured.Unstructured, output string) error {
	spec, _ := object.Object["spec"].(map[string]any) // a manifest without one was refused
	if problems := kube.BuiltinSchema().Check(spec); len(problems) > 0 {
		first := problems[0]
		return &kube.Problem{Class: kube.ClassInvalid, Message: fmt.Sprintf("%s: %s %s", objectName(object.GetName(), ""), first.Path, first.Message)}
	}
	return p.printManifest(object, output, "applied"+dryRunNote(dryRunClient))
}

func (p *program) printApplied(result kube.ApplyResult, o applyOptions) error {
	for _, warning := range result.Warnings {
		_, _ = fmt.Fprintf(p.ErrOut, "warning: %s\n", warning)
	}
	done := "configured"
	switch {
	case result.IsCreated():
		done = "created"
	case result.IsUnchanged():
		done = "unchanged"
	}
	return p.printManifest(result.After, o.output, done+dryRunNote(o.dryRun))
}

// printManifest prints an object with its password hidden, or its name and what was done to it.
func (p *program) printManifest(object *unstructured.Unstructured, output, done string) error {
	switch output {
	case "":
		_, err := fmt.Fprintf(p.Out, "%s %s\n", objectName(object.GetName(), output), done)
		return err
	case "name":
		_, err := fmt.Fprintln(p.Out, objectName(object.GetName(), output))
		return err
	default:
		shown := object.DeepCopy()
		kube.Tidy(shown, false)
		return p.printData(shown.Object, output)
	}
}

// forEachManifest goes on after an error, and names the object that it is about, and for one of the manifest itself its file.
func forEachManifest(manifests []fileManifest, do func(*unstructured.Unstructured) error) error {
	byName := make(map[string]fileManifest, len(manifests))
	names := make([]string, len(manifests))
	for i, m := range manifests {
		names[i] = m.GetNamespace() + "/" + m.GetName()
		byName[names[i]] = m
	}
	return forEach(names, func(name string) error {
		m := byName[name]
		err := do(m.Unstructured)
		if err == nil {
			return nil
		}
		named := *kube.Explain(err)
		if len(manifests) > 1 {
			named.Message = objectName(m.GetName(), "") + ": " + named.Message
		}
		if named.Class == kube.ClassInvalid || named.Class == kube.ClassNameTooLong {
			named.Message = "-f " + clean.Text(m.file) + ": " + named.Message
		}
		return &named
	})
}
