#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The report of synthetic results with known truth (tests/make-result): verdicts, gaps, exclusions,
# exit statuses, and that a report is whole or absent.
set -u
build=${BUILD:-build}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0
fails=0

ok() { # ok STATUS NAME
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		fails=$((fails + 1))
	fi
}

is() { # is GOT WANT NAME
	if [ "$1" = "$2" ]; then
		ok 0 "$3"
	else
		ok 1 "$3"
		echo "# got '$1', want '$2'"
	fi
}

has() { # has FILE REGEX NAME
	grep -Eq -- "$2" "$1"
	ok $? "$3"
}

hasnt() {
	! grep -Eq -- "$2" "$1"
	ok $? "$3"
}

make() { # make NAME [key=value]...
	local name=$1
	shift
	tests/make-result "$tmp/$name" "$@" || echo "Bail out! make-result failed"
}

report() { # report NAME: status in $status, output in NAME.out and NAME.err
	"$build/analysis" report "$tmp/$1" >"$tmp/$1.out" 2>"$tmp/$1.err"
	status=$?
}

# Row of a governor in the block of a measure: row FILE SECTION MEASURE GOVERNOR
row() {
	awk -v s="== $2:" -v m="^$3 in " -v g="$4" '
		index($0, s) == 1 { here = 1 } /^== / && index($0, s) != 1 { here = 0 }
		here && $0 ~ m { block = 1 } /^$/ { block = 0 }
		here && block && $1 == g { print; exit }' "$1"
}

make full points=6
report full
is "$status" 0 "a whole result: exit 0"
is "$(row "$tmp/full.out" slow-dwell loop_us teo-ng | awk '{print $NF}')" better "5 % less is better"
is "$(row "$tmp/full.out" slow-dwell loop_us teo | awk '{print $NF}')" "~" "the same is ~"
is "$(row "$tmp/full.out" two-cores loop_us teo-ng | awk '{print $NF}')" better "whole curve: better"
is "$(row "$tmp/full.out" two-cores loop_us teo | awk '{print $NF}')" "~" "whole curve: the same"
is "$(row "$tmp/full.out" slow-dwell package_w teo-ng | awk '{print $NF}')" better "power: better"
has "$tmp/full.out" 'loops_per_s.* b *$' "more loops per second are better, too"
has "$tmp/full.out" '^  package_w|^package_w' "package power is there"
row "$tmp/full.out" slow-dwell package_w menu | awk '{exit !($2 > 11.5 && $2 < 12.5)}'
ok $? "package power is the package's 12 W, without psys, core and the mmio twin"
has "$tmp/full.out" 'C6 +133 +600' "the state table has latency and residency"
has "$tmp/full.out" 'too deep \(above\), too shallow \(below\)' "words for above and below"
is "$(awk 'length > 78' "$tmp/full/report/summary.txt" | wc -l)" 0 "no line over 78 columns"
is "$(grep -c ' $' "$tmp/full/report/summary.txt")" 0 "no blanks at line ends"
missing=0
for id in $("$build/analysis" figures | cut -f1 | sed "s/^headline/loop_us/"); do
	for name in "$id" "$id-two-cores" "$id-slow-dwell"; do
		[ -s "$tmp/full/report/plots/$name.svg" ] && [ -s "$tmp/full/report/data/$name.tsv" ] && continue 2
	done
	grep -Eq "(Not drawn: |; )$id-two-cores[^ ]* \(" "$tmp/full/report/index.html" || missing=$((missing + 1))
done
is "$missing" 0 "every figure of the table is drawn, with its data, or named with the reason"
hasnt "$tmp/full/report/index.html" '<script|http:|onload' "no script and nothing foreign in the page"
has "$tmp/full/report/index.html" 'Synthetic CPU &lt;test&gt; &amp; Co' "the page is escaped"
hasnt "$tmp/full/report/index.html" 'Synthetic CPU <test>' "... everywhere"
is "$(find "$tmp/full/report" -name '.*' -o -name '*.log' | wc -l)" 0 "no leftovers in the report"
is "$(find "$tmp/full" -maxdepth 1 -name 'report.tmp*' | wc -l)" 0 "no temporary report"
if command -v jq >/dev/null; then
	is "$(jq -r '.sections[1].measures[0].overall."teo-ng".verdict' "$tmp/full/report/summary.json")" better \
		"summary.json agrees"
