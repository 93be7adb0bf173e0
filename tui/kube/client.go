package kube

import (
	"context"
	"errors"
	"maps"
	"net"
	"reflect"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/dynamic"
	authenticationv1 "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
)

// ErrClosed is returned by Next of a Store or LogStream that was closed.
var ErrClosed = errors.New("closed")

const (
	// dialTimeout bounds the wait for a host that does not answer at all; client-go's own is 30 s, too long to look at.
	dialTimeout = 5 * time.Second
	keepAlive   = 30 * time.Second
	// A list of 10,000 objects is 20 requests: client-go's default of 5 a second would make it wait. The server has its own fairness.
	qps, burst = 50, 300
	// defaultServer is where client-go leads when nothing is configured.
	defaultServer = "http://localhost:8080"
)

// Client acts on the Valkeys of one cluster as one user. Every error that its methods return is a *Problem. It may be used from any goroutine.
type Client struct {
	getter genericclioptions.RESTClientGetter // nil for a client that was made of a finished configuration

	mu   sync.Mutex
	conn *connection
}

// connection is everything that depends on the kubeconfig. It is replaced as a whole.
type connection struct {
	loaded    *rest.Config // as the kubeconfig gives it, to tell whether it has changed
	config    *rest.Config
	context   Context
	contexts  []Context
	namespace string
	kept      kept

	core     corev1client.CoreV1Interface
	authz    authorizationv1.AuthorizationV1Interface
	authn    authenticationv1.AuthenticationV1Interface
	dynamic  dynamic.Interface
	metadata metadata.Interface
	valkeys  rest.Interface // typed, for one object at a time
}

// New makes a client from kubeconfig flags. It reads the kubeconfig, but does not contact the cluster.
func New(getter genericclioptions.RESTClientGetter) (*Client, error) {
	conn, err := load(getter)
	if err != nil {
		return nil, explained(err)
	}
	return &Client{getter: getter, conn: conn}, nil
}

// NewForConfig makes a client from a finished configuration, for tests and programs inside a cluster.
func NewForConfig(config *rest.Config, namespace string) (*Client, error) {
	context := Context{Name: "-", Cluster: config.Host, Namespace: namespace, Server: config.Host, Current: true}
	conn := &connection{loaded: config, context: context, contexts: []Context{context}, namespace: namespace}
	if err := conn.connect(); err != nil {
		return nil, explained(err)
	}
	return &Client{conn: conn}, nil
}

// WithContext makes a client for another context of the same kubeconfig.
func (c *Client) WithContext(name string) (*Client, error) {
	old, ok := c.getter.(*genericclioptions.ConfigFlags)
	if !ok {
		return nil, problem(ClassNoKubeconfig, "there is no kubeconfig to take another context from", "")
	}
	// What belongs to one cluster or user (server, token, namespace) is left behind on purpose.
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig, flags.CacheDir, flags.Timeout, flags.WrapConfigFn = old.KubeConfig, old.CacheDir, old.Timeout, old.WrapConfigFn
	flags.Impersonate, flags.ImpersonateGroup, flags.ImpersonateUID = old.Impersonate, old.ImpersonateGroup, old.ImpersonateUID
	flags.Context = &name
	return New(flags)
}

// Namespace is the namespace that the flags or the kubeconfig's context name, else "default".
func (c *Client) Namespace() string { return c.connection().namespace }

// Context is what the kubeconfig says about where the client leads. No field needs the cluster.
type Context struct {
	Name      string
	Cluster   string
	User      string
	Namespace string
	Server    string // the URL
	Current   bool
}

// Context is the one in use.
func (c *Client) Context() Context { return c.connection().context }

// Contexts are all contexts of the kubeconfig, by name.
func (c *Client) Contexts() []Context { return slices.Clone(c.connection().contexts) }

func (c *Client) connection() *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}

