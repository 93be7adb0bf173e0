package kube

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/tools/clientcmd"

	"kuberly.io/valkey-operator/tui/clean"
)

const hintKubeconfig = "set KUBECONFIG, or pass --kubeconfig FILE"

// explainConfig knows the errors of a kubeconfig.
func explainConfig(err error) *Problem {
	text := err.Error()
	switch {
	case clientcmd.IsEmptyConfig(err), strings.Contains(text, "no configuration has been provided"):
		return problem(ClassNoKubeconfig, "no kubeconfig: there is no cluster to talk to", hintKubeconfig)
	case clientcmd.IsContextNotFound(err), strings.HasPrefix(text, "context ") && strings.HasSuffix(text, "does not exist"):
		return problem(ClassNoKubeconfig, "kubeconfig: "+text, "`kubectl config get-contexts` lists the contexts")
	case clientcmd.IsConfigurationInvalid(err):
		return problem(ClassNoKubeconfig, "kubeconfig: "+text, "")
	case strings.HasPrefix(text, "error loading config file"):
		return problem(ClassNoKubeconfig, "kubeconfig: "+strings.TrimPrefix(text, "error "), "")
	}
	if strings.Contains(text, "getting credentials: ") {
		_, detail, _ := strings.Cut(text, "getting credentials: ")
		return problem(ClassCredentials, "cannot get credentials: "+detail, "the program that the kubeconfig names for logging in has to work")
	}
	var path *os.PathError
	if errors.As(err, &path) && errors.Is(err, os.ErrNotExist) && path.Op != "dial" {
		return problem(ClassNoKubeconfig, "kubeconfig: "+path.Path+" does not exist", hintKubeconfig)
	}
	return nil
}

// noCluster says why no kubeconfig names a cluster: loading leaves out without a word what KUBECONFIG lists and is not there.
func noCluster(getter genericclioptions.RESTClientGetter) *Problem {
	listed := os.Getenv(clientcmd.RecommendedConfigPathEnvVar)
	if flags, ok := getter.(*genericclioptions.ConfigFlags); ok && flags.KubeConfig != nil && *flags.KubeConfig != "" {
		return problem(ClassNoKubeconfig, "kubeconfig: "+clean.Text(*flags.KubeConfig)+" names no cluster", "--kubeconfig names it")
	}
	if listed == "" {
		return problem(ClassNoKubeconfig, "no kubeconfig: there is no cluster to talk to", hintKubeconfig)
	}
	const hint = "KUBECONFIG names it: correct it, or pass --kubeconfig FILE"
	for _, path := range filepath.SplitList(listed) {
		_, err := os.Stat(path) //nolint:gosec // The user names it, and it is only looked for.
		if path != "" && errors.Is(err, os.ErrNotExist) {
			return problem(ClassNoKubeconfig, "kubeconfig: "+clean.Text(path)+" does not exist", hint)
		}
	}
	return problem(ClassNoKubeconfig, "kubeconfig: "+clean.Text(listed)+" names no cluster", hint)
}

// explainNetwork knows what happens on the way to the API server.
func explainNetwork(err error) *Problem {
	if errors.Is(err, context.Canceled) {
		return problem(ClassCancelled, "cancelled", "")
	}
	where := "the cluster"
	var request *url.Error
	if errors.As(err, &request) {
		if u, parseErr := url.Parse(request.URL); parseErr == nil && u.Host != "" {
			where = "the cluster at " + u.Scheme + "://" + u.Host
		}
	}
	if reason := certificateReason(err); reason != "" {
		return problem(ClassUnreachable, where+" cannot be trusted: "+reason, "the kubeconfig's certificate authority or server name does not fit")
	}
	reason, broken := networkReason(err)
	switch {
	case reason != "":
		return problem(ClassUnreachable, "cannot reach "+where+": "+reason, "is it running, and is the kubeconfig's context the right one?")
	case isTimeout(err):
		return problem(ClassTimeout, where+" did not answer in time", "")
	case broken:
		return problem(ClassUnreachable, "the connection to "+where+" broke", "")
	case request != nil:
		return problem(ClassUnreachable, "cannot reach "+where+": "+request.Err.Error(), "")
	}
	return nil
}

// networkReason is why no connection came about; broken says that there was one.
func networkReason(err error) (reason string, broken bool) {
	var dns *net.DNSError
	var operation *net.OpError
	switch {
	case errors.As(err, &dns):
		return "the name " + dns.Name + " is not known", false
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused", false
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "no route to it", false
	case errors.As(err, &operation) && operation.Op == "dial":
		if operation.Timeout() {
			return "nobody answers", false
		}
		return operation.Err.Error(), false
	}
	text := err.Error()
	return "", errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE) || strings.Contains(text, "connection reset") || strings.Contains(text, "http2: ")
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() ||
		strings.Contains(err.Error(), "Client.Timeout exceeded")
}

func certificateReason(err error) string {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &authority):
		return "its certificate is signed by an unknown authority"
	case errors.As(err, &host):
		return host.Error()
	case errors.As(err, &invalid):
		return invalid.Error()
	}
	return ""
}
