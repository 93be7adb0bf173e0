package main

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/impact"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/theme"
)

// effectsOf says what a change does; before is nil for a new Valkey.
func effectsOf(before, after *unstructured.Unstructured) ([]impact.Effect, error) {
	var old *v1alpha1.Valkey
	if before != nil {
		typed, err := manifest.Typed(before)
		if err != nil {
			return nil, err
		}
		old = typed
	}
	typed, err := manifest.Typed(after)
	if err != nil {
		return nil, err
	}
	return impact.Of(old, typed), nil
}

// tellEffects writes what a change does on standard error, a line for each; name, where it is not empty, says to which Valkey.
func (p *program) tellEffects(name string, effects []impact.Effect) error {
	text, err := effectLines(p.ErrOut, name, effects)
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.ErrOut, text)
	return err
}

func effectLines(out io.Writer, name string, effects []impact.Effect) (string, error) {
	look, err := lookOf(out)
	if err != nil {
		return "", err
	}
	if name != "" {
		name += " "
	}
	var text strings.Builder
	for _, e := range effects {
		text.WriteString(look.Render(toneOf(e.Weight), "# "+name+e.Text) + "\n")
	}
	return text.String(), nil
}

func toneOf(w impact.Weight) theme.Tone {
	switch w {
	case impact.Danger:
		return theme.Error
	case impact.Notable:
		return theme.Warn
	default:
		return theme.Accent
	}
}

// loses says that data or a claim goes.
func loses(effects []impact.Effect) bool {
	return slices.ContainsFunc(effects, func(e impact.Effect) bool { return e.Weight == impact.Danger || e.DeletesClaims })
}

// ask puts a question on w until the answer is one of the words or its first letter, and returns that letter. Where nobody is there to answer
// it is n.
func ask(w io.Writer, answers *bufio.Reader, question string, words ...string) (byte, error) {
	for {
		if _, err := io.WriteString(w, question); err != nil {
			return 0, err
		}
		answer, err := answers.ReadString('\n')
		answer = strings.ToLower(strings.TrimSpace(answer))
		for _, word := range words {
			if answer == word || answer == word[:1] {
				return word[0], nil
			}
		}
		if errors.Is(err, io.EOF) {
			return 'n', nil
		}
		if err != nil {
			return 0, err
		}
	}
}
