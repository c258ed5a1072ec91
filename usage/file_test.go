package usage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

func save(t *testing.T, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, s.Save(&b))
	return b.String()
}

func TestSaveLoad(t *testing.T) {
	s := New(nil)
	for i, sk := range []*skills.Skill{
		skill("commit"), skill("review"), skill("commit"),
		{Name: "commit", Source: "project"},
		{Name: "技能 <&>", Source: "mcp:\u2028"},
		{Name: "bad\xff\xffname", Source: "\xc3"},
	} {
		s.Used(sk, noon().Add(-time.Duration(i)*30*time.Hour))
	}
	s.Used(skill("first"), time.Time{})
	s.Used(skill("last"), time.Unix(1<<60, 0))

	text := save(t, s)
	for range 5 {
		assert.Equal(t, text, save(t, s), "equal stores give equal bytes")
	}
	assert.Equal(t, 1, strings.Count(text, "\n"), "one line")

	loaded := New(nil)
	loaded.Used(skill("before"), noon())
	require.NoError(t, loaded.Load(strings.NewReader(text), time.Unix(1<<60, 0)))
	assert.Equal(t, s.known, loaded.known, "nothing is lost, and what was there before is gone")
	assert.Equal(t, text, save(t, loaded))
}

// The format is a promise: files of today are read tomorrow.
func TestFormat(t *testing.T) {
	s := New(nil)
	s.Used(skill("commit"), noon().Add(-7*day))
	s.Used(skill("commit"), noon())
	const text = `{"version":1,"skills":[{"source":"user","name":"commit","weight":1.5,"last":"2026-03-14T12:00:00Z"}]}` + "\n"
	assert.Equal(t, text, save(t, s))
	assert.Equal(t, `{"version":1,"skills":[]}`+"\n", save(t, New(nil)))
}

func TestLoad(t *testing.T) {
	one := func(fields string) string { return `{"version":1,"skills":[{` + fields + `}]}` }
	for _, tt := range []struct {
		reason, text string
		want         string // part of the error; "" for none
		score        float64
	}{
		{"as saved", one(`"source":"user","name":"x","weight":2,"last":"2026-03-07T12:00:00Z"`), "", 1},
		{"no skills", `{"version":1}`, "", 0},
		{"a time to come becomes now", one(`"source":"user","name":"x","weight":2,"last":"2036-03-07T12:00:00Z"`), "", 2},
		{"no time is long ago", one(`"source":"user","name":"x","weight":2`), "", 0.1},
		{"a year before all others", one(`"source":"user","name":"x","weight":2,"last":"0000-01-01T00:00:00Z"`), "", 0.1},
		{"a zone", one(`"source":"user","name":"x","weight":1,"last":"2026-03-14T14:00:00+02:00"`), "", 1},
		{"fields of others are passed over", `{"version":1,"by":"x","skills":[]}`, "", 0},

		{"nothing", ``, "no JSON of ours", 0},
		{"no JSON", `version: 1`, "no JSON of ours", 0},
		{"two values", `{"version":1}{"version":1}`, "no JSON of ours", 0},
		{"null", `null`, "version 0", 0},
		{"no version", `{"skills":[]}`, "version 0", 0},
		{"a later version", `{"version":2}`, "version: the saved usage has version 2, and 1 is known", 0},
		{"a negative weight", one(`"source":"user","name":"x","weight":-1`), `skills[0]: `, 0},
		{"less than one use", one(`"source":"user","name":"x","weight":0.5`), `the weight of "x" is 0.5`, 0},
		{"more than anybody uses", one(`"source":"user","name":"x","weight":1e300`), `not between 1 and 1e+09`, 0},
		{"more than a float holds", one(`"source":"user","name":"x","weight":1e999`), "no JSON of ours", 0},
		{"NaN", one(`"source":"user","name":"x","weight":NaN`), "no JSON of ours", 0},
		{"no name", one(`"source":"user","weight":1`), "no name", 0},
		{"a skill twice", `{"version":1,"skills":[{"name":"x","weight":1},{"name":"x","weight":2}]}`, `skills[1]: the saved usage has "x" of "" twice`, 0},
		{"a time that is none", one(`"source":"user","name":"x","weight":1,"last":"yesterday"`), "no JSON of ours", 0},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			s := New(nil)
			s.Used(skill("before"), noon())
			err := s.Load(strings.NewReader(tt.text), noon())
			if tt.want == "" {
				require.NoError(t, err)
				assert.InDelta(t, tt.score, s.Score(skill("x"), noon()), 1e-9)
				assert.Zero(t, s.Score(skill("before"), noon()), "replaced")
				return
			}
			assert.ErrorIs(t, err, skills.CodeInvalid)
			assert.ErrorContains(t, err, tt.want)
			var e *skills.Error
			require.ErrorAs(t, err, &e)
			assert.NotEmpty(t, e.Hint)
			assert.Equal(t, 1.0, s.Score(skill("before"), noon()), "the store is as before")
		})
	}
}

