// Package network wires the nodes together: one bridge in node 1's network namespace, and a cable from it to each node,
// node 1 included, so that every node can be unplugged alone. It makes nothing in the host's own network, and no link
// leads out of the nodes' namespaces.
package network

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"kuberly.io/valkey-operator/test/sandbox/layout"
)

const (
	bridge = "br0"
	uplink = "eth0" // a node's end of its cable
)

// MakeBridge makes the bridge and node 1's own cable in the calling process's namespace, which is node 1's.
func MakeBridge() error {
	br := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: bridge}}
	if err := netlink.LinkAdd(br); err != nil {
		return fmt.Errorf("make bridge: %w", err)
	}
	if err := netlink.LinkSetUp(br); err != nil {
		return fmt.Errorf("make bridge: %w", err)
	}
	if err := keepApart(); err != nil {
		return fmt.Errorf("make bridge: %w", err)
	}
	return addCable(&netlink.Handle{}, br, 1, nil)
}

// keepApart makes the bridge a mere switch, although it lies in the namespace of a node that is plugged into it. That
// node's connection tracking must not see a packet once more as it passes the bridge: it would take a rewritten one for
// a new connection, and no Service would lead from that node to another. And the bridge must not answer for the node's
// address, or replies would arrive by it.
func keepApart() error {
	if err := os.WriteFile("/proc/sys/net/ipv4/conf/all/arp_ignore", []byte("1"), 0o644); err != nil {
		return err
	}
	nft := exec.Command("nft", "-f", "-")
	nft.Stdin = strings.NewReader("table inet switch { chain prerouting {" +
		" type filter hook prerouting priority -350; iifname " + bridge + " notrack; }; }\n")
	if out, err := nft.CombinedOutput(); err != nil {
		return fmt.Errorf("nft: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// Join gives the calling process's namespace the address of node i once its cable is there, and the ways to the other
// nodes' pods. There is no default route: whatever lies outside the cluster fails at once instead of after a timeout.
func Join(ctx context.Context, i int) error {
	lo, err := netlink.LinkByName("lo")
	if err != nil {
		return fmt.Errorf("join network: %w", err)
	}
	if err := netlink.LinkSetUp(lo); err != nil {
		return fmt.Errorf("join network: %w", err)
	}
	link, err := waitForLink(ctx, &netlink.Handle{}, uplink)
	if err != nil {
		return fmt.Errorf("join network: %w", err)
	}
	address := &netlink.Addr{IPNet: &net.IPNet{IP: net.ParseIP(layout.NodeIP(i)), Mask: net.CIDRMask(layout.NodeBits, 32)}}
	if err := netlink.AddrReplace(link, address); err != nil {
		return fmt.Errorf("join network: set address: %w", err)
	}
	if err := netlink.LinkSetUp(link); err != nil {
		return fmt.Errorf("join network: %w", err)
	}
	for _, route := range routes(i, link.Attrs().Index) {
		if err := netlink.RouteReplace(&route); err != nil {
			return fmt.Errorf("join network: route to %s: %w", route.Dst, err)
		}
	}
	return os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o644)
}

// routes lead to the other nodes' pods, and service addresses onto the cable: kube-proxy rewrites them, but only what has a
// route gets that far.
func routes(i, linkIndex int) []netlink.Route {
	all := []netlink.Route{{LinkIndex: linkIndex, Dst: cidr(layout.ServiceCIDR), Scope: netlink.SCOPE_LINK}}
	for other := 1; other <= layout.MaxNodes; other++ {
		if other != i {
			all = append(all, netlink.Route{LinkIndex: linkIndex, Dst: cidr(layout.NodePodCIDR(other)), Gw: net.ParseIP(layout.NodeIP(other))})
		}
	}
	return all
}

// Switch is the bridge as seen from outside its namespace.
type Switch struct{ handle *netlink.Handle }

// OpenSwitch opens the bridge in the network namespace of the process pid, which is node 1's. Close it.
func OpenSwitch(pid int) (Switch, error) {
	ns, err := netns.GetFromPid(pid)
	if err != nil {
		return Switch{}, fmt.Errorf("open network of node 1: %w", err)
	}
	defer func() { _ = ns.Close() }()
	handle, err := netlink.NewHandleAt(ns, unix.NETLINK_ROUTE)
	if err != nil {
		return Switch{}, fmt.Errorf("open network of node 1: %w", err)
	}
	return Switch{handle: handle}, nil
}

// Close lets go of the namespace.
func (s Switch) Close() { s.handle.Close() }

// Plug runs a cable from the bridge to node i, whose process 1 is pid, unless there is one.
func (s Switch) Plug(ctx context.Context, i, pid int) error {
	br, err := waitForLink(ctx, s.handle, bridge)
	if err != nil {
		return fmt.Errorf("plug in %s: %w", layout.NodeName(i), err)
	}
	plugged, err := hasUplink(pid)
	if err != nil || plugged {
		return err
	}
	// A cable to a node that has died may be there for a moment still.
	if old, err := s.handle.LinkByName(layout.NodeName(i)); err == nil {
		if err := s.handle.LinkDel(old); err != nil && !errors.Is(err, unix.ENODEV) {
			return fmt.Errorf("plug in %s: %w", layout.NodeName(i), err)
		}
	}
	return addCable(s.handle, br, i, netlink.NsPid(pid))
}

// Cut takes node i off the bridge; it keeps its address and hears nothing more.
func (s Switch) Cut(i int) error { return s.setPort(i, s.handle.LinkSetDown) }

// Heal brings node i back.
func (s Switch) Heal(i int) error { return s.setPort(i, s.handle.LinkSetUp) }

// IsCut tells whether node i is off the bridge.
func (s Switch) IsCut(i int) (bool, error) {
	port, err := s.handle.LinkByName(layout.NodeName(i))
	if err != nil {
		return false, fmt.Errorf("find port of %s: %w", layout.NodeName(i), err)
	}
	return port.Attrs().Flags&net.FlagUp == 0, nil
}

func (s Switch) setPort(i int, set func(netlink.Link) error) error {
	port, err := s.handle.LinkByName(layout.NodeName(i))
	if err != nil {
		return fmt.Errorf("find port of %s: %w", layout.NodeName(i), err)
	}
	if err := set(port); err != nil {
		return fmt.Errorf("set port of %s: %w", layout.NodeName(i), err)
	}
	return nil
}

// addCable makes a pair of linked interfaces: one end on the bridge, named after the node, the other in the namespace peer,
// or beside it if peer is nil.
func addCable(h *netlink.Handle, br netlink.Link, i int, peer any) error {
	cable := &netlink.Veth{
		LinkAttrs: netlink.LinkAttrs{Name: layout.NodeName(i), MasterIndex: br.Attrs().Index},
		PeerName:  uplink, PeerNamespace: peer,
	}
	if err := h.LinkAdd(cable); err != nil {
		return fmt.Errorf("plug in %s: %w", layout.NodeName(i), err)
	}
	if err := h.LinkSetUp(cable); err != nil {
		return fmt.Errorf("plug in %s: %w", layout.NodeName(i), err)
	}
	return nil
}

func hasUplink(pid int) (bool, error) {
	ns, err := netns.GetFromPid(pid)
	if err != nil {
		return false, fmt.Errorf("open the node's network: %w", err)
	}
	defer func() { _ = ns.Close() }()
	h, err := netlink.NewHandleAt(ns, unix.NETLINK_ROUTE)
	if err != nil {
		return false, fmt.Errorf("open the node's network: %w", err)
	}
	defer h.Close()
	_, err = h.LinkByName(uplink)
	return err == nil, nil
}

func waitForLink(ctx context.Context, h *netlink.Handle, name string) (netlink.Link, error) {
	for {
		link, err := h.LinkByName(name)
		if err == nil {
			return link, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s: %w: %w", name, context.Cause(ctx), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// cidr parses a constant.
func cidr(s string) *net.IPNet {
	_, network, err := net.ParseCIDR(s)
	if err != nil {
		panic(err)
	}
	return network
}
