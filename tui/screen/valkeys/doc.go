// Package valkeys is the list of all Valkeys. It owns what is shown of a snapshot: filter, order, columns, marks and the
// cursor. Sorting and filtering run in a command. It makes no API call.
package valkeys
