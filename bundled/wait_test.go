package bundled

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// In these tests the clock is that of the bubble: it goes on when everybody
// waits, so a second costs nothing and no load can make a test fail.

func TestSlowCheckIsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var asked atomic.Int32
		open := bounded(func() bool {
			asked.Add(1)
			<-release
			return true
		})
		began := time.Now()
		assert.False(t, open(), "05 §1: no answer in time is no")
		assert.Equal(t, time.Second, time.Since(began), "the bound is as documented")

		began = time.Now()
		for range 100 {
			assert.False(t, open())
		}
		assert.Zero(t, time.Since(began), "a check that hangs costs the next uses nothing")
		assert.EqualValues(t, 1, asked.Load(), "and no goroutine but its own")

		close(release)
		synctest.Wait()
		assert.True(t, open(), "asked anew when it has returned: the late answer is of the past")
		assert.True(t, open())
		assert.EqualValues(t, 3, asked.Load(), "and at each use from then on")
	})
}

func TestCheckInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			takes  time.Duration
			want   bool
			reason string
		}{
			{0, true, "at once"},
			{checkLimit - 1, true, "just in time"},
			{checkLimit + 1, false, "just too late"},
		} {
			open := bounded(func() bool { time.Sleep(c.takes); return true })
			assert.Equal(t, c.want, open(), c.reason)
			time.Sleep(2 * checkLimit)
			synctest.Wait()
		}
		ended := bounded(func() bool { runtime.Goexit(); return true })
		assert.False(t, ended(), "a function that ends its goroutine says nothing")
		assert.PanicsWithValue(t, "broken", func() { bounded(func() bool { panic("broken") })() },
			"05 §1: a panic stays one, for the gate of the library to contain and report")
	})
}

// Many uses at once share one call and its goroutine, and wait together, not one
// after another.
func TestSlowCheckWithManyCallers(t *testing.T) {
	const callers = 200
	for _, c := range []struct {
		name, reason string
		end          func() bool // of the call
		want, again  bool        // what uses get while it hangs, and when it has returned
	}{
		{"true", "05 §1: no answer in time is no", func() bool { return true }, false, true},
		{"false", "05 §1: no answer in time is no", func() bool { return false }, false, false},
		{"exit", "its goroutine's end is no answer", func() bool { runtime.Goexit(); return true }, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				var asked atomic.Int32
				open := bounded(func() bool { asked.Add(1); <-release; return c.end() })
				began := time.Now()
				var all sync.WaitGroup
				for range callers {
					all.Go(func() { assert.Equal(t, c.want, open(), c.reason) })
				}
				all.Wait()
				assert.Equal(t, checkLimit, time.Since(began), "they wait together")
				assert.EqualValues(t, 1, asked.Load(), "05 §1: one that hangs is not asked again")
				assert.Equal(t, 1, asking(), "05 §1: and keeps one goroutine")
				close(release)
				synctest.Wait()
				assert.Zero(t, asking(), "which goes with it")
				assert.Equal(t, c.again, open())
			})
		})
	}
}

// asking counts the goroutines that this package has started.
func asking() int {
	buf := make([]byte, 4<<20)
	buf = buf[:runtime.Stack(buf, true)]
	return strings.Count(string(buf), "created by github.com/seed-12b313d8/skills/bundled.")
}

// One answer counts for all who wait for it: late for the first, in time for
// those who came later.
func TestSharedAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		open := bounded(func() bool {
			asked.Add(1)
			time.Sleep(checkLimit * 3 / 2)
			return true
		})
		use := func(wait time.Duration, want bool, took time.Duration, reason string) func() {
			return func() {
				time.Sleep(wait)
				began := time.Now()
				assert.Equal(t, want, open(), reason)
				assert.Equal(t, took, time.Since(began), reason)
			}
		}
		var all sync.WaitGroup
		all.Go(use(0, false, checkLimit, "too late for who asked"))
		all.Go(use(checkLimit*3/4, true, checkLimit*3/4, "in time for who came later"))
		all.Go(use(checkLimit*5/4, false, 0, "nobody waits for what is overdue"))
		all.Wait()
		assert.EqualValues(t, 1, asked.Load())
		assert.False(t, open(), "an answer that has come is of the past, so it is asked anew")
		assert.EqualValues(t, 2, asked.Load())
		time.Sleep(checkLimit)
	})
}

// A panic is for all who waited, and for nobody else.
func TestSharedPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		open := bounded(func() bool {
			if asked.Add(1) > 1 {
				return true
			}
			time.Sleep(checkLimit / 2)
			panic("broken")
		})
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { assert.PanicsWithValue(t, "broken", func() { open() }, "05 §1") })
		}
		all.Wait()
		assert.EqualValues(t, 1, asked.Load())
		assert.True(t, open())
	})
}

