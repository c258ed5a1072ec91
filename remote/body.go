package remote

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// slack is how much larger than its content a compressed body may be, in bytes.
const slack = 64 << 10

// readBody reads a whole body within its limit, which is for what is decoded
// (06 §3). A problem without a message is one of the connection.
func readBody(resp *http.Response, r request) ([]byte, *problem) {
	switch strings.ToLower(strings.TrimSpace(strings.Join(resp.Header.Values("Content-Encoding"), ","))) {
	case "", "identity":
		if resp.ContentLength > r.limit {
			return nil, tooLarge(r.limit, r.option)
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, r.limit+1))
		if err != nil {
			return nil, &problem{err: err}
		}
		return fits(body, r)
	case "gzip", "x-gzip":
		// An archive may hold endless empty members: bound both sides.
		raw := &bounded{in: resp.Body, left: r.limit + slack}
		body, err := gunzip(raw, r.limit+1)
		if err != nil {
			return nil, undecoded(err, raw, r)
		}
		return fits(body, r)
	default:
		return nil, &problem{msg: "the server sends an encoding that was not asked for", hint: "let it send plain text or gzip"}
	}
}

func gunzip(in io.Reader, limit int64) ([]byte, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, limit))
}

func fits(body []byte, r request) ([]byte, *problem) {
	if int64(len(body)) > r.limit {
		return nil, tooLarge(r.limit, r.option)
	}
	return body, nil
}

// undecoded tells broken gzip from a broken connection.
func undecoded(err error, raw *bounded, r request) *problem {
	switch {
	case errors.Is(err, ErrTooLarge):
		return tooLarge(r.limit, r.option)
	case raw.err != nil && raw.err != io.EOF:
		return &problem{err: raw.err}
	default:
		return &problem{msg: "the server sends broken gzip", hint: "correct the server or the cache in front of it", err: err}
	}
}

// A bounded reader fails where more than left bytes are there, and remembers
// what it failed with.
type bounded struct {
	in   io.Reader
	left int64
	err  error
}

// Read implements [io.Reader].
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	b.err = err
	return n, err
}

// checkText refuses what is no text: a SKILL.md goes to a model as it is, so
// nothing is replaced or guessed here.
func checkText(body []byte) *problem {
	const hint = "tell who runs the catalogue"
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return &problem{msg: "the SKILL.md is empty", hint: hint}
	case !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0:
		return &problem{msg: "the SKILL.md is no UTF-8 text", hint: hint}
	}
	return nil
}

// checkPage refuses web pages, which many servers send with status 200 for what
// they do not have. It is asked only where no SHA-256 vouches for the content.
func checkPage(body []byte) *problem {
	head := strings.ToLower(string(bytes.TrimSpace(body[:min(len(body), 256)])))
	if strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") {
		return &problem{msg: "the server sends a web page instead of a SKILL.md", hint: "check the URL in the index"}
	}
	return nil
}
