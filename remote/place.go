package remote

import (
	"net/netip"
	"net/url"
	"strings"
)

// wellKnown is where an origin has its index in the open format.
const wellKnown = "/.well-known/agent-skills/index.json"

// places says which URLs may be asked (06 §3).
type places struct {
	index    *url.URL
	origins  map[string]bool // where entries may lead
	loopback bool
}

// newPlaces judges the host's own URLs. Errors never quote them: they may hold
// credentials.
func newPlaces(index string, o *Options) (*places, error) {
	u, err := url.Parse(index)
	if err != nil || u.Host == "" {
		return nil, badOption("index", "the address of the index is no URL", "write https://example.com, or the whole URL of its index.json", nil)
	}
	p := &places{index: u, loopback: o.AllowLoopback}
	if why := p.judge(u); why != "" {
		return nil, badOption("index", "the address of the index cannot be used: "+why, "write an https URL; credentials go into Options.Header", nil)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = wellKnown
	} else if strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("index.json")
		p.index = u
	}
	u.Fragment = ""
	p.origins = map[string]bool{origin(u): true}
	for _, host := range o.Hosts {
		h, err := url.Parse(u.Scheme + "://" + host)
		if err != nil || h.Host == "" || h.Host != host || p.judge(h) != "" {
			return nil, badOption("Options.Hosts", "an entry is no host that may be asked", "write cdn.example.com or cdn.example.com:8443", nil)
		}
		p.origins[origin(h)] = true
	}
	return p, nil
}

// judge returns why u must not be asked, or "".
func (p *places) judge(u *url.URL) string {
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return "its scheme is not https"
	case u.Opaque != "" || u.Hostname() == "":
		return "it names no host"
	case u.User != nil:
		return "it holds credentials"
	case !isPlainHost(u.Host):
		return "its host is not plain ASCII"
	case u.Scheme == "http" && !(p.loopback && isLoopback(u.Hostname())):
		return "it is not encrypted; use https"
	}
	return ""
}

// entry resolves what an entry of the index says, or returns why it is dropped.
func (p *places) entry(ref string) (u *url.URL, why string) {
	if ref == "" {
		return nil, "it has no URL"
	}
	rel, err := url.Parse(ref)
	if err != nil {
		return nil, "its URL cannot be read"
	}
	if climbs(rel.EscapedPath()) || climbs(rel.Opaque) {
		return nil, "its URL has .. or a hidden separator in its path"
	}
	u = p.index.ResolveReference(rel)
	u.Fragment, u.RawFragment = "", ""
	if why := p.judge(u); why != "" {
		return nil, "its URL cannot be used: " + why
	}
	if !p.origins[origin(u)] {
		return nil, "its URL leads to another origin"
	}
	return u, ""
}

// hop resolves a redirect. Nothing leads from https to http.
func (p *places) hop(from *url.URL, location string) (*url.URL, *problem) {
	const hint = "correct the server; redirects may lead to https URLs only"
	rel, err := url.Parse(location)
	if err != nil || location == "" {
		return nil, refused("the server redirects to something that is no URL", hint)
	}
	to := from.ResolveReference(rel)
	to.Fragment, to.RawFragment = "", ""
	if why := p.judge(to); why != "" {
		return nil, refused("the server redirects to a place that is not allowed: "+why, hint).leading(to)
	}
	if from.Scheme == "https" && to.Scheme != "https" {
		return nil, refused("the server redirects from https to http", hint).leading(to)
	}
	return to, nil
}

// climbs reports whether an escaped path has a segment ".." or a separator in
// disguise, however often it was escaped. Servers differ in how often they
// decode.
func climbs(path string) bool {
	for range 4 {
		if strings.Contains(path, `\`) {
			return true
		}
		for seg := range strings.SplitSeq(path, "/") {
			if seg == ".." {
				return true
			}
		}
		low := strings.ToLower(path)
		if strings.Contains(low, "%2f") || strings.Contains(low, "%5c") || strings.Contains(low, "%00") {
			return true
		}
		next, err := url.PathUnescape(path)
		if err != nil || next == path {
			return false
		}
		path = next
	}
	return true
}

// origin returns scheme, host and port in one spelling.
func origin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		host = strings.TrimSuffix(host, ":443")
	case "http":
		host = strings.TrimSuffix(host, ":80")
	}
	return u.Scheme + "://" + strings.TrimSuffix(host, ":")
}

// clean returns u for messages: without what may be secret.
func clean(u *url.URL) string {
	if u == nil {
		return ""
	}
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	return bare.String()
}

// isPlainHost reports whether host is a name or address that means the same to
// everybody.
func isPlainHost(host string) bool {
	for _, r := range host {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		case strings.ContainsRune("-_.:[]", r):
		default:
			return false
		}
	}
	return true
}

// isLoopback reports whether a URL's host says that it is this machine.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
