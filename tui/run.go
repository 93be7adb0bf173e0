package tui

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"kuberly.io/valkey-operator/tui/console"
	"kuberly.io/valkey-operator/tui/keys"
	"kuberly.io/valkey-operator/tui/screen"
	"kuberly.io/valkey-operator/tui/theme"
)

// Run shows the dashboard until the user quits. It returns nil then, ErrTerminated after a signal, ErrNoTerminal where there is
// no terminal, and the cause of ctx where that ends it. The terminal is as before in every case.
func Run(ctx context.Context, o Options) error {
	t, err := openTerminal(o.Input, o.Output)
	if err != nil {
		return err
	}
	b := newBackend(o.Client)
	if o.Namespace != "" {
		b.namespace = o.Namespace
	}
	return run(ctx, t, b, o)
}

// run is Run with a backend and a terminal.
func run(ctx context.Context, t *terminal, b backend, o Options) error {
	themeOptions, err := theme.FromEnv(o.Theme, os.Getenv)
	if err != nil {
		return err
	}
	if o.ScreenReader {
		themeOptions.Depth, themeOptions.Unicode, o.Mouse = theme.Mono, false, false
	}
	log, closeLog, err := openLog(o.LogFile)
	if err != nil {
		return err
	}
	defer closeLog()
	look := theme.New(themeOptions)
	look.Apply()

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	do := func(work func(context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(ctx) }
	}
	m := newModel(screen.Env{Theme: look, Keys: cmp.Or(o.Keys, keys.Default()), ReadOnly: o.ReadOnly, Columns: o.Columns}, b, log, do)
	m.all, m.refresh = o.AllNamespaces, o.Refresh
	m.clipboard = newClipboard(t.out)
	g := &guard{inner: perform(m, t, o), log: log}
	if err := m.stage.enter(); err != nil {
		return err
	}
	p := tea.NewProgram(g, tea.WithContext(ctx), tea.WithInput(t.in), tea.WithOutput(t.out), tea.WithoutSignalHandler(), tea.WithoutRenderer())
	go func() {
		for size := range console.Sizes(ctx, fd(t.out)) {
			p.Send(tea.WindowSizeMsg{Width: int(size.Width), Height: int(size.Height)})
		}
	}()
	stopPanics := t.watchPanics()
	defer stopPanics()
	stopSignals := watchSignals(p)
	log.Info("dashboard starts", "context", b.context.Name, "namespace", b.namespace)
	_, err = p.Run()
	m.stage.leave()
	terminated := stopSignals()
	outer := context.Cause(ctx)
	cancel()
	m.close()
	if o.ErrOutput == nil {
		o.ErrOutput = os.Stderr
	}
	m.tellKept(o.ErrOutput)
	tellEnded(o.ErrOutput, m.forwards.told())
	log.Info("dashboard ends")
	switch {
	case terminated:
		return ErrTerminated
	case g.failed != nil:
		return g.failed
	case outer != nil:
		return outer
	case err != nil:
		return fmt.Errorf("run the dashboard: %w", err)
	}
	return nil
}

// perform gives a model its stage, for eyes or for ears.
func perform(m *model, t *terminal, o Options) tea.Model {
	if o.ScreenReader {
		s := newSpeaker(m, t)
		m.stage = s
		return s
	}
	p := newPainter(m, t, o.Mouse)
	m.stage = p
	return p
}

// openLog opens the log file, or a log that goes nowhere.
func openLog(path string) (log *slog.Logger, closeLog func(), err error) {
	if path == "" {
		return slog.New(slog.NewTextHandler(io.Discard, nil)), func() {}, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // the user names it
	if err != nil {
		return nil, nil, fmt.Errorf("open the log file: %w", err)
	}
	return slog.New(slog.NewTextHandler(f, nil)), func() { _ = f.Close() }, nil
}
