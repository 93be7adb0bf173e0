package valkey

import (
	"testing"
	"time"
)

// That another server is heard of makes nobody forget one, unless that has been silent for an hour.
func TestServersAreHeardBesideEachOther(t *testing.T) {
	t.Parallel()
	c := NewClients(nil, nil)
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c.ears.hear("10.0.0.1", begin)
	c.ears.hear("10.0.0.2", begin.Add(heardFor))
	c.ears.hear("10.0.0.2", begin.Add(heardFor+time.Second))
	for ip, want := range map[string]time.Time{"10.0.0.1": begin, "10.0.0.2": begin.Add(heardFor + time.Second)} {
		if at, heard := c.Heard(ip); !heard || !at.Equal(want) {
			t.Errorf("%s was heard of at %s (%t), want %s", ip, at, heard, want)
		}
	}
	c.ears.hear("10.0.0.3", begin.Add(heardFor+time.Second))
	if at, heard := c.Heard("10.0.0.1"); heard {
		t.Errorf("it is kept for more than %s that 10.0.0.1 was heard of at %s", heardFor, at)
	}
}
