package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/seed-12b313d8/skills"
)

// skillJSON is a skill as --json prints it.
type skillJSON struct {
	Name                   string        `json:"name"`
	DisplayName            string        `json:"display_name"`
	Description            string        `json:"description"`
	WhenToUse              string        `json:"when_to_use"`
	Aliases                []string      `json:"aliases"`
	ArgumentHint           string        `json:"argument_hint"`
	Arguments              []string      `json:"arguments"`
	Paths                  []string      `json:"paths"`
	Mode                   skills.Mode   `json:"mode"`
	Background             bool          `json:"background"`
	Agent                  string        `json:"agent"`
	Model                  string        `json:"model"`
	Effort                 string        `json:"effort"`
	AllowedTools           []string      `json:"allowed_tools"`
	DisallowedTools        []string      `json:"disallowed_tools"`
	DisableModelInvocation bool          `json:"disable_model_invocation"`
	DisableUserInvocation  bool          `json:"disable_user_invocation"`
	Origin                 skills.Origin `json:"origin"`
	Layout                 string        `json:"layout"`
	Plugin                 string        `json:"plugin"`
	Shell                  string        `json:"shell"`
	Version                string        `json:"version"`
	Path                   string        `json:"path"`
	RealPath               string        `json:"real_path"`
	Trusted                bool          `json:"trusted"`
	Degraded               bool          `json:"degraded"`
	Hooks                  bool          `json:"hooks"`
	Body                   *string       `json:"body,omitempty"`
	Dynamic                bool          `json:"dynamic,omitempty"` // the body is made at the invocation
}

func skillOf(s *skills.Skill) skillJSON {
	out := skillJSON{
		Name: s.Name, DisplayName: s.DisplayName, Description: s.Description, WhenToUse: s.WhenToUse,
		Aliases: list0(s.Aliases), ArgumentHint: s.ArgumentHint, Arguments: list0(s.Arguments), Paths: list0(s.Paths),
		Mode: s.Mode, Background: s.Background != nil && *s.Background, Agent: s.Agent, Model: s.Model, Effort: s.Effort,
		AllowedTools: list0(s.AllowedTools), DisallowedTools: list0(s.DisallowedTools),
		DisableModelInvocation: s.DisableModelInvocation, DisableUserInvocation: s.DisableUserInvocation,
		Origin: s.Origin, Layout: layoutOf(s), Shell: s.Shell, Path: s.Path, RealPath: s.RealPath,
		Trusted: s.Trusted, Degraded: s.Degraded, Hooks: len(s.Hooks) > 0,
	}
	if s.Origin == skills.OriginPlugin {
		out.Plugin = s.Owner
	}
	if v, ok := s.Extra["version"]; ok && v != nil {
		out.Version = fmt.Sprint(v)
	}
	if out.Mode == "" {
		out.Mode = skills.ModeInline
	}
	return out
}

// layoutOf says in what form the skill came.
func layoutOf(s *skills.Skill) string {
	switch {
	case s.Origin == skills.OriginBundled, s.Origin == skills.OriginPlugin,
		s.Origin == skills.OriginMCP, s.Origin == skills.OriginRemote:
		return string(s.Origin)
	case s.Layout == "command":
		return "commands"
	}
	return "skills"
}

// list0 makes a nil list an empty one, which JSON shows as [].
func list0[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// errorJSON is an error as --json prints it.
type errorJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// errorOf gives err one of the documented codes.
func errorOf(err error) errorJSON {
	var e *skills.Error
	if !errors.As(err, &e) {
		return errorJSON{"io", err.Error()}
	}
	code := string(e.Code)
	switch e.Code {
	case skills.CodeUnreadable:
		code = "io"
	case skills.CodePrompt:
		code = string(skills.CodeInvalid)
	}
	return errorJSON{code, err.Error()}
}

func writeJSON(w io.Writer, v any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(v) // plain data to a terminal or pipe
}
