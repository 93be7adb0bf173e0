package screen

import (
	tea "github.com/charmbracelet/bubbletea"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
)

// OpenPalette opens the list of everything that can be done here.
type OpenPalette struct{}

// OpenNamespaces opens the list of namespaces.
type OpenNamespaces struct{}

// OpenContexts opens the list of the kubeconfig's contexts.
type OpenContexts struct{}

// UseNamespace shows one namespace, or all of them.
type UseNamespace struct {
	Name string
	All  bool
}

// UseContext goes to the cluster, and as the user, of another context.
type UseContext struct{ Name string }

// SortBy sorts the list by one of the columns that are shown.
type SortBy struct {
	Column     string
	Descending bool
}

// UseTheme changes the colours.
type UseTheme struct{ Mode string }

// Press gives the upper screen a key, as if it was pressed.
type Press struct{ Key tea.KeyMsg }

// OnRow goes back to the list, puts its cursor on a Valkey and presses a key there, unless it is gone.
type OnRow struct {
	UID  types.UID
	Name string
	Key  tea.KeyMsg
}

// ShowRow makes the list show a Valkey, whatever it filters, put its cursor there and press the key.
type ShowRow struct {
	UID types.UID
	Key tea.KeyMsg
}

// Choice is a list to choose from, for the screen that shows it.
type Choice struct {
	To      ID
	Names   []string
	Problem *kube.Problem
}

// Restricted is an intent that not everybody may have done: the action, on Valkeys in the namespaces.
type Restricted interface {
	Restricted() (action keys.Action, namespaces []string)
}
