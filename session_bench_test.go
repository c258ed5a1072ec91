package skills_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// conditionals returns n conditional skills. Those with an index below common
// match the Go files of folder "hit", too.
func conditionals(n, common int) []*skills.Skill {
	out := make([]*skills.Skill, n)
	for i := range out {
		patterns := []string{fmt.Sprintf("pkg%d/**", i), fmt.Sprintf("*.ext%d", i), fmt.Sprintf("src/%d/*.{ts,tsx}", i)}
		if i < common {
			patterns = append(patterns, "hit/**/*.go")
		}
		out[i] = &skills.Skill{Name: fmt.Sprintf("s%05d", i), Description: "d", Paths: patterns}
	}
	return out
}

// BenchmarkTouch touches a file in a project of 10,000 conditional skills (03
// A10). The bars are 20 µs where nothing matches and 100 µs for 10 matches.
func BenchmarkTouch(b *testing.B) {
	const n = 10_000
	root := testkit.Tree(b, map[string]string{"hit/a.go": "", "none/deep/down/a.go": ""})
	reg, err := skills.Open(context.Background(), &skills.Options{
		Locations: skills.Locations{Project: root},
		Sources:   []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "many", Origin: skills.OriginUser}, conditionals(n, 10)...)},
	})
	require.NoError(b, err)
	defer reg.Close()
	for _, bb := range []struct {
		name, path string
		want       int
	}{{"none", "none/deep/down/a.go", 0}, {"matches=10", "hit/a.go", 10}} {
		b.Run(bb.name, func(b *testing.B) {
			reg.NewSession("", nil).Touch(context.Background(), bb.path) // compile what may match
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				sess := reg.NewSession("", nil)
				sess.Touch(context.Background(), "other/file") // its own caches exist
				b.StartTimer()
				if act := sess.Touch(context.Background(), bb.path); len(act.Unlocked) != bb.want {
					b.Fatalf("%d skills were unlocked", len(act.Unlocked))
				}
			}
		})
	}
	b.Run("compile", func(b *testing.B) { // the first touch after a load, for each skill
		many := conditionals(n, 10)
		for b.Loop() {
			b.StopTimer()
			src := skills.StaticSource(skills.SourceInfo{ID: "many", Origin: skills.OriginUser}, many...)
			reg, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: root}, Sources: []skills.Source{src}})
			require.NoError(b, err)
			sess := reg.NewSession("", nil)
			b.StartTimer()
			sess.Touch(context.Background(), "none/deep/down/a.go")
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/skill")
	})
}

// BenchmarkReloadUnchanged reloads 1,000 skills of which none changed. The
// metric xcold is its time divided by that of a cold load in the same run; the
// bar is 0.5 (07 §1).
func BenchmarkReloadUnchanged(b *testing.B) {
	const n = 1000
	root := b.TempDir()
	testkit.BenchSkills(b, root, n)
	reg, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: root}})
	require.NoError(b, err)
	defer reg.Close()
	var ours, cold []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		start := time.Now()
		openProject(b, root, n)
		cold = append(cold, time.Since(start))
		b.StartTimer()
		start = time.Now()
		c, err := reg.Reload(context.Background())
		ours = append(ours, time.Since(start))
		if err != nil || len(c.Added)+len(c.Changed)+len(c.Removed) > 0 {
			b.Fatal(c, err)
		}
	}
	b.ReportMetric(ratio(ours, cold), "xcold")
}

// BenchmarkNextUnchanged asks for a listing when nothing is new (07 §1).
func BenchmarkNextUnchanged(b *testing.B) {
	l := toldLister(b, 200)
	b.ReportAllocs()
	for b.Loop() {
		if l.Next().Text != "" {
			b.Fatal("something is new")
		}
	}
}

// toldLister returns a lister whose session has been told of n skills.
func toldLister(tb testing.TB, n int) *skills.Lister {
	var list []*skills.Skill
	for i := range n {
		list = append(list, &skills.Skill{Name: fmt.Sprintf("skill-%d", i), Description: "what it does", WhenToUse: "when it is needed"})
	}
	reg, err := skills.Open(context.Background(), &skills.Options{
		Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, list...)},
	})
	require.NoError(tb, err)
	l := skills.NewLister(reg.NewSession("", nil), nil)
	l.Commit(l.Next())
	require.Empty(tb, l.Next().Text)
	return l
}

// An unchanged Next allocates nothing (02 §3), and notices all that changes.
func TestNextUnchanged(t *testing.T) {
	l := toldLister(t, 200)
	assert.Zero(t, testing.AllocsPerRun(100, func() { l.Next() }))
}

// A session with 200 skills retains at most 4 KiB (03 §1), here with 64 of them
// that were each told of all, unlocked and discovered some, and invoked one.
func TestSessionMemory(t *testing.T) {
	const sessions, bar = 64, 4 << 10
	files := map[string]string{"proj/apps/web/x.go": ""}
	for i := range 180 {
		files[fmt.Sprintf("proj/.claude/skills/skill-number-%d/SKILL.md", i)] = skill("Body.", "description: what it is for, in some words", "when_to_use: when somebody asks for it")
	}
	for i := range 10 {
		files[fmt.Sprintf("proj/.claude/skills/conditional-%d/SKILL.md", i)] = skill("Body.", "description: d", `paths: "*.go"`)
		files[fmt.Sprintf("proj/apps/web/.claude/skills/nested-%d/SKILL.md", i)] = skill("Body.", "description: d")
	}
	reg, _ := openTree(t, files)
	use := func(i int) *skills.Session {
		sess := reg.NewSession(fmt.Sprint("session ", i), nil)
		sess.Touch(context.Background(), "apps/web/x.go")
		l := skills.NewLister(sess, nil)
		l.Commit(l.Next())
		require.Empty(t, l.Next().Text)
		_, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: "skill-number-1"})
		require.NoError(t, err)
		return sess
	}
	use(-1)
	before := retained()
	kept := make([]*skills.Session, sessions)
	for i := range kept {
		kept[i] = use(i)
	}
	each := (int64(retained()) - int64(before)) / sessions
	t.Logf("%d bytes a session", each)
	assert.LessOrEqual(t, each, int64(bar))
	runtime.KeepAlive(kept)
}

// retained returns the bytes of the heap that are in use after a collection.
func retained() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
