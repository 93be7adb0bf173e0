package roster

import (
	"strconv"
	"strings"
)

// Size is a number of bytes as a person reads it: 1.5Mi.
func Size(bytes int64) string {
	const units = "KMGTP"
	if bytes < 1024 {
		return strconv.FormatInt(bytes, 10) + "B"
	}
	value, unit := float64(bytes)/1024, 0
	for value >= 1000 && unit < len(units)-1 {
		value /= 1024
		unit++
	}
	digits := 1
	if value >= 100 {
		digits = 0
	}
	number := strconv.FormatFloat(value, 'f', digits, 64)
	return strings.TrimSuffix(number, ".0") + units[unit:unit+1] + "i"
}

// Count is a number as a person reads it: 12.5k.
func Count(n int64) string {
	switch {
	case n < 10_000 && n > -10_000:
		return strconv.FormatInt(n, 10)
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
	case n < 1_000_000_000:
		return strconv.FormatFloat(float64(n)/1_000_000, 'f', 1, 64) + "M"
	default:
		return strconv.FormatFloat(float64(n)/1_000_000_000, 'f', 1, 64) + "G"
	}
}

// Percent is a part in hundredths: 97.3%.
func Percent(part float64) string { return strconv.FormatFloat(100*part, 'f', 1, 64) + "%" }
