package network

import (
	"fmt"
	"slices"
	"testing"
)

func TestRoutesLeadToTheOtherNodesAndServicesOnly(t *testing.T) {
	for i, want := range map[int][]string{
		1: {"10.96.0.0/16 via <nil>", "10.244.2.0/24 via 10.88.0.2", "10.244.3.0/24 via 10.88.0.3"},
		2: {"10.96.0.0/16 via <nil>", "10.244.1.0/24 via 10.88.0.1", "10.244.3.0/24 via 10.88.0.3"},
	} {
		var got []string
		for _, r := range routes(i, 7) {
			if r.LinkIndex != 7 {
				t.Errorf("node %d: route %s leaves by link %d", i, r.Dst, r.LinkIndex)
			}
			got = append(got, fmt.Sprintf("%s via %s", r.Dst, r.Gw))
		}
		if !slices.Equal(got, want) {
			t.Errorf("node %d: got %q, want %q", i, got, want)
		}
	}
}
