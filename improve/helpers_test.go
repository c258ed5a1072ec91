package improve_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/improve"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// deployPath is the skill of most tests.
const deployPath = ".claude/skills/deploy/SKILL.md"

const deployText = "---\ndescription: Deploys the service\nallowed-tools: Bash(make *)\n---\n\n# Deploy\n\n1. Build with !`make build`\n2. Copy the files to $ARGUMENTS\n"

// A fixture is a project with its registry and a session that has invoked
// what it was told to.
type fixture struct {
	root string
	reg  *skills.Registry
	sess *skills.Session
}

// newFixture opens a project. The files are in the folder "project"; those of
// the user are in "home".
func newFixture(t *testing.T, files map[string]string) *fixture {
	t.Helper()
	if files == nil {
		files = map[string]string{"project/" + deployPath: deployText}
	}
	return newFixtureAt(t, files, func(string, *skills.Locations) {})
}

// newFixtureAt is newFixture with other locations; top is the folder of the
// files.
func newFixtureAt(t *testing.T, files map[string]string, change func(top string, l *skills.Locations)) *fixture {
	t.Helper()
	top := testkit.Tree(t, files)
	f := &fixture{root: filepath.Join(top, "project")}
	require.NoError(t, os.MkdirAll(f.root, 0o755))
	l := skills.Locations{Home: filepath.Join(top, "home"), Project: f.root, NoManaged: true}
	change(top, &l)
	f.reg = open(t, l, nil)
	f.sess = f.reg.NewSession("main", nil)
	return f
}

func open(t *testing.T, l skills.Locations, sources []skills.Source) *skills.Registry {
	t.Helper()
	reg, err := skills.Open(t.Context(), &skills.Options{Locations: l, Sources: sources})
	require.NoError(t, err)
	t.Cleanup(func() { reg.Close() })
	return reg
}

func (f *fixture) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f *fixture) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(f.path(name))
	require.NoError(t, err)
	return string(data)
}

func (f *fixture) invoke(t *testing.T, name string) {
	t.Helper()
	_, err := skills.NewInvoker(f.sess, nil).Invoke(t.Context(), skills.Call{Name: name, Caller: skills.CallerUser})
	require.NoError(t, err)
}

// proposal is one for the file as it is now.
func (f *fixture) proposal(t *testing.T, name string) improve.Proposal {
	t.Helper()
	p, err := f.propose(name)
	require.NoError(t, err)
	return p
}

func (f *fixture) propose(name string) (p improve.Proposal, err error) {
	if p.Skill, err = f.sess.Lookup(name); err != nil {
		return p, err
	}
	data, err := os.ReadFile(p.Skill.Path)
	sum := sha256.Sum256(data)
	p.Hash = hex.EncodeToString(sum[:])
	p.Updates = []improve.Update{{Section: "Deploy", Change: "Run the tests first", Reason: "the user said so"}}
	return p, err
}

// leftovers returns new files that did not get to their place.
func (f *fixture) leftovers(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(f.root, ".claude/skills/*/.skills-*"))
	require.NoError(t, err)
	return list
}

// talk is a conversation with n messages of the user.
func talk(n int) []improve.Message {
	var out []improve.Message
	for range n {
		out = append(out, improve.Message{Role: "user", Text: "Always run the tests first."},
			improve.Message{Role: "assistant", Text: "Done."})
	}
	return out
}

func yes() bool { return true }

const oneUpdate = `{"updates": [{"section": "Deploy", "change": "Run the tests first", "reason": "the user said so"}]}`

var (
	oldText = regexp.MustCompile(`(?s)<<<(\w+) old text\n(.*?)\n?>>>`)
	answer  = regexp.MustCompile(`(?m)^<<<\w+ new text$`)
)

// rewriting tells whether a prompt asks for a new text.
func rewriting(prompt string) bool { return answer.MatchString(prompt) }

// reply puts a new text into the frame that the prompt asks for.
func reply(prompt string, edit func(old string) string) string {
	m := oldText.FindStringSubmatch(prompt)
	return "Here it is:\n<<<" + m[1] + " new text\n" + edit(m[2]) + "\n>>>" + m[1] + "\n"
}

// addLine is what a good model does with the update.
func addLine(old string) string { return old + "\n3. Run the tests first" }

// A script is a model that says what it is told to, and keeps the prompts.
type script struct {
	detect string                  // the reply about updates; oneUpdate if ""
	edit   func(old string) string // the new text; addLine if nil
	before func()                  // called while it thinks

	mu      sync.Mutex
	systems []string
	prompts []string
	temps   []float64
}

func (s *script) model(_ context.Context, system, prompt string, temperature float64) (string, error) {
	s.mu.Lock()
	s.systems = append(s.systems, system)
	s.prompts = append(s.prompts, prompt)
	s.temps = append(s.temps, temperature)
	s.mu.Unlock()
	if s.before != nil {
		s.before()
	}
	switch {
	case rewriting(prompt) && s.edit != nil:
		return reply(prompt, s.edit), nil
	case rewriting(prompt):
		return reply(prompt, addLine), nil
	case s.detect != "":
		return s.detect, nil
	}
	return oneUpdate, nil
}

func (s *script) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.prompts)
}

func (s *script) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prompts[len(s.prompts)-1]
}

// A host keeps what it is told.
type host struct {
	mu        sync.Mutex
	proposals []improve.Proposal
	errs      []error
}

func (h *host) options() *improve.Options {
	return &improve.Options{
		Enabled: yes,
		Propose: func(p improve.Proposal) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.proposals = append(h.proposals, p)
		},
		Failed: func(err error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.errs = append(h.errs, err)
		},
	}
}

// wait waits for runs to end.
func wait(t *testing.T, i *improve.Improver) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 30*time.Second)
	defer cancel()
	require.NoError(t, i.Wait(ctx))
}

// noLeaks checks that no goroutine is left when the test ends, after its
// cleanups so far.
func noLeaks(t *testing.T) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
}

// newImprover returns one that is closed, and all it does over, when the test
// ends.
func newImprover(t *testing.T, f *fixture, m improve.Model, o *improve.Options) *improve.Improver {
	t.Helper()
	i := improve.New(f.sess, m, o)
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
		wait(t, i)
	})
	return i
}

// requireError checks the kind of an error, and that it says what, where and
// what to do.
func requireError(t *testing.T, err error, code skills.Code) *skills.Error {
	t.Helper()
	var e *skills.Error
	require.ErrorAs(t, err, &e)
	require.ErrorIs(t, err, code, "%v", err)
	require.NotEmpty(t, e.Msg)
	require.NotEmpty(t, e.Hint)
	require.Equal(t, "error", e.Severity)
	require.False(t, strings.HasSuffix(e.Msg, "."))
	return e
}

// prompted makes a model of a function that only looks at the prompt.
func prompted(f func(prompt string) (string, error)) improve.Model {
	return func(_ context.Context, _, prompt string, _ float64) (string, error) { return f(prompt) }
}
