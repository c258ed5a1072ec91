package usage

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestHammerStore uses one Store from many sides at once; run it with -race.
// No use is lost.
func TestHammerStore(t *testing.T) {
	const workers, rounds = 8, 500
	s := New(nil)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			own := skill(fmt.Sprintf("own-%d", w))
			for i := range rounds {
				s.Used(skill("shared"), noon())
				s.Used(own, noon().Add(-time.Duration(i)*time.Second))
				if score := s.Score(skill("shared"), noon()); score < 1 || score > workers*rounds {
					t.Errorf("score %v", score)
				}
				if i%50 == 0 {
					assert.NoError(t, s.Save(io.Discard))
				}
			}
		})
	}
	wg.Wait()
	assert.Equal(t, float64(workers*rounds), s.Score(skill("shared"), noon()))
}

// TestHammerLoad replaces a small, full Store while it is used and saved.
func TestHammerLoad(t *testing.T) {
	s := New(&Options{Max: 4})
	for i := range 4 {
		s.Used(skill(fmt.Sprint(i)), noon())
	}
	var saved bytes.Buffer
	assert.NoError(t, s.Save(&saved))
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 300 {
				switch i % 3 {
				case 0:
					assert.NoError(t, s.Load(bytes.NewReader(saved.Bytes()), noon()))
				case 1:
					s.Used(skill(fmt.Sprint(w, i)), noon())
				default:
					var out bytes.Buffer
					assert.NoError(t, s.Save(&out))
					assert.Equal(t, 4, bytes.Count(out.Bytes(), []byte(`"name"`)), "a full store stays full")
				}
			}
		})
	}
	wg.Wait()
}
