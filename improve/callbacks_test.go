package improve_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/improve"
)

// Functions that panic or end their goroutine are contained, and the next run
// works (07 B11).
func TestCallbacksThatFail(t *testing.T) {
	for how, fail := range map[string]func(){
		"panics":              func() { panic("boom") },
		"ends its goroutine":  runtime.Goexit,
		"panics with nothing": func() { panic(error(nil)) },
	} {
		for _, which := range []string{"Enabled", "Model", "Propose", "Failed"} {
			t.Run(which+" "+how, func(t *testing.T) {
				noLeaks(t)
				f := newFixture(t, nil)
				f.invoke(t, "deploy")
				h, s := &host{}, &script{}
				o := h.options()
				once := sync.OnceFunc(fail)
				failing := func() {
					defer func() { once = func() {} }()
					once()
				}
				enabled, propose, failed := o.Enabled, o.Propose, o.Failed
				model := s.model
				switch which {
				case "Enabled":
					o.Enabled = func() bool { failing(); return enabled() }
				case "Model":
					model = func(ctx context.Context, system, prompt string, temperature float64) (string, error) {
						failing()
						return s.model(ctx, system, prompt, temperature)
					}
				case "Propose":
					o.Propose = func(p improve.Proposal) { failing(); propose(p) }
				case "Failed":
					s.detect = "prose"
					o.Failed = func(err error) { failing(); failed(err) }
				}
				i := newImprover(t, f, model, o)
				i.Observe(talk(5))
				wait(t, i)
				assert.Empty(t, h.proposals)
				if which == "Failed" {
					assert.Empty(t, h.errs)
				} else {
					require.Len(t, h.errs, 1)
					requireError(t, h.errs[0], skills.CodePrompt)
				}
				s.detect = ""
				i.Observe(talk(10))
				wait(t, i)
				assert.Len(t, h.proposals, 1, "the next run works")
			})
		}
	}
}

func TestApplyCallbacksThatFail(t *testing.T) {
	for how, fail := range map[string]func(){"panicked: boom": func() { panic("boom") }, "ended its goroutine": runtime.Goexit} {
		t.Run(how, func(t *testing.T) {
			noLeaks(t)
			f := newFixture(t, nil)
			o := (&host{}).options()
			i := newImprover(t, f, prompted(func(string) (string, error) { fail(); return "", nil }), o)
			e := requireError(t, i.Apply(t.Context(), f.proposal(t, "deploy")), skills.CodePrompt)
			assert.ErrorContains(t, e, "the Model function "+how)
			o.Enabled = func() bool { fail(); return true }
			i = newImprover(t, f, (&script{}).model, o)
			requireError(t, i.Apply(t.Context(), f.proposal(t, "deploy")), skills.CodeDenied)
			assert.Equal(t, deployText, f.read(t, deployPath))
		})
	}
}

// hang returns a function that blocks, a channel that is closed once it does,
// and one that ends it.
func hang() (f func(), began, release chan struct{}) {
	began, release = make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(began) })
	return func() { first(); <-release }, began, release
}

// Functions that hang keep neither Observe nor Close (07 B11).
func TestCallbacksThatHang(t *testing.T) {
	for _, which := range []string{"Enabled", "Propose", "Failed"} {
		t.Run(which, func(t *testing.T) {
			noLeaks(t)
			f := newFixture(t, nil)
			f.invoke(t, "deploy")
			h, s := &host{}, &script{}
			o := h.options()
			block, began, release := hang()
			switch which {
			case "Enabled":
				o.Enabled = func() bool { block(); return true }
			case "Propose":
				o.Propose = func(improve.Proposal) { block() }
			case "Failed":
				s.detect, o.Failed = "prose", func(error) { block() }
			}
			i := improve.New(f.sess, s.model, o)
			i.Observe(talk(5))
			<-began
			i.Observe(talk(50))
			require.NoError(t, i.Close())
			calls := s.calls()
			close(release)
			wait(t, i)
			assert.Equal(t, calls, s.calls(), "nothing happens after Close")
			assert.Empty(t, h.proposals)
			assert.Empty(t, h.errs)
			i.Observe(talk(500))
			wait(t, i)
			assert.Equal(t, calls, s.calls())
			e := requireError(t, i.Apply(t.Context(), f.proposal(t, "deploy")), skills.CodeCancelled)
			assert.Contains(t, e.Msg, "closed")
			require.NoError(t, i.Close(), "more than once")
		})
	}
}

