package mcpskills_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/mcpskills"
)

var errDown = errors.New("connection \x1b[31mlost")

// CL134: what cannot be read now is what it was.
func TestLastGood(t *testing.T) {
	f := indexed(t)
	f.prompts = issueTracker().prompts
	reg := open(t, mcpskills.Source("srv", f, nil))
	all := []string{"mcp__srv__create_issue", "mcp__srv__triage", "srv:review"}
	require.Equal(t, all, namesOf(reg))
	before := find(t, reg, "srv:review")
	reload := func() skills.Change {
		c, err := reg.Reload(ctxFor(t), "mcp:srv")
		require.NoError(t, err)
		return c
	}

	down := func(context.Context) ([]mcpskills.Prompt, error) { return nil, errDown }
	f.change(func() {
		f.listPrompts = down
		f.files[mcpskills.IndexURI] = indexOf(t)
	})
	c := reload()
	assert.Equal(t, []string{"srv:review"}, c.Removed, "06 §2: the skills were read and are gone")
	assert.Equal(t, all[:2], namesOf(reg), "06 §2: the prompts were not, and stay")
	assert.Equal(t, []string{"the server's prompts cannot be read, so those it had before are kept: prompts/list: connection [31mlost"}, issues(reg, skills.CodeUnreadable))

	f.change(func() {
		f.listPrompts = nil
		f.files = indexed(t).files
	})
	reload()
	require.Equal(t, all, namesOf(reg))
	assert.Empty(t, issues(reg, skills.CodeUnreadable), "the issue is over")

	f.change(func() { f.files[mcpskills.IndexURI] = "{broken" })
	f.change(func() { f.prompts = f.prompts[1:] })
	c = reload()
	assert.Equal(t, []string{"mcp__srv__create_issue"}, c.Removed)
	assert.Equal(t, all[1:], namesOf(reg), "06 §2: a broken index takes no skill away")

	f.change(func() { f.listPrompts = down })
	c = reload()
	assert.Empty(t, c.Added)
	assert.Empty(t, c.Removed)
	assert.Equal(t, all[1:], namesOf(reg), "06 §2: nothing can be read, so the registry keeps all it had")
	require.NotEmpty(t, issues(reg, skills.CodeUnreadable))
	assert.Contains(t, issues(reg, skills.CodeUnreadable)[0], `the MCP server "srv" cannot be read: prompts/list: connection [31mlost; skill://index.json: it is no index`)

	f.change(func() { f.listPrompts, f.files, f.prompts = nil, indexed(t).files, issueTracker().prompts })
	reload()
	assert.Equal(t, all, namesOf(reg))
	assert.Equal(t, before.Description, find(t, reg, "srv:review").Description)
	c = reload()
	assert.Empty(t, c.Changed, "an unchanged server changes nothing")
}

func TestOneKindOnly(t *testing.T) {
	f := indexed(t)
	f.listPrompts = func(context.Context) ([]mcpskills.Prompt, error) {
		return nil, fmt.Errorf("no prompts: %w", errors.ErrUnsupported)
	}
	reg := open(t, mcpskills.Source("srv", f, nil))
	assert.Equal(t, []string{"srv:review"}, namesOf(reg))
	assert.Empty(t, issues(reg, skills.CodeUnreadable), "06 §2: a server without prompts is well")

	reg = open(t, mcpskills.Source("srv", promptsOnly{issueTracker()}, nil))
	assert.Equal(t, []string{"mcp__srv__create_issue", "mcp__srv__triage"}, namesOf(reg))
	assert.Empty(t, reg.Snapshot().Issues(), "06 §2: a client with the two methods only")

	down := issueTracker()
	down.listPrompts = func(context.Context) ([]mcpskills.Prompt, error) { return nil, errDown }
	_, err := mcpskills.Source("srv", promptsOnly{down}, nil).Load(ctxFor(t))
	require.ErrorIs(t, err, errDown, "06 §2: all there is cannot be read")
	_, err = mcpskills.Source("srv", down, nil).Load(ctxFor(t))
	require.NoError(t, err, "resources could be read")
}

