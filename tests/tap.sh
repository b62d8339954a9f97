# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# TAP for the shell tests: source it first. Gives $tmp (removed at the end), $build, $top.
#   try COMMAND...      runs it: output in $tmp/out (stdout and stderr), status in $status
#   ok STATUS NAME      one TAP line; a failure shows $tmp/out
#   said PATTERN        does the output of the last try hold this extended regular expression?
#   refused_by COMMAND PATTERN ARGUMENT...  one TAP line: exit status 2, and this is said; COMMAND is one that tries
#   skip_all REASON     ends the test as skipped
#   allowed_cpus        prints the CPUs that this test may use, ascending, on one line
#   done_testing        the plan; last line of every test

# "sudo make check" tests what root does; what sudo does has tests of its own.
unset SUDO_UID SUDO_GID
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "$top" && realpath "${BUILD:-build}")
tmp=$(mktemp -d) || exit 1
tap_count=0
trap 'tap_end' EXIT
tap_end() {
	rm -rf "$tmp"
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

try() {
	"$@" >"$tmp/out" 2>&1 </dev/null
	status=$?
}

said() {
	grep -qE -- "$1" "$tmp/out"
}

ok() {
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_count - $2"
	else
		echo "not ok $tap_count - $2"
		[ ! -e "$tmp/out" ] || tail -20 "$tmp/out" | sed 's/^/# /'
	fi
}

refused_by() {
	local command=$1 text=$2

	shift 2
	"$command" "$@"
	[ "$status" = 2 ] && said "$text"
	ok $? "refused: $text"
}

allowed_cpus() {
	taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' |
		awk -F - '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }' | tr '\n' ' '
}

done_testing() {
	echo "1..$tap_count"
}
