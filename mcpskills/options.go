package mcpskills

import (
	"slices"
	"time"

	"github.com/seed-12b313d8/skills/internal/listing"
)

// Options bounds what a server may do. The zero value is the default.
type Options struct {
	// Timeout is how long one call to the client may take, and all reads of
	// files for their frontmatter together; 0 or less means 15 s.
	Timeout time.Duration
	// MaxPrompts is how many prompts are taken; 0 or less means 500. Further
	// ones are left out with an issue.
	MaxPrompts int
	// MaxSkills is how many skills are taken; 0 or less means 500. Further
	// ones are left out with an issue.
	MaxSkills int
	// MaxText is how many characters the file of a skill may have, and all
	// text of a prompt together; 0 or less means 1,000,000. A longer one is an
	// error when it is invoked.
	MaxText int
	// MaxBlocks is how many blocks a prompt may have; 0 or less means 100. More
	// are an error when it is invoked.
	MaxBlocks int
	// MaxData is how many bytes the images and other data of a prompt may have
	// together; 0 or less means 8 MiB. More are an error when it is invoked.
	MaxData int
	// UserPrompts keeps prompts from the model, so that only the user may run
	// them. MCP means prompts for users; by default the model is told of them,
	// as of any skill.
	UserPrompts bool
	// Tags are the names of tags that the host wraps text in, which no text of
	// the server may open or close; system-reminder and available_skills
	// always are.
	Tags []string
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Timeout <= 0 {
		c.Timeout = 15 * time.Second
	}
	for _, d := range []struct {
		field *int
		value int
	}{{&c.MaxPrompts, 500}, {&c.MaxSkills, 500}, {&c.MaxText, 1_000_000}, {&c.MaxBlocks, 100}, {&c.MaxData, 8 << 20}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	c.Tags = slices.Concat(listing.ReservedTags(), c.Tags)
	return c
}
