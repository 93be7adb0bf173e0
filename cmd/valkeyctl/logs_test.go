package main

import "testing"

func TestLogsRefuseABadTail(t *testing.T) {
	valkeyctl(t, noKubeconfig, "logs", "app", "--tail=-5").expect(t, exitUsage, "--tail=-5 is no number of lines; 0 or more, or -1 for all")
}
