#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Idle traces recorded under the kernel's own governors, replayed through the modelled rules of that kernel: how often these
# choose the state that the kernel chose. On one CPU whose timer interrupts are never late, under loads whose inputs are
# in the trace; of others only that misses have reasons (docs/governors.md). The traces stay in build/lab/results/fidelity.

. tests/lab/lab.sh
timed="timers periodic" # threads of eight phases at 50 Hz; one at 347 Hz, against the tick's 250
others="both devices" # both at once, so that selects are not entered; writes to the host, whose RCU callbacks hold the tick
if on_host; then
	need_lab
	traces=$(keep fidelity)
	guest_part -i -t 400 -w "$traces"
	# periods, those with the kernel's state, not explained; after what was printed
	measure_trace() {
		"$runner" replay "$traces/$1.idle" --governors oracle | sed -n '/^Fidelity/,/^Other rules/p' >"$tmp/lines"
		sed "s/^/# $1: /" "$tmp/lines"
		perl -0777 -ne 'print "$2 $1 ", (/(\d+) \(\S+ %\) not explained/)[0] // 0, "\n" if /state in (\d+) of (\d+) /' \
			"$tmp/lines" >>"$tmp/sums"
	}
	for governor in teo menu ladder haltpoll; do
		: >"$tmp/sums"
		for load in $timed; do measure_trace "$governor-$load"; done
		awk '{ n += $1; same += $2 } END { printf "# %.2f %%\n", 100 * same / n; exit !(n > 2000 && same >= 0.99 * n) }' "$tmp/sums"
		ok $? "$governor: in at least 99 % of the periods the model chooses the kernel's state"
		for load in $others; do measure_trace "$governor-$load"; done
		awk '{ n += $1; open += $3 } END { printf "# %.2f %% not explained\n", 100 * open / n; exit !(NR == 4 && open <= 0.01 * n) }' \
			"$tmp/sums"
		ok $? "$governor: whatever the load, all but 1 % has a reason"
	done
	done_testing
	exit
fi

load() { # NAME SECONDS
	case $1 in
	timers | both) "$build/workloads/waiters" --cpus 0 --threads 8 --frequency 50Hz --work 100us --window "$2s" & ;;&
	periodic | both) "$build/workloads/periodic" --cpus 0 --frequency 347Hz --work 100us --window "$2s" & ;;
	devices) timeout "$2" sh -c 'while echo >"$0"; do sleep 0.01; done' "$LAB_OUT/written" & ;;
	esac
}
for governor in teo menu ladder haltpoll; do
	echo $governor >$cpuidle/current_governor
	for name in $timed $others; do
		case " $timed " in *" $name "*) seconds=6 ;; *) seconds=3 ;; esac
		load "$name" $((seconds + 3)) >/dev/null 2>&1
		sleep 2
		try "$runner" record -o "$LAB_OUT/$governor-$name.idle" --events idle,timers,irqs --seconds $seconds
		[ $status = 0 ] && said '[0-9]{3,} idle periods, 0 events lost'
		ok $? "$governor, $name: recorded"
		wait
	done
done
