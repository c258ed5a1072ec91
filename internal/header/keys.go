package header

import (
	"strings"

	"github.com/seed-12b313d8/skills/internal/names"
)

// A fieldID numbers the keys this package understands (01 §3).
type fieldID int

const (
	fieldName fieldID = iota
	fieldDescription
	fieldWhenToUse
	fieldAliases
	fieldArgumentHint
	fieldArguments
	fieldPaths
	fieldAllowedTools
	fieldDisallowedTools
	fieldModel
	fieldEffort
	fieldContext
	fieldAgent
	fieldBackground
	fieldShell
	fieldHooks
	fieldDisableModel
	fieldUserInvocable
	fieldVersion
	fieldLicense
	fieldCompatibility
	fieldMetadata
	numFields
	fieldUnknown fieldID = -1
)

// key returns the canonical spelling of a field.
func (f fieldID) key() string {
	return [numFields]string{
		"name", "description", "when-to-use", "aliases", "argument-hint", "arguments", "paths",
		"allowed-tools", "disallowed-tools", "model", "effort", "context", "agent", "background",
		"shell", "hooks", "disable-model-invocation", "user-invocable",
		"version", "license", "compatibility", "metadata",
	}[f]
}

// fieldOf returns the field that key means: letter case, "-" and "_" do not
// count. exact says that key is the canonical kebab or snake spelling.
func fieldOf(key string) (f fieldID, exact bool) {
	var buf [32]byte
	n := 0
	for i := range len(key) {
		c := key[i]
		if c == '-' || c == '_' {
			continue
		}
		if n == len(buf) {
			return fieldUnknown, false
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[n] = c
		n++
	}
	f = foldedField(string(buf[:n]))
	return f, f != fieldUnknown && strings.ReplaceAll(key, "_", "-") == f.key()
}

// foldKey returns key in lower case without "-" and "_".
func foldKey(key string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(key))
}

// maxTypos is how many edits a misspelt key may be away.
const maxTypos = 2

// nearKey returns the known key that key is probably meant to be, or "". Short
// keys are near to too much to tell.
func nearKey(key string) string {
	folded := foldKey(key)
	if len(folded) < 6 || len(folded) > 32 {
		return ""
	}
	for f := range numFields {
		if names.Distance(folded, foldKey(f.key())) <= maxTypos {
			return f.key()
		}
	}
	return ""
}

func foldedField(folded string) fieldID {
	switch folded {
	case "name":
		return fieldName
	case "description":
		return fieldDescription
	case "whentouse":
		return fieldWhenToUse
	case "aliases":
		return fieldAliases
	case "argumenthint":
		return fieldArgumentHint
	case "arguments":
		return fieldArguments
	case "paths":
		return fieldPaths
	case "allowedtools":
		return fieldAllowedTools
	case "disallowedtools":
		return fieldDisallowedTools
	case "model":
		return fieldModel
	case "effort":
		return fieldEffort
	case "context":
		return fieldContext
	case "agent":
		return fieldAgent
	case "background":
		return fieldBackground
	case "shell":
		return fieldShell
	case "hooks":
		return fieldHooks
	case "disablemodelinvocation":
		return fieldDisableModel
	case "userinvocable", "userinvokable":
		return fieldUserInvocable
	case "version":
		return fieldVersion
	case "license":
		return fieldLicense
	case "compatibility":
		return fieldCompatibility
	case "metadata":
		return fieldMetadata
	}
	return fieldUnknown
}
