#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# "run -- COMMAND" and the workload "command" in suites, on a fake machine.

. tests/cli/runner.sh

mark=8$$ # seconds that no other test sleeps
machine --governors "menu teo"
# command ARGUMENT..: a rehearsal into $tmp/r, which is emptied first.
command_run() {
	rm -rf "$tmp/r"
	run run --root "$tmp/m" --governors menu --repeat 1 --no-report --results "$tmp/r" "$@"
}

dirs() {
	find "$tmp/r"/boots/*/runs -mindepth 1 -maxdepth 1 -type d | sort
}

value() { # NAME, of the first run
	awk -F '\t' -v name="$1" '$1 == name { print $4 }' "$(dirs | head -n 1)/metrics.tsv"
}

sleepers() {
	ps -eo stat=,args= | awk -v mark="$mark" '$1 !~ /^Z/ && $2 == "sleep" && $3 == mark'
}

# wait_for yes|no: until there are such sleeps, or none.
wait_for() {
	for _ in $(seq 500); do
		[ "$([ -n "$(sleepers)" ] && echo yes || echo no)" = "$1" ] && return 0
		sleep 0.02
	done
	return 1
}

command_run -- sh -c 'echo "a ; b"; printf "<%s>" "$@"; sleep 0.2' x "it's" '' $'two\nlines'
ok 'a command is measured' ended 0
dir=$(dirs)
ok 'one run, complete' grep -q '^state = complete$' "$dir/run.ini"
ok 'it got its words' test "$(cat "$dir/output.txt")" = "a ; b
<it's><><two
lines>"
ok 'its run time is the first metric' test "$(sed -n 2p "$dir/metrics.tsv" | cut -f 1)" = run_s
ok 'and the length of the measured part' awk -F ' = ' -v run="$(value run_s)" '
	$1 == "t0_ns" { t0 = $2 } $1 == "t1_ns" { t1 = $2 }
	END { d = (t1 - t0) / 1e9 - run; exit !(run >= 0.2 && d > -0.001 && d < 0.05) }' "$dir/run.ini"
ok 'the suite is called command' grep -q '^suite = command$' "$tmp/r/campaign.ini"
ok 'the scheduler places it' grep -q '^pinned = no$' "$dir/run.ini"
run run --root "$tmp/m" --governors menu --repeat 1 --no-report --results "$tmp/r" -- \
	sh -c 'echo "a ; b"; printf "<%s>" "$@"; sleep 0.2' x "it's" '' $'two\nlines'
ok 'the same command again has nothing to do' test "$status$(dirs | wc -l)" = 01
run run --root "$tmp/m" --governors menu --repeat 1 --results "$tmp/r" -- sh -c other
ok 'another one is another campaign' ended 2 'is another campaign'

command_run -- false
ok 'run -- false: incomplete' ended 3 'is failed: the workload ended with status 1: command: the command ended with status 1'
ok 'its runs are kept as failed' test "$(dirs | grep -c '\.failed-[123]$')" = 3
command_run -- sh -c 'echo out; echo the reason >&2; exit 7'
ok 'the last line on stderr is the reason' ended 3 'the command ended with status 7: the reason'
ok 'the output of a failed run is kept' grep -q '^out$' "$(dirs | head -n 1)/output.txt"
command_run -- nosuch-program-1 --help
ok 'a missing program: said before anything runs' ended 1 'nosuch-program-1: no such program in PATH'
ok 'no result directory' test ! -e "$tmp/r"
command_run --dry-run -- nosuch-program-1
ok 'a dry run warns' ended 0 'warning: [run command]: nosuch-program-1'
command_run --
ok 'no command' ended 2 "no command behind '--'"
command_run --suite smoke -- true
ok 'a suite as well' ended 2 '--suite has no effect'
command_run --warmup 1s -- true
ok 'a warm-up' ended 2 '--warmup has no effect'
command_run true
ok 'a command without --' ended 2

command_run --window 300ms --set 'metric=ops 1/s higher ops ([0-9]+)' --set 'metric=no - none nothing ([0-9])' -- \
	sh -c "echo ops 55; setsid sleep $mark & sleep $mark"
ok 'a window ends it' ended 0
ok 'A-27: with all that it has started' wait_for no
ok 'the picked value is the first metric' test "$(sed -n 2p "$(dirs)/metrics.tsv" | cut -f 1,4)" = 'ops	55'
ok 'one that is not there is a doubt' grep -q '^doubt.* = no value in the output: metric no$' "$(dirs)/run.ini"
ok 'there is no run time' test -z "$(value run_s)"
ok 'the window is the measured part' awk -F ' = ' '$1 == "t0_ns" { t0 = $2 } $1 == "t1_ns" { t1 = $2 }
	END { exit t1 - t0 != 300000000 }' "$(dirs)/run.ini"
command_run --window 60s -- sleep 0.3
ok 'one that ends before its window' ended 0
ok 'the measured part ends with it' awk -F ' = ' '$1 == "t0_ns" { t0 = $2 } $1 == "t1_ns" { t1 = $2 }
	END { exit !(t1 - t0 > 300000000 && t1 - t0 < 20000000000) }' "$(dirs)/run.ini"

printf '%s\n' '[suite]' 'format = 1' 'repeat = 1' '[run a]' 'workload = command' 'shell = yes' \
	"command = setsid sleep $mark &" 'command = echo v 1 |' 'command = cat' 'metric = v us lower ^v ([0-9]+)' \
	>"$tmp/lines.ini"
command_run --suite "$tmp/lines.ini"
ok 'a suite: lines for a shell' ended 0
ok 'A-27: a daemon does not outlive the run' wait_for no
ok 'its value' test "$(value v)" = 1
printf '%s\n' '[suite]' 'format = 1' '[run a]' 'workload = command' 'command = fio x' \
	'package = some-package no-such-fio' >"$tmp/package.ini"
command_run --suite "$tmp/package.ini"
ok 'a package is named' ended 1 '[run a]: no-such-fio is not installed: apt install some-package'

# The runner dies, politely or not.
for signal in INT KILL; do
	rm -rf "$tmp/r"
	"$runner" run --root "$tmp/m" --governors menu --repeat 1 --results "$tmp/r" -- \
		sh -c "setsid sh -c 'sleep $mark & setsid sleep $mark' & sleep $mark" >"$tmp/out" 2>"$tmp/err" </dev/null &
	wait_for yes
	kill -$signal $!
	wait $! 2>/dev/null
	status=$?
	ok "A-27: SIG$signal to the runner: nothing is left" wait_for no
done

for suite in command fio tbench hackbench schbench; do
	run --suite $suite --root "$tmp/m" --governors menu,teo --dry-run
	ok "the example $suite" ended 0
done
done_testing
