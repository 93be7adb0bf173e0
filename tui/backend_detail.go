package tui

import (
	"context"
	"time"

	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/server"
)

// inspector opens what is known of one Valkey, live.
type inspector interface {
	Detail(ctx context.Context, ref kube.Ref) detailer
	Observe(ctx context.Context, ref kube.Ref) observer
}

// detailer is a kube.DetailStream, or a test's.
type detailer interface {
	Next(ctx context.Context) (kube.Detail, error)
	Close()
}

// observer is a server.Observer, or a test's.
type observer interface {
	Next(ctx context.Context) ([]server.Reading, error)
	SetPods(pods []string)
	Rest()
	Look(look server.Look)
	Close()
}

// discloser tells what hangs on one Valkey and is asked for once.
type discloser interface {
	Config(ctx context.Context, ref kube.Ref) (map[string]string, error)
}

// mover asks the operator to move roles and to restart servers.
type mover interface {
	Failover(ctx context.Context, ref kube.Ref, node string) (from string, err error)
	CancelFailover(ctx context.Context, ref kube.Ref) (waited bool, err error)
	Restart(ctx context.Context, ref kube.Ref, now time.Time) error
}

// clientInspector hands out the client's streams as interfaces.
type clientInspector struct{ client *kube.Client }

func (i clientInspector) Detail(ctx context.Context, ref kube.Ref) detailer {
	return i.client.Detail(ctx, ref)
}

func (i clientInspector) Observe(ctx context.Context, ref kube.Ref) observer {
	return server.Observe(ctx, i.client, ref)
}
