package remote

import (
	"context"
	"crypto/x509"
	"encoding/binary"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// 06 §3: no private ranges.
func TestAddresses(t *testing.T) {
	rows := []struct {
		reason, refused, allowed string // of addresses, blank-separated
	}{
		{"unspecified, this network", "0.0.0.0 0.1.2.3 ::", "1.0.0.1"},
		{"private", "10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1", "9.255.255.255 11.0.0.1 172.15.255.255 172.32.0.1 192.167.1.1 192.169.1.1"},
		{"loopback", "127.0.0.1 127.255.255.255 ::1", "126.0.0.1 128.0.0.1"},
		{"link-local, metadata", "169.254.0.1 169.254.169.254 169.254.170.2 fe80::1 fe80::1%eth0 168.63.129.16 192.0.0.192 100.100.100.200 fd00:ec2::254", "169.253.1.1 168.63.129.17"},
		{"shared", "100.64.0.0 100.127.255.255", "100.63.255.255 100.128.0.1"},
		{"protocols, documentation, benchmarks", "192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 2001:db8::1 3fff::1 2001:2::1", "198.17.1.1 198.20.1.1"},
		{"multicast, reserved, broadcast", "224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ff02::1 ff0e::1", "223.255.255.1"},
		{"mapped and compatible IPv4", "::ffff:8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::8.8.8.8", "8.8.8.8"},
		{"NAT64", "64:ff9b::8.8.8.8 64:ff9b::a00:1 64:ff9b:1::1", ""},
		{"6to4, its relays, Teredo", "2002:7f00:1:: 2002:808:808::1 192.88.99.1 2001::1 2001:0:7f00:1::", ""},
		{"unique local, site-local", "fc00::1 fdff::1 fec0::1", ""},
		{"not given out", "4000::1 5f00::1 100::1", ""},
		{"public IPv6", "", "2606:4700::1 2a00:1450::1 2001:4860::1 2400:cb00::1"},
	}
	g := newGuard(false)
	for _, row := range rows {
		for a := range strings.FieldsSeq(row.refused) {
			ip := netip.MustParseAddr(a)
			assert.False(t, g.public(ip), "%s: %s", row.reason, a)
			assert.ErrorIs(t, g.check("tcp", netip.AddrPortFrom(ip, 443).String(), false), ErrRefused, a)
		}
		for a := range strings.FieldsSeq(row.allowed) {
			assert.True(t, g.public(netip.MustParseAddr(a)), "%s: %s", row.reason, a)
		}
	}
	assert.False(t, g.public(netip.Addr{}), "no address")
	assert.ErrorIs(t, g.check("udp4", "8.8.8.8:443", false), ErrRefused)
	assert.ErrorIs(t, g.check("unix", "/run/docker.sock", false), ErrRefused)
	assert.NoError(t, g.check("tcp4", "8.8.8.8:443", false))
	assert.NoError(t, g.check("tcp6", "[::1]:443", true))
	assert.ErrorIs(t, g.check("tcp4", "8.8.8.8:443", true), ErrRefused, "localhost that is elsewhere")
	assert.ErrorIs(t, g.check("tcp4", "10.0.0.1:443", true), ErrRefused)
}

// A server on this machine is refused at dial time without the option, in every
// spelling a URL can have.
func TestLoopbackRefused(t *testing.T) {
	s := newTLSSite(t)
	s.index()
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	for _, host := range []string{"127.0.0.1", "localhost", "127.1.2.3", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]"} {
		c := open(t, "https://"+host+":"+u.Port(), Options{Timeout: patience})
		_, err := c.Find(t.Context(), "", 0)
		requireError(t, err, skills.CodeUnreadable)
		assert.ErrorIs(t, err, ErrRefused, host)
	}
	// With it, only what says that it is this machine.
	for _, host := range []string{"[::ffff:10.0.0.1]", "0.0.0.0", "[::]", "10.0.0.1", "169.254.169.254"} {
		c := open(t, "https://"+host+":"+u.Port(), Options{Timeout: patience, AllowLoopback: true})
		_, err := c.Find(t.Context(), "", 0)
		assert.ErrorIs(t, err, ErrRefused, host)
	}
	assert.Zero(t, s.count(wellKnown))
}

