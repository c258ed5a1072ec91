package remote

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/seed-12b313d8/skills"
)

// Causes that errors.Is finds in the errors of a [Catalog] and of [New], beside
// their [skills.Code].
var (
	// ErrDigest says that a SKILL.md is not the one the index or a pin names
	// (06 §3). Nothing of it is returned or stored.
	ErrDigest = errors.New("the SHA-256 differs")

	// ErrPin says that the index offers other content than [Options].Pins
	// allows (06 §3).
	ErrPin = errors.New("the index names another SHA-256 than the pin")

	// ErrRefused says that an address, a scheme or a redirect is not allowed
	// (06 §3). No request was sent there.
	ErrRefused = errors.New("refused")

	// ErrTooLarge says that an answer is over its limit after decoding (06 §3).
	ErrTooLarge = errors.New("too large")

	// ErrClosed says that the catalogue was closed.
	ErrClosed = errors.New("the catalogue is closed")
)

// A problem is what went wrong with one URL. It becomes a [*skills.Error] where
// it leaves the package.
type problem struct {
	code      skills.Code // "" is CodeUnreadable
	url       string      // clean, "" for none
	msg, hint string
	names     []string // near slugs
	err       error
	lasting   bool // a stored copy must not stand in for the answer
	gone      bool // the server says that there is no such thing
}

func (p *problem) Error() string { return p.msg }

func (p *problem) Unwrap() error { return p.err }

// at adds the URL, without what may be secret in it.
func (p *problem) at(u *url.URL) *problem {
	if p.url == "" {
		p.url = clean(u)
	}
	return p
}

// public makes the error a caller gets. Messages name the URL in their Path
// only, so that what a model is told has none.
func public(slug string, err error) *skills.Error {
	var p *problem
	if !errors.As(err, &p) {
		p = &problem{msg: "the catalogue failed", hint: "see the cause", err: err}
	}
	code := p.code
	if code == "" {
		code = skills.CodeUnreadable
	}
	return &skills.Error{
		Issue: skills.Issue{Code: code, Severity: severityError, Skill: slug, Path: p.url, Msg: p.msg, Hint: p.hint},
		Names: p.names, Input: slug, Err: p.err,
	}
}

// The severities of an issue.
const (
	severityError   = "error"
	severityWarning = "warning"
	severityInfo    = "info"
)

// badOption is for what [New] cannot work with. The cause may hold secrets and
// is left out where it quotes what was given.
func badOption(field, msg, hint string, err error) *skills.Error {
	return &skills.Error{Issue: skills.Issue{
		Code: skills.CodeInvalid, Severity: severityError, Field: field, Msg: msg, Hint: hint,
	}, Err: err}
}

func cancelled(ctx context.Context) *problem {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause != nil && !errors.Is(cause, err) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return &problem{code: skills.CodeCancelled, msg: "the call was given up", err: err, lasting: true}
}

func closed() *problem {
	return &problem{code: skills.CodeCancelled, msg: "the catalogue is closed", hint: "close it after its last use", err: ErrClosed, lasting: true}
}

func refused(msg, hint string) *problem {
	return &problem{msg: msg, hint: hint, err: ErrRefused, lasting: true}
}

// leading adds where a redirect leads to.
func (p *problem) leading(to *url.URL) *problem {
	p.err = fmt.Errorf("%w: redirect to %s", p.err, clean(to))
	return p
}

func tooLarge(limit int64, option string) *problem {
	return &problem{
		msg:  fmt.Sprintf("the answer is larger than %d bytes", limit),
		hint: "raise Options." + option + " if the server is right", err: ErrTooLarge,
	}
}
