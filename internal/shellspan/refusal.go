package shellspan

import "fmt"

// A Reason says which rule refused a command. Reasons are stable.
type Reason string

const (
	Unparsed        Reason = "unparsed"         // the command does not parse
	CommandPosition Reason = "command-position" // the value would name a command, script or function
	UnsafePlace     Reason = "unsafe-place"     // the place is evaluated, or not known to be safe
	BadValue        Reason = "bad-value"        // the place takes only certain values, and this is none
	SpanRule        Reason = "span-rule"        // something else in the command evaluates values
	ProtectedName   Reason = "protected-name"   // the value would set a variable that programs act upon
	UnsafeOption    Reason = "unsafe-option"    // the value is an option that runs commands or writes files
	TooLong         Reason = "too-long"         // the command is too long or nested too deep
	PowerShellSpan  Reason = "powershell"       // a PowerShell command with a placeholder
	Changed         Reason = "changed"          // the rewritten command would be another command
)

// A Refusal is why a command must not run (04 §4). Its texts are for authors
// and models; they never hold a value.
type Refusal struct {
	Placeholder string // as written, such as $0
	Line        int    // of the body, as in [template.Token]
	Reason      Reason
	Msg         string // what is wrong
	Hint        string // what to do about it
}

// Error names the line, the placeholder, the reason and the cure.
func (r *Refusal) Error() string {
	return fmt.Sprintf("line %d: %s: %s; %s", r.Line, r.Placeholder, r.Msg, r.Hint)
}
