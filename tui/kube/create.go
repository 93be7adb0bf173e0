package kube

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/manifest"
)

const (
	// fieldManager is the name under which the API server notes what we wrote.
	fieldManager = "valkeyctl"
	// cleanupTimeout bounds what is done after the caller may have given up.
	cleanupTimeout = 10 * time.Second
	// fallbackNamespace exists in every cluster.
	fallbackNamespace = "default"
	maxPassword       = 512
)

// CreateOptions is what Create needs.
type CreateOptions struct {
	// Valkey is what to create: namespace, name and spec.
	Valkey *v1alpha1.Valkey
	// Fields, where it is set, is the same object with fields that the type does not know.
	Fields *unstructured.Unstructured
	// Password, where it is not empty, goes into a Secret of its own that spec.passwordSecretRef is made to name.
	Password string
	// DryRun asks the server to check everything and keep nothing.
	DryRun bool
}

// CreateResult says what Create made (or, in a dry run, would have made).
type CreateResult struct {
	Valkey           *v1alpha1.Valkey
	NamespaceCreated bool
	Secret           string // name of the Secret with the password; empty where none was made
	Warnings         []string
}

// Create makes a Valkey; first its namespace where it is missing, and the Secret of its password. The Secret goes away with the
// Valkey, and at once where the Valkey is refused. A Valkey that is refused leaves no new namespace behind either.
func (c *Client) Create(ctx context.Context, opts CreateOptions) (CreateResult, error) {
	v := opts.Valkey.DeepCopy()
	v.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Valkey"}
	if opts.Password != "" {
		if err := CheckPassword(opts.Password); err != nil {
			return CreateResult{}, err
		}
		v.Spec.Password = nil
		v.Spec.PasswordSecretRef = &v1alpha1.SecretKeyRef{Name: passwordSecretName(v.Name), Key: v1alpha1.SecretKeyPassword}
	}
	ctx, warned := withWarnings(ctx)
	opts.Valkey = v
	result, err := c.create(ctx, opts)
	if !isNamespaceMissing(err) {
		result.Warnings = append(*warned, result.Warnings...)
		return result, c.failed(err)
	}
	checked, err := c.check(ctx, opts)
	if err != nil {
		return CreateResult{}, c.failed(err)
	}
	if err := c.createNamespace(ctx, v.Namespace, opts.DryRun); err != nil {
		return CreateResult{}, c.failed(err)
	}
	if opts.DryRun {
		result = CreateResult{Valkey: checked}
		if opts.Password != "" {
			result.Secret = checked.Spec.PasswordSecretRef.Name
		}
	} else if result, err = c.create(ctx, opts); err != nil {
		return CreateResult{NamespaceCreated: true}, c.failed(err)
	}
	result.NamespaceCreated = true
	result.Warnings = append(*warned, result.Warnings...)
	return result, nil
}

// create makes the Secret, if one is wanted, and the Valkey.
func (c *Client) create(ctx context.Context, opts CreateOptions) (CreateResult, error) {
	if opts.Password == "" {
		made, err := c.post(ctx, opts)
		return CreateResult{Valkey: made}, err
	}
	secret, err := c.createSecret(ctx, opts)
	if err != nil {
		return CreateResult{}, err
	}
	v := opts.Valkey.DeepCopy()
	v.Spec.PasswordSecretRef.Name = secret.Name
	opts.Valkey = v
	made, err := c.post(ctx, opts)
	if err != nil {
		if !opts.DryRun {
			err = c.dropSecret(ctx, secret, v, err)
		}
		return CreateResult{}, err
	}
	result := CreateResult{Valkey: made, Secret: secret.Name}
	if opts.DryRun {
		return result, nil
	}
	if err := c.bindSecret(ctx, secret, made); err != nil {
		result.Warnings = append(result.Warnings, "the Secret "+secret.Name+" will stay when the Valkey is deleted: "+Explain(err).Message)
	}
	return result, nil
}

func (c *Client) post(ctx context.Context, opts CreateOptions) (*v1alpha1.Valkey, error) {
	v := opts.Valkey
	body, err := manifest.Untyped(v)
	if err != nil {
		return nil, err
	}
	manifest.Complete(body, opts.Fields)
	options := metav1.CreateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict}
	if opts.DryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	made, err := c.connection().dynamic.Resource(valkeyResource).Namespace(v.Namespace).Create(ctx, body, options)
	if err != nil {
		return nil, err
	}
	return manifest.Typed(made)
}

// check has the server check a Valkey whose namespace does not exist yet, in one that does.
func (c *Client) check(ctx context.Context, opts CreateOptions) (*v1alpha1.Valkey, error) {
	v := opts.Valkey
	elsewhere := v.DeepCopy()
	elsewhere.Namespace = fallbackNamespace
	opts.Valkey, opts.DryRun = elsewhere, true
	checked, err := c.post(ctx, opts)
	switch {
	case err == nil:
		checked.Namespace = v.Namespace
		return checked, nil
	case apierrors.IsAlreadyExists(err), apierrors.IsForbidden(err):
		return v, nil // a Valkey of that name there, or no right there, says nothing against one here
	default:
		return nil, err
	}
}

func (c *Client) createNamespace(ctx context.Context, name string, dryRun bool) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err := c.connection().core.Namespaces().Create(ctx, namespace, createOptions(dryRun))
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func createOptions(dryRun bool) metav1.CreateOptions {
	options := metav1.CreateOptions{FieldManager: fieldManager}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	return options
}

