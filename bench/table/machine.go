package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine says what was measured and on what, in words that tell nothing about
// whose machine it is.
func machine(ctx context.Context, raw string) []string {
	return []string{
		"commit " + commit(ctx),
		fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
		fmt.Sprintf("%s, %d cores", processor(raw), runtime.NumCPU()),
	}
}

// commit returns the commit that is checked out, marked if files differ from it.
func commit(ctx context.Context) string {
	head, err := exec.CommandContext(ctx, "git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(head))
	changed, err := exec.CommandContext(ctx, "git", "status", "--porcelain", "--untracked-files=no").Output()
	if err != nil || len(changed) > 0 {
		name += " with changes"
	}
	return name
}

// processor returns the name of the processor, as the system or the benchmarks
// tell it.
func processor(raw string) string {
	info, _ := os.ReadFile("/proc/cpuinfo") // not on every system
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	for line := range strings.Lines(raw) {
		if name, ok := strings.CutPrefix(line, "cpu: "); ok {
			return strings.TrimSpace(name)
		}
	}
	return "a processor of unknown name"
}
