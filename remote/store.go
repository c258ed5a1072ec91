package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// A record is what is known of a URL's last answer.
type record struct {
	ETag     string        `json:"etag,omitempty"`
	Modified string        `json:"modified,omitempty"`
	Time     time.Time     `json:"time"` // when the server was asked that last vouched for it
	Fresh    time.Duration `json:"fresh"`
	Digest   string        `json:"digest"` // of the content, hex
}

// freshAt reports whether the server need not be asked. A clock that was put
// back makes it ask.
func (r *record) freshAt(now time.Time) bool {
	age := now.Sub(r.Time)
	return age >= 0 && age < r.Fresh
}

// A store keeps answers: contents under their SHA-256, and records of URLs
// (06 §3). What is damaged counts as missing. Contents must not be changed by
// anybody. Implementations are safe for concurrent use.
type store interface {
	// load returns the record of a key with its content.
	load(key string) (*record, []byte, bool)
	// blob returns the content with a digest.
	blob(digest string) ([]byte, bool)
	// save keeps content, and the record of a key that refers to it unless
	// rec is nil.
	save(key string, rec *record, body []byte) error
	// forget drops the record of a key.
	forget(key string) error
}

// keyOf names a URL of a tenant. It says nothing about either.
func keyOf(tenant, url string) string {
	return digestOf(fmt.Appendf(nil, "%d:%s%s", len(tenant), tenant, url))
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// encode writes a record as its own SHA-256, in which the key counts too, and a
// line of JSON. So neither a damaged record nor one of another key is taken.
func (r *record) encode(key string) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\n%s\n", digestOf(fmt.Appendf(nil, "%s\n%s", key, text)), text), nil
}

func decodeRecord(key string, b []byte) (*record, bool) {
	sum, text, _ := bytes.Cut(b, []byte("\n"))
	text, whole := bytes.CutSuffix(text, []byte("\n"))
	if !whole || string(sum) != digestOf(fmt.Appendf(nil, "%s\n%s", key, text)) {
		return nil, false
	}
	r := new(record)
	return r, json.Unmarshal(text, r) == nil && isHex(r.Digest)
}

// isHex reports whether s is a SHA-256 as file names have it.
func isHex(s string) bool {
	_, ok := bareDigest("sha256:" + s)
	return ok && s == string(bytes.ToLower([]byte(s)))
}