// blanks is JSON white space without an end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestStreamsThatFail(t *testing.T) {
	broken := errors.New("broken pipe")
	s := New(nil)
	s.Used(skill("commit"), noon())
	assert.ErrorIs(t, s.Save(failing{broken}), broken)

	err := s.Load(iotest.ErrReader(broken), noon())
	assert.ErrorIs(t, err, broken)
	assert.ErrorIs(t, err, skills.CodeUnreadable)

	assert.ErrorContains(t, s.Load(blanks{}, noon()), "longer than 67108864 bytes", "a stream without an end ends")
	assert.Equal(t, 1.0, s.Score(skill("commit"), noon()))
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

var _ io.Writer = failing{}

// A smaller store keeps the best of a larger one.
func TestLoadKeepsTheBest(t *testing.T) {
	big := New(nil)
	for i := range 100 {
		for range 1 + i%10 {
			big.Used(skill(fmt.Sprintf("s%02d", i)), noon().Add(-time.Duration(i)*time.Minute))
		}
	}
	small := New(&Options{Max: 10})
	require.NoError(t, small.Load(strings.NewReader(save(t, big)), noon()))
	assert.Len(t, small.known, 10)
	for i := range 100 {
		assert.Equal(t, i%10 == 9, small.Score(skill(fmt.Sprintf("s%02d", i)), noon()) > 0, "s%02d: those used ten times", i)
	}
}

// Whatever is loaded: no panic; every score is 0 or between the floor and the
// largest weight; never more skills than Max; and what is saved then loads
// again as the same.
func FuzzLoad(f *testing.F) {
	s := New(nil)
	s.Used(skill("commit"), noon())
	s.Used(skill("review"), noon().Add(-9*day))
	var b bytes.Buffer
	require.NoError(f, s.Save(&b))
	for _, text := range []string{
		b.String(), "", "null", `{"version":1}`, `{"version":2,"skills":[]}`,
		`{"version":1,"skills":[{"source":"user","name":"x","weight":1e9,"last":"9999-12-31T23:59:59-12:00"}]}`,
		`{"version":1,"skills":[{"name":"x","weight":-0},{"name":"\ud800","weight":1e308,"last":null}]}`,
		`{"version":1,"skills":[{"name":"a","weight":1},{"name":"b","weight":2},{"name":"c","weight":3}]}`,
	} {
		f.Add([]byte(text), int64(0))
		f.Add([]byte(text), int64(math.MaxInt64))
	}
	f.Fuzz(func(t *testing.T, data []byte, shift int64) {
		s, now := New(&Options{Max: 2}), noon().Add(time.Duration(shift))
		s.Used(skill("before"), now)
		before := save(t, s)
		if err := s.Load(bytes.NewReader(data), now); err != nil {
			require.True(t, errors.Is(err, skills.CodeInvalid), "%v", err)
			require.Equal(t, before, save(t, s))
			return
		}
		require.LessOrEqual(t, len(s.known), 2)
		for k, u := range s.known {
			sk := &skills.Skill{Name: k.name, Source: k.source}
			require.False(t, u.last.After(now), "no time to come")
			for _, at := range []time.Time{{}, now, now.Add(day), time.Unix(1<<60, 0)} {
				score := s.Score(sk, at)
				require.True(t, score >= 0.1 && score <= maxWeight, "%v", score)
			}
			s.Used(sk, now)
			require.True(t, s.Score(sk, now) <= maxWeight)
		}
		again := New(&Options{Max: 2})
		require.NoError(t, again.Load(strings.NewReader(save(t, s)), now))
		require.Equal(t, save(t, s), save(t, again))
	})
}