func passwordSecretName(name string) string { return name + "-password" }

// PasswordSecret is the Secret that Create makes for the password of a Valkey.
func PasswordSecret(v *v1alpha1.Valkey, password string) *corev1.Secret {
	return &corev1.Secret{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{
			Name: passwordSecretName(v.Name), Namespace: v.Namespace,
			Labels: map[string]string{
				v1alpha1.LabelName: v1alpha1.AppName, v1alpha1.LabelInstance: v.Name, v1alpha1.LabelManagedBy: fieldManager,
			},
		},
		Type: corev1.SecretTypeOpaque,
		Data: map[string][]byte{v1alpha1.SecretKeyPassword: []byte(password)},
	}
}

// createSecret makes the Secret of the password; where its name is taken, with one that is not.
func (c *Client) createSecret(ctx context.Context, opts CreateOptions) (*corev1.Secret, error) {
	secret := PasswordSecret(opts.Valkey, opts.Password)
	secrets := c.connection().core.Secrets(secret.Namespace)
	made, err := secrets.Create(ctx, secret, createOptions(opts.DryRun))
	if apierrors.IsAlreadyExists(err) {
		secret.GenerateName, secret.Name = secret.Name+"-", ""
		made, err = secrets.Create(ctx, secret, createOptions(opts.DryRun))
	}
	return made, explainSecret(err)
}

// explainSecret keeps a refusal of the Secret's name apart: it is the Valkey's name that is wrong.
func explainSecret(err error) error {
	if !apierrors.IsInvalid(err) {
		return err
	}
	p := explainStatus(err)
	for i := range p.Fields {
		p.Fields[i].Value = strings.TrimSuffix(p.Fields[i].Value, "-password")
	}
	p.Message = clausesOf(p.Fields)
	return p.cleaned(err)
}

// dropSecret deletes the Secret of a Valkey that was refused, and returns the refusal. Where it is not known whether the Valkey exists,
// because the answer was lost, the server is asked first.
func (c *Client) dropSecret(ctx context.Context, secret *corev1.Secret, v *v1alpha1.Valkey, refusal error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	if !isRefusal(refusal) {
		if _, err := c.Get(ctx, v.Namespace, v.Name); !IsClass(err, ClassNotFound) {
			return refusal
		}
	}
	options := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &secret.UID}}
	err := c.connection().core.Secrets(secret.Namespace).Delete(ctx, secret.Name, options)
	if err == nil || apierrors.IsNotFound(err) {
		return refusal
	}
	p := *Explain(refusal)
	p.Hint = strings.TrimPrefix(p.Hint+"; the Secret "+secret.Name+" was left behind", "; ")
	return &p
}

// isRefusal reports whether the server itself said no, so that nothing was made.
func isRefusal(err error) bool {
	var answer apierrors.APIStatus
	return errors.As(err, &answer) && answer.Status().Code >= 400 && answer.Status().Code < 500
}

// bindSecret makes the Secret go away with the Valkey.
func (c *Client) bindSecret(ctx context.Context, secret *corev1.Secret, v *v1alpha1.Valkey) error {
	bound := secret.DeepCopy()
	bound.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: v1alpha1.GroupVersion.String(), Kind: "Valkey", Name: v.Name, UID: v.UID,
	}}
	patch, err := mergePatch(map[string]any{"metadata": map[string]any{
		"uid": secret.UID, "ownerReferences": bound.OwnerReferences,
	}})
	if err != nil {
		return err
	}
	_, err = c.connection().core.Secrets(secret.Namespace).Patch(ctx, secret.Name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager})
	return err
}

// isNamespaceMissing reports whether err says that the namespace of what was to be created does not exist.
func isNamespaceMissing(err error) bool {
	var answer apierrors.APIStatus
	if !errors.As(err, &answer) {
		return false
	}
	status := answer.Status()
	return status.Reason == metav1.StatusReasonNotFound && status.Details != nil && status.Details.Kind == "namespaces"
}

// CheckPassword refuses what the server would refuse in spec.password: in a Secret it cannot.
func CheckPassword(password string) error {
	const path = "password"
	message := ""
	switch {
	case password == "":
		message = "it is empty"
	case len(password) > maxPassword:
		message = "a password may be at most 512 bytes long"
	case strings.ContainsAny(password, "\n\x00"):
		message = "a password may hold no newline and no NUL character"
	default:
		return nil
	}
	f := FieldProblem{Path: path, Message: message}
	return &Problem{Class: ClassInvalid, Message: f.String(), Fields: []FieldProblem{f}}
}

// passwordAlphabet has no character that a shell, a URL or a person could take for another.
const passwordAlphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// GeneratePassword makes a random password of 24 characters (about 139 bits).
func GeneratePassword() string {
	const length = 24
	password := make([]byte, 0, length)
	limit := byte(256 - 256%len(passwordAlphabet)) // above it, some characters would be likelier
	for len(password) < length {
		var random [2 * length]byte
		rand.Read(random[:]) // it never returns an error: without randomness the program ends
		for _, b := range random {
			if b < limit && len(password) < length {
				password = append(password, passwordAlphabet[int(b)%len(passwordAlphabet)])
			}
		}
	}
	return string(password)
}
