package valkey

import (
	"testing"
	"time"
)

// That another server is heard of makes nobody forget one, unless that has been silent for an hour.
func TestServersAreHeardBesideEachOther(t *testing.T) {
	t.Parallel()
	c := NewClients(nil, nil)
	at := func(ip string) Target { return Target{Namespace: "default", Owner: "db", IP: ip} }
	hear := func(t Target, now time.Time) { c.ears.hear(addressOf(t), now) }
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	hear(at("10.0.0.1"), begin)
	hear(at("10.0.0.2"), begin.Add(heardFor))
	hear(at("10.0.0.2"), begin.Add(heardFor+time.Second))
	for ip, want := range map[string]time.Time{"10.0.0.1": begin, "10.0.0.2": begin.Add(heardFor + time.Second)} {
		if last, heard := c.Heard(at(ip)); !heard || !last.Equal(want) {
			t.Errorf("%s was heard of at %s (%t), want %s", ip, last, heard, want)
		}
	}
	hear(at("10.0.0.3"), begin.Add(heardFor+time.Second))
	if last, heard := c.Heard(at("10.0.0.1")); heard {
		t.Errorf("it is kept for more than %s that 10.0.0.1 was heard of at %s", heardFor, last)
	}
	if _, heard := c.Heard(Target{Namespace: "default", Owner: "cache", IP: "10.0.0.2"}); heard {
		t.Error("what a server said is taken for the word of another Valkey's, which had its address before")
	}
}
