package forwards

// Words is for screen.Worded: the forward under the cursor, and after a key how much went over it.
func (m *Model) Words() (words, figures []string) {
	if len(m.list) == 0 {
		return m.empty(), nil
	}
	forward, moving := m.table.Words("open", "in all", "sent", "received")
	words = []string{forward}
	if m.note != "" {
		words = append(words, m.note)
	}
	return words, []string{moving}
}
