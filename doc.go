// Package skills gives a Go program that hosts an LLM agent the whole Agent
// Skill system: it finds SKILL.md files, decides which of them exist, tells
// the model about them within a budget, unlocks them when the work touches
// matching files, and turns an invocation into prompt text plus changes for
// the running agent.
//
// The package never calls a model and never owns the agent loop. It starts no
// process, opens no connection and reads no environment variable: what it
// needs of the outside world the host gives it as functions.
//
// # The way of the data
//
//	Source ─► Registry ─► Snapshot ─► Session ─┬─► Lister   what the model is told
//	                                           └─► Invoker  what an invocation gives
//
// A [Source] yields the skills of one place. A [Registry] reads its sources in
// parallel, settles which skill wins a name, and publishes a [Snapshot] that
// never changes. One registry serves all conversations of a workspace.
//
// A [Session] is one conversation or sub-agent: what it has unlocked
// ([Session.Touch]), been told and invoked. A [Lister] renders the listing for
// the model, an [Invoker] turns a [Call] into an [Outcome].
//
//	reg, err := skills.Open(ctx, &skills.Options{
//		Locations: skills.Locations{Home: home, Dir: "."}, // Project: the folder above that holds .git
//	})
//	if err != nil {
//		return err
//	}
//	defer reg.Close()
//	sess := reg.NewSession("main", nil)
//
//	lister := skills.NewLister(sess, &skills.ListerOptions{ContextWindow: 200_000})
//	if l := lister.Next(); l.Text != "" {
//		putIntoContext(l.Text)
//		lister.Commit(l)
//	}
//
//	inv := skills.NewInvoker(sess, nil)
//	out, err := inv.Invoke(ctx, skills.Call{Name: "commit", Caller: skills.CallerUser})
//	switch o := out.(type) {
//	case *skills.Inline: // o.Content goes into the conversation, o.Modifier to the host
//	case *skills.Fork: // the host runs a sub-agent on o.Prompt; o.Result goes back
//	}
//
// # Issues, errors, and why a skill is not there
//
// A defect in a file never stops the rest. It becomes an [Issue] with path,
// line and what to do about it; see [Snapshot.Issues]. Every error is an
// [*Error] with a [Code], so errors.Is(err, skills.CodeDenied) works, and
// [Error.ForModel] is the text of a tool result. [Session.Explain] answers for
// one name where it was found, what won, and what hides it.
//
// # Trust
//
// The [Origin] of a skill and the host's word decide what it may do. Skills of
// the project are not trusted until [Locations].TrustProject says so: they are
// listed and their text is given to the model, but their shell commands do not
// run and the tools and hooks they ask for are withheld. MCP and remote skills
// are text and nothing else. What a file says about itself never raises its
// trust. A [Policy] can only narrow all of this.
//
// # Characters and other units
//
// A character is a Unicode code point. Budgets are in characters, context
// windows in tokens, sizes of files in bytes.
//
// Marks such as (01 R4) name the rule that a behaviour follows; see
// docs/design.md.
//
// # Concurrency
//
// Registry, Snapshot, Session, Lister and Invoker are safe for concurrent use.
// A [Skill] is read-only once loaded. Host callbacks are called with no lock
// held, and a panic in one is contained; only a [Source] may not call back into
// its registry while it loads.
package skills
