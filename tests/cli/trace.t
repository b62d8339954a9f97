#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Idle traces that need no machine: trace text of real machines with the right answers, unsorted and damaged text, the
# text that "record --text" prints, traces that are cut, and what the two verbs refuse.

. "$(dirname "$0")/../tap.sh"

analysis=$build/analysis
runner=$build/runner
cases=$top/../shared/cases/traces

# Periods of a text as "cpu state us" lines.
periods() {
	"$analysis" trace "$1" --convert "$tmp/made" 2>"$tmp/err"
	converted=$?
	"$runner" record --text "$tmp/made" | awk -F '\t' '/^[0-9]/ { printf "%s %s %.0f\n", $1, $4, ($3 - $2) / 1000 }'
}

# entry CPU SECONDS STATE, exit as state 4294967295
line() {
	printf '          <idle>-0       [%03d] d..1. %s: cpu_idle: state=%s cpu_id=%d\n' "$1" "$2" "$3" "$1"
}

if [ -e "$cases/icx_qperf.txt" ]; then
	periods "$cases/icx_qperf.txt" >"$tmp/out"
	printf '%s\n' '3 2 178' '3 2 185' '3 2 12' '3 2 11' '34 2 180' '34 2 174' '34 1 19' '34 1 21' >"$tmp/want"
	diff -u "$tmp/want" "$tmp/out" >>"$tmp/out"
	ok $? "glued excerpts, opposite states on two CPUs: the published durations"
	try "$runner" record --text "$tmp/made"
	[ "$(awk -F '\t' '$10 == "above" || $10 == "below" { print $10 }' "$tmp/out" | sort | uniq -c | xargs)" = '2 above' ]
	ok $? "a cpu_idle_miss line is a miss, and no entry"
	try "$analysis" trace "$cases/small_6cpu.cpu_idle.txt"
	said '^5 idle periods of 6 CPUs' && said 'left out: 4 exits without entry, 3 entries without exit, 0 periods'
	ok $? "exits without entry and entries without exit are counted, CPUs without events are there"
	[ $status = 3 ]
	ok $? "and the exit status says that something is left out"
else
	echo "# $cases is not there: real machines' traces are not looked at"
fi

{ line 0 7.000100 1 && line 0 7.000150 4294967295 && line 1 7.000120 2 && line 1 7.000120 4294967295; } >"$tmp/sorted"
shuf --random-source=<(yes) "$tmp/sorted" | tac >"$tmp/unsorted"
periods "$tmp/unsorted" >"$tmp/out"
[ "$(tr '\n' ';' <"$tmp/out")" = '0 1 50;1 2 0;' ] || { periods "$tmp/sorted" >"$tmp/out"; false; }
sorted=$?
# Lines of one time keep their order, so only these two may come out swapped.
grep -n 'cpu_id=1' "$tmp/unsorted" | head -1 | grep -q 'state=2' || sorted=0
ok $sorted "unsorted lines are sorted; a period of no length is one"

{
	line 0 7.000100 1
	echo 'CPU:0 [LOST 12 EVENTS]'
	line 0 7.000900 4294967295
	line 0 7.001000 1
	line 0 7.001200 4294967295
} >"$tmp/lost"
periods "$tmp/lost" >"$tmp/out"
[ "$(cat "$tmp/out")" = '0 1 200' ]
ok $? "no period is made across dropped events"
try "$analysis" trace "$tmp/lost"
said '12 events lost in 1 places'
ok $? "and they are counted"

{ line 0 7.000100 1 && line 0 99.000900 4294967295; } >"$tmp/glued"
periods "$tmp/glued" >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "no period is made across a seam"

{ line 0 7.000100 1 && line 0 7.000200 x && line 0 7.000300 4294967295; } >"$tmp/bad"
try "$analysis" trace "$tmp/bad" --convert "$tmp/made"
[ $status = 3 ] && said ":2: left out: no state that can be read"
ok $? "a line that cannot be read is named, with file and line"

# A larger trace, cut and turned.
awk 'BEGIN { for (i = 0; i < 20000; i++) for (c = 0; c < 2; c++) {
	printf "<idle>-0 [%03d] d..1. %d.%06d: cpu_idle: state=%d cpu_id=%d\n", c, 5 + i / 2000, i % 2000 * 400, i % 3, c
	printf "<idle>-0 [%03d] d..1. %d.%06d: cpu_idle: state=4294967295 cpu_id=%d\n", c, 5 + i / 2000, i % 2000 * 400 + 1 + i % 300, c
	} }' >"$tmp/long.txt"
