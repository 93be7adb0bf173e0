package detail

import (
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

// none stands where there is nothing to say.
const none = "-"

// span is a time span in one or two units.
func span(d time.Duration) string { return duration.HumanDuration(max(d, 0)) }

// ago is how long a time has passed; a dash where there was none.
func ago(at, now time.Time) string {
	if at.IsZero() || now.IsZero() {
		return none
	}
	return span(now.Sub(at))
}

// took is a short time as a slow log has it.
func took(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return strconv.FormatInt(d.Microseconds(), 10) + "us"
	case d < time.Second:
		return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) + "ms"
	default:
		return strconv.FormatFloat(d.Seconds(), 'f', 2, 64) + "s"
	}
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
