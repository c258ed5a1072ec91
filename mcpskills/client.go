package mcpskills

import (
	"context"

	"github.com/seed-12b313d8/skills"
)

// A Client is one connection to an MCP server. It may also implement
// [Resources] and [SkillLister].
//
// Every method may be called concurrently, must return when its context ends,
// and returns whole lists: pages are the adapter's job. A panic is contained,
// and so is a method that does not heed its context: the source goes on without
// it. Its goroutine lives on until the method returns; while eight are stuck
// like that, further calls fail at once. A client that heeds its contexts never
// leaves a goroutine behind.
//
// An error that is [errors.ErrUnsupported] says that the server has nothing of
// the kind, which is no failure.
type Client interface {
	// ListPrompts returns all prompts of the server.
	ListPrompts(ctx context.Context) ([]Prompt, error)
	// GetPrompt returns the messages of a prompt as blocks, in their order.
	// Name and arguments are as ListPrompts gave them.
	GetPrompt(ctx context.Context, name string, args map[string]string) ([]skills.Block, error)
}

// Resources is what a [Client] implements besides if the server may offer
// skills as resources. The contract is that of Client.
type Resources interface {
	// ListResources returns all resources of the server.
	ListResources(ctx context.Context) ([]Resource, error)
	// ReadResource returns the raw bytes of a resource. The error is
	// [io/fs.ErrNotExist] if the server has no such resource.
	ReadResource(ctx context.Context, uri string) ([]byte, error)
}

// A SkillLister is what a client with [Resources] implements besides if it can
// call skills/list of the extension [ExtensionID].
type SkillLister interface {
	Resources
	// ListSkills returns all entries; [errors.ErrUnsupported] if the server
	// has not declared the extension.
	ListSkills(ctx context.Context) ([]Entry, error)
}

// ExtensionID is how servers declare the extension for skills.
const ExtensionID = "io.modelcontextprotocol/skills"

// IndexURI is where servers of the extension's drafts have their index.
const IndexURI = "skill://index.json"

// A Prompt is an entry of prompts/list.
type Prompt struct {
	// Name is the name on the server.
	Name string
	// Title is for people; it stands in for a missing Description.
	Title string
	// Description says what the prompt is for.
	Description string
	// Parameters are the declared arguments, in their order.
	Parameters []Parameter
}

// A Parameter is a declared argument of a [Prompt].
type Parameter struct {
	// Name is the key of the argument.
	Name string
	// Required says that the prompt cannot do without.
	Required bool
}

// A Resource is an entry of resources/list.
type Resource struct {
	// URI names the resource; only skill://…/SKILL.md is looked at.
	URI string
	// Description is used if the frontmatter has none.
	Description string
	// Digest is "sha256:" and 64 hexadecimal digits, "" if it is not known.
	Digest string
}