try "$analysis" trace "$tmp/long.txt" --convert "$tmp/long"
[ $status = 0 ]
ok $? "40000 periods are converted"
try "$analysis" trace "$tmp/long"
[ $status = 0 ] && said '^40000 idle periods of 2 CPUs'
ok $? "and analysed"
middle=$(($(stat -c %s "$tmp/long") / 2))
head -c $middle "$tmp/long" >"$tmp/cut"
try "$analysis" trace "$tmp/cut"
[ $status = 3 ] && said 'DAMAGED in 1 places' && said 'the trace has no end' && said '^[1-9][0-9]* idle periods'
ok $? "a trace that is cut is read up to the last whole block, and says so"
{ head -c $middle "$tmp/long" && printf 'XXXX' && tail -c +$((middle + 5)) "$tmp/long"; } >"$tmp/turned"
try "$analysis" trace "$tmp/turned"
[ $status = 3 ] && said 'DAMAGED in 1 places' && ! said 'has no end'
ok $? "a damaged block is named, and what is behind it is read"
try "$runner" record --text "$tmp/turned"
[ $status = 3 ] && said '^# damaged: [0-9]+ bytes from offset [0-9]+'
ok $? "also by --text"

# An older format, as its writer left it.
try "$runner" record --text tests/traces/format-2.idle
[ $status = 0 ] && cmp -s "$tmp/out" tests/traces/format-2.txt
ok $? "a trace of format 2 is read as before"

if command -v gnuplot >/dev/null; then
	try "$runner" trace "$tmp/long" -o "$tmp/figures"
	[ $status = 0 ] && [ -s "$tmp/figures/plots/idle-by-state.svg" ] && [ -s "$tmp/figures/plots/ideal-state.svg" ] &&
		[ -s "$tmp/figures/data/idle-by-state.tsv" ] && [ ! -e "$tmp/figures/plots/task-latency.svg" ]
	ok $? "trace -o draws the figures that there are data for"
	try "$runner" trace "$tmp/long" -o "$tmp/figures"
	[ $status = 1 ]
	ok $? "and touches no folder that exists"
fi

if [ -e "$cases/icx_qperf.txt" ]; then
	try "$runner" import "$cases/icx_qperf.txt" -o "$tmp/imported"
	[ $status = 0 ] && awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ print $c["cpu"], $c["state"], $c["usage1"], $c["time1_us"], $c["above1"] }' \
		"$tmp"/imported/boots/*/runs/*/idle.tsv >"$tmp/out" &&
		[ "$(tr '\n' ';' <"$tmp/out")" = '3 2 4 386 2;34 1 2 40 0;34 2 2 354 0;' ]
	ok $? "import makes a run of trace text: entries, time and misses by CPU and state"
fi
# Traces beside the runs of a result: 20000 periods of each of 2 CPUs, 150.00 us long in the mean.
"$top/tests/make-result" "$tmp/result" points=0 repeat=2 governors=menu,teo shift= watts= >/dev/null
for run in "$tmp"/result/boots/*/runs/*; do
	cp "$tmp/long" "$run/trace.idle"
done
first=$(ls -d "$tmp"/result/boots/*/runs/* | head -1)
cp "$tmp/cut" "$first/trace.idle"
try "$analysis" report "$tmp/result" -o "$tmp/report"
awk -F, '$4 == "idle_period_us" || $4 ~ /^all_|^tick_/ { print $4, $5 }' "$tmp/report/summary.csv" | sort -u >"$tmp/out"
[ $status = 0 ] && [ "$(tr '\n' ';' <"$tmp/out")" = 'all_idle_pct %;idle_period_us us;' ]
ok $? "a result with traces has what only they tell among its measures, as far as their events and tables go"
awk -F, '$4 == "idle_period_us" { n++; wrong += $8 < 149.99 || $8 > 150.01 } END { exit n != 2 || wrong }' "$tmp/report/summary.csv"
ok $? "with the mean that the trace was made of"
grep -q 'idle trace left out: damaged' "$tmp/report/summary.txt"
ok $? "a trace that is cut is left out, and the run keeps its other figures"

try "$analysis" trace "$top/README.md"
[ $status = 1 ] && said 'not an idle trace'
ok $? "what is no trace is refused"
try "$runner" record
[ $status = 2 ] && said 'into which file'
ok $? "record needs a file"
try "$runner" record -o "$tmp/x" --events idle,timer
[ $status = 2 ] && said "did you mean 'timers'"
ok $? "an unknown kind of events is refused with the nearest word"
try "$runner" record --text "$tmp/long" --seconds 3
[ $status = 2 ]
ok $? "--text takes nothing else"
try "$runner" record -o "$tmp/x" --seconds 0
[ $status = 2 ]
ok $? "0 seconds are refused"

done_testing
