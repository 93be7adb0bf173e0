package kube

import (
	"context"
	"net"
	"net/url"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// URI is the connection string of a Valkey for programs in the cluster. Its password, which is a secret, is left out unless reveal is set.
func (c *Client) URI(ctx context.Context, ref Ref, reveal bool) (string, error) {
	if reveal {
		login, err := c.Credentials(ctx, ref, User)
		if err != nil {
			return "", err
		}
		return uri(url.UserPassword(login.User, login.Password), Address(ref)), nil
	}
	v, err := c.Get(ctx, ref.Namespace, ref.Name)
	if err != nil {
		return "", err
	}
	return OpenURI(v.Spec.User, Address(ref)), nil
}

// Address is where programs in the cluster reach the primary of a Valkey.
func Address(ref Ref) string {
	v := v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Name: ref.Name}}
	return net.JoinHostPort(v.ServiceName()+"."+ref.Namespace+".svc", strconv.Itoa(v1alpha1.Port))
}

// OpenURI is a connection string without a password.
func OpenURI(user, address string) string { return uri(url.User(user), address) }

// uri has the scheme redis, which every client library knows, those of Valkey included.
func uri(user *url.Userinfo, address string) string {
	u := url.URL{Scheme: "redis", User: user, Host: address}
	return u.String()
}
