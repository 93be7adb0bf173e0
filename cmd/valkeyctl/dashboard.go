package main

import (
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"kuberly.io/valkey-operator/tui"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/settings"
)

type dashboardOptions struct {
	allNamespaces bool
	readOnly      bool
	logFile       string
	theme         string
	mouse         bool
	config        string
	screenReader  bool
}

func (o *dashboardOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, "show the Valkeys of all namespaces")
	flags.BoolVar(&o.readOnly, "readonly", false, "refuse every change")
	flags.StringVar(&o.logFile, "log-file", "", "write the dashboard's own log to this `file`")
	flags.StringVar(&o.theme, "theme", "", "auto, dark, light, high-contrast or high-contrast-light")
	flags.BoolVar(&o.screenReader, "screen-reader", false, "say everything in lines of plain text: no picture, no frames, no colours")
	flags.StringVar(&o.config, "config", "", "read the dashboard's settings from this `file`; see valkeyctl config")
	flags.BoolVar(&o.mouse, "mouse", false, "take the mouse's wheel and clicks, which takes from the terminal its own selection of text")
}

// settings are those of the file, and over them those of the flags that were given.
func (o *dashboardOptions) settings(flags *pflag.FlagSet) (settings.Settings, error) {
	s, err := loadSettings(o.config)
	if err != nil {
		return s, err
	}
	if flags.Changed("theme") {
		s.Theme = o.theme
	}
	if flags.Changed("mouse") {
		s.Mouse = o.mouse
	}
	if flags.Changed("screen-reader") {
		s.ScreenReader = o.screenReader
	}
	if flags.Changed("readonly") {
		s.ReadOnly = o.readOnly
	}
	return s, nil
}

// collectAt is by how many percent the memory of the dashboard grows before garbage is collected. It is left open all day and may
// hold ten thousand objects and a long log: twice as many collections cost less than half as much memory again.
const collectAt = 50

// dashboard opens the dashboard. Without a terminal it says which verbs work without one, before it looks for a cluster.
func (p *program) dashboard(cmd *cobra.Command, o dashboardOptions) error {
	s, err := o.settings(cmd.Flags())
	if err != nil {
		return err
	}
	in, isFileIn := p.In.(*os.File)
	out, isFileOut := p.Out.(*os.File)
	if !isFileIn || !isFileOut || !isTerminal(in) || !isTerminal(out) {
		return tui.ErrNoTerminal
	}
	p.flags.WrapConfigFn = unattended
	client, err := p.client()
	if err != nil {
		return err
	}
	restore, err := divertStderr(o.logFile)
	if err != nil {
		return err
	}
	defer restore()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	return tui.Run(cmd.Context(), tui.Options{
		Client: client, Namespace: *p.flags.Namespace, AllNamespaces: o.allNamespaces, ReadOnly: s.ReadOnly,
		LogFile: o.logFile, Theme: s.Theme, Mouse: s.Mouse,
		Keys: s.Keys, Columns: s.Columns, Refresh: s.Refresh, ScreenReader: s.ScreenReader, Input: in, Output: out, ErrOutput: p.ErrOut,
	})
}

// unattended keeps a program that the kubeconfig names for logging in from reading the keys that are meant for the dashboard.
func unattended(config *rest.Config) *rest.Config {
	if config.ExecProvider != nil {
		config.ExecProvider.StdinUnavailable = true
		config.ExecProvider.StdinUnavailableMessage = "the dashboard has the keyboard: log in before it starts"
	}
	return config
}

// divertStderr keeps client-go, and programs that it runs, from writing over the dashboard: what they say goes to the log file, or nowhere.
func divertStderr(logFile string) (restore func(), err error) {
	path := logFile
	if path == "" {
		path = os.DevNull
	}
	sink, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // The user names it.
	if err != nil {
		return nil, kube.Usage("open the log file: "+err.Error(), "")
	}
	stderr := os.Stderr
	os.Stderr = sink
	klog.LogToStderr(false)
	klog.SetOutput(io.Writer(sink))
	return func() {
		os.Stderr = stderr
		klog.LogToStderr(true)
		_ = sink.Close()
	}, nil
}
