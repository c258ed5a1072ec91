package improve_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/improve"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// loopPath is the skill of TestLoop.
const loopPath = "service/.claude/skills/deploy/SKILL.md"

// loopFixture is a project with a nested skill, and one of the host.
func loopFixture(t *testing.T) *fixture {
	t.Helper()
	root := testkit.Tree(t, map[string]string{
		"service/main.go": "package main\n",
		// Without a description the first paragraph of the body is listed, so
		// that the listing has something to tell of.
		loopPath: "---\nargument-hint: host\n---\nDeploys the service.\n\n1. Copy the files to $ARGUMENTS\n",
	})
	f := &fixture{root: root}
	f.reg = open(t, skills.Locations{Project: root, NoManaged: true, NoUser: true}, nil)
	f.sess = f.reg.NewSession("main", nil)
	_, err := f.reg.Register(t.Context(), skills.StaticSource(skills.SourceInfo{ID: "host", Origin: skills.OriginBundled}, &skills.Skill{
		Name: "help", Description: "Helps", Content: skills.Content{Prompt: func(context.Context, skills.PromptContext) ([]skills.Block, error) {
			return []skills.Block{{Text: "Help."}}, nil
		}},
	}))
	require.NoError(t, err)
	return f
}

// awaitChange waits until the deploy skill has changed.
func awaitChange(ctx context.Context, t *testing.T, changes <-chan skills.Change) {
	t.Helper()
	for {
		var c skills.Change
		select {
		case c = <-changes:
		case <-ctx.Done():
			t.Fatal("the watcher has not seen it")
		}
		if slices.ContainsFunc(c.Changed, func(name string) bool { return strings.HasSuffix(name, "deploy") }) {
			return
		}
	}
}

// The whole circle, with a real tree and a real watcher: register, discover,
// invoke, improve, reload (06 §5).
func TestLoop(t *testing.T) {
	noLeaks(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	f := loopFixture(t)
	lister := skills.NewLister(f.sess, &skills.ListerOptions{ContextWindow: 200_000})
	inv := skills.NewInvoker(f.sess, nil)
	listing := func() string {
		n := lister.Next()
		lister.Commit(n)
		return n.Text
	}

	// Registered are a source of the host and the project's.
	changes := make(chan skills.Change, 100)
	defer f.reg.Subscribe(func(c skills.Change) { changes <- c })()
	require.NoError(t, f.reg.Watch(ctx, &skills.WatchOptions{Stable: 20 * time.Millisecond, Poll: 10 * time.Millisecond, Gather: 10 * time.Millisecond}))
	text := listing()
	require.Contains(t, text, "help")
	require.NotContains(t, text, "deploy")

	// Discover: by touching a file beside the nested skill.
	act := f.sess.Touch(ctx, "service/main.go")
	require.Len(t, act.Discovered, 1)
	require.Contains(t, listing(), "- deploy: (in service/) Deploys the service.")
	require.Empty(t, listing(), "nothing new")

	// Invoke.
	call := skills.Call{Name: "deploy", Args: "host-a", Caller: skills.CallerUser}
	out, err := inv.Invoke(ctx, call)
	require.NoError(t, err)
	require.Contains(t, skills.Text(out.(*skills.Inline).Content), "1. Copy the files to host-a")

	// Improve.
	proposed := make(chan improve.Proposal, 1)
	s := &script{
		detect: "```json\n" + `{"updates": [{"section": "", "change": "Say that it takes care of the tests and run them", "reason": "asked for"},]}` + "\n```",
		edit: func(old string) string {
			return strings.Replace(old, "Deploys the service.", "Tests and deploys the service.", 1) + "\n2. Run the tests"
		},
	}
	o := (&host{}).options()
	o.Propose = func(p improve.Proposal) { proposed <- p }
	o.Failed = func(err error) { t.Error(err) }
	i := newImprover(t, f, s.model, o)
	i.Observe(talk(5))
	p := <-proposed
	require.Equal(t, "deploy", p.Skill.Name)
	require.NoError(t, i.Apply(ctx, p))

	// Reload: by the watcher.
	awaitChange(ctx, t, changes)
	text = listing()
	assert.Contains(t, text, "- deploy: (in service/) Tests and deploys the service.")
	assert.NotContains(t, text, "help", "only what is new")
	out, err = inv.Invoke(ctx, call)
	require.NoError(t, err)
	again := skills.Text(out.(*skills.Inline).Content)
	assert.Contains(t, again, "1. Copy the files to host-a\n2. Run the tests")
	assert.False(t, out.(*skills.Inline).AlreadyLoaded)
	assert.Equal(t, "---\nargument-hint: host\n---\nTests and deploys the service.\n\n1. Copy the files to $ARGUMENTS\n2. Run the tests\n", f.read(t, loopPath))

	// And on: the next proposal is about the new text.
	i.Observe(talk(10))
	next := <-proposed
	assert.NotEqual(t, p.Hash, next.Hash)
	assert.Contains(t, s.last(), "2. Run the tests")
	require.ErrorIs(t, i.Apply(ctx, p), improve.ErrChanged)
}
