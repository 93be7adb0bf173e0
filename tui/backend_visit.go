package tui

import (
	"context"

	"kuberly.io/valkey-operator/tui/kube"
)

// visitor looks into one Valkey, and into the operator.
type visitor interface {
	operatorLogger
	noder
	copier
	sitter
	forwarder
}

// operatorLogger opens the log of the operator.
type operatorLogger interface {
	OperatorLogs(ctx context.Context, opts kube.LogOptions) (liner, error)
}

// noder asks which servers a Valkey has.
type noder interface {
	Servers(ctx context.Context, ref kube.Ref) ([]kube.Node, error)
}

// copier finds what is worth copying of a Valkey.
type copier interface {
	URI(ctx context.Context, ref kube.Ref, reveal bool) (string, error)
	YAML(ctx context.Context, ref kube.Ref, reveal bool) (string, error)
}

// clientVisitor hands out what the client opens as interfaces.
type clientVisitor struct{ *kube.Client }

// OperatorLogs is for operatorLogger.
func (v clientVisitor) OperatorLogs(ctx context.Context, opts kube.LogOptions) (liner, error) {
	stream, err := v.Client.OperatorLogs(ctx, opts)
	if err != nil {
		return nil, err
	}
	return stream, nil
}
