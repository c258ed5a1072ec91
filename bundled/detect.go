package bundled

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A language is one that a project may be written in.
type language struct {
	name, reference string
	words           []string // by which a user names it
	manifests, exts []string
}

// languages are in the order that decides a tie.
func languages() []language {
	return []language{
		{"Go", "go", []string{"go", "golang"}, []string{"go.mod", "go.work"}, []string{".go"}},
		{
			"Python", "python",
			[]string{"python", "py"},
			[]string{"pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "Pipfile"},
			[]string{".py", ".ipynb"},
		},
		{
			"TypeScript or JavaScript", "typescript",
			[]string{"typescript", "ts", "javascript", "js", "node"},
			[]string{"package.json", "tsconfig.json", "deno.json"},
			[]string{".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs"},
		},
		{"Java", "curl", []string{"java"}, []string{"pom.xml", "build.gradle", "build.gradle.kts"}, []string{".java", ".kt"}},
		{"Ruby", "curl", []string{"ruby"}, []string{"Gemfile"}, []string{".rb"}},
		{"Rust", "curl", []string{"rust"}, []string{"Cargo.toml"}, []string{".rs"}},
		{"PHP", "curl", []string{"php"}, []string{"composer.json"}, []string{".php"}},
		{"C#", "curl", []string{"c#", "csharp"}, nil, []string{".cs"}},
		{"curl", "curl", []string{"curl", "http", "rest", "shell"}, nil, nil},
	}
}

// named returns the language that a word of the user stands for.
func named(word string) (language, bool) {
	all := languages()
	i := slices.IndexFunc(all, func(l language) bool { return slices.Contains(l.words, strings.ToLower(word)) })
	if i < 0 {
		return language{}, false
	}
	return all[i], true
}

// A detection is the language of a project. Its evidence is "" if there is none,
// and the language then is curl.
type detection struct {
	language language
	evidence string
}

// detectLanguage looks for the project's language: the manifests in dir or, up
// to the repository's root, the nearest parent that has any; among several, or
// without one, the language with most source files.
func detectLanguage(dir string) detection {
	for d := range upward(dir) {
		found, names := manifestsIn(d)
		if len(found) == 1 {
			return detection{found[0], names[0]}
		}
		if len(found) > 1 {
			l, n := mostFiles(d, found)
			return detection{l, fmt.Sprintf("%s, and %d source files of its kind", strings.Join(names, ", "), n)}
		}
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			break
		}
	}
	if l, n := mostFiles(orHere(dir), languages()); n > 0 {
		return detection{l, fmt.Sprintf("%d source files of its kind", n)}
	}
	l, _ := named("curl")
	return detection{language: l}
}

// manifestsIn returns the languages that have a manifest in dir, and these.
func manifestsIn(dir string) (found []language, names []string) {
	for _, l := range languages() {
		i := slices.IndexFunc(l.manifests, func(m string) bool {
			fi, err := os.Stat(filepath.Join(dir, m))
			return err == nil && fi.Mode().IsRegular()
		})
		if i >= 0 {
			found, names = append(found, l), append(names, l.manifests[i])
		}
	}
	return found, names
}

const (
	maxCounted = 2_000 // directory entries looked at
	maxDeep    = 3     // levels of folders
)

// mostFiles returns which of the candidates has most source files in dir, and
// how many.
func mostFiles(dir string, candidates []language) (language, int) {
	c := counter{exts: make(map[string]int), left: maxCounted}
	c.count(dir, 1)
	best, most := candidates[0], 0
	for _, l := range candidates {
		n := 0
		for _, e := range l.exts {
			n += c.exts[e]
		}
		if n > most {
			best, most = l, n
		}
	}
	return best, most
}

// A counter counts files by their extension, breadth before depth.
type counter struct {
	exts map[string]int
	left int
}

func (c *counter) count(dir string, level int) {
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	list, _ := f.ReadDir(max(1, c.left))
	f.Close()
	slices.SortFunc(list, func(a, b os.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	c.left -= len(list)
	var folders []string
	for _, e := range list {
		switch {
		case e.Type().IsRegular():
			c.exts[strings.ToLower(filepath.Ext(e.Name()))]++
		case e.IsDir() && !foreign(e.Name()):
			folders = append(folders, e.Name())
		}
	}
	for _, name := range folders {
		if level < maxDeep && c.left > 0 {
			c.count(filepath.Join(dir, name), level+1)
		}
	}
}

// foreign reports whether a folder holds what others wrote.
func foreign(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "vendor", "third_party", "venv", "dist", "build", "target", "testdata"}, name)
}
