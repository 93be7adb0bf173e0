package keys

// Action is what a key asks for.
type Action string

// The actions.
const (
	None Action = ""

	// Everywhere.
	Help    Action = "help"
	Back    Action = "back"
	Quit    Action = "quit"
	Abort   Action = "abort"
	Suspend Action = "suspend"
	Redraw  Action = "redraw"
	Retry   Action = "retry"
	Palette Action = "command"

	// Moving.
	Up       Action = "up"
	Down     Action = "down"
	PageUp   Action = "page-up"
	PageDown Action = "page-down"
	Top      Action = "top"
	Bottom   Action = "bottom"
	Left     Action = "left"
	Right    Action = "right"

	// In the list.
	Filter     Action = "filter"
	Namespaces Action = "namespaces"
	PickSpace  Action = "choose-namespace"
	Wide       Action = "wide"
	SortNext   Action = "sort-next"
	SortPrev   Action = "sort-previous"
	SortTurn   Action = "sort-reverse"
	Mark       Action = "mark"
	MarkAll    Action = "mark-all"
	Logs       Action = "logs"
	Scale      Action = "scale"
	More       Action = "more"
	Less       Action = "less"
	Create     Action = "create"
	Edit       Action = "edit"
	EditText   Action = "edit-as-text"
	Stop       Action = "stop-or-start"
	Delete     Action = "delete"

	// Of one Valkey, in the list and on its screen.
	Open     Action = "open"
	Manifest Action = "yaml"
	Failover Action = "failover"
	Restart  Action = "restart"

	// On the screen of one Valkey.
	NextTab     Action = "next-tab"
	PrevTab     Action = "previous-tab"
	TabOverview Action = "overview"
	TabNodes    Action = "nodes"
	TabEvents   Action = "events"
	TabSlowlog  Action = "slowlog"
	TabClients  Action = "clients"
	TabConfig   Action = "config"
	TabKeyspace Action = "keyspace"
	ShowSecret  Action = "show-password"

	// In logs.
	Follow   Action = "follow"
	Wrap     Action = "wrap"
	Times    Action = "timestamps"
	Search   Action = "search"
	Next     Action = "next-match"
	Previous Action = "previous-match"
	Clear    Action = "clear"

	// While choosing from a list.
	Complete Action = "complete"

	LogPrevious Action = "logs-previous"
	LogNodes    Action = "logs-nodes"
	LogRaw      Action = "logs-json"
	LogSave     Action = "logs-save"
	LogOpen     Action = "logs-line"
	SinceAll    Action = "since-all"
	Since1m     Action = "since-1m"
	Since5m     Action = "since-5m"
	Since15m    Action = "since-15m"
	Since1h     Action = "since-1h"
	Since1d     Action = "since-1d"

	// In a choice.
	ChooseMark Action = "choose-mark"
	ChooseAll  Action = "choose-all"

	// In the list and where a Valkey is shown.
	OperatorLogs Action = "operator-logs"
	CopyMenu     Action = "copy"
	OpenConsole  Action = "console"
	OpenShell    Action = "shell"
	Forward      Action = "port-forward"
	Forwards     Action = "port-forwards"

	// In the console.
	Interrupt Action = "interrupt"

	// In the list of port-forwards.
	StopForward Action = "stop-forward"

	// In dialogs, prompts and forms.
	Confirm  Action = "confirm"
	NextItem Action = "next-field"
	PrevItem Action = "previous-field"
	Submit   Action = "submit"
	Generate Action = "generate-password"
	Reveal   Action = "reveal-password"
	Renew    Action = "renew"
	Choose   Action = "choose"

	// Before a change.
	EditAgain Action = "edit-again"
)
