package shellspan

import "strings"

// isProtected reports whether shells, linkers or common programs run what the
// variable of that name says, look for programs or settings where it says, or
// compute when it is assigned (04 §4, assignment row).
func isProtected(name string) bool {
	if protectedNames[name] {
		return true
	}
	for _, p := range protectedPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	for _, s := range protectedSuffixes {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return false
}

var protectedPrefixes = []string{
	"SKILL_", "CLAUDE_", // the library's own
	"BASH_", "COMP_", "LD_", "DYLD_", "GIT_", "PYTHON", "PERL", "RUBY", "NODE_", "LUA_",
	"NPM_", "npm_", "PIP_", "CARGO", "RUST", "GO", "XDG_", "DOCKER_", "PHP", "JULIA", "R_",
	"BUNDLE_", "GEM_", "OPENSSL_", "EMACS", "FZF_", "RSYNC_", "AWK", "MAKE", "JAVA", "_JAVA",
	"JDK_", "MAVEN_", "GRADLE_", "UV_", "YARN_", "BUN_", "DENO_", "SSH_", "CURL_", "GIO_", "GTK_",
	"QT_", "SUDO_", "MALLOC_", "GCONV_", "KUBE", "TF_", "ANSIBLE_", "VIM", "EPOCH", "LESS", "PS",
}

var protectedSuffixes = []string{
	"PAGER", "EDITOR", "BROWSER", "SHELL", "_OPTIONS", "_OPTS", "_COMMAND", "_ASKPASS", "_RSH", "FLAGS",
}

var protectedNames = set(
	// shells: what they run, read and split by
	"BASHOPTS", "CDPATH", "ENV", "EXECIGNORE", "FCEDIT", "FPATH", "GLOBIGNORE", "HISTFILE", "HOME", "IFS",
	"INPUTRC", "OPTARG", "PATH", "PATH_HELPER", "POSIXLY_CORRECT", "SHELLOPTS", "ZDOTDIR", "_",
	// shells: assigned as arithmetic
	"BASHPID", "COLUMNS", "DIRSTACK", "EUID", "FUNCNEST", "HISTCMD", "LINENO", "LINES", "OPTERR", "OPTIND",
	"PPID", "RANDOM", "SECONDS", "SRANDOM", "TMOUT", "UID",
	// programs
	"AR", "AS", "CC", "CLASSPATH", "CPP", "CXX", "DEBUGGER", "EXINIT", "GNUMAKEFLAGS", "HOSTALIASES", "LD",
	"LOCPATH", "MANOPT", "MANPATH", "MYVIMRC", "NLSPATH", "PKG_CONFIG", "RIPGREP_CONFIG_PATH", "TERMCAP",
	"TERMINFO", "VISUAL", "WGETRC", "TAPE",
)

// set returns the set of words.
func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
