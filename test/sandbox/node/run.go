package node

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"kuberly.io/valkey-operator/test/sandbox/layout"
	"kuberly.io/valkey-operator/test/sandbox/network"
	"kuberly.io/valkey-operator/test/sandbox/progress"
	"kuberly.io/valkey-operator/test/sandbox/reaper"
)

// Run is the second half of process 1: it sets the node up, starts its programs in an order that lets none of them wait
// for long, and keeps them running. It returns only when the node cannot be set up; its end is the end of the node.
func Run(ctx context.Context, c Config, out io.Writer) error {
	log := progress.New(out)
	if err := mountAll(c); err != nil {
		return err
	}
	if err := writeFiles(c); err != nil {
		return err
	}
	if err := os.Setenv("PATH", searchPath); err != nil {
		return err
	}
	s := &supervisor{ctx: ctx, reaper: reaper.New(ctx), log: log}
	if c.isControlPlane() {
		if err := network.MakeBridge(); err != nil {
			return err
		}
	}
	if err := network.Join(ctx, c.Index); err != nil {
		return err
	}
	log.Say("network joined")
	if err := start(ctx, c, s); err != nil {
		return err
	}
	log.Say("every program started")
	<-ctx.Done()
	return ctx.Err()
}

// start brings up the runtime and the control plane side by side: each spends much of its time waiting.
func start(ctx context.Context, c Config, s *supervisor) error {
	runtime, err := containerd()
	if err != nil {
		return err
	}
	s.keep(runtime)
	if c.isControlPlane() {
		s.keep(etcd(c))
		s.keep(apiServer(c))
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := awaitAddress(ctx, "unix", socket); err != nil {
			return err
		}
		if err := importImages(ctx, s.reaper); err != nil {
			return err
		}
		s.log.Say("images imported")
		return nil
	})
	group.Go(func() error {
		if err := awaitAPIServer(ctx); err != nil {
			return err
		}
		s.log.Say("API server ready")
		if c.isControlPlane() {
			s.keep(controllerManager())
			s.keep(scheduler())
			s.keep(provisioner())
		}
		s.keep(proxy())
		return nil
	})
	if err := group.Wait(); err != nil {
		return err
	}
	// Not before the images: a pod that finds none is asked about again only after ten seconds.
	s.keep(kubelet(c))
	return nil
}

// awaitAPIServer waits until the API server says that it is ready. Anyone may ask that, and whether it is the right one the
// programs check themselves.
func awaitAPIServer(ctx context.Context) error {
	client := &http.Client{
		Timeout:   5 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	}
	defer client.CloseIdleConnections()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, layout.APIServer()+"/readyz", http.NoBody)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the API server: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// supervisor keeps the node's programs running for as long as process 1 lives.
type supervisor struct {
	ctx    context.Context //nolint:containedctx // the life of process 1 itself, not of a call
	reaper *reaper.Reaper
	log    *progress.Printer
}

func (s *supervisor) keep(c reaper.Command) {
	go s.reaper.Keep(s.ctx, c, func(err error) { s.log.Say("%v; starting it again", err) })
}
