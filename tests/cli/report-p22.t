#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# P-22: report/data/misses.tsv: a row a complete run in the reviewers' column order, misses = belows + aboves, ratio =
# misses / idles in percent. The rows below were computed by hand. A published table, where it is at hand, must come
# out of our program as it was printed.

. "$(dirname "$0")/../tap.sh"

header=$'device\tgovernor\titeration\tmetric\tidles\tidle_misses\tidle_miss_ratio\tbelows\taboves'
idle_header=$'cpu\tstate\tt0_ns\tt1_ns\tusage0\tusage1\ttime0_us\ttime1_us\tabove0\tabove1\tbelow0\tbelow1\trejected0\trejected1'

# idle RUN: its idle.tsv from lines "cpu state usage0 usage1 above0 above1 below0 below1", '-' = not available
idle() {
	{
		echo "$idle_header"
		while read -r cpu state u0 u1 a0 a1 b0 b1; do
			printf '%s\t%s\t1000\t10000001000\t%s\t%s\t0\t1000\t%s\t%s\t%s\t%s\t0\t0\n' \
				"$cpu" "$state" "$u0" "$u1" "$a0" "$a1" "$b0" "$b1" | sed 's/\t-/\t/g'
		done
	} >"$1/idle.tsv"
}

# run_of DIR GOVERNOR [REPEAT]
run_of() {
	echo "$1"/boots/*/runs/*."$2".r"${3:-1}"
}

# report DIR: builds it; the data rows without the device in $tmp/rows
report() {
	try "$build/analysis" report --quiet "$1"
	tail -n +2 "$1/report/data/misses.tsv" | cut -f2- >"$tmp/rows"
}

# row GOVERNOR ITERATION...: is that line there?
row() {
	local IFS=$'\t'
	cp "$tmp/rows" "$tmp/out"
	grep -qxF "$*" "$tmp/rows"
}

tests/make-result "$tmp/r" points=0 repeat=2 cpus=0 governors=menu,teo >/dev/null || skip_all "make-result failed"
# CPU 0: usage 100 + 1000 + 400 + 500 = 2000; above 0 + 3 + 5 + 12 = 20; below 10 + 0 + 31 + 0 = 41; 61 of 2000 = 3.05 %.
idle "$(run_of "$tmp/r" menu 1)" <<'END'
0 0 7 107 0 0 5 15
0 1 1000 2000 100 103 9 9
0 2 0 400 0 5 0 31
0 3 10 510 1 13 0 0
1 0 0 90000 0 0 0 80000
1 1 0 0 0 0 0 0
1 2 0 0 0 0 0 0
1 3 0 0 0 0 0 0
END
# Nothing at all: no ratio, and no 0 %.
idle "$(run_of "$tmp/r" menu 2)" <<'END'
0 0 7 7 0 0 5 5
0 1 7 7 0 0 5 5
0 2 7 7 0 0 5 5
0 3 7 7 0 0 5 5
1 0 0 5 0 0 0 1
1 1 0 5 0 0 0 1
1 2 0 5 0 0 0 1
1 3 0 5 0 0 0 0
END
# A kernel without above and below: idles are known, misses are not.
idle "$(run_of "$tmp/r" teo 1)" <<'END'
0 0 0 1 - - - -
0 1 0 2 - - - -
0 2 0 3 - - - -
0 3 0 4 - - - -
END
# One of three: 1 / 3 = 33.333 %, of counters beyond the 2^53 up to which a double counts every one.
idle "$(run_of "$tmp/r" teo 2)" <<'END'
0 0 18014398509481985 18014398509481985 0 0 0 0
0 1 18014398509481985 18014398509481988 9007199254740993 9007199254740994 0 0
0 2 0 0 0 0 0 0
0 3 0 0 0 0 0 0
END
report "$tmp/r"
ok $status "the report is built"
[ "$(head -1 "$tmp/r/report/data/misses.tsv")" = "$header" ]
ok $? "the columns are the reviewers', in their order"
[ "$(tail -n +2 "$tmp/r/report/data/misses.tsv" | cut -f1 | sort -u)" = 'Synthetic CPU <test> & Co' ]
ok $? "device is the machine"
row menu 1 slow-dwell 2000 61 3.050 41 20
ok $? "sums over the states of the workload's CPU; misses = belows + aboves"
row menu 2 slow-dwell 0 0 - 0 0
ok $? "no idles: the ratio is -"
row teo 1 slow-dwell 10 '' '' '' ''
ok $? "no above and below: not available, not 0"
row teo 2 slow-dwell 3 1 33.333 0 1
ok $? "differences of large counters are exact; three decimals"
[ "$(cut -f1,2 "$tmp/rows" | tr '\t\n' ': ')" = 'menu:1 menu:2 teo:1 teo:2 ' ]
ok $? "a row a run, by governor and iteration"
cp "$tmp/r/report/index.html" "$tmp/out"
said '<h2>Idle misses</h2>' && said 'href="data/misses.tsv"'
ok $? "the page links it"

# The null workload has no CPUs of its own: all CPUs, 2 + 90 entries, 1 + 45 misses.
tests/make-result "$tmp/null" points=0 repeat=1 cpus= governors=menu >/dev/null
idle "$(run_of "$tmp/null" menu)" <<'END'
0 0 0 2 0 0 0 1
0 1 0 0 0 0 0 0
0 2 0 0 0 0 0 0
0 3 0 0 0 0 0 0
1 0 0 0 0 0 0 0
1 1 0 90 0 40 0 5
1 2 0 0 0 0 0 0
1 3 0 0 0 0 0 0
END
report "$tmp/null"
row menu 1 slow-dwell 92 46 50.000 6 40
ok $? "a workload without CPUs: all CPUs"

# Points of a sweep are part of the metric, in the sweep's order; failed, void and damaged runs have no row.
tests/make-result "$tmp/sweep" points=3 repeat=1 dwell=0 governors=menu,teo failed=1 >/dev/null
report "$tmp/sweep"
[ "$(cut -f3 "$tmp/rows" | uniq | tr '\n' ,)" = 'two-cores work=0us,two-cores work=40ns,two-cores work=40us,' ]
ok $? "metric is section and point, in the order of the sweep"
[ "$(wc -l <"$tmp/rows")" = 5 ]
ok $? "a failed run has no row"
tests/make-result "$tmp/none" points=0 repeat=1 idle=0 governors=menu >/dev/null
report "$tmp/none"
row menu 1 slow-dwell '' '' '' '' ''
ok $? "a machine without cpuidle: a row, nothing available"

published=$top/../shared/cases/tables/rk3399_oct17_menu.csv
if [ -r "$published" ]; then
	rows=$(($(wc -l <"$published") - 1))
	awk -F, 'NR > 1 && ($6 != $8 + $9 || sprintf("%.3f", $6 / $5) != $7) { print; bad = 1 } END { exit bad || NR < 2 }' \
		"$published" >"$tmp/out"
	ok $? "all $rows rows of the published table: misses = belows + aboves, ratio = misses / idles"
	tests/make-result "$tmp/rk" points=0 repeat="$rows" cpus=0 governors=menu >/dev/null
	i=0
	while IFS=, read -r _ _ _ _ idles _ _ belows aboves; do
		i=$((i + 1))
		idle "$(run_of "$tmp/rk" menu $i)" <<-END
		0 0 0 0 0 0 0 0
		0 1 0 $idles 0 $aboves 0 $belows
		0 2 0 0 0 0 0 0
		0 3 0 0 0 0 0 0
		END
	done < <(tail -n +2 "$published")
	report "$tmp/rk"
	awk -F'\t' '{ printf "%s,%s,%.3f,%s,%s\n", $4, $5, $6 / 100, $7, $8 }' "$tmp/rows" >"$tmp/ours"
	tail -n +2 "$published" | cut -d, -f5- | diff - "$tmp/ours" >"$tmp/out"
	ok $? "... and our rows of those counters are the published ones"
fi

done_testing
