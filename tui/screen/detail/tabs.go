package detail

import "kuberly.io/valkey-operator/tui/keys"

// tab is a page of the screen.
type tab int

const (
	tabOverview tab = iota
	tabNodes
	tabEvents
	tabYAML
	tabSlowlog
	tabClients
	tabConfig
	tabKeyspace
	tabCount
)

const (
	// tabLines is the line of the tabs, with an empty one below.
	tabLines = 2
	// noteLines is the room below a table for what is to be known of it, or for the whole text of the row under the cursor.
	noteLines = 3
)

// tabTitles, each with the key that leads there.
var tabTitles = [tabCount]string{"Overview", "Nodes", "Events", "YAML", "Slowlog", "Clients", "Config", "Keyspace"}

// tabKeys are the actions that lead to a tab.
var tabKeys = map[keys.Action]tab{
	keys.TabOverview: tabOverview, keys.TabNodes: tabNodes, keys.TabEvents: tabEvents, keys.Manifest: tabYAML,
	keys.TabSlowlog: tabSlowlog, keys.TabClients: tabClients, keys.TabConfig: tabConfig, keys.TabKeyspace: tabKeyspace,
}
