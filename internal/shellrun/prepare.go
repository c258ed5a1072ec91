package shellrun

import (
	"context"
	"strings"

	"github.com/seed-12b313d8/skills/internal/shellspan"
	"github.com/seed-12b313d8/skills/internal/template"
)

// A Command is one command as it will run.
type Command struct {
	Text  string
	Shell string   // the author's, or "bash" or "sh" if it is safe there only
	Env   []string // "NAME=value" pairs that Text refers to

	token    template.Token
	replaced bool // an argument's value reaches it
}

// Line returns the line of the body that the command begins on.
func (c *Command) Line() int { return c.token.Line }

// Broken returns the failure of a command that could not be run because of err.
func (c *Command) Broken(ctx context.Context, err error) *Failure {
	if ctx.Err() != nil {
		return cancelled(c.token, err)
	}
	return failed(c.token, Failed, "a command of the skill could not be run", "see the cause", err)
}

// prepare rewrites one command and asks whether it may run.
func (r *runner) prepare(ctx context.Context, t template.Token, d shellspan.Dialect) (*Command, *Failure) {
	c := &Command{token: t, Shell: r.Shell}
	if r.Splice {
		c.Text, c.replaced = r.Values.Splice(t)
	} else {
		res, err := shellspan.Rewrite(t, r.Values, d)
		if err != nil {
			return nil, refused(t, err)
		}
		c.Text, c.Env, c.replaced = res.Text, res.Env, res.Replaced
		if c.Text != t.Command && d != shellspan.PowerShell {
			c.Shell = shellName(d) // it is safe in this one only
		}
	}
	if rule, ok := r.denied(*c); ok {
		return nil, failed(t, Denied, "the rule "+rule+" denies a command of the skill", "change the policy if that is not meant", nil)
	}
	return c, r.allow(ctx, c)
}

// denied names the rule that a command meets as it will run, or with its values
// in it and without quotes: neither may hide what a rule names.
func (r *runner) denied(c Command) (rule string, denied bool) {
	if r.Denied == nil {
		return "", false
	}
	if rule, denied = r.Denied(c); denied {
		return rule, true
	}
	v := r.Values
	v.Args, v.Words = asWord(v.Args), make([]string, len(r.Values.Words))
	for i, w := range r.Values.Words {
		v.Words[i] = asWord(w)
	}
	c.Text, _ = v.Splice(c.token)
	c.Text = strings.NewReplacer(`"`, "", "'", "").Replace(c.Text)
	return r.Denied(c)
}

// asWord returns a value without what separates commands: it is data, and no
// command of its own.
func asWord(value string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(";&|(){}`$!\r\n", r) {
			return '_'
		}
		return r
	}, value)
}

// allow asks Options.Allow.
func (r *runner) allow(ctx context.Context, c *Command) *Failure {
	if r.Allow == nil {
		return nil
	}
	err := r.Allow(ctx, *c)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return cancelled(c.token, err)
	}
	return failed(c.token, Denied, "this program does not allow a command of the skill", "see the cause", err)
}

// dialect returns the language that the commands are written in.
func (r *runner) dialect() shellspan.Dialect {
	if r.Shell == powershell {
		return shellspan.PowerShell
	}
	return shellspan.Bash
}

// The shells that commands may name.
const (
	bash       = "bash"
	powershell = "powershell"
)

func shellName(d shellspan.Dialect) string {
	if d == shellspan.POSIX {
		return "sh"
	}
	return bash
}
