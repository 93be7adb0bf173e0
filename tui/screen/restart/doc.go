// Package restart is the dialog that asks whether the servers of Valkeys shall be restarted one after the other, and then shows
// how that goes, node by node. It owns the objects it was opened for, held by UID and resourceVersion. It makes no API call.
package restart
