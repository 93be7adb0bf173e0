package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/resp"
)

type cliOptions struct {
	node, output string
	raw          bool
}

const (
	// cliBytes and cliItems bound one reply: what is longer is no reply for a terminal, nor for a pipe of this program.
	cliBytes = 512 << 20
	cliItems = 10_000_000
	// maxScriptLine is the longest line of commands on standard input.
	maxScriptLine = 64 << 20
)

func (p *program) cliCommand() *cobra.Command {
	var o cliOptions
	cmd := &cobra.Command{
		Use:   "cli NAME [-- COMMAND [ARGUMENT...]]",
		Short: "Give Valkey commands to a server of a Valkey: one, those on standard input, or typed ones",
		Long: `Give Valkey commands to a server of a Valkey, as its own user, through the API server: no port has to be reachable, and
nothing has to be installed. Its password is read from its Secret, and stands in no argument.

With a command behind -- it prints the reply. Without one it reads commands from standard input, one a line as valkey-cli takes them, or
where that is a terminal asks for them: with history, tab for the names of commands, and a question before a dangerous one.

What is given behind -- or on standard input is done at once, FLUSHALL and SHUTDOWN too: only the prompt asks.

Replies are printed as valkey-cli does. An error reply leads to exit code 1.`,
		Example: p.example("cli app -- PING", "cli app -- SET greeting 'hello world'", "cli app --node=app-node-1 -- INFO replication",
			"cli app -o json -- HGETALL user:1", "cli app < commands.txt", "cli app"),
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at > 1 || at < 0 && len(args) > 1 {
				return kube.Usage("a command stands behind --, after one name", fmt.Sprintf("e.g. `%s app -- PING`", cmd.CommandPath()))
			}
			return nameArgs(1)(cmd, args[:min(len(args), 1)])
		},
		ValidArgsFunction: p.completeNames(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.cli(cmd.Context(), args[0], args[1:], o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.node, "node", "", "the server, e.g. app-node-1; the primary by default")
	flags.BoolVar(&o.raw, "raw", false, "print strings as they are, for scripts")
	flags.StringVarP(&o.output, "output", "o", "", "json prints replies as JSON")
	completeValues(cmd, "output", []string{"json"})
	mustComplete(cmd, "node", p.completeNodes)
	return cmd
}

func (p *program) cli(ctx context.Context, name string, words []string, o cliOptions) error {
	if o.output != "" && o.output != "json" {
		return kube.Usage(fmt.Sprintf("-o %s is no format of replies", o.output), "want json")
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	v, err := client.Get(ctx, client.Namespace(), name)
	if err != nil {
		return err
	}
	if len(words) == 0 && isTerminal(p.In) && isTerminal(p.Out) {
		return p.interact(ctx, client, refOf(v), o.node)
	}
	session, err := client.OpenSession(ctx, refOf(v), o.node, resp.Limits{Bytes: cliBytes, Items: cliItems})
	if err != nil {
		return err
	}
	defer session.Close()
	c := &commandLine{program: p, session: session, options: o, out: p.Out}
	if len(words) > 0 {
		return c.do(ctx, words)
	}
	return c.script(ctx, p.In)
}

// commandLine gives commands and prints replies.
type commandLine struct {
	*program
	session *kube.Session
	options cliOptions
	out     io.Writer
}

// do gives one command. An error reply is an error.
func (c *commandLine) do(ctx context.Context, words []string) error {
	var failed error
	each := func(v resp.Value) {
		if err := c.print(v); err != nil && failed == nil {
			failed = err
		}
	}
	v, err := c.session.Do(ctx, words, each)
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	case v.IsError() && c.options.output == "":
		return errReply(clean.Text(v.Text))
	case v.IsError():
		return errors.Join(c.print(v), errReply(clean.Text(v.Text)))
	default:
		return c.print(v)
	}
}

// errReply is a server's refusal.
type errReply string

func (e errReply) Error() string { return string(e) }

func (c *commandLine) print(v resp.Value) error {
	var text string
	switch {
	case c.options.output == "json":
		data, err := resp.JSON(v)
		if err != nil {
			return err
		}
		text = string(data)
	case c.options.raw:
		text = resp.Raw(v)
	default:
		text = strings.Join(resp.Lines(v), "\n")
	}
	_, err := fmt.Fprintln(c.out, text)
	return err
}

// script gives the commands of a text, one a line. It tells an error reply with its line and goes on; the exit code says that there was one.
func (c *commandLine) script(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxScriptLine)
	var failed error
	for n := 1; lines.Scan(); n++ {
		words, err := resp.Split(lines.Text())
		if err != nil {
			return kube.Usage(fmt.Sprintf("line %d of the commands: %v", n, err), "")
		}
		if len(words) == 0 {
			continue
		}
		var refused errReply
		err = c.do(ctx, words)
		switch {
		case errors.As(err, &refused):
			_, _ = fmt.Fprintf(c.ErrOut, "%s: line %d: %s\n", c.errorName(), n, refused)
			failed = &exitError{code: exitRefused} // it is told already
		case err != nil:
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return kube.Usage("read the commands: "+err.Error(), "")
	}
	return failed
}
