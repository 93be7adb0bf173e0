package server

import (
	"context"
	"strings"
	"time"

	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/tui/clean"
)

// Look is what is asked of the servers beside INFO.
type Look int

const (
	// LookInfo asks for nothing more.
	LookInfo Look = iota
	// LookSlowlog asks for the slow commands and for latency spikes.
	LookSlowlog
	// LookClients asks for the connections.
	LookClients
)

const (
	slowlogEntries = "128"
	// mostListed is up to how many clients the list is asked for: it costs the server a line for each.
	mostListed = 2000
	// longestCommand bounds what is kept of a slow command's text.
	longestCommand = 500
)

// Slow is one entry of a server's slow log.
type Slow struct {
	ID       int64
	At       time.Time
	Took     time.Duration
	Command  string
	Client   string // its name or, where it has none, its address
	Argument int    // how many words the command has
}

// Latency is what a server noted of one kind of event that held it up.
type Latency struct {
	Event     string
	At        time.Time
	Last, Max time.Duration
}

// Connection is a client of a server.
type Connection struct {
	ID, Address, Name, User, Library string
	Age, Idle                        time.Duration
	Database                         string
	Command                          string
	Flags                            string
	Memory                           int64
}

// More is what the servers were asked for beside INFO.
type More struct {
	Look    Look
	Slow    []Slow
	Latency []Latency
	Clients []Connection
	// Left says in words why it is not asked, or what of it is left out.
	Left string
}

func ask(ctx context.Context, s *valkey.Session, look Look, i *Info) (*More, error) {
	more := &More{Look: look}
	switch look {
	case LookSlowlog:
		reply, err := s.Do(ctx, "SLOWLOG", "GET", slowlogEntries)
		if err != nil {
			return refused(more, err)
		}
		more.Slow = slowlog(reply)
		if reply, err = s.Do(ctx, "LATENCY", "LATEST"); err != nil {
			return refused(more, err)
		}
		more.Latency = latencies(reply)
	case LookClients:
		if i.Clients > mostListed {
			more.Left = "there are more clients than are listed here: the server would have to write a line for each"
			return more, nil
		}
		reply, err := s.Do(ctx, "CLIENT", "LIST")
		if err != nil {
			return refused(more, err)
		}
		text, _ := reply.(string)
		more.Clients = connections(clean.Block(text))
	default:
		return nil, nil
	}
	return more, nil
}

// refused says what the server may not tell us; any other error is one of the connection.
func refused(more *More, err error) (*More, error) {
	if !valkey.IsRefusal(err) {
		return nil, err
	}
	more.Left = "the server refuses to tell: " + clean.Text(err.Error())
	return more, nil
}

// slowlog reads the reply of SLOWLOG GET, see https://valkey.io/commands/slowlog-get/. The newest comes first.
func slowlog(reply any) []Slow {
	rows, _ := reply.([]any)
	var entries []Slow
	for _, row := range rows {
		fields, _ := row.([]any)
		if len(fields) < 4 {
			continue
		}
		words, _ := fields[3].([]any)
		e := Slow{
			ID: integer(fields[0]), At: time.Unix(integer(fields[1]), 0), Took: time.Duration(integer(fields[2])) * time.Microsecond,
			Command: command(words), Argument: len(words),
		}
		if len(fields) > 5 {
			if e.Client = word(fields[5]); e.Client == "" {
				e.Client = word(fields[4])
			}
		}
		entries = append(entries, e)
	}
	return entries
}

func command(words []any) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word(w))
		if b.Len() > longestCommand {
			return b.String()[:longestCommand] + "..."
		}
	}
	return clean.Text(b.String())
}

func latencies(reply any) []Latency {
	rows, _ := reply.([]any)
	var found []Latency
	for _, row := range rows {
		if f, _ := row.([]any); len(f) >= 4 {
			found = append(found, Latency{
				Event: word(f[0]), At: time.Unix(integer(f[1]), 0),
				Last: time.Duration(integer(f[2])) * time.Millisecond, Max: time.Duration(integer(f[3])) * time.Millisecond,
			})
		}
	}
	return found
}

// connections reads the reply of CLIENT LIST, see https://valkey.io/commands/client-list/.
func connections(text string) []Connection {
	var found []Connection
	for line := range strings.Lines(text) {
		f := map[string]string{}
		for part := range strings.FieldsSeq(line) {
			key, value, _ := strings.Cut(part, "=")
			f[key] = value
		}
		if f["id"] == "" {
			continue
		}
		found = append(found, Connection{
			ID: f["id"], Address: f["addr"], Name: f["name"], User: f["user"], Library: strings.TrimSpace(f["lib-name"] + " " + f["lib-ver"]),
			Age: time.Duration(number(f["age"])) * time.Second, Idle: time.Duration(number(f["idle"])) * time.Second,
			Database: f["db"], Command: f["cmd"], Flags: f["flags"], Memory: number(f["tot-mem"]),
		})
	}
	return found
}

func word(value any) string {
	s, _ := value.(string)
	return clean.Text(s)
}

func integer(value any) int64 {
	n, _ := value.(int64)
	return n
}
