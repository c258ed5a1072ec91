package skills_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
)

// A hostileFile is one file, link, folder or device of a row's tree.
type hostileFile struct {
	Path       string
	Content    *string
	ContentB64 string `json:"content_b64"`
	Symlink    string
	Type       string // fifo, sparse, dirs
	Size       int64
	Count      int
	Name       string
	Mode       string
	Gen        *struct {
		Head, Line, Tail string
		Count            int
	}
}

// bytes returns the content of a plain file.
func (f *hostileFile) bytes(t *testing.T) []byte {
	t.Helper()
	switch {
	case f.ContentB64 != "":
		data, err := base64.StdEncoding.DecodeString(f.ContentB64)
		require.NoError(t, err)
		return data
	case f.Gen != nil:
		var b strings.Builder
		b.WriteString(f.Gen.Head)
		for i := range f.Gen.Count {
			if strings.Contains(f.Gen.Line, "%") {
				fmt.Fprintf(&b, f.Gen.Line, i)
			} else {
				b.WriteString(f.Gen.Line)
			}
		}
		b.WriteString(f.Gen.Tail)
		return []byte(b.String())
	case f.Content != nil:
		return []byte(*f.Content)
	}
	require.Fail(t, "a file without content", f.Path)
	return nil
}

// A hostileOp is one step of a row.
type hostileOp struct {
	Op      string
	Name    string
	Args    string
	ArgsB64 string `json:"args_b64"`
	ArgsGen struct {
		Repeat string
		Times  int
	} `json:"args_gen"`
	By      skills.Caller
	Session string
	Window  int `json:"window_tokens"`
	Timeout int `json:"timeout_ms"` // of each command
	Vars    map[string]string
	Server  string
	Slug    string
	Body    string
	Files   map[string]string // of a bundled skill
	// Description of a registered skill.
	Description string
	Skill       struct{ Name, Description, Body string }
	Rules       struct{ Allow, Deny, Ask []string }
	Paths       []string
	Touched     []string
	Path        string
	Content     string
}

// A hostile is one row under way: the tree, the registry and what came of the
// steps. Steps run on a goroutine of their own, so they keep failures in failed.
type hostile struct {
	t    *testing.T
	row  hostileRow
	root string

	sources []skills.Source
	policy  skills.Policy
	reg     *skills.Registry
	sess    *skills.Session
	loadErr error
	bytes   uint64 // allocated by the load

	listing *skills.Listing
	out     skills.Outcome
	outErr  error
	act     skills.Activation
	failed  error

	confirm func(context.Context, *skills.Permit) (bool, error)
	splice  bool         // UnsafeSplice
	log     bytes.Buffer // what was logged
	events  []skills.Record

	mu      sync.Mutex
	ran     []string               // commands that reached the shell
	results []skills.CommandResult // of the commands that ended, in the order of their ends
}

