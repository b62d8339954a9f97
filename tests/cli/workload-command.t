#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The workload "command" alone: how programs end, what is picked from their output, and that nothing of them is left
# (A-27). Processes are recognised by the odd length of their sleep.

. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"

program=$build/workloads/command
mark=9$$ # seconds that no other test sleeps

# The sleeps of this test that are not zombies.
sleepers() {
	ps -eo stat=,args= | awk -v mark="$mark" '$1 !~ /^Z/ && $2 == "sleep" && $3 == mark'
}

none_left() {
	for _ in $(seq 250); do
		[ -z "$(sleepers)" ] && return 0
		sleep 0.02
	done
	sleepers >>"$tmp/out"
	return 1
}

some_there() {
	for _ in $(seq 250); do
		[ -n "$(sleepers)" ] && return 0
		sleep 0.02
	done
	return 1
}

# try_command OPTION...: as under the runner, with files; value NAME is one of its metrics.
try_command() {
	rm -rf "$tmp/files"
	try "$program" --output "$tmp/files" "$@"
}

value() {
	awk -F '\t' -v name="$1" '$1 == name { print $4 }' "$tmp/files/metrics.tsv"
}

between() { # LOW VALUE HIGH
	awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value != "" && value >= low && value <= high) }'
}

shell() {
	try_command --shell yes --command "$@"
}

# How it ends.
try_command --command 'sleep 0.3'
[ $status = 0 ] && between 0.3 "$(value run_s)" 5 && [ "$(value ended_by_window)" = 0 ]
ok $? "run time of a command that ends"
[ "$(head -n 2 "$tmp/files/metrics.tsv" | tail -n 1 | cut -f 1)" = run_s ]
ok $? "it is the headline"
shell 'echo one; echo two >&2; exit 3'
[ $status = 1 ] && said 'command: the command ended with status 3: two$'
ok $? "status 3: the run failed, with the last line of stderr"
[ "$(sort "$tmp/files/output.txt" | tr '\n' ' ')" = 'one two ' ] && [ ! -e "$tmp/files/metrics.tsv" ]
ok $? "its output is kept, no figure is made of it"
shell 'echo only this; exit 1'
[ $status = 1 ] && said 'ended with status 1: only this$'
ok $? "without stderr the last line of stdout is shown"
# shellcheck disable=SC2016
shell 'kill -SEGV $$'
[ $status = 1 ] && said 'the command was killed by signal 11 '
ok $? "killed by a signal: the run failed"
try_command --command 'nosuch-program-1'
[ $status = 1 ] && said 'nosuch-program-1: no such program in PATH$'
ok $? "a program that is not there"
try_command --command 'nosuch-program-1' --package some
[ $status = 1 ] && said 'nosuch-program-1 is not installed: apt install some$'
ok $? "its package is named"
echo '#!/no/such/interpreter' >"$tmp/script"
chmod +x "$tmp/script"
try_command --command "$tmp/script"
[ $status = 1 ] && said "cannot run '.*/script': No such file"
ok $? "a file that the kernel will not execute"
try "$program" --command 'echo hello'
[ $status = 0 ] && said '^hello$' && said 'run_s .* s +lower'
ok $? "alone it prints a table and what the command printed"
for case in '--warmup 1s --command true|warmup has no effect' '--shell yes|command: is missing' \
	'--command true --command|needs a value' '--command true --shell no --shell no|given twice'; do
	# shellcheck disable=SC2086
	try "$program" ${case%|*}
	[ $status = 2 ] && said "${case#*|}"
	ok $? "usage: ${case%|*}"
done

# What it gets.
# shellcheck disable=SC2016
try_command --command 'sh -c '\''printf "%s|" "$@" >&2; cat; exit 1'\'' x "a b"' --command "it\\'s"
[ $status = 1 ] && said ': a b\|it.s\|$'
ok $? "words arrive as they are quoted; stdin is empty"
# 32 and 33 are the C library's own; make leaves them ignored in what it starts, and make is wherever a test runs.
printf 'all:\n\t+@exec %s --shell yes --command %s\n' "$program" \
	\''grep ^SigIgn: /proc/self/status; exit 1'\' | sed 's/\$/$$/g' >"$tmp/makefile"
