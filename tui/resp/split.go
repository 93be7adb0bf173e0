package resp

import (
	"errors"
	"strconv"
	"strings"
)

// ErrQuotes says that a quote is not closed, or is followed by something else than a space.
var ErrQuotes = errors.New("the quotes do not match")

// Split takes a typed line apart as valkey-cli does: words in spaces, "double quotes" with escapes (\n, \xff), 'single quotes' without.
func Split(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeft(line, " \t\r\n")
		if line == "" {
			return words, nil
		}
		word, rest, err := nextWord(line)
		if err != nil {
			return nil, err
		}
		words, line = append(words, word), rest
	}
}

func nextWord(line string) (word, rest string, err error) {
	var out strings.Builder
	for line != "" {
		switch c := line[0]; c {
		case ' ', '\t', '\r', '\n':
			return out.String(), line, nil
		case '"', '\'':
			part, after, ok := quoted(line[1:], c)
			if !ok || after != "" && !strings.ContainsRune(" \t\r\n", rune(after[0])) {
				return "", "", ErrQuotes
			}
			out.WriteString(part)
			line = after
		default:
			out.WriteByte(c)
			line = line[1:]
		}
	}
	return out.String(), "", nil
}

// quoted reads to the closing quote.
func quoted(s string, quote byte) (text, rest string, ok bool) {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote:
			return out.String(), s[i+1:], true
		case c == '\\' && quote == '\'' && strings.HasPrefix(s[i+1:], "'"):
			out.WriteByte('\'')
			i++
		case c == '\\' && quote == '"' && i+1 < len(s):
			b, n := escape(s[i+1:])
			out.WriteByte(b)
			i += n
		default:
			out.WriteByte(c)
		}
	}
	return "", "", false
}

// escape is the byte that an escape stands for, and its length behind the backslash.
func escape(s string) (b byte, n int) {
	const digits, base, bits = 2, 16, 8
	if s[0] == 'x' && len(s) > digits {
		if v, err := strconv.ParseUint(s[1:1+digits], base, bits); err == nil {
			return byte(v), 1 + digits
		}
	}
	switch s[0] {
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'b':
		return '\b', 1
	case 'a':
		return '\a', 1
	default:
		return s[0], 1
	}
}
