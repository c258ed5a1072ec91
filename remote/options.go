package remote

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/names"
)

// The defaults of [Options].
const (
	defaultTimeout   = 10 * time.Second
	defaultSize      = 1 << 20 // bytes of one answer
	defaultCacheSize = 64 << 20
	defaultAge       = 5 * time.Minute
	defaultStale     = 30 * 24 * time.Hour
)

// Options are the host's wishes for a catalogue. Nil and the zero value are
// good. They are copied by [New].
type Options struct {
	// Hosts are further hosts, such as "cdn.example.com" or
	// "cdn.example.com:8443", that entries of the index may lead to. Without
	// any, entries of other origins than the index's are dropped.
	Hosts []string

	// CacheDir is the directory that keeps answers between runs; several
	// processes may share it. It is made with mode 0700 if there is none, and
	// refused if others may write to it. "" keeps answers in memory only.
	CacheDir string

	// CacheSize bounds what is kept, in bytes of all tenants together; 0 or
	// less means 64 MiB. What was not used for longest goes first. Each
	// process may exceed it by a sixteenth before it looks again.
	CacheSize int64

	// Tenant separates those who share a CacheDir but not their rights: one
	// never sees what was stored for another. Give each set of credentials
	// its own.
	Tenant string

	// Pins maps slugs to the SHA-256 that their SKILL.md must have, in hex,
	// with or without "sha256:". Other content is an error, whatever the
	// index says.
	Pins map[string]string

	// Header returns headers, such as Authorization, for requests to one
	// origin, such as "https://example.com". It is called for the index's
	// origin and those of Hosts, once a request and never after a redirect to
	// another origin; return nil for an origin that is not to see them. What
	// this package sets itself is ignored: conditions, ranges, encodings and
	// the connection's headers.
	//
	// Requests serve several callers at once, so ctx carries a deadline but
	// nothing of a caller: credentials belong to a catalogue and its Tenant.
	// Header must be safe for concurrent use and end with ctx. An error or a
	// panic fails the request, and no stored copy stands in.
	Header func(ctx context.Context, origin string) (http.Header, error)

	// RootCAs verify servers; nil means those of the system.
	RootCAs *x509.CertPool

	// MaxAge is how long an answer is used without asking again if the server
	// does not say; 0 means five minutes, less means not at all. What the
	// server says counts up to a day.
	MaxAge time.Duration

	// MaxStale is how old an answer may be that is used because the server
	// cannot be reached; 0 means 30 days, less means that none is used.
	// Content that is known by its SHA-256 has no such limit.
	MaxStale time.Duration

	// Timeout is for one request with its redirects and its whole body; 0 or
	// less means ten seconds.
	Timeout time.Duration

	// MaxSize bounds a SKILL.md after decoding, in bytes; 0 or less means
	// 1 MiB.
	MaxSize int64

	// MaxIndexSize bounds the index after decoding, in bytes; 0 or less means
	// 1 MiB, which is about 4,000 entries.
	MaxIndexSize int64

	// AllowLoopback allows http and https to this very machine if a URL says
	// so: 127.0.0.1, [::1] or localhost. It is meant for tests. A name that
	// resolves to the machine stays refused.
	AllowLoopback bool

	// Logger receives what is left out of an index, stored copies that stand
	// in for a server, and failures of the cache. Nil logs nothing.
	Logger *slog.Logger
}

// withDefaults returns a copy of o in which nothing is left open. Its pins are
// bare lower-case hex.
func (o *Options) withDefaults() (Options, error) {
	var out Options
	if o != nil {
		out = *o
	}
	out.CacheSize = cmp.Or(max(out.CacheSize, 0), defaultCacheSize)
	out.MaxAge = cmp.Or(out.MaxAge, defaultAge)
	out.MaxStale = cmp.Or(out.MaxStale, defaultStale)
	out.Timeout = cmp.Or(max(out.Timeout, 0), defaultTimeout)
	out.MaxSize = cmp.Or(max(out.MaxSize, 0), defaultSize)
	out.MaxIndexSize = cmp.Or(max(out.MaxIndexSize, 0), defaultSize)
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	pins, err := pinned(out.Pins)
	out.Pins = pins
	return out, err
}

func pinned(pins map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(pins))
	for slug, pin := range pins {
		if !names.IsSlug(slug) {
			return nil, badOption("Options.Pins", "a pin is for something that is no slug", "write the slug as the index has it", nil)
		}
		digest, ok := bareDigest("sha256:" + strings.TrimPrefix(strings.ToLower(pin), "sha256:"))
		if !ok {
			return nil, &skills.Error{Issue: skills.Issue{
				Code: skills.CodeInvalid, Severity: severityError, Skill: slug, Field: "Options.Pins",
				Msg: "the pin is no SHA-256", Hint: "write 64 hex digits",
			}}
		}
		out[slug] = digest
	}
	return out, nil
}

// bareDigest returns the hex digits of "sha256:<64 hex digits>" in lower case.
func bareDigest(s string) (string, bool) {
	digits, ok := strings.CutPrefix(strings.ToLower(s), "sha256:")
	if !ok || len(digits) != 64 {
		return "", false
	}
	_, err := hex.DecodeString(digits)
	return digits, err == nil
}
