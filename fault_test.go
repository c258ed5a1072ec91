package skills_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// The operations of a file system that faults are injected into.
const (
	opOpen    = "open"
	opStat    = "stat"
	opRead    = "read"
	opReadDir = "readdir"
)

func faultOps() []string { return []string{opOpen, opStat, opRead, opReadDir} }

// Faults that are no error of the system: a read of one byte, and a listing
// that ends early.
var (
	errShortRead = errors.New("short read")
	errShortList = errors.New("short list")
)

func faultsOf(op string) []error {
	list := []error{syscall.ENOENT, syscall.EACCES, syscall.EIO, syscall.ENOSPC, syscall.EMFILE}
	switch op {
	case opRead:
		list = append(list, errShortRead)
	case opReadDir:
		list = append(list, errShortList)
	}
	return list
}

// A faultyFS fails one operation the n-th time it is called. It is armed for
// one run at a time.
type faultyFS struct {
	fsys  fstest.MapFS
	op    string
	n     int64
	fault error
	calls map[string]*atomic.Int64
	at    atomic.Pointer[string] // the name the fault hit, nil if it did not
}

func newFaultyFS(fsys fstest.MapFS) *faultyFS {
	f := &faultyFS{fsys: fsys, calls: make(map[string]*atomic.Int64)}
	for _, op := range faultOps() {
		f.calls[op] = new(atomic.Int64)
	}
	return f
}

// arm makes the n-th call of op from now on fail; arm("", 0, nil) none.
func (f *faultyFS) arm(op string, n int, fault error) {
	f.op, f.n, f.fault = op, int64(n), fault
	f.at.Store(nil)
	for _, c := range f.calls {
		c.Store(0)
	}
}

func (f *faultyFS) hit(op, name string) error {
	if n := f.calls[op].Add(1); op != f.op || n != f.n {
		return nil
	}
	f.at.Store(&name)
	return &fs.PathError{Op: op, Path: name, Err: f.fault}
}

func (f *faultyFS) Open(name string) (fs.File, error) {
	if err := f.hit(opOpen, name); err != nil {
		return nil, err
	}
	file, err := f.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	return &faultyFile{file, f, name}, nil
}

type faultyFile struct {
	fs.File
	fsys *faultyFS
	name string
}

func (f *faultyFile) Stat() (fs.FileInfo, error) {
	if err := f.fsys.hit(opStat, f.name); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f *faultyFile) Read(p []byte) (int, error) {
	err := f.fsys.hit(opRead, f.name)
	switch {
	case errors.Is(err, errShortRead):
		return f.File.Read(p[:min(1, len(p))])
	case err != nil:
		return 0, err
	}
	return f.File.Read(p)
}

func (f *faultyFile) ReadDir(n int) ([]fs.DirEntry, error) {
	err := f.fsys.hit(opReadDir, f.name)
	list, real := f.File.(fs.ReadDirFile).ReadDir(n)
	if err == nil {
		return list, real
	}
	if errors.Is(err, errShortList) {
		err = real
	}
	return list[:len(list)/2], err
}

// faultTree returns the skills of version v: some come and some go between
// versions, and some change. The description of the long one is far below
// the part of a file that the first read gives.
func faultTree(v int) fstest.MapFS {
	fsys := make(fstest.MapFS)
	add := func(name, text string, v int) {
		fsys[name] = &fstest.MapFile{Data: []byte(text), ModTime: time.Unix(int64(1_700_000_000+v), 0)}
	}
	for i := range 12 {
		add(fmt.Sprintf("same%02d/SKILL.md", i), skill("Body.", "description: same"), 0)
	}
	add("long/SKILL.md", skill(strings.Repeat("\n", 80<<10)+"prose"), 0)
	for i := range 4 {
		add(fmt.Sprintf("case%d/skill.md", i), skill("Body.", "description: other case"), 0)
		add(fmt.Sprintf("group%d/in/SKILL.md", i), skill("Body.", "description: in a group"), 0)
		add(fmt.Sprintf("new%d-%d/SKILL.md", v, i), skill("Body.", "description: of one version"), v)
		add(fmt.Sprintf("edited%d/SKILL.md", i), skill("Body.", fmt.Sprintf("description: version %d", v)), v)
	}
	return fsys
}

const faultSkills = 12 + 1 + 4*4

// A faultRig is one source over a faulty file system.
type faultRig struct {
	fsys   *faultyFS
	source skills.Source
}

func newFaultRig(o skills.Origin) *faultRig {
	r := &faultRig{fsys: newFaultyFS(faultTree(1))}
	r.source = skills.FSSource(skills.SourceInfo{ID: "rig", Origin: o}, r.fsys, &skills.ScanOptions{MaxDepth: 2})
	return r
}

func (r *faultRig) open() (*skills.Registry, error) {
	return skills.Open(context.Background(), &skills.Options{Sources: []skills.Source{r.source}})
}

// contents returns what a registry holds, as "name: description".
func contents(reg *skills.Registry) map[string]string {
	out := make(map[string]string)
	for s := range reg.Snapshot().All() {
		out[s.Name] = s.Description
	}
	return out
}

