package shellrun_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/shellrun"
	"github.com/seed-12b313d8/skills/internal/template"
)

func spans(t *testing.T, body string) []template.Token {
	t.Helper()
	p, err := template.Parse(body, template.Options{})
	require.NoError(t, err)
	return p.Spans()
}

// A machine has some shells, and notes what ran in which.
type machine struct {
	shells string // names of those it has, "" among them
	mu     sync.Mutex
	ran    []string
}

func (m *machine) run(_ context.Context, c shellrun.Command) (shellrun.Result, *shellrun.Failure) {
	if c.Shell != "" && !strings.Contains(m.shells, c.Shell+" ") {
		return shellrun.Result{}, &shellrun.Failure{Code: shellrun.Unavailable, Line: c.Line(), Msg: "no " + c.Shell}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ran = append(m.ran, c.Shell)
	if strings.Contains(c.Text, "false") {
		return shellrun.Result{Output: " oh \n", Exit: 3}, nil
	}
	return shellrun.Result{Output: "<" + c.Text + ">\r\n"}, nil
}

func words(w ...string) template.Values {
	return template.Values{Args: strings.Join(w, " "), Words: w}
}

func TestRun(t *testing.T) {
	denyRm := func(c shellrun.Command) (string, bool) { return "Bash(rm *)", strings.HasPrefix(c.Text, "rm ") }
	const inBashOnly = "!`x=($ARGUMENTS); echo ${x[0]}`"
	tests := []struct {
		reason, body string
		o            shellrun.Options
		shells       string
		texts, ran   []string
		code         string
		line         int
		replaced     bool
	}{
		{reason: "nothing to run", body: "text"},
		{reason: "04 §4: no arguments, no shell named", body: "!`echo a`", texts: []string{"<echo a>"}, ran: []string{""}},
		{reason: "outputs in the order of the text", body: "!`echo a`\n!`echo b`\n!`echo c`", texts: []string{"<echo a>", "<echo b>", "<echo c>"}, ran: []string{"", "", ""}},
		{reason: "a rewritten command names its shell", body: "!`echo $0`", o: shellrun.Options{Values: words("x")}, shells: "bash sh ", ran: []string{"bash"}, replaced: true},
		{reason: "without a bash it is rewritten for sh", body: "!`echo $0`", o: shellrun.Options{Values: words("x")}, shells: "sh ", ran: []string{"sh"}, replaced: true},
		{reason: "unless the author insists", body: "!`echo $0`", o: shellrun.Options{Values: words("x"), Shell: "bash"}, shells: "sh ", code: shellrun.Unavailable, line: 1},
		{reason: "a shell nobody knows", body: "\n!`echo a`", o: shellrun.Options{Shell: "fish"}, code: shellrun.Unavailable, line: 2},
		{reason: "a value that would be code", body: "a\n!`eval \"$0\"`", o: shellrun.Options{Values: words("$(id)")}, shells: "bash ", code: shellrun.Unsafe, line: 2},
		{reason: "nothing runs if one is refused", body: "!`echo a`\n!`eval \"$0\"`", o: shellrun.Options{Values: words("$(id)")}, shells: "bash ", code: shellrun.Unsafe, line: 2},
		{reason: "a refusal for sh comes before anything has run", body: "!`echo a`\n" + inBashOnly, o: shellrun.Options{Values: words("x")}, shells: "sh ", code: shellrun.Unsafe, line: 2},
		{reason: "a rule denies", body: "!`echo a`\n!`rm x`", o: shellrun.Options{Denied: denyRm}, code: shellrun.Denied, line: 2},
		{reason: "a rule denies what a value hides", body: "!`\"$0\" x`", o: shellrun.Options{Denied: denyRm, Splice: true, Values: words("rm")}, code: shellrun.Denied, line: 1},
		{reason: "a failure", body: "\n\n!`false`", code: shellrun.Failed, line: 3, ran: []string{""}},
		{reason: "a marker for it", body: "!`false`\n!`echo a`", o: shellrun.Options{Markers: true}, texts: []string{`[shell command failed: the command "false" ended with exit code 3; its output ends: oh]`, "<echo a>"}, ran: []string{"", ""}},
		{reason: "no marker for a denial", body: "!`rm a`", o: shellrun.Options{Markers: true, Denied: denyRm}, code: shellrun.Denied, line: 1},
	}
	for _, tt := range tests {
		m := &machine{shells: tt.shells}
		tt.o.Run = m.run
		out, f := shellrun.Run(t.Context(), spans(t, tt.body), tt.o)
		assert.Equal(t, tt.ran, m.ran, tt.reason)
		if tt.code != "" {
			require.NotNil(t, f, tt.reason)
			assert.Equal(t, tt.code, f.Code, tt.reason)
			assert.Equal(t, tt.line, f.Line, tt.reason)
			continue
		}
		require.Nil(t, f, tt.reason)
		assert.Equal(t, tt.replaced, out.Replaced, tt.reason)
		if tt.texts != nil {
			assert.Equal(t, tt.texts, out.Texts, tt.reason)
		}
		for _, marked := range out.Marked {
			assert.NotContains(t, marked.Brief(), "oh", "issues are logged; outputs are not")
		}
	}
}

func TestAllow(t *testing.T) {
	m := &machine{}
	no := errors.New("no")
	o := shellrun.Options{Run: m.run, Allow: func(context.Context, shellrun.Command) error { return no }}
	_, f := shellrun.Run(t.Context(), spans(t, "!`echo a`"), o)
	require.NotNil(t, f)
	assert.Equal(t, shellrun.Denied, f.Code)
	assert.ErrorIs(t, f, no)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, f = shellrun.Run(ctx, spans(t, "!`echo a`"), o)
	assert.Equal(t, shellrun.Cancelled, f.Code, "nobody was there to say no")
	assert.Empty(t, m.ran)
}

// At most four run at a time, the first failure ends the others, and it is the
// one that is told.
func TestMany(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "!`echo %d`\n", i)
	}
	var running, most, ran atomic.Int32
	run := func(ctx context.Context, c shellrun.Command) (shellrun.Result, *shellrun.Failure) {
		ran.Add(1)
		n := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if c.Text == "echo 3" {
			return shellrun.Result{}, c.Broken(ctx, errors.New("no such machine"))
		}
		if c.Text == "echo 0" { // ends with the others only
			<-ctx.Done()
			return shellrun.Result{}, c.Broken(ctx, ctx.Err())
		}
		return shellrun.Result{}, nil
	}
	_, f := shellrun.Run(t.Context(), spans(t, b.String()), shellrun.Options{Run: run})
	require.NotNil(t, f)
	assert.Equal(t, shellrun.Failed, f.Code)
	assert.Equal(t, 4, f.Line)
	assert.ErrorContains(t, f.Err, "no such machine")
	assert.LessOrEqual(t, most.Load(), int32(4))
	assert.Less(t, ran.Load(), int32(40))
}

func TestTail(t *testing.T) {
	assert.Equal(t, " and no output", shellrun.Tail(" \n"))
	assert.Equal(t, "; its output ends: end", shellrun.Tail("\nend\n"))
	assert.Equal(t, "; its output ends: …"+strings.Repeat("ä", 500), shellrun.Tail("x"+strings.Repeat("ä", 500)))
}
