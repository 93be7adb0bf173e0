package tui

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"kuberly.io/valkey-operator/tui/screen"
)

const (
	// speechWidth and speechHeight are the size of the picture that is put into words: wide enough that nothing is cut.
	speechWidth, speechHeight = 240, 50
	// speechPause is the least time between two announcements that no key has asked for.
	speechPause = time.Second
)

// speaker is the dashboard for those who hear it: the same screens, as lines of plain text that follow each other. What is new is said
// once; nothing is drawn over, framed or moved. A key is answered at once, news of the cluster wait for a pause.
type speaker struct {
	m   *model
	out voice

	said    map[string][]string // by part of the screen
	top     screen.ID
	spoke   time.Time
	waiting bool
}

// voice is a terminal that lines are written to.
type voice interface {
	io.Writer
	raw() error
	cooked()
}

func newSpeaker(m *model, out voice) *speaker {
	return &speaker{m: m, out: out, said: map[string][]string{}}
}

// speakNow ends a pause.
type speakNow struct{}

// Init is for tea.Model.
func (s *speaker) Init() tea.Cmd {
	s.m.Update(tea.WindowSizeMsg{Width: speechWidth, Height: speechHeight})
	return s.m.Init()
}

// Update is for tea.Model.
func (s *speaker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg.(type) {
	case tea.WindowSizeMsg:
		return s, nil // the picture that is put into words has a size of its own
	case speakNow:
		s.waiting = false
	default:
		_, cmd = s.m.Update(msg)
	}
	_, isKey := msg.(tea.KeyMsg)
	if wait := speechPause - time.Since(s.spoke); !isKey && wait > 0 {
		if s.waiting {
			return s, cmd
		}
		s.waiting = true
		return s, tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return speakNow{} }))
	}
	s.speak(isKey)
	return s, cmd
}

// enter takes the terminal. What was on it is gone from the ear.
func (s *speaker) enter() error {
	clear(s.said)
	return s.out.raw()
}

// leave gives the terminal back.
func (s *speaker) leave() { s.out.cooked() }

// View is for tea.Model. There is no picture.
func (s *speaker) View() string { return "" }

// speak says what is new since it last spoke. asked says that a key was pressed.
func (s *speaker) speak(asked bool) {
	m := s.m
	if m.quitting || !m.hasSize {
		return
	}
	isNew := s.top != m.top().id
	if isNew {
		s.top = m.top().id
		for _, part := range []string{"title", "status", "body", "figures", "keys", "prompt"} {
			delete(s.said, part)
		}
	}
	page, dialog := m.views()
	s.part("place", m.header())
	s.part("trouble", strings.Join(m.banner, " "))
	v := page
	if dialog != nil {
		v = *dialog
	}
	s.part("title", v.Title)
	if !s.counts("status", v.Status) {
		s.part("status", v.Status)
	}
	var words, figures []string
	if worded, isWorded := m.top().screen.(screen.Worded); isWorded {
		words, figures = worded.Words()
	}
	if words == nil {
		words = v.Lines
	}
	s.part("body", words...)
	if asked || isNew {
		s.part("figures", figures...)
	}
	s.part("prompt", v.Prompt)
	s.part("news", m.flash.Text)
	var hints []string
	for _, h := range v.Hints {
		if !h.Off {
			hints = append(hints, h.Key+" "+h.Text)
		}
	}
	if isNew && len(hints) > 0 {
		s.part("keys", "keys: "+strings.Join(hints, ", "))
	}
}

// counts says that of a part nothing but numbers has changed, as that of the lines of a log.
func (s *speaker) counts(name, line string) bool {
	before := s.said[name]
	return len(before) == 1 && digits.ReplaceAllString(before[0], "") == digits.ReplaceAllString(spoken(line), "")
}

// part says those lines of a part that it did not hold before. What was only added to is said whatever it held.
func (s *speaker) part(name string, lines ...string) {
	before := s.said[name]
	now := make([]string, len(lines))
	for i, l := range lines {
		now[i] = spoken(l)
	}
	isLonger := len(before) > 0 && len(before) <= len(now) && slices.Equal(before, now[:len(before)])
	var text strings.Builder
	for i, l := range now {
		isOld := isLonger && i < len(before) || !isLonger && slices.Contains(before, l)
		if l != "" && !isOld {
			text.WriteString(l + "\r\n") // the terminal is raw
		}
	}
	s.said[name] = now
	if text.Len() > 0 {
		s.spoke = time.Now()
		_, _ = io.WriteString(s.out, text.String()) // there is nobody to tell where that fails
	}
}

var (
	frames = regexp.MustCompile(`^[-+|\s]+$`)
	gaps   = regexp.MustCompile(`\s{2,}`)
	digits = regexp.MustCompile(`\d+`)
)

// spoken is a line without colours and frames, with a comma where columns stand apart.
func spoken(line string) string {
	line = strings.Trim(ansi.Strip(line), " |")
	if frames.MatchString(line) {
		return ""
	}
	line = strings.TrimSuffix(strings.TrimPrefix(line, "+- "), "-+")
	return gaps.ReplaceAllString(strings.TrimRight(line, "- "), ", ")
}
