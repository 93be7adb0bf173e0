package commands

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/console"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/resp"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

func (m *Model) key(msg tea.KeyMsg) screen.Effect {
	action := keys.None
	if !msg.Paste {
		action = m.env.Keys.Action(msg.String(), keys.Console)
	}
	if screen.Scroll(pages{m.output}, m.scrolling(action)) {
		return nil
	}
	switch action {
	case keys.Help:
		return screen.ShowHelp{}
	case keys.Interrupt:
		return m.interrupt()
	case keys.Back:
		if msg.Type == tea.KeyCtrlD && m.prompt.Value() != "" {
			break // it deletes a character
		}
		return m.back()
	case keys.Confirm:
		return m.confirm(msg)
	case keys.Complete:
		return m.complete()
	case keys.Up:
		m.recall(1)
		return nil
	case keys.Down:
		m.recall(-1)
		return nil
	}
	m.prompt.Update(msg)
	return nil
}

// scrolling is the action where it scrolls here: up and down are about the history.
func (m *Model) scrolling(action keys.Action) keys.Action {
	if action == keys.Up || action == keys.Down {
		return keys.None
	}
	return action
}

// interrupt stops what runs, else empties the line, else leaves.
func (m *Model) interrupt() screen.Effect {
	if m.state == running {
		return screen.StopCommand{From: m.id}
	}
	return m.back()
}

// back says no to a question, else empties the line, else leaves.
func (m *Model) back() screen.Effect {
	switch {
	case m.state == asking:
		m.decide(false)
		return nil
	case m.prompt.Value() != "":
		m.retype("")
		return nil
	default:
		return screen.Close{From: m.id}
	}
}

// confirm gives what is typed, answers a question with it, or connects again. While a command runs the line waits.
func (m *Model) confirm(msg tea.KeyMsg) screen.Effect {
	line := m.prompt.Value()
	m.output.Bottom()
	switch m.state {
	case asking:
		return m.decide(!msg.Paste && strings.EqualFold(strings.TrimSpace(line), "y"))
	case unseated:
		return m.Init()
	case connecting, running:
		return nil
	case ready:
	}
	words, err := resp.Split(line)
	m.news = nil
	m.say(theme.Accent, m.echo(line, words))
	m.retype("")
	if err != nil {
		m.say(theme.Error, "(error) "+err.Error())
		m.retype(line) // to be mended
		return nil
	}
	m.history.Add(line)
	if effect, isOwn := m.own(words); isOwn {
		return effect
	}
	refusal, question := console.Judge(m.commands, words, m.node, m.role, m.env.ReadOnly)
	switch {
	case refusal != "":
		m.say(theme.Error, "(error) "+refusal)
		return nil
	case question != "":
		m.state, m.waiting = asking, words
		m.say(theme.Warn, question)
		m.retype("")
		return nil
	}
	return m.give(words)
}

// own are the words that are the console's own, as valkey-cli has them.
func (m *Model) own(words []string) (effect screen.Effect, isOwn bool) {
	if len(words) == 0 {
		return nil, true
	}
	switch strings.ToLower(words[0]) {
	case "quit", "exit":
		return screen.Close{From: m.id}, true
	case "clear":
		m.output.Clear()
		m.news = nil
		return nil, true
	default:
		return nil, false
	}
}

func (m *Model) give(words []string) screen.Effect {
	m.state = running
	return screen.Give{From: m.id, Words: words}
}

// decide ends a question.
func (m *Model) decide(yes bool) screen.Effect {
	words := m.waiting
	m.state, m.waiting = ready, nil
	m.retype("")
	if !yes {
		m.say(theme.Dim, "not done")
		return nil
	}
	return m.give(words)
}

// retype puts a text in place of what is typed.
func (m *Model) retype(text string) {
	m.at = 0
	m.relabel(text)
}

// complete completes the last word as far as there is no choice, and shows the choice where there is one.
func (m *Model) complete() screen.Effect {
	if m.state == asking {
		return nil
	}
	completed, choice := m.commands.Completed(m.prompt.Value())
	m.prompt.SetValue(completed)
	if choice != nil {
		m.output.Bottom()
		m.say(theme.Dim, strings.Join(choice, "  "))
	}
	return nil
}

// recall goes back in the history, or forth to what was typed.
func (m *Model) recall(by int) {
	if m.state == asking || m.at+by < 0 || m.at+by > m.history.Len() {
		return
	}
	if m.at == 0 {
		m.typed = m.prompt.Value()
	}
	m.at += by
	text := m.typed
	if m.at > 0 {
		text = m.history.At(m.at - 1)
	}
	m.prompt.SetValue(text)
}
