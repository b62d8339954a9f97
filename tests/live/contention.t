#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two runners at once, and somebody else's switch in the middle of a run.

. "$(dirname "$0")/live.sh"

write_suite "$tmp/one.ini" 1500ms 0
mine=${offered[0]}

start_runner() {
	"$runner" --suite "$tmp/one.ini" --allow-busy --no-power --governors "$mine" --results "$1" --cpus 0,1 --no-report --quiet \
		>"$tmp/first" 2>&1 &
	pid=$!
}

# Until the workload runs.
wait_for_window() {
	for _ in {1..100}; do
		pgrep -P "$pid" -f ping-pong >/dev/null && return
		sleep 0.05
	done
}

start_runner "$tmp/a"
wait_for_window
try "$runner" --suite "$tmp/one.ini" --allow-busy --no-power --governors "$mine" --results "$tmp/b" --cpus 0,1 --no-report
[ $status = 1 ] && said "pid $pid" && said "one.ini"
ok $? "a second runner is refused; the first is named by pid and command line"
[ ! -e "$tmp/b" ]
ok $? "and has made nothing"
try "$runner" restore
[ $status = 1 ] && said "pid $pid"
ok $? "restore does not pull the rug from under a runner at work"
wait "$pid"
ok $? "the first one completes"
[ -z "$(incomplete "$tmp/a")" ]
ok $? "with a complete run"

for other in "${offered[@]}"; do
	[ "$other" = "$mine" ] || break
done
start_runner "$tmp/c"
wait_for_window
sleep 0.6
echo "$other" >"$governor_file"
wait "$pid"
status=$?
cp "$tmp/first" "$tmp/out"
[ $status = 0 ] && said "is void: (somebody switched the governor|cpu[0-9]+: its idle counters went away)"
ok $? "somebody else's switch voids the run, says so, and the run is made again"
ls "$tmp"/c/boots/*/runs/ >"$tmp/out"
said "r1.void-1" && said 'r1$'
ok $? "the void run is kept beside it under a name that does not count"
grep -q "r1.void-1" <<<"$(find "$tmp/c/boots" -name 'run.ini' -exec grep -l '^state = void' {} +)"
ok $? "and marked void"
governor_is_back
ok $? "the governor is $governor_before again, not the other's choice"

done_testing
