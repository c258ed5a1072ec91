package fswatch

import (
	"runtime"
	"strings"
)

// A place is what one directory is to one owner.
type place struct {
	owner string
	inode inode
	match []func(path string) bool // which of its files matter; empty: none
	leaf  bool                     // folders in it do not matter
	must  bool                     // if it cannot be watched, the owner is polled
	names map[string]bool          // on the way; true if content matters, not only being there
}

// A plan is what one owner needs watched, by directory.
type plan map[string]*place

// A planner makes a plan by tracing ways.
type planner struct {
	tracer
	owner string
	plan  plan
}

// newPlan plans for targets of one owner; dirs are the directories of each.
func newPlan(owner string, targets []Target, dirs [][]Dir) plan {
	p := planner{owner: owner, plan: make(plan)}
	p.tracer = tracer{nodes: make(map[string]node), ends: make(map[string]endpoint), pass: p.pass}
	for i := range targets {
		match := targets[i].matches
		p.trace(targets[i].Root, false)
		for _, d := range dirs[i] {
			p.add(d, match)
		}
	}
	return p.plan
}

func (p *planner) add(d Dir, match func(string) bool) {
	end := p.trace(d.Path, d.Shut)
	if d.Shut || end.kind != directory {
		return
	}
	at := p.place(end.path)
	at.match = append(at.match, match)
	at.leaf = at.leaf && d.Leaf
	at.must = true
}

// pass notes the name in dir that a way leads through. Directories on the way
// may go unwatched, since the one that the way leads to notices when it goes.
func (p *planner) pass(dir, name string, n node) {
	at := p.place(dir)
	if at.names == nil {
		at.names = make(map[string]bool)
	}
	name = fold(name)
	at.names[name] = at.names[name] || n.kind == file
	at.must = at.must || n.kind != directory
}

func (p *planner) place(dir string) *place {
	at := p.plan[dir]
	if at == nil {
		at = &place{owner: p.owner, inode: p.node(dir).inode, leaf: true}
		p.plan[dir] = at
	}
	return at
}

// fold makes names equal that may be one file.
func fold(name string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.ToLower(name)
	}
	return name
}

// An effect is what an event means to an owner.
type effect uint8

const (
	hinted   effect = 1 << iota // it may have changed
	traced                      // its ways may have changed
	replaced                    // watches at the path or below are on something else now
)

// effect returns what it means that the name base in the place saw op.
func (p *place) effect(path, base string, op opSet) effect {
	content, named := p.names[fold(base)]
	switch {
	case op.moved && named:
		return hinted | traced | replaced
	case op.moved && p.matches(path):
		return hinted | traced // it may be a link
	case op.written && (content || p.matches(path)):
		return hinted
	case p.leaf || len(p.match) == 0:
		return 0
	case op.gone:
		return hinted | traced // perhaps a folder that somebody has read
	case op.created:
		return traced // perhaps a folder; then the files will differ
	}
	return 0
}

func (p *place) matches(path string) bool {
	for _, match := range p.match {
		if match(path) {
			return true
		}
	}
	return false
}

// An index holds the places of all owners by directory. It does not change.
type index map[string][]*place

// wants reports whether the directory is to be watched.
func (ix index) wants(dir string) bool {
	return len(ix[dir]) > 0 && (!perEntry || ix.must(dir))
}

// must reports whether some owner depends on a watch on the directory.
func (ix index) must(dir string) bool {
	for _, p := range ix[dir] {
		if p.must {
			return true
		}
	}
	return false
}

// opSet is an event's Op in the terms of this package.
type opSet struct {
	written bool
	created bool
	gone    bool // removed, or renamed to something else
	moved   bool // created or gone
}

func opsOf(ev Event) opSet {
	o := opSet{written: ev.Has(Write | Chmod), created: ev.Has(Create), gone: ev.Has(Remove | Rename)}
	o.moved = o.created || o.gone
	return o
}
