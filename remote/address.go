package remote

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// special lists the blocks that are no public hosts. For IPv6 only the part of
// the address space that is given out, 2000::/3, is asked at all, which leaves
// out loopback, mapped and translated IPv4 (::ffff:0:0/96, 64:ff9b::/96), unique
// local, link-local and multicast addresses.
const special = `
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15
198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
168.63.129.16/32
2001::/23 2001:db8::/32 2002::/16 3fff::/20`

// A guard decides at dial time, when names are resolved, which addresses may be
// connected to (06 §3). So a name that changes its address between a check and
// the connection gains nothing.
type guard struct {
	blocks   []netip.Prefix
	loopback bool
	resolver *net.Resolver // nil for the system's
}

func newGuard(loopback bool) *guard {
	g := &guard{loopback: loopback}
	for _, block := range strings.Fields(special) {
		g.blocks = append(g.blocks, netip.MustParsePrefix(block))
	}
	return g
}

// dial is for [http.Transport]; addr has the host as the URL says it.
func (g *guard) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	local := g.loopback && isLoopback(host)
	d := net.Dialer{
		Resolver:  g.resolver,
		KeepAlive: 30 * time.Second,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			return g.check(network, address, local)
		},
	}
	return d.DialContext(ctx, network, addr)
}

// check refuses what is not public, or with local what is not this machine.
func (g *guard) check(network, address string, local bool) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !strings.HasPrefix(network, "tcp") {
		return fmt.Errorf("%w: %s %s is no address of a server", ErrRefused, network, address)
	}
	if local && at.Addr().IsLoopback() || !local && g.public(at.Addr()) {
		return nil
	}
	return fmt.Errorf("%w: %s is no public address", ErrRefused, at.Addr())
}

// public reports whether an address is one of the public internet.
func (g *guard) public(ip netip.Addr) bool {
	if ip.Zone() != "" || ip.Is6() && ip.As16()[0]>>5 != 1 {
		return false
	}
	for _, block := range g.blocks {
		if block.Contains(ip) {
			return false
		}
	}
	return ip.IsValid()
}
