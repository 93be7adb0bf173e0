package operator

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/controller"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/operator/valkey/tunnel"
)

// A new leader takes over in this time at the most: a failover must not wait for the usual 15 s.
const (
	leaseDuration = 6 * time.Second
	renewDeadline = 4 * time.Second
	retryPeriod   = time.Second
)

// Dial says how the manager reaches the servers.
type Dial string

const (
	// DialAuto is DialPod inside a cluster and DialAPIServer outside.
	DialAuto Dial = "auto"
	// DialPod dials the addresses of the pods.
	DialPod Dial = "pod"
	// DialAPIServer goes through the API server, as kubectl port-forward does.
	DialAPIServer Dial = "apiserver"
)

// Options are the settings of the manager.
type Options struct {
	// MetricsAddress is where metrics are served, "0" for nowhere.
	MetricsAddress string
	// MetricsSecure serves them over TLS to those who may read them.
	MetricsSecure bool
	// HealthAddress is where /healthz and /readyz are served.
	HealthAddress string
	// LeaderElect lets one of several managers work at a time.
	LeaderElect bool
	// LeaderElectNamespace is where the lease lies; the manager's own unless set.
	LeaderElectNamespace string
	// WatchNamespaces are the namespaces that are watched; all of them where it is empty.
	WatchNamespaces []string
	// Dial says how the servers are reached.
	Dial Dial
}

// Scheme holds the types that the manager reads and writes.
func Scheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	return scheme, errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme))
}

// Run runs the manager until ctx ends.
func Run(ctx context.Context, config *rest.Config, options Options) error {
	if err := checkCRD(ctx, config); err != nil {
		return err
	}
	mgr, err := newManager(config, options)
	if err != nil {
		return err
	}
	dialer, err := newDialer(config, options.Dial)
	if err != nil {
		return err
	}
	wake := make(chan event.GenericEvent, 1024)
	servers := valkey.NewClients(dialer, func(t valkey.Target) { wakeUp(wake, t) })
	defer servers.Close()
	reconciler := &controller.Reconciler{
		Client:   mgr.GetClient(),
		Live:     mgr.GetAPIReader(),
		Servers:  servers,
		Recorder: mgr.GetEventRecorder("valkey-operator"),
		Clock:    clock.RealClock{},
		Wake:     wake,
	}
	if mayWatchHosts(ctx, mgr.GetAPIReader()) {
		reconciler.Hosts = controller.NodeHosts{Client: mgr.GetClient()}
	}
	if err := reconciler.SetupWithManager(mgr); err != nil {
		return fmt.Errorf("set up the controller: %w", err)
	}
	if err := addProbes(mgr); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

// mayWatchHosts says whether the Kubernetes nodes may be read, and once what it costs where they may not.
func mayWatchHosts(ctx context.Context, live client.Reader) bool {
	err := live.List(ctx, &corev1.NodeList{}, client.Limit(1))
	if err != nil {
		ctrl.Log.Info("Kubernetes nodes cannot be read, so a primary leaves a host that is being drained only when its pod is"+
			" deleted there", "reason", err.Error())
	}
	return err == nil
}

// wakeUp has a Valkey looked at again. Where the channel is full everything is being looked at anyway.
func wakeUp(wake chan<- event.GenericEvent, t valkey.Target) {
	v := &v1alpha1.Valkey{}
	v.Namespace, v.Name = t.Namespace, t.Owner
	select {
	case wake <- event.GenericEvent{Object: v}:
	default:
	}
}

func newManager(config *rest.Config, options Options) (ctrl.Manager, error) {
	scheme, err := Scheme()
	if err != nil {
		return nil, err
	}
	// The default of 20 requests a second would make a failover wait behind a hundred new Valkeys.
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = 200, 400
	metrics := metricsserver.Options{BindAddress: options.MetricsAddress, SecureServing: options.MetricsSecure}
	if options.MetricsSecure {
		metrics.FilterProvider = filters.WithAuthenticationAndAuthorization
		metrics.TLSOpts = []func(*tls.Config){func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }}
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme,
		Cache: cache.Options{
			ByObject:          controller.CacheOptions(),
			DefaultNamespaces: namespaces(options.WatchNamespaces),
			DefaultTransform:  cache.TransformStripManagedFields(),
		},
		Metrics:                       metrics,
		HealthProbeBindAddress:        options.HealthAddress,
		LeaderElection:                options.LeaderElect,
		LeaderElectionID:              "valkey-operator." + v1alpha1.Group,
		LeaderElectionNamespace:       options.LeaderElectNamespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 ptr.To(leaseDuration),
		RenewDeadline:                 ptr.To(renewDeadline),
		RetryPeriod:                   ptr.To(retryPeriod),
	})
	if err != nil {
		return nil, fmt.Errorf("create the manager: %w", err)
	}
	return mgr, nil
}

func namespaces(names []string) map[string]cache.Config {
	if len(names) == 0 {
		return nil
	}
	out := map[string]cache.Config{}
	for _, name := range names {
		out[name] = cache.Config{}
	}
	return out
}

func newDialer(config *rest.Config, how Dial) (valkey.Dialer, error) {
	if how == "" || how == DialAuto {
		how = DialAPIServer
		if os.Getenv("KUBERNETES_SERVICE_HOST") != "" {
			how = DialPod
		}
	}
	switch how {
	case DialPod:
		return valkey.PodDialer{}, nil
	case DialAPIServer:
		t, err := tunnel.NewDialer(config)
		if err != nil {
			return nil, err
		}
		return valkey.TunnelDialer{Tunnel: t}, nil
	default:
		return nil, fmt.Errorf("--valkey-dial is %q: it takes auto, pod or apiserver", how)
	}
}

// addProbes: alive while the process answers, ready once the cache is filled, so that a new version that cannot read
// the cluster does not replace a working one.
func addProbes(mgr ctrl.Manager) error {
	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return err
	}
	return mgr.AddReadyzCheck("cache", func(r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		if !mgr.GetCache().WaitForCacheSync(ctx) {
			return errors.New("the cache is not filled yet")
		}
		return nil
	})
}