// reload reads the kubeconfig again, where somebody may have logged in meanwhile. A program that the kubeconfig names for logging in
// is run again by client-go itself.
func (c *Client) reload() {
	if c.getter == nil {
		return
	}
	fresh, err := load(c.getter)
	if err != nil {
		return // the old one is as good as none, and the next attempt says what is wrong
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !reflect.DeepEqual(fresh.loaded, c.conn.loaded) {
		c.conn = fresh
	}
}

func load(getter genericclioptions.RESTClientGetter) (*connection, error) {
	loader := getter.ToRawKubeConfigLoader()
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, err
	}
	config, err := getter.ToRESTConfig()
	if err != nil {
		return nil, err
	}
	if len(raw.Clusters) == 0 && config.Host == defaultServer {
		return nil, noCluster(getter)
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, err
	}
	current := raw.CurrentContext
	if flags, ok := getter.(*genericclioptions.ConfigFlags); ok && flags.Context != nil && *flags.Context != "" {
		current = *flags.Context
	}
	conn := &connection{loaded: config, namespace: namespace, contexts: contexts(&raw, current)}
	conn.context = Context{Name: current, Cluster: config.Host, Server: config.Host, Namespace: namespace, Current: true}
	if i := slices.IndexFunc(conn.contexts, func(c Context) bool { return c.Current }); i >= 0 {
		conn.context = conn.contexts[i]
		conn.context.Server = config.Host
	}
	return conn, conn.connect()
}

func contexts(raw *clientcmdapi.Config, current string) []Context {
	list := make([]Context, 0, len(raw.Contexts))
	for _, name := range slices.Sorted(maps.Keys(raw.Contexts)) {
		entry := raw.Contexts[name]
		c := Context{
			Name: clean.Text(name), Cluster: clean.Text(entry.Cluster), User: clean.Text(entry.AuthInfo),
			Namespace: clean.Text(entry.Namespace), Current: name == current,
		}
		if cluster := raw.Clusters[entry.Cluster]; cluster != nil {
			c.Server = clean.Text(cluster.Server)
		}
		list = append(list, c)
	}
	return list
}

// connect makes the clients; it does not contact the cluster.
func (c *connection) connect() error {
	config := rest.CopyConfig(c.loaded)
	config.QPS, config.Burst = qps, burst
	config.WarningHandlerWithContext = warnings{}
	if config.UserAgent == "" {
		config.UserAgent = "valkeyctl"
	}
	if config.Dial == nil {
		config.Dial = (&net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive}).DialContext
	}
	c.config = config
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	if c.core, err = corev1client.NewForConfigAndClient(config, client); err != nil {
		return err
	}
	if c.authz, err = authorizationv1.NewForConfigAndClient(config, client); err != nil {
		return err
	}
	if c.authn, err = authenticationv1.NewForConfigAndClient(config, client); err != nil {
		return err
	}
	if c.dynamic, err = dynamic.NewForConfigAndClient(config, client); err != nil {
		return err
	}
	if c.metadata, err = metadata.NewForConfigAndClient(metadata.ConfigFor(config), client); err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return err
	}
	metav1.AddToGroupVersion(scheme, v1alpha1.GroupVersion)
	typed := rest.CopyConfig(config)
	typed.APIPath, typed.GroupVersion = "/apis", &v1alpha1.GroupVersion
	typed.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	c.valkeys, err = rest.RESTClientForConfigAndClient(typed, client)
	return err
}

type warningsKey struct{}

// warnings gives the API server's warnings to the call that they are meant for; client-go would write them to the terminal.
type warnings struct{}

// HandleWarningHeaderWithContext implements rest.WarningHandlerWithContext.
func (warnings) HandleWarningHeaderWithContext(ctx context.Context, code int, _, message string) {
	const miscellaneous = 299
	if list, ok := ctx.Value(warningsKey{}).(*[]string); ok && code == miscellaneous {
		*list = append(*list, oneLine(message))
	}
}

// withWarnings returns a context whose requests add the server's warnings to the list.
func withWarnings(ctx context.Context) (context.Context, *[]string) {
	list := new([]string)
	return context.WithValue(ctx, warningsKey{}, list), list
}
