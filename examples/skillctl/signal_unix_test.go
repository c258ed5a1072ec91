//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Either signal ends the process itself, and that is no failure.
func TestWatchSignals(t *testing.T) {
	root := watchTree(t)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.Command(os.Args[0], "watch", "--json", "--project", filepath.Join(root, "proj"), "--home", filepath.Join(root, "home"))
		cmd.Env = append(os.Environ(), actAsMain+"=1")
		cmd.Stderr = os.Stderr
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		line, err := bufio.NewReader(stdout).ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, "{\"watching\":1}\n", line)
		require.NoError(t, cmd.Process.Signal(sig))
		assert.NoError(t, cmd.Wait(), sig)
	}
}
