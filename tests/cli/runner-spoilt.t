#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs that somebody spoils: they are kept with the reason, do not count, and are made again at once. When that does
# not help the campaign ends with exit 3, and the same command tries again.

. tests/cli/runner.sh

suite short '[run a]' 'workload = ping-pong' 'window = 1s'
machine --governors 'menu teo ladder' --governor ladder
cpu=$tmp/m/sys/devices/system/cpu

# spoilt COMMAND..: a campaign of one run; the command comes when its workload is at it.
spoilt() {
	local i worker=''

	run_short &
	waiter=$!
	for ((i = 0; i < 200; i++)); do
		worker=$(pgrep -o -f "ping-pong.*--output $tmp/r/") && break
		sleep 0.02
	done
	[ -n "$worker" ] || echo '# no workload was seen'
	sleep 0.3
	"$@"
	wait $waiter
	status=$?
}

run_short() {
	"$runner" --root "$tmp/m" --suite "$tmp/short.ini" --governors menu --results "$tmp/r" --no-report \
		>"$tmp/out" 2>"$tmp/err" </dev/null
}

again() {
	run_short
	status=$?
}

# kept SUFFIX STATE REASON: the run's directory and what its run.ini says.
kept() {
	local ini

	ini=$(echo "$tmp"/r/boots/*/runs/0001.a.menu.r1"$1"/run.ini)
	grep -qx "state = $2" "$ini" && grep -q "^reason = $3" "$ini"
}

switch_governor() {
	echo teo >"$cpu/cpuidle/current_governor"
}

take_cpu_away() {
	echo 0-2 >"$cpu/online"
}

# Each one that comes, for as long as the runner works.
kill_workloads() {
	while kill -s 0 $waiter 2>/dev/null; do
		worker=$(pgrep -o -f "ping-pong.*--output $tmp/r/") && kill -s KILL "$worker" 2>/dev/null
		sleep 0.1
	done
}

# The runner itself stands still from the middle of its window until long after.
stop_the_runner() {
	local pid

	pid=$(pgrep -o -f "^$runner --root $tmp/m")
	kill -s STOP "$pid"
	sleep 1.5
	kill -s CONT "$pid"
}

spoilt switch_governor
ok 'another governor: the run is made again, exit 0' ended 0 \
	'is void: somebody switched the governor during the run: it was set to menu and is teo now'
ok 'the first one is kept as void' kept .void-1 void 'somebody switched the governor'
ok 'the second one is complete' grep -qx 'state = complete' "$tmp"/r/boots/*/runs/0001.a.menu.r1/run.ini
ok 'the governor is put back' test "$(cat "$cpu/cpuidle/current_governor")" = ladder
run status "$tmp/r"
ok 'status: exit 0' ended 0
ok 'status counts it' grep -q '^1 of 1 runs done, 0 pending, 1 void or failed' "$tmp/out"

# On no more CPUs than there are, so that each reader has its own.
rm -rf "$tmp/r"
machine --cpus "$(nproc)" --governors 'menu teo ladder' --governor ladder
spoilt stop_the_runner
ok 'a window that was read far too late is void' ended 0 'is void: read late: the counters of cpu'
ok 'the run is kept' kept .void-1 void 'read late: the counters of cpu'
machine --governors 'menu teo ladder' --governor ladder

rm -rf "$tmp/r"
spoilt take_cpu_away
ok 'a CPU went: void' ended 0 'is void: the online CPUs changed during the run: from 0-3 to 0-2'
ok 'the run is kept' kept .void-1 void 'the online CPUs changed'
echo 0-3 >"$cpu/online"

# However often it is tried: the workload dies each time.
rm -rf "$tmp/r"
spoilt kill_workloads
ok 'the workload died each time: exit 3' ended 3 'is failed: ' \
	"1 run is void or failed: the same command with --results $tmp/r makes them again"
ok 'the runs are kept as failed' kept .failed-1 failed .
ok 'with their status' grep -qx 'exit_status = 137' "$tmp"/r/boots/*/runs/*.failed-1/run.ini
attempts=$(find "$tmp"/r/boots/*/runs -mindepth 1 -maxdepth 1 -name '*.failed-*' | wc -l)
ok 'it was tried again at once' test "$attempts" -gt 1
ok 'the governor is put back' test "$(cat "$cpu/cpuidle/current_governor")" = ladder
run status "$tmp/r"
ok 'status: exit 3' ended 3
ok 'status counts them' grep -q "^0 of 1 runs done, 1 pending, $attempts void or failed" "$tmp/out"

echo 77 >"$cpu/cpu2/cpuidle/state1/latency"
again
ok 'another state table in one boot: exit 1' ended 1 'states.tsv: the idle states or their disable bits have changed'
ok 'the governor is put back' test "$(cat "$cpu/cpuidle/current_governor")" = ladder
echo 1 >"$cpu/cpu2/cpuidle/state1/latency"

again
ok 'the same command makes it again: exit 0' ended 0
ok 'its run is complete' grep -qx 'state = complete' "$tmp"/r/boots/*/runs/0001.a.menu.r1/run.ini
ok 'and the spoilt ones are still there' test "$(find "$tmp"/r/boots/*/runs -mindepth 1 -maxdepth 1 | wc -l)" = $((attempts + 1))
run status "$tmp/r"
ok 'status: exit 0' ended 0
ok 'status counts them' grep -q "^1 of 1 runs done, 0 pending, $attempts void or failed" "$tmp/out"

rm "$tmp"/r/boots/*/runs/0001.a.menu.r1/run.ini
run status "$tmp/r"
ok 'a run without run.ini is no run that is done: exit 1' ended 1 'no run.ini in it' 'remove that folder'
rm -rf "$tmp"/r/boots
run status "$tmp/r"
ok 'a campaign without a boot: exit 3' ended 3
ok 'nothing is done' grep -q '^0 of 1 runs done, 1 pending, 0 void or failed' "$tmp/out"

run --root "$tmp/m" --suite "$tmp/short.ini" --governors current --window 100ms --results "$tmp/c" --no-report
ok 'the governor in use' ended 0
echo menu >"$cpu/cpuidle/current_governor"
run --root "$tmp/m" --suite "$tmp/short.ini" --governors current --window 100ms --results "$tmp/c" --no-report
ok 'is another one now: exit 2' ended 2 'its current governor was ladder, now it is menu'

done_testing
