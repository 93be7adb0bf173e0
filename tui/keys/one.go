package keys

// oneKeys are those of the screen of one Valkey. Left and right, which move elsewhere, go from tab to tab there.
var oneKeys = []Binding{
	{NextTab, One, []string{"tab", "right"}, "next tab", "next"},
	{PrevTab, One, []string{"shift+tab", "left", "h"}, "tab before", ""},
	{TabOverview, One, []string{"1"}, "overview: wanted and seen, conditions, changes of the primary", ""},
	{TabNodes, One, []string{"2"}, "its servers", ""},
	{TabEvents, One, []string{"3"}, "events, its own and of what belongs to it", ""},
	{Manifest, One, []string{"4", "y"}, "its manifest", ""},
	{TabSlowlog, One, []string{"5"}, "slow commands", ""},
	{TabClients, One, []string{"6"}, "clients", ""},
	{TabConfig, One, []string{"7"}, "configuration: wanted, in force, default", ""},
	{TabKeyspace, One, []string{"8"}, "databases and keys", ""},
	{Logs, One, []string{"l"}, "logs of all its pods", "logs"},
	{Scale, One, []string{"s"}, "scale", "scale"},
	{Failover, One, []string{"f"}, "hand the primary over to another node", "failover"},
	{Restart, One, []string{"R"}, "restart its servers, one after the other", "restart"},
	{Delete, One, []string{"ctrl+d"}, "delete (asks for the name)", ""},
	{ShowSecret, One, []string{"p"}, "show the password for a few seconds", ""},
	{SortPrev, One, []string{"<"}, "columns to the left", ""},
	{SortNext, One, []string{">"}, "columns to the right", ""},
	{Filter, One, []string{"/"}, "find in the manifest", ""},
	{Next, One, []string{"n"}, "next place found", ""},
	{Previous, One, []string{"N"}, "place found before", ""},
}
