package screen

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/schema"
)

// OpenEdit opens the form of a Valkey that there is.
type OpenEdit struct{ Row *kube.Row }

// OpenEditor opens the text of a Valkey in the user's editor.
type OpenEditor struct{ Row *kube.Row }

// OpenStop asks whether the Valkeys shall be stopped, or started where they are.
type OpenStop struct{ Rows []*kube.Row }

// LoadForm asks for what a form is made of. Ref names the object that is to be changed, or only the namespace of a new one.
type LoadForm struct {
	From ID
	Ref  kube.Ref
}

// FormLoaded is what a form is made of: what the API takes, the object as it is (nil for a new one), and what can be chosen from, as far as the
// user may know it.
type FormLoaded struct {
	To                  ID
	Schema              *schema.Schema
	Live                *unstructured.Unstructured
	Namespaces, Classes []string
	Problem             *kube.Problem
}

// PickName opens a list to take one name from.
type PickName struct {
	From  ID
	Title string
	Names []string
}

// Chosen is what was taken.
type Chosen struct {
	To    ID
	Value string
}

// Draft keeps what was typed into a form that was left, under the UID of its object; without values it is forgotten.
type Draft struct {
	UID    types.UID
	Values map[string]string
}

// Propose has the server check a change, and shows then what it would do.
type Propose struct {
	From     ID
	Title    string
	Proposal kube.Proposal
}

// Proposed says to the screen that proposed a change that it is shown now.
type Proposed struct{ To ID }

// Refused says to the screen that proposed a change what is wrong with it.
type Refused struct {
	To      ID
	Problem *kube.Problem
}

// Reviewed is what the server says to a change, for the screen that shows it.
type Reviewed struct {
	To     ID
	Review kube.Review
}

// Editing says to the screen of an edit in an editor how it stands: Problem is what is wrong with the text, in the file Path.
type Editing struct {
	To      ID
	Problem *kube.Problem
	Path    string
}

// EditAgain opens the editor of a screen once more.
type EditAgain struct{ From ID }

// Commit makes a change that was shown.
type Commit struct {
	From     ID
	Proposal kube.Proposal
}

// Rescale stops or starts one Valkey after the other.
type Rescale struct {
	From  ID
	Start bool
	Items []ScaleItem
}

// LoadRows asks how Valkeys are now, which the list may not know yet.
type LoadRows struct {
	From ID
	Refs []kube.Ref
}

// RowLoaded is one of them. What cannot be read is as the list has it.
type RowLoaded struct {
	To  ID
	Row *kube.Row
}

// Restricted is for Restricted.
func (o OpenEdit) Restricted() (keys.Action, []string) { return keys.Edit, namespacesOf(o.Row) }

// Restricted is for Restricted.
func (o OpenEditor) Restricted() (keys.Action, []string) { return keys.EditText, namespacesOf(o.Row) }

// Restricted is for Restricted.
func (o OpenStop) Restricted() (keys.Action, []string) { return keys.Stop, namespacesOf(o.Rows...) }
