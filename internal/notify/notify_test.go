package notify_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills/internal/notify"
)

func join(a, b []int) []int { return append(append([]int{}, a...), b...) }

func plain(f func([]int), v []int) { f(v) }

// While a subscriber is busy values wait, merged into one, in order; others
// are not delayed (03 W7).
func TestSlowSubscriber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := notify.New(join, plain)
		var slow, quick [][]int
		hold := make(chan struct{})
		h.Subscribe(func(v []int) { slow = append(slow, v); <-hold })
		h.Subscribe(func(v []int) { quick = append(quick, v) })
		for i := range 3 {
			h.Tell([]int{i})
			synctest.Wait()
		}
		assert.Equal(t, [][]int{{0}}, slow)
		assert.Equal(t, [][]int{{0}, {1}, {2}}, quick)
		close(hold)
		synctest.Wait()
		assert.Equal(t, [][]int{{0}, {1, 2}}, slow)
	})
}

// After cancel and Close no call begins, and no goroutine stays.
func TestEnd(t *testing.T) {
	tests := []struct {
		reason string
		end    func(h *notify.Hub[[]int], cancel func())
	}{
		{"cancelled", func(_ *notify.Hub[[]int], cancel func()) { cancel(); cancel() }},
		{"closed", func(h *notify.Hub[[]int], _ func()) { h.Close(); h.Close() }},
		{"closed, then cancelled", func(h *notify.Hub[[]int], cancel func()) { h.Close(); cancel() }},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // which fails if a goroutine stays
				h := notify.New(join, plain)
				var calls atomic.Int32
				hold := make(chan struct{})
				cancel := h.Subscribe(func([]int) { calls.Add(1); <-hold })
				h.Tell(nil)
				synctest.Wait()
				h.Tell(nil)
				tt.end(h, cancel)
				h.Tell(nil)
				close(hold)
				synctest.Wait()
				assert.EqualValues(t, 1, calls.Load(), "the one under way")
			})
		})
	}
	h := notify.New(join, plain)
	h.Close()
	h.Subscribe(func([]int) { t.Error("called after Close") })()
	h.Tell(nil)
}

// A subscriber that ends its goroutine is told of what waits, and of what
// comes later.
func TestGoexit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := notify.New(join, plain)
		var got [][]int
		hold := make(chan struct{})
		h.Subscribe(func(v []int) {
			got = append(got, v)
			<-hold
			runtime.Goexit()
		})
		for i := range 3 {
			h.Tell([]int{i})
			synctest.Wait()
		}
		close(hold)
		synctest.Wait()
		assert.Equal(t, [][]int{{0}, {1, 2}}, got)
		h.Tell([]int{3})
		synctest.Wait()
		assert.Equal(t, [][]int{{0}, {1, 2}, {3}}, got)
	})
}

// Subscribers may use the hub, and end it.
func TestReentrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := notify.New(join, plain)
		var got []int
		h.Subscribe(func(v []int) {
			got = append(got, v...)
			if len(got) < 3 {
				h.Subscribe(func([]int) {})()
				h.Tell([]int{len(got)})
				return
			}
			h.Close()
		})
		h.Tell([]int{0})
		synctest.Wait()
		assert.Equal(t, []int{0, 1, 2}, got)
	})
}

// Nothing is lost or told twice, whoever tells at the same time.
func TestHammer(t *testing.T) {
	defer goleak.VerifyNone(t)
	sum := func(a, b int) int { return a + b }
	h := notify.New(sum, func(f func(int), v int) { f(v) })
	var total [4]int
	var done sync.WaitGroup
	done.Add(len(total))
	for i := range total {
		h.Subscribe(func(v int) {
			if total[i] += v; total[i] == 8*500 {
				done.Done()
			}
		})
	}
	for range 8 {
		go func() {
			for range 500 {
				h.Tell(1)
			}
		}()
	}
	done.Wait()
}
