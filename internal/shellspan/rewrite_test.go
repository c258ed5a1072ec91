package shellspan

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRewrite has a row for each line of the table in 04 §4: what a place
// becomes.
func TestRewrite(t *testing.T) {
	for _, row := range []struct {
		reason, text, args string
		want               string
		env                []string
	}{
		{"no placeholder: byte for byte", "echo 'a\r\n\"", "x", "echo 'a\r\n\"", nil},
		{"unquoted $ARGUMENTS in arguments: a word for each", "ls $ARGUMENTS", `a "b c"`, `ls "${SKILL_ARG_0}" "${SKILL_ARG_1}"`, []string{"SKILL_ARG_0=a", "SKILL_ARG_1=b c"}},
		{"glued to other text", "ls --x=$ARGUMENTS.y", "a b", `ls --x="${SKILL_ARG_0}" "${SKILL_ARG_1}".y`, []string{"SKILL_ARG_0=a", "SKILL_ARG_1=b"}},
		{"in for", "for x in $ARGUMENTS; do :; done", "a b", `for x in "${SKILL_ARG_0}" "${SKILL_ARG_1}"; do :; done`, []string{"SKILL_ARG_0=a", "SKILL_ARG_1=b"}},
		{"in an array", "x=($ARGUMENTS)", "a b", `x=("${SKILL_ARG_0}" "${SKILL_ARG_1}")`, []string{"SKILL_ARG_0=a", "SKILL_ARG_1=b"}},
		{"assignment: one word", "x=$ARGUMENTS", "a b", `x="${SKILL_ARGUMENTS}"`, []string{"SKILL_ARGUMENTS=a b"}},
		{"redirection", "ls > $ARGUMENTS", "a b", `ls > "${SKILL_ARGUMENTS}"`, []string{"SKILL_ARGUMENTS=a b"}},
		{"case", "case $ARGUMENTS in $0) ;; esac", "a b", `case "${SKILL_ARGUMENTS}" in "${SKILL_ARG_0}") ;; esac`, []string{"SKILL_ARGUMENTS=a b", "SKILL_ARG_0=a"}},
		{"[[", "[[ $ARGUMENTS == x ]]", "a b", `[[ "${SKILL_ARGUMENTS}" == x ]]`, []string{"SKILL_ARGUMENTS=a b"}},
		{"here-string", "cat <<< $ARGUMENTS", "a b", `cat <<< "${SKILL_ARGUMENTS}"`, []string{"SKILL_ARGUMENTS=a b"}},
		{"${…}", "echo ${x:-$ARGUMENTS}", "a b", `echo ${x:-"${SKILL_ARGUMENTS}"}`, []string{"SKILL_ARGUMENTS=a b"}},
		{"unquoted $N, $ARGUMENTS[N], $name", "ls $1 $ARGUMENTS[0] $c", "a b", `ls "${SKILL_ARG_1}" "${SKILL_ARG_0}" "${SKILL_ARG_1}"`, []string{"SKILL_ARG_0=a", "SKILL_ARG_1=b"}},
		{"inside double quotes", `echo "x $ARGUMENTS $0"`, "a b", `echo "x ${SKILL_ARGUMENTS} ${SKILL_ARG_0}"`, []string{"SKILL_ARGUMENTS=a b", "SKILL_ARG_0=a"}},
		{"unquoted here-document", "cat <<E\n$0\nE", "a", "cat <<E\n${SKILL_ARG_0}\nE", []string{"SKILL_ARG_0=a"}},
		{`"${x:-'…'}"`, `echo "${x:-'$0'}"`, "a", `echo "${x:-'${SKILL_ARG_0}'}"`, []string{"SKILL_ARG_0=a"}},
		{"inside '…'", "echo 'x $0 y'", "a", `echo 'x '"${SKILL_ARG_0}"' y'`, []string{"SKILL_ARG_0=a"}},
		{"inside $'…'", `echo $'x\n$0'`, "a", `echo $'x\n'"${SKILL_ARG_0}"$''`, []string{"SKILL_ARG_0=a"}},
		{"quoted here-document", "cat <<'E'\n$0 $x `y` \\z\nE", "a", "cat <<E\n${SKILL_ARG_0} \\$x \\`y\\` \\\\z\nE", []string{"SKILL_ARG_0=a"}},
		{"comment", "ls # $0", "a", "ls # $0", nil},
		{"escaped: the shell needs the backslash", `echo \$0 $0`, "a", `echo \$0 "${SKILL_ARG_0}"`, []string{"SKILL_ARG_0=a"}},
		{"escaped in '…'", `awk '{print \$1}'`, "a b", `awk '{print $1}'`, nil},
		{"escaped in a command that does not parse", `echo \$0 "`, "a", `echo \$0 "`, nil},
		{"no arguments: no word", "ls $ARGUMENTS $third", "", "ls ${SKILL_NONE-} ${SKILL_NONE-}", nil},
		{"blanks are no arguments", "ls $ARGUMENTS", "  ", "ls ${SKILL_NONE-}", nil},
		{"no such word in '…', quoted here-document, comment", "awk '{print $5}' <<'E' # $5\n$5\nE", "a", "awk '{print $5}' <<'E' # $5\n$5\nE", nil},
		{"no such word elsewhere", `ls $5 "$5"`, "a", `ls ${SKILL_NONE-} "${SKILL_NONE-}"`, nil},
		{"no such word in arithmetic is 0", "echo $(( $5 + 1 ))", "a", "echo $(( ${SKILL_NONE-0} + 1 ))", nil},
		{"variable", "ls ${CLAUDE_SKILL_DIR}", "", `ls "${CLAUDE_SKILL_DIR}"`, []string{"CLAUDE_SKILL_DIR=/s"}},
		{"variable in command position", `"${CLAUDE_SKILL_DIR}/x" $0`, "a", `"${CLAUDE_SKILL_DIR}/x" "${SKILL_ARG_0}"`, []string{"CLAUDE_SKILL_DIR=/s", "SKILL_ARG_0=a"}},
		{"a variable without a value is the author's", "ls ${CLAUDE_OTHER}", "a", "ls ${CLAUDE_OTHER}", nil},
		{"arithmetic takes a number", "echo $(( $0 + 1 ))", "41", "echo $(( ${SKILL_ARG_0} + 1 ))", []string{"SKILL_ARG_0=41"}},
		{"the name of a variable", "unset $0", "abc", `unset "${SKILL_ARG_0}"`, []string{"SKILL_ARG_0=abc"}},
		{"evaluated text takes safe words", `eval "echo $ARGUMENTS"`, "a b", `eval "echo ${SKILL_ARGUMENTS}"`, []string{"SKILL_ARGUMENTS=a b"}},
		{"program text takes words", `awk "/$0/"`, "ab", `awk "/${SKILL_ARG_0}/"`, []string{"SKILL_ARG_0=ab"}},
		{"input of an interpreter takes numbers", `echo "$0" | sh`, "7", `echo "${SKILL_ARG_0}" | sh`, []string{"SKILL_ARG_0=7"}},
		{"only what is used is exported", "echo $1", "a b c", `echo "${SKILL_ARG_1}"`, []string{"SKILL_ARG_1=b"}},
	} {
		v := valuesOf(row.args, "/s")
		r, err := Rewrite(spanOf(t, row.text), v, Bash)
		if assert.NoError(t, err, row.reason) {
			assert.Equal(t, row.want, r.Text, row.reason)
			assert.Equal(t, row.env, r.Env, row.reason)
		}
	}
}