// One check that hangs takes its own skills away, once for all of them, and the
// rest of the listing is there.
func TestSlowCheckInASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		hang := func() bool { <-release; return true }
		reg, err := skills.Open(t.Context(), &skills.Options{
			Locations: skills.Locations{NoDisk: true},
			Sources: []skills.Source{Source(&Options{
				Features: []string{FeatureTriggers},
				Checks:   map[string]func() bool{FeatureInternal: hang, CheckBrowser: hang, "simplify": func() bool { panic("broken") }},
			})},
		})
		require.NoError(t, err)
		defer reg.Close()
		sess := reg.NewSession("s", nil)
		there := func() (out []string) {
			for s := range sess.Skills(skills.CallerUser) {
				out = append(out, s.Name)
			}
			return out
		}
		began := time.Now()
		want := []string{"batch", "debug", "keybindings", "loop", "lorem-ipsum", "update-config"}
		assert.Equal(t, want, there(), "05 §1: slow and panicking checks are off")
		assert.LessOrEqual(t, time.Since(began), 2*checkLimit, "each check is waited for once, however many skills it gates")
		began = time.Now()
		assert.Equal(t, want, there())
		_, err = skills.NewInvoker(sess, nil).Invoke(t.Context(), skills.Call{Name: "verify", Caller: skills.CallerUser})
		require.ErrorIs(t, err, skills.CodeNotInvocable)
		assert.Contains(t, sess.Explain("verify").Hidden[skills.CallerModel], "it is switched off in this program")
		assert.Zero(t, time.Since(began), "later uses do not wait")

		close(release)
		synctest.Wait()
		assert.Subset(t, there(), []string{"claude-in-chrome", "verify", "skillify", "remember", "stuck"}, "back with an answer")
	})
}

// The skill that is for when things are broken copes with a broken host.
func TestDebugSwitchThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		text := promptOf(t, &Options{}, "debug")
		for _, c := range []struct {
			enable func() bool
			takes  time.Duration
			says   string
			reason string
		}{
			{func() bool { <-release; return true }, callLimit, "gave no answer within 5s", "05 §1: slow"},
			{func() bool { panic("no `disk`\nleft") }, 0, "panicked: no 'disk' left", "05 §1: panicking, in one line"},
			{func() bool { runtime.Goexit(); return true }, 0, "gave no answer: it ended its goroutine", "05 §1: ending its goroutine"},
		} {
			began := time.Now()
			got := text(skills.PromptContext{Host: map[string]any{KeyEnableDebug: c.enable, KeyDebugLogging: true}, Args: "it hangs"})
			assert.Equal(t, c.takes, time.Since(began), c.reason)
			assert.Contains(t, got, "Whether debug logging is on is unknown: the switch of the host "+c.says, c.reason)
			assert.Contains(t, got, "> it hangs", "the rest of the text is there")
			assert.Contains(t, got, "The host named no log")
			assert.NotContains(t, got, "Debug logging is on.", "no claim")
		}
		close(release)
	})
}

// A prompt ends with its context, in the midst of a callback, too, and does not
// begin after it.
func TestPromptEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, asked := make(chan struct{}), make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-asked
			cancel()
		}()
		began := time.Now()
		_, err := contentOf(t, "debug").Prompt(ctx, skills.PromptContext{Host: map[string]any{
			KeyEnableDebug: func() bool { close(asked); <-release; return false },
		}})
		require.ErrorIs(t, err, context.Canceled)
		assert.Zero(t, time.Since(began), "it does not wait for the callback")
		close(release)

		for _, e := range catalog() {
			if e.prompt == nil {
				continue
			}
			blocks, err := contentOf(t, e.name).Prompt(ctx, skills.PromptContext{
				Args: "5m x",
				Host: map[string]any{KeyEnableDebug: func() bool { t.Errorf("%s: asked the host for nobody", e.name); return true }},
			})
			require.ErrorIs(t, err, context.Canceled, e.name)
			assert.Empty(t, blocks, e.name)
		}
	})
}

// The library says that the call was cancelled, not that the skill is broken.
func TestCancelledInvocation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reg, err := skills.Open(t.Context(), &skills.Options{
			Locations: skills.Locations{NoDisk: true}, Sources: []skills.Source{Source(nil)},
		})
		require.NoError(t, err)
		defer reg.Close()
		release := make(chan struct{})
		defer close(release)
		ctx, cancel := context.WithTimeout(t.Context(), callLimit/2)
		defer cancel()
		_, err = skills.NewInvoker(reg.NewSession("s", nil), nil).Invoke(ctx, skills.Call{
			Name: "debug", Caller: skills.CallerUser,
			Host: map[string]any{KeyEnableDebug: func() bool { <-release; return true }},
		})
		require.ErrorIs(t, err, skills.CodeCancelled)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		began := time.Now()
		_, err := await(t.Context(), "the disk", func() int { <-release; return 1 })
		require.EqualError(t, err, "the disk gave no answer within 5s")
		assert.Equal(t, callLimit, time.Since(began))
		close(release)

		n, err := await(t.Context(), "it", func() int { time.Sleep(callLimit - 1); return 7 })
		require.NoError(t, err)
		assert.Equal(t, 7, n, "an answer just in time counts")

		_, err = await(t.Context(), "it", func() int { panic("broken") })
		require.EqualError(t, err, "it panicked: broken")

		n, err = await(t.Context(), "it", func() int { runtime.Goexit(); return 1 })
		require.EqualError(t, err, "it gave no answer: it ended its goroutine", "05 §1: no answer is none, not a zero value")
		assert.Zero(t, n)

		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = await(ended, "it", func() int { t.Error("called for nobody"); return 0 })
		require.ErrorIs(t, err, context.Canceled)
	})
}

// contentOf returns what a skill without options consists of.
func contentOf(tb testing.TB, name string) skills.Content {
	tb.Helper()
	list := catalog()
	i := slices.IndexFunc(list, func(e entry) bool { return e.name == name })
	require.GreaterOrEqual(tb, i, 0, name)
	s, issues := (&Options{}).load(list[i])
	require.NotNil(tb, s, "%v", issues)
	return s.Content
}
