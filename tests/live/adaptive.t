#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A short adaptive sweep on this machine, two of its governors. Which points are chosen is noise here; that they are chosen,
# measured for both governors, explained and reported is not. IDLE_TEST_LONG=1: in three repeats.

. "$(dirname "$0")/live.sh"
cd "$top" || exit 1

repeat=1
[ -z "$IDLE_TEST_LONG" ] || repeat=3
cat >"$tmp/short.ini" <<END
[suite]
format = 1
repeat = $repeat
warmup = 0s
window = 300ms
[run ring]
workload = ping-pong
work = 0..500us adaptive 8
END
try "$runner" --suite "$tmp/short.ini" --governors "$(other_governor),$governor_before" --allow-busy --no-power \
	--results "$tmp/r"
[ $status = 0 ]
ok $? "an adaptive sweep of 8 points: status $status"
governor_is_back
ok $? "the governor is back"
runs=$(find "$tmp"/r/boots/*/runs -mindepth 1 -maxdepth 1 -name '*.r[0-9]' | sed 's|.*/[0-9]*\.||' | sort -u | wc -l)
[ "$runs" = $((16 * repeat)) ]
ok $? "8 points under two governors: $runs of $((16 * repeat)) runs"
awk -F'\t' 'NR > 1 && $6 != "" { n++; why += $6 == 0 || $7 != "" } END { exit !(n == 8 && why == 8) }' "$tmp/r/points.tsv"
ok $? "8 chosen points, each with its reason"
tr -s ' \n' ' ' <"$tmp/out" | grep -q 'over [0-9]* of 8 points by their part of the scale'
ok $? "the report weighs them by their part of the scale"
if command -v gnuplot >/dev/null; then
	[ -s "$(find "$tmp/r/report/plots" -name 'loop_us-*.svg' | head -1)" ]
	ok $? "and has its curve"
fi
done_testing
