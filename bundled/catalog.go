package bundled

import (
	"context"

	"github.com/seed-12b313d8/skills"
)

// A prompt is a Content.Prompt.
type prompt = func(context.Context, skills.PromptContext) ([]skills.Block, error)

// A promptFunc makes the prompt of a skill whose text depends on the moment.
// What may take long in it, callbacks and the disk, goes through await.
type promptFunc func(t text, h Host) prompt

// unlessEnded returns p such that it does not begin after its context has ended.
func unlessEnded(p prompt) prompt {
	return func(ctx context.Context, c skills.PromptContext) ([]skills.Block, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return p(ctx, c)
	}
}

// An entry is one skill of the catalogue.
type entry struct {
	name     string
	gates    []string   // one of them must be open; none: always there
	userOnly bool       // the model may not call it; its file says so, too
	files    bool       // it brings the reference files below files/<name>
	prompt   promptFunc // nil: the file is the text
}

// catalog lists the seventeen skills (05 §3) by name.
func catalog() []entry {
	return []entry{
		{name: "batch", userOnly: true, prompt: batchPrompt},
		{name: "claude-api", gates: []string{FeatureAPIGuide}, files: true, prompt: apiPrompt},
		{name: "claude-in-chrome", gates: []string{CheckBrowser}},
		{name: "debug", userOnly: true, prompt: debugPrompt},
		{name: "dream", gates: []string{FeatureMemory, FeatureMemoryConsolidation}},
		{name: "hunter", gates: []string{FeatureReviewArtifact}},
		{name: "keybindings"},
		{name: "loop", gates: []string{FeatureTriggers}, prompt: loopPrompt},
		{name: "lorem-ipsum", prompt: loremPrompt},
		{name: "remember", gates: []string{FeatureInternal}},
		{name: "run-skill-generator", gates: []string{FeatureSkillGenerator}},
		{name: "schedule", gates: []string{FeatureRemoteTriggers}},
		{name: "simplify"},
		{name: "skillify", gates: []string{FeatureInternal}, userOnly: true, prompt: skillifyPrompt},
		{name: "stuck", gates: []string{FeatureInternal}},
		{name: "update-config"},
		{name: "verify", gates: []string{FeatureInternal}, files: true},
	}
}

// one wraps a text as the blocks of a prompt.
func one(s string, err error) ([]skills.Block, error) {
	if err != nil {
		return nil, err
	}
	return []skills.Block{{Text: s}}, nil
}
