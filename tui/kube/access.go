package kube

import (
	"context"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Rights asks what of the actions the user may do in their namespace, which is the same for all of them: by one request for all rules
// where the cluster can tell them, and by one for each action that those do not allow, since such a list may be incomplete. An error
// means that it is not known, which is not a "no".
func (c *Client) Rights(ctx context.Context, actions []Action) ([]Access, error) {
	answers := make([]Access, len(actions))
	if len(actions) == 0 {
		return answers, nil
	}
	rules, complete := c.rules(ctx, actions[0].Namespace)
	for i, action := range actions {
		before := slices.Index(actions, action)
		switch {
		case before < i:
			answers[i] = answers[before] // several keys, one right
		case slices.ContainsFunc(rules, func(r authorizationv1.ResourceRule) bool { return allows(r, action) }):
			answers[i].Allowed = true
		case complete:
			answers[i].Reason = notAllowed(action)
		default:
			answer, err := c.CanI(ctx, action)
			if err != nil {
				return nil, err
			}
			answers[i] = answer
		}
	}
	return answers, nil
}

// rules are what the user may do in a namespace, and whether that is all. Where it cannot be asked there are none.
func (c *Client) rules(ctx context.Context, namespace string) (rules []authorizationv1.ResourceRule, complete bool) {
	if namespace == "" {
		return nil, false // it can be asked for one namespace alone
	}
	review := &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: namespace}}
	answer, err := c.connection().authz.SelfSubjectRulesReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return nil, false
	}
	return answer.Status.ResourceRules, !answer.Status.Incomplete
}

// allows reports whether a rule allows an action.
func allows(r authorizationv1.ResourceRule, a Action) bool {
	resource := a.Resource
	if a.Subresource != "" {
		resource += "/" + a.Subresource
	}
	holds := func(list []string, one ...string) bool {
		return slices.ContainsFunc(one, func(s string) bool { return slices.Contains(list, s) })
	}
	isForName := len(r.ResourceNames) == 0 || a.Name != "" && slices.Contains(r.ResourceNames, a.Name)
	return isForName && holds(r.Verbs, "*", a.Verb) && holds(r.APIGroups, "*", a.Group) &&
		holds(r.Resources, "*", resource, "*/"+a.Subresource)
}
