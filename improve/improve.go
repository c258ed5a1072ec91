package improve

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"
	"time"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/atomicfile"
	"github.com/seed-12b313d8/skills/internal/gate"
)

// A Model answers one prompt. It is called in goroutines of its own, must end
// when ctx does, and may be any model: a small fast one is enough to find
// updates. A panic in it is an error.
type Model func(ctx context.Context, system, prompt string, temperature float64) (string, error)

// A Message is one message of the conversation.
type Message struct {
	// Role is "user" for what the user typed; these are counted. "assistant"
	// is the model; any other is told to the model as "other".
	Role string `json:"role"`
	// Text is the message without what the host added to it, such as listings
	// and the text of skills.
	Text string `json:"text"`
}

// An Update is one lasting change of a skill that somebody asked for. Its
// texts come from a model that has read the conversation: each is one line
// without control and invisible characters, and nothing else is vouched for.
type Update struct {
	// Section says where in the skill; it may be "" or a new one. At most 200
	// characters.
	Section string `json:"section"`
	// Change says what to do there. It is never empty. At most 2,000
	// characters.
	Change string `json:"change"`
	// Reason says what in the conversation asks for it. At most 1,000
	// characters.
	Reason string `json:"reason"`
}

// A Proposal is what a run has found for one skill, for somebody to approve.
// It is plain data and may travel as JSON: [Improver.Apply] takes nothing it
// says about the skill on trust but which one is meant.
type Proposal struct {
	// Skill is the skill as it was then; Apply looks at its Name, Source and
	// Owner.
	Skill *skills.Skill `json:"skill"`
	// Hash is the SHA-256, in hex, of the bytes of the file that was read.
	Hash string `json:"hash"`
	// Updates are at most 20. Whoever approves may take some out.
	Updates []Update `json:"updates"`
	// Spans is the change of shell commands that somebody approved. nil, as
	// it comes, approves of none.
	Spans *SpanChange `json:"spans,omitempty"`
}

// A SpanChange says how the shell commands of a skill would change. It is the
// cause of the error with [skills.CodeNeedsPermission] that Apply returns:
//
//	var change *improve.SpanChange
//	if errors.As(err, &change) && approved(change) {
//		p.Spans = change
//		err = imp.Apply(ctx, p)
//	}
type SpanChange struct {
	// Added and Removed are commands as written, sorted. One that is there
	// twice counts twice.
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

// ErrChanged is the cause of an error of [Improver.Apply] that did nothing
// because the file is not the one the proposal is about. The error's code is
// [skills.CodeInvalid].
var ErrChanged = errors.New("the skill's file has changed since it was read")

// Options configures an [Improver]. The zero value is one that does nothing.
type Options struct {
	// Enabled is the switch, asked at the start of each run and each Apply.
	// nil is off, and so is a panic.
	Enabled func() bool
	// Every is how many new user messages make a run; default 5.
	Every int
	// Propose is given what a run has found, one skill at a time. It may take
	// as long as it likes, and may call Apply. nil is off.
	Propose func(Proposal)
	// Failed is given the errors of runs, each a [*skills.Error]; nil drops
	// them. Apply returns its errors and does not call it.
	Failed func(error)

	// Rewrite is the model of Apply; default the one that finds updates.
	Rewrite Model
	// Timeout bounds one call of a model; default 2 minutes.
	Timeout time.Duration
	// MaxSize bounds a skill file in bytes; default 1 MiB, like that of
	// [skills.ScanOptions]. A registry with a lower one needs it here too.
	MaxSize int
	// Grace is how long Close waits for a model that goes on after the end of
	// its context; default 5 seconds.
	Grace time.Duration
}

// Defaults of [Options].
const (
	defaultEvery   = 5
	defaultTimeout = 2 * time.Minute
	defaultMaxSize = 1 << 20
	defaultGrace   = 5 * time.Second
)

func (o Options) withDefaults(m Model) Options {
	if o.Every <= 0 {
		o.Every = defaultEvery
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxSize <= 0 {
		o.MaxSize = defaultMaxSize
	}
	if o.Grace <= 0 {
		o.Grace = defaultGrace
	}
	if o.Rewrite == nil {
		o.Rewrite = m
	}
	return o
}

// An Improver watches one conversation. It is safe for concurrent use, and
// calls no function of the host with a lock held.
type Improver struct {
	sess  *skills.Session
	model Model
	opts  Options

	ctx     context.Context // of all that is done; ends with Close
	end     context.CancelFunc
	writing gate.Gate // one Apply works at a time
	tally   tally
	disk    atomicfile.Writer // with a seam for tests

	mu      sync.Mutex // guards what follows
	running bool       // there is a run
	mark    mark       // where the last run ended
}

// New returns an Improver for the conversation of s. Nothing runs until
// [Improver.Observe] is called. A nil o means zero Options; o is copied.
func New(s *skills.Session, m Model, o *Options) *Improver {
	i := &Improver{sess: s, model: m, writing: gate.New(), mark: mark{seed: maphash.MakeSeed()}}
	if o != nil {
		i.opts = *o
	}
	i.opts = i.opts.withDefaults(m)
	i.ctx, i.end = context.WithCancel(context.Background())
	return i
}

// Wait returns when no run and no Apply is under way, functions of the host
// included, or when ctx ends, whose cause is then the error's. It must not be
// called in a function of the host that it would wait for.
func (i *Improver) Wait(ctx context.Context) error {
	select {
	case <-i.tally.none(alive):
		return nil
	case <-ctx.Done():
		if i.tally.count(alive) == 0 {
			return nil
		}
		return failure(skills.CodeCancelled, nil, "the waiting ended before the work did", "wait again, or close", context.Cause(ctx))
	}
}

// Close ends the run and each Apply that is under way, and makes further ones
// do nothing. It waits for them, and for their models, but not for a call of
// Enabled, Propose or Failed: that may be the one which calls Close, or be
// waiting for a person. Nothing happens after it returns, and Wait can wait
// for that. So Close may be called anywhere, and more than once.
//
// The error is one with [skills.CodeCancelled] if a model goes on for longer
// than Grace after the end of its context.
func (i *Improver) Close() error {
	i.tally.close()
	i.end()
	timer := time.NewTimer(i.opts.Grace)
	defer timer.Stop()
	select {
	case <-i.tally.none(working):
		return nil
	case <-timer.C:
		return failure(skills.CodeCancelled, nil, "a Model function goes on although its context has ended", "let it end with its context", nil)
	}
}
