package bundled

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seed-12b313d8/skills"
)

const (
	defaultInterval = 10 * time.Minute // (05 §3)
	minInterval     = time.Minute      // cron has no seconds
	maxInterval     = 7 * 24 * time.Hour
)

// loopPrompt makes the text of loop: the interval is parsed here, so that no
// model has to (05 §3).
func loopPrompt(t text, _ Host) prompt {
	return func(_ context.Context, p skills.PromptContext) ([]skills.Block, error) {
		r := parseLoop(p.Args)
		if r.prompt == "" {
			return one(t.fill("usage", nil))
		}
		return one(t.fill("", map[string]string{
			"prompt": quote(r.prompt), "interval": interval(r.every), "note": r.note, "cron": cron(r.every),
			"first": firstRun(r.prompt),
		}))
	}
}

// A loopRequest is what the arguments of loop ask for.
type loopRequest struct {
	every  time.Duration // minInterval to maxInterval, whole minutes
	prompt string        // "" if there is none
	note   string        // what was not taken as written, or ""
}

var (
	// leadInterval matches 5m, 90s, 2h, 1d and 1h30m as the first word.
	leadInterval = regexp.MustCompile(`^((?:[0-9]+[smhdSMHD])+)(?:\s+|$)`)
	// tailInterval matches "every 20 minutes", "every 2h" or "every hour" at the
	// end. "Every pull request" is part of the prompt.
	tailInterval = regexp.MustCompile(`(?i)(?:^|\s)every\s+([0-9]*)\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$`)
	unitOf       = regexp.MustCompile(`[0-9]+[smhdSMHD]`)
)

// parseLoop finds the interval at the beginning of args, or as a phrase at its
// end; otherwise it is defaultInterval. The rest is the prompt, as written.
func parseLoop(args string) loopRequest {
	args = strings.TrimSpace(args)
	r := loopRequest{every: defaultInterval, prompt: args}
	if m := leadInterval.FindStringSubmatch(args); m != nil {
		r.prompt = args[len(m[0]):]
		var sum time.Duration
		for _, part := range unitOf.FindAllString(m[1], -1) {
			sum = addBounded(sum, part[:len(part)-1], part[len(part)-1])
		}
		r.set(sum)
		return r
	}
	if m := tailInterval.FindStringSubmatchIndex(args); m != nil {
		count, unit := args[m[2]:m[3]], args[m[4]]
		if count == "" {
			count = "1"
		}
		r.prompt = strings.TrimSpace(args[:m[0]])
		r.set(addBounded(0, count, unit))
	}
	return r
}

// addBounded adds count units to d, and stays just above maxInterval when the
// sum would be more, however many digits there are.
func addBounded(d time.Duration, count string, unit byte) time.Duration {
	size := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[unit|0x20]
	const over = maxInterval + time.Minute
	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil || n > int64(over/size) {
		return over
	}
	return min(d+time.Duration(n)*size, over)
}

// set takes d as the interval, in the bounds and whole minutes that there are,
// and notes what was changed.
func (r *loopRequest) set(d time.Duration) {
	whole := (d + time.Minute - 1).Truncate(time.Minute)
	r.every = min(max(whole, minInterval), maxInterval)
	switch {
	case d > maxInterval:
		r.note = "More was asked for; the longest interval is 7 days. "
	case d < minInterval:
		r.note = "Less was asked for; the shortest interval is 1 minute. "
	case whole != d:
		r.note = "It was rounded up to whole minutes. "
	}
}

// interval writes d as the skill reads it: 7d, 2h, 1h30m, 10m.
func interval(d time.Duration) string {
	var b strings.Builder
	for _, u := range []struct {
		size time.Duration
		name byte
	}{{24 * time.Hour, 'd'}, {time.Hour, 'h'}, {time.Minute, 'm'}} {
		if n := d / u.size; n > 0 {
			fmt.Fprintf(&b, "%d%c", n, u.name)
			d -= n * u.size
		}
	}
	return b.String()
}

// cron says how to write the interval for a scheduler with cron expressions,
// which can only repeat what divides the hour or the day.
func cron(d time.Duration) string {
	const now = ", where M is the present minute of the local clock"
	minutes, hours := int(d/time.Minute), int(d/time.Hour)
	switch {
	case minutes == 1:
		return "`* * * * *`"
	case minutes < 60 && 60%minutes == 0:
		return fmt.Sprintf("`*/%d * * * *`", minutes)
	case d == time.Hour:
		return "`M * * * *`" + now
	case d%time.Hour == 0 && hours < 24 && 24%hours == 0:
		return fmt.Sprintf("`M */%d * * *`", hours) + now
	case d == 24*time.Hour:
		return "`M H * * *`, where H and M are the present hour and minute of the local clock"
	case d == maxInterval:
		return "`M H * * D`, where H, M and D are the present hour, minute and day of the week of the local clock"
	}
	return "there is none for this interval; take " + nearest(d) + ". Tell the user so"
}

// nearest returns the interval next to d that cron can repeat.
func nearest(d time.Duration) string {
	best := time.Minute
	closer := func(c time.Duration) {
		if (c - d).Abs() < (best - d).Abs() {
			best = c
		}
	}
	for _, m := range []time.Duration{2, 3, 4, 5, 6, 10, 12, 15, 20, 30} {
		closer(m * time.Minute)
	}
	for _, h := range []time.Duration{1, 2, 3, 4, 6, 8, 12, 24, 7 * 24} {
		closer(h * time.Hour)
	}
	return interval(best) + ", " + cron(best)
}

// firstRun says how the first run goes: a prompt that begins with "/" names a
// skill.
func firstRun(prompt string) string {
	name, isCommand := strings.CutPrefix(strings.Fields(prompt)[0], "/")
	if !isCommand || name == "" {
		return "Follow it as if the user had just typed it."
	}
	return "The prompt calls the skill `" + clean(name) + "`: run that skill, with what follows the name as its arguments."
}
