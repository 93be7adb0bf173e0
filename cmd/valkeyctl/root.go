package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"kuberly.io/valkey-operator/tui/kube"
)

const rootLong = `Create, look at, scale and delete Valkeys: in-memory databases that the Valkey operator runs in a Kubernetes cluster.

Without a verb it opens a dashboard of all Valkeys, live, driven by keys. The verbs do the same for scripts.

It reads the kubeconfig as kubectl does: KUBECONFIG, --kubeconfig, --context, --namespace and so on.

Exit codes:
  0    done
  1    the cluster, or the object, said no: unreachable, not logged in, forbidden, refused value, exists already, not found, failed
  2    the flags or the kubeconfig are wrong: nothing was asked of the cluster
  130  interrupted
Every error is one line on standard error that says what is wrong with what.`

// program is what all verbs share.
type program struct {
	genericiooptions.IOStreams
	name  string // as it is called: valkeyctl, or kubectl valkey
	flags *genericclioptions.ConfigFlags
}

// run executes the command line and returns the exit code.
func run(ctx context.Context, streams genericiooptions.IOStreams, executable string, args []string) int {
	p := &program{IOStreams: streams, name: displayName(executable), flags: genericclioptions.NewConfigFlags(false)}
	root := p.root()
	root.SetArgs(pluginArgs(executable, args))
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.ErrOut)
	knownShells(root)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // whatever the verb was at says something else each time
	}
	var problem *kube.Problem
	var many *manyErrors
	if err != nil && !errors.As(err, &problem) && !errors.As(err, &many) {
		if usage := cobraProblem(cmd, err); usage != nil {
			err = usage
		}
	}
	return report(streams.ErrOut, p.errorName(), err)
}

// displayName is what the program calls itself in its help. kubectl runs a plugin by the name of its file.
func displayName(executable string) string {
	base := strings.TrimSuffix(filepath.Base(executable), ".exe")
	if strings.HasPrefix(base, "kubectl-valkey") {
		return "kubectl valkey"
	}
	return "valkeyctl"
}

// pluginArgs are the arguments under the name by which kubectl asks how those of a plugin go on, see
// https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/.
func pluginArgs(executable string, args []string) []string {
	if strings.HasPrefix(filepath.Base(executable), "kubectl_complete-valkey") {
		return append([]string{cobra.ShellCompRequestCmd}, args...)
	}
	return args
}

// errorName begins every error line; it is one word, whatever the program is called.
func (p *program) errorName() string { return "valkeyctl" }

func (p *program) root() *cobra.Command {
	var options dashboardOptions
	root := &cobra.Command{
		Use:           "valkeyctl",
		Short:         "Valkeys of a Kubernetes cluster: a dashboard, and verbs for scripts",
		Long:          rootLong,
		Example:       p.example("", "get -A", "create --name=app --replicas=3", "scale app --replicas=5", "logs app -f"),
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: p.name},
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return p.dashboard(cmd, options) },
	}
	// No template of its own: one makes the linker keep every exported method of all that is linked, a third of the program.
	root.Version = clientVersion()
	root.SetGlobalNormalizationFunc(dashes)
	root.SetFlagErrorFunc(flagProblem)
	p.flags.AddFlags(root.PersistentFlags())
	// Taken, since scripts pass it to every such program, and without use: nothing is cached on disk.
	_ = root.PersistentFlags().MarkHidden("cache-dir") // It exists: AddFlags has just added it.
	options.addFlags(root)
	root.AddCommand(p.verbs()...)
	root.AddCommand(p.alias(), p.versionCommand(), p.configCommand())
	p.completions(root)
	return root
}

// verbs makes new commands each time: one command cannot hang under two parents.
func (p *program) verbs() []*cobra.Command {
	return []*cobra.Command{
		p.createCommand(), p.getCommand(), p.describeCommand(), p.scaleCommand(), p.failoverCommand(), p.restartCommand(),
		p.deleteCommand(), p.logsCommand(),
		p.applyCommand(), p.diffCommand(), p.editCommand(), p.stopCommand(), p.startCommand(),
		p.cliCommand(), p.portForwardCommand(), p.eventsCommand(), p.topCommand(),
	}
}

// alias is `valkeyctl valkey VERB`, as the original's command line has it.
func (p *program) alias() *cobra.Command {
	alias := &cobra.Command{
		Use: "valkey", Short: "The same verbs under the name of their kind", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	alias.AddCommand(p.verbs()...)
	return alias
}

// dashes makes --volume_enabled and --volume-enabled one flag.
func dashes(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
}

// example writes command lines under the name that the program is called by.
func (p *program) example(lines ...string) string {
	var text strings.Builder
	for i, line := range lines {
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(strings.TrimRight("  "+p.name+" "+line, " "))
	}
	return text.String()
}

// client makes the client of the flags.
func (p *program) client() (*kube.Client, error) {
	if err := p.checkTimeout(); err != nil {
		return nil, err
	}
	return kube.New(p.flags)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// nameArgs refuses empty and doubled names early.
func nameArgs(least int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least {
			return kube.Usage("which Valkey? name at least one", seeHelp(cmd))
		}
		seen := map[string]bool{}
		for _, name := range args {
			switch {
			case name == "" || strings.ContainsAny(name, "/%"):
				return kube.Usage(fmt.Sprintf("%q is no name of a Valkey", name), "")
			case seen[name]:
				return kube.Usage(fmt.Sprintf("%q is named twice", name), "")
			}
			seen[name] = true
		}
		return nil
	}
}

// oneName wants exactly one name.
func oneName(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return kube.Usage(fmt.Sprintf("one Valkey at a time, not %d", len(args)), seeHelp(cmd))
	}
	return nameArgs(1)(cmd, args)
}
