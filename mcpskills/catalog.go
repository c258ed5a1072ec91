package mcpskills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// An offer is a skill that the server lists. It is plain data, so that two of
// them can be compared.
type offer struct {
	uri         string
	name        string // "" if only the URI tells
	description string
	digest      string // "" if it is not known
	size        int64  // in bytes, if sized
	sized       bool
	frontmatter map[string]any // nil if it is not listed
	flaw        string         // why it cannot be taken
}

// offers returns what the server lists as skills, or ErrUnsupported.
func (s *source) offers(ctx context.Context) ([]offer, error) {
	if s.lister != nil {
		entries, err := call(ctx, s, "skills/list", s.lister.ListSkills)
		if !errors.Is(err, errors.ErrUnsupported) {
			return offersOf(entries), err
		}
	}
	if s.resources == nil {
		return nil, errors.ErrUnsupported
	}
	index, err := s.readResource(ctx, IndexURI)
	switch {
	case err == nil:
		return s.indexed(index)
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errors.ErrUnsupported):
		return nil, err
	}
	return s.listed(ctx)
}

func (s *source) readResource(ctx context.Context, uri string) ([]byte, error) {
	return call(ctx, s, "resources/read "+short(uri), func(ctx context.Context) ([]byte, error) {
		return s.resources.ReadResource(ctx, uri)
	})
}

// offersOf returns the skills of a skills/list.
func offersOf(entries []Entry) []offer {
	out := make([]offer, 0, len(entries))
	for _, e := range entries {
		o := offer{uri: e.URI, frontmatter: e.Frontmatter}
		o.name, _ = e.Frontmatter["name"].(string)
		if o.frontmatter == nil {
			o.flaw = "it is listed without its frontmatter"
		} else if !e.Resources.Dynamic && !o.take(e.Resources.Files) {
			o.flaw = "its own file is not among those listed"
		}
		out = append(out, o)
	}
	return out
}

// take notes what files tell about the file of o.
func (o *offer) take(files []File) bool {
	for _, f := range files {
		if f.URI == o.uri {
			o.digest, o.size, o.sized = f.Digest, f.Size, true
			return true
		}
	}
	return false
}

// indexed reads the index of a server of the drafts.
func (s *source) indexed(doc []byte) ([]offer, error) {
	if len(doc) > 4*s.opts.MaxText {
		return nil, failed(IndexURI, fmt.Errorf("it has %d bytes, limit %d", len(doc), 4*s.opts.MaxText))
	}
	var index struct {
		Skills []struct{ Name, Type, Description, URL, Digest string }
	}
	if err := json.Unmarshal(doc, &index); err != nil {
		return nil, failed(IndexURI, fmt.Errorf("it is no index: %w", err))
	}
	out := make([]offer, 0, len(index.Skills))
	for _, e := range index.Skills {
		o := offer{uri: e.URL, name: e.Name, description: e.Description, digest: e.Digest}
		if e.Type != "skill-md" {
			o.flaw = "it is of the type " + short(e.Type) + ", which is not supported"
		}
		out = append(out, o)
	}
	return out, nil
}

// listed picks the skills out of all resources.
func (s *source) listed(ctx context.Context) ([]offer, error) {
	list, err := call(ctx, s, "resources/list", s.resources.ListResources)
	if err != nil {
		return nil, err
	}
	var out []offer
	for _, r := range list {
		if strings.HasPrefix(r.URI, "skill://") && skillPath(r.URI) != "" {
			out = append(out, offer{uri: r.URI, description: r.Description, digest: r.Digest})
		}
	}
	return out, nil
}

// skillPath returns the folder of a SKILL.md without the scheme: "acme/refunds"
// of skill://acme/refunds/SKILL.md; "" for any other URI.
func skillPath(uri string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	path, isSkill := strings.CutSuffix(rest, "/SKILL.md")
	if !ok || scheme == "" || !isSkill {
		return ""
	}
	return strings.Trim(path, "/")
}

// ownName returns what the skill is called on the server.
func (o *offer) ownName() string {
	if o.name != "" {
		return o.name
	}
	path := skillPath(o.uri)
	return path[strings.LastIndexByte(path, '/')+1:]
}
