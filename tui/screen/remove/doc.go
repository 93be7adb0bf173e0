// Package remove is the dialog before a deletion. It owns the objects it was opened for, held by UID and resourceVersion: what
// has changed since is asked about again, and what has taken the place of one is never touched. It lists what goes with them, and
// wants the name typed. It makes no API call.
package remove
