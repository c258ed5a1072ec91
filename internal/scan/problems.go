package scan

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

func (s *scanner) report(p Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = append(s.problems, p)
}

func (s *scanner) truncated(path, msg string) {
	s.report(Problem{Code: "too-many", Path: path, Msg: msg, Hint: "split the directory, or raise MaxFiles", Error: true, Truncate: true})
}

// unreadable reports a file or folder that exists and cannot be read.
func (s *scanner) unreadable(path string, err error) {
	p := Problem{Path: path, Name: s.nameFor(path), Error: true, Msg: cause(err).Error()}
	var size *readfile.SizeError
	switch {
	case errors.As(err, &size):
		p.Code, p.Hint = "too-large", "move text into further files, or raise MaxSize"
	case errors.Is(err, readfile.ErrNotRegular):
		p.Code, p.Hint = "not-a-regular-file", "put a text file here"
	case errors.Is(err, readfile.ErrSymlink):
		p.Code, p.Msg, p.Hint = "unreadable", "a link changed while it was followed", "reload"
	case errors.Is(err, fs.ErrPermission):
		p.Code, p.Hint = "unreadable", "let this program read it"
	default:
		p.Code, p.Hint = "unreadable", "check the file and its disk"
	}
	s.report(p)
}

func (s *scanner) nameFor(path string) string {
	if strings.EqualFold(filepath.Base(path), skillFile) || s.Commands && isMarkdown(path) {
		return s.nameOf(path)
	}
	return ""
}

// cause strips the path, which the problem names already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// dangling reports a link that leads nowhere, or round in circles.
func (s *scanner) dangling(path string, err error) {
	p := Problem{
		Code: "dangling-link", Name: s.nameFor(path), Path: path, Error: true,
		Msg: "the link leads to nothing", Hint: "point it at an existing skill, or remove it",
	}
	if isLoop(err) {
		p.Code, p.Msg = "link-loop", "the link leads back to itself"
	} else if !errors.Is(err, fs.ErrNotExist) {
		p.Code, p.Msg = "unreadable", "the link cannot be followed: "+cause(err).Error()
	}
	s.report(p)
}

// isLoop recognises a circle of links; filepath.EvalSymlinks has no error
// value for it.
func isLoop(err error) bool {
	return errors.Is(err, syscall.ELOOP) || strings.Contains(err.Error(), "too many links")
}

// isNotDir reports whether a folder was expected where there is a file.
func isNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, errNotDir)
}

var errNotDir = errors.New("not a directory")

func (s *scanner) escapes(path, target, name string) {
	s.report(Problem{
		Code: "escapes-root", Name: name, Path: path, Error: true,
		Msg: "the link leads out of the project, to " + target, Hint: "trust the project, or copy the skill into it",
	})
}

// maxLinkText is the size of the longest text that may be a link's target.
const maxLinkText = 1024

// linkText returns the path in a file that holds nothing but one relative
// path which exists: a link that was checked out as text (01 R10).
func (s *scanner) linkText(dir string, data []byte) string {
	text := bytes.TrimSpace(data)
	if len(text) == 0 || len(text) > maxLinkText || bytes.ContainsAny(text, "\n\r\x00") {
		return ""
	}
	target := filepath.FromSlash(string(text))
	if filepath.IsAbs(target) || !strings.ContainsRune(string(text), '/') && !isMarkdown(target) {
		return ""
	}
	if _, err := s.tree.Real(filepath.Join(dir, target)); err != nil {
		return ""
	}
	return target
}

func unmaterialised(path, name string, data []byte) Problem {
	return Problem{
		Code: "unmaterialised-symlink", Name: name, Path: path, Error: true,
		Msg:  "the file is a link that was checked out as text: " + string(bytes.TrimSpace(data)),
		Hint: "check it out again with core.symlinks=true, or copy the target here",
	}
}
