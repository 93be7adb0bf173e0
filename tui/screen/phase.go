package screen

import (
	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/theme"
)

// Phase is how the state of a Valkey is shown: a sign and a tone, so that the colour never stands alone.
func Phase(t *theme.Theme, row *kube.Row) (sign string, tone theme.Tone) {
	if row.Deleting {
		return t.Signs.Warn, theme.Warn
	}
	switch row.Status {
	case v1alpha1.PhaseRunning:
		return t.Signs.OK, theme.OK
	case v1alpha1.PhaseInProgress:
		return t.Signs.Busy, theme.Busy
	case v1alpha1.PhaseFailed:
		return t.Signs.Fail, theme.Error
	case v1alpha1.PhaseStopped:
		return t.Signs.Off, theme.Dim
	default:
		return t.Signs.Unknown, theme.Dim
	}
}
