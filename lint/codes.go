package lint

import "github.com/seed-12b313d8/skills"

// The codes of what breaks the open format, all of them errors.
const (
	codeFormatFileName      skills.Code = "format-file-name"
	codeFormatFrontmatter   skills.Code = "format-frontmatter"
	codeFormatName          skills.Code = "format-name"
	codeFormatFolder        skills.Code = "format-folder"
	codeFormatDescription   skills.Code = "format-description"
	codeFormatCompatibility skills.Code = "format-compatibility"
	codeFormatMetadata      skills.Code = "format-metadata"
	codeFormatAllowedTools  skills.Code = "format-allowed-tools"
	codeFormatUnknownKey    skills.Code = "format-unknown-key"
)

// The codes of the other findings of this package. It uses bad-name,
// field-ignored, flat-file, hidden-unicode and unreadable as the loader does.
const (
	codeBadName       skills.Code = "bad-name"
	codeFieldIgnored  skills.Code = "field-ignored"
	codeFlatFile      skills.Code = "flat-file"
	codeHiddenUnicode skills.Code = "hidden-unicode"

	codeBareArgument    skills.Code = "bare-argument"
	codeCommentCut      skills.Code = "comment-cut"
	codeGluedCommand    skills.Code = "glued-command"
	codeListingCap      skills.Code = "listing-cap"
	codeMissingFile     skills.Code = "missing-file"
	codePathsEmpty      skills.Code = "paths-empty"
	codePathsFromRoot   skills.Code = "paths-from-root"
	codePathsNever      skills.Code = "paths-never-match"
	codeProgramArgument skills.Code = "program-argument"
	codeTooManyCommands skills.Code = "too-many-commands"
)

// The severities of [skills.Issue].
const (
	sevError   = "error"
	sevWarning = "warning"
	sevInfo    = "info"
)