// singleWorker makes the n-th call the same one every time.
func singleWorker(t *testing.T) {
	was := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(was) })
}

// eachFault calls inject for every fault at every turn of run, and returns how
// often the fault came to pass.
func eachFault(t *testing.T, prepare func() *faultRig, run func(*faultRig), inject func(r *faultRig, label, op, at string, fault error)) int {
	t.Helper()
	rig := prepare()
	rig.fsys.arm("", 0, nil)
	run(rig)
	turns := make(map[string]int)
	for _, op := range faultOps() {
		turns[op] = int(rig.fsys.calls[op].Load())
		require.Positive(t, turns[op], op)
	}
	injected := 0
	for _, op := range faultOps() {
		for n := 1; n <= turns[op]; n++ {
			for _, fault := range faultsOf(op) {
				rig := prepare()
				rig.fsys.arm(op, n, fault)
				run(rig)
				if at := rig.fsys.at.Load(); at != nil {
					injected++
					inject(rig, fmt.Sprintf("%s %s: %v", op, *at, fault), op, *at, fault)
				}
				rig.fsys.arm("", 0, nil)
			}
		}
	}
	return injected
}

// gone reports whether a fault looks like an empty place, which is no defect.
func gone(op, at string, fault error) bool {
	return fault == syscall.ENOENT && at == "." && op != opReadDir || fault == errShortList
}

// explained reports whether an issue or error accounts for a missing skill.
func explained(reg *skills.Registry, name string) bool {
	folder := strings.ReplaceAll(name, ":", "/")
	return slices.ContainsFunc(reg.Snapshot().Issues(), func(i skills.Issue) bool {
		of := strings.TrimPrefix(i.Path, "./")
		if strings.EqualFold(path.Base(of), "SKILL.md") {
			of = path.Dir(of)
		}
		return i.Severity == "error" && (i.Path == "rig" || strings.HasPrefix(folder+"/", of+"/"))
	})
}

// Every operation of the first load fails in every way at every turn. The rest
// loads, what is missing has an issue, and the next load is whole (07 B5).
func TestFaultsLoad(t *testing.T) {
	singleWorker(t)
	clean := func() map[string]string {
		reg, err := newFaultRig(skills.OriginUser).open()
		require.NoError(t, err)
		return contents(reg)
	}()
	require.Len(t, clean, faultSkills)
	var reg *skills.Registry
	var wrong []string
	injected := eachFault(t,
		func() *faultRig { return newFaultRig(skills.OriginUser) },
		func(r *faultRig) {
			var err error
			reg, err = r.open()
			require.NoError(t, err, "only a managed place can fail Open")
		},
		func(r *faultRig, label, op, at string, fault error) {
			got := contents(reg)
			for name, desc := range clean {
				have, ok := got[name]
				if have != desc && !gone(op, at, fault) && !explained(reg, name) {
					wrong = append(wrong, fmt.Sprintf("%s: %s is %q (%t), without an issue", label, name, have, ok))
				}
			}
			assert.LessOrEqual(t, len(got), len(clean), label)
			r.fsys.arm("", 0, nil)
			_, err := reg.Reload(context.Background())
			require.NoError(t, err, label)
			if !maps.Equal(clean, contents(reg)) {
				wrong = append(wrong, label+": the next load is wrong too")
			}
			assert.Empty(t, unexpected(reg), "%s: the issue is gone", label)
		})
	t.Logf("%d faults injected", injected)
	assert.GreaterOrEqual(t, injected, 400)
	assert.Empty(t, wrong[:min(len(wrong), 5)], "%d in all", len(wrong))
}

// unexpected returns the issues that the fault tree itself does not have.
func unexpected(reg *skills.Registry) []skills.Issue {
	return slices.DeleteFunc(reg.Snapshot().Issues(), func(i skills.Issue) bool { return i.Code == "filename-case" })
}

// Every operation of a reload fails in every way at every turn. Each skill is
// then as it was or as it is now: a file that cannot be read right now keeps
// its last good version, with an issue (03 W5, W6; 07 B5).
func TestFaultsReload(t *testing.T) {
	singleWorker(t)
	ctx := context.Background()
	before, after := contentsOf(t, 1), contentsOf(t, 2)
	var reg *skills.Registry
	var result error
	var lost []string
	injected := eachFault(t,
		func() *faultRig {
			r := newFaultRig(skills.OriginUser)
			var err error
			reg, err = r.open()
			require.NoError(t, err)
			r.fsys.fsys = faultTree(2)
			return r
		},
		func(*faultRig) { _, result = reg.Reload(ctx) },
		func(r *faultRig, label, op, at string, fault error) {
			require.NoError(t, result, "%s: only a managed place can fail Reload", label)
			got := contents(reg)
			for name, now := range after {
				was, old := before[name]
				have, ok := got[name]
				switch {
				case ok:
					assert.True(t, have == now || old && have == was, "%s: %s is %q", label, name, have)
				case gone(op, at, fault) || fault == syscall.ENOENT: // looks removed
				case old:
					lost = append(lost, name+" after "+label)
				default:
					assert.True(t, explained(reg, name), "%s: %s is missing without an issue", label, name)
				}
			}
			r.fsys.arm("", 0, nil)
			_, err := reg.Reload(ctx)
			require.NoError(t, err)
			assert.Equal(t, after, contents(reg), "%s: the next reload is right", label)
			assert.Empty(t, unexpected(reg), "%s: and the issue is gone", label)
		})
	t.Logf("%d faults injected", injected)
	assert.GreaterOrEqual(t, injected, 400)
	assert.Empty(t, lost[:min(len(lost), 5)], "good skills are lost in %d cases", len(lost))
}

