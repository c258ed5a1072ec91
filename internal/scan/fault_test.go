package scan_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// The operations of a tree.
const (
	opOpen    = "OpenDir"
	opReal    = "Real"
	opHead    = "Head"
	opStat    = "Stat"
	opEntries = "Entries"
)

// errShort stands for a listing that ends early without an error.
var errShort = errors.New("short list")

// A faultyTree fails one operation the n-th time it is called.
type faultyTree struct {
	scan.Tree
	op    string
	n     int64
	fault error

	calls map[string]*atomic.Int64
	at    atomic.Pointer[string] // path the fault hit, nil if it did not
}

func newFaultyTree(op string, n int, fault error) *faultyTree {
	f := &faultyTree{Tree: scan.Disk{}, op: op, n: int64(n), fault: fault, calls: make(map[string]*atomic.Int64)}
	for _, op := range []string{opOpen, opReal, opHead, opStat, opEntries} {
		f.calls[op] = new(atomic.Int64)
	}
	return f
}

// hit counts a call and returns the fault if it is its turn.
func (f *faultyTree) hit(op, path string) error {
	if n := f.calls[op].Add(1); op != f.op || n != f.n {
		return nil
	}
	f.at.Store(&path)
	return &fs.PathError{Op: op, Path: path, Err: f.fault}
}

func (f *faultyTree) OpenDir(path string) (scan.Dir, error) {
	if err := f.hit(opOpen, path); err != nil {
		return nil, err
	}
	d, err := f.Tree.OpenDir(path)
	if err != nil {
		return nil, err
	}
	return &faultyDir{d, f, path}, nil
}

func (f *faultyTree) Real(path string) (string, error) {
	if err := f.hit(opReal, path); err != nil {
		return "", err
	}
	return f.Tree.Real(path)
}

type faultyDir struct {
	scan.Dir
	tree *faultyTree
	path string
}

func (d *faultyDir) Head(name string, buf []byte, limit int64, nofollow bool) (readfile.Head, error) {
	if err := d.tree.hit(opHead, filepath.Join(d.path, name)); err != nil {
		return readfile.Head{}, err
	}
	return d.Dir.Head(name, buf, limit, nofollow)
}

func (d *faultyDir) Stat(name string) (readfile.ID, error) {
	if err := d.tree.hit(opStat, filepath.Join(d.path, name)); err != nil {
		return readfile.ID{}, err
	}
	return d.Dir.Stat(name)
}

func (d *faultyDir) Entries(limit int) ([]readfile.Entry, error) {
	err := d.tree.hit(opEntries, d.path)
	list, real := d.Dir.Entries(limit)
	switch {
	case err == nil:
		return list, real
	case errors.Is(err, errShort):
		return list[:len(list)/2], real
	}
	return list[:len(list)/2], err // what was read until then
}

// A faultCase is one tree that faults are injected into.
type faultCase struct {
	name string
	root string
	o    scan.Options
	// clean is what a scan without a fault finds.
	clean result
	known func(string, readfile.ID) bool
}

// faultCases returns trees in which every operation has many occasions.
func faultCases(t *testing.T) []*faultCase {
	skills, commands := make(map[string]string), make(map[string]string)
	for i := range 8 {
		skills[fmt.Sprintf("root/plain%d/SKILL.md", i)] = md
		skills[fmt.Sprintf("store/d%d/SKILL.md", i)] = md
		skills[fmt.Sprintf("root/dir%d", i)] = fmt.Sprintf("-> ../store/d%d", i)
		commands[fmt.Sprintf("root/c%d.md", i)] = md
		commands[fmt.Sprintf("root/g%d/c.md", i)] = md
		commands[fmt.Sprintf("store/g%d/c.md", i)] = md
		commands[fmt.Sprintf("root/dir%d", i)] = fmt.Sprintf("-> ../store/g%d", i)
	}
	for i := range 4 {
		skills[fmt.Sprintf("root/case%d/skill.md", i)] = md
		skills[fmt.Sprintf("root/file%d/SKILL.md", i)] = fmt.Sprintf("-> ../../store/d%d/SKILL.md", i)
		skills[fmt.Sprintf("root/group%d/in/SKILL.md", i)] = md
		skills[fmt.Sprintf("root/text%d/SKILL.md", i)] = "../plain0/SKILL.md"
		skills[fmt.Sprintf("root/gone%d", i)] = "-> nowhere"
		commands[fmt.Sprintf("root/link%d.md", i)] = fmt.Sprintf("-> c%d.md", i)
		commands[fmt.Sprintf("root/text%d.md", i)] = "c0.md"
	}
	deep := skillOptions()
	deep.MaxDepth = 2
	skillTop, commandTop := testkit.Tree(t, skills), testkit.Tree(t, commands)
	confined := skillOptions()
	confined.Confine = skillTop
	cases := []*faultCase{
		{name: "skills", root: skillTop + "/root", o: skillOptions()},
		{name: "skills with groups", root: skillTop + "/root", o: deep},
		{name: "confined skills", root: skillTop + "/root", o: confined},
		{name: "commands", root: commandTop + "/root", o: commandOptions()},
	}
	for _, c := range cases[:4] {
		again := *c
		again.name += ", again"
		again.known = remember(t, c)
		cases = append(cases, &again)
	}
	for _, c := range cases {
		c.o.Known = c.known
		c.clean = run(t, scan.Disk{}, c.root, c.o)
		require.NoError(t, c.clean.Err)
		require.Greater(t, len(c.clean.Files), 15, c.name)
	}
	return cases
}

