#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# P-17 on this machine: passive samples wake no other CPU. The short form of tests/bench/passive-sampling: windows of
# 3 s of an idle machine with ten samples a second and with none, in turn. A sample that interrupts a CPU wakes it ten
# times a second, five times what is allowed beyond the noise. Nothing is switched.

. "$(dirname "$0")/../tap.sh"

allowed=2 # idle exits per second

[ -e /sys/devices/system/cpu/cpu0/cpuidle/state0 ] || skip_all "this machine has no idle states to look at"
[ "$(nproc)" -ge 2 ] || skip_all "needs two CPUs: one samples, the others are watched"

# Percent of the last second that the CPUs were not idle.
busy() {
	{ head -1 /proc/stat && sleep 1 && head -1 /proc/stat; } | awk '
		{ all = 0; for (i = 2; i <= 9; i++) all += $i; idle = $5 + $6 }
		NR == 1 { all0 = all; idle0 = idle }
		END { printf "%d\n", (all > all0 ? 100 - 100 * (idle - idle0) / (all - all0) : 100) }'
}

quiet() {
	load=$(busy)
	[ "$load" -le 20 ] || skip_all "the machine is busy ($load %)"
}

# Chance alone puts the median of three above the spread of three now and then; a sampler that wakes does it always.
for attempt in 1 2 3; do
	quiet
	try "$top/tests/bench/passive-sampling" 3 3 100ms "$allowed" --allow-busy
	[ $status != 2 ] || break
	sed "s/^/# $attempt: /" "$tmp/out"
	[ $status != 0 ] || break
done
[ $status = 0 ] || quiet
[ $status != 2 ]
ok $? "three pairs of windows are measured"
ok $status "samples add at most $allowed idle exits per second to the noise"

done_testing
