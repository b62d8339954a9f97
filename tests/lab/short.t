#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The lab in one short boot, for "make check": three governors, of which one is a module that the user brought, two
# loads, power, a report; the governor killed away from; and each figure marked as emulated. "make check-lab" has more.

. tests/lab/lab.sh
if on_host; then
	need_lab
	out=$(keep short)
	guest_part -d lab -e -g "teo teo-ng" -t 100 -w "$out"
	r=$out/r
	for g in menu teo teo-ng; do
		[ "$(cat "$r"/boots/*/runs/*.r1/run.ini | grep -cx "governor = $g")" = 2 ]
		ok $? "both loads were measured under $g"
	done
	# In the guest it would take most of the time.
	try "$runner" report "$r"
	ok $status "the host makes the report"
	summary=$r/report/summary.txt
	grep -q '\*\*\* EMULATED: timing is not a measurement' "$summary" && grep -q '"emulated": true' "$r/report/summary.json"
	ok $? "which says that an emulated guest's times are no measurement"
	[ -e "$r/report/plots/power-ring.svg" ] && ! grep -L EMULATED "$r"/report/plots/*.svg | grep -q .
	ok $? "so does every figure, those of power too"
	awk '/^package_w in W/ { on = 1 } on && /^  (menu|teo|teo-ng): / { n += $2 > 2 && $2 < 18.1; on = !/teo-ng/ }
		END { exit n != 6 }' "$summary"
	ok $? "package power of each governor and load is within what the test zone models"
	done_testing
	exit
fi

read -r up _ </proc/uptime
echo "# boot to command: $up s"
ring_suite 1 1s 'work = 50us' >"$tmp/short.ini"
cat >>"$tmp/short.ini" <<-EOF
	[run waiters]
	workload = waiters
	threads = 8
	frequency = 50Hz
	work = 100us
EOF
measure "$LAB_OUT/r" --suite "$tmp/short.ini" --governors menu,teo,teo-ng --no-report
ok $status "two loads under menu, teo and teo-ng"

"$runner" --suite "$tmp/short.ini" --governors teo,teo-ng --results "$tmp/k" --window 20s --quiet --no-report >"$tmp/out" 2>&1 &
pid=$!
for _ in {1..100}; do
	[ "$(cat $cpuidle/current_governor)" = menu ] || break
	sleep 0.1
done
[ "$(cat $cpuidle/current_governor)" != menu ]
ok $? "a run is under way under another governor"
kill -KILL $pid
for _ in {1..100}; do
	[ "$(cat $cpuidle/current_governor)" != menu ] || break
	sleep 0.1
done
[ "$(cat $cpuidle/current_governor)" = menu ]
ok $? "after SIGKILL the governor is back"
