#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the report makes of what is read beside the figures: stops of the tick an idle entry (A-32), and the spin probe
# (A-35). The figures below were computed by hand.

. "$(dirname "$0")/../tap.sh"

perl -MJSON::PP -e 1 2>/dev/null || skip_all "needs perl's JSON::PP"
idle_header=$'cpu\tstate\tt0_ns\tt1_ns\tusage0\tusage1\ttime0_us\ttime1_us\tabove0\tabove1\tbelow0\tbelow1\trejected0\trejected1'
ticks_header=$'cpu\tt0_ns\tt1_ns\tidle_calls0\tidle_calls1\tidle_sleeps0\tidle_sleeps1'

result() {
	rm -rf "$tmp/r"
	tests/make-result "$tmp/r" points=0 repeat=4 cpus=0-1 governors=menu >/dev/null || skip_all "make-result failed"
}

# 4000 entries in 10 s on each of the CPUs 0 and 1: 800 a second.
idle() {
	local cpu

	{
		echo "$idle_header"
		for cpu in 0 1; do
			printf '%s\t%s\t1000\t10000001000\t%s\t0\t1000\t0\t0\t0\t0\t0\t0\n' "$cpu" 0 $'7\t1007' "$cpu" 1 $'0\t3000' \
				"$cpu" 2 $'5\t5' "$cpu" 3 $'5\t5'
		done
	} >"$1/idle.tsv"
}

# ticks RUN LINE..: its ticks.tsv, over 10.5 s.
ticks() {
	local run=$1

	shift
	{
		echo "$ticks_header"
		printf '%s\n' "$@" | sed 's/ /\t500\t10500000500\t/; s/ /\t/g'
	} >"$run/ticks.tsv"
}

# ratio: the metric's values in the report's JSON, in the order of the runs.
ratio() {
	perl -MJSON::PP -0777 -ne 'for (map { @{$_->{measures}} } @{decode_json($_)->{sections}}) {
		print join(" ", $_->{better}, map { 0 + $_ } @{(values %{$_->{overall}})[0]{values}}), "\n"
			if $_->{name} eq "tick_stops_per_entry" }' "$tmp/r/report/summary.json"
}

result
runs=("$tmp"/r/boots/*/runs/*)
for run in "${runs[@]}"; do
	idle "$run"
done
# 2100 + 0 stops in 10.5 s are 200 a second; of 800 entries a quarter. CPU 2 is none of the workload's.
ticks "${runs[0]}" '0 5 5 1000 3100' '1 5 5 7 7' '2 0 0 0 900000'
ticks "${runs[1]}" '0 5 5 0 4200' '1 5 5 0 4200' '2 0 0 0 900000'
# A CPU whose counts are not there: the whole is not available.
ticks "${runs[2]}" '0 5 5 0 4200' $'1 \t\t\t'
ticks "${runs[3]}" '0 5 5 0 0' '1 5 5 0 0'
try "$build/analysis" report --quiet "$tmp/r"
ok $status "ticks.tsv is taken"
[ "$(ratio)" = 'none 0.25 1 0' ]
ok $? "A-32: tick stops an idle entry of the workload's CPUs, each over its own time; NA is no 0: $(ratio)"

result
try "$build/analysis" report --quiet "$tmp/r"
[ -z "$(ratio)" ]
ok $? "A-32: results of a runner that knew nothing of ticks have no such row"
sed -i 's/^\[host\]$/[host]\ntick_stops = none: not root/' "$tmp"/r/boots/*/host.ini
try "$build/analysis" report --quiet "$tmp/r"
[ -z "$(ratio)" ] && grep -q '<td>tick_stops_per_entry</td><td>-</td>' "$tmp/r/report/index.html" &&
	grep -q 'none: not root' "$tmp/r/report/index.html"
ok $? "A-32: where they could not be read it is not available, and the page says why"
echo 'cpu' >"$(echo "$tmp"/r/boots/*/runs/0001*)/ticks.tsv"
try "$build/analysis" report --quiet "$tmp/r"
[ $status = 3 ] && grep -q 'ticks.tsv' "$tmp/r/report/summary.txt"
ok $? "a damaged ticks.tsv damages its run"

# spin VALUE..: of the runs in their order.
spin() {
	local run value

	result
	for run in "$tmp"/r/boots/*/runs/*; do
		value=$1
		shift
		[ "$value" = - ] || sed -i "s/^\[run\]$/[run]\nspin_us = $value/" "$run/run.ini"
	done
	try "$build/analysis" report --quiet "$tmp/r"
}
doubt='^ *([0-9]+) x the spin probe'

spin 0.12 0.13 0.14 0.50
[[ $(grep -E "$doubt" "$tmp/r/report/summary.txt") =~ $doubt ]] && [ "${BASH_REMATCH[1]}" = 1 ]
ok $? "A-35: a run whose CPUs were far apart is doubtful"
spin 0.12 0.13 0.14 0.25
! grep -qE "$doubt" "$tmp/r/report/summary.txt"
ok $? "A-35: less than 2 times the median is none"
spin 0.50 0.48 0.47 0.12
[[ $(grep -E "$doubt" "$tmp/r/report/summary.txt") =~ $doubt ]] && [ "${BASH_REMATCH[1]}" = 1 ]
ok $? "A-35: neither way"
spin 0.12 0.50 - -
! grep -qE "$doubt" "$tmp/r/report/summary.txt"
ok $? "A-35: of two probes nobody knows which is right"

done_testing