// Names are judged by what they resolve to, with the option too.
func TestNamesRefused(t *testing.T) {
	s := newTLSSite(t)
	s.index()
	dns := newDNS(t, "127.0.0.1")
	for _, allow := range []bool{false, true} {
		c := s.named(t, dns, Options{AllowLoopback: allow}, nil)
		for _, answer := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1", "0.0.0.0"} {
			dns.answer(answer)
			_, err := c.Find(t.Context(), "", 0)
			requireError(t, err, skills.CodeUnreadable)
			assert.ErrorIs(t, err, ErrRefused, answer)
		}
	}
	assert.Zero(t, s.count(wellKnown))
}

// A name that was good and then points inside (DNS rebinding) gains nothing: the
// second connection is judged as the first one was. Here 127.0.0.1 plays the
// public address.
func TestRebinding(t *testing.T) {
	s := newTLSSite(t)
	s.index(bareEntry("a"))
	dns := newDNS(t, "127.0.0.1")
	c := s.named(t, dns, Options{MaxAge: -1, RootCAs: s.roots()}, func(g *guard) {
		for i, b := range g.blocks {
			if b.String() == "127.0.0.0/8" {
				g.blocks[i] = netip.MustParsePrefix("127.0.0.2/32")
			}
		}
	})
	require.Equal(t, []string{"a"}, slugs(t, c, ""))
	dns.answer("127.0.0.2")
	c.lib.client.transport.CloseIdleConnections()
	_, err := c.Find(t.Context(), "", 0)
	assert.ErrorIs(t, err, ErrRefused)
	assert.ErrorContains(t, err, "127.0.0.2 is no public address")
	assert.Equal(t, 1, s.count(wellKnown))
}

func (s *site) roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

// named opens a catalogue of the site under a name.
func (s *site) named(t *testing.T, dns *dnsServer, o Options, change func(*guard)) *Catalog {
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	o.Timeout = patience
	return open(t, "https://example.com:"+u.Port(), o, func(s *seams) {
		s.guard = func(g *guard) {
			g.resolver = dns.resolver()
			if change != nil {
				change(g)
			}
		}
	})
}

// A dnsServer has one answer for all names.
type dnsServer struct {
	conn net.PacketConn

	mu sync.Mutex // guards ip
	ip netip.Addr
}

func newDNS(t *testing.T, ip string) *dnsServer {
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	require.NoError(t, err)
	d := &dnsServer{conn: conn, ip: netip.MustParseAddr(ip)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.serve()
	}()
	t.Cleanup(func() {
		conn.Close()
		<-done
	})
	return d
}

func (d *dnsServer) answer(ip string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ip = netip.MustParseAddr(ip)
}

func (d *dnsServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", d.conn.LocalAddr().String())
	}}
}

func (d *dnsServer) serve() {
	buf := make([]byte, 1500)
	for {
		n, from, err := d.conn.ReadFrom(buf)
		if err != nil {
			return
		}
		if reply := d.reply(buf[:n]); reply != nil {
			d.conn.WriteTo(reply, from)
		}
	}
}

// reply answers a question of type A with the address, others with nothing.
func (d *dnsServer) reply(q []byte) []byte {
	end := 12
	for end < len(q) && q[end] != 0 {
		end += int(q[end]) + 1
	}
	if end += 5; end > len(q) {
		return nil
	}
	isA := binary.BigEndian.Uint16(q[end-4:]) == 1
	out := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, q[12:end]...)
	if isA {
		d.mu.Lock()
		ip := d.ip.As4()
		d.mu.Unlock()
		out[7] = 1
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		out = append(out, ip[:]...)
	}
	return out
}