// newHostile writes the row's tree.
func newHostile(t *testing.T, row hostileRow) *hostile {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	h := &hostile{t: t, row: row, root: root}
	for _, dir := range []string{"proj", "home"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for _, f := range row.Setup.Files {
		h.write(f)
	}
	t.Cleanup(func() {
		if h.reg != nil {
			assert.NoError(t, h.reg.Close())
		}
	})
	return h
}

func (h *hostile) path(name string) string { return filepath.Join(h.root, filepath.FromSlash(name)) }

func (h *hostile) write(f hostileFile) {
	path := h.path(f.Path)
	require.NoError(h.t, os.MkdirAll(filepath.Dir(path), 0o755))
	switch {
	case f.Symlink != "":
		require.NoError(h.t, os.Symlink(filepath.FromSlash(f.Symlink), path))
	case f.Type == "dirs":
		h.writeDirs(f, path)
	case f.Type == "sparse":
		file, err := os.Create(path)
		require.NoError(h.t, err)
		require.NoError(h.t, file.Truncate(f.Size))
		require.NoError(h.t, file.Close())
	case f.Type == "fifo":
		mkfifo(h.t, path)
	default:
		require.NoError(h.t, os.WriteFile(path, f.bytes(h.t), 0o644))
	}
	if f.Mode != "" {
		var mode uint32
		_, err := fmt.Sscanf(f.Mode, "%o", &mode)
		require.NoError(h.t, err)
		require.NoError(h.t, os.Chmod(path, fs.FileMode(mode)))
	}
}

func (h *hostile) writeDirs(f hostileFile, path string) {
	count := f.Count
	if testing.Short() {
		count = min(count, 5_000)
	}
	for i := range count {
		require.NoError(h.t, os.MkdirAll(filepath.Join(path, fmt.Sprintf(f.Name, i)), 0o755))
	}
}

// do performs one step.
func (h *hostile) do(op hostileOp) {
	if h.failed != nil {
		return
	}
	switch op.Op {
	case "load":
		h.load()
	case "setenv":
		for name, value := range op.Vars {
			h.t.Setenv(name, value)
		}
	case "list":
		h.list(op)
	case "invoke":
		h.invoke(op)
	case "permission":
		h.permission(op)
	case "activate", "discover":
		h.touch(append(op.Paths, op.Touched...))
	case "mcp_register":
		h.register(skills.OriginMCP, op.Server, op.Server+":"+op.Skill.Name, op.Skill.Description, op.Skill.Body)
	case "remote_register":
		h.register(skills.OriginRemote, "", "_canonical_"+op.Slug, "", op.Body)
	case "bundle_register":
		h.register(skills.OriginBundled, "", op.Name, op.Description, op.Body)
	default:
		h.failed = fmt.Errorf("the step %q is unknown", op.Op)
	}
}

// load opens the registry and measures what that allocates.
func (h *hostile) load() {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h.reg, h.loadErr = skills.Open(context.Background(), &skills.Options{
		Locations: skills.Locations{
			Managed: h.path("managed"), Home: h.path("home"), Project: h.path("proj"),
			TrustProject: h.row.Setup.Options.TrustProject,
		},
		Sources: h.sources,
		Logger:  slog.New(slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(r skills.Record) { h.events = append(h.events, r) },
	})
	runtime.ReadMemStats(&after)
	h.bytes = after.TotalAlloc - before.TotalAlloc
}

// session returns the row's session; it opens the registry if the row forgot
// to.
func (h *hostile) session(id string) *skills.Session {
	if h.reg == nil && h.loadErr == nil {
		h.load()
	}
	if h.loadErr != nil {
		h.failed = h.loadErr
		return nil
	}
	if h.sess == nil {
		h.sess = h.reg.NewSession(id, &skills.SessionOptions{Policy: h.policy, Dir: h.path("proj")})
	}
	return h.sess
}

func (h *hostile) list(op hostileOp) {
	if s := h.session(op.Session); s != nil {
		h.listing = skills.NewLister(s, &skills.ListerOptions{ContextWindow: op.Window}).Next()
	}
}

func (h *hostile) invoke(op hostileOp) {
	s := h.session(op.Session)
	if s == nil {
		return
	}
	args := op.Args
	if op.ArgsB64 != "" {
		raw, err := base64.StdEncoding.DecodeString(op.ArgsB64)
		h.failed = err
		args = string(raw)
	}
	if op.ArgsGen.Times > 0 {
		args = strings.Repeat(op.ArgsGen.Repeat, op.ArgsGen.Times)
	}
	o := &skills.InvokerOptions{Confirm: h.confirm, UnsafeSplice: h.splice}
	if h.row.Setup.Options.Shell == "enabled" {
		o.Shell = h.shell(&osshell.Options{Timeout: time.Duration(op.Timeout) * time.Millisecond})
	}
	h.out, h.outErr = skills.NewInvoker(s, o).Invoke(context.Background(), skills.Call{Name: op.Name, Args: args, Caller: op.By})
}

// shell is the stock one, and keeps what it ran.
func (h *hostile) shell(o *osshell.Options) skills.Shell {
	stock := osshell.New(o)
	return func(ctx context.Context, c skills.Command) (skills.CommandResult, error) {
		h.mu.Lock()
		h.ran = append(h.ran, c.Text)
		h.mu.Unlock()
		r, err := stock(ctx, c)
		h.mu.Lock()
		h.results = append(h.results, r)
		h.mu.Unlock()
		return r, err
	}
}

func (h *hostile) permission(op hostileOp) {
	rules := func(text []string) []skills.Rule {
		list, err := skills.ParseRules(text...)
		if err != nil {
			h.failed = err
		}
		return list
	}
	p := skills.Policy{Allow: rules(op.Rules.Allow), Ask: rules(op.Rules.Ask), Deny: rules(op.Rules.Deny)}
	if s := h.session(op.Session); s != nil {
		s.UpdatePolicy(func(own *skills.Policy) { *own = p })
	}
}

func (h *hostile) touch(paths []string) {
	s := h.session("")
	if s == nil {
		return
	}
	for i, p := range paths {
		if rest, ok := strings.CutPrefix(p, "proj/"); ok {
			paths[i] = h.path("proj/" + rest)
		}
	}
	h.act = s.Touch(context.Background(), paths...)
}

// register adds a skill that comes from the host.
func (h *hostile) register(o skills.Origin, owner, name, desc, body string) {
	doc := []byte(body)
	info := skills.SourceInfo{ID: string(o) + ":" + name, Owner: owner, Origin: o}
	h.sources = append(h.sources, skills.StaticSource(info, &skills.Skill{
		Name: name, Description: desc,
		Content: skills.Content{Read: func(context.Context) ([]byte, error) { return doc, nil }},
	}))
}
