// Package bundled is a source of seventeen ready-made skills that a host can
// switch on (05). They go through the same parser, merge, listing, permission
// and invocation as any other skill.
//
//	reg, err := skills.Open(ctx, &skills.Options{
//		Sources: []skills.Source{bundled.Source(&bundled.Options{
//			Host:     bundled.Host{Product: "Acme", Tools: map[string]string{bundled.ToolShell: "run"}},
//			Features: []string{bundled.FeatureTriggers},
//		})},
//	})
//
// # Which skills there are
//
// Always: batch, debug, keybindings, lorem-ipsum, simplify, update-config.
// The others wait for a feature of the host, see [Options].Features, and
// claude-in-chrome for a check. Only the user may run batch, debug and
// skillify. A host switches single skills off with [Options].Skills, with a
// check of the skill's name, or with Locations.Disabled; users replace one by a
// skill of the same name, after which "bundled:name" still reaches this one.
//
// [All] lists them with what opens each, and [Options.Missing] those that a host
// does not have.
//
// # What hosts must agree on
//
// The texts name the tools and places of a host by [Host.Tools] and [Host.Paths].
// What these leave out has the names of the reference client; a host with tools
// and folders of its own sets [Host.Only], so that what it leaves out does not
// exist. The name under [ToolSkill] must be that of the tool it offers to the
// model, the ToolName of [skills.ListerOptions].
//
// # Callbacks that panic, hang or take long
//
// None stops a listing or an invocation (05 §1), nor does one that ends its
// goroutine. A check that panics, or does not answer within a second, is off. It
// is asked by one goroutine at a time, whose answer all share who wait for it; as
// long as it is overdue the check is not asked again, and costs nothing. A prompt
// waits 5 seconds for the callbacks of Call.Host, for the log and for the
// project's folder, and no longer than its context lasts: then debug says in its
// text what failed, and batch and claude-api fail with an error. A goroutine
// stays behind only as long as the function that hangs.
//
// # What the host may tell an invocation
//
// Six skills make their text when they are invoked: batch, claude-api, debug,
// loop, lorem-ipsum and skillify. Debug and skillify look into Call.Host under
// [KeyLogPath], [KeyDebugLogging], [KeyEnableDebug], [KeySessionMemory] and
// [KeyUserMessages]. Every key may be missing, and a value of another type
// counts as missing.
//
// # How the texts are written
//
// Each skill is one file, skills/<name>/SKILL.md. In its body, never in its
// frontmatter, stands what only the host knows, between double braces:
//
//	{{product}}          the product's name
//	{{model}}            which model to write into programs
//	{{log}}              where the session log is
//	{{tool KEY}}         "the `Name` tool", or words for hosts without one
//	{{name KEY}}         the bare name of a tool, for permission rules
//	{{path KEY}}         a place in code quotes, or words for hosts without one
//
// These are filled in once, by [Source]. Skills with a text of the moment have
// two more:
//
//	{{slot NAME}}        what the invocation puts here
//	{{part NAME}}        on a line of its own: a separate text begins
//
// The notation has no sign in common with placeholders such as $ARGUMENTS. It
// is strict: what is not in this list is a defect that the tests find.
package bundled
