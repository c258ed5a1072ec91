package skills_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
)

// A troublemaker is a registry and a session all of whose host functions pass
// through at, which misbehaves in one of them, once.
type troublemaker struct {
	reg   *skills.Registry
	sess  *skills.Session
	armed atomic.Pointer[string]          // the function to misbehave in
	act   func(ctx context.Context) error // what it does
	extra atomic.Int64                    // sources registered so far
}

// at is where every function of the host begins.
func (m *troublemaker) at(ctx context.Context, name string) error {
	if armed := m.armed.Load(); armed == nil || *armed != name || !m.armed.CompareAndSwap(armed, nil) {
		return nil
	}
	return m.act(ctx)
}

func (m *troublemaker) arm(name string, act func(context.Context) error) {
	m.act = act
	m.armed.Store(&name)
}

// Used and Score implement [skills.Usage].
func (m *troublemaker) Used(*skills.Skill, time.Time) { _ = m.at(context.Background(), "Usage.Used") }

func (m *troublemaker) Score(*skills.Skill, time.Time) float64 {
	_ = m.at(context.Background(), "Usage.Score")
	return 1
}

// Find and Get implement [skills.Catalog].
func (m *troublemaker) Find(ctx context.Context, _ string, _ int) ([]skills.Hit, error) {
	return []skills.Hit{{Name: "far", Description: "far away"}}, m.at(ctx, "Catalog.Find")
}

func (m *troublemaker) Get(ctx context.Context, _ string) ([]byte, error) {
	return []byte(skill("text", "description: far away")), m.at(ctx, "Catalog.Get")
}

func (m *troublemaker) skills() []skills.Source {
	read := func(name, body string) skills.Content {
		return skills.Content{Read: func(ctx context.Context) ([]byte, error) {
			return []byte(skill(body, "description: "+name)), m.at(ctx, "Content.Read of "+name)
		}}
	}
	of := func(o skills.Origin, list ...*skills.Skill) skills.Source {
		return skills.StaticSource(skills.SourceInfo{ID: string(o), Origin: o}, list...)
	}
	return []skills.Source{
		of(skills.OriginUser,
			&skills.Skill{Name: "plain", Description: "plain", Content: read("plain", "Text.")},
			&skills.Skill{Name: "shell", Description: "shell", Content: read("shell", "!`echo hi`")},
			&skills.Skill{Name: "model", Description: "model", Model: "haiku", Content: read("model", "Text.")},
		),
		of(skills.OriginBundled,
			&skills.Skill{Name: "prompt", Description: "prompt", Content: skills.Content{
				Prompt: func(ctx context.Context, _ skills.PromptContext) ([]skills.Block, error) {
					return []skills.Block{{Text: "Text."}}, m.at(ctx, "Content.Prompt")
				},
			}},
			&skills.Skill{Name: "gated", Description: "gated", Content: skills.Content{
				Enabled: func() bool { return m.at(context.Background(), "Content.Enabled") == nil },
				Read:    read("gated", "Text.").Read,
			}},
		),
		of(skills.OriginProject, &skills.Skill{Name: "ask", Description: "ask", AllowedTools: []string{"Read"}, Content: read("ask", "Text.")}),
	}
}

func newTroublemaker(t *testing.T, searcher bool) *troublemaker {
	t.Helper()
	m := &troublemaker{}
	o := &skills.Options{
		Sources: m.skills(), Catalog: m,
		Observe: func(skills.Record) { _ = m.at(context.Background(), "Observe") },
	}
	if searcher {
		o.Searcher = func(ctx context.Context, _ *skills.Session, _ string, _ int) ([]skills.Hit, error) {
			return nil, m.at(ctx, "Searcher")
		}
	}
	m.reg = open(t, o)
	m.sess = m.reg.NewSession("", &skills.SessionOptions{Usage: m, Retain: true})
	return m
}

