package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/resp"
)

// historyLimit is how many lines are kept, in memory alone.
const historyLimit = 1000

// history are the lines typed so far, the newest first, without those that hold a password.
type history struct{ lines []string }

// Add is for term.History.
func (h *history) Add(line string) {
	words, err := resp.Split(line)
	if err != nil || len(words) == 0 || resp.HoldsSecret(words) || len(h.lines) > 0 && h.lines[0] == line {
		return
	}
	h.lines = append([]string{line}, h.lines...)
	h.lines = h.lines[:min(len(h.lines), historyLimit)]
}

// Len is for term.History.
func (h *history) Len() int { return len(h.lines) }

// At is for term.History.
func (h *history) At(i int) string { return h.lines[i] }

// keyboard is the terminal as term.Terminal wants it.
type keyboard struct {
	io.Reader
	io.Writer
}

// interact asks for commands until the end of the input (ctrl-d) or quit.
func (c *commandLine) interact(ctx context.Context) error {
	in, isFile := c.In.(*os.File)
	if !isFile {
		return errors.New("standard input is no terminal")
	}
	fd := int(in.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return err
	}
	defer term.Restore(fd, state) //nolint:errcheck // there is nobody to tell
	commands, err := c.session.Commands(ctx)
	if err != nil {
		return err
	}
	t := term.NewTerminal(keyboard{in, c.Out}, c.prompt())
	if width, height, err := term.GetSize(fd); err == nil {
		_ = t.SetSize(width, height) // it is drawn worse, that is all
	}
	t.History = &history{}
	t.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) { return completed(commands, line, pos, key) }
	c.out = t
	for ctx.Err() == nil {
		line, err := t.ReadLine()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		words, err := resp.Split(line)
		switch {
		case err != nil:
			_, _ = io.WriteString(t, "(error) "+err.Error()+"\n")
		case len(words) == 0:
		case strings.EqualFold(words[0], "quit"), strings.EqualFold(words[0], "exit"):
			return nil
		case !c.confirmed(t, commands, words):
		default:
			if err := c.typed(ctx, fd, state, words); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

func (c *commandLine) prompt() string {
	role := string(c.session.Role)
	if role != "" {
		role = " (" + role + ")"
	}
	return c.session.Node + role + "> "
}

// typed gives a command with the terminal as it was, so that ctrl-c ends what never does.
func (c *commandLine) typed(ctx context.Context, fd int, cooked *term.State, words []string) error {
	raw, err := term.GetState(fd)
	if err != nil {
		return err
	}
	if err := term.Restore(fd, cooked); err != nil {
		return err
	}
	defer term.Restore(fd, raw) //nolint:errcheck // the next key tells
	var refused errReply
	out := c.out
	c.out = c.Out
	err = c.do(ctx, words)
	c.out = out
	if errors.As(err, &refused) {
		_, err = io.WriteString(c.Out, "(error) "+string(refused)+"\n")
	}
	return err
}

// confirmed asks before a command that is dangerous, or that writes to a replica.
func (c *commandLine) confirmed(t *term.Terminal, commands resp.Commands, words []string) bool {
	question := ""
	switch effect := commands.Effect(words); {
	case effect == resp.Dangerous:
		question = strings.ToUpper(words[0]) + " is dangerous. Do it on " + c.session.Node + "? [y/N] "
	case effect == resp.Writes && c.session.Role == v1alpha1.RoleReplica:
		question = c.session.Node + " is a replica: what is written there is lost, if it is taken at all. Write? [y/N] "
	default:
		return true
	}
	h := t.History
	t.History = &history{} // an answer is no command
	defer func() { t.History = h }()
	t.SetPrompt(question)
	defer t.SetPrompt(c.prompt())
	answer, err := t.ReadLine()
	return err == nil && strings.EqualFold(strings.TrimSpace(answer), "y")
}

// completed completes the name of a command or subcommand at the end of the line.
func completed(commands resp.Commands, line string, pos int, key rune) (newLine string, newPos int, ok bool) {
	if key != '\t' || pos != len(line) {
		return "", 0, false
	}
	found := commands.Complete(line)
	if len(found) == 0 {
		return "", 0, false
	}
	common := found[0]
	for _, name := range found[1:] {
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	head := line[:strings.LastIndexByte(line, ' ')+1]
	if len(found) == 1 {
		common += " "
	}
	newLine = head + common
	return newLine, len(newLine), true
}
