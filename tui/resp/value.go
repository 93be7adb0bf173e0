package resp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Kind is the type of a reply, as the protocol marks it.
type Kind byte

// Kinds of replies.
const (
	Status   Kind = '+'
	Error    Kind = '-'
	Integer  Kind = ':'
	String   Kind = '$'
	Array    Kind = '*'
	Nil      Kind = '_'
	Bool     Kind = '#'
	Double   Kind = ','
	Big      Kind = '('
	Verbatim Kind = '='
	Map      Kind = '%'
	Set      Kind = '~'
	Push     Kind = '>'

	bulkError Kind = '!'
	attribute Kind = '|'
)

// Value is one reply. It may hold any byte: what is drawn of it goes through Lines.
type Value struct {
	Kind Kind
	Text string
	// Items are the elements; of a map each key is followed by its value.
	Items []Value
	// More is the number of bytes of the text, or of elements, that were left out.
	More int
}

// IsError says whether the server refused.
func (v Value) IsError() bool { return v.Kind == Error }

// Pairs calls do for each pair of a map, or of an array that stands for one.
func (v Value) Pairs(do func(key string, value Value)) {
	for i := 0; i+1 < len(v.Items); i += 2 {
		do(v.Items[i].Text, v.Items[i+1])
	}
}

// Limits bound what of a reply is kept. The rest is read and counted.
type Limits struct {
	// Bytes of all texts together, Items of all elements together.
	Bytes, Items int
}

const (
	maxDepth = 64
	maxLine  = 64 << 10
	// overhead is about what an element takes beside its text.
	overhead = 64
)

// errProtocol is wrapped by errors of replies that are none.
var errProtocol = errors.New("no reply of a Valkey")

// Reader reads replies.
type Reader struct {
	in     *bufio.Reader
	limits Limits
}

// NewReader reads from r within the limits.
func NewReader(r io.Reader, limits Limits) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, maxLine), limits: limits}
}

// With reads on within other limits.
func (r *Reader) With(limits Limits) *Reader { return &Reader{in: r.in, limits: limits} }

// Read reads one reply.
func (r *Reader) Read() (Value, error) {
	left := r.limits
	return r.read(&left, 0)
}

func (r *Reader) read(left *Limits, depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, fmt.Errorf("%w: nested too deep", errProtocol)
	}
	for {
		line, err := r.line()
		if err != nil {
			return Value{}, err
		}
		v := Value{Kind: Kind(line[0]), Text: line[1:]}
		switch v.Kind {
		case Status, Error, Integer, Double, Big, Bool, Nil:
			if v.Kind == Nil {
				v.Text = ""
			}
			left.Bytes -= len(v.Text) + overhead
			return v, nil
		case String, Verbatim, bulkError:
			return r.bulk(v, left)
		case Array, Map, Set, Push:
			return r.aggregate(v, left, depth)
		case attribute:
			// Says something about the reply that follows; nobody asked for it.
			if _, err := r.aggregate(Value{Kind: Map, Text: v.Text}, left, depth); err != nil {
				return Value{}, err
			}
		default:
			return Value{}, fmt.Errorf("%w: it begins with %q", errProtocol, line[:1])
		}
	}
}

func (r *Reader) line() (string, error) {
	raw, err := r.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", fmt.Errorf("%w: a line without an end", errProtocol)
	}
	if err != nil {
		return "", err
	}
	line := strings.TrimRight(string(raw), "\r\n")
	if line == "" {
		return "", fmt.Errorf("%w: an empty line", errProtocol)
	}
	return line, nil
}

// size is the length that a line announces; -1 for nil.
func size(text string) (int, error) {
	const most = 1 << 40
	n, err := strconv.Atoi(text)
	if err != nil || n < -1 || n > most {
		return 0, fmt.Errorf("%w: length %q", errProtocol, text)
	}
	return n, nil
}

func (r *Reader) bulk(v Value, left *Limits) (Value, error) {
	n, err := size(v.Text)
	if err != nil {
		return Value{}, err
	}
	if n < 0 {
		return Value{Kind: Nil}, nil
	}
	keep := min(n, max(left.Bytes, 0))
	var text strings.Builder
	if _, err := io.CopyN(&text, r.in, int64(keep)); err != nil {
		return Value{}, unexpected(err)
	}
	if _, err := io.CopyN(io.Discard, r.in, int64(n-keep+len("\r\n"))); err != nil {
		return Value{}, unexpected(err)
	}
	left.Bytes -= keep + overhead
	v.Text, v.More = text.String(), n-keep
	switch v.Kind {
	case Verbatim:
		// Three letters say what it is: txt:, mkd:.
		const mark = 4
		if len(v.Text) >= mark && v.Text[mark-1] == ':' {
			v.Text = v.Text[mark:]
		}
	case bulkError:
		v.Kind = Error
	default:
	}
	return v, nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (r *Reader) aggregate(v Value, left *Limits, depth int) (Value, error) {
	n, err := size(v.Text)
	if err != nil {
		return Value{}, err
	}
	v.Text = ""
	if n < 0 {
		return Value{Kind: Nil}, nil
	}
	step := 1
	if v.Kind == Map {
		step = 2
	}
	for range n {
		keep := left.Items > 0 && left.Bytes > 0
		left.Items--
		for range step {
			item, err := r.read(left, depth+1)
			if err != nil {
				return Value{}, unexpected(err)
			}
			if keep {
				v.Items = append(v.Items, item)
			}
		}
		if !keep {
			v.More++
		}
	}
	return v, nil
}

// AppendCommand appends a command as it is sent.
func AppendCommand(buf []byte, words []string) []byte {
	buf = append(buf, '*')
	buf = strconv.AppendInt(buf, int64(len(words)), 10)
	buf = append(buf, "\r\n"...)
	for _, w := range words {
		buf = append(buf, '$')
		buf = strconv.AppendInt(buf, int64(len(w)), 10)
		buf = append(buf, "\r\n"...)
		buf = append(buf, w...)
		buf = append(buf, "\r\n"...)
	}
	return buf
}
