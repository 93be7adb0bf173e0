package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// operatorContainer is the one of the operator's pods, which carry the labels of its Deployment.
const operatorContainer = "manager"

// OperatorLogs starts to read the logs of the operator's own pods. Who may not list pods of all namespaces reads those of the
// namespace that the manifests put it into. An operator that is not found is an error.
func (c *Client) OperatorLogs(ctx context.Context, opts LogOptions) (*LogStream, error) {
	namespace, err := c.findOperator(ctx)
	if err != nil {
		return nil, err
	}
	return c.readLogs(ctx, logScope{namespace: namespace, selector: operatorLabels, container: operatorContainer}, opts), nil
}

// findOperator is the namespace in which the operator runs. An operator for one namespace may run beside others: that of the current namespace comes first.
func (c *Client) findOperator(ctx context.Context) (string, error) {
	for _, namespace := range []string{c.Namespace(), "", operatorNamespace} {
		pods, err := c.connection().core.Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: operatorLabels, Limit: 1})
		if err != nil {
			if err = c.failed(err); namespace == operatorNamespace || !IsClass(err, ClassForbidden) {
				return "", err
			}
			continue
		}
		if len(pods.Items) > 0 {
			return pods.Items[0].Namespace, nil
		}
	}
	return "", problem(ClassNotFound, "no pod of the operator is found", "is it deployed? `make deploy` does")
}
