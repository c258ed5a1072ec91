// Package mcpskills is a source of what an MCP server offers: its prompts, and
// skills that it serves as resources (06 §2). It knows no MCP library: any
// client satisfies [Client] with an adapter of a few lines, and examples/mcp
// has one for the official SDK.
//
//	reg.Register(ctx, mcpskills.Source("github", adapter, nil))
//	reg.Reload(ctx, "mcp:github") // after a list_changed notification
//
// Registering a source of the same server again, after a reconnect, replaces
// the one before in one publish.
//
// # Prompts
//
// The prompt "create issue" of the server "github" is called
// mcp__github__create_issue: each blank becomes "_", everything else stays as
// it is. The words of the arguments, split like a shell does, fill the declared
// parameters in their order; those beyond the last parameter are joined to it
// with blanks, so that nothing is lost. A required parameter without a word is
// an error that names it, before the server is asked. The server returns the
// finished text: nothing in it is a placeholder or a command, and no arguments
// are appended.
//
// # Skills
//
// The skill "review" is called github:review, and "review" too while that is
// unique. It is a Markdown file with frontmatter, found in the first of these
// places that the client and the server have:
//
//  1. skills/list of the extension io.modelcontextprotocol/skills, see
//     [SkillLister]. It tells each frontmatter, so no file is read before the
//     skill is invoked.
//  2. The index of the extension's drafts, the resource [IndexURI] with entries
//     of the type skill-md. Their files are read when the source is loaded, for
//     their frontmatter, and again when they are invoked.
//  3. Listed resources named skill://…/SKILL.md, which older servers have. They
//     are read like those of an index.
//
// What is read is checked against the SHA-256 digest and size that the server
// told, if it told any, and against the frontmatter that the skill was loaded
// with. What differs is an error, and nothing of it is rendered. A digest says
// that the file is the one that was listed, not that it is harmless.
//
// Two skills of one name are told apart by their paths: skill://a/x/SKILL.md
// and skill://b/x/SKILL.md are github:x and github:b:x. Archives, templates and
// supporting files are not offered.
//
// # Trust
//
// Nothing a server says is trusted. Package skills drops hooks and tool grants,
// keeps shell commands as text and has no ${CLAUDE_SKILL_DIR} for it; this
// package drops aliases and labels, which could answer to the name of
// somebody else's skill, and cleans every text: control characters besides
// newline and tab, bidi, tag and invisible characters go, invalid bytes become
// U+FFFD, and the tags a host wraps text in can be neither opened nor closed.
// Entries of lists, such as paths, become one clean line, with an issue.
// Sizes and numbers are bounded by [Options].
//
// # Failure
//
// Prompts and skills fail apart: of the one that cannot be read the last good
// result is kept, with an issue. Only if nothing can be read does Load fail,
// upon which the registry keeps all it had.
package mcpskills