func contentsOf(t *testing.T, v int) map[string]string {
	t.Helper()
	src := skills.FSSource(skills.SourceInfo{ID: "f", Origin: skills.OriginUser}, faultTree(v), &skills.ScanOptions{MaxDepth: 2})
	return contents(open(t, &skills.Options{Sources: []skills.Source{src}}))
}

// A managed place that cannot be read is an error of Open and Reload, and the
// old policy stays (01 R8).
func TestFaultsManaged(t *testing.T) {
	ctx := context.Background()
	for _, op := range []string{opOpen, opStat, opReadDir} {
		for _, fault := range []error{syscall.EACCES, syscall.EIO, syscall.EMFILE} {
			rig := newFaultRig(skills.OriginManaged)
			rig.fsys.arm(op, 1, fault)
			_, err := rig.open()
			require.ErrorIs(t, err, skills.CodeUnreadable, "%s: %v", op, fault)
			require.ErrorIs(t, err, fault)

			rig.fsys.arm("", 0, nil)
			reg, err := rig.open()
			require.NoError(t, err)
			before := contents(reg)
			rig.fsys.fsys = faultTree(2)
			rig.fsys.arm(op, 1, fault)
			_, err = reg.Reload(ctx)
			require.ErrorIs(t, err, skills.CodeUnreadable)
			assert.Equal(t, before, contents(reg), "the old snapshot stays")
			_, err = reg.Reload(ctx)
			require.NoError(t, err)
			assert.NotEqual(t, before, contents(reg))
			require.NoError(t, reg.Close())
		}
	}
}

// Reading a body fails in every way at every turn: a typed error with the
// cause, and right the next time.
func TestFaultsBody(t *testing.T) {
	ctx := context.Background()
	rig := newFaultRig(skills.OriginUser)
	reg, err := rig.open()
	require.NoError(t, err)
	sess := reg.NewSession("", nil)
	s, err := sess.Lookup("same00")
	require.NoError(t, err)
	injected := 0
	for _, op := range []string{opOpen, opStat, opRead} {
		for n := 1; n <= 6; n++ {
			for _, fault := range faultsOf(op) {
				rig.fsys.arm(op, n, fault)
				body, err := s.Body(ctx)
				if rig.fsys.at.Load() == nil {
					continue
				}
				injected++
				if fault == errShortRead {
					require.NoError(t, err)
					assert.Equal(t, "Body.", body)
					continue
				}
				require.ErrorIs(t, err, skills.CodeUnreadable)
				require.ErrorIs(t, err, fault)
				assert.Empty(t, body)
				rig.fsys.arm(op, n, fault)
				_, err = skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: "same00", Caller: skills.CallerUser})
				require.ErrorIs(t, err, skills.CodeUnreadable, "an invocation says so too")
			}
		}
	}
	rig.fsys.arm("", 0, nil)
	body, err := s.Body(ctx)
	require.NoError(t, err)
	assert.Equal(t, "Body.", body)
	assert.GreaterOrEqual(t, injected, 20)
}

// A file that ends before its size says so is read as far as it goes; nothing
// hangs waiting for the rest.
func TestFaultEarlyEnd(t *testing.T) {
	fsys := faultTree(1)
	src := skills.FSSource(skills.SourceInfo{ID: "f", Origin: skills.OriginUser}, earlyFS{fsys}, &skills.ScanOptions{MaxDepth: 2})
	reg := open(t, &skills.Options{Sources: []skills.Source{src}})
	assert.Len(t, all(reg), faultSkills)
	for s := range reg.Snapshot().All() {
		assert.True(t, s.Degraded || s.Name == "long", "%s: half a header fails closed", s.Name)
	}
}

// An earlyFS ends every file after ten bytes, whatever its size.
type earlyFS struct{ fstest.MapFS }

func (e earlyFS) Open(name string) (fs.File, error) {
	f, err := e.MapFS.Open(name)
	if info, serr := fs.Stat(e.MapFS, name); err != nil || serr != nil || info.IsDir() {
		return f, err
	}
	return &earlyFile{f, io.LimitReader(f, 10)}, nil
}

type earlyFile struct {
	fs.File
	r io.Reader
}

func (e *earlyFile) Read(p []byte) (int, error) { return e.r.Read(p) }
