package manifest

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kuberly.io/valkey-operator/tui/clean"
)

// Edit is the text of an object for an editor. Above it stands what to know, and what was wrong the last time.
func Edit(object *unstructured.Unstructured, notes ...string) (string, error) {
	seen := Visible(object)
	if _, ok := Password(seen); ok {
		SetPassword(seen, Hidden)
	}
	body, err := text(seen)
	if err != nil {
		return "", err
	}
	return Annotate(body, object.GetNamespace()+"/"+object.GetName(), notes...), nil
}

// Annotate puts other notes above a text that was edited, in place of those that it has; not a character of the rest changes.
func Annotate(edited, name string, notes ...string) string {
	body := Body(edited)
	head := []string{
		"Valkey " + name + ". Lines at the top that begin with # are left out.",
		"Save and quit to see what it will do; nothing is changed before you say so. Without a change, nothing happens.",
	}
	if strings.Contains(body, strings.TrimSpace(Hidden)) {
		head = append(head, "The password that is shown as "+strings.TrimSpace(Hidden)+" stays as it is; write another one to change it.")
	}
	if len(notes) > 0 {
		head = append(head, "")
		head = append(head, notes...)
	}
	var out strings.Builder
	for _, note := range head {
		for line := range strings.SplitSeq(clean.Block(note), "\n") {
			out.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	return out.String() + body
}

// Body is an edited text without the notes above it.
func Body(edited string) string {
	for strings.HasPrefix(edited, "#") {
		_, rest, found := strings.Cut(edited, "\n")
		if !found {
			return ""
		}
		edited = rest
	}
	return edited
}

// Refused is an edited text with what is wrong with it above, which is returned, too, as it stands there: the lines that it names are counted anew.
func Refused(edited, name, wrong string) (text, moved string) {
	annotated := func(wrong string) string { return Annotate(edited, name, "Not applied: "+wrong) }
	moved = renumber(wrong, edited, annotated(wrong))
	return annotated(moved), moved
}

// lineOf is where an error of YAML says that it is.
var lineOf = regexp.MustCompile(`\bline (\d+)`)

// renumber is a message of ReadEdited about a text as one about the same text under other notes, which push its lines up or down.
func renumber(message, from, to string) string {
	if !strings.HasPrefix(message, "document 1: ") {
		return message
	}
	moved := noteLines(to) - noteLines(from)
	return lineOf.ReplaceAllStringFunc(message, func(found string) string {
		n, err := strconv.Atoi(strings.TrimPrefix(found, "line "))
		if err != nil || n+moved < 1 {
			return found
		}
		return "line " + strconv.Itoa(n+moved)
	})
}

func noteLines(edited string) int {
	return strings.Count(strings.TrimSuffix(edited, Body(edited)), "\n")
}

// ReadEdited reads what an editor left of the object: the whole of it, as it shall be. Its name and namespace stay.
func ReadEdited(edited string, live *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	objects, err := Read([]byte(edited))
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("it holds %d objects: one was to be edited", len(objects))
	}
	object := objects[0]
	if object.GetNamespace() == "" {
		object.SetNamespace(live.GetNamespace())
	}
	if object.GetName() != live.GetName() || object.GetNamespace() != live.GetNamespace() {
		return nil, fmt.Errorf("its name is %s/%s now, and it was %s/%s: a name cannot change", clean.Text(object.GetNamespace()),
			clean.Text(object.GetName()), live.GetNamespace(), live.GetName())
	}
	if !Keep(object, live) {
		return nil, errors.New("spec.password: the object has no password to keep: write one, or set spec.passwordSecretRef")
	}
	return Restore(object, live), nil
}
