package remote

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxFresh bounds what a server may say about the age of its answers.
const maxFresh = 24 * time.Hour

// A policy is what a server says about keeping its answer.
type policy struct {
	noStore bool
	stated  bool          // fresh is what the server said
	fresh   time.Duration // how long not to ask again
}

// newPolicy reads Cache-Control, or Expires without a word of it there.
// "no-cache" and "must-revalidate" with an age of 0 mean to ask each time; what
// is stored still stands in for a server that cannot be reached.
func newPolicy(h http.Header) policy {
	var p policy
	for part := range strings.SplitSeq(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "no-store":
			p.noStore = true
		case "no-cache":
			p.age(0)
		case "max-age":
			p.age(seconds(value))
		}
	}
	if expires := h.Get("Expires"); expires != "" && !p.stated {
		p.age(until(expires, h.Get("Date")))
	}
	if strings.TrimSpace(h.Get("Vary")) == "*" {
		p.age(0)
	}
	if p.fresh > 0 && h.Get("Age") != "" {
		p.age(p.fresh - seconds(h.Get("Age")))
	}
	return p
}

// age sets fresh; the strictest word counts.
func (p *policy) age(d time.Duration) {
	d = min(max(d, 0), maxFresh)
	if p.stated {
		d = min(d, p.fresh)
	}
	p.stated, p.fresh = true, d
}

// seconds reads a number of seconds. What is none counts as none, and what is
// too large as a day.
func seconds(s string) time.Duration {
	s = strings.Trim(strings.TrimSpace(s), `"`)
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > int(maxFresh/time.Second) {
		return maxFresh
	}
	return time.Duration(n) * time.Second
}

// until returns the time between two dates of headers, 0 if they are odd.
func until(expires, date string) time.Duration {
	end, err := http.ParseTime(expires)
	if err != nil {
		return 0
	}
	from, err := http.ParseTime(date)
	if err != nil {
		return 0
	}
	return end.Sub(from)
}
