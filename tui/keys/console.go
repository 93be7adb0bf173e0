package keys

// consoleKeys are those of the console. Letters are typed there, and the key that ends the dashboard elsewhere first stops what runs.
var consoleKeys = []Binding{
	{Confirm, Console, []string{"enter"}, "give the command", ""},
	{Complete, Console, []string{"tab"}, "complete the name of a command", "complete"},
	{Up, Console, []string{"up", "ctrl+p"}, "command given before", "before"},
	{Down, Console, []string{"down", "ctrl+n"}, "command given after it", ""},
	{PageUp, Console, []string{"pgup"}, "page up in what was answered", "back"},
	{PageDown, Console, []string{"pgdown"}, "page down; at the end it follows", ""},
	{Top, Console, []string{"ctrl+home"}, "to the first answer", ""},
	{Bottom, Console, []string{"ctrl+end"}, "to the last answer", ""},
	{Interrupt, Console, []string{"ctrl+c"}, "stop the command that runs; else empty the line; else leave", "stop"},
	{Help, Console, []string{"f1"}, "this help", "help"},
	{Back, Console, []string{"esc", "ctrl+d"}, "empty the line; then leave", "leave"},
}
