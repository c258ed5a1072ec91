package guard_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/guard"
)

func TestCall(t *testing.T) {
	v, err := guard.Call("it", func() (int, error) { return 7, nil })
	assert.NoError(t, err)
	assert.Equal(t, 7, v)
	no := errors.New("no")
	_, err = guard.Call("it", func() (int, error) { return 0, no })
	assert.Same(t, no, err)
	v, err = guard.Call("the Shell function", func() (n int, err error) {
		n = 7
		panic("oh")
	})
	assert.EqualError(t, err, "the Shell function panicked: oh")
	assert.Zero(t, v)
}

func TestContain(t *testing.T) {
	var b bytes.Buffer
	l := guard.NewLog(slog.New(slog.NewTextHandler(&b, nil)))
	ran := false
	l.Contain("Observe", func() { ran = true })
	assert.True(t, ran)
	assert.Empty(t, b.String())
	l.Contain("Observe", func() { panic("oh") })
	assert.Contains(t, b.String(), "callback=Observe panic=oh")
	guard.NewLog(nil).Contain("Observe", func() { panic("oh") })
}

type bad struct{ slog.Handler }

func (bad) Enabled(context.Context, slog.Level) bool { panic("oh") }

func TestTell(t *testing.T) {
	guard.NewLog(slog.New(bad{})).Tell(slog.LevelError, "a logger that panics does not take the host down")
}
