package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgress(t *testing.T) {
	const one, two = "\rskillctl: reading skills, 1 s", "\rskillctl: reading skills, 2 s"
	const gone = "\r                             \r"
	for _, tt := range []struct {
		reason string
		takes  time.Duration
		want   string
	}{
		{"nothing for what is quick", 999 * time.Millisecond, ""},
		{"a line after a second, erased at the end", 1500 * time.Millisecond, one + gone},
		{"which counts on", 2500 * time.Millisecond, one + two + gone},
	} {
		synctest.Test(t, func(t *testing.T) {
			var screen bytes.Buffer
			a := app{status: &screen}
			stop := a.working("reading skills")
			time.Sleep(tt.takes)
			stop()
			assert.Equal(t, tt.want, screen.String(), tt.reason)
			stop()
			time.Sleep(time.Hour)
			assert.Equal(t, tt.want, screen.String(), "it has stopped")
		})
	}
	new(app).working("what nobody sees")()
}
