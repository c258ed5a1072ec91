//go:build !unix

package extract_test

// Tests in child processes are for Unix.
const childJob = "EXTRACT_TEST_JOB"

func child(string) int { return 1 }
