package gate_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/gate"
)

func TestDo(t *testing.T) {
	g, n := gate.New(), 0
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() { assert.NoError(t, g.Do(t.Context(), func() { n++ })) })
	}
	wg.Wait()
	assert.Equal(t, 100, n)

	why := errors.New("enough")
	require.NoError(t, g.Do(t.Context(), func() {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		assert.ErrorIs(t, g.Do(ctx, func() { n++ }), why, "whoever waits can stop")
	}))
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for range 100 {
		assert.ErrorIs(t, g.Do(ended, func() { n++ }), why, "an open gate does not let in whoever has ended")
	}
	assert.Panics(t, func() { _ = g.Do(t.Context(), func() { panic("oh") }) })
	assert.NoError(t, g.Do(t.Context(), func() {}), "and is not closed by a panic")
	assert.Equal(t, 100, n)
}
