// Command manager is the operator: it turns Valkey objects into running servers.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"kuberly.io/valkey-operator/operator"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "manager: "+err.Error())
		os.Exit(1)
	}
}

func run() error {
	var options operator.Options
	var watch, dial string
	flag.StringVar(&options.MetricsAddress, "metrics-bind-address", "0", `address of the metrics, e.g. :8443; "0" serves none`)
	flag.BoolVar(&options.MetricsSecure, "metrics-secure", true, "serve metrics over TLS, to those who may read them")
	flag.StringVar(&options.HealthAddress, "health-probe-bind-address", ":8081", "address of /healthz and /readyz")
	flag.BoolVar(&options.LeaderElect, "leader-elect", false, "let one of several managers work at a time")
	flag.StringVar(&options.LeaderElectNamespace, "leader-elect-namespace", "", "namespace of the lease; the manager's own unless set")
	flag.StringVar(&watch, "watch-namespace", "", "namespaces to watch, with commas between; all unless set. A Role in each is enough then")
	flag.StringVar(&dial, "valkey-dial", string(operator.DialAuto),
		"how servers are reached: pod (their addresses), apiserver (as port-forward does), or auto (pod inside a cluster)")
	logging := zap.Options{}
	logging.BindFlags(flag.CommandLine)
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: see --help", flag.Arg(0))
	}
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&logging)))
	options.Dial = operator.Dial(dial)
	for name := range strings.SplitSeq(watch, ",") {
		if name = strings.TrimSpace(name); name != "" {
			options.WatchNamespaces = append(options.WatchNamespaces, name)
		}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("no cluster to work for: %w", err)
	}
	return operator.Run(ctrl.SetupSignalHandler(), config, options)
}
