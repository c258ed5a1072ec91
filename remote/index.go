package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/bm25"
	"github.com/seed-12b313d8/skills/internal/names"
)

const (
	maxEntries = 100_000 // of an index
	maxIssues  = 100     // told one by one

	// schemas begins the names of the index formats this package reads.
	schemas = "https://schemas.agentskills.io/discovery/0."

	codeEntry skills.Code = "remote-entry" // an entry was left out, or lacks something
	codeStale skills.Code = "remote-stale" // a stored copy stands in for the server
)

// An index is what a catalogue has on offer. It never changes; its searchable
// form is made when it is first needed.
type index struct {
	entries []entry        // in the order of the document
	at      map[string]int // by slug
	issues  []skills.Issue
	left    int // issues beyond maxIssues

	ranking sync.Once // one builds rank, on before, which is let go then
	rank    atomic.Pointer[bm25.Index]
	before  *bm25.Index // of the index before; nil for none
}

// An entry is one skill.
type entry struct {
	slug, description string
	url               string // of the SKILL.md
	digest            string // of it, hex; "" if the index has none
}

// The document's form, today's and the older one. What is not text in an entry
// costs that entry.
type wireIndex struct {
	Schema any      `json:"$schema"`
	Skills *entries `json:"skills"`
}

type wireEntry struct {
	Name        string            `json:"name"`
	Type        *string           `json:"type"`
	Description string            `json:"description"`
	URL         *string           `json:"url"`
	Digest      *string           `json:"digest"`
	Files       []json.RawMessage `json:"files"` // names, or objects with path and digest
}

type wireFile struct {
	Path   string  `json:"path"`
	Digest *string `json:"digest"`
}

// entries are read one by one, so that a broken one costs itself only.
type entries struct {
	list []json.RawMessage
	more int // beyond maxEntries
}

// UnmarshalJSON implements [json.Unmarshaler].
func (e *entries) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return errors.New("skills is no list")
	}
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if len(e.list) == maxEntries {
			e.more++
			continue
		}
		e.list = append(e.list, raw)
	}
	return nil
}

// newIndex reads an index (06 §3). Entries that cannot be used are left out one
// by one, each with an issue; an error means that the document is none. before
// is the searchable form of the index before, to build on, or nil.
func newIndex(doc []byte, p *places, before *bm25.Index) (*index, *problem) {
	const hint = "check that the URL is that of an agent-skills index"
	var w wireIndex
	if err := json.Unmarshal(bytes.TrimPrefix(doc, []byte("\ufeff")), &w); err != nil {
		return nil, &problem{msg: "the index is no JSON object with a list of skills", hint: hint, err: err}
	}
	if w.Skills == nil {
		return nil, &problem{msg: "the index has no list of skills", hint: hint}
	}
	if s, text := w.Schema.(string); w.Schema != nil && !(text && strings.HasPrefix(s, schemas)) {
		return nil, &problem{msg: "the index is of a format that is not known here", hint: "its $schema must begin with " + schemas}
	}
	ix := &index{at: make(map[string]int, len(w.Skills.list)), before: before}
	bare := 0
	for n, raw := range w.Skills.list {
		e, ok := ix.read(n, raw, p)
		if !ok {
			continue
		}
		if e.digest == "" {
			bare++
		}
		ix.at[e.slug] = len(ix.entries)
		ix.entries = append(ix.entries, e)
	}
	ix.summarise(p, w.Skills.more, bare)
	return ix, nil
}

// summarise adds the issues about more than one entry.
func (ix *index) summarise(p *places, more, bare int) {
	if more > 0 {
		ix.issue(p, severityWarning, "", fmt.Sprintf("the index has %d entries too many; %d are read", more, maxEntries), "split the catalogue")
	}
	if bare > 0 {
		ix.issue(p, severityInfo, "", fmt.Sprintf("%d entries have no digest, so that their content cannot be checked", bare), "add digests to the index, or pin them")
	}
	if ix.left > 0 {
		ix.issues = append(ix.issues, skills.Issue{
			Code: codeEntry, Severity: severityWarning, Path: clean(p.index), Field: "skills",
			Msg: fmt.Sprintf("%d more entries have issues", ix.left), Hint: "correct the others first",
		})
	}
}

