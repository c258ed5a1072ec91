#!/usr/bin/env bash
# Runs a command and keeps what it did, as evidence.
#
#   bash capture.sh DIR NAME [-t SECONDS] -- COMMAND [ARGUMENT]...
#
# Writes DIR/NAME.command, NAME.stdout, NAME.stderr and NAME.meta, and ends with
# the exit code of the command. After SECONDS (default 120) the command is ended
# with code 124. It gets no input; use `sh -c` for pipes and redirections.
set -u

usage() {
	sed -n '4p' "$0" | cut -c 5- >&2
	exit 2
}

[ $# -ge 4 ] || usage
dir=$1 name=$2 limit=120
shift 2
if [ "$1" = -t ]; then
	limit=$2
	shift 2
fi
[ "$1" = -- ] && [ $# -ge 2 ] || usage
shift
case $limit in '' | *[!0-9]*) usage ;; esac
case $name in '' | */* | .*) usage ;; esac

mkdir -p -- "$dir" || exit 2
out=$dir/$name
printf '%q ' "$@" >"$out.command"
printf '\n' >>"$out.command"

started=$(date +%s)
set -m # the command gets a process group of its own, which ends as a whole
"$@" >"$out.stdout" 2>"$out.stderr" </dev/null &
pid=$!

# Without `timeout`, which macOS lacks, a second job keeps the time.
(
	pause() {
		sleep "$1" &
		wait $!
	}
	pause "$limit"
	: >"$out.expired"
	kill -TERM -- "-$pid"
	pause 5
	kill -KILL -- "-$pid"
) >/dev/null 2>&1 &
watchdog=$!
disown "$watchdog" # or the shell would report its end

wait "$pid" 2>/dev/null
code=$?
if [ -e "$out.expired" ]; then
	kill -KILL -- "-$pid" 2>/dev/null
	rm -f -- "$out.expired"
	code=124
fi
kill -TERM -- "-$watchdog" 2>/dev/null

{
	printf 'exit %s\n' "$code"
	printf 'seconds %s\n' "$(($(date +%s) - started))"
	printf 'directory %s\n' "$PWD"
	printf 'stdout %s bytes\n' "$(wc -c <"$out.stdout" | tr -d ' ')"
	printf 'stderr %s bytes\n' "$(wc -c <"$out.stderr" | tr -d ' ')"
} >"$out.meta"
printf '%s: exit %s\n' "$name" "$code"
exit "$code"
