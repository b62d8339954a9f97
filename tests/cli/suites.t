#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every suite of configs/ is planned on machines from 1 to 512 CPUs, explains itself, and takes no longer than it says.
# The full ones are the published tests: names, loops, work, pairs and times are checked by arithmetic.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
. tests/cli/workloads.sh
runner=$build/runner
# Suites of other programs, which may not be installed, and of which nothing was published under a name.
examples=' command fio tbench hackbench schbench '

make_machine() {
	tests/machines/make-machine "$tmp/$1" "${@:2}" || exit 1
}
make_machine 1 --cpus 1
make_machine 2 --cpus 2
make_machine 12 --cpus 12 --smt
make_machine 512 --cpus 512 --smt --packages 4

# plan SUITE MACHINE: in $tmp/out
plan() {
	try "$runner" --root "$tmp/$2" --suite "$1" --governors menu,teo,ladder --dry-run
}

# Value of KEY in section [run SECTION] of configs/SUITE.ini
value() {
	awk -F ' *= *' -v section="[run $2]" -v key="$3" '
		/^\[/ { inside = $0 == section }
		inside && $1 == key { print $2 }' "configs/$1.ini"
}

names() {
	sed -n 's/^\[run \(.*\)\]$/\1/p' "configs/$1.ini"
}

# true when the awk EXPRESSION is
holds() {
	awk "BEGIN { exit !($1) }"
}

# Hours that the plan takes, from its last line.
hours() {
	sed -n 's/^[0-9]* runs, about \([0-9]*\):\([0-9]*\):\([0-9]*\) left.*/\1 \2 \3/p' "$tmp/out" |
		awk '{ printf "%.3f\n", $1 + $2 / 60 + $3 / 3600 }'
}

suites=$(cd configs && ls ./*.ini | sed 's|^./||; s/\.ini$//')
short=0 all=0
for suite in $suites; do
	case $examples in *" $suite "*) continue ;; esac
	for machine in 2 12 512; do
		plan "$suite" $machine
		[ $status = 0 ] && said '^[0-9]+ runs, about [0-9:]+ left'
		ok $? "$suite is planned on $machine CPUs"
		[ $machine != 12 ] || time=$(hours)
	done
	plan "$suite" 1
	[ $status = 0 ] && said '^[0-9]+ runs' ||
		{ [ $status = 2 ] && [ "$(grep -c '^runner: ' "$tmp/out")" = 1 ] && said '\[run [a-z0-9-]+\].*(CPU|core)'; }
	ok $? "$suite on one CPU: planned, or refused by section and reason"

	# Its own words: name, a figure of how much it is, and what to look at (in the file or the one it refers to).
	head -n 1 "configs/$suite.ini" | grep -qE "^# $suite: ." && grep -qE '^about += .{10}' "configs/$suite.ini" &&
		grep -qE '^# [0-9]+ (\+ [0-9]+ )?points?[ ,;.]' "configs/$suite.ini" &&
		{ [ "$suite" = smoke ] || grep -qE '^#? ?.*[Ww]hat (to look at|they are)' "configs/$suite.ini"; }
	ok $? "$suite explains itself"
	sed -n '/^# SUITES/,/^# WORKLOADS/p' docs/runner.1.scd | grep -qE "^(\*[a-z-]+\*, )?\*${suite%-full}\*"
	ok $? "$suite stands in the manual page"
	sed -n '/^| suite |/,/^$/p' README.md | grep -qE "^\| ([a-z, -]+, )?${suite%-full}( |,)"
	ok $? "$suite stands in the README"
	case $suite in
	*-full)
		[ -e "configs/${suite%-full}.ini" ]
		ok $? "$suite has a short form"
		continue
		;;
	smoke)
		holds "$time < 45 / 3600"
		ok $? "smoke takes well under a minute with three governors: $time h"
		;;
	*)
		[ -e "configs/$suite-full.ini" ]
		ok $? "$suite has a full form"
		holds "$time > 0 && $time < 5.5"
		ok $? "$suite ends in an evening: $time h"
		;;
	esac
	all=$((all + 1))
	! holds "$time < 1" || short=$((short + 1))
done
[ $all -ge 10 ] && holds "$short / $all > 0.75"
ok $? "most suites take less than an hour ($short of $all)"

for w in $(workloads); do
	grep -qE "^workload += $w\$" configs/smoke.ini
	ok $? "smoke runs $w"
	sed -n '/^# WORKLOADS/,/^# [^W]/p' docs/runner.1.scd | grep -qF "*$w*"
	ok $? "the manual page names the workload $w"
done

# many-W-L-P: what the name says is what the section does.
for suite in ping-dwell-full pairs-dwell-full; do
	for name in $(names $suite); do
		IFS=- read -r many work loops pairs <<<"$name"
		[ "$many" = many ] && [ "$(value $suite "$name" work)" = "$work" ] &&
			[ "$(value $suite "$name" loops)" = "$loops" ] && [ "$(value $suite "$name" pairs)" = "$pairs" ] &&
			[ "$(value $suite "$name" affinity)" = free ]
		ok $? "$suite: [run $name] is what its name says, placed by the scheduler"
	done
done

# Published us a loop, and the minutes that this must give.
while read -r suite name us_low us_high min_low min_high; do
	loops=$(value "$suite" "$name" loops)
	holds "${loops:-0} * $us_low / 60e6 > $min_low - 0.1 && ${loops:-0} * $us_high / 60e6 < $min_high + 0.3"
	ok $? "$suite: $name: ${loops:-no} loops take $min_low to $min_high minutes at the published $us_low to $us_high us"
done <<'END'
ping-dwell-full many-0-400000000-2 2.891 5.278 19.3 35
ping-dwell-full many-3000-100000000-2 11.2971 15.68 18.8 26
ping-dwell-full many-1000000-342000-2 2566 4490 14.6 25.6
pairs-dwell-full many-0-105000000-all 5.28 5.54 9.2 9.7
END

# 6-13568-147097 for 45 minutes: 171 runs.
repeat=$(sed -n 's/^repeat *= *//p' configs/ring-dwell-full.ini)
loops=$(value ring-dwell-full all-13568-147097 loops)
work=$(value ring-dwell-full all-13568-147097 work)
[ "$loops-$work" = 13568-147097 ] && [ "$(value ring-dwell-full all-13568-147097 cores)" = all ] &&
	holds "$repeat * $loops * 1162.13 / 60e6 > 44.5 && $repeat * $loops * 1162.13 / 60e6 < 45.5"
ok $? "ring-dwell-full: $repeat runs of $loops loops at the published 1162.13 us are 45 minutes"
[ "$(value ring-dwell all-cores loops)-$(value ring-dwell all-cores work)" = 13568-147097 ]
ok $? "ring-dwell is the same run, less often"

plan ping-sweep-full 12
points=$(grep -cE '\.menu\.r1$' "$tmp/out")
[ "$points" -ge 290 ] && [ "$points" -le 300 ] && grep -q ' two-cores.work=0us.menu.r1' "$tmp/out" &&
	grep -q ' all-cores.work=0us.menu.r1' "$tmp/out"
ok $? "ping-sweep-full has about 300 points from no work on: $points"
plan ping-sweep 12
[ "$(grep -cE '\.menu\.r1$' "$tmp/out")" = 64 ]
ok $? "ping-sweep has 64"

# 500 threads with 0.0163 of a CPU each are 8.15 of 12, which is a machine load of 68 %.
for suite in waiters waiters-full; do
	load=$(value $suite ten-hertz machine_load) threads=$(value $suite ten-hertz threads)
	loops=$(value $suite ten-hertz loops) hertz=$(value $suite ten-hertz frequency)
	holds "(${load%\%} / 100 * 12 / $threads - 0.0163) ^ 2 < 0.0001 ^ 2 && $threads == 500 && ${hertz%Hz} == 10"
	ok $? "$suite: $load of 12 CPUs are the published 0.0163 for each of $threads threads"
	other=$(value $suite many-light loops) fast=$(value $suite many-light frequency)
	holds "$loops / ${hertz%Hz} == $other / ${fast%Hz} && ${fast%Hz} == 113 && $(value $suite many-light threads) == 2000"
	ok $? "$suite: both sections take $((loops / 10)) s"
done

[ "$(value periodic-ramp-full ramp frequency)" = '73Hz 113Hz 211Hz 347Hz 401Hz' ]
ok $? "periodic-ramp-full has the five published frequencies"
for suite in periodic-ramp periodic-ramp-full; do
	step=$(value $suite ramp step) window=$(sed -n 's/^window *= *//p' configs/$suite.ini)
	holds "${window%s} >= (2 * $(value $suite ramp steps) + 1) * ${step%s}"
	ok $? "$suite: the window holds the ramp, up and down"
done
[ "$(value periodic-full one-load load) $(value periodic-full one-load frequency)" = '3% 347Hz' ] &&
	[ "$(value periodic-full two-loads threads)" = 2 ]
ok $? "periodic-full has the published load, on one and on two cores"
[ "$(value client-server-full loopback clients)" = '1 2 4 8 16' ] &&
	[ "$(sed -n 's/^\(warmup\|window\) *= *\([0-9]*\)s/\2/p' configs/client-server-full.ini | paste -sd +)" = 6+24 ]
ok $? "client-server-full: 30 s, the first fifth of them warm-up"

# Where the published run was not bound, nor is ours.
for suite in ping-dwell ping-dwell-full pairs-dwell pairs-dwell-full waiters waiters-full client-server \
	client-server-full video video-full; do
	[ "$(names $suite | wc -l)" = "$(grep -cE '^affinity +=.* free$' configs/$suite.ini)" ]
	ok $? "$suite: all sections are placed by the scheduler"
done

# overnight has all dwells.
for pair in 'ping-fast ping-dwell fast' 'ping-medium ping-dwell medium' 'ping-slow ping-dwell slow' \
	'pairs pairs-dwell fast' 'ring ring-dwell all-cores' 'ebizzy ebizzy-dwell sleeping' \
	'one-load periodic one-load' 'two-loads periodic two-loads' 'idle idle idle'; do
	read -r ours suite theirs <<<"$pair"
	section() { sed -n "/^\[run $2\]\$/,/^\$/{/=/p}" "configs/$1.ini"; }
	[ -n "$(section overnight "$ours")" ] && [ "$(section overnight "$ours")" = "$(section "$suite" "$theirs")" ] &&
		[ "$(section overnight "$ours")" = "$(section overnight-full "$ours")" ]
	ok $? "overnight: [run $ours] is that of $suite"
done
done_testing