// remember scans c and returns a Known that has all of it.
func remember(t *testing.T, c *faultCase) func(string, readfile.ID) bool {
	ids := make(map[string]readfile.ID)
	for _, f := range run(t, scan.Disk{}, c.root, c.o).Files {
		ids[f.Path] = f.ID
	}
	return func(path string, id readfile.ID) bool { return ids[path] == id }
}

// Every operation fails in every way at every turn. The scan ends, the rest of
// the tree is there, what is missing is accounted for, and the next scan is
// whole again (07 B5).
func TestFaults(t *testing.T) {
	// One worker, so that the n-th call is the same one every time.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	injected := 0
	for _, c := range faultCases(t) {
		probe := newFaultyTree("", 0, nil)
		run(t, probe, c.root, c.o)
		for _, op := range []string{opOpen, opReal, opHead, opStat, opEntries} {
			turns := int(probe.calls[op].Load())
			require.True(t, turns > 0 || op == opStat && c.known == nil, "%s: %s is never called", c.name, op)
			for n := 1; n <= turns; n++ {
				for _, fault := range faultsOf(op) {
					injected += c.inject(t, op, n, fault)
				}
			}
		}
		again := run(t, scan.Disk{}, c.root, c.o)
		require.Equal(t, c.clean, again, "%s: the next scan is right", c.name)
	}
	t.Logf("%d faults injected", injected)
	assert.GreaterOrEqual(t, injected, 1000)
}

func faultsOf(op string) []error {
	list := []error{syscall.ENOENT, syscall.EACCES, syscall.EIO, syscall.EMFILE, readfile.ErrTooMany}
	switch op {
	case opEntries:
		list = append(list, errShort)
	case opHead:
		list = append(list, readfile.ErrSymlink)
	}
	return list
}

// inject runs one scan with one fault and returns 1 if the fault came to pass.
func (c *faultCase) inject(t *testing.T, op string, n int, fault error) int {
	tree := newFaultyTree(op, n, fault)
	got := run(t, tree, c.root, c.o)
	at := tree.at.Load()
	if at == nil {
		return 0
	}
	label := fmt.Sprintf("%s: %s %s: %v", c.name, op, strings.TrimPrefix(*at, c.root), fault)
	c.checkFound(t, label, got, op)
	if excused(op, n, fault) {
		return 1
	}
	for _, f := range c.clean.Files {
		if !slices.ContainsFunc(got.Files, func(g found) bool { return g.Path == f.Path }) {
			assert.True(t, got.Err != nil || c.explains(got, f.Path), "%s: %s is missing without a word; %s", label, f.Name, got.problems(c.root))
		}
	}
	if got.Err != nil {
		require.ErrorIs(t, got.Err, fault, label)
	}
	return 1
}

// excused reports whether a fault looks like something that is no defect: a
// root that is not there, or a folder that holds fewer files.
func excused(op string, n int, fault error) bool {
	return op == opOpen && n == 1 && fault == syscall.ENOENT || fault == errShort
}

// checkFound holds what was found against the clean scan.
func (c *faultCase) checkFound(t *testing.T, label string, got result, op string) {
	checkReal(t, got.Files)
	for _, f := range got.Files {
		i := slices.IndexFunc(c.clean.Files, func(g found) bool { return g.Path == f.Path })
		if i < 0 {
			// If the target of a link that is text seems to be missing, the
			// text is a body (01 R10).
			assert.True(t, op == opReal && strings.HasPrefix(f.Name, "text"), "%s: %s was not there before", label, f.Name)
			continue
		}
		want := c.clean.Files[i]
		assert.Equal(t, want.Name, f.Name, label)
		assert.Equal(t, want.ID, f.ID, label)
		if !f.Known {
			assert.Equal(t, md, f.Data, label)
		}
	}
}

// explains reports whether a problem that is not in the clean scan is about
// the file at path, its folder, or one above it.
func (c *faultCase) explains(got result, path string) bool {
	target, _ := filepath.EvalSymlinks(path)
	for _, p := range got.Problems {
		if slices.Contains(c.clean.Problems, p) || !p.Error {
			continue
		}
		of := strings.TrimSuffix(p.Path, "/SKILL.md")
		if of == path || strings.HasPrefix(path, of+"/") || strings.HasPrefix(target, of+"/") {
			return true
		}
	}
	return false
}
