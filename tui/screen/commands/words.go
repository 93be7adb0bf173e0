package commands

// Words is for screen.Worded: what was said of the last command; and after a key the line that is typed, with how it goes on.
func (m *Model) Words() (words, figures []string) {
	syntax, _ := m.hint()
	return append([]string{}, m.news...), []string{m.label() + m.prompt.Value(), syntax}
}