// obedient returns a model that says when it is asked, and ends with its context.
func obedient(began chan<- struct{}) improve.Model {
	return func(ctx context.Context, _, _ string, _ float64) (string, error) {
		began <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}
}

// Close ends a run whose model hangs.
func TestCloseEndsRun(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	f.invoke(t, "deploy")
	h, began := &host{}, make(chan struct{}, 9)
	i := improve.New(f.sess, obedient(began), h.options())
	i.Observe(talk(5))
	<-began
	require.NoError(t, i.Close())
	wait(t, i)
	assert.Empty(t, h.errs, "who closes knows")
}

// Close ends an Apply whose model hangs, and those that wait for it.
func TestCloseEndsApply(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	began, got := make(chan struct{}, 9), make(chan error, 2)
	i := improve.New(f.sess, obedient(began), (&host{}).options())
	p := f.proposal(t, "deploy")
	for range 2 { // one works, one waits
		go func() { got <- i.Apply(context.Background(), p) }()
	}
	<-began
	require.NoError(t, i.Close())
	for range 2 {
		requireError(t, <-got, skills.CodeCancelled)
	}
	assert.Equal(t, deployText, f.read(t, deployPath))
}

// The caller ends an Apply.
func TestCallerEndsApply(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	began, got := make(chan struct{}, 9), make(chan error, 1)
	i := newImprover(t, f, obedient(began), (&host{}).options())
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { got <- i.Apply(ctx, f.proposal(t, "deploy")) }()
	<-began
	stop := errors.New("enough")
	cancel(stop)
	err := <-got
	requireError(t, err, skills.CodeCancelled)
	require.ErrorIs(t, err, stop)
}

// Whoever waits for another Apply can stop, and one whose context has ended
// does not begin.
func TestCallerEndsWaiting(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	block, began, release := hang()
	s := &script{before: block}
	asked := make(chan struct{}, 99)
	o := (&host{}).options()
	o.Enabled = func() bool { asked <- struct{}{}; return true }
	i, p := newImprover(t, f, s.model, o), f.proposal(t, "deploy")
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- i.Apply(context.Background(), p) }()
	<-began
	<-asked
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { second <- i.Apply(ctx, p) }()
	<-asked
	cancel(stop)
	err := <-second
	requireError(t, err, skills.CodeCancelled)
	require.ErrorIs(t, err, stop)
	close(release)
	require.NoError(t, <-first)
	for range 50 {
		err := i.Apply(ctx, p)
		requireError(t, err, skills.CodeCancelled)
		require.ErrorIs(t, err, stop)
	}
	assert.Equal(t, 1, s.calls(), "only the first has asked a model")
}

// A model ends with the timeout.
func TestTimeout(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	f.invoke(t, "deploy")
	h := &host{}
	o := h.options()
	o.Timeout = time.Millisecond
	i := newImprover(t, f, obedient(make(chan struct{}, 9)), o)
	i.Observe(talk(5))
	wait(t, i)
	require.Len(t, h.errs, 1)
	e := requireError(t, h.errs[0], skills.CodePrompt)
	assert.Contains(t, e.Hint, "Timeout")
	requireError(t, i.Apply(t.Context(), f.proposal(t, "deploy")), skills.CodePrompt)
}

// A model that goes on after its context costs its goroutine, and Close says so.
func TestModelThatGoesOn(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	f.invoke(t, "deploy")
	block, began, release := hang()
	h := &host{}
	o := h.options()
	o.Grace = time.Millisecond
	i := improve.New(f.sess, prompted(func(string) (string, error) { block(); return oneUpdate, nil }), o)
	i.Observe(talk(5))
	<-began
	requireError(t, i.Close(), skills.CodeCancelled)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	requireError(t, i.Wait(ctx), skills.CodeCancelled)
	close(release)
	wait(t, i)
	require.NoError(t, i.Wait(ctx), "all is done, whatever the context")
	assert.Empty(t, h.proposals, "the answer came too late")
}

