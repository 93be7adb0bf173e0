package kube

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey"
	"kuberly.io/valkey-operator/tui/clean"
)

// Who names a user of a Valkey's servers.
type Who int

const (
	// Observer may only look.
	Observer Who = iota
	// User is the admin user of the spec.
	User
)

// Credentials reads how to log in to the servers of a Valkey. The result is a secret: it is for connecting, or for a person
// who asked to see it, and for nothing else.
func (c *Client) Credentials(ctx context.Context, ref Ref, who Who) (valkey.Login, error) {
	v, err := c.Get(ctx, ref.Namespace, ref.Name)
	switch {
	case err != nil:
		return valkey.Login{}, err
	case ref.UID != "" && v.UID != ref.UID:
		return valkey.Login{}, replaced("valkey " + quote(ref.Name))
	case who == Observer:
		return c.login(ctx, v.Namespace, v.ObserverSecretName(), v1alpha1.UserObserver, v1alpha1.SecretKeyPassword)
	case v.Spec.PasswordSecretRef != nil:
		key := v.Spec.PasswordSecretRef.Key
		if key == "" {
			key = v1alpha1.SecretKeyPassword
		}
		return c.login(ctx, v.Namespace, v.Spec.PasswordSecretRef.Name, v.Spec.User, key)
	case v.Spec.Password != nil:
		return valkey.Login{User: v.Spec.User, Password: *v.Spec.Password}, nil
	default:
		return c.login(ctx, v.Namespace, v.SecretName(), v.Spec.User, v1alpha1.SecretKeyPassword)
	}
}

func (c *Client) login(ctx context.Context, namespace, name, user, key string) (valkey.Login, error) {
	secret, err := c.connection().core.Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return valkey.Login{}, c.failed(err)
	}
	password, found := secret.Data[key]
	if !found {
		return valkey.Login{}, problem(ClassNotFound, "the Secret "+quote(name)+" has no key "+quote(key), "")
	}
	return valkey.Login{User: user, Password: string(password)}, nil
}

// confKey is the key of the ConfigMap that holds the configuration file.
const confKey = "valkey.conf"

// Config reads the configuration file that the servers of a Valkey start with, as directives and their values, cleaned.
func (c *Client) Config(ctx context.Context, ref Ref) (map[string]string, error) {
	v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: ref.Name}}
	file, err := c.connection().core.ConfigMaps(ref.Namespace).Get(ctx, v.ConfigMapName(), metav1.GetOptions{})
	if err != nil {
		return nil, c.failed(err)
	}
	directives := map[string]string{}
	for line := range strings.Lines(clean.Block(file.Data[confKey])) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "" && !strings.HasPrefix(name, "#") {
			directives[name] = strings.TrimSpace(value)
		}
	}
	return directives, nil
}
