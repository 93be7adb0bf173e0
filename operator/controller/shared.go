package controller

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"

	"kuberly.io/valkey-operator/operator/resources"
)

// applyShared applies what all nodes have in common. It comes before the nodes, so that the boot mode for several
// nodes is in force before a second one is made.
func (s *scope) applyShared(ctx context.Context) error {
	shared := []resources.Object{
		resources.InternalSecret(s.v, s.login),
		resources.UserSecret(s.v, s.login),
		resources.ObserverSecret(s.v, s.login),
		resources.ConfigMap(s.v, resources.BootOf(s.nodesInAll())),
		s.primaryService(),
		resources.ReplicasService(s.v),
		resources.NodesService(s.v),
	}
	for _, o := range shared {
		if err := s.apply(ctx, o); err != nil {
			return err
		}
	}
	return s.applyBudgets(ctx)
}

// nodesInAll is how many nodes are wanted or still there.
func (s *scope) nodesInAll() int {
	n := s.v.WantedReplicas()
	for i, node := range s.nodes {
		if node.deployment != nil || len(node.pods) > 0 {
			n = max(n, i+1)
		}
	}
	return n
}

func (s *scope) applyBudgets(ctx context.Context) error {
	for _, budget := range resources.DisruptionBudgets(s.v) {
		if s.v.WantedReplicas() > 1 {
			if err := s.apply(ctx, budget); err != nil {
				return err
			}
			continue
		}
		if current, ok := s.live[keyOf(budget)].(*policyv1.PodDisruptionBudget); ok {
			if err := s.remove(ctx, current); err != nil {
				return err
			}
		}
	}
	return nil
}