func (m *troublemaker) invoker() *skills.Invoker {
	return skills.NewInvoker(m.sess, &skills.InvokerOptions{
		Shell: func(ctx context.Context, _ skills.Command) (skills.CommandResult, error) {
			return skills.CommandResult{Output: "hi"}, m.at(ctx, "Shell")
		},
		AllowCommand: func(ctx context.Context, _ skills.Command) error { return m.at(ctx, "AllowCommand") },
		Confirm:      func(ctx context.Context, _ *skills.Permit) (bool, error) { return true, m.at(ctx, "Confirm") },
		ResolveModel: func(s string) (string, error) { return s, m.at(context.Background(), "ResolveModel") },
		Expand: func(ctx context.Context, _ *skills.Skill, text string) (string, error) {
			return text, m.at(ctx, "Expand")
		},
	})
}

func (m *troublemaker) invoke(name string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := m.invoker().Invoke(ctx, skills.Call{Name: name})
		return err
	}
}

func (m *troublemaker) search(ctx context.Context) error {
	_, err := m.sess.Search(ctx, "far plain", 5)
	return err
}

func (m *troublemaker) list(context.Context) error {
	l := skills.NewLister(m.sess, &skills.ListerOptions{ByUsage: true, Budget: 1 << 16})
	l.Commit(l.Next())
	m.sess.Reset()
	return nil
}

// everything does what a host does, through the same session, and returns the
// first error. It needs every lock there is.
func (m *troublemaker) everything() error {
	ctx := context.Background()
	id := fmt.Sprint("extra", m.extra.Add(1))
	more := skills.StaticSource(skills.SourceInfo{ID: id, Origin: skills.OriginUser}, &skills.Skill{Name: id})
	_, registered := m.reg.Register(ctx, more)
	_, reloaded := m.reg.Reload(ctx)
	m.reg.Unregister(ctx, id)
	m.sess.UpdatePolicy(func(*skills.Policy) {})
	m.sess.Touch(ctx, "a.go")
	m.sess.Menu("p")
	m.sess.Explain("plain")
	m.sess.Records()
	m.sess.Reattach(1000, 1000)
	m.sess.Child("child", nil)
	state, exported := m.sess.Export()
	_, restored := m.reg.RestoreSession(state, nil)
	_, looked := m.sess.Lookup("plain")
	return errors.Join(registered, reloaded, exported, restored, looked, m.list(ctx), m.search(ctx), m.invoke("plain")(ctx), m.invoke("prompt")(ctx))
}

// A hostFunc is one function of the host, and what is to come of it.
type hostFunc struct {
	name     string
	op       func(*troublemaker) func(context.Context) error // what calls it
	bounded  bool                                            // it is given a context
	panics   skills.Code                                     // of the operation's error; "" if it succeeds all the same
	hangs    skills.Code                                     // likewise, if it ends with its context
	searcher bool
}

func hostFuncs() []hostFunc {
	invoke := func(name string) func(*troublemaker) func(context.Context) error {
		return func(m *troublemaker) func(context.Context) error { return m.invoke(name) }
	}
	search := func(m *troublemaker) func(context.Context) error { return m.search }
	far := func(m *troublemaker) func(context.Context) error {
		return func(ctx context.Context) error { return errors.Join(m.search(ctx), m.invoke("_canonical_far")(ctx)) }
	}
	return []hostFunc{
		{name: "Content.Prompt", op: invoke("prompt"), bounded: true, panics: skills.CodePrompt, hangs: skills.CodeCancelled},
		{name: "Content.Read of plain", op: invoke("plain"), bounded: true, panics: skills.CodeUnreadable, hangs: skills.CodeCancelled},
		{name: "Confirm", op: invoke("ask"), bounded: true, panics: skills.CodeNeedsPermission, hangs: skills.CodeCancelled},
		{name: "Shell", op: invoke("shell"), bounded: true, panics: skills.CodeShellFailed, hangs: skills.CodeCancelled},
		{name: "AllowCommand", op: invoke("shell"), bounded: true, panics: skills.CodeDenied, hangs: skills.CodeCancelled},
		{name: "ResolveModel", op: invoke("model")},
		{name: "Expand", op: invoke("plain"), bounded: true, panics: skills.CodePrompt, hangs: skills.CodeCancelled},
		{name: "Observe", op: invoke("plain")},
		{name: "Usage.Used", op: invoke("plain")},
		{name: "Usage.Score", op: func(m *troublemaker) func(context.Context) error { return m.list }},
		{name: "Catalog.Find", op: search, bounded: true, panics: skills.CodeUnreadable, hangs: skills.CodeCancelled},
		{name: "Catalog.Get", op: far, bounded: true, panics: skills.CodeUnreadable, hangs: skills.CodeCancelled},
		{name: "Searcher", op: search, bounded: true, panics: skills.CodeUnreadable, hangs: skills.CodeCancelled, searcher: true},
	}
}

