// Package stop is the dialog before Valkeys are stopped, or started again. It owns the objects it was opened for, held by UID, says what
// becomes of their data, and wants a word typed where that is lost. It makes no API call.
package stop
