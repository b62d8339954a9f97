#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A trace and the counters of sysfs, between the same edges, on 4 CPUs that all give idle events: the same entries and
# misses for each CPU and state, and times that differ by what the tracepoints take. Under emulation the clock may be
# read tens of us apart, so times have more room here than on hardware (tests/live/record.t).

. tests/lab/lab.sh
in_guest -d lab -t 150 -w "$([ -d /run/labctl ] || keep record)"

for g in teo menu ladder; do
	echo $g >$cpuidle/current_governor
	try "$runner" record -o "$LAB_OUT/$g.idle" --events idle,timers,irqs -- "$build/workloads/ping-pong" --cores 4 --cpus 0-3 \
		--work 100us --window 5s
	[ $status = 0 ] && said ', 0 events lost'
	ok $? "$g: 5 s of a ring of four CPUs are recorded, and no event is lost"
	try "$runner" trace "$LAB_OUT/$g.idle"
	cp "$tmp/out" "$LAB_OUT/$g.txt"
	# cpu trace counters ms ms above below
	awk '/Held to/ { on = 1; next } on && /^  cpu[0-9]/ {
		print $1, $(NF - 7), $(NF - 6), $(NF - 4), $(NF - 3), $(NF - 1), $NF } /^States/ { on = 0 }' \
		"$tmp/out" >"$tmp/rows"
	sed "s/^/# $g: /" "$tmp/rows"
	[ "$(cut -d' ' -f1 "$tmp/rows" | sort -u | wc -l)" = 4 ] &&
		awk '{ n[$1] += $2 } END { for (c in n) if (n[c] < 20) exit 1 }' "$tmp/rows"
	ok $? "$g: each of 4 CPUs has idle periods"
	awk '$2 != $3 { exit 1 }' "$tmp/rows"
	ok $? "$g: entries of each CPU and state equal the counters' growth, exactly"
	awk '$6 || $7 { exit 1 }' "$tmp/rows"
	ok $? "$g: so do misses, above and below"
	awk '{ t += $4; c += $5; n += $2 } END { if (c) printf "# time: trace %.1f ms, counters %.1f ms, %.0f ns a period\n", t, c,
		(t - c) * 1e6 / n; exit !(t >= c * 0.99 && t <= c * 1.01 + n * 0.05) }' "$tmp/rows"
	ok $? "$g: times agree within 1 % and 50 us a period"
done
done_testing
