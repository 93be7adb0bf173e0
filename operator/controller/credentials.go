package controller

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

const maxPassword = 512 // bytes, as the API has it

// credentials finds the passwords: the user's in the spec or the Secret that it names, the operator's own in the
// internal Secret, where a new process finds them. What is missing there is made.
func (s *scope) credentials(ctx context.Context) error {
	stored, err := s.storedCredentials(ctx)
	if err != nil {
		return err
	}
	if remembered, ok := s.r.known.Load(s.v.UID); ok {
		// What the servers were told. A Secret that was deleted or changed by hand must not lock the operator out.
		stored = remembered.(resources.Credentials)
	}
	for _, password := range []*string{&stored.Operator, &stored.Replication, &stored.Probe, &stored.Observer} {
		if *password == "" {
			*password = rand.Text()
		}
	}
	s.r.known.Store(s.v.UID, stored)
	s.login = stored
	s.login.Admin, err = s.adminPassword(ctx)
	return err
}

func (s *scope) storedCredentials(ctx context.Context) (resources.Credentials, error) {
	current, err := s.current(ctx, resources.InternalSecret(s.v, resources.Credentials{}))
	if err != nil || current == nil {
		return resources.Credentials{}, err
	}
	data := current.(*corev1.Secret).Data
	return resources.Credentials{
		Operator:    string(data[resources.KeyOperatorPassword]),
		Replication: string(data[resources.KeyReplicationPassword]),
		Probe:       string(data[resources.KeyProbePassword]),
		Observer:    string(data[resources.KeyObserverPassword]),
	}, nil
}

func (s *scope) adminPassword(ctx context.Context) (string, error) {
	ref := s.v.Spec.PasswordSecretRef
	if ref == nil {
		if s.v.Spec.Password == nil {
			return "", problemf(v1alpha1.ReasonPassword, true, "set spec.password or spec.passwordSecretRef")
		}
		return *s.v.Spec.Password, nil
	}
	s.after(atRest) // the Secret is the user's, so it is not in the cache, and no watch tells of a change
	secret := &corev1.Secret{}
	err := s.r.Live.Get(ctx, client.ObjectKey{Namespace: s.v.Namespace, Name: ref.Name}, secret)
	if apierrors.IsNotFound(err) {
		s.after(5 * soon)
		return "", problemf(v1alpha1.ReasonPassword, true, fmt.Sprintf("the Secret %s that spec.passwordSecretRef names does"+
			" not exist: create it with the password under the key %q", ref.Name, ref.Key))
	}
	if err != nil {
		return "", fmt.Errorf("read the Secret of spec.passwordSecretRef: %w", err)
	}
	password, ok := secret.Data[ref.Key]
	if why := unusable(password, ok); why != "" {
		return "", problemf(v1alpha1.ReasonPassword, true, fmt.Sprintf("the key %q of the Secret %s %s", ref.Key, ref.Name, why))
	}
	return string(password), nil
}

// unusable says why a password cannot be used, by the rules of spec.password.
func unusable(password []byte, exists bool) string {
	switch {
	case !exists:
		return "does not exist: put the password there"
	case len(password) == 0:
		return "is empty: put the password there"
	case len(password) > maxPassword:
		return fmt.Sprintf("is longer than %d bytes: choose a shorter password", maxPassword)
	case bytes.ContainsAny(password, "\n\x00"):
		return "holds a newline or a NUL character: write it without (echo -n)"
	default:
		return ""
	}
}
