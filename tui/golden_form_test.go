package tui

import (
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/screen/form"
)

// forms waits until a form has what it is made of.
func (s *session) forms() {
	s.until("the form is read", func() bool {
		top, isForm := s.m.top().screen.(*form.Model)
		return isForm && top.IsLoaded()
	})
}

// stopCast are Valkeys that keep their data, keep none, and are stopped.
func stopCast() []*kube.Row {
	return []*kube.Row{
		object{name: "cache", replicas: 3, ready: 3, generation: 1, status: "running"}.row(),
		object{name: "mem", replicas: 2, ready: 2, noVolume: true, generation: 1, status: "running"}.row(),
		object{name: "sessions", replicas: 0, remembered: 4, generation: 1, status: "stopped"}.row(),
	}
}

// edits changes the form of cache.
func edits(s *session) {
	s.press("e")
	s.sees("valkey/valkey:9.1")
	s.forms()
	s.field("Image")
	s.retype("valkey/valkey:9.2")
	s.field("Servers")
	s.retype("2")
}

func init() {
	for name, scene := range map[string]func(s *session){
		"edit": edits,
		"edit-advanced": func(s *session) {
			edits(s)
			s.field("config")
			s.write("maxmemory-policy: allkeys-lru")
			s.press("enter")
			s.write("port: 1")
		},
		"edit-refused": func(s *session) {
			edits(s)
			s.fake.refuse["default/cache"] = &kube.Problem{Class: kube.ClassInvalid, Fields: []kube.FieldProblem{
				{Path: "spec.volume.storage", Message: "a volume can grow but not shrink: keep the size or raise it; to shrink, create a new Valkey and copy the data"},
			}}
			s.press("ctrl+s")
			s.sees("not changed")
		},
		"review-create": func(s *session) {
			s.press("c")
			s.forms()
			s.write("new-one")
			s.press("ctrl+s")
			s.sees("not applied yet")
		},
		"review-edit": func(s *session) {
			edits(s)
			s.fake.meanwhile("256Mi", "spec", "resource", "memory")
			s.press("ctrl+s")
			s.sees("not applied yet")
		},
		"review-loss": func(s *session) {
			s.press("j", "e")
			s.sees("valkey/valkey:9.1")
			s.forms()
			s.field("Servers")
			s.retype("0")
			s.press("ctrl+s")
			s.sees("not applied yet")
			s.press("enter")
			s.sees("to lose the data")
			s.write("me")
		},
		"editor-refused": func(s *session) {
			s.t.Setenv("TMPDIR", s.t.TempDir())
			s.t.Setenv("KUBE_EDITOR", "sed -i s/512Mi/512MB/")
			s.fake.refuse["default/cache"] = &kube.Problem{Class: kube.ClassInvalid, Message: "spec.resource.memory: memory is a whole number and Ki, Mi or Gi, e.g. 512Mi"}
			s.press("E")
			s.sees("not applied")
			for _, e := range s.m.forms.edits { // a path of its own each time
				s.send(screen.Editing{To: s.m.top().id, Problem: e.problem, Path: "/tmp/valkeyctl/cache.yaml"})
			}
			s.sees("kept in /tmp/valkeyctl/cache.yaml")
		},
		"choose":    func(s *session) { s.press("c"); s.forms(); s.press("tab", "ctrl+o"); s.sees("kube-system") },
		"stop":      func(s *session) { s.press("S"); s.sees("Stop default/cache") },
		"stop-loss": func(s *session) { s.press("j", "S"); s.sees("ALL DATA IS LOST"); s.write("m") },
		"stop-bulk": func(s *session) { s.press("ctrl+a", "S"); s.sees("Stop 3 Valkeys") },
		"stop-done": func(s *session) {
			s.press("ctrl+a", "S")
			s.write("lose 1")
			s.press("enter")
			s.sees("all 2 done")
			s.sees("○ 3")
		},
		"start": func(s *session) { s.press("G", "S"); s.sees("Start default/sessions") },
	} {
		scenes[name] = struct {
			rows []*kube.Row
			play func(s *session)
		}{stopCast(), scene}
	}
}