// A switch that hangs keeps an Apply as long as its caller wants.
func TestSwitchThatHangs(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	block, began, release := hang()
	o := (&host{}).options()
	o.Enabled = func() bool { block(); return true }
	i := newImprover(t, f, (&script{}).model, o)
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error, 1)
	go func() { got <- i.Apply(ctx, f.proposal(t, "deploy")) }()
	<-began
	cancel()
	requireError(t, <-got, skills.CodeCancelled)
	close(release)
}

// Functions of the host may call the Improver (07 B11).
func TestReentrance(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	f.invoke(t, "deploy")
	h, s := &host{}, &script{}
	o := h.options()
	var i *improve.Improver
	var applied, closed error = errors.New("not called"), errors.New("not called")
	o.Enabled = func() bool { i.Observe(talk(50)); return true }
	o.Propose = func(p improve.Proposal) {
		i.Observe(talk(50))
		applied = i.Apply(context.Background(), p)
		closed = i.Close()
		o.Failed(i.Apply(context.Background(), p))
	}
	i = improve.New(f.sess, s.model, o)
	i.Observe(talk(5))
	wait(t, i)
	require.NoError(t, applied)
	require.NoError(t, closed)
	assert.Contains(t, f.read(t, deployPath), "Run the tests first")
	require.Len(t, h.errs, 1)
	requireError(t, h.errs[0], skills.CodeCancelled)
	assert.Equal(t, 2, s.calls())
}

func TestReentranceOfFailed(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	f.invoke(t, "deploy")
	h, s := &host{}, &script{detect: "prose"}
	o := h.options()
	var i *improve.Improver
	var closed error = errors.New("not called")
	o.Failed = func(error) {
		i.Observe(talk(50))
		requireError(t, i.Apply(context.Background(), improve.Proposal{}), skills.CodeInvalid)
		closed = i.Close()
	}
	i = improve.New(f.sess, s.model, o)
	i.Observe(talk(5))
	wait(t, i)
	require.NoError(t, closed)
	assert.Equal(t, 1, s.calls())
}

// The model that finds updates may call the Improver, too.
func TestReentranceOfModel(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	f.invoke(t, "deploy")
	h, s := &host{}, &script{}
	var i *improve.Improver
	var applied error = errors.New("not called")
	i = newImprover(t, f, prompted(func(prompt string) (string, error) {
		i.Observe(talk(50))
		if !rewriting(prompt) {
			applied = i.Apply(context.Background(), f.proposal(t, "deploy"))
		}
		return s.model(context.Background(), "", prompt, 0)
	}), h.options())
	i.Observe(talk(5))
	wait(t, i)
	require.NoError(t, applied)
	require.Len(t, h.proposals, 1)
	requireError(t, i.Apply(t.Context(), h.proposals[0]), skills.CodeInvalid)
}

// Everything at once: no race, no deadlock, and the file is always whole.
func TestHammer(t *testing.T) {
	noLeaks(t)
	f := newFixture(t, nil)
	f.invoke(t, "deploy")
	h := &host{}
	o := h.options()
	o.Every = 1
	var i *improve.Improver
	o.Propose = func(p improve.Proposal) { _ = i.Apply(context.Background(), p) } // meets others
	edit := func(old string) string {
		if strings.HasSuffix(old, "3. Run the tests first") {
			return strings.TrimSuffix(old, "\n3. Run the tests first")
		}
		return addLine(old)
	}
	i = improve.New(f.sess, prompted(func(prompt string) (string, error) {
		if rewriting(prompt) {
			return reply(prompt, edit), nil
		}
		return oneUpdate, nil
	}), o)
	var all sync.WaitGroup
	done := make(chan struct{})
	all.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			text := f.read(t, deployPath)
			if text != deployText && text != addLine(strings.TrimSuffix(deployText, "\n"))+"\n" {
				t.Errorf("torn: %q", text)
				return
			}
		}
	})
	var work sync.WaitGroup
	for n := range 8 {
		work.Go(func() {
			for k := range 25 {
				i.Observe(talk(n*100 + k))
				switch err := i.Apply(context.Background(), f.proposal(t, "deploy")); {
				case err == nil, errors.Is(err, improve.ErrChanged):
				default:
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	require.NoError(t, i.Close())
	wait(t, i)
	close(done)
	all.Wait()
	for _, err := range h.errs {
		require.ErrorIs(t, err, improve.ErrChanged)
	}
	assert.Empty(t, f.leftovers(t))
}
