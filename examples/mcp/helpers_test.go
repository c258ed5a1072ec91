package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// inMemory starts a server and returns the way to it.
func inMemory(t *testing.T, s *mcp.Server) mcp.Transport {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	session, err := s.Connect(within(t), far, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return near
}

// stdio starts the test binary as a server.
func stdio(*testing.T) mcp.Transport {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asServer+"=1")
	cmd.Stderr = os.Stderr
	return &mcp.CommandTransport{Command: cmd}
}

func openEmpty(t *testing.T) *skills.Registry {
	t.Helper()
	reg, err := skills.Open(within(t), &skills.Options{Locations: skills.Locations{NoDisk: true, TrustProject: true, Project: t.TempDir()}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	return reg
}

func dial(t *testing.T, reg *skills.Registry, name string, way mcp.Transport) *connection {
	t.Helper()
	c, err := connect(within(t), reg, name, way, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func names(reg *skills.Registry) []string {
	var out []string
	for s := range reg.Snapshot().All() {
		out = append(out, s.Name)
	}
	return out
}

// awaitNames waits for a change after which the names are as wanted.
func awaitNames(t *testing.T, reg *skills.Registry, changes <-chan skills.Change, ok func([]string) bool) {
	t.Helper()
	ctx := within(t)
	for !ok(names(reg)) {
		select {
		case <-changes:
		case <-ctx.Done():
			require.Fail(t, "the change never came", "%q", names(reg))
		}
	}
}

// A project holds skills that are served.
type project struct {
	t   *testing.T
	dir string
	reg *skills.Registry
	*service
}

func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	p := &project{t: t, dir: t.TempDir()}
	for name, text := range files {
		p.write(name, text)
	}
	var err error
	p.reg, err = skills.Open(within(t), &skills.Options{Locations: skills.Locations{Project: p.dir, NoManaged: true, NoUser: true}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.reg.Close()) })
	p.service, err = newService(within(t), p.reg.NewSession("service", nil), nil)
	require.NoError(t, err)
	t.Cleanup(p.reg.Subscribe(func(skills.Change) { p.sync(context.Background()) }))
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, ".claude/skills", name, "SKILL.md")
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(text), 0o644))
}