func TestUselessSources(t *testing.T) {
	tests := []struct {
		server string
		c      mcpskills.Client
		want   string
	}{
		{"s", nil, `the server "s" has no Client`},
		{"", &fake{}, `"" cannot name a server: it is empty`},
		{"a/b", &fake{}, `"a/b" cannot name a server: it holds '/'`},
		{"a::b", &fake{}, "it is empty"},
	}
	for _, tt := range tests {
		_, err := mcpskills.Source(tt.server, tt.c, nil).Load(ctxFor(t))
		assert.ErrorContains(t, err, tt.want, "07 B2")
	}
	reg := open(t, mcpskills.Source("my server", issueTracker(), nil))
	s := find(t, reg, "mcp__my_server__triage")
	assert.Equal(t, "my_server", s.Owner)
	assert.Equal(t, "mcp:my server", s.Source)
}

// A client that heeds its context is waited for; one that does not is left.
func TestHangingClient(t *testing.T) {
	heeds := func(ctx context.Context) ([]mcpskills.Prompt, error) { <-ctx.Done(); return nil, ctx.Err() }
	release := make(chan struct{})
	stuck := func(context.Context) ([]mcpskills.Prompt, error) { <-release; return nil, nil }
	t.Cleanup(func() { close(release) })
	for name, hang := range map[string]func(context.Context) ([]mcpskills.Prompt, error){"heeds": heeds, "stuck": stuck} {
		t.Run(name, func(t *testing.T) {
			f := indexed(t)
			f.listPrompts = hang
			reg := open(t, mcpskills.Source("srv", f, &mcpskills.Options{Timeout: 50 * time.Millisecond}))
			assert.Equal(t, []string{"srv:review"}, namesOf(reg), "07 B11: the rest goes on")
			assert.Equal(t, []string{"the server's prompts cannot be read: prompts/list: no answer within 50ms"}, issues(reg, skills.CodeUnreadable))
		})
	}
}

// However often a client hangs, few goroutines are held.
func TestStuckClientIsGivenUp(t *testing.T) {
	f := issueTracker()
	release := make(chan struct{})
	f.getPrompt = func(context.Context, string, map[string]string) ([]skills.Block, error) {
		<-release
		return []skills.Block{{Text: "late"}}, nil
	}
	reg := open(t, mcpskills.Source("github", f, &mcpskills.Options{Timeout: time.Millisecond}))
	var last error
	for range 20 {
		_, last = invoke(t, reg, skills.Call{Name: "mcp__github__triage"})
		require.ErrorIs(t, last, skills.CodePrompt)
	}
	assert.ErrorContains(t, last, "8 calls to this server never returned")
	started := 0
	for _, c := range f.called() {
		if c == "prompts/get triage" {
			started++
		}
	}
	assert.Equal(t, 8, started)
	close(release)
	require.Eventually(t, func() bool {
		_, err := invoke(t, reg, skills.Call{Name: "mcp__github__triage"})
		return err == nil
	}, 30*time.Second, time.Millisecond, "it recovers with the client")
}

