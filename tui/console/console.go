// Package console asks for Valkey commands on a terminal and prints their replies: history, completion, a question before what is
// dangerous, and a way out of what never ends. It owns the terminal while it runs; how a server is reached is its caller's.
package console

import (
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/term"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/resp"
)

// Limits bound what of a reply is shown.
var Limits = resp.Limits{Bytes: 256 << 10, Items: 1000}

// Session is a connection to a server, see kube.Session.
type Session interface {
	Do(ctx context.Context, words []string, each func(resp.Value)) (resp.Value, error)
	Commands(ctx context.Context) (resp.Commands, error)
	Where() (node string, role v1alpha1.Role)
	Close()
}

// Console is one sitting at a server.
type Console struct {
	// Open connects, at the start and again after a command was stopped.
	Open func(ctx context.Context) (Session, error)
	// Keys is the terminal in raw mode, Out where it draws.
	Keys io.Reader
	Out  io.Writer
	// ReadOnly refuses what changes anything.
	ReadOnly bool
	// Sizes are those of the terminal, see OnTerminal; nil where they are not known.
	Sizes <-chan kube.Size

	session  Session
	commands resp.Commands
	keys     *keyboard
	term     *term.Terminal
	history  *History
}

// Run asks for commands until quit, ctrl-d, or the end of ctx.
func (c *Console) Run(ctx context.Context) error {
	c.keys = newKeyboard(c.Keys)
	c.history = &History{}
	c.term = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{c.keys, c.Out}, "")
	if c.Sizes != nil {
		go c.resize()
	}
	c.term.History = c.history
	c.term.AutoCompleteCallback = c.complete
	defer c.close()
	if err := c.reach(ctx); err != nil {
		return err
	}
	c.say("tab completes, ctrl-c stops a command, quit or ctrl-d leaves")
	for ctx.Err() == nil {
		line, err := c.term.ReadLine()
		switch {
		case errors.Is(err, io.EOF):
			_, _ = io.WriteString(c.Out, "\r\n") // what comes next is not written behind the prompt
			return nil
		case err != nil && !errors.Is(err, term.ErrPasteIndicator):
			return err
		}
		words, err := resp.Split(line)
		switch {
		case err != nil:
			c.say("(error) " + err.Error())
		case len(words) == 0:
		case strings.EqualFold(words[0], "quit"), strings.EqualFold(words[0], "exit"):
			return nil
		case c.allows(words):
			c.do(ctx, words)
		}
	}
	return ctx.Err()
}

// resize ends with the terminal.
func (c *Console) resize() {
	for size := range c.Sizes {
		_ = c.term.SetSize(int(size.Width), int(size.Height)) // it is drawn worse, that is all
	}
}

func (c *Console) close() {
	if c.session != nil {
		c.session.Close()
		c.session = nil
	}
}

// reach connects where there is no connection, and learns what the server knows.
func (c *Console) reach(ctx context.Context) error {
	if c.session != nil {
		return nil
	}
	session, err := c.Open(ctx)
	if err != nil {
		return err
	}
	c.session = session
	if c.commands == nil {
		if c.commands, err = session.Commands(ctx); err != nil {
			c.say("the server does not tell its commands: every one that is not known is asked about")
			c.close()
			if c.session, err = c.Open(ctx); err != nil {
				return err
			}
		}
	}
	c.term.SetPrompt(c.prompt())
	return nil
}

func (c *Console) prompt() string {
	node, role := c.session.Where()
	if role == "" {
		return node + "> "
	}
	return node + " " + string(role) + "> "
}

func (c *Console) say(text string) {
	_, _ = io.WriteString(c.term, text+"\n") // the next key tells that the terminal is gone
}

func (c *Console) print(v resp.Value) { c.say(strings.Join(resp.Lines(v), "\n")) }

// do gives a command. ctrl-c stops it, and then the connection is made anew: what it would still answer belongs to nothing.
func (c *Console) do(ctx context.Context, words []string) {
	if err := c.reach(ctx); err != nil {
		c.say("(error) " + kube.Explain(err).Error())
		return
	}
	running, cancel := context.WithCancel(ctx)
	release := c.keys.onInterrupt(cancel)
	v, err := c.session.Do(running, words, c.print)
	release()
	stopped := running.Err() != nil && ctx.Err() == nil
	cancel()
	switch {
	case stopped:
		c.say("stopped; the connection is made anew, in database 0")
	case err != nil:
		c.say("(error) " + kube.Explain(err).Error())
	default:
		c.print(v)
		return
	}
	c.close()
	if err := c.reach(ctx); err != nil {
		c.say("(error) " + kube.Explain(err).Error())
	}
}

// allows refuses what read-only mode forbids, and asks before a command that is dangerous, or writes to a replica.
func (c *Console) allows(words []string) bool {
	node, role := "the server", v1alpha1.Role("")
	if c.session != nil {
		node, role = c.session.Where()
	}
	refusal, question := Judge(c.commands, words, node, role, c.ReadOnly)
	if refusal != "" {
		c.say("(error) " + refusal)
		return false
	}
	return question == "" || c.yes(question+" [y/N] ")
}

func (c *Console) yes(question string) bool {
	c.term.History = &History{} // an answer is no command
	c.term.SetPrompt(question)
	answer, err := c.term.ReadLine()
	c.term.History = c.history
	if c.session != nil {
		c.term.SetPrompt(c.prompt())
	}
	return err == nil && strings.EqualFold(strings.TrimSpace(answer), "y")
}

// complete completes the name of a command at the end of the line; where that is whole it says what follows.
func (c *Console) complete(line string, pos int, key rune) (newLine string, newPos int, ok bool) {
	if key != '\t' || pos != len(line) {
		return "", 0, false
	}
	newLine, choice := c.commands.Completed(line)
	// What is written while a line is read appears above it.
	if syntax, summary := c.commands.Hint(line); newLine == line && choice == nil && syntax != "" {
		go c.say(syntax + "\n  " + summary)
	}
	if choice != nil {
		go c.say(strings.Join(choice, "  "))
	}
	return newLine, len(newLine), true
}
