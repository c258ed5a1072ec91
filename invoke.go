package skills

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/seed-12b313d8/skills/internal/confine"
	"github.com/seed-12b313d8/skills/internal/guard"
)

// A Caller says on whose behalf a skill is invoked (04 §1). The zero Caller
// counts as CallerModel, the strictest.
type Caller string

// The callers.
const (
	CallerModel  Caller = "model"  // the Skill tool
	CallerUser   Caller = "user"   // a typed command
	CallerPath   Caller = "path"   // the host, which gives the model what Touch unlocked without being asked
	CallerNested Caller = "nested" // the model inside another skill's fork
	CallerHost   Caller = "host"   // the program itself
)

// A Call asks for one invocation.
type Call struct {
	// Name is looked up as [Session.Lookup] does.
	Name string
	// Args is the argument text, byte for byte.
	Args string
	// Caller is on whose behalf; "" counts as CallerModel.
	Caller Caller
	// Settings are those in force now. ${CLAUDE_EFFORT} is their Effort, and if
	// their Model ends in "[1m]", so does the model the skill asks for, where
	// InvokerOptions.ResolveModel knows that: the window should not shrink.
	Settings Settings
	// Approved is a [Permit].Hash somebody said yes to earlier, perhaps on
	// another server. Other bytes ask again.
	Approved string
	// Host is handed to Content.Prompt: session memory, messages, log path …
	Host map[string]any
}

// ParseToolCall decodes the raw input of the Skill tool,
// {"skill": string, "args"?: string}. The error is an [*Error] with
// [CodeInvalid] whose text a model can act on.
func ParseToolCall(input []byte) (Call, error) {
	var in struct {
		Skill *string `json:"skill"`
		Args  *string `json:"args"`
	}
	switch err := json.Unmarshal(input, &in); {
	case err != nil:
		return Call{}, invalidCall("the input is no JSON object with the strings skill and args", `send {"skill": "name", "args": "text"}`, input, err)
	case in.Skill == nil || strings.TrimSpace(*in.Skill) == "":
		return Call{}, invalidCall("the input lacks the name of a skill", `send {"skill": "name", "args": "text"}`, input, nil)
	}
	c := Call{Name: *in.Skill, Caller: CallerModel}
	if in.Args != nil {
		c.Args = *in.Args
	}
	return c, nil
}

// An Invoker turns calls into outcomes. It is configuration over a [Session]:
// cheap, stateless and safe for concurrent use.
type Invoker struct {
	sess *Session
	opts InvokerOptions
}

// InvokerOptions configures an [Invoker]. The zero value is usable; it runs no
// shell command and asks nobody.
type InvokerOptions struct {
	// Shell runs the commands inside skills; nil replaces them by a marker.
	Shell Shell
	// AllowCommand is asked before each command; an error stops it.
	AllowCommand func(ctx context.Context, c Command) error
	// Confirm asks the user whether p may run, if p.Ask; show them p.Reasons
	// and p.Grants. It should end when ctx does. Without it a call that needs
	// an answer fails with CodeNeedsPermission. It is not asked about calls
	// the user typed; see [Permit.Approve] for the grants of these.
	Confirm func(ctx context.Context, p *Permit) (bool, error)
	// ResolveModel turns a model as written into the host's name for it; nil
	// takes it as written. An error drops the model with an issue.
	ResolveModel func(model string) (string, error)
	// Expand may rewrite the rendered text of trusted local skills, e.g. for
	// @file references; nil leaves them as text.
	Expand func(ctx context.Context, s *Skill, text string) (string, error)
	// Variables are the prefixes of ${…} variables; default "CLAUDE_".
	// An empty string among them allows ${SKILL_DIR}.
	Variables []string
	// FenceBlind finds commands inside all code fences; by default Markdown and
	// YAML fences are passed over.
	FenceBlind bool
	// FenceStrict finds commands inside no code fence; it beats FenceBlind.
	FenceStrict bool
	// Inline puts a marker where a command failed instead of failing the call.
	Inline bool
	// PositionalDeclared replaces $N only in skills that show they take
	// arguments.
	PositionalDeclared bool
	// UnsafeSplice pastes argument text into commands as the design sources
	// do. Arguments then are code; leave it off.
	UnsafeSplice bool
	// SessionScope makes tools, model and effort last for the session instead
	// of until the next user message.
	SessionScope bool
	// Background is what forks do whose file does not say; default foreground.
	Background bool
	// MaxDepth is how deep forks may nest; default 5.
	MaxDepth int
}

const defaultMaxDepth = 5

// NewInvoker returns an Invoker over s. A nil o means zero options; o is
// copied.
func NewInvoker(s *Session, o *InvokerOptions) *Invoker {
	v := &Invoker{sess: s}
	if o != nil {
		v.opts = *o
	}
	if v.opts.MaxDepth <= 0 {
		v.opts.MaxDepth = defaultMaxDepth
	}
	if len(v.opts.Variables) == 0 {
		v.opts.Variables = []string{"CLAUDE_"}
	}
	return v
}

// Invoke is [Invoker.Permit], Confirm and [Invoker.Render] in one. The error
// is an [*Error]; its ForModel is the text of a tool result.
func (v *Invoker) Invoke(ctx context.Context, c Call) (Outcome, error) {
	start := time.Now()
	p, err := v.permit(ctx, c)
	if err == nil && p.Ask {
		p, err = v.confirm(ctx, p)
	}
	if err != nil {
		v.observeFailure(c, err, start)
		return nil, err
	}
	return v.render(ctx, p, start)
}

// confirm asks the host's Confirm.
func (v *Invoker) confirm(ctx context.Context, p *Permit) (*Permit, error) {
	s := p.pinned.skill
	if v.opts.Confirm == nil {
		hint := fmt.Sprintf("add an allow rule such as %s, or give the invoker a Confirm", p.Suggest[0])
		return nil, newError(CodeNeedsPermission, "the skill needs permission: "+joinReasons(p.Reasons), hint).about(s)
	}
	ok, err := guard.Call("the Confirm function", func() (bool, error) { return v.opts.Confirm(ctx, p) })
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, asError(err, s, CodeCancelled, wasCancelled, callAgain)
	case err != nil:
		return nil, newError(CodeNeedsPermission, "nobody could be asked for permission", "see the cause").about(s).because(err)
	case !ok:
		return nil, newError(CodeDenied, "the user said no", "do not ask again without a new reason").about(s)
	}
	return p.Approve(), nil
}

// Files returns the skill's resources: its folder on disk, confined so that no
// path or link leaves it, or what its Content.Files supplies. Files larger
// than 10 MiB are refused. The error is an [*Error].
func (v *Invoker) Files(s *Skill) (fs.FS, error) { return skillFiles(s) }

// ListFiles returns the paths of the skill's resources as [Invoker.Files] has
// them: relative, with slashes, sorted, at most max of them, or 1,000 if max is
// not positive. more says that there are others. Folders, links and what is no
// plain file are left out. The error is an [*Error].
func (v *Invoker) ListFiles(s *Skill, max int) (paths []string, more bool, err error) {
	fsys, err := v.Files(s)
	if err != nil {
		return nil, false, err
	}
	if max <= 0 {
		max = defaultListed
	}
	if paths, more, err = confine.List(fsys, max); err != nil {
		return nil, false, asError(err, s, CodeUnreadable, "the skill's resources cannot be listed", "see the cause")
	}
	return paths, more, nil
}

// defaultListed is how many paths ListFiles returns if nobody says.
const defaultListed = 1000
