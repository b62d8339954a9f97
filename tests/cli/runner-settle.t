#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# P-54: a run begins when temperature and power have stopped drifting, or is marked as not settled. The sensor is a
# file that the test writes. P-40: what a governor learns after the switch is discarded. And pauses between runs.

. tests/cli/runner.sh

machine --governors 'menu teo' --governor teo
zone=$tmp/m/sys/class/thermal/thermal_zone0
mkdir -p "$zone"
echo x86_pkg_temp >"$zone/type"
echo 50000 >"$zone/temp"

# settling NAME VALUE..: a suite of one run with these keys.
settling() {
	suite "$1" 'settle = 1%' 'settle_span = 1s' "${@:2}" '[run a]' 'workload = ping-pong' 'work = 0'
	run --root "$tmp/m" --suite "$tmp/$1.ini" --governors menu --results "$tmp/$1-r" --no-report
}

ini() {
	cat "$tmp/$1-r"/boots/*/runs/0001.a.menu.r1/run.ini
}

# Ten degrees a second, until told to stop.
heat() {
	local t=20000

	while [ ! -e "$tmp/cool" ]; do
		echo $((t += 1000)) >"$zone/temp.new"
		mv "$zone/temp.new" "$zone/temp"
		sleep 0.1
	done
}

settling steady 'settle_timeout = 20s'
ok 'a steady machine' ended 0
ok 'P-54: has settled' sh -c "cat '$tmp'/steady-r/boots/*/runs/*/run.ini | grep -qE '^settled = yes, after [0-9.]+s$'"
ok 'P-54: without a doubt' sh -c "! cat '$tmp'/steady-r/boots/*/runs/*/run.ini | grep -q 'not settled'"
ok 'the load left nothing' test -z "$(find "$tmp/steady-r" -name '*settle*')"
ok 'the run itself is whole' sh -c "cat '$tmp'/steady-r/boots/*/runs/*/run.ini | grep -qx 'state = complete'"

heat &
heater=$!
settling rising 'settle_timeout = 2s'
touch "$tmp/cool"
wait $heater
ok 'a machine that heats up: the run is made all the same' ended 0
ok 'P-54: not settled, with the slope' grep -qE '^settled = no: after 2[0-9.]*s, temperature by \+[0-9.e+]+ C a minute$' <(ini rising)
ok 'P-54: and a doubt' grep -qE '^doubt[0-9]+ = not settled: after 2' <(ini rising)

# Heats for a while, then stands still.
rm "$tmp/cool"
heat &
heater=$!
(sleep 2; touch "$tmp/cool") &
settling later 'settle_timeout = 30s'
wait $heater
ok 'a machine that takes its time' ended 0
after=$(ini later | sed -n 's/^settled = yes, after \([0-9.]*\)s$/\1/p')
ok "P-54: settled when it stood still (${after:-no}s)" awk "BEGIN { exit !(${after:-0} >= 2) }"

# Loops end before the machine has settled: the load is started again.
suite loops 'settle = 1%' 'settle_span = 1s' '[run a]' 'workload = ping-pong' 'loops = 1000'
run --root "$tmp/m" --suite "$tmp/loops.ini" --governors menu --results "$tmp/loops-r" --no-report
ok 'a load that ends by its loops' ended 0
ok 'P-54: settles as well' grep -qE '^settled = yes, after [0-9.]+s$' <(ini loops)

# An interrupted wait.
suite long 'settle = 1%' 'settle_span = 60s' 'settle_timeout = 10m' '[run a]' 'workload = ping-pong'
"$runner" --root "$tmp/m" --suite "$tmp/long.ini" --governors menu --results "$tmp/long-r" --no-report \
	>"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
for ((i = 0; i < 200; i++)); do
	pgrep -f "ping-pong.*--output $tmp/long-r/.*settle" >/dev/null && break
	sleep 0.05
done
kill -TERM $pid
wait $pid
status=$?
ok 'SIGTERM while it settles' ended 143
ok 'the load is gone' test -z "$(pgrep -f "ping-pong.*--output $tmp/long-r/")"
ok 'the governor is back' test "$(cat "$governor")" = teo
ok 'and its folder' test -z "$(find "$tmp/long-r" -name '.tmp-*')"

rm -r "$zone"
settling blind 'settle_timeout = 20s'
ok 'a machine without sensors does not wait' ended 0
ok 'P-54: not settled, with the reason' grep -qx 'settled = no: neither package power nor temperature can be read' <(ini blind)
ok 'P-54: and a doubt' grep -qE '^doubt[0-9]+ = not settled: neither' <(ini blind)

# P-40: the warm-up is behind the switch, whatever came before it.
suite warm 'pause = 1s' '[run a]' 'workload = ping-pong' 'warmup = 1s'
start=$(date +%s%N)
run --root "$tmp/m" --suite "$tmp/warm.ini" --governors menu,teo --results "$tmp/warm-r" --no-report
took=$((($(date +%s%N) - start) / 1000000))
ok 'P-40: warm-up and pause' ended 0
ok 'P-40: the warm-up was done' test "$(cat "$tmp"/warm-r/boots/*/runs/*/run.ini | grep -cE '^warmup_done = 1(\.[0-9]+)?s$')" = 2
ok "the machine is left idle before each run (${took} ms)" test $took -ge 4000
run --root "$tmp/m" --suite "$tmp/warm.ini" --governors menu,teo --dry-run
ok 'the plan knows the pause' grep -q '^a: 1 point, 2 runs of 2.25s: pause 1s, warm-up 1s, window 100ms, rest 150ms$' "$tmp/out"

done_testing
