package tui

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/console"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/resp"
)

// fakeSeat is a connection to a server that is none. DIE breaks it, BLPOP never answers, SUBSCRIBE brings three messages and goes on, LRANGE
// answers with a hundred.
type fakeSeat struct {
	fake *fake
	node string
}

// Sit is for sitter.
func (f *fake) Sit(_ context.Context, _ kube.Ref, node string) (console.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noSession != nil {
		return nil, f.noSession
	}
	f.sessions++
	return &fakeSeat{f, node}, nil
}

func (s *fakeSeat) Do(ctx context.Context, words []string, each func(resp.Value)) (resp.Value, error) {
	s.fake.set(func() { s.fake.note("%s: %s", s.node, strings.Join(words, " ")) })
	text := func(kind resp.Kind, t string) resp.Value { return resp.Value{Kind: kind, Text: t} }
	switch strings.ToLower(words[0]) {
	case "ping":
		return text(resp.Status, "PONG"), nil
	case "die":
		return resp.Value{}, &kube.Problem{Class: kube.ClassUnreachable, Message: "the server has closed the connection"}
	case "blpop":
		<-ctx.Done()
		return resp.Value{}, ctx.Err()
	case "subscribe":
		for i := range 3 {
			each(resp.Value{Kind: resp.Push, Items: []resp.Value{text(resp.String, "message"), text(resp.String, "news "+strconv.Itoa(i+1))}})
		}
		<-ctx.Done()
		return resp.Value{}, ctx.Err()
	case "lrange":
		list := resp.Value{Kind: resp.Array}
		for i := range 100 {
			list.Items = append(list.Items, text(resp.String, "element "+strconv.Itoa(i+1)))
		}
		return list, nil
	case "wrong":
		return text(resp.Error, "ERR unknown command 'wrong'"), nil
	default:
		return text(resp.String, "reply to "+words[0]+"\x1b[2J"), nil
	}
}

func (s *fakeSeat) Commands(context.Context) (resp.Commands, error) {
	if s.fake.noCommands {
		return nil, errors.New("no rights")
	}
	return fakeCommands(), nil
}

// Where is for console.Session: node 1 is the primary.
func (s *fakeSeat) Where() (string, v1alpha1.Role) {
	if strings.HasSuffix(s.node, "-1") {
		return s.node, v1alpha1.RolePrimary
	}
	return s.node, v1alpha1.RoleReplica
}

func (s *fakeSeat) Close() { s.fake.set(func() { s.fake.sessions-- }) }

func (f *fake) openSessions() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sessions
}

// fakeCommands are some commands as a server tells them.
func fakeCommands() resp.Commands {
	text := func(s string) resp.Value { return resp.Value{Kind: resp.String, Text: s} }
	texts := func(all ...string) (v resp.Value) {
		for _, s := range all {
			v.Items = append(v.Items, text(s))
		}
		return v
	}
	argument := func(name, kind string, flags ...string) resp.Value {
		return resp.Value{Kind: resp.Map, Items: []resp.Value{
			text("name"), text(name), text("type"), text(kind), text("flags"), texts(flags...), text("token"), text(strings.ToUpper(name)),
		}}
	}
	plain := func(name string, flags ...string) resp.Value {
		v := argument(name, "string", flags...)
		v.Items = v.Items[:6]
		return v
	}
	var info, docs resp.Value
	add := func(name, summary, flag, category string, arguments ...resp.Value) {
		none := resp.Value{}
		info.Items = append(info.Items, resp.Value{Items: []resp.Value{text(name), none, texts(flag), none, none, none, texts(category)}})
		docs.Items = append(docs.Items, text(name), resp.Value{Items: []resp.Value{
			text("summary"), text(summary), text("arguments"), {Items: arguments},
		}})
	}
	add("get", "Returns the string value of a key.", "readonly", "@read", plain("key"))
	add("getdel", "Returns the string value of a key after deleting the key.", "write", "@write", plain("key"))
	add("ping", "Returns the server's liveliness response.", "fast", "@fast", plain("message", "optional"))
	add("set", "Sets the string value of a key, ignoring its type.", "write", "@write", plain("key"), plain("value"),
		argument("nx", "pure-token", "optional"), argument("get", "pure-token", "optional"))
	add("flushall", "Removes all keys from all databases.", "write", "@dangerous")
	add("blpop", "Removes and returns the first element in a list.", "write", "@blocking", plain("key", "multiple"), plain("timeout"))
	add("subscribe", "Listens for messages published to channels.", "pubsub", "@pubsub", plain("channel", "multiple"))
	add("lrange", "Returns a range of elements from a list.", "readonly", "@read", plain("key"), plain("start"), plain("stop"))
	add("acl", "A container for Access List Control commands.", "admin", "@admin")
	add("die", "", "fast", "@fast")
	add("wrong", "", "fast", "@fast")
	return resp.ParseCommands(info, docs)
}
