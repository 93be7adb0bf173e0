package tui

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/server"
	"kuberly.io/valkey-operator/tui/theme"
)

// openCache opens the screen of the Valkey under the cursor, which has three servers.
func openCache(s *session) {
	s.fake.addCache()
	s.press("enter")
	s.sees("Last minutes of node-0")
}

func more(node string, m server.More) func(*fake) {
	return func(f *fake) {
		f.set(func() {
			list := slices.Clone(f.readings["cache"])
			for i := range list {
				if strings.HasPrefix(list[i].Pod, "cache-"+node) {
					list[i].More = &m
				}
			}
			f.readings["cache"] = list
		})
	}
}

func init() {
	play := func(f func(s *session)) scene { return scene{rows: cast(), play: f} }
	tabTo := func(key, text string) func(s *session) {
		return func(s *session) { openCache(s); s.press(key); s.sees(text) }
	}
	maps.Copy(scenes, map[string]scene{
		"one":          play(openCache),
		"one-revealed": play(func(s *session) { openCache(s); s.press("p"); s.sees("s3cret") }),
		"one-nodes":    play(tabTo("2", "made 2d2h ago")),
		"one-events":   play(tabTo("3", "Unhealthy")),
		"one-yaml":     play(func(s *session) { openCache(s); s.press("y", "/"); s.write("replicas"); s.sees("1 of 1") }),
		"one-slowlog": play(func(s *session) {
			tabTo("5", "cache-node-2: nothing listens")(s)
			more("node-0", server.More{Look: server.LookSlowlog, Slow: []server.Slow{
				{ID: 7, At: fakeNow.Add(-time.Minute), Took: 350 * time.Millisecond, Command: "SORT orders BY weight_*", Client: "shop"},
				{ID: 6, At: fakeNow.Add(-time.Hour), Took: 12 * time.Millisecond, Command: "LRANGE jobs 0 -1", Client: "10.0.0.9:4711"},
			}})(s.fake)
			s.sees("LRANGE")
		}),
		"one-clients": play(func(s *session) {
			tabTo("6", "cache-node-2: nothing listens")(s)
			more("node-0", server.More{Look: server.LookClients, Clients: []server.Connection{
				{ID: "3", Address: "10.0.0.9:4711", Name: "shop", User: "root", Command: "get", Age: time.Hour, Idle: time.Second, Database: "0", Flags: "N", Memory: 22 << 10, Library: "valkey-go 1.0"},
			}})(s.fake)
			s.sees("10.0.0.9")
		}),
		"one-config":   play(tabTo("7", "repl-diskless-sync-delay")),
		"one-keyspace": play(tabTo("8", "41.2k")),
		"one-gone": play(func(s *session) {
			openCache(s)
			s.fake.edit(func(d *kube.Detail) { d.Gone = true })
			s.sees("gone")
		}),
		"one-forbidden": play(func(s *session) {
			openCache(s)
			why := `user "ann" may not get secrets in namespace "default"; ask an administrator for that right`
			s.fake.set(func() {
				s.fake.readings["cache"] = []server.Reading{{Pod: "cache-node-0-a", Problem: why, Login: true}, {Pod: "cache-node-1-b", Problem: why, Login: true}}
			})
			s.sees("the servers cannot be asked")
		}),
		"failover": play(func(s *session) {
			openCache(s)
			s.press("f")
			s.sees("97.7Ki 1s behind")
			s.press("down", "down")
		}),
		"failover-asked": play(func(s *session) {
			openCache(s)
			s.press("f")
			s.sees("behind")
			s.press("enter")
			s.sees("takes it back")
		}),
		"failover-bulk": play(func(s *session) {
			s.press("ctrl+a", "f")
			s.sees("goes to its best replica")
			s.press("enter")
			s.sees("● 1 asked")
		}),
		"restart": play(func(s *session) { openCache(s); s.press("R"); s.sees("Rolls 3 servers") }),
		"restart-going": play(func(s *session) {
			openCache(s)
			s.press("R")
			s.sees("Rolls 3 servers")
			s.press("enter")
			s.sees("under way")
			s.fake.edit(func(d *kube.Detail) { d.Nodes[1].Pod = "cache-node-1-new"; d.Nodes[2].Ending = true })
			s.sees("runs anew")
		}),
		"restart-bulk": play(func(s *session) {
			s.press(" ", " ", "R")
			s.sees("the primary last")
			s.press("enter")
			s.sees("all 2 asked")
		}),
	})
}

// What the screen follows is there while it is seen, and no longer.
func TestOneValkeyIsFollowedOnlyWhileSeen(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	asked := func() []string {
		f.mu.Lock()
		defer f.mu.Unlock()
		return slices.Clone(f.pods)
	}
	openCache(s)
	s.until("the servers are asked", func() bool { return len(asked()) == 3 })
	s.press("l")
	s.sees("lines")
	s.until("under the logs they are not", func() bool { return len(asked()) == 0 })
	s.press("esc")
	s.until("seen again they are", func() bool { return len(asked()) == 3 })
	s.press("f")
	s.sees("Fail over default/cache")
	s.until("under a dialog they are, too, by the same observer", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.pods) == 3 && f.watching == 1
	})
	s.press("esc", "esc")
	s.until("left, nothing is followed", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.watching == 0 && len(s.m.inspections) == 0
	})
}

