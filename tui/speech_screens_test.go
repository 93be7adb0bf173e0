package tui

import (
	"slices"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/tui/kube"
)

// Every screen says what it is, where the cursor stands, and what came of a key.
func TestEveryScreenInWords(t *testing.T) {
	for name, steps := range map[string][][2]string{
		"one Valkey": {
			{"enter", "tab Overview, 1 of 8"},
			{"", "2 of 3 ready"},
			{"p", "redis://root:s3cret@"},
			{"2", "tab Nodes, 2 of 8\r\nnode-0, role primary, ready yes, link 1 online, restarts 0"},
			{"j", "node-1, role replica, ready yes, link up"},
			{"k", "row 1 of 3, memory 190Mi/384Mi"},
			{"3", "reason Unhealthy, of Pod node-2, message (12 times) Readiness probe failed"},
			{"6", "cache-node-2: nothing listens on the server's port"},
			{"7", "tab Config, 7 of 8"},
			{"4", "kind: Valkey"},
		},
		"logs": {
			{"l", "node-0 1:M 30 Nov 2025 02:11:11.123 * Ready to accept"},
			{"k", "- staying\r\nline 1, node-0: 1:M 30 Nov 2025 02:11:11.123 * Ready to accept"},
			{"enter", "default/cache, line 1\r\nnode-0, "},
			{"right", "DB saved on disk"},
		},
		"port-forwards": {
			{"F", "Port-forward to default/cache"},
			{"", "1 of 4: the primary, follows it after a failover"},
			{"down", "2 of 4: cache-node-0, replica"},
			{"enter", "local port for default/cache"},
			{"x", "local port for default/cache (none: 6379, or a free one): x"},
			{"enter", `"x" is no port`},
			{"backspace", "a free one):"},
			{"enter", "127.0.0.1:6379, valkey default/cache, leads to cache-node-0, how it fares looking for the server"},
		},
		"console": {
			{"v", "Console of default/cache"},
			{"", "2 of 3: cache-node-1, primary"},
			{"2", "connected"},
			{"P", "cache-node-1 primary> P"},
			{"I", "cache-node-1 primary> PI"},
			{"tab", "PING [message]"},
			{"enter", "PONG\r\n"},
			{"up", "cache-node-1 primary> PING"},
			{"enter", "PONG\r\n"}, // the same again is said again
			{"up", "PING"},
			{"ctrl+u", "primary>\r\n"},
		},
		"failover": {
			{"f", "Fail over default/cache"},
			{"", "1 of 4: the best one, now node-1"},
			{"down", "2 of 4: node-0, is the primary"},
			{"enter", "node-0 is the primary already"},
		},
		"choice of several": {
			{"l", "Ready"},
			{"o", "Servers of default/cache"},
			{"", "1 of 3: cache-node-0, marked, replica"},
			{" ", "1 of 3: cache-node-0, replica"},
			{"a", "1 of 3: cache-node-0, marked, replica"},
		},
		"stop":    {{"S", "Stop default/cache\r\nservers, 3 -> 0"}, {"enter", "default/cache is being stopped"}},
		"restart": {{"R", "Restart default/cache\r\nRolls 3 servers"}},
		"delete":  {{"ctrl+d", "Type cache to delete:\r\n>"}, {"c", "> c"}, {"enter", "type cache"}},
		"scale":   {{"s", "Scale default/cache"}, {"+", "3 -> 4"}, {"enter", "default/cache"}},
		"help":    {{"?", "Valkeys:\r\nc n, create a Valkey\r\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHeard(t, cast()...)
			h.fake.lines = someLines(30)
			h.says("", "row 1 of 4")
			h.fake.addCache()
			for _, step := range steps {
				h.says(step[0], step[1])
			}
		})
	}
}

// What changes by itself all the time is said after a key alone; so are numbers in what a log is like.
func TestFiguresWaitForAKey(t *testing.T) {
	h := newHeard(t, cast()...)
	h.fake.lines = someLines(30)
	h.says("", "row 1 of 4")
	h.fake.addCache()
	h.says("enter", "tab Overview")
	h.says("2", "ops/s 12.3k")
	h.text.Reset()
	h.fake.set(func() {
		list := slices.Clone(h.fake.readings["cache"])
		info := *list[0].Info
		info.OpsPerSecond = 77
		list[0].Info = &info
		h.fake.readings["cache"] = list
	})
	h.until("the new figures are known", func() bool { return strings.Contains(h.session.text(), " 77 ") })
	h.voice.speak(false)
	if h.text.Len() > 0 {
		t.Errorf("figures are said as they change: %q", h.text.String())
	}
	h.says("r", "ops/s 77")
	h.says("esc", "row 1 of 4")
	h.says("l", "Ready to accept")
	h.fake.set(func() { h.fake.lines = append(h.fake.lines, kube.Line{Node: "cache-node-0", Text: "one more"}) })
	if got := h.says("", "one more"); strings.Contains(got, "lines") {
		t.Errorf("the number of lines is said with each: %q", got)
	}
}
