package watch

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// An owner waits once, however often it fails; one that is gone or read is
// forgotten; and nothing waits after the end (03 W6).
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hints []string
		r := newRetries(func(owner string) { hints = append(hints, owner) })
		wait := func(d time.Duration) { time.Sleep(d); synctest.Wait() }
		for range 3 {
			r.note([]string{"a", "b"}, []string{"a"})
		}
		wait(time.Hour)
		assert.Equal(t, []string{"a"}, hints)
		r.note([]string{"a"}, nil) // nobody fails who is gone
		assert.Empty(t, r.owners)
		r.note([]string{"a", "b"}, []string{"a", "b"})
		r.note([]string{"b"}, nil)
		wait(time.Hour)
		assert.Equal(t, []string{"a", "a"}, hints)
		r.note([]string{"a", "b"}, []string{"a", "b"})
		r.stop()
		wait(time.Hour)
		assert.Equal(t, []string{"a", "a"}, hints)
		assert.Empty(t, r.owners)
	})
}