// TestRefused has a row for each kind of refusal (04 §4).
func TestRefused(t *testing.T) {
	for _, row := range []struct {
		reason, text, args string
		want               Reason
	}{
		{"command position", "$0 x", "ls", CommandPosition},
		{"command position behind a wrapper", "env A=1 $0", "ls", CommandPosition},
		{"command position behind timeout", "timeout 5 $0", "ls", CommandPosition},
		{"command position behind xargs", "echo x | xargs $0", "ls", CommandPosition},
		{"command position behind find -exec", `find . -exec $0 {} \;`, "ls", CommandPosition},
		{"script operand", "bash $0", "x.sh", CommandPosition},
		{"source", ". $0", "x.sh", CommandPosition},
		{"compgen", "compgen -W $0", "x", UnsafePlace},
		{"delimiter of a here-document", "cat <<$0\nx\n$0", "x", Unparsed},
		{"name of a function", "function $0 { :; }", "x", Unparsed},
		{"extglob", "echo @($0)", "x", UnsafePlace},
		{"$$0", "echo $$0", "x", UnsafePlace},
		{"text that does not parse", `echo "$0`, "x", Unparsed},
		{"carriage return", "echo $0\r\n", "x", Unparsed},
		{"assignment to BASH_ENV", "BASH_ENV=$0 bash x.sh", "x", ProtectedName},
		{"assignment to a pager", "export GIT_PAGER=$0", "x", ProtectedName},
		{"arithmetic", "echo $(($0))", "x", BadValue},
		{"comparison of numbers", "[[ $0 -eq 1 ]]", "x", BadValue},
		{"index", "a[$0]=1", "x", BadValue},
		{"slice", "echo ${x:$0}", "x", BadValue},
		{"let", "let x=$0", "x", BadValue},
		{"[[ -v", "[[ -v $0 ]]", "a[1]", BadValue},
		{"printf -v", "printf -v $0 x", "a[1]", BadValue},
		{"read", "read $0", "a[1]", BadValue},
		{"unset", "unset $0", "a[1]", BadValue},
		{"mapfile", "mapfile $0", "a[1]", BadValue},
		{"computed declare", "declare $0=1", "a[1]", BadValue},
		{"eval", "eval echo $0", "';x'", BadValue},
		{"sh -c", "sh -c 'echo $0'", "';x'", BadValue},
		{"sh -c behind wrappers", "nice env timeout 5 bash -lc 'echo $0'", "';x'", BadValue},
		{"ssh", "ssh host ls $0", "';x'", BadValue},
		{"su", "su -c 'ls $0'", "';x'", BadValue},
		{"trap", "trap 'echo $0' EXIT", "';x'", BadValue},
		{"a blank where it ends a word", "eval x=$0", "'a b'", BadValue},
		{"awk", `awk "/$0/"`, "a.b", BadValue},
		{"the start of a program", `awk "$0"`, "a", CommandPosition},
		{"sed outside of s", `sed "$0p"`, "a", BadValue},
		{"sed inside of s", `sed "s/x/$0/"`, "a/b", BadValue},
		{"perl", `perl -e "print '$0'"`, "a'b", BadValue},
		{"python", `python3 -c "print('$0')"`, "a-b", BadValue},
		{"pipe into a shell", "echo $0 | sh", "x", SpanRule},
		{"here-document of a shell", "sh <<E\n$0\nE", "x", SpanRule},
		{"process substitution", "bash <(echo $0)", "x", SpanRule},
		{"make -f -", "echo $0 | make -f -", "x", SpanRule},
		{"eval fed by a variable", `x=$0; eval "$x"`, "x", SpanRule},
		{"source fed by output", `. "$(echo $0)"`, "x", SpanRule},
		{"@P", `x=$0; echo "${x@P}"`, "x", SpanRule},
		{"computed command", "x=$0; $x", "x", SpanRule},
		{"written and run", "echo $0 > f; sh f", "x", SpanRule},
		{"arithmetic with variables", "x=$0; echo $((x))", "a[1]", SpanRule},
		{"${!x}", "x=$0; echo ${!x}", "a[1]", SpanRule},
		{"find", "find . $ARGUMENTS", "-exec x", UnsafeOption},
		{"git", "git grep $0", "-Ox", UnsafeOption},
		{"tar", "tar cf x.tar $ARGUMENTS", "--use-compress=x", UnsafeOption},
		{"sort", "sort $0", "--compress-prog=x", UnsafeOption},
		{"rg", "rg $0", "--pre=x", UnsafeOption},
		{"ssh option", "ssh $0 ls", "-oProxyCommand=x", UnsafeOption},
		{"rsync option", "rsync $0 x", "-ex", UnsafeOption},
		{"here-document: a line is the delimiter", "cat <<'EOF'\n$ARGUMENTS\nEOF", "ok\nEOF\nx", BadValue},
		{"NUL", "echo $0", "a\x00b", BadValue},
		{"100 kB", "echo $0", strings.Repeat("x", 100_001), BadValue},
		{"a protected name", "printf -v $0 x", "PATH", BadValue},
	} {
		_, err := Rewrite(spanOf(t, row.text), valuesOf(row.args, "/s"), Bash)
		r := new(Refusal)
		if assert.ErrorAs(t, err, &r, row.reason) {
			assert.Equal(t, row.want, r.Reason, "%s: %v", row.reason, r)
			assert.NotEmpty(t, r.Hint, row.reason)
			assert.NotContains(t, r.Error(), "SKPH", row.reason)
			assert.NotContains(t, r.Error(), strings.Repeat("x", 100), row.reason)
		}
	}
}

