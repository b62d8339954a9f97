#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One report of several result directories: who is compared with whom, what columns are called, what
# must not be compared. The results are synthetic, with known truth (tests/make-result).
. tests/tap.sh
. tests/cli/report.sh

# Nothing here is about figures, and drawing takes most of the time.
mkdir "$tmp/bin"
printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/gnuplot"
chmod +x "$tmp/bin/gnuplot"
PATH=$tmp/bin:$PATH

begin=1000
make() { # make NAME [key=value]...: a campaign of its own
	local name=$1
	shift
	begin=$((begin + 100000))
	"$top/tests/make-result" "$tmp/$name" points=3 repeat=6 governors=menu,teo shift=teo:-5 watts= \
		begin=$begin seed=$begin "$@" || echo "Bail out! make-result failed"
}

report() { # report ARGUMENT...: in $tmp, which is where the results are
	try env -C "$tmp" timeout 60 "$build/analysis" report "$@"
}

# Row of a column in the first block of loop_us: row COLUMN
row() {
	awk -v g="$1" '/^loop_us in us/ { block = 1 } /^$/ { block = 0 } block && $1 == g { print; exit }' "$tmp/out"
}

judged() { # judged COLUMN WORD NAME: the last word of its row
	[ "$(row "$1" | awk '{ print $NF }')" = "$2" ]
	ok $? "$3"
}

# Two kernels: teo changed by -3 % between them, menu did not.
make A kernel=6.17
make B kernel=6.18 shift=teo:-8
report A B
exits 0 "two kernels: exit 0"
says 'governors: menu@6.17 \(reference\), teo@6.17 \(reference\), menu@6.18, teo@6.18 ' "columns are called by what differs"
[ -s "$tmp/report-A-B/index.html" ] && [ -s "$tmp/report-A-B/summary.json" ] && [ ! -e "$tmp/A/report" ]
ok $? "the report is ./report-A-B, and the results are left alone"
judged teo@6.18 better "teo is compared with teo of the first kernel"
row teo@6.18 | awk '{ exit !($4 > -3.6 && $4 < -2.7) }'
ok $? "... by how much it changed there (-3.2 %)"
judged menu@6.18 '~' "P-36: the governor that did not change"
says 'control two-cores, loop_us: menu@6.18 against menu@6.17 [+-]0\.[0-9]+ % ~ ' "P-36: ... is shown as the control"
never 'COMPARED BY FORCE|not compared|CONTROL FAILED' "... there is nothing to warn of"
says 'one boot a kernel: boots of one kernel differ as well' "six repeats of one boot are not six boots, and the control says so"
says 'teo@6.18: [0-9.]+ us \(sd [0-9.]+, n 6\), -[0-9.]+ % vs teo@6.17 better' "several references: a list's percent says against which"
says 'loop_us in us by work \(median, % vs teo@6.17\)' "... and each table of points"
page=$(tr '\n' ' ' <"$tmp/report-A-B/index.html")
[[ $page == *'</i>teo@6.18<br><small>vs teo@6.17</small></th>'* && $page == *'<th>% vs teo@6.17</th>'* &&
	$page == *'<td>teo@6.18 <small>vs teo@6.17</small></td>'* && $page == *'one boot a kernel: '* ]]
