package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
)

const createLong = `Create a Valkey. Its namespace is created where it is missing.

The password of the admin user is generated and kept in a Secret, unless it is given: by --pass-file, from standard
input (--pass-file=-) or by --pass-prompt it goes into that Secret too. With --pass it stands in the object itself, where everybody who
may read the object can read it, and in the list of processes while this program runs.`

type createOptions struct {
	name, image, user, cpu, memory, storage string
	storageClass, reclaim, pullPolicy       string
	replicas                                int32
	volume                                  bool
	config                                  []string
	password                                passwordOptions
	showPassword, wait                      bool
	timeout                                 time.Duration
	dryRun, output                          string
}

func (p *program) createCommand() *cobra.Command {
	o := createOptions{volume: true}
	cmd := &cobra.Command{
		Use:   "create [NAME]",
		Short: "Create a Valkey",
		Long:  createLong,
		Example: p.example("create", "create --name=app --namespace=shop --replicas=3 --memory=1Gi --wait",
			"create cache --volume-enabled=false --set-config=maxmemory-policy=allkeys-lru", "create app --pass-file=- <password.txt",
			"create app --dry-run=server -o yaml"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil // it has a default
			}
			return oneName(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(cmd, args); err != nil {
				return err
			}
			return p.create(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.name, "name", "app-db", "name of the Valkey")
	// The same value as kubectl's flag of that name, with the default that this verb has.
	flags.StringVarP(p.flags.Namespace, "namespace", "n", "", "namespace of the Valkey; \"default\" unless set, whatever the kubeconfig's context says")
	flags.StringVar(&o.image, "image", v1alpha1.DefaultImage, "image of the server")
	flags.StringVar(&o.user, "user", "root", "name of the admin user")
	flags.StringVar(&o.password.literal, "pass", "", "password of the admin user, kept in the object")
	flags.StringVar(&o.password.file, "pass-file", "", "`file` that holds the password; - is standard input")
	flags.BoolVar(&o.password.prompt, "pass-prompt", false, "ask for the password on the terminal")
	flags.BoolVar(&o.showPassword, "show-password", false, "print a generated password")
	flags.Int32Var(&o.replicas, "replicas", 1, "number of servers in all, 0 to 5: one primary, the others replicas of it; 0 is stopped")
	flags.Var((*boolValue)(&o.volume), "volume-enabled", "keep the data on a volume (also --volume_enabled)")
	flags.StringVar(&o.cpu, "cpu", "200m", "cpu of each server")
	flags.StringVar(&o.memory, "memory", "512Mi", "memory of each server")
	flags.StringVar(&o.storage, "storage", "512Mi", "size of each server's volume, and limit of its ephemeral storage")
	flags.StringVar(&o.storageClass, "storage-class", "", "storage class of the volumes; the cluster's default unless set")
	flags.StringVar(&o.reclaim, "reclaim", "", "what becomes of a volume when its server is removed: Delete (the default) or Retain")
	flags.StringVar(&o.pullPolicy, "image-pull-policy", "", "Always, IfNotPresent (the default) or Never")
	flags.StringArrayVar(&o.config, "set-config", nil, "a valkey.conf directive as `key=value`; may be repeated")
	flags.BoolVar(&o.wait, "wait", false, "wait until it runs")
	flags.DurationVar(&o.timeout, "timeout", 5*time.Minute, "how long to wait")
	addDryRun(cmd, &o.dryRun)
	addOutput(cmd, &o.output, "yaml", "json", "name")
	mustComplete(cmd, "namespace", p.completeNamespaces)
	mustComplete(cmd, "storage-class", p.completeStorageClasses)
	completeValues(cmd, "reclaim", []string{string(v1alpha1.ReclaimDelete), string(v1alpha1.ReclaimRetain)})
	completeValues(cmd, "image-pull-policy", []string{string(corev1.PullAlways), string(corev1.PullIfNotPresent), string(corev1.PullNever)})
	cmd.MarkFlagsMutuallyExclusive("pass", "pass-file", "pass-prompt")
	return cmd
}

// boolValue is a flag that wants its value, so that the original's `--volume_enabled true` works as `--volume_enabled=true` does.
type boolValue bool

func (b *boolValue) String() string { return fmt.Sprint(bool(*b)) }

func (b *boolValue) Type() string { return "true|false" }

func (b *boolValue) Set(text string) error {
	switch strings.ToLower(text) {
	case "true", "1", "yes":
		*b = true
	case "false", "0", "no":
		*b = false
	default:
		return fmt.Errorf("%q is neither true nor false", text)
	}
	return nil
}

// complete checks what can be known without the cluster.
func (o *createOptions) complete(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		if cmd.Flags().Changed("name") && o.name != args[0] {
			return kube.Usage(fmt.Sprintf("two names: %q and --name=%s", args[0], o.name), "")
		}
		o.name = args[0]
	}
	if o.name == "" {
		return kube.Usage("--name is empty", "")
	}
	if err := checkReplicas(o.replicas); err != nil {
		return err
	}
	if cmd.Flags().Changed("pass") && o.password.literal == "" {
		return kube.Usage("--pass is empty", "leave it out to have a password generated")
	}
	if cmd.Flags().Changed("pass-file") && o.password.file == "" {
		return kube.Usage("--pass-file is empty", "")
	}
	if o.wait && o.dryRun != dryRunNone {
		return kube.Usage("--wait makes no sense in a dry run", "")
	}
	return nil
}

// valkey is the object of the flags, without its password.
func (o *createOptions) valkey(namespace string) (*v1alpha1.Valkey, error) {
	v := &v1alpha1.Valkey{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Valkey"},
		ObjectMeta: metav1.ObjectMeta{Name: o.name, Namespace: namespace},
		Spec: v1alpha1.ValkeySpec{
			Image: o.image, ImagePullPolicy: corev1.PullPolicy(o.pullPolicy), User: o.user, Replicas: &o.replicas,
			Volume:   v1alpha1.VolumeSpec{Enabled: o.volume, Storage: o.storage, Reclaim: v1alpha1.ReclaimPolicy(o.reclaim)},
			Resource: v1alpha1.ResourceSpec{CPU: o.cpu, Memory: o.memory, Storage: o.storage},
		},
	}
	if o.storageClass != "" {
		v.Spec.Volume.StorageClassName = &o.storageClass
	}
	for _, directive := range o.config {
		key, value, found := strings.Cut(directive, "=")
		if !found || key == "" {
			return nil, kube.Usage(fmt.Sprintf("--set-config %q is not key=value", directive), "for example --set-config maxmemory-policy=allkeys-lru")
		}
		if _, twice := v.Spec.Config[key]; twice {
			return nil, kube.Usage(fmt.Sprintf("--set-config %s is given twice", key), "")
		}
		if v.Spec.Config == nil {
			v.Spec.Config = map[string]v1alpha1.ConfigValue{}
		}
		v.Spec.Config[key] = v1alpha1.ConfigValue(value)
	}
	return v, nil
}

func (p *program) create(ctx context.Context, o createOptions) error {
	namespace := *p.flags.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	v, err := o.valkey(namespace)
	if err != nil {
		return err
	}
	options := kube.CreateOptions{Valkey: v, DryRun: o.dryRun == dryRunServer}
	generated := false
	if o.password.literal != "" {
		v.Spec.Password = &o.password.literal
	} else if options.Password, generated, err = p.secret(o.password); err != nil {
		return err
	}
	if o.dryRun == dryRunClient {
		return p.printDryCreate(o, options)
	}
	client, err := p.client()
	if err != nil {
		return err
	}
	result, err := client.Create(ctx, options)
	if result.NamespaceCreated {
		_, _ = fmt.Fprintf(p.ErrOut, "namespace/%s created%s\n", namespace, dryRunNote(o.dryRun))
	}
	if err != nil {
		return err
	}
	for _, warning := range result.Warnings {
		_, _ = fmt.Fprintf(p.ErrOut, "warning: %s\n", warning)
	}
	if err := p.printCreated(o, result, generated, options.Password); err != nil {
		return err
	}
	if !o.wait {
		return nil
	}
	return p.awaitReady(ctx, client, refOf(result.Valkey), o.timeout)
}

// printDryCreate prints what would be sent, without asking the cluster.
func (p *program) printDryCreate(o createOptions, options kube.CreateOptions) error {
	v := options.Valkey
	if options.Password == "" {
		return p.printObject(v, o.output, "created"+dryRunNote(o.dryRun))
	}
	secret := kube.PasswordSecret(v, options.Password)
	v.Spec.PasswordSecretRef = &v1alpha1.SecretKeyRef{Name: secret.Name, Key: v1alpha1.SecretKeyPassword}
	if !o.showPassword || o.output == "" || o.output == "name" {
		if o.output != "" {
			_, _ = fmt.Fprintf(p.ErrOut, "the Secret %s with the password is not printed: --show-password prints it too\n", secret.Name)
		}
		return p.printObject(v, o.output, "created"+dryRunNote(o.dryRun))
	}
	return p.printObjects([]runtime.Object{secret, v}, o.output)
}

// printCreated says what was made, and how to get at its password: never the password itself, unless asked.
func (p *program) printCreated(o createOptions, result kube.CreateResult, generated bool, password string) error {
	v := result.Valkey
	if err := p.printObject(v, o.output, "created"+dryRunNote(o.dryRun)); err != nil || o.output != "" || o.dryRun != dryRunNone {
		return err
	}
	if o.wait {
		defer func() { _, _ = fmt.Fprintln(p.ErrOut, "waiting until it runs") }()
	}
	_, err := fmt.Fprintf(p.Out, "address   %s.%s.svc:%d, user %s\n", v.ServiceName(), v.Namespace, v1alpha1.Port, v.Spec.User)
	if err != nil || result.Secret == "" {
		return err
	}
	word := "password"
	if generated {
		word = "password (generated)"
	}
	if generated && o.showPassword {
		_, err = fmt.Fprintf(p.Out, "password  %s\n", password)
		return err
	}
	_, err = fmt.Fprintf(p.Out, "%s is in Secret %s; to read it:\n  kubectl get secret %s -n %s -o jsonpath='{.data.%s}' | base64 -d\n",
		word, result.Secret, result.Secret, v.Namespace, v1alpha1.SecretKeyPassword)
	return err
}
