package osshell

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-12b313d8/skills"
)

// defaultGitTimeout is for one call of git, however many folders it asks about.
const defaultGitTimeout = 10 * time.Second

// GitOptions are the host's wishes for [GitIgnored]. Nil and the zero value are
// good.
type GitOptions struct {
	// Git is the path of the program; "" looks for git in the absolute
	// directories of PATH.
	Git string
	// Environ returns "NAME=value" pairs of which git gets those that name its
	// user's home and language. It must be safe for concurrent use; nil means
	// os.Environ.
	Environ func() []string
	// Timeout is how long git may take for one call; 0 or less means ten
	// seconds.
	Timeout time.Duration
}

// GitIgnored returns an IgnoreFunc for [skills.Options] that asks git (03 §3).
// Unlike the built-in check it knows the excludes of the user and of the
// system, and ignore files above the root if the repository begins there. It
// starts one process for each call. It is safe for concurrent use; o may be
// nil and is copied.
//
// The repository is not trusted. Its configuration can name programs, so git
// runs without hooks, file system monitor, pager, transports and lazy fetches,
// does not read the index, takes no variable GIT_* from the host, has no
// terminal, and is killed with all it started when its time is up. The user's
// and the system's own configuration counts, since it holds safe.directory.
//
// A folder is asked about as a folder, so "build/" ignores build. A folder
// behind a symbolic link is as ignored as the link is; git takes a link for a
// file, which "link/" does not match. Where there is no repository nothing is
// ignored: a project without git has every right to nested skills.
//
// Errors are [*skills.Error] and mean that git gave no answer for any folder:
// [skills.CodeInvalid] for a dir that is no slash path below root,
// [skills.CodeCancelled] if ctx ended, [skills.CodeUnreadable] for the rest: no
// git, no answer within Timeout, a repository that git refuses (another owner,
// a bare one inside the tree, broken configuration).
func GitIgnored(o *GitOptions) skills.IgnoreFunc {
	var g gitCheck
	if o != nil {
		g.GitOptions = *o
	}
	g.Timeout = cmp.Or(max(g.Timeout, 0), defaultGitTimeout)
	if g.Environ == nil {
		g.Environ = os.Environ
	}
	return g.ignored
}

type gitCheck struct{ GitOptions }

// gitArgs ask the question and switch off what a repository could make git do.
// Most cannot happen in this command; they cost nothing.
var gitArgs = []string{
	"git", "--no-pager",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.pager=cat",
	"-c", "protocol.allow=never",
	"-c", "safe.bareRepository=explicit",
	"check-ignore", "--no-index", "-z", "--stdin",
}

func (g *gitCheck) ignored(ctx context.Context, root string, dirs []string) ([]bool, error) {
	if ctx.Err() != nil {
		return nil, gitFault(root, skills.CodeCancelled, "the ignore check was stopped", "", ended(ctx))
	}
	questions := make([]string, len(dirs))
	var input strings.Builder
	for i, dir := range dirs {
		if !fs.ValidPath(dir) || strings.ContainsRune(dir, 0) {
			return nil, gitFault(root, skills.CodeInvalid, "the folder "+head(dir)+" is no slash path below the root", "give paths like packages/web", nil)
		}
		if dir == "." {
			continue // the root is never ignored
		}
		questions[i] = question(root, dir)
		input.WriteString(questions[i] + "\x00")
	}
	answers := make([]bool, len(dirs))
	if input.Len() == 0 {
		return answers, nil
	}
	said, err := g.ask(ctx, root, input.String())
	if err != nil {
		return nil, err
	}
	for i, q := range questions {
		answers[i] = q != "" && said[q]
	}
	return answers, nil
}

// question returns how to ask git about dir: as a folder, or as the outermost
// link that leads to it. The "./" keeps a leading colon from being magic.
func question(root, dir string) string {
	for end := range len(dir) + 1 {
		if end < len(dir) && dir[end] != '/' {
			continue
		}
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(dir[:end])))
		if err != nil {
			break // not there, so git finds no link either
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return "./" + dir[:end]
		}
	}
	return "./" + dir + "/"
}

// ask returns the set of questions that git answers with yes.
func (g *gitCheck) ask(ctx context.Context, root, input string) (map[string]bool, error) {
	env := gitEnv(g.Environ())
	path := g.Git
	if path == "" {
		path = find("git", env)
	}
	if path == "" {
		return nil, gitFault(root, skills.CodeUnreadable, "there is no git in the directories of PATH", "install git, or leave out Options.Ignored", nil)
	}
	out, errs := new(bytes.Buffer), newCapture(minOutput*10)
	cmd := &exec.Cmd{
		Path: path, Args: gitArgs, Env: env, Dir: root, WaitDelay: patience,
		Stdin: strings.NewReader(input), Stdout: out, Stderr: writerFunc(errs.write),
	}
	exit, err := g.run(ctx, root, cmd)
	if err != nil {
		return nil, err
	}
	if exit == 0 || exit == 1 { // 1: none is ignored
		return lines(out.String()), nil
	}
	why := strings.TrimSpace(errs.text(false))
	if strings.Contains(why, "not a git repository (or any") {
		return nil, nil
	}
	return nil, gitFault(root, skills.CodeUnreadable, "git gave no answer: "+why, "run git check-ignore in this folder to see why", nil)
}

func lines(out string) map[string]bool {
	said := make(map[string]bool)
	for line := range strings.SplitSeq(out, "\x00") {
		said[line] = true
	}
	return said
}

// run runs git to its end and returns its exit code. After an error nobody may
// touch cmd or its writers.
func (g *gitCheck) run(ctx context.Context, root string, cmd *exec.Cmd) (int, error) {
	limited, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	p, err := start(cmd)
	if err != nil {
		return 0, gitFault(root, skills.CodeUnreadable, "git could not be started", "look at the cause: the system refused it", err)
	}
	killed := !p.await(limited)
	exit := p.reap(p.kill())
	switch {
	case !killed:
		return exit, nil
	case ctx.Err() != nil:
		return 0, gitFault(root, skills.CodeCancelled, "the ignore check was stopped", "", ended(ctx))
	}
	return 0, gitFault(root, skills.CodeUnreadable, "git gave no answer within "+g.Timeout.String(),
		"look for ignore files that are pipes or on a slow disk", context.DeadlineExceeded)
}

// gitEnv returns the environment of git: of the host's only what says where
// programs and the user's own configuration are.
func gitEnv(environ []string) []string {
	var env []string
	for _, pair := range inherited(environ) {
		name, _, _ := strings.Cut(pair, "=")
		if name = envName(name); !strings.HasPrefix(name, "SKILL_") && !strings.HasPrefix(name, "CLAUDE_") && !strings.HasPrefix(name, "LC_") {
			env = append(env, pair)
		}
	}
	if dir, ok := lookupEnv(environ, "XDG_CONFIG_HOME"); ok {
		env = append(env, "XDG_CONFIG_HOME="+dir)
	}
	return append(env, "LC_ALL=C", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1")
}

func gitFault(root string, code skills.Code, msg, hint string, err error) *skills.Error {
	e := fault(skills.Command{}, code, msg, hint, err)
	e.Path = root
	return e
}

// A writerFunc is an io.Writer that never fails.
type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}