fi
(cd "$tmp/full/report/plots" && rm loop_us-two-cores.svg && gnuplot loop_us-two-cores.gp) 2>/dev/null
[ -s "$tmp/full/report/plots/loop_us-two-cores.svg" ]
ok $? "a reader can redraw a figure with gnuplot alone"
rm -rf "$tmp/full/report"
report full
cp "$tmp/full/report/summary.txt" "$tmp/first.txt"
touch "$tmp/full/report/stale"
report full
cmp -s "$tmp/first.txt" "$tmp/full/report/summary.txt" && [ ! -e "$tmp/full/report/stale" ]
ok $? "a rebuilt report is the same, the old one is gone"

make gaps governors=menu,teo,ladder missing=ladder points=4 failed=1 void=1 damaged=1 doubts=2 repeat=7
report gaps
is "$status" 3 "a missing governor: exit 3"
has "$tmp/gaps.out" '^ladder: not measured: .*CONFIG_CPU_IDLE_GOV_LADDER' "the gap has its reason"
has "$tmp/gaps/report/index.html" 'ladder: not measured' "... on the page, too"
has "$tmp/gaps.out" '1 x failed: the workload ended with exit status 1' "a failed run is listed"
has "$tmp/gaps.out" '1 x void: the idle governor was changed' "a void run is listed"
has "$tmp/gaps.out" '1 x damaged:' "a damaged run is listed"
has "$tmp/gaps.err" 'skipped 1 damaged run: .*run.ini' "... and named on stderr"
has "$tmp/gaps.out" '2 x token arrived before sleep' "doubts are counted by kind"

make absent points=3 absent=5
report absent
is "$status" 3 "cells without a run: exit 3"
has "$tmp/absent.out" '^5 of 72 cells of the plan are not done' "they are counted"

make small points=3 repeat=3 power=0
report small
is "$status" 0 "three repeats asked, three there: exit 0"
is "$(grep -cE '  (better|worse)$' "$tmp/small.out")" 0 "no verdict below six runs (P-50)"
has "$tmp/small.out" 'n too small$' "it says why"
has "$tmp/small/report/plots/loop_us-slow-dwell.gp" 'bars: range of 3 runs' "bars are called a range"
has "$tmp/small.out" 'package power: not available \(none: no powercap zones and no RAPL PMU\)' \
	"no power, with the machine's reason"
hasnt "$tmp/small.out" 'package_w' "... and no 0 W"
[ ! -e "$tmp/small/report/plots/power-two-cores.svg" ]
ok $? "... and no empty figure"
has "$tmp/full/report/plots/loop_us-slow-dwell.gp" 'bars: 95 % interval of the median' "six runs have an interval"

make aa governors=menu,menu points=8
report aa
has "$tmp/aa.out" '^  menu:2 .* ~$' "A/A comes out as ~ (P-49)"
is "$(grep -cE '  (better|worse)$' "$tmp/aa.out")" 0 "... everywhere"

make wrap power=wrap points=0
report wrap
row "$tmp/wrap.out" slow-dwell package_w menu | awk '{exit !($2 > 11.5 && $2 < 12.5)}'
ok $? "a counter that wraps in every run gives the same watts (P-01)"

make fake rehearsal=1 points=3
report fake
has "$tmp/fake.out" 'REHEARSAL' "a rehearsal says so in the summary"
has "$tmp/fake/report/index.html" 'REHEARSAL' "... on the page"
is "$(grep -L REHEARSAL "$tmp"/fake/report/plots/*.svg | wc -l)" 0 "... across every figure"

make emulated emulated=1 points=3
report emulated
has "$tmp/emulated.out" 'EMULATED: timing is not a measurement' "so does one of an emulated guest"
has "$tmp/emulated/report/index.html" 'EMULATED: timing is not a measurement' "... on the page"
is "$(grep -L EMULATED "$tmp"/emulated/report/plots/*.svg | wc -l)" 0 "... across every figure"

