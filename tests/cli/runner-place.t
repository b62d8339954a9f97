#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Help and lists, and that the program finds its own things from wherever it is called.

. tests/cli/runner.sh

machine --governors 'menu teo' --governor teo
analysis=$(dirname "$runner")/analysis

# On stdout, within 80 columns, nothing on stderr.
helps() {
	[ "$status" = 0 ] && [ -s "$tmp/out" ] && [ ! -s "$tmp/err" ] && ! grep -q '.\{81\}' "$tmp/out"
}

run --help
ok '--help' helps
cp "$tmp/out" "$tmp/help"
run -h
ok '-h is the same' cmp -s "$tmp/out" "$tmp/help"
run help
ok 'help is the same' cmp -s "$tmp/out" "$tmp/help"
verbs=$(sed -n '/^Verbs:$/,/^$/s/^  \([a-z]*\) .*/\1/p' "$tmp/help")
ok 'it names the verbs' test "$(echo "$verbs" | grep -cx 'run\|list\|status\|restore\|report')" = 5
for verb in $verbs; do
	run "$verb" --help
	ok "$verb --help" helps
	ok "$verb --help begins with the usage" grep -q "^Usage: runner \[*$verb" "$tmp/out"
done
run --suite smoke --help
ok '--help wins over a run' helps
run
ok 'no argument: usage' test $status = 2
run --version
ok '--version' grep -qx 'idle-runner [0-9.]*' "$tmp/out"
# shellcheck disable=SC2024
"$runner" --help >/dev/full 2>"$tmp/err"
ok 'a full disk is no success' test $? = 1

run list suites
ok 'list suites' ended 0
ok 'has every file of configs' test "$(awk '{ print $1 }' "$tmp/out")" = "$(basename -s .ini configs/*.ini)"
ok 'with what it is about' grep -q '^  smoke  *A short run' "$tmp/out"
run list workloads
ok 'list workloads' ended 0
ok 'has every row of workloads.def' test "$(awk '{ print $1 }' "$tmp/out")" = \
	"$(sed -n 's/^WORKLOAD(\([a-z0-9_]*\)).*/\1/p' workloads/workloads.def | tr _ -)"
run list governors --root "$tmp/m"
ok 'list governors' ended 0
ok 'marks the one in use' grep -qx '  teo  *(in use)' "$tmp/out"
ok 'has the other' grep -qx '  menu *' "$tmp/out"
ok 'has the driver' grep -qx '  idle driver: intel_idle' "$tmp/out"
if [ -x "$analysis" ]; then
	run list figures
	ok 'list figures' ended 0
	ok 'names some' test "$(wc -l <"$tmp/out")" -ge 3
	run list --root "$tmp/m"
	ok 'list' ended 0
	kinds=$(sed -n 's/^\([a-z]*\):$/\1/p' "$tmp/out" | tr '\n' ' ')
	ok "has all kinds: $kinds" test "$kinds" = 'suites workloads governors events figures machines '
fi

# From elsewhere, by its path and through a link.
suite short '[run quiet]' 'workload = idle'
mkdir "$tmp/elsewhere" "$tmp/bin"
ln -s "$runner" "$tmp/bin/idle-runner"
for program in "$runner" "$tmp/bin/idle-runner"; do
	(cd "$tmp/elsewhere" && "$program" --root ../m --suite smoke --governors menu --dry-run) >"$tmp/out" 2>"$tmp/err"
	status=$?
	ok 'another directory: finds its suites' ended 0
	(cd "$tmp/elsewhere" && "$program" --root ../m --suite ../short.ini --governors menu --results r \
		--no-report) >"$tmp/out" 2>"$tmp/err"
	status=$?
	ok 'another directory: finds its workloads' ended 0
	ok 'another directory: the results are where they were asked' test -f "$tmp/elsewhere/r/campaign.ini"
	rm -rf "$tmp/elsewhere/r"
done

# The launcher of a tree that was not made.
mkdir "$tmp/tree"
cp -p runner "$tmp/tree/"
(cd / && "$tmp/tree/runner" --help) >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'the launcher of a tree without build/ says what to do' test $status != 0
ok 'namely make' grep -q 'make' "$tmp/err"

done_testing
