package resources

import (
	"net"
	"net/url"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Keys of the data of the internal Secret.
const (
	KeyACL                 = "users.acl"
	KeyReplicationConf     = "replication.conf"
	KeyOperatorPassword    = "operator-password"
	KeyReplicationPassword = "replication-password"
	KeyProbePassword       = "probe-password"
	KeyObserverPassword    = "observer-password"
)

// Credentials are the passwords of the users that one Valkey's servers have.
type Credentials struct {
	// Admin is the password of spec.user, byte for byte.
	Admin string
	// The passwords of the users that the operator makes: letters and digits only.
	Operator, Replication, Probe, Observer string
}

// UserSecret is the Secret x: how an application logs in as spec.user.
func UserSecret(v *v1alpha1.Valkey, c Credentials) *corev1.Secret {
	return loginSecret(v, v.SecretName(), v.Spec.User, c.Admin)
}

// ObserverSecret is the Secret x-observer: how a dashboard or an exporter logs in to look.
func ObserverSecret(v *v1alpha1.Valkey, c Credentials) *corev1.Secret {
	return loginSecret(v, v.ObserverSecretName(), v1alpha1.UserObserver, c.Observer)
}

func loginSecret(v *v1alpha1.Valkey, name, user, password string) *corev1.Secret {
	host := v.ServiceName() + "." + v.Namespace + ".svc"
	port := strconv.Itoa(v1alpha1.Port)
	// The scheme is redis: every client library knows it, those of Valkey included.
	uri := url.URL{Scheme: "redis", User: url.UserPassword(user, password), Host: net.JoinHostPort(host, port)}
	return secret(v, name, map[string]string{
		v1alpha1.SecretKeyUser:     user,
		v1alpha1.SecretKeyPassword: password,
		v1alpha1.SecretKeyHost:     host,
		v1alpha1.SecretKeyPort:     port,
		v1alpha1.SecretKeyURI:      uri.String(),
	})
}

// InternalSecret is the Secret x-internal: the passwords of the users that the operator makes, the ACL file (hashes
// only) and the lines of the configuration that hold a secret. It is the source of truth for all of them.
func InternalSecret(v *v1alpha1.Valkey, c Credentials) *corev1.Secret {
	return secret(v, v.InternalSecretName(), map[string]string{
		KeyACL:                 ACLFile(Users(v, c)),
		KeyReplicationConf:     "masteruser " + v1alpha1.UserReplication + "\nmasterauth " + c.Replication + "\n",
		KeyOperatorPassword:    c.Operator,
		KeyReplicationPassword: c.Replication,
		KeyProbePassword:       c.Probe,
		KeyObserverPassword:    c.Observer,
	})
}

func secret(v *v1alpha1.Valkey, name string, data map[string]string) *corev1.Secret {
	s := &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: meta(v, name),
		Type:       corev1.SecretTypeOpaque,
		Data:       make(map[string][]byte, len(data)),
	}
	for key, value := range data {
		s.Data[key] = []byte(value)
	}
	return s
}
