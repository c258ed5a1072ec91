package frontmatter

import "gopkg.in/yaml.v3"

// mergeKey stands for the fields of another map.
const mergeKey = "<<"

// isMerge reports whether k is YAML's merge key and val something that can be
// merged. Otherwise << is a key like any other.
func isMerge(k, val *yaml.Node) bool {
	if k.Kind != yaml.ScalarNode || k.Tag != "!!merge" {
		return false
	}
	val = target(val)
	if val.Kind != yaml.SequenceNode {
		return val.Kind == yaml.MappingNode
	}
	for _, n := range val.Content {
		if target(n).Kind != yaml.MappingNode {
			return false
		}
	}
	return true
}

// target returns the node that n is or is an alias of.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// merge appends the fields of the maps in merges whose keys are not there yet:
// a key of the map itself wins, then the first map that has it.
func (c *converter) merge(fields []Field, merges []*yaml.Node, depth int) ([]Field, error) {
	seen := make(map[string]bool, len(fields))
	for _, f := range fields {
		seen[f.Key] = true
	}
	for _, m := range merges {
		maps, err := c.mergeable(m, depth+1)
		if err != nil {
			return nil, err
		}
		for _, v := range maps {
			for _, f := range v.Fields {
				if !seen[f.Key] {
					seen[f.Key] = true
					fields = append(fields, f)
				}
			}
		}
	}
	return fields, nil
}

// mergeable returns the maps that the value m of a merge key holds.
func (c *converter) mergeable(m *yaml.Node, depth int) ([]Value, error) {
	v, err := c.value(m, depth)
	if v.Kind == List {
		return v.Items, err
	}
	return []Value{v}, err
}
