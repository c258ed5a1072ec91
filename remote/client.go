package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"
)

const (
	maxHops    = 3        // redirects of one request (06 §3)
	maxHeader  = 64 << 10 // bytes of a response's header
	maxConns   = 16       // connections to one host
	maxETag    = 1 << 10  // bytes; a longer condition is not stored
	idleConn   = 30 * time.Second
	userAgent  = "skills-remote (Go)"
	indexTypes = "application/json, */*;q=0.1"
	textTypes  = "text/markdown, text/plain;q=0.9, */*;q=0.1"
)

// A client asks servers. It reads no environment, follows redirects itself,
// keeps no cookies, and is safe for concurrent use.
type client struct {
	places    *places
	header    func(ctx context.Context, origin string) (http.Header, error)
	timeout   time.Duration
	transport *http.Transport
}

func newClient(p *places, g *guard, o *Options) *client {
	return &client{places: p, header: o.Header, timeout: o.Timeout, transport: &http.Transport{
		DialContext:            g.dial,
		TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		DisableCompression:     true, // decoded here, within bounds
		MaxResponseHeaderBytes: maxHeader,
		MaxConnsPerHost:        maxConns,
		IdleConnTimeout:        idleConn,
	}}
}

// A request asks for one document.
type request struct {
	url    *url.URL
	accept string
	limit  int64   // bytes of the body, decoded
	option string  // that sets limit
	since  *record // a condition: answer only if it differs; nil for none
}

// An answer is a whole body, or the news that nothing has changed.
type answer struct {
	unchanged bool
	body      []byte
	etag      string
	modified  string
	policy    policy
}

// get asks within the timeout. A server that says "unchanged" to no condition
// is asked once more, past any cache on the way (06 §3).
func (c *client) get(ctx context.Context, r request) (*answer, *problem) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	a, p := c.try(ctx, r, false)
	if p == nil && a.unchanged && r.since == nil {
		a, p = c.try(ctx, r, true)
		if p == nil && a.unchanged {
			p = &problem{msg: `the server answers "not modified" though nothing was there before`, hint: "correct the server or the cache in front of it"}
		}
	}
	if p != nil {
		return nil, p.at(r.url)
	}
	return a, nil
}

// try follows redirects to an answer. Once they have left the origin, the
// host's headers are not sent again, wherever they lead.
func (c *client) try(ctx context.Context, r request, anew bool) (*answer, *problem) {
	secret, p := c.secrets(ctx, origin(r.url))
	if p != nil {
		return nil, p
	}
	at := r.url
	for hops := 0; ; hops++ {
		resp, err := c.transport.RoundTrip(c.request(ctx, at, r, secret, anew))
		if err != nil {
			return nil, c.failed(ctx, err)
		}
		a, next, p := c.judge(ctx, resp, at, r)
		if next == nil {
			return a, p
		}
		if hops == maxHops {
			return nil, refused(fmt.Sprintf("the server redirects more than %d times", maxHops), "correct the server, or give the URL it means")
		}
		if origin(next) != origin(at) {
			secret = nil
		}
		at = next
	}
}