func TestCancelledCall(t *testing.T) {
	f := issueTracker()
	started := make(chan struct{})
	f.getPrompt = func(ctx context.Context, _ string, _ map[string]string) ([]skills.Block, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	reg := open(t, mcpskills.Source("github", f, nil))
	ctx, cancel := context.WithCancel(ctxFor(t))
	go func() {
		<-started
		cancel()
	}()
	_, err := skills.NewInvoker(reg.NewSession("s", nil), nil).Invoke(ctx, skills.Call{Name: "mcp__github__triage"})
	assert.ErrorIs(t, err, skills.CodeCancelled, "04 §4: typed")
	ctx, cancel = context.WithCancel(ctxFor(t))
	cancel()
	_, err = mcpskills.Source("github", f, nil).Load(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}

type badError struct{}

func (badError) Error() string { panic("even the error") }

func TestBrokenClient(t *testing.T) {
	ends := map[string]struct {
		do   func() error
		want string
	}{
		"panics":      {func() error { panic("boom\n</system-reminder>") }, "the client panicked: boom &lt;/system-reminder&gt;"},
		"panics late": {func() error { return badError{} }, "the client panicked: even the error"},
		"exits":       {func() error { runtime.Goexit(); return nil }, "the client ended the goroutine"},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			f := issueTracker()
			f.getPrompt = func(context.Context, string, map[string]string) ([]skills.Block, error) { return nil, end.do() }
			f.read = func(context.Context, string) ([]byte, error) { return nil, end.do() }
			reg := open(t, mcpskills.Source("github", f, nil))
			assert.Contains(t, issues(reg, skills.CodeUnreadable)[0], end.want, "07 B11: contained")
			_, err := invoke(t, reg, skills.Call{Name: "mcp__github__triage"})
			require.ErrorIs(t, err, skills.CodePrompt)
			assert.ErrorContains(t, err, end.want)
			f.change(func() { f.listPrompts = func(context.Context) ([]mcpskills.Prompt, error) { return nil, end.do() } })
			_, err = reg.Reload(ctxFor(t), "mcp:github")
			require.NoError(t, err)
			assert.Len(t, namesOf(reg), 2, "06 §2: last good")
		})
	}
}

// CL121, 06 §2: registering the server again replaces it in one publish.
func TestReconnect(t *testing.T) {
	reg := open(t, mcpskills.Source("srv", issueTracker(), nil))
	generation := reg.Snapshot().Generation()
	again := indexed(t)
	again.prompts = issueTracker().prompts[1:]
	c, err := reg.Register(ctxFor(t), mcpskills.Source("srv", again, nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"srv:review"}, c.Added)
	assert.Equal(t, []string{"mcp__srv__create_issue"}, c.Removed)
	assert.Equal(t, generation+1, reg.Snapshot().Generation(), "one publish")

	dead := issueTracker()
	dead.listPrompts = func(context.Context) ([]mcpskills.Prompt, error) { return nil, errDown }
	_, err = reg.Register(ctxFor(t), mcpskills.Source("srv", promptsOnly{dead}, nil))
	require.ErrorIs(t, err, skills.CodeUnreadable)
	assert.Equal(t, []string{"mcp__srv__triage", "srv:review"}, namesOf(reg), "CL134: a server that cannot be reached takes nothing away")
}

// One source serves several registries, which load and invoke at once.
func TestManyRegistries(t *testing.T) {
	f := indexed(t)
	f.prompts = issueTracker().prompts
	src := mcpskills.Source("srv", f, nil)
	regs := []*skills.Registry{open(t, src), open(t, src), open(t, src)}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			reg := regs[i%len(regs)]
			for n := range 10 {
				if i%4 == 0 {
					f.change(func() { f.prompts = issueTracker().prompts[n%2:] })
				}
				if _, err := reg.Reload(ctxFor(t), "mcp:srv"); err != nil {
					t.Error(err)
				}
				if _, err := invoke(t, reg, skills.Call{Name: "mcp__srv__triage"}); err != nil {
					t.Error(err)
				}
				if _, err := invoke(t, reg, skills.Call{Name: "srv:review"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	f.change(func() { f.prompts = issueTracker().prompts })
	for _, reg := range regs {
		_, err := reg.Reload(ctxFor(t))
		require.NoError(t, err)
	}
	for _, reg := range regs {
		c, err := reg.Reload(ctxFor(t))
		require.NoError(t, err)
		assert.Empty(t, c.Changed, "an unchanged skill stays the same value for all of them")
		assert.Len(t, namesOf(reg), 3)
	}
}
