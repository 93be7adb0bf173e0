package kube

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
)

var groupResource = schema.GroupResource{Group: "database.kuberly.io", Resource: "valkeys"}

func request(err error) error {
	return &url.Error{Op: "Get", URL: "https://10.0.0.1:6443/apis/x?limit=500", Err: err}
}

func invalid(causes ...metav1.StatusCause) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid, Message: "Valkey is invalid",
		Details: &metav1.StatusDetails{Kind: "Valkey", Name: "app", Causes: causes},
	}}
}

func TestExplain(t *testing.T) {
	for name, tc := range map[string]struct {
		err   error
		class Class
		code  int
		want  string
	}{
		"no kubeconfig": {clientcmd.NewEmptyConfigError(""), ClassNoKubeconfig, 2, "no kubeconfig: there is no cluster to talk to; set KUBECONFIG, or pass --kubeconfig FILE"},
		"a kubeconfig that is not there": {
			&os.PathError{Op: "stat", Path: "/x", Err: os.ErrNotExist}, ClassNoKubeconfig, 2,
			"kubeconfig: /x does not exist; set KUBECONFIG, or pass --kubeconfig FILE",
		},
		"a context that is not there": {
			errors.New(`context "a" does not exist`), ClassNoKubeconfig, 2,
			"kubeconfig: context \"a\" does not exist; `kubectl config get-contexts` lists the contexts",
		},
		"nobody listens": {
			request(&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}), ClassUnreachable, 1,
			"cannot reach the cluster at https://10.0.0.1:6443: connection refused; is it running, and is the kubeconfig's context the right one?",
		},
		"an unknown host": {
			request(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "k.example", IsNotFound: true}}), ClassUnreachable, 1,
			"cannot reach the cluster at https://10.0.0.1:6443: the name k.example is not known; is it running, and is the kubeconfig's context the right one?",
		},
		"a host that does not answer": {
			request(&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}), ClassUnreachable, 1,
			"cannot reach the cluster at https://10.0.0.1:6443: nobody answers; is it running, and is the kubeconfig's context the right one?",
		},
		"a broken connection": {request(errors.New("unexpected EOF: connection reset by peer")), ClassUnreachable, 1, "the connection to the cluster at https://10.0.0.1:6443 broke"},
		"an answer too late":  {request(context.DeadlineExceeded), ClassTimeout, 1, "the cluster at https://10.0.0.1:6443 did not answer in time"},
		"the caller gave up":  {fmt.Errorf("list: %w", context.Canceled), ClassCancelled, 1, "cancelled"},
		"expired credentials": {apierrors.NewUnauthorized("Unauthorized"), ClassCredentials, 1, "the cluster does not accept your credentials: they are wrong or have expired; log in again"},
		"a broken login plugin": {
			request(errors.New("getting credentials: exec: executable aws failed with exit code 255")), ClassCredentials, 1,
			"cannot get credentials: exec: executable aws failed with exit code 255; the program that the kubeconfig names for logging in has to work",
		},
		"the CRD is missing": {
			apierrors.NewGenericServerResponse(404, "get", groupResource, "", "404 page not found", 0, true), ClassNoCRD, 1,
			"this cluster knows no Valkeys: the CRD valkeys.database.kuberly.io is not installed; install it with `make install`, or with the operator: `kubectl apply -f dist/install.yaml`",
		},
		"a pod that a kubelet no longer knows": {
			apierrors.NewGenericServerResponse(404, "get", schema.GroupResource{Resource: "pods"}, "app-0", "404 page not found", 0, true), ClassNotFound, 1,
			`there is no pod "app-0"`,
		},
		"the kind is missing for a request that names none": {
			apierrors.NewGenericServerResponse(404, "get", schema.GroupResource{}, "", "404 page not found", 0, true), ClassNoCRD, 1,
			"this cluster knows no Valkeys: the CRD valkeys.database.kuberly.io is not installed; install it with `make install`, or with the operator: `kubectl apply -f dist/install.yaml`",
		},
		"the kind is unknown to discovery": {
			&meta.NoKindMatchError{GroupKind: schema.GroupKind{Group: "database.kuberly.io", Kind: "Valkey"}}, ClassNoCRD, 1,
			"this cluster knows no Valkeys: the CRD valkeys.database.kuberly.io is not installed; install it with `make install`, or with the operator: `kubectl apply -f dist/install.yaml`",
		},
		"forbidden in a namespace": {
			apierrors.NewForbidden(groupResource, "app", errors.New(`User "bob" cannot delete resource "valkeys" in API group "database.kuberly.io" in the namespace "shop"`)),
			ClassForbidden, 1, `user "bob" may not delete valkeys in namespace "shop"; ask an administrator for that right`,
		},
		"forbidden everywhere": {
			apierrors.NewForbidden(groupResource, "", errors.New(`User "bob" cannot list resource "valkeys" in API group "database.kuberly.io" at the cluster scope`)),
			ClassForbidden, 1, `user "bob" may not list valkeys in all namespaces; ask an administrator for that right, or name a namespace with -n`,
		},
		"a quota": {
			apierrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, "x", errors.New("exceeded quota: few")), ClassForbidden, 1,
			`secrets "x" is forbidden: exceeded quota: few`,
		},
		"not found":      {apierrors.NewNotFound(groupResource, "app"), ClassNotFound, 1, `there is no valkey "app"`},
		"exists already": {apierrors.NewAlreadyExists(groupResource, "app"), ClassExists, 1, `valkey "app" exists already`},
		"changed meanwhile": {
			apierrors.NewConflict(groupResource, "app", errors.New("the object has been modified; please apply your changes to the latest version")), ClassConflict, 1,
			`valkey "app" has changed since you looked at it; look again, then retry`,
		},
		"replaced meanwhile": {
			apierrors.NewConflict(groupResource, "app", errors.New("Precondition failed: UID in precondition: a, UID in object meta: b")), ClassConflict, 1,
			`valkey "app" is no longer the object you chose: that one was deleted, and a new one has its name; look again, then retry`,
		},
		"a value out of range": {
			invalid(metav1.StatusCause{Field: "spec.replicas", Message: "Invalid value: 9: spec.replicas in body should be less than or equal to 5"}), ClassInvalid, 1,
			`spec.replicas: "9" is refused: should be less than or equal to 5`,
		},
		"a value that a pattern refuses": {
			invalid(metav1.StatusCause{Field: "spec.resource.memory", Message: `Invalid value: "1: x": spec.resource.memory in body should match '^[0-9]+[KMG]i$'`}), ClassInvalid, 1,
			`spec.resource.memory: "1: x" is refused: memory is a whole number and Ki, Mi or Gi, e.g. 512Mi, at least 32Mi`,
		},
		"a missing value": {
			invalid(metav1.StatusCause{Field: "spec.user", Message: "Required value"}), ClassInvalid, 1, `spec.user: a value is required`,
		},
		"a rule on the object": {
			invalid(metav1.StatusCause{Field: "spec", Message: `Invalid value: "object": set exactly one of spec.password and spec.passwordSecretRef`}), ClassInvalid, 1,
			`spec: set exactly one of spec.password and spec.passwordSecretRef`,
		},
		"a password is not repeated": {
			invalid(metav1.StatusCause{Field: "spec.password", Message: `Invalid value: "hunter2\n": a password may hold no newline`}), ClassInvalid, 1,
			`spec.password: a password may hold no newline`,
		},
		"two values, one of them twice": {
			invalid(
				metav1.StatusCause{Field: "spec.replicas", Message: "Invalid value: 9: too many"},
				metav1.StatusCause{Field: "spec.replicas", Message: "Invalid value: 9: too many"},
				metav1.StatusCause{Field: "", Message: `Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`},
				metav1.StatusCause{Field: "spec.user", Message: `Invalid value: "a b": no`},
			), ClassInvalid, 1, `spec.replicas: "9" is refused: too many; spec.user: "a b" is refused: no`,
		},
		"the name is too long, by our rule": {
			invalid(metav1.StatusCause{Field: "", Message: "Invalid value: the name may be at most 50 characters long: the names of its pods and Services are made of it"}), ClassNameTooLong, 1,
			"the name may be at most 50 characters long: the names of its pods and Services are made of it",
		},
		"the name is too long, by Kubernetes": {
			invalid(metav1.StatusCause{Field: "metadata.name", Message: `Invalid value: "aaa": must be no more than 253 bytes`}), ClassNameTooLong, 1,
			`metadata.name: "aaa" is refused: must be no more than 253 bytes`,
		},
		"the server is not ready": {
			apierrors.NewServiceUnavailable("please wait"), ClassUnreachable, 1, "the API server cannot serve now: please wait",
		},
		"anything else":               {errors.New("odd"), ClassUnknown, 1, "odd"},
		"hostile text, on many lines": {fmt.Errorf("%s", "a\x1b[2J\nb\u202e\r\n  c."), ClassUnknown, 1, "a b c"},
	} {
		t.Run(name, func(t *testing.T) {
			p := Explain(tc.err)
			if diff := cmp.Diff(tc.want, p.Error()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if p.Class != tc.class || p.ExitCode() != tc.code {
				t.Errorf("class %d and exit code %d, want %d and %d", p.Class, p.ExitCode(), tc.class, tc.code)
			}
			if !errors.Is(p, tc.err) && p.Unwrap() == nil {
				t.Error("the error that was explained is lost")
			}
			if again := Explain(fmt.Errorf("wrapped: %w", p)); again != p {
				t.Error("a problem does not stay itself")
			}
		})
	}
	if Explain(nil) != nil || explained(nil) != nil || explainedFor(nil, Ref{}) != nil {
		t.Error("nil does not stay nil")
	}
}

func TestExplainBoundsItsLength(t *testing.T) {
	if got := len(Explain(errors.New(strings.Repeat("x", 1<<20))).Message); got > maxMessage+3 {
		t.Errorf("a message of %d bytes", got)
	}
}
