package keys

import "slices"

// Default is the key map for those who know k9s, vi, less or none of them.
func Default() *Map {
	return New(slices.Concat(everywhereKeys, movingKeys, listKeys, logViewKeys, lineKeys, choiceKeys, sessionKeys, forwardKeys, dialogKeys, inputKeys, pickKeys,
		formKeys, reviewKeys, oneKeys, consoleKeys))
}

// everywhereKeys are in force on every screen that takes no text.
var everywhereKeys = []Binding{
	{Help, Everywhere, []string{"?", "f1"}, "this help", "help"},
	{Back, Everywhere, []string{"esc"}, "back; in the list: drop filter, then marks; in logs: search, then filter", ""},
	{Palette, Everywhere, []string{":"}, "every action by its name or its beginning (what only holds the letters: with the arrows); also :ns NAME, :ctx NAME", "command"},
	{Quit, Everywhere, []string{"q"}, "quit; elsewhere: back", "quit"},
	{Abort, Everywhere, []string{"ctrl+c"}, "quit at once", ""},
	{Suspend, Everywhere, []string{"ctrl+z"}, "to the shell; fg comes back", ""},
	{Redraw, Everywhere, []string{"ctrl+l"}, "draw the screen anew", ""},
	{Retry, Everywhere, []string{"ctrl+r"}, "ask the cluster again now", ""},
}

// movingKeys are those of lists and texts.
var movingKeys = []Binding{
	{Up, Moving, []string{"up", "k"}, "up", ""},
	{Down, Moving, []string{"down", "j"}, "down", ""},
	{PageUp, Moving, []string{"pgup", "ctrl+b"}, "page up", ""},
	{PageDown, Moving, []string{"pgdown", "ctrl+f"}, "page down", ""},
	{Top, Moving, []string{"g", "home"}, "first line", ""},
	{Bottom, Moving, []string{"G", "end"}, "last line", ""},
	{Left, Moving, []string{"left", "h"}, "columns to the left", ""},
	{Right, Moving, []string{"right"}, "columns to the right", ""},
}

// listKeys are those of the list of Valkeys.
var listKeys = []Binding{
	{Create, List, []string{"c", "n"}, "create a Valkey", "create"},
	{Edit, List, []string{"e"}, "change it in a form", "edit"},
	{EditText, List, []string{"E"}, "change it as YAML in your editor", ""},
	{Stop, List, []string{"S"}, "stop it, or start it again", ""},
	{Scale, List, []string{"s"}, "scale", "scale"},
	{More, List, []string{"+"}, "scale: one more", ""},
	{Less, List, []string{"-"}, "scale: one less", ""},
	{Open, List, []string{"enter", "d"}, "all that is known of it", "open"},
	{Manifest, List, []string{"y"}, "its manifest", ""},
	{Logs, List, []string{"l"}, "logs of all its pods", "logs"},
	{Failover, List, []string{"f"}, "hand the primary over to another node", ""},
	{Restart, List, []string{"R"}, "restart its servers, one after the other", ""},
	{Delete, List, []string{"ctrl+d"}, "delete (asks for the name)", "delete"},
	{Filter, List, []string{"/"}, "filter by text", "filter"},
	{Namespaces, List, []string{"0"}, "all namespaces, or only the current one", ""},
	{PickSpace, List, []string{"N"}, "choose the namespace", ""},
	{Mark, List, []string{" "}, "mark; scale and delete then take all marked ones", "mark"},
	{MarkAll, List, []string{"ctrl+a"}, "mark all that are shown, or none", ""},
	{SortNext, List, []string{">", "tab"}, "sort by the next column", ""},
	{SortPrev, List, []string{"<", "shift+tab"}, "sort by the column before", ""},
	{SortTurn, List, []string{"r"}, "reverse the order", ""},
	{Wide, List, []string{"ctrl+w"}, "more columns, or fewer", ""},
}

// logViewKeys are those of logs.
var logViewKeys = []Binding{
	{Follow, LogView, []string{"s", "f"}, "follow new lines, or stay", "follow"},
	{Wrap, LogView, []string{"w"}, "wrap long lines, or cut them", "wrap"},
	{Times, LogView, []string{"t"}, "show times", "times"},
	{Search, LogView, []string{"/"}, "search: mark a text, and go to where it stands", "search"},
	{Filter, LogView, []string{"&"}, "filter: only the lines with a text, or after ! those without it", "filter"},
	{Next, LogView, []string{"n"}, "next line found", ""},
	{Previous, LogView, []string{"N"}, "line found before", ""},
	{Clear, LogView, []string{"C"}, "clear the screen", "clear"},
	{LogPrevious, LogView, []string{"p"}, "the containers before the last restart, or those that run", "previous"},
	{LogNodes, LogView, []string{"o"}, "one server, several or all", "servers"},
	{LogRaw, LogView, []string{"J"}, "JSON lines in words, or as they came", ""},
	{LogOpen, LogView, []string{"enter"}, "a line in full", "line"},
	{LogSave, LogView, []string{"ctrl+s"}, "save what is shown to a file", "save"},
	{CopyMenu, LogView, []string{"Y"}, "copy lines", ""},
	{SinceAll, LogView, []string{"0"}, "from the beginning", ""},
	{Since1m, LogView, []string{"1"}, "of the last minute", ""},
	{Since5m, LogView, []string{"2"}, "of the last 5 minutes", ""},
	{Since15m, LogView, []string{"3"}, "of the last 15 minutes", ""},
	{Since1h, LogView, []string{"4"}, "of the last hour", ""},
	{Since1d, LogView, []string{"5"}, "of the last day", ""},
}

