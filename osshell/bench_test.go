package osshell_test

import (
	"os/exec"
	"testing"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/osshell"
)

// BenchmarkRun measures the smallest command. Its metric xfloor is the time
// divided by that of os/exec alone with the same shell, in turns in one run.
func BenchmarkRun(b *testing.B) {
	bash, dir := program(b, "bash"), b.TempDir()
	sh := osshell.New(nil)
	b.ResetTimer()
	b.StopTimer()
	var floor, ours float64
	for range b.N {
		began := b.Elapsed()
		b.StartTimer()
		cmd := exec.Command(bash, "-c", "echo hi")
		cmd.Dir = dir
		if _, err := cmd.CombinedOutput(); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		half := b.Elapsed()
		b.StartTimer()
		if _, err := sh(b.Context(), skills.Command{Text: "echo hi", Dir: dir}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		floor += float64(half - began)
		ours += float64(b.Elapsed() - half)
	}
	b.ReportMetric(ours/floor, "xfloor")
	b.ReportMetric(ours/float64(b.N), "ns/command")
}
