package skills

import "github.com/seed-12b313d8/skills/internal/fswatch"

// OpenEvents makes r watch through another event source, to lose events.
func (r *Registry) OpenEvents(open func() (fswatch.Source, error)) { r.openEvents = open }

// System is the event source of the operating system.
func System() (fswatch.Source, error) { return fswatch.System() }

// Then joins two changes.
func (c Change) Then(d Change) Change { return c.then(d) }