try env -u MAKEFLAGS make -f "$tmp/makefile"
said 'SigIgn:.0{16}$'
ok $? "no signal is ignored when make started us"
shell 'grep -E "^Sig(Blk|Ign):" /proc/self/status | tr -d "\n"; ls /proc/self/fd | wc -l; exit 1'
said 'SigBlk:.0{16}SigIgn:.0{16}4$'
ok $? "no signal is blocked or ignored, no descriptor is passed on"
for slack in '50000 ' '1000 --timer-slack 1us'; do
	# shellcheck disable=SC2086
	try_command --command 'true' ${slack#* }
	[ "$(value timer_slack_ns)" = "${slack%% *}" ]
	ok $? "A-06: timer slack ${slack%% *} ns"
done
first=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
shell 'grep ^Cpus_allowed_list: /proc/self/status; exit 1' --cpus "$first"
said "Cpus_allowed_list:.$first\$"
ok $? "bound to the CPUs that are given"

# CPU time is that of all descendants, also of those that nobody waited for.
shell "i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done"
direct=$(value cpu_s)
shell "(i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done) & wait"
between "$(awk -v d="$direct" 'BEGIN { print d / 3 }')" "$(value cpu_s)" "$(awk -v d="$direct" 'BEGIN { print d * 3 }')"
ok $? "CPU time of a child: $(value cpu_s) s, its own: $direct s"
shell "setsid sh -c '(i=0; while :; do i=\$((i + 1)); done) & exit' ; sleep 0.6"
between 0.02 "$(value cpu_s)" 1.5 && [ "$(value left_processes)" = 1 ]
ok $? "CPU time of a daemon that still runs counts: $(value cpu_s) s"

# Values from the output.
shell 'echo "ops 10"; echo "ops 20.5"; echo "lat: 7 us"' --metric 'ops 1/s higher ^ops ([0-9.]+)' \
	--metric 'lat us lower lat: ([0-9]+) us' --metric 'none_such - none no ([0-9]+)'
[ $status = 0 ] && [ "$(tail -n 3 "$tmp/files/metrics.tsv" | tr '\t\n' ' ;')" = \
	'ops 1/s higher 20.5;lat us lower 7;none_such  none ;' ]
ok $? "several metrics, the last match of each; what does not match is NA"
said '^warning: metric none_such: nothing in the output matches$'
ok $? "and a warning"
shell 'echo "x 0.000012345"' --metric 'x s lower x ([0-9.]+)'
[ "$(value x)" = 1.2345e-05 ]
ok $? "no digit of a value is lost"
limit=120000
(ulimit -v $limit && "$program" --help >/dev/null 2>&1) || limit=unlimited # a sanitizer takes terabytes
(
	ulimit -v $limit
	shell 'head -c 100000000 /dev/zero | tr "\0" "\n"; echo "last 7"' --metric 'last - none last ([0-9])'
	echo $status >"$tmp/status"
)
[ "$(cat "$tmp/status")" = 0 ] && [ "$(value last)" = 7 ] && [ "$(value output_bytes)" = 100000007 ]
ok $? "100 MB of output within an address space of $limit KiB"
size=$(stat -c %s "$tmp/files/output.txt")
[ "$size" -gt 1048576 ] && [ "$size" -lt 1048700 ] && grep -q '^\[\.\.\. 98951431 bytes are not kept \.\.\.\]$' "$tmp/files/output.txt"
ok $? "1 MiB of it is kept, and says what is not: $size bytes"

# The window.
try_command --command "sleep $mark" --window 300ms
[ $status = 0 ] && [ -z "$(value run_s)" ] && [ "$(value ended_by_window)" = 1 ] && none_left
ok $? "a window ends what does not end; there is no run time then"
shell "echo v 5; sleep $mark" --window 300ms --metric 'v - none v ([0-9])'
[ $status = 0 ] && [ "$(sed -n 2p "$tmp/files/metrics.tsv" | cut -f 1,4)" = "v	5" ] && none_left
ok $? "with a window the picked value is the headline"
try_command --command 'sleep 0.2' --window 60s
[ $status = 0 ] && between 0.2 "$(value run_s)" 10 && [ "$(value ended_by_window)" = 0 ]
ok $? "a window that is not used up: the run time counts"
shell 'exit 5' --window 60s
[ $status = 1 ] && said 'ended with status 5'
ok $? "a failure within the window is one"
start=$SECONDS
shell "trap '' TERM; echo ready; while :; do sleep $mark; done" --window 300ms
[ $status = 0 ] && [ $((SECONDS - start)) -ge 2 ] && none_left
ok $? "A-27: one that ignores TERM is killed 2 s later"
shell "trap 'echo told; exit 0' TERM; echo ready; sleep $mark & wait" --window 300ms
[ $status = 0 ] && grep -q told "$tmp/files/output.txt" && none_left
ok $? "it is told by TERM first"

# Nothing is left, however it hides and whoever is killed.
shell "setsid sh -c 'sleep $mark & setsid sleep $mark & exit' & sleep 0.2; echo fine"
[ $status = 0 ] && none_left
ok $? "A-27: daemons in sessions of their own"
shell "setsid setsid nohup sh -c 'trap \"\" TERM HUP INT; (sleep $mark; sleep $mark) & sleep $mark' >/dev/null 2>&1 & sleep 0.2" --window 60s
[ $status = 0 ] && none_left
ok $? "A-27: daemons that ignore signals"
shell "setsid sleep $mark & sleep 0.2; exit 9"
[ $status = 1 ] && none_left
ok $? "A-27: daemons of a command that failed"
for signal in INT TERM HUP KILL; do
	"$program" --shell yes --command "setsid sh -c 'setsid sleep $mark & sleep $mark' & sleep $mark" >"$tmp/out" 2>&1 &
	main=$!
	some_there
	sleep 0.1
	kill -$signal $main
	wait $main 2>/dev/null
	status=$?
	[ $status = $((128 + $(kill -l $signal))) ] && none_left
	ok $? "A-27: SIG$signal to the program: status $status, nothing left"
done
set -m
"$program" --shell yes --command "setsid sh -c 'setsid sleep $mark & sleep $mark' & sleep $mark" >"$tmp/out" 2>&1 &
main=$!
set +m
some_there
sleep 0.1
kill -KILL -- -$main
wait $main 2>/dev/null
none_left
ok $? "A-27: SIGKILL to the program's process group: nothing left"
done_testing
