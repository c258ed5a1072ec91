package usage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/seed-12b313d8/skills"
)

const (
	// version is that of the saved JSON. Load refuses others.
	version = 1
	// maxFile bounds what Load reads, in bytes.
	maxFile = 64 << 20
)

// A file is a saved Store.
type file struct {
	Version int     `json:"version"`
	Skills  []saved `json:"skills"`
}

// A saved is one skill of a file. Weight is the sum of its uses at the time of
// the last one.
type saved struct {
	Source string    `json:"source"`
	Name   string    `json:"name"`
	Weight float64   `json:"weight"`
	Last   time.Time `json:"last"`
}

// Save writes the Store to w as one line of JSON with a version, ordered by
// source and name: an equal Store gives equal bytes. Options are not in it,
// nor is any text of a skill. The error is that of w.
func (s *Store) Save(w io.Writer) error {
	s.mu.Lock()
	known := maps.Clone(s.known)
	s.mu.Unlock()
	f := file{Version: version, Skills: make([]saved, 0, len(known))}
	for _, k := range slices.SortedFunc(maps.Keys(known), key.compare) {
		u := known[k]
		f.Skills = append(f.Skills, saved{Source: k.source, Name: k.name, Weight: u.weight, Last: u.last})
	}
	if err := json.NewEncoder(w).Encode(f); err != nil {
		return fmt.Errorf("usage: save: %w", err)
	}
	return nil
}

// Load replaces what the Store knows by what [Store.Save] wrote. Of more than
// Options.Max skills the most valuable are kept. Times after now become now,
// whoever's clock was wrong. Half-life and floor stay those of the Store.
//
// The error is a [*skills.Error]: with [skills.CodeUnreadable] if r fails, and
// with [skills.CodeInvalid] if r is longer than 64 MiB, is no such JSON, has
// another version, or holds what no Store saves: a skill without a name or
// twice, a weight below 1 or above 1e9. Then the Store is as before.
func (s *Store) Load(r io.Reader, now time.Time) error {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return failure(skills.CodeUnreadable, "", "the saved usage cannot be read", err)
	}
	if len(data) > maxFile {
		return invalid("", fmt.Sprintf("the saved usage is longer than %d bytes", maxFile), nil)
	}
	known, err := decode(data, normalTime(now))
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = known
	s.trim()
	return nil
}

// trim forgets the least valuable of too many skills.
func (s *Store) trim() {
	if len(s.known) <= s.opts.Max {
		return
	}
	for _, k := range slices.SortedFunc(maps.Keys(s.known), s.byValue)[s.opts.Max:] {
		delete(s.known, k)
	}
}

func decode(data []byte, now time.Time) (map[key]use, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, invalid("", "the saved usage is no JSON of ours", err)
	}
	if f.Version != version {
		return nil, invalid("version", fmt.Sprintf("the saved usage has version %d, and %d is known", f.Version, version), nil)
	}
	known := make(map[key]use, len(f.Skills))
	for i, e := range f.Skills {
		k := key{e.Source, e.Name}
		if err := e.check(); err != nil {
			return nil, invalid(fmt.Sprintf("skills[%d]", i), "the saved usage holds what nobody saves", err)
		}
		if _, ok := known[k]; ok {
			return nil, invalid(fmt.Sprintf("skills[%d]", i), fmt.Sprintf("the saved usage has %q of %q twice", k.name, k.source), nil)
		}
		last := normalTime(e.Last)
		if last.After(now) {
			last = now
		}
		known[k] = use{weight: e.Weight, last: last}
	}
	return known, nil
}

// check reports what no Store saves.
func (e *saved) check() error {
	switch {
	case e.Name == "":
		return errors.New("a skill has no name")
	case math.IsNaN(e.Weight) || e.Weight < 1 || e.Weight > maxWeight:
		return fmt.Errorf("the weight of %q is %v, not between 1 and %g", e.Name, e.Weight, float64(maxWeight))
	}
	return nil
}

func invalid(field, msg string, err error) error {
	return failure(skills.CodeInvalid, field, msg, err)
}

func failure(code skills.Code, field, msg string, err error) error {
	return &skills.Error{Issue: skills.Issue{
		Code: code, Severity: "error", Field: field, Msg: msg, Hint: "go on without it; usage is learned again",
	}, Err: err}
}
