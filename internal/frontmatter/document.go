package frontmatter

// Limits bound the header before any of it is given to a YAML parser (01 R1).
// A field that is not positive means the default.
type Limits struct {
	MaxBytes int // bytes between the fences; default 64 KiB
	MaxKeys  int // top-level keys; default 256
}

const (
	defaultMaxBytes = 64 << 10
	defaultMaxKeys  = 256
)

// orDefault returns l with its zero fields filled in.
func (l Limits) orDefault() Limits {
	if l.MaxBytes <= 0 {
		l.MaxBytes = defaultMaxBytes
	}
	if l.MaxKeys <= 0 {
		l.MaxKeys = defaultMaxKeys
	}
	return l
}

// A State says how far a header could be read.
type State uint8

const (
	None      State = iota // no header; all of the text is body (01 R5)
	OK                     // read as valid YAML; perhaps without any field
	Recovered              // not valid YAML; read key by key (01 §4, 2 and 3)
	Broken                 // nothing could be read; Problems[0] says why (01 §4, 5)
)

// A Document is a parsed text. It is not safe for concurrent use.
//
// A Document is made to be reused: Parse overwrites it and keeps its memory.
// Slices reached from it are valid until the next Parse into the same
// Document. Strings stay valid for ever and never share memory with the text;
// those of one document may share memory with each other, so a caller that
// keeps one short value of a long header for long should clone it.
type Document struct {
	State    State
	Fields   []Field   // in order of appearance, duplicates included
	Problems []Problem // in order of discovery
	Body     int       // offset of the body in the text, in bytes
	BodyLine int       // line the body starts at, 1-based

	// Incomplete is true when the text was said to be the beginning of a longer
	// file and the rest of it is needed to tell where the header ends. It is
	// false once the header is known to be over its limit.
	Incomplete bool

	header     string // what stands between the fences
	headerLine int    // line the header starts at, 1-based
	aliased    int    // nodes visited so far through aliases

	items  []Value // backing of all lists of a flat header
	nested []Field // backing of all maps of a flat header
	buf    []byte  // text of a scalar under construction
}

// A Field is one key of a mapping and its value.
type Field struct {
	Key   string // as YAML reads it, never empty
	Line  int    // line of the key in the file, 1-based
	Value Value
}

// A Kind is the shape of a Value.
type Kind uint8

const (
	Null   Kind = iota // nothing after the colon, or null, or ~
	Scalar             // text
	List               // Items
	Map                // Fields
)

// A Value is what stands behind a key or in a list. Aliases and merge keys are
// already resolved.
type Value struct {
	Kind Kind
	// Quoted: the scalar was quoted, a block scalar or tagged !!str, so it is
	// text even if it looks like a number or a boolean.
	Quoted bool
	// Flow: the list or map was written in brackets.
	Flow bool
	// Guessed: the value is not valid YAML and was taken as text (01 §4, 3).
	// Nothing may be granted on the strength of it.
	Guessed bool
	// Lost: the value could not be resolved within the limits on aliases and
	// nesting. Its Kind is Null, but it was not empty in the file.
	Lost bool
	// Line in the file at which the value starts, 1-based. For a value that is
	// not there at all it is the line of its key.
	Line int
	// Text of a Scalar after YAML's unquoting and folding, otherwise as
	// written: 3000, on, 1.10, 2026-01-02. For Null what was written: "", ~.
	Text   string
	Items  []Value // of a List
	Fields []Field // of a Map, in order of appearance, duplicates included
}

// A Code names a kind of Problem.
type Code string

// The first five leave the document Broken.
const (
	CodeUnclosed    Code = "unclosed-frontmatter"  // the closing fence is missing
	CodeTooLarge    Code = "frontmatter-too-large" // more than Limits.MaxBytes
	CodeTooManyKeys Code = "too-many-keys"         // more than Limits.MaxKeys
	CodeNotMapping  Code = "not-a-mapping"         // no key at all
	CodeMergeKey    Code = "merge-key"             // << of which nobody knows what it hides

	CodeRecovered    Code = "yaml-recovered" // the header as a whole is not valid YAML
	CodeInvalid      Code = "invalid-yaml"   // one value is not, and was taken as text
	CodeIgnoredLine  Code = "ignored-line"   // lines that belong to no key
	CodeBadKey       Code = "bad-key"        // a key that is empty or not a scalar
	CodeAliasLimit   Code = "alias-limit"    // aliases expand to too much
	CodeNestingLimit Code = "nesting-limit"  // nested too deep
)

// A Problem is one thing the author of a file should know.
type Problem struct {
	Code    Code
	Line    int    // in the file, 1-based
	Key     string // the top-level key it is about, or ""
	Message string // what is wrong
	Hint    string // what to do about it
}

// maxProblems bounds Document.Problems. A header that has more wrong with it
// does not become clearer by a longer list.
const maxProblems = 64

// report adds a problem unless the list is full.
func (d *Document) report(p Problem) {
	if len(d.Problems) < maxProblems {
		d.Problems = append(d.Problems, p)
	}
}

// reset makes d an empty document that keeps its memory.
func (d *Document) reset() {
	*d = Document{
		Fields:   d.Fields[:0],
		Problems: d.Problems[:0],
		items:    d.items[:0],
		nested:   d.nested[:0],
		buf:      d.buf[:0],
	}
}
