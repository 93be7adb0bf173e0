package kube

import (
	"errors"
	"net/http"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// plural is the plural name of the kind in paths and messages.
const plural = "valkeys"

// crdName is the name of the CRD.
const crdName = plural + "." + v1alpha1.Group

const hintCRD = "install it with `make install`, or with the operator: `kubectl apply -f dist/install.yaml`"

// explainStatus knows what the API server answers.
func explainStatus(err error) *Problem {
	if meta.IsNoMatchError(err) {
		return noCRD()
	}
	var answer apierrors.APIStatus
	if !errors.As(err, &answer) {
		return nil
	}
	status := answer.Status()
	switch status.Reason {
	case metav1.StatusReasonUnauthorized:
		return problem(ClassCredentials, "the cluster does not accept your credentials: they are wrong or have expired", "log in again")
	case metav1.StatusReasonForbidden:
		return explainForbidden(status)
	case metav1.StatusReasonNotFound:
		return explainNotFound(status)
	case metav1.StatusReasonAlreadyExists:
		return problem(ClassExists, kindAndName(status)+" exists already", "")
	case metav1.StatusReasonConflict:
		return explainConflict(status)
	case metav1.StatusReasonInvalid, metav1.StatusReasonBadRequest:
		return explainInvalid(status)
	case metav1.StatusReasonTimeout, metav1.StatusReasonServerTimeout:
		return problem(ClassTimeout, "the API server did not answer in time: "+status.Message, "")
	case metav1.StatusReasonServiceUnavailable, metav1.StatusReasonTooManyRequests:
		return problem(ClassUnreachable, "the API server cannot serve now: "+status.Message, "")
	default:
		if p := explainTypedPatch(status.Message); p != nil {
			return p
		}
		if status.Code == http.StatusBadGateway {
			return problem(ClassUnreachable, "the API server cannot serve now: "+status.Message, "")
		}
		return problem(ClassUnknown, status.Message, "")
	}
}

func noCRD() *Problem {
	return problem(ClassNoCRD, "this cluster knows no Valkeys: the CRD "+crdName+" is not installed", hintCRD)
}

// forbidden is how the API server's authorizer words it.
var forbidden = regexp.MustCompile(`User "([^"]*)" cannot (\S+) resource "([^"]+)"(?: in API group "[^"]*")?(?: in the namespace "([^"]+)")?( at the cluster scope)?`)

func explainForbidden(status metav1.Status) *Problem {
	if hasCause(status, corev1.NamespaceTerminatingCause) {
		return problem(ClassInvalid, "the namespace is being deleted: nothing can be created in it", "wait until it is gone, or take another")
	}
	m := forbidden.FindStringSubmatch(status.Message)
	if m == nil {
		return problem(ClassForbidden, status.Message, "")
	}
	message := "user " + quote(m[1]) + " may not " + m[2] + " " + m[3]
	switch {
	case m[4] != "":
		message += " in namespace " + quote(m[4])
	case m[5] != "":
		message += " in all namespaces"
	}
	hint := "ask an administrator for that right"
	if m[5] != "" && m[3] == plural {
		hint += ", or name a namespace with -n"
	}
	return problem(ClassForbidden, message, hint)
}

// explainNotFound tells a missing object from a missing kind, of which the server knows nothing to say. A kubelet answers like that, too,
// when it is asked for the log of a pod that has just gone.
func explainNotFound(status metav1.Status) *Problem {
	generic := hasCause(status, metav1.CauseTypeUnexpectedServerResponse) || strings.Contains(status.Message, "could not find the requested resource")
	if generic && isOfOurKind(status.Details) {
		return noCRD()
	}
	if status.Details == nil || status.Details.Name == "" {
		return problem(ClassNotFound, status.Message, "")
	}
	return problem(ClassNotFound, "there is no "+kindAndName(status), "")
}

// isOfOurKind reports whether a Valkey was asked for. Requests of the dynamic client name no kind at all; those that we make are for Valkeys.
func isOfOurKind(details *metav1.StatusDetails) bool {
	return details == nil || details.Group == v1alpha1.Group || details.Group == "" && details.Kind == ""
}

func explainConflict(status metav1.Status) *Problem {
	name := kindAndName(status)
	switch {
	case strings.Contains(status.Message, "UID in precondition"):
		return replaced(name)
	case strings.Contains(status.Message, "modified"), strings.Contains(status.Message, "ResourceVersion in precondition"):
		return problem(ClassConflict, name+" has changed since you looked at it", "look again, then retry")
	default:
		return problem(ClassConflict, status.Message, "")
	}
}

// replaced is the conflict of an object that is not the one that was meant.
func replaced(name string) *Problem {
	return problem(ClassConflict, name+" is no longer the object you chose: that one was deleted, and a new one has its name", "look again, then retry")
}

// kindAndName is, for example, valkey "app-db".
func kindAndName(status metav1.Status) string {
	if status.Details == nil || status.Details.Name == "" {
		return "the object"
	}
	kind := strings.TrimSuffix(status.Details.Kind, "s")
	if kind == "" {
		kind = "object"
	}
	return strings.ToLower(kind) + " " + quote(status.Details.Name)
}

func hasCause(status metav1.Status, cause metav1.CauseType) bool {
	if status.Details == nil {
		return false
	}
	for _, c := range status.Details.Causes {
		if c.Type == cause {
			return true
		}
	}
	return false
}