// lineKeys are those of one line of a log.
var lineKeys = []Binding{
	{Previous, LineView, []string{"left", "["}, "the line before", "before"},
	{Next, LineView, []string{"right", "]"}, "the next line", "next"},
	{CopyMenu, LineView, []string{"Y"}, "copy the line", "copy"},
}

// choiceKeys are those of choosing one or several of a few.
var choiceKeys = []Binding{
	{ChooseMark, Choice, []string{" "}, "mark", "mark"},
	{ChooseAll, Choice, []string{"a", "ctrl+a"}, "mark all, or none", "all"},
}

// sessionKeys are those of the list that look into a Valkey and change nothing by themselves.
var sessionKeys = []Binding{
	{OpenConsole, List, []string{"v"}, "console: Valkey commands at a server", "console"},
	{OpenShell, List, []string{"x"}, "a shell in a server's container", ""},
	{Forward, List, []string{"F"}, "lead a port of this machine to it", ""},
	{Forwards, List, []string{"P"}, "the ports that lead to servers", ""},
	{OperatorLogs, List, []string{"O"}, "logs of the operator", ""},
	{CopyMenu, List, []string{"Y"}, "copy its name, address, YAML", ""},
}

// forwardKeys are those of the list of port-forwards.
var forwardKeys = []Binding{
	{StopForward, ForwardList, []string{"ctrl+d"}, "stop it, with all its connections", "stop"},
	{CopyMenu, ForwardList, []string{"Y"}, "copy its local address", "copy"},
}

// dialogKeys are those of dialogs, and of a number in one.
var dialogKeys = []Binding{
	{Confirm, Dialog, []string{"enter"}, "do it", "do it"},
	{Back, Dialog, []string{"esc", "ctrl+g"}, "cancel", "cancel"},
	{More, Count, []string{"+", "up", "right"}, "one more", "more"},
	{Less, Count, []string{"-", "down", "left"}, "one less", "less"},
}

// inputKeys are those of a prompt.
var inputKeys = []Binding{
	{Confirm, Input, []string{"enter"}, "keep the text", "keep"},
	{Back, Input, []string{"esc", "ctrl+g"}, "drop the text", "drop"},
}

// pickKeys are those of choosing one of many.
var pickKeys = []Binding{
	{Confirm, Pick, []string{"enter"}, "take it", "take"},
	{Complete, Pick, []string{"tab"}, "complete what is typed", "complete"},
	{Up, Pick, []string{"up", "ctrl+p"}, "up", ""},
	{Down, Pick, []string{"down", "ctrl+n"}, "down", ""},
	{PageUp, Pick, []string{"pgup"}, "page up", ""},
	{PageDown, Pick, []string{"pgdown"}, "page down", ""},
	{Back, Pick, []string{"esc", "ctrl+g"}, "leave", "leave"},
}

// formKeys are those of forms.
var formKeys = []Binding{
	{Confirm, Form, []string{"enter"}, "next field; in one of several lines a new line", ""},
	{Submit, Form, []string{"ctrl+s"}, "have it checked, and see what it will do", "check"},
	{NextItem, Form, []string{"tab", "down"}, "next field", "next"},
	{PrevItem, Form, []string{"shift+tab", "up"}, "field before", "before"},
	{Generate, Form, []string{"ctrl+g"}, "generate a password", "password"},
	{Reveal, Form, []string{"ctrl+r"}, "show or hide the password", ""},
	{Choose, Form, []string{"ctrl+o"}, "choose from what there is: namespaces, storage classes", ""},
	{Renew, Form, []string{"ctrl+n"}, "forget what was typed, start anew", ""},
	{Back, Form, []string{"esc"}, "leave; what was typed is kept", "leave"},
}

// reviewKeys are those of what a change will do.
var reviewKeys = []Binding{
	{Confirm, Review, []string{"enter"}, "apply it", ""},
	{EditAgain, Review, []string{"e", "E"}, "back to the editor or the form", ""},
	{Back, Review, []string{"esc"}, "do not apply it", ""},
}