// TestRefusalNames shows that a refusal names the placeholder and its line in
// the body, here behind the opening fence (04 §4).
func TestRefusalNames(t *testing.T) {
	_, err := Rewrite(spanOf(t, "ls\n\nfoo\neval $target"), valuesOf("a b ls", "/s"), Bash)
	r := new(Refusal)
	require.ErrorAs(t, err, &r)
	assert.Equal(t, "$target", r.Placeholder)
	assert.Equal(t, 5, r.Line)
	assert.Equal(t, CommandPosition, r.Reason)
	assert.True(t, strings.HasPrefix(err.Error(), "line 5: $target: "), err.Error())
}

// TestPowerShell shows that PowerShell spans run only without placeholders.
func TestPowerShell(t *testing.T) {
	r, err := Rewrite(spanOf(t, "Get-ChildItem `x"), valuesOf("a", "/s"), PowerShell)
	require.NoError(t, err)
	assert.Equal(t, "Get-ChildItem `x", r.Text)
	_, err = Rewrite(spanOf(t, "Get-ChildItem $0"), valuesOf("a", "/s"), PowerShell)
	var refusal *Refusal
	require.True(t, errors.As(err, &refusal))
	assert.Equal(t, PowerShellSpan, refusal.Reason)
}

// TestReplaced shows when a value reached the command (04 §3).
func TestReplaced(t *testing.T) {
	for _, row := range []struct {
		text, args string
		want       bool
	}{
		{"echo $0", "a", true},
		{"echo '$ARGUMENTS'", "a", true},
		{"echo # $ARGUMENTS", "a", false},
		{"echo $5", "a", false},
		{"ls ${CLAUDE_SKILL_DIR}", "a", false},
		{"ls", "a", false},
	} {
		r, err := Rewrite(spanOf(t, row.text), valuesOf(row.args, "/s"), Bash)
		require.NoError(t, err, row.text)
		assert.Equal(t, row.want, r.Replaced, row.text)
	}
}