func TestATabSaysWhatItNeeds(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	openCache(s)
	s.press("5", "6", "1")
	if want := []server.Look{server.LookSlowlog, server.LookClients, server.LookInfo}; !slices.Equal(f.looks, want) {
		t.Errorf("looked for %v, want %v", f.looks, want)
	}
	s.press("shift+tab")
	s.sees("MEAN TIME TO LIVE")
	s.press("tab", "y")
	s.sees("apiVersion")
	s.press("esc", "y")
	s.sees("apiVersion")
}

// That a stopped one has no servers is no trouble.
func TestAStoppedValkeyIsAtRest(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	openCache(s)
	f.edit(func(d *kube.Detail) {
		d.Nodes = nil
		d.Valkey.Spec.Replicas = new(int32)
		for i := range d.Valkey.Status.Nodes {
			d.Valkey.Status.Nodes[i] = v1alpha1.NodeStatus{Name: d.Valkey.Status.Nodes[i].Name, Message: "stopped"}
		}
	})
	s.sees("○ node-2")
	if strings.Contains(s.text(), "node-2: stopped") {
		t.Errorf("it is told as trouble:\n%s", s.text())
	}
	s.press("2")
	s.sees("○ stopped")
}

// What the list does with a Valkey is done from its own screen, too.
func TestEveryActionIsThereOnTheScreenOfOne(t *testing.T) {
	for key, text := range map[string]string{
		"l": "lines", "s": "Scale default/cache", "S": "Stop default/cache", "f": "Fail over default/cache", "R": "Restart default/cache",
		"ctrl+d": "Type cache to delete", "Y": "with its password",
	} {
		f := newFake(cast()...)
		s := newSession(t, f, 120, 40, theme.TrueColor)
		s.sees("sessions")
		openCache(s)
		s.press(key)
		s.sees(text)
	}
}

// A password is shown when asked for, and hidden again by itself.
func TestAPasswordIsShownForAFewSeconds(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	openCache(s)
	if strings.Contains(s.text(), "s3cret") {
		t.Fatal("the password is shown unasked")
	}
	s.press("p")
	s.sees("s3cret")
	s.misses("s3cret")
	f.noURI = &kube.Problem{Class: kube.ClassForbidden, Message: `user "ann" may not get secrets`}
	s.press("p")
	s.sees(`not shown: user "ann" may not get secrets`)
}

func TestFailoverToAChosenNode(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.press("f", "enter")
	s.sees("it is not known yet which nodes there are")
	f.addCache()
	s.sees("behind")
	s.misses("it is not known yet")
	s.press("down", "enter")
	s.sees("is the primary already")
	s.press("down", "down", "enter")
	s.sees("is not ready: choose another")
	s.press("up", "enter")
	s.sees("the operator is asked")
	want := []string{"failover to cache-node-1 of default/cache uid uid-default-cache rv 1"}
	s.until("just that is done", func() bool { return slices.Equal(f.did(), want) })
	f.edit(func(d *kube.Detail) {
		d.Valkey.Status.Conditions[2].Reason = v1alpha1.ReasonHandoverBlocked
		d.Valkey.Status.Conditions[2].Message = "cache-node-1 is not in sync"
	})
	s.sees("cache-node-1 is not in sync")
	f.edit(func(d *kube.Detail) { d.Valkey.Status.Primary = "cache-node-1" })
	s.sees("cache-node-1 is the primary now")
	s.press("enter")
	s.misses("Fail over")
}

// case 2 (dashboard): what has taken the name of the object, or has changed under the eyes, is not acted on.
func TestFailoverAndRestartHitNoOther(t *testing.T) {
	for key, word := range map[string]string{"f": "Fail over", "R": "Restart"} {
		f := newFake(cast()...)
		s := newSession(t, f, 120, 40, theme.TrueColor)
		s.sees("sessions")
		f.addCache()
		s.press(key)
		s.sees(word + " default/cache")
		s.until("its nodes are known", func() bool { return strings.Contains(s.text(), "node-2") })
		f.put(object{name: "cache", uid: "another", replicas: 3, ready: 3, status: v1alpha1.PhaseRunning}.row())
		s.sees("it is gone, or going")
		s.press("enter")
		if did := f.did(); len(did) > 0 {
			t.Errorf("%s: did %q", word, did)
		}
	}
}

// Who confirms a restart before its nodes are known is not told that all run anew.
func TestRestartWaitsForTheNodes(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.press("R", "enter")
	s.sees("it is not known yet which nodes there are")
	f.addCache()
	s.sees("node-2")
	s.misses("it is not known yet")
	if did := f.did(); len(did) > 0 {
		t.Errorf("did %q", did)
	}
	s.press("enter")
	s.sees("under way")
	s.misses("all run anew")
}

