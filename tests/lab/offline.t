#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A CPU that goes offline in the middle of a run, and comes back: that run is void, says why, and is made again. Once a
# CPU of the workload, once another one.

. tests/lab/lab.sh
in_guest -d lab -t 200

cat >"$tmp/one.ini" <<-EOF
	[suite]
	format = 1
	governors = teo
	repeat = 1
	warmup = 50ms
	window = 6s
	[run ring]
	workload = ping-pong
	cores = 2
EOF
# unplugged CPU: a run of CPUs 1 and 2, from which CPU is taken for a second.
unplugged() {
	local dir=$tmp/r$1 online=/sys/devices/system/cpu/cpu$1/online pid void reason
	"$runner" --suite "$tmp/one.ini" --cpus 1,2 --results "$dir" --no-report --no-power --allow-busy >"$tmp/out" 2>&1 &
	pid=$!
	for _ in {1..300}; do
		pgrep -f workloads/ping-pong >/dev/null && break
		sleep 0.1
	done
	sleep 2.5
	echo 0 >"$online"
	sleep 1
	echo 1 >"$online"
	wait $pid
	status=$?
	ok $status "CPU $1 away for a second: the runner ends well"
	find "$dir" -name run.ini -exec sh -c 'echo "$1"; grep -E "^(state|reason|doubt)" "$1"' _ {} \; | sed 's/^/# /'
	void=$(find "$dir"/boots/*/runs -name '*.void-1')
	[ -n "$void" ] && reason=$(value reason "$void/run.ini") &&
		[ "$reason" = "cpu$1 went offline, cpu$1 came online during the run" ]
	ok $? "... the run is void, and says so: $reason"
	[ "$(cat "$dir"/boots/*/runs/*.r1/run.ini | grep -cx 'state = complete')" = 1 ]
	ok $? "... and was made again"
	[ "$(cat /sys/devices/system/cpu/online)" = 0-3 ] && [ "$(cat $cpuidle/current_governor)" = menu ]
	ok $? "... all CPUs and the governor are back"
}
unplugged 2
unplugged 3
done_testing
