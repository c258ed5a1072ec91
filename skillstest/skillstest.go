// Package skillstest checks implementations of the host seams of package
// skills. Its functions return an error instead of taking a *testing.T, so
// they work under any test framework:
//
//	if err := skillstest.TestSource(src, "commit", "review"); err != nil {
//		t.Fatal(err)
//	}
//
// It needs nothing but the standard library.
package skillstest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills"
)

// TestSource loads src several times, also concurrently and through a
// registry, and returns every broken rule of [skills.Source] that it can see,
// joined. The source should hold skills of the names in want, and may hold
// others. Nothing may change the place of the source meanwhile.
func TestSource(src skills.Source, want ...string) error {
	t := &sourceTest{src: src, info: src.Info()}
	t.identity()
	first := t.load("the first load")
	t.wellFormed(first)
	t.wanted(first, want)
	t.repeats(first)
	t.concurrent(first)
	t.cancelled()
	t.registry(first)
	return errors.Join(t.errs...)
}

type sourceTest struct {
	src  skills.Source
	info skills.SourceInfo
	errs []error
}

func (t *sourceTest) failf(format string, args ...any) {
	t.errs = append(t.errs, fmt.Errorf("source %q: "+format, append([]any{t.info.ID}, args...)...))
}

func (t *sourceTest) load(when string) skills.Loaded {
	l, err := t.src.Load(context.Background())
	if err != nil {
		t.failf("%s failed: %w", when, err)
	}
	return l
}

func (t *sourceTest) identity() {
	if t.info.ID == "" {
		t.failf("Info has no ID")
	}
	if again := t.src.Info(); again != t.info {
		t.failf("Info changes: %+v, then %+v", t.info, again)
	}
	w, ok := t.src.(skills.WatchSource)
	if !ok {
		return
	}
	dirs := w.WatchDirs()
	for i := range dirs {
		dirs[i] = "changed by the caller"
	}
	if slices.Contains(w.WatchDirs(), "changed by the caller") {
		t.failf("WatchDirs returns a slice that it keeps")
	}
}

// wellFormed checks each skill by itself.
func (t *sourceTest) wellFormed(l skills.Loaded) {
	seen := make(map[string]bool)
	for i, s := range l.Skills {
		switch {
		case s == nil:
			t.failf("skill %d is nil", i)
			continue
		case s.Name == "":
			t.failf("skill %d has no name", i)
		case seen[s.Name] && s.RealPath == "":
			t.failf("two skills are called %q", s.Name)
		}
		seen[s.Name] = true
		if s.Content.Prompt == nil {
			t.body(s)
		}
	}
	for _, i := range l.Issues {
		if i.Code == "" || i.Msg == "" || !slices.Contains([]string{"error", "warning", "info"}, i.Severity) {
			t.failf("issue %+v lacks code, severity or message", i)
		}
	}
}

func (t *sourceTest) body(s *skills.Skill) {
	body, err := s.Body(context.Background())
	switch {
	case err != nil:
		t.failf("the body of %q cannot be read: %w", s.Name, err)
	case strings.ContainsRune(body, '\r'):
		t.failf("the body of %q holds a carriage return", s.Name)
	}
}

func (t *sourceTest) wanted(l skills.Loaded, want []string) {
	for _, name := range want {
		if !slices.ContainsFunc(l.Skills, func(s *skills.Skill) bool { return s != nil && s.Name == name }) {
			t.failf("there is no skill called %q", name)
		}
	}
}

// repeats loads once more: nothing changed, so every skill is the same pointer.
func (t *sourceTest) repeats(first skills.Loaded) {
	again := t.load("the second load")
	if len(again.Skills) != len(first.Skills) {
		t.failf("the second load has %d skills, the first %d", len(again.Skills), len(first.Skills))
		return
	}
	for i, s := range again.Skills {
		if s != first.Skills[i] {
			t.failf("skill %d (%q) is another pointer or in another place at the second load, though nothing changed", i, s.Name)
			return
		}
	}
}

// concurrent loads from several goroutines, as several registries would.
func (t *sourceTest) concurrent(first skills.Loaded) {
	const loads = 8
	errs := make([]error, loads)
	var wg sync.WaitGroup
	for i := range loads {
		wg.Go(func() {
			l, err := t.src.Load(context.Background())
			if err == nil && len(l.Skills) != len(first.Skills) {
				err = fmt.Errorf("%d skills instead of %d", len(l.Skills), len(first.Skills))
			}
			errs[i] = err
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.failf("concurrent loads: %w", err)
	}
}

// cancelled loads with a context that has ended: any answer but a panic and
// half a result will do.
func (t *sourceTest) cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l, err := t.src.Load(ctx)
	if err != nil && len(l.Skills) > 0 {
		t.failf("a failing load returns %d skills besides its error", len(l.Skills))
	}
}

// registry loads through a registry and checks that it leaves the source's own
// skills alone.
func (t *sourceTest) registry(first skills.Loaded) {
	before := make([]*skills.Skill, 0, len(first.Skills))
	for _, s := range first.Skills {
		if s != nil {
			before = append(before, s.Clone())
		}
	}
	reg, err := skills.Open(context.Background(), &skills.Options{Sources: []skills.Source{t.src}})
	if err != nil {
		t.failf("a registry refuses it: %w", err)
		return
	}
	defer reg.Close()
	for i, s := range before {
		if !reflect.DeepEqual(stripped(s), stripped(first.Skills[i])) {
			t.failf("the skill %q changed while a registry used it", s.Name)
		}
	}
	for _, i := range reg.Snapshot().Issues() {
		if i.Code == "bad-name" {
			t.failf("%s", i)
		}
	}
}

// stripped leaves out the functions, which cannot be compared.
func stripped(s *skills.Skill) *skills.Skill {
	c := s.Clone()
	c.Content = skills.Content{}
	return c
}
