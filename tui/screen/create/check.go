package create

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// The rules of the API (package v1alpha1), said before the server has to. A test holds them against the CRD.
const (
	maxName      = 50
	maxNamespace = 63
	maxImage     = 512
	maxUser      = 64
	maxPassword  = 512
	maxQuantity  = 16
	maxReplicas  = 5
	minMemory    = "32Mi"
)

var (
	namePattern      = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	childPattern     = regexp.MustCompile(`-(replicas|nodes|internal|observer|node-[0-9]+)$`)
	namespacePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	imagePattern     = regexp.MustCompile(`^\S+$`)
	userPattern      = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
	memoryPattern    = regexp.MustCompile(`^[0-9]+[KMG]i$`)
	storagePattern   = regexp.MustCompile(`^[0-9]+[MGT]i$`)
	cpuPattern       = regexp.MustCompile(`^([0-9]+m?|[0-9]+\.[0-9]{1,3})$`)
)

func checkName(s string) error {
	switch {
	case s == "":
		return errors.New("a name is needed")
	case len(s) > maxName:
		return fmt.Errorf("at most %d characters, this has %d: the names of its pods and Services are made of it", maxName, len(s))
	case !namePattern.MatchString(s):
		return errors.New("lower case letters, digits and dashes; a letter first, no dash last")
	case childPattern.MatchString(s):
		return errors.New("may not end in -replicas, -nodes, -internal, -observer or -node-N")
	}
	return nil
}

func checkNamespace(s string) error {
	switch {
	case s == "":
		return errors.New("a namespace is needed")
	case len(s) > maxNamespace:
		return fmt.Errorf("at most %d characters, this has %d", maxNamespace, len(s))
	case !namespacePattern.MatchString(s):
		return errors.New("lower case letters, digits and dashes; no dash first or last")
	}
	return nil
}

func checkImage(s string) error {
	switch {
	case s == "":
		return errors.New("an image is needed")
	case len(s) > maxImage:
		return fmt.Errorf("at most %d characters", maxImage)
	case !imagePattern.MatchString(s):
		return errors.New("an image has no spaces")
	}
	return nil
}

func checkUser(s string) error {
	reserved := []string{v1alpha1.UserOperator, v1alpha1.UserReplication, v1alpha1.UserProbe, v1alpha1.UserObserver}
	switch {
	case s == "":
		return errors.New("a user is needed")
	case len(s) > maxUser:
		return fmt.Errorf("at most %d characters, this has %d", maxUser, len(s))
	case !userPattern.MatchString(s):
		return errors.New("letters, digits, dots, dashes and underscores")
	case slices.Contains(reserved, s):
		return errors.New("the operator uses this name itself")
	}
	return nil
}

// checkPassword takes an empty one, for which one is made.
func checkPassword(s string) error {
	switch {
	case len(s) > maxPassword:
		return fmt.Errorf("at most %d bytes, this has %d", maxPassword, len(s))
	case strings.ContainsAny(s, "\n\x00"):
		return errors.New("no newline and no NUL character")
	}
	return nil
}

func checkReplicas(s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 0 || n > maxReplicas || s != strconv.Itoa(n) {
		return fmt.Errorf("0 (stopped) to %d", maxReplicas)
	}
	return nil
}

func checkMemory(s string) error {
	if len(s) > maxQuantity || !memoryPattern.MatchString(s) {
		return errors.New("a whole number with Ki, Mi or Gi, e.g. 512Mi")
	}
	if isLess(s, minMemory) {
		return errors.New("at least " + minMemory)
	}
	return nil
}

func checkCPU(s string) error {
	if len(s) > maxQuantity || !cpuPattern.MatchString(s) {
		return errors.New("cores, e.g. 200m, 1 or 2.5")
	}
	if !isLess("0", s) {
		return errors.New("above zero")
	}
	return nil
}

func checkStorage(s string) error {
	if len(s) > maxQuantity || !storagePattern.MatchString(s) {
		return errors.New("a whole number with Mi, Gi or Ti, e.g. 1Gi")
	}
	if !isLess("0", s) {
		return errors.New("above zero")
	}
	return nil
}

// isLess compares two quantities; what is none is never less.
func isLess(a, b string) bool {
	x, errX := resource.ParseQuantity(a)
	y, errY := resource.ParseQuantity(b)
	return errX == nil && errY == nil && x.Cmp(y) < 0
}