// read judges one entry.
func (ix *index) read(n int, raw json.RawMessage, p *places) (entry, bool) {
	var w wireEntry
	if err := json.Unmarshal(raw, &w); err != nil {
		ix.drop(p, n, "", "it is no object of texts")
		return entry{}, false
	}
	if !names.IsSlug(w.Name) {
		ix.drop(p, n, "", "its name is no slug of lower-case letters, digits and hyphens, at most 64")
		return entry{}, false
	}
	if _, twice := ix.at[w.Name]; twice {
		ix.drop(p, n, w.Name, "an earlier entry has the same name")
		return entry{}, false
	}
	if w.Type != nil && *w.Type == "archive" {
		ix.issue(p, severityInfo, w.Name, "it is an archive, which this client does not unpack; the entry is left out", "publish its SKILL.md as type skill-md")
		return entry{}, false
	}
	if w.Type != nil && *w.Type != "skill-md" && *w.Type != "" {
		ix.drop(p, n, w.Name, "its type is not known")
		return entry{}, false
	}
	e := entry{slug: w.Name, description: w.Description}
	why := e.locate(&w, p)
	if why != "" {
		ix.drop(p, n, w.Name, why)
	}
	return e, why == ""
}

// locate fills in where the SKILL.md is and its digest, or returns why not.
func (e *entry) locate(w *wireEntry, p *places) (why string) {
	ref, digest := "", w.Digest
	switch {
	case w.URL != nil:
		ref = *w.URL
	case w.Files != nil:
		f, ok := skillFile(w.Files)
		if !ok {
			return "there is no SKILL.md among its files"
		}
		// The digest of the older form's entry is one of all files together.
		ref, digest = "./"+e.slug+"/SKILL.md", f.Digest
	}
	u, why := p.entry(ref)
	if why != "" {
		return why
	}
	e.url = u.String()
	if digest != nil {
		var ok bool
		if e.digest, ok = bareDigest(*digest); !ok {
			return "its digest is not sha256: and 64 hex digits"
		}
	}
	return ""
}

// skillFile finds the SKILL.md of an entry of the older form.
func skillFile(files []json.RawMessage) (f wireFile, ok bool) {
	for _, raw := range files {
		f = wireFile{}
		if json.Unmarshal(raw, &f.Path) != nil && json.Unmarshal(raw, &f) != nil {
			continue
		}
		if f.Path == "SKILL.md" {
			return f, true
		}
	}
	return f, false
}

func (ix *index) drop(p *places, n int, slug, why string) {
	ix.issue(p, severityWarning, slug, fmt.Sprintf("entry %d is left out: %s", n+1, why), "correct the index")
}

func (ix *index) issue(p *places, severity, slug, msg, hint string) {
	if len(ix.issues) == maxIssues {
		ix.left++
		return
	}
	ix.issues = append(ix.issues, skills.Issue{
		Code: codeEntry, Severity: severity, Skill: slug, Path: clean(p.index), Field: "skills", Msg: msg, Hint: hint,
	})
}

// slugs returns all names, in the order of the index.
func (ix *index) slugs() []string {
	out := make([]string, len(ix.entries))
	for i, e := range ix.entries {
		out[i] = e.slug
	}
	return out
}

// place returns the parsed URL of an entry, which was checked already.
func (e *entry) place() (*url.URL, *problem) {
	u, err := url.Parse(e.url)
	if err != nil {
		return nil, &problem{msg: "the URL of the entry cannot be read", hint: "correct the index"}
	}
	return u, nil
}
