package mcpskills

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/names"
)

const (
	severityError   = "error"
	severityWarning = "warning"
)

// Source returns the prompts and skills of an MCP server as a source with the
// ID "mcp:<server>" and the origin mcp (06 §2). The host chooses the name
// server, which is no matter of the server's own; blanks in it become "_" in
// the names of skills. A nil o means zero Options; o is copied.
//
// The source reads the server at each Load and watches nothing: call
// [skills.Registry.Reload] with its ID when the server says that a list has
// changed. It is safe for concurrent use and may serve several registries. It
// closes nothing, since it opened nothing.
func Source(server string, c Client, o *Options) skills.Source {
	s := &source{
		server: server, client: c, opts: o.withDefaults(),
		info: skills.SourceInfo{ID: "mcp:" + server, Owner: names.Normalize(underscored(server)), Origin: skills.OriginMCP},
	}
	s.clean = cleaner{s.opts.Tags}
	s.resources, _ = c.(Resources)
	s.lister, _ = c.(SkillLister)
	return s
}

type source struct {
	server    string
	client    Client
	resources Resources   // client, or nil
	lister    SkillLister // client, or nil
	opts      Options
	info      skills.SourceInfo
	clean     cleaner
	stuck     atomic.Int64 // calls that were given up and have not returned

	mu   sync.Mutex // guards what follows
	turn int        // of the last Load that began
	good [2]kept    // of prompts and of skills
}

// kept is the last good result for one kind of thing, and the turn of the Load
// that found it.
type kept struct {
	part
	turn int
}

// A part is what a Load found of one kind of thing.
type part struct {
	items  []item
	issues []skills.Issue // about the list; items have their own
	err    error          // nothing is known; unsupported if there is nothing of the kind
}

// An item is a skill and what it was made of. If that is the same again, so is
// the skill.
type item struct {
	skill  *skills.Skill
	from   any            // comparable with reflect.DeepEqual
	issues []skills.Issue // about the skill, as long as it is there
}

func (s *source) Info() skills.SourceInfo { return s.info }

// Load asks the server for its prompts and its skills.
func (s *source) Load(ctx context.Context) (skills.Loaded, error) {
	if err := s.usable(); err != nil {
		return skills.Loaded{}, err
	}
	s.mu.Lock()
	s.turn++
	turn, before := s.turn, s.good[1].items
	s.mu.Unlock()

	var now [2]part
	var wg sync.WaitGroup
	wg.Go(func() { now[0] = contained(func() part { return s.prompts(ctx) }) })
	now[1] = contained(func() part { return s.skills(ctx, before) })
	wg.Wait()
	if ctx.Err() != nil {
		return skills.Loaded{}, context.Cause(ctx)
	}
	return s.settle(turn, now)
}

// usable reports what makes the source useless.
func (s *source) usable() error {
	if s.client == nil {
		return fmt.Errorf("mcpskills: the server %s has no Client", short(s.server))
	}
	if why := names.CheckQualified(s.info.Owner); why != "" {
		return fmt.Errorf("mcpskills: %s cannot name a server: %s", short(s.server), why)
	}
	return nil
}

// contained turns a panic in an error of the client into an error.
func contained(f func() part) (p part) {
	defer func() {
		if r := recover(); r != nil {
			p = part{err: failed("the client", fmt.Errorf("it panicked: %v", r))}
		}
	}()
	p = f()
	if errors.Is(p.err, errors.ErrUnsupported) {
		p.err = errors.ErrUnsupported
	}
	return p
}

// settle keeps what was found, puts the last good result in place of what was
// not, and fails if that is everything.
func (s *source) settle(turn int, now [2]part) (skills.Loaded, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out skills.Loaded
	var lost []error
	found := false
	for kind, p := range now {
		switch {
		case errors.Is(p.err, errors.ErrUnsupported):
			p = part{}
			s.keep(kind, turn, &p)
		case p.err == nil:
			found = true
			s.keep(kind, turn, &p)
		default:
			lost = append(lost, p.err)
			p = s.lastGood(kind, p.err)
		}
		out.Issues = append(out.Issues, p.issues...)
		for _, i := range p.items {
			out.Skills = append(out.Skills, i.skill)
			out.Issues = append(out.Issues, i.issues...)
		}
	}
	if found || len(lost) == 0 {
		return out, nil
	}
	err := lost[0]
	if len(lost) > 1 {
		err = fmt.Errorf("%w; %w", lost[0], lost[1])
	}
	return skills.Loaded{}, fmt.Errorf("the MCP server %s cannot be read: %w", short(s.server), err)
}

// keep makes p the last good result of its kind, unless a Load that began later
// has been here already. Skills that are the same as before stay the same; their
// issues are those of now, as they may be about something that has no effect.
func (s *source) keep(kind, turn int, p *part) {
	good := &s.good[kind]
	before := make(map[string]item, len(good.items))
	for _, i := range good.items {
		before[i.skill.Name] = i
	}
	for n, i := range p.items {
		if was, ok := before[i.skill.Name]; ok && reflect.DeepEqual(was.from, i.from) {
			p.items[n].skill = was.skill
		}
	}
	if turn >= good.turn {
		*good = kept{part{items: slices.Clone(p.items), issues: slices.Clone(p.issues)}, turn}
	}
}

// lastGood returns what is kept of a kind that cannot be read now.
func (s *source) lastGood(kind int, err error) part {
	what := [...]string{"prompts", "skills"}[kind]
	p := part{items: s.good[kind].items, issues: slices.Clone(s.good[kind].issues)}
	msg := "the server's " + what + " cannot be read"
	if len(p.items) > 0 {
		msg += ", so those it had before are kept"
	}
	p.issue(s, skills.CodeUnreadable, severityWarning, "", msg+": "+err.Error(), "reload the source "+s.info.ID+" when the server is well")
	return p
}

// issue adds one about the server, or about a skill that is not taken.
func (p *part) issue(s *source, code skills.Code, severity, skill, msg, hint string) {
	p.issues = append(p.issues, s.issue(code, severity, skill, msg, hint))
}

// issue makes one about the server, or about the skill of a name.
func (s *source) issue(code skills.Code, severity, skill, msg, hint string) skills.Issue {
	return skills.Issue{
		Code: code, Severity: severity, Skill: oneLine(skill, 4*maxWord), Path: oneLine(s.info.ID, 4*maxWord), Msg: msg, Hint: hint,
	}
}

// tooMany adds the issue of a list that is longer than it may be.
func (p *part) tooMany(s *source, what string, n, limit int) {
	if n > limit {
		p.issue(s, "too-many", severityError, "", fmt.Sprintf("the server has %d %s; the last %d are left out", n, what, n-limit), "let the program raise the limit in Options")
	}
}
