// Package scale is the dialog that asks how many servers one or several Valkeys shall have. It owns what is typed and the
// objects it was opened for, held by UID: it follows their state and acts on no other. It makes no API call.
package scale
