package main

// A topic is what the help of one command says.
type topic struct {
	text     string
	flags    []string // those that matter most
	examples []example
}

// An example is a command line without "skillctl", and what it is for.
type example struct{ line, why string }

// topics returns the help of all commands, by name.
func topics() map[string]topic {
	return map[string]topic{
		"list": {
			"Lists all skills that are found, those that lost their name to another one, and\n" +
				"what is wrong with their files.",
			[]string{"project", "home", "managed", "add-dir", "brand", "bundled", "feature", "touch", "json"},
			[]example{
				{"list", "the skills of this folder, and yours"},
				{"list --project ~/work/shop --touch apps/web/main.go", "with the nested skills of apps/web"},
				{"list --bundled --feature all", "with all skills that a host may bring along"},
				{"list --json | jq -r '.issues[].message'", "for a script"},
			},
		},
		"show": {
			"Shows the fields of one skill and its body, as the author wrote it. The name may\nbe an alias, or the last part of a qualified name. Some bundled skills have no body:\n" +
				"their text is made at the invocation.",
			[]string{"bundled", "feature", "touch", "json"},
			[]example{
				{"show commit", "by name"},
				{"show simplify --bundled", "a bundled skill"},
				{"show apps/web:deploy --touch apps/web/main.go", "a nested skill, once its folder is known"},
			},
		},
		"listing": {
			"Prints the text that tells a model which skills there are, then a bar of the\n" +
				"budget that it takes, and what became of each description: full, cut, the name\n" +
				"only, or omitted. A stroke in the bar is where the budget ends.",
			[]string{
				"window", "budget", "cap", "min-description", "level-step", "equal-share", "drop-shared",
				"hard-budget", "xml", "deny", "bundled", "feature", "touch", "json",
			},
			[]example{
				{"listing", "with the budget of an unknown window, 8000 characters"},
				{"listing --window 200000 --drop-shared", "another way to shorten"},
				{"listing --budget 500 --hard-budget", "what a small budget leaves out"},
				{"listing --deny 'Skill(internal-:*)'", "what a rule would hide"},
			},
		},
		"menu": {
			"Lists what a user may type after /: skills the model may not call too, and those\n" +
				"that are locked for the model. PREFIX is what has been typed so far; it completes\n" +
				"names, last parts of names, and aliases.",
			[]string{"touch", "deny", "json"},
			[]example{
				{"menu", "all of it"},
				{"menu com", "what /com completes to"},
				{"menu --json | jq -r '.menu[] | select(.locked) | .name'", "what is locked for the model"},
			},
		},
		"invoke": {
			"Renders a skill as an invocation does, after asking the permission rules, and\n" +
				"prints what goes into the conversation. Commands in the skill run with --shell\n" +
				"only, and only if the skill is trusted: yours are, the project's need\n" +
				"--trust-project. Otherwise a marker stands in their place.",
			[]string{"shell", "trust-project", "caller", "yes", "allow", "ask", "deny", "bundled", "feature", "touch", "json"},
			[]example{
				{"invoke commit 'fix the build'", "as if you typed /commit fix the build"},
				{"invoke status --shell", "with its commands run"},
				{"invoke commit --caller model --allow 'Skill(commit)'", "as if the model called it, and a rule allowed that"},
				{"invoke status --shell --deny 'Bash(rm *)'", "but no command that removes files"},
				{"invoke loop 5m /check --bundled --feature triggers", "a bundled skill that waits for a feature"},
				{"invoke greet -- --formal", "with an argument that looks like a flag"},
			},
		},
		"explain": {
			"Says which skill answers to a name and why, what it hides, who may not see it, and\nhow it stands in the listing. The exit code is 1 if nothing answers.",
			[]string{"touch", "budget", "window", "deny", "json"},
			[]example{
				{"explain deploy", "why it is, or is not, there"},
				{"explain gofix --touch main.go", "after work on a file"},
			},
		},
		"touch": {
			"Says which conditional skills unlock, and which nested ones are found, when the\nwork touches the paths, and by which of them.",
			[]string{"touch", "json"},
			[]example{
				{"touch main.go apps/web/index.html", "two files at once"},
				{"touch apps/web/x.css --touch apps/web/x", "what the second file adds"},
			},
		},
		"paths": {
			"Tries the patterns of a skill's paths field, or those of --pattern, on files. Without\nfiles it prints all files of the project that match.",
			[]string{"pattern", "case-sensitive", "touch", "json"},
			[]example{
				{"paths gofix", "the files that unlock a skill"},
				{"paths gofix main.go README.md", "whether these two do"},
				{"paths --pattern '*.go' --pattern '!*_test.go'", "patterns that are in no file yet"},
			},
		},
		"watch": {
			"Prints which skills are added, changed and removed, as it happens, until it is\ninterrupted.",
			[]string{"polling", "touch", "json"},
			[]example{
				{"watch", "while you write a skill"},
				{"watch --polling --json", "on a network file system, for a program"},
			},
		},
		"lint": {
			"Checks files for their authors. PATH is a SKILL.md, a command file, or a folder of\nskills; without one it is the project. The exit code is 1 if anything is an error.",
			[]string{"strict", "cap", "brand", "json"},
			[]example{
				{"lint", "the project"},
				{"lint --strict .claude/skills/commit", "one skill, against the open format too"},
			},
		},
	}
}
