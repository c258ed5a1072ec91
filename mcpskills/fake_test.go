package mcpskills_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/mcpskills"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A fake is a server and its client in one. Its funcs, where set, come first.
type fake struct {
	mu      sync.Mutex // guards what follows
	prompts []mcpskills.Prompt
	files   map[string]string // resources by URI
	listed  []mcpskills.Resource
	calls   []string
	got     map[string]string // arguments of the last GetPrompt

	listPrompts func(context.Context) ([]mcpskills.Prompt, error)
	getPrompt   func(ctx context.Context, name string, args map[string]string) ([]skills.Block, error)
	read        func(ctx context.Context, uri string) ([]byte, error)
}

// change changes the server.
func (f *fake) change(how func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how()
}

// called returns the calls since it was last asked.
func (f *fake) called() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.calls
	f.calls = nil
	return out
}

func (f *fake) note(call string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, call)
}

func (f *fake) ListPrompts(ctx context.Context) ([]mcpskills.Prompt, error) {
	f.note("prompts/list")
	f.mu.Lock()
	own, out := f.listPrompts, slices.Clone(f.prompts)
	f.mu.Unlock()
	if own != nil {
		return own(ctx)
	}
	return out, nil
}

func (f *fake) GetPrompt(ctx context.Context, name string, args map[string]string) ([]skills.Block, error) {
	f.note("prompts/get " + name)
	f.change(func() { f.got = maps.Clone(args) })
	if f.getPrompt == nil {
		return []skills.Block{{Text: "text of " + name}}, nil
	}
	return f.getPrompt(ctx, name, args)
}

// promptsOnly hides the resources of a fake.
type promptsOnly struct{ mcpskills.Client }

func (f *fake) ListResources(context.Context) ([]mcpskills.Resource, error) {
	f.note("resources/list")
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.listed), nil
}

func (f *fake) ReadResource(ctx context.Context, uri string) ([]byte, error) {
	f.note("read " + uri)
	f.mu.Lock()
	own := f.read
	text, ok := f.files[uri]
	f.mu.Unlock()
	if own != nil {
		return own(ctx, uri)
	}
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// extended is a fake that has the extension.
type extended struct {
	*fake
	entries []mcpskills.Entry
	err     error
}

func (e *extended) ListSkills(context.Context) ([]mcpskills.Entry, error) {
	e.note("skills/list")
	return e.entries, e.err
}

func ctxFor(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// open returns a registry of nothing but the sources.
func open(t testing.TB, sources ...skills.Source) *skills.Registry {
	t.Helper()
	reg, err := skills.Open(ctxFor(t), &skills.Options{
		Locations: skills.Locations{NoDisk: true, TrustProject: true, Project: t.TempDir()}, Sources: sources,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	return reg
}

// names returns the names of a registry's skills.
func namesOf(reg *skills.Registry) []string {
	var out []string
	for s := range reg.Snapshot().All() {
		out = append(out, s.Name)
	}
	return out
}

func find(t testing.TB, reg *skills.Registry, name string) *skills.Skill {
	t.Helper()
	s, err := reg.NewSession("find", nil).Lookup(name)
	require.NoError(t, err)
	return s
}

// issues returns the messages of a registry's issues of a code.
func issues(reg *skills.Registry, code skills.Code) []string {
	var out []string
	for _, i := range reg.Snapshot().Issues() {
		if i.Code == code {
			out = append(out, i.Msg)
		}
	}
	return out
}

// invoke runs a skill with a shell that must not be used.
func invoke(t testing.TB, reg *skills.Registry, c skills.Call) (*skills.Inline, error) {
	t.Helper()
	inv := skills.NewInvoker(reg.NewSession("s", nil), &skills.InvokerOptions{
		Shell: func(context.Context, skills.Command) (skills.CommandResult, error) {
			t.Error("a command of a server was run")
			return skills.CommandResult{}, errors.New("never")
		},
		Confirm: func(context.Context, *skills.Permit) (bool, error) { return true, nil },
	})
	out, err := inv.Invoke(ctxFor(t), c)
	if err != nil {
		return nil, err
	}
	return out.(*skills.Inline), nil
}
