package help

// Words is for screen.Worded: every key on a line of its own.
func (m *Model) Words() (words, figures []string) {
	for _, s := range m.sections() {
		words = append(words, s.Title+":")
		for _, h := range s.Hints {
			words = append(words, h.Key+", "+h.Text)
		}
	}
	return words, nil
}
