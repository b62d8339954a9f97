#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A-20: report/data/spread.tsv: n, mean, sd, min, max and range of a point's runs together, the first run apart, two modes
# named. The figures below were computed by hand; those with two modes are the ends of a published test of 12 runs, 2691
# to 13803 us a loop.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1

# campaign GOVERNOR VALUE...: loop_us of each run of slow-dwell in turn
campaign() {
	local governor=$1 repeat=0 value

	shift
	for value; do
		repeat=$((repeat + 1))
		sed -i "s/^\(loop_us\t.*\t\)[^\t]*\$/\1$value/" "$tmp"/r/boots/*/runs/*slow-dwell.*"$governor.r$repeat"/metrics.tsv
	done
}

# row GOVERNOR: of slow-dwell's loop_us, from n on
row() {
	awk -F '\t' -v governor="$1" '$1 == "slow-dwell" && $3 == governor && $4 == "loop_us"' \
		"$tmp/r/report/data/spread.tsv" | cut -f 6- | tee "$tmp/out"
}

tests/make-result "$tmp/r" points=0 repeat=12 governors=menu,teo,ladder shift= watts= >/dev/null || skip_all "make-result failed"
# Sum of 1 to 12: 78; squares about 6.5: 143; sd = sqrt(143 / 11) = 3.605551275; without the first 77 / 11 = 7.
campaign menu 1 2 3 4 5 6 7 8 9 10 11 12
# 4 around 2700 and 8 around 13700, mixed.
campaign teo 2691 13803 13700 2700 13650 2705 13710 2704 13690 13720 13760 13767
# One that is far off is an outlier and no mode.
campaign ladder 100 101 102 103 104 105 106 107 108 109 110 500
try "$build/analysis" report --quiet "$tmp/r"
ok $status "the report is made"
[ "$(head -n 1 "$tmp/r/report/data/spread.tsv" | tr '\t' ' ')" = \
	"section point governor metric unit n mean sd min max range first rest_mean two_modes" ]
ok $? "A-20: columns"
[ "$(row menu)" = $'12\t6.5\t3.605551275\t1\t12\t11\t1\t7\t' ]
ok $? "A-20: n, mean, sd, min, max, range; the first run and the mean of the others"
[ "$(row teo | cut -f 9)" = "4 at 2700, 8 at 13725" ] && [ "$(row teo | cut -f 1,4,5,6)" = $'12\t2691\t13803\t11112' ]
ok $? "A-20: two modes are named, with their runs"
[ "$(row ladder | cut -f 9)" = "" ] && [ "$(row ladder | cut -f 5)" = 500 ]
ok $? "A-20: one run far off is no mode"
grep -q 'href="data/spread.tsv"' "$tmp/r/report/index.html"
ok $? "the page leads there"
awk -F '\t' '$4 ~ /package/ { n++ } END { exit !n }' "$tmp/r/report/data/spread.tsv"
ok $? "package power has rows, too"

# Five runs are too few to speak of modes; one has no deviation.
rm -rf "$tmp/r"
tests/make-result "$tmp/r" points=0 repeat=5 governors=menu shift= watts= >/dev/null
campaign menu 1 1.01 5 5.01 5.02
try "$build/analysis" report --quiet "$tmp/r"
[ "$(row menu | cut -f 1,9)" = $'5\t' ]
ok $? "A-20: no modes of five runs"
rm -rf "$tmp/r"
tests/make-result "$tmp/r" points=0 repeat=1 governors=menu shift= watts= >/dev/null
campaign menu 7
try "$build/analysis" report --quiet "$tmp/r"
[ "$(row menu)" = $'1\t7\t\t7\t7\t0\t7\t\t' ]
ok $? "A-20: one run: its deviation is not available, and no 0"
done_testing
