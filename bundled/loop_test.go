package bundled

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

type loopRow struct {
	args   string
	every  time.Duration
	prompt string
	noted  bool
	reason string
}

func loopRows() []loopRow {
	const m, h = time.Minute, time.Hour
	return []loopRow{
		{"5m /check", 5 * m, "/check", false, "05 §3: 5m /check"},
		{"/check", 10 * m, "/check", false, "05 §3: default 10m; arguments may start with /"},
		{"/check 5m", 10 * m, "/check 5m", false, "an interval at the end belongs to the skill's arguments"},
		{"30m /deploy --to prod  x", 30 * m, "/deploy --to prod  x", false, "the prompt is byte for byte"},
		{"check the build", 10 * m, "check the build", false, "default"},
		{"check the build every 20 minutes", 20 * m, "check the build", false, "a phrase at the end"},
		{"check the build every 2h", 2 * h, "check the build", false, "a phrase at the end, short"},
		{"check the build EVERY Hour", h, "check the build", false, "every hour is every 1 hour"},
		{"check every pull request", 10 * m, "check every pull request", false, "no time, no interval"},
		{"every 5 minutes", 5 * m, "", false, "an interval alone is no prompt"},
		{"5m", 5 * m, "", false, "an interval alone is no prompt"},
		{"", 10 * m, "", false, "nothing"},
		{"  \n ", 10 * m, "", false, "nothing"},
		{"1h30m water the plants", 90 * m, "water the plants", false, "parts add up"},
		{"1d tidy", 24 * h, "tidy", false, "days"},
		{"30s ping", m, "ping", true, "less than a minute is a minute"},
		{"90s ping", 2 * m, "ping", true, "rounded up"},
		{"0m ping", m, "ping", true, "zero"},
		{"8d ping", 7 * 24 * h, "ping", true, "more than the most"},
		{"99999999999999999999d ping", 7 * 24 * h, "ping", true, "more digits than a number has"},
		{"6d9223372036854775807s ping", 7 * 24 * h, "ping", true, "a sum that would overflow"},
		{"5mm ping", 10 * m, "5mm ping", false, "no interval"},
		{"5 ping", 10 * m, "5 ping", false, "a number alone is no interval"},
		{"5M ping", 5 * m, "ping", false, "letter case"},
		{"5m line one\nline two", 5 * m, "line one\nline two", false, "several lines"},
	}
}

func TestParseLoop(t *testing.T) {
	for _, r := range loopRows() {
		require.NotEmpty(t, r.reason)
		got := parseLoop(r.args)
		assert.Equal(t, r.every, got.every, "%q: %s", r.args, r.reason)
		assert.Equal(t, r.prompt, got.prompt, "%q: %s", r.args, r.reason)
		assert.Equal(t, r.noted, got.note != "", "%q: %s", r.args, r.reason)
	}
}

// The interval is in its bounds, the prompt is a part of what was typed, and
// what is shown parses to the same again.
func FuzzParseLoop(f *testing.F) {
	for _, r := range loopRows() {
		f.Add(r.args)
	}
	f.Fuzz(func(t *testing.T, args string) {
		if len(args) > 1<<12 {
			t.Skip("too large")
		}
		r := parseLoop(args)
		if r.every < minInterval || r.every > maxInterval || r.every%time.Minute != 0 {
			t.Fatalf("interval %v of %q", r.every, args)
		}
		if !strings.Contains(args, r.prompt) || strings.TrimSpace(r.prompt) != r.prompt {
			t.Fatalf("prompt %q of %q", r.prompt, args)
		}
		if r.prompt == "" {
			return
		}
		again := parseLoop(interval(r.every) + " " + r.prompt)
		if again.every != r.every || again.prompt != r.prompt || again.note != "" {
			t.Fatalf("%q gives %+v, and shown again %+v", args, r, again)
		}
	})
}

func TestCron(t *testing.T) {
	for _, c := range []struct{ every, starts, reason string }{
		{"1m", "`* * * * *`", "each minute"},
		{"5m", "`*/5 * * * *`", "divides the hour"},
		{"7m", "there is none for this interval; take 6m, `*/6 * * * *`", "*/7 would begin anew each hour"},
		{"45m", "there is none for this interval; take 30m, `*/30 * * * *`", "the shorter of two that are equally near"},
		{"1h", "`M * * * *`, where M", "the first run is now"},
		{"2h", "`M */2 * * *`", "divides the day"},
		{"5h", "there is none for this interval; take 4h, `M */4 * * *`", "does not divide the day"},
		{"1d", "`M H * * *`", "daily"},
		{"2d", "there is none for this interval; take 1d", "cron has no every other day"},
		{"7d", "`M H * * D`", "weekly"},
	} {
		got := cron(parseLoop(c.every + " x").every)
		assert.True(t, strings.HasPrefix(got, c.starts), "%s: %s; got %s", c.every, c.reason, got)
	}
}

func TestLoopTexts(t *testing.T) {
	var o *Options
	text := promptOf(t, o.clone(), "loop")
	got := text(skills.PromptContext{Args: "/check $1 `x`"})
	assert.Contains(t, got, "every **10m**", "05 §3: default 10m")
	assert.Contains(t, got, "> /check $1 `x`\n")
	assert.Contains(t, got, "The prompt calls the skill `check`")
	got = text(skills.PromptContext{Args: "30s look\n# at it"})
	assert.Contains(t, got, "> look\n> # at it\n")
	assert.Contains(t, got, "shortest interval is 1 minute")
	assert.Contains(t, got, "as if the user had just typed it")
	for _, args := range []string{"", "5m", " "} {
		got = text(skills.PromptContext{Args: args})
		assert.Contains(t, got, "/loop [interval] <prompt or /command>", args)
		assert.NotContains(t, got, "Schedule it", "nothing is scheduled without a prompt")
	}
}