make hybrid hybrid=1 points=0
report hybrid
has "$tmp/hybrid.out" '^idle states of CPU 0' "CPUs with different states have tables of their own"
has "$tmp/hybrid.out" 'C3_ACPI +195 +540' "... with their states (P-29)"

make none idle=0 points=0
report none
is "$status" 0 "a machine without cpuidle: exit 0"
has "$tmp/none.out" 'no idle states' "... says so"

make quiet points=0 cpus=
report quiet
has "$tmp/quiet.out" 'idle states, all CPUs' "a workload without CPUs is shown by all CPUs"
has "$tmp/quiet/report/index.html" 'residency-workload-slow-dwell .the workload has no CPUs of its own' \
	"... and a figure that would say the same again is not drawn"

# Damaged files: named, left out, exit 3; the rest is reported.
make hurt points=0 repeat=2
run=$(echo "$tmp"/hurt/boots/*/runs/0002*)
printf 'cut' >"$run/idle.tsv"
report hurt
is "$status" 3 "a cut idle.tsv: exit 3"
has "$tmp/hurt.err" 'runs/0002.*/idle.tsv:1: no newline' "... named"
is "$(row "$tmp/hurt.out" slow-dwell loop_us menu | awk '{print $1}')" menu "... the others are there"
printf 'x\n' >>"$(echo "$tmp"/hurt/boots/*/states.tsv)"
report hurt
is "$status" 3 "a damaged states.tsv: exit 3"
is "$(grep -c 'damaged' "$tmp/hurt.err")" 1 "... one warning for all runs of that boot"

make grid points=0 dwell=0 grid=1 words=1
report grid
[ -s "$tmp/grid/report/plots/loop_us-grid-cores=2.svg" ] && [ -s "$tmp/grid/report/plots/loop_us-grid-cores=4.svg" ]
ok $? "two axes: a figure for each value of the second"
has "$tmp/grid/report/plots/loop_us-transports.gp" "'pipe', 'eventfd', 'futex'" "an axis of words"

"$build/analysis" report "$tmp/nowhere" >/dev/null 2>"$tmp/err"
is $? 1 "a directory that is not there: exit 1"
has "$tmp/err" 'nowhere: No such file or directory' "... named"
"$build/analysis" report "$tmp" >/dev/null 2>"$tmp/err"
is $? 1 "a directory without a campaign: exit 1"
has "$tmp/err" 'campaign.ini' "... named"
"$build/analysis" report >/dev/null 2>&1
is $? 2 "no directory: exit 2"
"$build/analysis" report --quite "$tmp/full" >/dev/null 2>"$tmp/err"
is $? 2 "an unknown option: exit 2"
has "$tmp/err" "did you mean '--quiet'" "... with the nearest"
"$build/analysis" reprot 2>"$tmp/err"
is $? 2 "an unknown verb: exit 2"
"$build/analysis" --help >"$tmp/help"
is $? 0 "--help: exit 0"
is "$(awk 'length > 80' "$tmp/help" | wc -l)" 0 "... in 80 columns"
is "$("$build/analysis" report --quiet "$tmp/wrap" | wc -l)" 0 "--quiet prints nothing"
sed -i 's/^format = 1$/format = 2/' "$tmp/wrap/campaign.ini"
"$build/analysis" report "$tmp/wrap" >/dev/null 2>"$tmp/err"
[ $? -ne 0 ] && grep -q 'format 2' "$tmp/err"
ok $? "a higher format number is refused by name"
[ -s "$tmp/wrap/report/index.html" ]
ok $? "... and the old report stays"
chmod a-w "$tmp/aa"
if [ "$(id -u)" -ne 0 ]; then
	"$build/analysis" report "$tmp/aa" >/dev/null 2>"$tmp/err"
	is $? 1 "a directory that cannot be written: exit 1"
fi
echo "1..$n"
[ "$fails" -eq 0 ]