// The operator's word of the nodes may come before that of their pods: these are the old ones, and no new ones.
func TestRestartKnowsItsPodsByName(t *testing.T) {
	f := newFake(cast()...)
	f.addCache()
	var pods []kube.Node
	f.edit(func(d *kube.Detail) {
		pods, d.Nodes = d.Nodes, nil
		d.Valkey.Status.Nodes = nil
		for _, n := range pods {
			d.Valkey.Status.Nodes = append(d.Valkey.Status.Nodes, v1alpha1.NodeStatus{Name: n.Name, Pod: n.Pod, Ready: true, Role: n.Role})
		}
	})
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.press("R")
	s.sees("node-2")
	s.press("enter")
	s.sees("under way")
	f.edit(func(d *kube.Detail) {
		d.Nodes = pods
		for i := range d.Nodes {
			d.Nodes[i].Ready = true
		}
	})
	s.sees("waits; hands over first")
	s.misses("all run anew")
	f.edit(func(d *kube.Detail) {
		for i := range d.Nodes {
			d.Nodes[i].Pod += "-anew"
			d.Valkey.Status.Nodes[i].Pod = d.Nodes[i].Pod
		}
	})
	s.sees("all run anew")
}

func TestRestartOfSeveralIsOneLineEach(t *testing.T) {
	f := newFake(cast()...)
	f.refuse["default/jobs"] = &kube.Problem{Class: kube.ClassForbidden, Message: "you may not"}
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	s.press(" ", " ", "R")
	s.sees("Restart 2 Valkeys")
	s.press("enter")
	s.sees("1 of 2 failed")
	if !strings.Contains(s.line("default/jobs"), "you may not") || !strings.Contains(s.line("default/cache"), "asked") {
		t.Errorf("the lines are %q and %q", s.line("default/jobs"), s.line("default/cache"))
	}
}

// case 12 and 15 (dashboard): whatever the size and whatever the cluster says, the screen has its lines and no control character.
func FuzzOneValkey(f *testing.F) {
	f.Add(80, 24, uint8(0), "text")
	f.Add(50, 12, uint8(3), "日本語 e\u0301 👩‍👩‍👧")
	f.Add(200, 50, uint8(1), strings.Repeat("long ", 200))
	f.Add(51, 13, uint8(6), "")
	f.Add(60, 20, uint8(3), strings.Repeat("long ", 200))
	f.Fuzz(func(t *testing.T, width, height int, at uint8, text string) {
		width, height = 1+abs(width)%250, 1+abs(height)%80
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			return // package kube has cleaned it
		}
		fake := newFake(cast()...)
		s := newSession(t, fake, 80, 24, theme.Mono)
		s.sees("sessions")
		openCache(s)
		fake.edit(func(d *kube.Detail) {
			d.Valkey.Spec.Image, d.Valkey.Status.Error, d.YAML = text, text, text
			d.Valkey.Status.RoleChanges[0].Reason, d.Events[0].Message, d.Nodes[1].State, d.Nodes[0].Pod = text, text, text, text
		})
		s.press(string('1' + rune(at%8)))
		s.until("what is new is known", func() bool {
			return s.m.inspections[kube.Ref{Namespace: "default", Name: "cache", UID: "uid-default-cache"}].detail.YAML == text
		})
		s.send(tea.WindowSizeMsg{Width: width, Height: height})
		checkView(t, s.m.View(), width, height)
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.press("f")
		s.send(tea.WindowSizeMsg{Width: width, Height: height})
		checkView(t, s.m.View(), width, height)
	})
}

func abs(n int) int { return max(n, -max(n, -1<<62)) }

// While nobody answers that is said once, and what is shown is marked as what was known last.
func TestOneValkeyOfAClusterThatIsDown(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	openCache(s)
	s.sees("operator 0.4.0 ● 2/2")
	down := &kube.Problem{Class: kube.ClassUnreachable, Message: "cannot reach the cluster: connection refused", Hint: "is it running?"}
	f.edit(func(d *kube.Detail) { d.Problem, d.PodsProblem = down, down })
	f.fail(down)
	s.sees("? running, as last known")
	s.sees("operator 0.4.0 ? 2/2")
	s.until("it is said once", func() bool { return strings.Count(s.text(), "cannot reach the cluster") == 1 })
	s.misses("?;")
	f.edit(func(d *kube.Detail) { d.Problem, d.PodsProblem = nil, nil })
	f.fail(nil)
	s.misses("as last known")
	s.sees("operator 0.4.0 ● 2/2")
}

// A primary that stays one, as after its restart, has not gone from itself to itself.
func TestPrimaryThatWasKeptHasNoArrow(t *testing.T) {
	f := newFake(cast()...)
	s := newSession(t, f, 120, 40, theme.TrueColor)
	s.sees("sessions")
	openCache(s)
	f.edit(func(d *kube.Detail) { d.Valkey.Status.RoleChanges[0].From = d.Valkey.Status.RoleChanges[0].To })
	s.sees("node-0 kept")
	s.misses("node-0 → node-0")
}
