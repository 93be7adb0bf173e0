package resources

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// login reads the probe user's password from the mounted file at each call: an environment variable of the container is
// frozen when it starts, and arguments are visible to all. It goes to valkey-cli by the variable that it reads a password
// from, so never as an argument. The file has no newline at its end, so read fails though it has read; cat would cost a
// process more, which a server with a small share of a CPU feels.
const login = `read -r REDISCLI_AUTH < ` + secretDir + `/` + KeyProbePassword + ` || :; export REDISCLI_AUTH; `

// cliLine asks the server as the probe user.
const cliLine = `valkey-cli --no-auth-warning --user ` + v1alpha1.UserProbe

const (
	// anyAnswer holds for a server that is alive, whatever it says: NOAUTH, LOADING and MASTERDOWN are answers.
	anyAnswer = login + `r="$(` + cliLine + ` ping 2>&1)"; case "$r" in PONG*|*NOAUTH*|*WRONGPASS*|*NOPERM*|*LOADING*|*MASTERDOWN*|*BUSY*|*MISCONF*) ;; *) echo "$r"; exit 1 ;; esac`
	// serves holds for a primary that answers, and for a replica whose link to its primary is up.
	serves = login + `r="$(printf 'PING\nROLE\n' | ` + cliLine + ` 2>&1)"; ` +
		`case "$r" in *PONG*master*|*PONG*slave*connected*) ;; *) echo "$r" | head -c 200; exit 1 ;; esac`
)

// startupProbe gives a pod that waits for the lock of the one before it the time that that one may take to end.
// Loading counts as started: from then on liveness accepts it, and readiness does not.
func startupProbe(v *v1alpha1.Valkey) *corev1.Probe {
	const slack = 60
	p := probe(anyAnswer, 1, 5)
	p.FailureThreshold = int32(Grace(v)/time.Second) + slack //nolint:gosec // at most half an hour
	return p
}

// livenessProbe fails after a minute without any answer: a slow fork or a blocked disk is not a death.
func livenessProbe() *corev1.Probe {
	p := probe(anyAnswer, 10, 10)
	p.FailureThreshold = 6
	return p
}

func readinessProbe() *corev1.Probe {
	p := probe(serves, 2, 5)
	p.FailureThreshold = 2
	return p
}

// holdPrimary keeps a primary that is being deleted until it has handed over, ten seconds at the most: the signal that
// comes after it would end the server before any handover. A primary without replicas, and a server that does not
// answer, are not held. The time is what is bounded, not the number of questions: one takes a server with a small share of a
// CPU so long that a hundred used up the time that it has to end in, and what was not on disk by then was lost.
const holdPrimary = login + `while :; do ` +
	`r="$(printf 'ROLE\nINFO replication\n' | ` + cliLine + ` 2>/dev/null)"; ` +
	`case "$r" in master*connected_slaves:0*) exit 0 ;; master*) sleep 0.1 ;; *) exit 0 ;; esac; done`

func preStop() *corev1.LifecycleHandler {
	return &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"sh", "-c", `timeout 10 sh -c "$0" || :`, holdPrimary}}}
}

func probe(line string, periodSeconds, timeoutSeconds int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:     corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"sh", "-c", line}}},
		PeriodSeconds:    periodSeconds,
		TimeoutSeconds:   timeoutSeconds,
		SuccessThreshold: 1,
	}
}
