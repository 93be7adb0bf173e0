package logs

import "strconv"

// Words is for screen.Worded: while it stays, the line that is meant; while it follows, its lines are said as they come.
func (m *Model) Words() (words, figures []string) {
	if m.line != nil || m.log.IsFollowing() {
		return nil, nil
	}
	line, found := m.log.Focus()
	if !found {
		return nil, nil
	}
	text := "line " + strconv.FormatUint(line.Number+1, 10)
	if line.Label != "" {
		text += ", " + line.Label
	}
	switch {
	case line.Dropped > 0:
		text += ": " + strconv.Itoa(line.Dropped) + " lines were dropped here"
	default:
		text += ": " + line.PlainText()
	}
	return []string{text}, nil
}
