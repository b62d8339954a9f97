#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every idle period of this machine: entries, misses and times of a trace equal what the counters of sysfs grew by
# between the same edges, read on each CPU, and nothing is lost. 5 s of a ring of two CPUs, with IDLE_TEST_LONG 60 s.
# Where the kernel's own perf hands on no idle events of a CPU, that CPU is left out by name; a busy machine has few
# entries to compare, and the test says so. Nothing is switched.

. "$(dirname "$0")/live.sh" # waits for other runners, which switch governors
tap_end() { # nothing to put back here, and another test's governor is not to be touched
	rm -rf "$tmp"
}

analysis=$build/analysis
seconds=${IDLE_TEST_LONG:+60}
seconds=${seconds:-5}

# Another test may switch the governor meanwhile, which takes the counters away.
for attempt in 1 2 3; do
	try "$runner" record -o "$tmp/trace" --events idle -- "$build/workloads/ping-pong" --cpus 0,1 --work 0us \
		--window "${seconds}s"
	recorded=$status
	said 'was switched' || break
done
! said 'was switched' || skip_all "the governor is being switched by somebody else"
# 3 where the kernel gives no idle events of a CPU, which is named then.
whole() {
	[ "$1" = 0 ] || { [ "$1" = 3 ] && said 'gave no idle event of them|NO IDLE EVENTS'; }
}
whole $recorded && said ', 0 events lost'
ok $? "$seconds s of a ring of two CPUs are recorded, and no event is lost"
try "$runner" trace "$tmp/trace"
whole $status && said 'Held to the counters' && ! said 'has no end|DAMAGED'
ok $? "the trace is whole and has the counters of both ends"
named=$(sed -n 's/^\(cpu[0-9]*\): NO IDLE EVENTS.*/\1/p' "$tmp/out")
explained=$(sed -n 's/.*; \([0-9]*\) of them by the periods named here/\1/p' "$tmp/out")
grep 'in both or in the trace alone' "$tmp/out" | sed 's/^/#/'

# cpu name.. trace counters diff ms ms diff% above below
awk '/Held to/ { on = 1; next } on && /^  cpu[0-9]/ {
	print $1, $(NF - 7), $(NF - 6), $(NF - 4), $(NF - 3), $(NF - 1), $NF } /^States/ { on = 0 }' "$tmp/out" >"$tmp/rows"
# A CPU of which the kernel gives perf nothing gives perf(1) nothing either, at the same time.
deaf=$(awk '{ trace[$1] += $2; counter[$1] += $3 } END { for (c in trace) if (!trace[c] && counter[c] > 100) print c }' "$tmp/rows")
for cpu in $deaf; do
	grep -qx "$cpu" <<<"$named"
	ok $? "$cpu, of which no event came, is named"
done
for cpu in $deaf; do
	command -v perf >/dev/null || break
	usage=$(cat /sys/devices/system/cpu/"$cpu"/cpuidle/state*/usage | awk '{ n += $1 } END { print n }')
	perf record -q -e power:cpu_idle -C "${cpu#cpu}" -o "$tmp/perf" "$build/workloads/ping-pong" --cpus 0,1 --work 0us \
		--window 3s >"$tmp/out" 2>&1
	usage=$(cat /sys/devices/system/cpu/"$cpu"/cpuidle/state*/usage | awk -v was="$usage" '{ n += $1 } END { print n - was }')
	if [ "$usage" -gt 100 ] && [ -z "$(perf script -i "$tmp/perf" 2>/dev/null)" ]; then
		echo "# $cpu: left out: of $usage entries this kernel gave perf(1) none"
		sed -i "/^$cpu /d" "$tmp/rows"
	fi
done
sed 's/^/# /' "$tmp/rows"
periods=$(awk '{ n += $2 } END { print n + 0 }' "$tmp/rows")
counted=$(awk '{ n += $3 } END { print n + 0 }' "$tmp/rows")
differ=$(awk '$2 != $3 { n++ } END { print n + 0 }' "$tmp/rows")
[ "$differ" = "${explained:-0}" ] || [ "$differ" -lt "${explained:-0}" ]
ok $? "entries of each CPU and state equal the counters' growth, exactly, or periods that ended meanwhile are named ($counted)"
awk '$2 == $3 && ($6 != 0 || $7 != 0) { bad = 1 } END { exit bad }' "$tmp/rows"
ok $? "misses equal above and below, exactly"
[ "$counted" -ge 1000 ] || echo "# so few entries prove little: the machine is too busy"
# The kernel reads its clock between the tracepoints: what these take (below 1 us each) is in the trace only.
awk -v n="$periods" '{ t += $4; c += $5 } END {
	if (c) printf "# time: trace %.3f ms, counters %.3f ms: %+.3f %%, %+.0f ns a period\n", t, c, (t / c - 1) * 100, (t - c) * 1e6 / n
	exit !(t >= c * 0.999 && t - c <= c * 0.001 + n * 0.002) }' "$tmp/rows"
ok $? "times agree within 0.1 % and what the tracepoints take"

try "$runner" record -o "$tmp/all" --events idle,timers,irqs,sched --seconds 1
whole $status
ok $? "all events are recorded"
"$runner" record --text "$tmp/all" >"$tmp/text"
# The kernel sleeps until the tick or a timer. One whose interrupt is late is overdue, which is rare where the hypervisor
# gives the CPU its time; by a second and more it counts as lost.
awk -F '\t' '/^[0-9]/ { n += $7 != "" || $11 != ""; wrong += $8 == "no" && $11 != "" && $11 > $7; was += $13 == "yes" && $9 != "yes"
	by = $7 != "" && $7 < $2 ? $2 - $7 : $12 == "no" && $11 != "" && $11 < $2 ? $2 - $11 : 0
	late += by > 1000000; lost += by > 1000000000 }
	END { printf "# next timers known: %d, overdue by 1 ms and more: %d\n", n, late; exit late > n / 10 || lost || wrong || was }' "$tmp/text"
