package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Values of --dry-run, as kubectl has them.
const (
	dryRunNone   = "none"
	dryRunClient = "client"
	dryRunServer = "server"
)

// choice is a flag with a fixed set of values.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c choice) Type() string { return strings.Join(c.allowed, "|") }

func (c choice) Set(text string) error {
	for _, allowed := range c.allowed {
		if text == allowed {
			*c.value = text
			return nil
		}
	}
	return fmt.Errorf("%q is not one of %s", text, strings.Join(c.allowed, ", "))
}

func addDryRun(cmd *cobra.Command, value *string) {
	*value = dryRunNone
	allowed := []string{dryRunNone, dryRunClient, dryRunServer}
	cmd.Flags().Var(choice{value, allowed}, "dry-run", "change nothing: \"client\" only prints, \"server\" has the cluster check it")
	completeValues(cmd, "dry-run", allowed)
}

func addOutput(cmd *cobra.Command, value *string, allowed ...string) {
	cmd.Flags().VarP(choice{value, allowed}, "output", "o", "format of the output")
	completeValues(cmd, "output", allowed)
}

// dryRunNote is what kubectl puts behind the result of a dry run.
func dryRunNote(dryRun string) string {
	switch dryRun {
	case dryRunClient:
		return " (dry run)"
	case dryRunServer:
		return " (server dry run)"
	default:
		return ""
	}
}