// checkCode holds an operation to its kind of error.
func checkCode(t *testing.T, err error, code skills.Code) {
	t.Helper()
	if code == "" {
		assert.NoError(t, err)
		return
	}
	var e *skills.Error
	require.ErrorAs(t, err, &e, "typed")
	assert.Equal(t, code, e.Code)
	assert.NotEmpty(t, e.ForModel())
}

// ends fails the test if f takes too long for anything but a lock.
func ends(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(hangs):
		t.Fatal(what + " does not end: a lock is held")
	}
}

// Every function of the host may panic: the operation fails with a typed error
// or goes without it, and everything works afterwards (07 B11).
func TestHostFunctionsPanic(t *testing.T) {
	for _, f := range hostFuncs() {
		t.Run(f.name, func(t *testing.T) {
			m := newTroublemaker(t, f.searcher)
			m.arm(f.name, func(context.Context) error { panic("boom") })
			checkCode(t, f.op(m)(context.Background()), f.panics)
			require.Nil(t, m.armed.Load(), "it was called")
			ends(t, "what comes next", func() { assert.NoError(t, m.everything()) })
		})
	}
}

// Every function of the host may take for ever: meanwhile everything else works,
// in the same session too, and where it was given a context it ends with it
// (07 B11).
func TestHostFunctionsHang(t *testing.T) {
	for _, f := range hostFuncs() {
		t.Run(f.name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			m := newTroublemaker(t, f.searcher)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			entered, release := make(chan struct{}), make(chan struct{})
			m.arm(f.name, func(ctx context.Context) error {
				close(entered)
				select {
				case <-ctx.Done(): // never, without a context of its own
					return ctx.Err()
				case <-release:
					return nil
				}
			})
			result := make(chan error, 1)
			go func() { result <- f.op(m)(ctx) }()
			<-entered
			ends(t, "everything else", func() { assert.NoError(t, m.everything()) })
			if f.bounded {
				cancel()
			} else {
				close(release)
			}
			ends(t, "the operation", func() { checkCode(t, <-result, f.hangs) })
		})
	}
}

// Every function of the host may call back, through the same session (07 B11).
func TestHostFunctionsReenter(t *testing.T) {
	for _, f := range hostFuncs() {
		t.Run(f.name, func(t *testing.T) {
			m := newTroublemaker(t, f.searcher)
			var inside error
			m.arm(f.name, func(context.Context) error { inside = m.everything(); return nil })
			ends(t, "the operation", func() { assert.NoError(t, f.op(m)(context.Background())) })
			require.Nil(t, m.armed.Load(), "it was called")
			assert.NoError(t, inside)
		})
	}
}

// A gate that panics hides its skill, and nothing else (07 B11). It is asked
// wherever skills are looked at, so it may not call back.
func TestGatePanics(t *testing.T) {
	for reason, op := range map[string]func(*troublemaker){
		"a listing":     func(m *troublemaker) { _ = m.list(context.Background()) },
		"a menu":        func(m *troublemaker) { m.sess.Menu("") },
		"a search":      func(m *troublemaker) { _, _ = m.sess.Search(context.Background(), "gated", 5) },
		"an invocation": func(m *troublemaker) { _ = m.invoke("gated")(context.Background()) },
		"an account":    func(m *troublemaker) { m.sess.Explain("gated") },
	} {
		t.Run(reason, func(t *testing.T) {
			m := newTroublemaker(t, false)
			m.arm("Content.Enabled", func(context.Context) error { panic("boom") })
			op(m)
			require.Nil(t, m.armed.Load(), "it was called")
			ends(t, "what comes next", func() { assert.NoError(t, m.everything()) })
			assert.NoError(t, m.invoke("gated")(context.Background()), "it is asked again each time")
		})
	}
}
