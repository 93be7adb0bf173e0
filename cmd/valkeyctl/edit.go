package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/editor"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
)

const editLong = `Edit a Valkey as YAML in the editor of KUBE_EDITOR, VISUAL or EDITOR (else vi).

What the server and the operator write is left out, and a password stands in it as <hidden>: left so, it stays as it is. When the editor
ends, the server checks the text; what it refuses is written above it, and the editor opens again. Then it shows what will change and
what that will do, and asks. Where others have changed the object meanwhile, that is shown, and the change is carried over to the new
version. Nothing that was typed is lost: on an error the file is kept and its path told. An unchanged text changes nothing.`

type editOptions struct{ yes bool }

func (p *program) editCommand() *cobra.Command {
	var o editOptions
	cmd := &cobra.Command{
		Use:               "edit NAME",
		Short:             "Edit a Valkey in your editor, and see first what that will do",
		Long:              editLong,
		Example:           p.example("edit app", "edit app -n shop --yes") + "\n  KUBE_EDITOR='code --wait' " + p.name + " edit app",
		Args:              oneName,
		ValidArgsFunction: p.completeNames(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.edit(cmd.Context(), args[0], o)
		},
	}
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "do not ask before it is applied")
	return cmd
}

// editing is one edit of one Valkey, from the first look to the last word.
type editing struct {
	p       *program
	client  *kube.Client
	base    *unstructured.Unstructured
	dir     string
	path    string
	env     []string
	answers *bufio.Reader // nil: nobody is asked
	last    string        // the text that was refused last, or the first one
	refused *kube.Problem // why
}

func (p *program) edit(ctx context.Context, name string, o editOptions) error {
	client, err := p.client()
	if err != nil {
		return err
	}
	live, err := client.Live(ctx, kube.Ref{Namespace: client.Namespace(), Name: name})
	if err != nil {
		return err
	}
	text, err := manifest.Edit(live)
	if err != nil {
		return err
	}
	e := &editing{p: p, client: client, base: live, last: text}
	if e.dir, err = editor.Dir(); err != nil {
		return err
	}
	if e.path, err = editor.Write(e.dir, name+".yaml", text); err != nil {
		return err
	}
	if e.env, err = client.ChildEnv(e.dir, client.Namespace()); err != nil {
		return err
	}
	if !o.yes && isTerminal(p.In) {
		e.answers = bufio.NewReader(p.In)
	}
	done, err := e.run(ctx)
	if err != nil && e.isEdited(text) {
		return kept(err, e.path)
	}
	editor.Remove(e.dir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Out, "%s %s\n", objectName(name, ""), done)
	return err
}

// isEdited says whether the file holds anything that is to be kept: another text than the first one, or one that cannot be read back.
func (e *editing) isEdited(first string) bool {
	text, err := editor.Read(e.path)
	return err != nil || manifest.Body(text) != manifest.Body(first)
}

// kept says where the text is that could not be applied.
func kept(err error, path string) error {
	named := *kube.Explain(err)
	if named.Hint != "" {
		named.Hint += "; "
	}
	named.Hint += "what was edited is kept in " + path
	return &named
}

// run edits until the text is applied, or given up.
func (e *editing) run(ctx context.Context) (done string, err error) {
	for {
		text, err := e.open(ctx)
		if err != nil {
			return "", err
		}
		switch {
		case strings.TrimSpace(manifest.Body(text)) == "":
			return "unchanged: the text was empty", nil
		case manifest.Body(text) == manifest.Body(e.last) && e.refused != nil:
			return "", e.refused // not a word was changed since it was refused: that is a person who gives up
		case manifest.Body(text) == manifest.Body(e.last):
			return "unchanged", nil
		}
		wanted, err := manifest.ReadEdited(text, e.base)
		if err != nil {
			if err := e.again(text, &kube.Problem{Class: kube.ClassInvalid, Message: clean.Text(err.Error())}); err != nil {
				return "", err
			}
			continue
		}
		done, err := e.propose(ctx, kube.Proposal{Base: e.base, Wanted: wanted})
		problem := kube.Explain(err)
		switch {
		case problem == nil && done != "":
			return done, nil
		case problem != nil && problem.Class != kube.ClassInvalid:
			return "", err
		}
		if err := e.again(text, problem); err != nil {
			return "", err
		}
	}
}

func (e *editing) open(ctx context.Context) (string, error) {
	cmd := editor.Command(e.path, e.env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.p.In, e.p.Out, e.p.ErrOut
	if err := cmd.Start(); err != nil {
		return "", &kube.Problem{Class: kube.ClassFailed, Message: "the editor does not start: " + err.Error(), Hint: "set KUBE_EDITOR or EDITOR"}
	}
	if err := cmd.Wait(); err != nil {
		return "", &kube.Problem{Class: kube.ClassFailed, Message: "the editor ended with an error (" + err.Error() + ")", Hint: "set KUBE_EDITOR or EDITOR"}
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	text, err := editor.Read(e.path)
	if err != nil {
		return "", &kube.Problem{Class: kube.ClassFailed, Message: clean.Text(err.Error())}
	}
	return text, nil
}

// again writes what is wrong above the text, with the lines counted as they stand then. Without a problem the user only wants to go on writing.
func (e *editing) again(text string, problem *kube.Problem) error {
	name := e.base.GetNamespace() + "/" + e.base.GetName()
	e.last, e.refused = "", nil
	next := manifest.Annotate(text, name)
	if problem != nil {
		moved := *problem
		next, moved.Message = manifest.Refused(text, name, problem.Error())
		moved.Hint = ""
		e.last, e.refused = text, &moved
	}
	_, err := editor.Write(e.dir, e.path, next)
	return err
}

// propose shows what the change does, asks, and makes it. An empty done without an error is the wish to edit again.
func (e *editing) propose(ctx context.Context, proposal kube.Proposal) (done string, err error) {
	for {
		review, err := e.client.Review(ctx, proposal)
		if err != nil {
			return "", err
		}
		for _, warning := range review.Warnings {
			_, _ = fmt.Fprintf(e.p.ErrOut, "warning: %s\n", warning)
		}
		for _, change := range review.Meanwhile {
			_, _ = fmt.Fprintf(e.p.ErrOut, "changed by others meanwhile: %s\n", change)
		}
		if len(manifest.Changes(review.Proposal.Base, review.Result)) == 0 {
			return "unchanged", nil
		}
		if err := e.p.printChange(e.p.ErrOut, review.Proposal.Base, review.Result); err != nil {
			return "", err
		}
		switch answer, err := e.ask(); {
		case err != nil:
			return "", err
		case answer == 'e':
			return "", nil
		case answer != 'y':
			return "", &kube.Problem{Class: kube.ClassFailed, Message: "not applied"}
		}
		_, err = e.client.Commit(ctx, review.Proposal)
		if err == nil {
			return "edited", nil
		}
		if !kube.IsClass(err, kube.ClassConflict) {
			return "", err
		}
		proposal = review.Proposal // changed once more: look again. Another object of that name ends in the review.
	}
}

// ask wants to know whether to apply it: y, n, or e to edit again.
func (e *editing) ask() (answer byte, err error) {
	if e.answers == nil {
		return 'y', nil
	}
	return ask(e.p.ErrOut, e.answers, "Apply it? y: yes, e: edit again, n: no ", "yes", "edit", "no")
}