func (c *client) request(ctx context.Context, at *url.URL, r request, secret http.Header, anew bool) *http.Request {
	h := make(http.Header)
	h.Set("User-Agent", userAgent)
	h.Set("Accept", r.accept)
	for k, v := range secret {
		h[k] = v
	}
	h.Set("Accept-Encoding", "gzip")
	if r.since != nil && r.since.ETag != "" {
		h.Set("If-None-Match", r.since.ETag)
	}
	if r.since != nil && r.since.Modified != "" {
		h.Set("If-Modified-Since", r.since.Modified)
	}
	if anew {
		h.Set("Cache-Control", "no-cache")
	}
	return (&http.Request{Method: http.MethodGet, URL: at, Host: at.Host, Header: h, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
}

// judge reads a response and closes it. next is where it redirects to.
func (c *client) judge(ctx context.Context, resp *http.Response, at *url.URL, r request) (a *answer, next *url.URL, p *problem) {
	defer resp.Body.Close()
	switch status := resp.StatusCode; status {
	case http.StatusOK:
		body, p := readBody(resp, r)
		if p != nil {
			if p.msg == "" {
				p = c.failed(ctx, p.err)
			}
			return nil, nil, p
		}
		return describe(resp, body), nil, nil
	case http.StatusNotModified:
		a := describe(resp, nil)
		a.unchanged = true
		return a, nil, nil
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		next, p := c.places.hop(at, resp.Header.Get("Location"))
		return nil, next, p
	default:
		return nil, nil, badStatus(status)
	}
}

func describe(resp *http.Response, body []byte) *answer {
	a := &answer{body: body, policy: newPolicy(resp.Header), etag: resp.Header.Get("ETag"), modified: resp.Header.Get("Last-Modified")}
	if !isPlain(a.etag) {
		a.etag = ""
	}
	if !isPlain(a.modified) {
		a.modified = ""
	}
	return a
}

// isPlain reports whether a header's value can be sent back.
func isPlain(s string) bool {
	return len(s) <= maxETag && strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0
}

// badStatus tells a server in trouble from one that says no.
func badStatus(status int) *problem {
	p := &problem{msg: fmt.Sprintf("the server answers %d %s", status, http.StatusText(status)), lasting: true}
	switch {
	case status == http.StatusNotFound || status == http.StatusGone:
		p.gone, p.hint = true, "check the URL, or ask who runs the catalogue"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		p.hint = "give credentials through Options.Header"
	case status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		p.lasting, p.hint = false, "try again later"
	default:
		p.hint = "only 200 brings a document; check the URL"
	}
	return p
}

// failed explains a request without a whole response.
func (c *client) failed(ctx context.Context, err error) *problem {
	var unsafe *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrRefused):
		return &problem{msg: "the address may not be connected to", hint: "only public addresses are allowed; see the cause", err: err, lasting: true}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &problem{msg: fmt.Sprintf("the server did not answer in full within %v", c.timeout), hint: "try again later, or raise Options.Timeout", err: context.DeadlineExceeded}
	case ctx.Err() != nil:
		return closed()
	case errors.As(err, &unsafe):
		return &problem{msg: "the server's certificate is not valid", hint: "check the URL, or give Options.RootCAs", err: err}
	default:
		return &problem{msg: "the server cannot be reached or broke off", hint: "check the network and the URL", err: err}
	}
}

// secrets asks the host for headers, if the origin is one it named. A callback
// that never returns costs a goroutine, not the request's deadline.
func (c *client) secrets(ctx context.Context, origin string) (http.Header, *problem) {
	if c.header == nil || !c.places.origins[origin] {
		return nil, nil
	}
	type result struct {
		header http.Header
		err    error
	}
	done := make(chan result, 1)
	go func() {
		r := result{err: errors.New("it ended its goroutine")}
		defer func() {
			if p := recover(); p != nil {
				r = result{err: fmt.Errorf("panic: %v", p)}
			}
			done <- r
		}()
		r.header, r.err = c.header(ctx, origin)
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, &problem{msg: "Options.Header failed", hint: "see the cause", err: r.err, lasting: true}
		}
		return harmless(r.header), nil
	case <-ctx.Done():
		return nil, c.failed(ctx, ctx.Err())
	}
}

// harmless copies headers but for those that would change what is asked for or
// how it is sent.
func harmless(in http.Header) http.Header {
	out := make(http.Header, len(in))
	for k, v := range in {
		k = textproto.CanonicalMIMEHeaderKey(k)
		switch {
		case strings.HasPrefix(k, "If-"), strings.HasPrefix(k, "Proxy-"):
		case strings.Contains(" Accept-Encoding Connection Content-Length Expect Host Keep-Alive Range Te Trailer Transfer-Encoding Upgrade ", " "+k+" "):
		default:
			out[k] = append([]string(nil), v...)
		}
	}
	return out
}
