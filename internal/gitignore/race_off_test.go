//go:build !race

package gitignore

const raceDetector = false