ok $? "... and the page's tables"
mkdir "$tmp/AB" && cp -r "$tmp/A/." "$tmp/B/boots" "$tmp/AB"
report AB
says 'kernels one boot a kernel: boots of one kernel differ as well' "one result with boots of two kernels says the same"
grep -q '<h2>Kernels</h2>' "$tmp/AB/report/index.html" && grep -q 'one boot a kernel: ' "$tmp/AB/report/summary.md"
ok $? "... on the page and in summary.md"
cp -r "$tmp/A" "$tmp/A1"
report A1
never 'one boot a kernel' "... one of a single kernel does not"
report A B
grep -q '^| teo@6.18 vs teo@6.17 |' "$tmp/report-A-B/summary.md"
ok $? "... and those of summary.md"
for side in A B; do # each result with a second boot of its kernel
	make "$side-2" kernel=6.1$([ $side = A ] && echo 7 || echo 8)
	cp -r "$tmp/$side" "$tmp/$side-both"
	boot=$(basename "$tmp/$side-2"/boots/*)
	mv "$tmp/$side-2/boots/$boot" "$tmp/$side-both/boots/${boot%+*}+5f5f5f5f"
done
report A-both B-both -o boots-report
exits 0 "two boots of each kernel: exit 0"
never 'one boot a kernel' "... is not called one boot"
make moved kernel=6.18 shift=menu:4
report A moved -o moved-report
says 'menu@6.18 against menu@6.17 \+(3\.[5-9]|4\.)[0-9]+ % worse: if it did not change, this part of every difference is the kernel' \
	"P-36: a control that moved is named"
make alone kernel=6.18 governors=teo reference=teo
report A alone -o alone-report
says 'control none: the reference governor was not measured on both' "P-36: no control is named, too"
judged teo@6.18 '~' "... and teo is compared with teo"

report A B --reference menu
judged teo@6.18 better "--reference GOVERNOR: each kernel within itself"
row teo@6.18 | awk '{ exit !($4 < -7) }'
ok $? "... by -8 %"
row menu@6.18 | grep -q 'reference$'
ok $? "... whose own menu is a reference"
report A B --reference 6.18
judged teo@6.17 worse "--reference KERNEL: the other way round"
report A B --reference B
judged teo@6.17 worse "--reference DIRECTORY likewise"
report A B --reference teo@6.18
judged menu@6.17 worse "--reference COLUMN: everything with that one"
report A B --reference tea
exits 2 "--reference of something that is not there: exit 2"
says "there is no 'tea' \(menu@6.17, teo@6.17, menu@6.18, teo@6.18; or a governor" "... with what there is"

# One kernel, one machine.
make A2 kernel=6.17 shift=teo:-8
report A A2
exits 0 "one kernel, two directories"
says 'governors: A/menu \(reference\), A/teo \(reference\), A2/menu, A2/teo ' "... are told apart by their names"
report A A2 --label A=stock --label A2:teo=teo-v3
says 'governors: stock/menu \(reference\), stock/teo \(reference\), A2/menu, teo-v3 ' "--label names a directory, or one governor in it"
judged teo-v3 better "... compared with its namesake in the first"
make v2 kernel=6.17 governors=teo reference=teo shift=teo:-5
make v3 kernel=6.17 governors=teo reference=teo shift=teo:-8
report A v2 v3 --label v2=teo-v2 --label v3/=teo-v3 --reference menu
says 'governors: A/menu \(reference\), A/teo, teo-v2, teo-v3 ' "a label alone is the name of a directory with one governor"
row teo-v3 | awk '{ exit !($4 < -7) }'
ok $? "... which is compared with another directory's menu when it has none"
make A3 kernel=6.17
report A A3 B --label A=base --label A3=base
row base/teo | grep -q reference
ok $? "directories of one label"
says 'two-cores: [^;]*; work [^;]*; 6 to 12 runs each' "... are pooled"
grep -c '^Synth.*base/teo' "$tmp/report-A-A3-B/data/misses.tsv" | grep -qx 48
ok $? "... with all of their runs"
report A B --label nowhere=x
exits 2 "--label of no directory: exit 2"
report A B --label A:nap=x
exits 2 "--label of a governor that is not there: exit 2"
says "A has no governor 'nap'" "... named"
report A A2 --label A=x --label A2:teo=x/teo
exits 2 "two columns of one name: exit 2"

# Machines stand side by side, each compared within itself.
make i5 machine='Intel(R) Core(TM) i5-8250U CPU @ 1.60GHz'
make epyc machine='AMD EPYC 7543 32-Core Processor' latency=800 facts=cpufreq_governor=schedutil unit=2.2
report i5 epyc
exits 0 "two machines: exit 0"
says 'governors: i5-8250U/menu \(reference\), i5-8250U/teo, EPYC_7543/menu \(reference\), EPYC_7543/teo ' "... side by side"
judged EPYC_7543/teo better "... each against its own reference"
says "besides the cpufreq governor differs: 'performance' in i5, 'schedutil' in epyc" "... with a word on what the eye would compare"
report i5 epyc --reference i5
exits 2 "machines against one another: exit 2"
says "not to be compared: the machine differs: 'Intel\(R\) Core\(TM\) i5" "... named"

# What must not be compared: make key=value | the reason
while IFS='|' read -r number key reason; do
	dir=odd-$((++odd))
	eval "make $dir kernel=6.18 $key"
	report A "$dir"
	exits 2 "${number:+$number: }$key: refused"
	says "not to be compared: .*$reason" "... $reason"
	[ ! -e "$tmp/report-A-$dir" ]
	ok $? "... there is no report"
	report A "$dir" --force
	exits 0 "... --force: a report"
	says "warning: compared by force: .*COMPARED BY FORCE.*$reason" "... with a warning in the text"
	grep -q 'class=warn><strong>COMPARED BY FORCE' "$tmp/report-A-$dir/index.html" &&
		grep -q '"forced": true' "$tmp/report-A-$dir/summary.json"
	ok $? "... on the page and in JSON"
done <<'END'
P-24|disabled=C6|the list of disabled idle states differs: 'none' in A, 'C6' in odd
P-29|latency=400|the table of idle states .* differs: 'POLL 0/0, .*C6 133/600' in A
P-43|facts=cpufreq_governor=schedutil|the cpufreq governor differs: 'performance' in A, 'schedutil'
P-43|facts=cpufreq_driver=acpi-cpufreq|the cpufreq driver differs
P-43|facts=turbo=off|turbo differs: 'on' in A, 'off'
|facts=hz=250|HZ, the length of the tick, differs: '1000' in A, '250'
P-40|warmup=30|the warm-up differs: '2s' in A, '30s'
|window=30|the window differs: '10s' in A, '30s'
|unit=1.9|the time that a unit of work takes .ns. differs: '1.31' in A, '1.9'
|cpus=0|the list of the workload's CPUs differs: '0-1' in A, '0'
|params=transport=futex|\[run two-cores\]: transport differs: 'pipe' in A, 'futex'
|pinned=no|pinned differs: 'yes' in A, 'no'
|rehearsal=1|A is measured and odd-[0-9]* is not: a rehearsal, a model or emulated
|emulated=1|A is measured and odd-[0-9]* is not: a rehearsal, a model or emulated
END
make near unit=1.35 window=11 facts=cmdline=quiet
report A near
exits 0 "near misses are not refused"
says "differs between them besides .*command line.*unit of work takes .ns. differs: '1.31' in A, '1.35'.*the window differs: '10s' in A, '11s'" "... but named"

# Campaigns that differ.
make longer kernel=6.18 points=5 grid=1
report A longer
exits 0 "campaigns with other points"
says 'not compared .*two-cores: work=[^:]*: only in longer \(' "... points of one only are listed"
says ' grid: only in longer \([0-9]+ runs\)' "... and sections"
never '== grid' "... and not in the tables"
grep -q '<li>grid: only in longer' "$tmp/report-A-longer/index.html" && grep -q '"not_compared": \[$' "$tmp/report-A-longer/summary.json"
ok $? "... on the page and in JSON likewise"
make other kernel=6.18 points=0 dwell=0 grid=1
report A other
exits 2 "nothing in common: exit 2"

# Incomplete ones, copies, places.
make gap kernel=6.18 governors=menu,teo,ladder missing=ladder absent=2
report A gap
exits 3 "a result with gaps: exit 3"
says 'ladder: not measured: gap: this kernel' "... that says whose"
says '2 of [0-9]* cells of the plan are not done' "... and counts its cells"
report A A
exits 2 "one directory twice: exit 2"
cp -r "$tmp/A" "$tmp/copy"
report A copy
exits 2 "a copy of a result: exit 2"
says 'A and copy hold one and the same run' "... named"
report A nowhere
exits 1 "a directory that is not there: exit 1"
mkdir "$tmp/mine" && echo x >"$tmp/mine/letter"
report A B -o mine
exits 2 "-o of a folder with another content: exit 2"
[ "$(ls "$tmp/mine")" = letter ]
ok $? "... which is left alone"
mkdir -p "$tmp/deep/A"
cp -r "$tmp/B/." "$tmp/deep/A"
report A/ deep/A/ -o new/ --quiet
exits 0 "two directories of one name"
[ ! -s "$tmp/out" ] || said 'no figures'
ok $? "--quiet prints nothing else"
report A/ deep/A/ -o new
exits 0 "... and an older report is replaced"
[ -z "$(find "$tmp" -maxdepth 1 -name '*.tmp-*')" ]
ok $? "... with nothing left beside it"
report A -o single
[ "$status" = 0 ] && [ -s "$tmp/single/summary.txt" ] && [ ! -e "$tmp/A/report" ]
ok $? "-o of one directory"
lines=$(LC_ALL=C awk 'length > 78' "$tmp"/report-*/summary.txt)
[ -z "$lines" ]
ok $? "no line over 78 columns in any of them"

# By the runner.
try env -C "$tmp" "$build/runner" report A B --label A=old --reference old -o by-runner
exits 0 "runner report: the same options"
says 'old/menu \(reference\)' "... reach the report"
try env -C "$tmp" "$build/runner" report A odd-1 -o by-runner2
exits 2 "... a refusal, too"
done_testing
