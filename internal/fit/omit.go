package fit

import "github.com/seed-12b313d8/skills/internal/line"

// omit turns a plan for tier NamesOnly into one for tier Omitting. In order of
// rank each name stays that fits beside the lines of Whole entries and the
// closing line; a name too long for what is left does not stop a later one.
// Where the closing line alone does not fit, names may use its room.
func (f *fitter) omit() {
	o := omission{fitter: f, closing: f.opts.Closing}
	for i := range f.entries {
		if !f.entries[i].Whole {
			o.ids = append(o.ids, i)
		}
	}
	used, never := f.byUse(o.ids)
	o.ids = append(used, never...)
	for _, i := range o.ids {
		o.drop(i)
	}
	if f.plan.Used+o.closingCost(f.plan.Omitted) > f.opts.Budget {
		o.closing = nil
	}
	for o.keep() {
		continue // a smaller number may make a shorter closing line
	}
	f.plan.Closing = o.closingLine(f.plan.Omitted)
	f.plan.Used += o.closingCost(f.plan.Omitted)
}

// An omission holds the work on tier Omitting. Until it is done the plan's
// Used leaves the closing line out.
type omission struct {
	*fitter
	ids     []int // entries that may be left out, those to keep first
	closing func(omitted int) string
}

// keep takes back what fits and reports whether it found something.
func (o *omission) keep() bool {
	found := false
	last := o.closingCost(o.plan.Omitted - 1)
	for _, i := range o.ids {
		if o.plan.States[i] == StateOmitted && o.plan.Used+o.nameCost(i)+last <= o.opts.Budget {
			o.list(i)
			last = o.closingCost(o.plan.Omitted - 1)
			found = true
		}
	}
	return found
}

// drop takes the bare name of entry i out of the plan.
func (o *omission) drop(i int) {
	o.plan.Used -= o.nameCost(i)
	o.plan.Omitted++
	o.plan.States[i] = StateOmitted
}

// list puts it back.
func (o *omission) list(i int) {
	o.plan.Used += o.nameCost(i)
	o.plan.Omitted--
	o.plan.States[i] = StateFull
	if o.entries[i].Text != "" {
		o.plan.States[i] = StateName
	}
}

func (o *omission) nameCost(i int) int { return o.entries[i].bare() }

// closingLine returns the closing line for a number of entries left out.
func (o *omission) closingLine(omitted int) string {
	if omitted < 1 || o.closing == nil {
		return ""
	}
	return o.closing(omitted)
}

// closingCost returns the characters of that line, newline included.
func (o *omission) closingCost(omitted int) int {
	if s := o.closingLine(omitted); s != "" {
		return line.Len(s) + 1
	}
	return 0
}
