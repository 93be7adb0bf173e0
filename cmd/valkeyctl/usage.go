package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/tools/clientcmd"

	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
)

// seeHelp names the help of a command.
func seeHelp(cmd *cobra.Command) string { return fmt.Sprintf("see `%s --help`", cmd.CommandPath()) }

// flagProblem says which flag is wrong, with what, and what it wants.
func flagProblem(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return kube.Usage(clean.Text(err.Error()), seeHelp(cmd))
	}
	flag, value := invalid.GetFlag(), clean.Text(invalid.GetValue())
	return kube.Usage(fmt.Sprintf("--%s=%s: %s", flag.Name, value, wants(flag, value, invalid.Unwrap())), seeHelp(cmd))
}

// wants says what a flag takes. Its own values say so themselves; those of the flag library speak of functions of Go.
func wants(flag *pflag.Flag, value string, err error) string {
	quoted := strconv.Quote(value)
	switch flag.Value.Type() {
	case "int", "int32", "int64":
		if errors.Is(err, strconv.ErrRange) {
			return quoted + " is out of range"
		}
		return quoted + " is no whole number"
	case "bool":
		return quoted + " is neither true nor false"
	case "duration":
		return quoted + " is no length of time such as 30s or 5m"
	default:
		return clean.Text(err.Error())
	}
}

// noArgs is for a command that takes flags alone.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return kube.Usage(fmt.Sprintf("%s takes no name, and got %q", cmd.Name(), clean.Text(args[0])), seeHelp(cmd))
}

// filesArgs is noArgs for a command that works on files.
func filesArgs(files *[]string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return kube.Usage(fmt.Sprintf("%q: a file is named with -f", clean.Text(args[0])), fmt.Sprintf("e.g. `%s -f app.yaml`", cmd.CommandPath()))
		}
		if len(*files) == 0 {
			return kube.Usage("-f is missing: which manifests?", fmt.Sprintf("e.g. `%s -f app.yaml`, or -f - for standard input", cmd.CommandPath()))
		}
		return nil
	}
}

// exclusive is how cobra words flags that exclude each other.
var exclusive = regexp.MustCompile(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)

// cobraProblem is an error of cobra's own, which is always about the command line; nil for any other. Cobra has no type for it.
func cobraProblem(cmd *cobra.Command, err error) *kube.Problem {
	text := clean.Text(err.Error())
	if m := exclusive.FindStringSubmatch(text); m != nil {
		return kube.Usage("--"+strings.Join(strings.Fields(m[1]), " and --")+" exclude each other", seeHelp(cmd))
	}
	for _, prefix := range []string{"unknown command ", "required flag", "accepts ", "requires at least ", "requires at most "} {
		if strings.HasPrefix(text, prefix) {
			return kube.Usage(text, seeHelp(cmd))
		}
	}
	return nil
}

// checkReplicas refuses what is no number of servers whatever the cluster says.
func checkReplicas(n int32) error {
	if n < 0 {
		return kube.Usage(fmt.Sprintf("--replicas=%d: the number of servers is below zero", n), "0 to 5, where 0 is stopped")
	}
	return nil
}

// checkTimeout names the flag, which the loading of a kubeconfig does not.
func (p *program) checkTimeout() error {
	if p.flags.Timeout == nil || *p.flags.Timeout == "" {
		return nil
	}
	if _, err := clientcmd.ParseTimeout(*p.flags.Timeout); err != nil {
		return kube.Usage(fmt.Sprintf("--request-timeout=%s: it is no length of time", clean.Text(*p.flags.Timeout)), "e.g. 30s or 5m; 0 waits as long as it takes")
	}
	return nil
}

// knownShells makes a shell that is not known an error: cobra prints the help, which a script takes for a completion.
// The command writes where the root does when it is made.
func knownShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		var shells []string
		for _, shell := range cmd.Commands() {
			shells = append(shells, shell.Name())
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return kube.Usage(fmt.Sprintf("there is no completion for %q", clean.Text(args[0])), "there is one for "+strings.Join(shells, ", "))
		}
	}
}
