package tui

import (
	"errors"
	"io"
	"os"
	"time"

	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/kube"
)

// Options of the dashboard.
type Options struct {
	// Client leads to the cluster.
	Client *kube.Client
	// Namespace is shown first; empty is the client's own.
	Namespace string
	// AllNamespaces shows all of them first.
	AllNamespaces bool
	// ReadOnly refuses every change.
	ReadOnly bool
	// LogFile is where the dashboard logs to, beside the screen; empty for nowhere.
	LogFile string
	// Theme is auto, light or dark; empty is auto.
	Theme string
	// Mouse takes the mouse's wheel and clicks, which takes from the terminal its own selection of text.
	Mouse bool
	// Keys is the key map; nil is the default one.
	Keys *keys.Map
	// Columns are the names of the list's columns in their order; empty for those of the CRD.
	Columns []string
	// Refresh is the least time between two pictures of the list; 0 is the default.
	Refresh time.Duration
	// ScreenReader says everything in lines of plain text, in place of a picture.
	ScreenReader bool
	// Input and Output are the terminal; nil are standard input and output.
	Input, Output *os.File
	// ErrOutput is told, after the dashboard has ended, where texts are that were not applied; nil is standard error.
	ErrOutput io.Writer
}

var (
	// ErrNoTerminal says that there is nothing to draw on.
	ErrNoTerminal = errors.New("the dashboard needs a terminal; these verbs work without one: get, describe, create, scale, delete, logs")
	// ErrTerminated says that a signal (SIGTERM, SIGHUP or SIGINT) ended the dashboard.
	ErrTerminated = errors.New("terminated by a signal")
)
