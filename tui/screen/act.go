package screen

import (
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
)

// Act is the intent of an action on Valkeys: on the current one, or where the action takes several on the chosen ones. It is nil where
// the action is about no Valkey.
func Act(action keys.Action, current *kube.Row, chosen []*kube.Row) Effect {
	switch action {
	case keys.Failover:
		return OpenFailover{Rows: chosen}
	case keys.Restart:
		return OpenRestart{Rows: chosen}
	case keys.Stop:
		return OpenStop{Rows: chosen}
	case keys.Scale:
		return OpenScale{Rows: chosen}
	case keys.More:
		return OpenScale{Rows: chosen, By: 1}
	case keys.Less:
		return OpenScale{Rows: chosen, By: -1}
	case keys.Delete:
		return OpenDelete{Rows: chosen}
	default:
		return actOnOne(action, current)
	}
}

// actOnOne is the intent of an action that takes one Valkey, whatever is marked.
func actOnOne(action keys.Action, row *kube.Row) Effect {
	switch action {
	case keys.Open, keys.Manifest:
		return OpenDetail{Row: row, YAML: action == keys.Manifest}
	case keys.Logs:
		return OpenLogs{Row: row}
	case keys.CopyMenu:
		return OpenCopy{Row: row}
	case keys.Edit:
		return OpenEdit{Row: row}
	case keys.EditText:
		return OpenEditor{Row: row}
	case keys.OpenConsole:
		return OpenConsole{Row: row}
	case keys.OpenShell:
		return OpenShell{Row: row}
	case keys.Forward:
		return OpenForward{Row: row}
	default:
		return nil
	}
}
