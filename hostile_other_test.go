//go:build !unix

package skills_test

import (
	"testing"

	"github.com/seed-12b313d8/skills"
)

func mkfifo(t *testing.T, _ string) {
	t.Helper()
	t.Skip("this system has no FIFO")
}

// An unprivileged is what a user without rights found.
type unprivileged struct {
	Skills       []string
	Issues       []skills.Issue
	Listing, Err string
	Managed      string
}

func runUnprivileged(t *testing.T, _ *hostile) unprivileged {
	t.Helper()
	t.Skip("this system has no file modes that keep the owner out")
	return unprivileged{}
}
