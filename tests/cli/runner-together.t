#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Several workloads in one run: one window, one table each of what they publish, and one fate. And what every result
# says about how it came about, whatever the workload.

. tests/cli/runner.sh

machine --governors 'menu teo' --governor teo
runs="$tmp/r/boots/*/runs"

# column FILE NAME: the cells of that column.
column() {
	awk -F'\t' -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$1"
}

# says RUN KEY VALUE: a line of its run.ini.
says() {
	grep -qx "$2 = $3" "$1/run.ini"
}

# whole RUN KEY: a value that goes on in KEY.2, ...
whole() {
	sed -n "s/^$2[.0-9]* = //p" "$1/run.ini" | tr -d '\n' | sed 's/%20/ /g'
}

together() {
	rm -rf "$tmp/r"
	run --root "$tmp/m" --suite "$tmp/$1.ini" --governors menu --results "$tmp/r" --no-report
	# shellcheck disable=SC2086
	one=$(find $runs -maxdepth 1 -name '0001.*' ! -name '*-[0-9]') # not what other work has spoilt
}

suite both '[run both]' 'workload = periodic ping-pong idle' 'load = 3% 6%' 'ping-pong.work = 5'
together both
ok 'three workloads run together' ended 0
ok 'the axis bears its workload' test "${one##*/}" = '0001.both.periodic.load=3%.menu.r1'
ok 'run.ini names them, the headline first' says "$one" workload 'periodic ping-pong idle'
ok 'and their parameters' says "$one" ping-pong.work 5
ok 'the headline metric is the first workload'"'"'s' \
	test "$(column "$one/metrics.tsv" name | head -1)" = periodic:lateness_p50_us
ok 'all metrics are there, each with its workload' test "$(column "$one/metrics.tsv" name | sed 's/:.*//' | uniq | xargs)" \
	= 'periodic ping-pong idle'
ok 'and none is there twice' test -z "$(column "$one/metrics.tsv" name | sort | uniq -d)"
ok 'tasks of both' test "$(column "$one/tasks.tsv" role | xargs)" = 'periodic:thread0 ping-pong:ring0 ping-pong:ring0'
ok 'no CPU has two of them' test -z "$(column "$one/tasks.tsv" cpu_asked | sort | uniq -d)"
ok 'latency of both' test "$(column "$one/latency.tsv" role | sort -u | xargs)" = 'periodic:thread0 ping-pong:ring0'
ok 'series are named likewise' sh -c "! cut -f2 '$one/series.tsv' | tail -n +2 | grep -qv '^[a-z-]*:'"
ok 'nothing is left of the folders that they wrote to' test -z "$(find "$one" -mindepth 1 -type d)"
ok 'one window for both' test "$(grep -c '^t[01]_ns' "$one/run.ini")" = 2
ok 'the command lines of all' test "$(whole "$one" argv | grep -o 'workloads/[a-z-]* ' | xargs)" = \
	'workloads/periodic workloads/ping-pong workloads/idle'
if [ -x "$(dirname "$runner")/analysis" ]; then
	run report "$tmp/r"
	ok 'the report takes them' ended 0
	ok 'and shows a metric of each' sh -c "grep -q periodic:lateness '$tmp/r/report/summary.txt' &&
		grep -q ping-pong:loop_us '$tmp/r/report/summary.txt'"
fi

# A-34: where two share a CPU, it is said; and with the scheduler's placement that it was free.
suite crowd '[run crowd]' 'workload = periodic ping-pong' 'cores = all'
together crowd
ok 'A-34: sharing CPUs is oversubscribed' says "$one" oversubscribed yes
suite threads '[run threads]' 'workload = waiters' 'threads = 40' 'window = 1s'
together threads
ok 'A-34: more tasks than CPUs is oversubscribed' says "$one" oversubscribed yes

# One that fails takes the run with it, is named, and nobody is left.
suite failing '[run failing]' 'workload = ping-pong periodic' 'window = 10s'
rm -rf "$tmp/r"
"$runner" --root "$tmp/m" --suite "$tmp/failing.ini" --governors menu --results "$tmp/r" --no-report \
	>"$tmp/out" 2>"$tmp/err" </dev/null &
waiter=$!
while kill -s 0 $waiter 2>/dev/null; do
	worker=$(pgrep -o -f "periodic .*--output $tmp/r/") && kill -s KILL "$worker" 2>/dev/null
	sleep 0.1
done
wait $waiter
status=$?
# shellcheck disable=SC2086
one=$(echo $runs/*.failed-1)
ok 'one workload of two is killed: exit 3' ended 3 'is failed'
ok 'it is named' grep -q '^reason = periodic ended with status 137' "$one/run.ini"
ok 'the other is ended' test -z "$(pgrep -f -- "--output $tmp/r/")"

# A-31, A-17, for each workload that needs nothing but itself.
lines=()
for w in $(sed -n 's/^WORKLOAD(\([a-z0-9_]*\)).*/\1/p' workloads/workloads.def | tr _ -); do
	[ "$w" = command ] || lines+=("[run $w]" "workload = $w" 'warmup = 100ms' 'window = 200ms')
done
suite every "${lines[@]}"
together every
ok 'every workload runs' ended 0
# shellcheck disable=SC2086
for one in $(find $runs -mindepth 1 -maxdepth 1 ! -name '*-[0-9]' | sort); do
	w=$(sed -n 's/^workload = //p' "$one/run.ini")
	ok "A-31: $w: command line, governor, kernel, driver and state table are in the result" sh -c "
		grep -q '^argv = .*/$w ' '$one/run.ini' && grep -qx 'governor = menu' '$one/run.ini' &&
		grep -q '^kernel = .' '$one/../../host.ini' && grep -q '^idle_driver = .' '$one/../../host.ini' &&
		test \$(wc -l <'$one/../../states.tsv') -gt 4"
	done_ms=$(sed -n 's/^warmup_done = \([0-9]*\).*ms$/\1/p' "$one/run.ini")
	ok "A-17: $w: the warm-up asked is done, or it is said" sh -c "test '${done_ms:-0}' -ge 100 ||
		grep -q '^doubt[0-9]* = warm-up cut short' '$one/run.ini'"
	ok "A-35: $w: no spin probe of a machine that is not there" sh -c "! grep -q ^spin_us '$one/run.ini'"
done

done_testing
