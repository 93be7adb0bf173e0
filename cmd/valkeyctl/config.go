package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/settings"
)

const configLong = `Check the dashboard's settings and print all of them, with a word about each: theme, columns, refresh, readOnly, mouse and the keys of every action.

They are read from $XDG_CONFIG_HOME/valkeyctl/config.yaml, or ~/.config/valkeyctl/config.yaml, or the file of --config; what is not set there is
as it is printed here. Flags go before the file. What is printed is such a file: keep the lines that you want to change.

A file with a fault is refused with its line: the dashboard does not start with it.`

func (p *program) configCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Check and print the dashboard's settings",
		Long:    configLong,
		Example: p.example("config", "config --config=./settings.yaml", "config > ~/.config/valkeyctl/config.yaml"),
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := loadSettings(file)
			if err != nil {
				return err
			}
			if err := settings.Write(p.Out, s); err != nil {
				return fmt.Errorf("write the settings: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "this `file` in place of the usual one")
	return cmd
}

// loadSettings reads the file named, or the usual one, which need not be there.
func loadSettings(file string) (settings.Settings, error) {
	path, isNamed := file, file != ""
	if !isNamed {
		path = settings.Path(os.Getenv)
	}
	s, err := settings.Load(path, isNamed)
	var fault *settings.Fault
	if errors.As(err, &fault) {
		return s, kube.Usage(fault.Error(), "")
	}
	return s, err
}
