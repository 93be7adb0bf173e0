package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
)

type deleteOptions struct {
	yes, wait, ignoreNotFound bool
	timeout                   time.Duration
	dryRun                    string
}

func (p *program) deleteCommand() *cobra.Command {
	var o deleteOptions
	cmd := &cobra.Command{
		Use:   "delete NAME...",
		Short: "Delete Valkeys, and the data that they do not retain",
		Long: `Delete Valkeys. The volumes go with them, and the data on them, unless the Valkey was made with reclaim Retain.

On a terminal it says what goes and asks for the name. A script says --yes. What was looked at is what is deleted: a Valkey that takes the
name meanwhile is left alone.`,
		Example:           p.example("delete app", "delete app --yes", "delete a b --yes --wait=false"),
		Args:              nameArgs(1),
		ValidArgsFunction: p.completeNames(true),
		RunE:              func(cmd *cobra.Command, args []string) error { return p.delete(cmd.Context(), args, o) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	flags.BoolVar(&o.wait, "wait", true, "wait until it is gone")
	flags.BoolVar(&o.ignoreNotFound, "ignore-not-found", false, "a Valkey that is not there is no error")
	flags.DurationVar(&o.timeout, "timeout", 5*time.Minute, "how long to wait, for each")
	addDryRun(cmd, &o.dryRun)
	return cmd
}

func (p *program) delete(ctx context.Context, names []string, o deleteOptions) error {
	if !o.yes && o.dryRun == dryRunNone && !isTerminal(p.In) {
		return kube.Usage("delete asks before it deletes, and there is no terminal to ask on", "pass --yes")
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	answers := bufio.NewReader(p.In)
	return forEach(names, func(name string) error {
		err := p.deleteOne(ctx, client, name, o, answers)
		if o.ignoreNotFound && kube.IsClass(err, kube.ClassNotFound) {
			return nil
		}
		return err
	})
}

// deleteOne holds on to the object that was looked at: its UID is the condition of the deletion.
func (p *program) deleteOne(ctx context.Context, client *kube.Client, name string, o deleteOptions, answers *bufio.Reader) error {
	v, err := client.Get(ctx, client.Namespace(), name)
	if err != nil {
		return err
	}
	if !o.yes && o.dryRun == dryRunNone {
		if err := p.confirm(ctx, client, v, answers); err != nil {
			return err
		}
	}
	if o.dryRun != dryRunClient {
		if err := client.Delete(ctx, refOf(v), kube.DeleteOptions{DryRun: o.dryRun == dryRunServer}); err != nil {
			return err
		}
	}
	if o.wait && o.dryRun == dryRunNone {
		waiting, cancel := context.WithTimeout(ctx, o.timeout)
		defer cancel()
		if err := client.WaitGone(waiting, refOf(v)); err != nil {
			if kube.IsClass(err, kube.ClassTimeout) {
				return stillThere(v)
			}
			return err
		}
	}
	_, err = fmt.Fprintf(p.Out, "%s deleted%s\n", objectName(name, ""), dryRunNote(o.dryRun))
	return err
}

func stillThere(v *v1alpha1.Valkey) error {
	return &kube.Problem{
		Class:   kube.ClassTimeout,
		Message: fmt.Sprintf("valkey %q is being deleted but not gone yet", v.Name),
		Hint:    "is the operator running? It removes what belongs to the Valkey before it lets go of it",
	}
}

// confirm tells what goes and wants the name typed.
func (p *program) confirm(ctx context.Context, client *kube.Client, v *v1alpha1.Valkey, answers *bufio.Reader) error {
	children, missing, err := client.Children(ctx, refOf(v))
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Deletes valkey %s in namespace %s, and with it:\n", clean.Text(v.Name), clean.Text(v.Namespace))
	for _, child := range children {
		what := ""
		switch {
		case child.Kept:
			what = " stays, with its data"
		case child.Kind == "PersistentVolumeClaim":
			what = " and its data"
		}
		if child.Detail != "" {
			what = " (" + child.Detail + ")" + what
		}
		fmt.Fprintf(&text, "  %s %s%s\n", child.Kind, child.Name, what)
	}
	for _, kind := range missing {
		fmt.Fprintf(&text, "  and what there is of %s: you may not list them\n", kind)
	}
	fmt.Fprint(&text, "Type its name to delete it: ")
	if _, err := io.WriteString(p.ErrOut, text.String()); err != nil {
		return err
	}
	answer, err := answers.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(answer) != v.Name {
		return &kube.Problem{Class: kube.ClassUsage, Message: fmt.Sprintf("valkey %q is not deleted: its name was not typed", v.Name)}
	}
	return nil
}
