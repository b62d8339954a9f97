#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Governors switched while all CPUs wake and sleep, settings that come back from SIGKILL under load (idle governor,
# disabled states, frequency governor), and idle states disabled in turn: here teo and menu really have states to choose
# from.

. tests/lab/lab.sh
in_guest -d lab -f -t 240

"$build/workloads/waiters" --threads 16 --frequency 100Hz --work 100us --window 1000s >/dev/null 2>&1 &
load=$!
entries() {
	cat /sys/devices/system/cpu/cpu[0-9]*/cpuidle/state*/usage | awk '{ n += $1 } END { print n }'
}
stuck='' silent=''
for round in 1 2 3; do
	for g in teo ladder haltpoll menu; do
		before=$(entries)
		echo $g >$cpuidle/current_governor
		sleep 0.3
		[ "$(cat $cpuidle/current_governor)" = $g ] || stuck+=" $g"
		[ "$(entries)" -gt "$before" ] || silent+=" $g"
	done
done
[ -z "$stuck" ]
ok $? "12 switches under load are taken (not: ${stuck:-none})"
[ -z "$silent" ]
ok $? "idle states are entered after each (not: ${silent:-none})"

ring_suite 1 20s 'disable = state2' >"$tmp/states.ini"
settings() {
	cat $cpuidle/current_governor /sys/devices/system/cpu/cpu*/cpuidle/state*/disable \
		/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor
}
# within SECONDS COMMAND...
within() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}
is_changed() { ! is_back; }
is_back() { [ "$(settings)" = "$before" ]; }
before=$(settings) late=0 quiet=0
for delay in 0 0.7 1.9; do
	"$runner" --suite "$tmp/states.ini" --governors teo,ladder --cpufreq-governors performance --results "$tmp/k$delay" \
		--no-report --no-power --allow-busy --quiet >"$tmp/out" 2>&1 &
	pid=$!
	within 20 is_changed || quiet=$((quiet + 1))
	sleep $delay
	kill -KILL $pid
	wait $pid 2>/dev/null
	within 10 is_back || late=$((late + 1))
done
[ $quiet = 0 ]
ok $? "three runs have changed settings ($quiet did not)"
[ $late = 0 ]
ok $? "killed at different times under load: all are back ($late are not)"
kill $load
wait $load 2>/dev/null
try "$runner" restore
[ $status = 0 ] && said 'nothing to put back'
ok $? "nothing is left for restore"

try "$runner" check --states
sed 's/^/# /' "$tmp/out"
# Where entries went needs a load that stays the same, which an emulated machine has no time for; that a disabled state
# is left alone does not. haltpoll pays no regard to it, and ladder not at once.
for g in teo menu; do
	[ "$(grep -c "^$g  *0-3 " "$tmp/out")" = 5 ] &&
		! grep -A1 "^$g  *0-3 " "$tmp/out" | grep -q 'although disabled'
	ok $? "each of 5 states disabled under $g: it is not entered"
done
grep -A1 "^haltpoll  *0-3 " "$tmp/out" | grep -q 'although disabled'
ok $? "that haltpoll enters POLL although it is disabled is found"
said 'everything is put back' && is_back
ok $? "all states are enabled again, and the governor is back"
done_testing
