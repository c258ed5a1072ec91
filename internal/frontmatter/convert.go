package frontmatter

import (
	"errors"

	"gopkg.in/yaml.v3"
)

const (
	// maxNesting is how deep lists and maps may stand in each other.
	maxNesting = 64
	// maxAliased is how many nodes of one header may be reached through
	// aliases, so that nine lines cannot expand to a billion nodes.
	maxAliased = 10_000
)

// A converter turns the nodes of one YAML text into fields.
type converter struct {
	doc     *Document
	mask    disguise
	before  int // lines of the file before the text
	aliases int // aliases that lead to the current node
}

// readYAML fills d.Fields from d.header, all of it at once (01 §4, 1).
func (d *Document) readYAML() error {
	root, mask, err := loadYAML(d.header)
	if err != nil {
		return err
	}
	if root == nil || isNullNode(root) {
		return nil
	}
	switch root.Kind {
	case yaml.MappingNode:
		c := converter{doc: d, mask: mask, before: d.headerLine - 1}
		c.top(root)
	case yaml.SequenceNode:
		d.notMapping(errNotMapping)
	default:
		return errNotMapping
	}
	return nil
}

// top appends the fields of the root of a text to those of the document. Only
// a merge key can fail as a whole.
func (c *converter) top(root *yaml.Node) {
	fields, err := c.mapping(root, 0)
	if err != nil {
		c.doc.unmergeable(c.line(root))
		return
	}
	c.doc.Fields = append(c.doc.Fields, fields...)
}

// mapping returns the fields of n. Within the top level, a value that is over
// a limit costs only its field; further down it costs the whole value.
func (c *converter) mapping(n *yaml.Node, depth int) ([]Field, error) {
	fields := make([]Field, 0, len(n.Content)/2)
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, val := n.Content[i], n.Content[i+1]
		if isMerge(k, val) {
			merges = append(merges, val)
			continue
		}
		f, err := c.field(k, val, depth)
		if err != nil {
			return nil, err
		}
		if f.Key != "" {
			fields = append(fields, f)
		}
	}
	if merges == nil {
		return fields, nil
	}
	return c.merge(fields, merges, depth)
}

// field returns the field of the pair k and val. It has no key if k is none.
func (c *converter) field(k, val *yaml.Node, depth int) (Field, error) {
	f := Field{Key: c.key(k), Line: c.line(k)}
	if f.Key == "" {
		c.doc.report(Problem{
			Code:    CodeBadKey,
			Line:    f.Line,
			Message: "a key that is empty or not a text; it was left out",
			Hint:    "write key: value, with a word as key",
		})
		return f, nil
	}
	v, err := c.value(val, depth+1)
	if err != nil && depth > 0 {
		return f, err
	}
	if err != nil {
		v = c.lost(f, err)
	}
	f.Value = v
	if v.Kind == Null && v.Text == "" && !v.Lost {
		f.Value.Line = f.Line
	}
	return f, nil
}

// lost reports that the value of f is over a limit and returns what stands for
// it.
func (c *converter) lost(f Field, err error) Value {
	p := Problem{
		Code:    CodeNestingLimit,
		Line:    f.Line,
		Key:     f.Key,
		Message: "the value is nested too deep and was left out",
		Hint:    "write it with fewer levels",
	}
	if errors.Is(err, errAliases) {
		p.Code = CodeAliasLimit
		p.Message = "the value expands to too much through aliases and was left out"
		p.Hint = "write it without anchors and aliases"
	}
	c.doc.report(p)
	return Value{Lost: true, Line: f.Line}
}

// value returns what n stands for.
func (c *converter) value(n *yaml.Node, depth int) (Value, error) {
	if n.Kind == yaml.AliasNode {
		return c.alias(n, depth)
	}
	if err := c.enter(depth); err != nil {
		return Value{}, err
	}
	v := Value{Line: c.line(n), Flow: n.Style&yaml.FlowStyle != 0}
	var err error
	switch n.Kind {
	case yaml.MappingNode:
		v.Kind = Map
		v.Fields, err = c.mapping(n, depth)
	case yaml.SequenceNode:
		v.Kind = List
		v.Items, err = c.items(n, depth)
	default:
		c.scalar(n, &v)
	}
	return v, err
}

// enter counts one more node against the limits.
func (c *converter) enter(depth int) error {
	if c.aliases > 0 {
		c.doc.aliased++
		// A node that contains itself is found by its depth.
		if c.doc.aliased > maxAliased || depth > maxNesting {
			return errAliases
		}
	}
	if depth > maxNesting {
		return errNesting
	}
	return nil
}

// alias returns what the node behind the alias n stands for.
func (c *converter) alias(n *yaml.Node, depth int) (Value, error) {
	c.aliases++
	defer func() { c.aliases-- }()
	v, err := c.value(n.Alias, depth+1)
	v.Line = c.line(n)
	return v, err
}

func (c *converter) items(n *yaml.Node, depth int) ([]Value, error) {
	items := make([]Value, 0, len(n.Content))
	for _, child := range n.Content {
		v, err := c.value(child, depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	return items, nil
}

func (c *converter) scalar(n *yaml.Node, v *Value) {
	const text = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	v.Kind = Scalar
	v.Text = c.mask.show(n.Value)
	v.Quoted = n.Style&text != 0 || n.Style&yaml.TaggedStyle != 0 && n.Tag == "!!str"
	if isNullNode(n) {
		v.Kind = Null
	}
}

// key returns the text of a key, or "" if it is not a scalar.
func (c *converter) key(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	return c.mask.show(n.Value)
}

func (c *converter) line(n *yaml.Node) int { return c.before + n.Line }

func isNullNode(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}