ok $? "the next timer is ahead, no later than the next hrtimer, and a tick that was stopped is"
grep -q 'woken by cpu[0-9]*, ran on' "$tmp/text"
ok $? "the CPU that woke a task is there"
try "$runner" trace "$tmp/all"
whole $status && said 'hrtimers started' && said 'From woken to running'
ok $? "timers and tasks' latency are there"

"$runner" record -o "$tmp/killed" --events idle,timers,irqs,sched >/dev/null 2>&1 &
pid=$!
sleep 2
kill -9 $pid
wait $pid 2>/dev/null
try "$analysis" trace "$tmp/killed"
[ $status = 3 ] && said 'the trace has no end'
ok $? "a recorder that is killed leaves a trace that can be read"
"$runner" record -o "$tmp/stopped" >"$tmp/out" 2>&1 &
pid=$!
sleep 1
kill -INT $pid
wait $pid
whole $?
ok $? "an interrupt ends a recording without a time"
try "$runner" trace "$tmp/stopped"
whole $status && ! said 'has no end'
ok $? "and its trace is whole"
try "$runner" record -o "$tmp/false" --seconds 20 -- sh -c 'sleep 0.3; exit 0'
whole $status
ok $? "the end of the command ends the recording"
try "$runner" record -o "$tmp/failed" --seconds 20 -- sh -c 'sleep 0.3; exit 5'
[ $status = 3 ] && said 'the command ended with status 5'
ok $? "one that fails is told"
try "$runner" trace "$tmp/failed"
whole $status && ! said 'has no end'
ok $? "and its trace is kept, whole"
try "$runner" record -o "$tmp/ended" --seconds 1 -- sleep 20
whole $status && ! said 'ended with status'
ok $? "one that runs longer is ended, which is no failure"
try "$runner" record -o "$tmp/none" -- "$tmp/nonexistent"
[ $status = 1 ]
ok $? "a command that cannot be started is an error"

cat >"$tmp/suite.ini" <<-EOF
	[suite]
	format = 1
	about = With a trace of each run
	governors = current
	repeat = 2
	warmup = 100ms
	window = 300ms
	trace = yes
	[run two]
	workload = ping-pong
	cores = 2
	work = 0us
EOF
try "$runner" --suite "$tmp/suite.ini" --no-power --no-report --allow-busy --quiet --results "$tmp/r"
find "$tmp/r" -name trace.idle >"$tmp/traces"
if said 'another runner works'; then
	echo "# another runner works on this machine: no suite is run"
else
	[ "$(wc -l <"$tmp/traces")" -ge 2 ]
	ok $? "trace = yes in a suite stores one a run"
	try "$runner" trace "$(head -1 "$tmp/traces")"
	whole $status && said 'Held to the counters|^0 idle periods' && ! said 'has no end'
	ok $? "and it is whole"
	try "$runner" report "$tmp/r" -o "$tmp/report"
	if grep -q 'no idle events of CPUs' "$tmp"/r/boots/*/runs/*/run.ini; then
		[ $status = 0 ] && grep -q 'no idle events of CPUs' "$tmp/report/summary.txt" &&
			! grep -qE ',(all_deepest_pct|tick_wakes_per_s),[^,]*,[^,]*,[^,]*,[0-9]' "$tmp/report/summary.csv"
		ok $? "the report names the CPU of which no events came, and makes nothing up"
	else
		[ $status = 0 ] && grep -q ',all_deepest_pct,' "$tmp/report/summary.csv" &&
			grep -q ',tick_wakes_per_s,' "$tmp/report/summary.csv"
		ok $? "the report has what the traces tell"
	fi
fi

# Refusals name their way out.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$tmp"
	mkdir -m 777 "$tmp/free"
	try setpriv --reuid 65534 --regid 65534 --clear-groups "$(realpath "$build/runner")" record -o "$tmp/free/x" --seconds 1
	[ $status = 1 ] && said 'only root may read: run as root|mount -t tracefs'
	ok $? "a user who may not read tracefs is told so"
	try setpriv --bounding-set=-sys_admin,-perfmon "$runner" record -o "$tmp/free/x" --seconds 1
	[ $status = 1 ] && said 'CAP_PERFMON, or kernel.perf_event_paranoid = -1 \(it is -?[0-9]+\)|only root may read'
	ok $? "a root without CAP_PERFMON is told of it and of perf_event_paranoid"
	[ ! -e "$tmp/free/x" ]
	ok $? "and no file is left"
	tracing=$(awk '$3 == "tracefs" { print $2; exit }' /proc/mounts)
	if [ -n "$tracing" ]; then
		mkdir -p "$tmp/copy/events"
		cp -r "$tracing"/events/{power,timer,irq,irq_vectors} "$tmp/copy/events" 2>/dev/null
		cp /proc/version "$tmp/copy"
		try "$runner" record -o "$tmp/copied" --formats "$tmp/copy" --seconds 1
		whole $status
		ok $? "copies of tracefs' formats do for it"
		echo "Linux version 0" >"$tmp/copy/version"
		try "$runner" record -o "$tmp/copied" --formats "$tmp/copy" --seconds 1
		[ $status = 1 ] && said 'of another kernel: Linux version 0'
		ok $? "those of another kernel do not"
	fi
fi

done_testing
