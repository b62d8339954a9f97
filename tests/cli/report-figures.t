#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No figure is empty and none is lost without a word: each of figures.def is either drawn, from a table with a number in
# it, or named on the page with the reason. Asked of results that lack something each, and of names that collide.
. tests/tap.sh

command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
ids=$("$build/analysis" figures | cut -f1)

make() { # make NAME [key=value]...
	dir=$tmp/$1 runs=$tmp/$1/boots/*/runs
	tests/make-result "$dir" "${@:2}" || echo "Bail out! make-result failed"
}

# A figure's table has a number that its script draws: not one of the x axis, an interval or a count.
drawable() { # drawable TSV
	awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
			at_value = at["value"] + at["pct"]
			for (i = 1; i <= NF; i++)
				want[i] = at_value ? i == at_value : i > 2 && $i !~ /[.](lo|hi|n|x|p|p_holm|verdict)$/
			next }
		{ for (i = 1; i <= NF; i++) n += want[i] && $i ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ }
		END { exit !n }' "$1"
}

# One TAP line a result: every id, and every table of what is drawn.
whole() { # whole NAME
	local page=$dir/report/index.html data=$dir/report/data id name
	# The headline's figures are called by its metric; a section without a run has none.
	try "$build/analysis" report --quiet "$dir"
	grep -E 'not drawn|no figures' "$tmp/out" >"$tmp/faults"
	sed 's/<[^>]*>//g' "$page" | grep '^Not drawn: ' >"$tmp/unfit"
	for id in $ids; do
		id=${id/#headline/(loop_us|headline)}
		ls "$dir/report/plots" | grep -Eq "^$id(-.*)?[.]svg$" ||
			grep -Eq "(: |; )$id(-[^ ]*)? \([^)]+\)" "$tmp/unfit" || echo "$id: lost" >>"$tmp/faults"
	done
	for name in $(sed -n 's/.*src="plots\/\([^"]*\)[.]svg".*/\1/p' "$page"); do
		drawable "$data/$name.tsv" || echo "$name: empty" >>"$tmp/faults"
		[ -s "$dir/report/plots/$name.svg" ] || echo "$name: no picture" >>"$tmp/faults"
	done
	cp "$tmp/faults" "$tmp/out"
	[ ! -s "$tmp/faults" ]
	ok $? "$1: each figure is drawn from numbers, or named with a reason"
}

unfit() { # unfit NAME REGEX
	cp "$tmp/unfit" "$tmp/out"
	grep -Eq "$2" "$tmp/unfit"
	ok $? "... $1"
}

drawn() { # drawn FIGURE NAME
	[ -s "$dir/report/plots/$1.svg" ]
	ok $? "... $2"
}

make full points=8 tables=1 repeat=2
whole "a whole result"
[ "$(ls "$dir"/report/plots/*.svg | wc -l)" -gt 20 ]
ok $? "... and most are drawn"

make bare points=3 repeat=2 power=0 idle=0
whole "without power and idle states"
make spoilt points=3 repeat=1 failed=99
whole "no complete run"
make alone governors=menu points=2 repeat=1
whole "one governor, one run"

# Times outside of the window, of samples and of series; the series' alone.
make times points=0 repeat=2 tables=1
for run in $runs/*; do
	awk -F '\t' -v OFS='\t' 'NR > 1 { $1 = "99999999999999999" } 1' "$run/series.tsv" >"$tmp/x" && cp "$tmp/x" "$run/series.tsv"
	cp "$run/samples.tsv" "$run/good" && awk -F '\t' -v OFS='\t' 'NR > 1 { $1 = 7 } 1' "$run/good" >"$run/samples.tsv"
done
whole "no reading lies in the window"
unfit "the course cannot be drawn, and says why" 'course-slow-dwell \(no samples or series with a course inside the window\)'
for run in $runs/*; do mv "$run/good" "$run/samples.tsv"; done
whole "series outside of the window, samples inside"
drawn course-slow-dwell "there is a course"
! grep -q loop_us "$dir/report/plots/course-slow-dwell.gp"
ok $? "... without a panel for what is not known"

make counts points=3 repeat=2 tables=1
sed -i 's/\t[0-9]*$/\t0/' $runs/*/latency.tsv
whole "a histogram of no events"
unfit "it has no distribution" 'distribution-two-cores \(no value that could be drawn\)'

make rates points=3 dwell=0 repeat=2
for run in $runs/*; do printf 'pids_per_s\t1/s\thigher\t0\none_cpu_ratio\t\tlower\t1.25\n' >>"$run/metrics.tsv"; done
whole "a logarithmic axis with nothing above 0"
unfit "the ratio has no place on it" 'fork-ratio-two-cores \(no value that could be drawn\)'

# Against 0 there is no percent.
make zeros points=3 repeat=6 governors=menu,teo watts=
sed -i 's/^\(p99_us\t.*\t\).*/\10/' $runs/*.menu.*/metrics.tsv
whole "a measure is 0 under the reference"
grep -q '^bars = .*without a row, as the reference is 0: p99_us' "$dir/report/plots/measures-two-cores.gp"
ok $? "... the figure of all measures says that it leaves it out"
make zero points=0 repeat=6 governors=menu,teo power=0
sed -i 's/^\([a-z].*\t\)[0-9.]*$/\10/' $runs/*.menu.*/metrics.tsv
whole "all measures are 0 under the reference"
unfit "which is why there are no effects" 'effects \(no percents: what is compared is 0 under the reference\)'

make huge points=3 repeat=6 governors=menu,teo
sed -i 's/^\(loop_us\t.*\t\).*/\11e300/' $runs/*.teo.*/metrics.tsv
whole "1e300"

# Names: the same but for a byte that no file name has; longer than a file name may be; a second row of the key.
make names points=3 repeat=2
long=$(printf 's%.0s' {1..150})
sed -i 's/^section = two-cores/section = a b/; s/^section = slow-dwell/section = a_b/' $runs/*/run.ini
sed -i 's/^\[run two-cores\]/[run a b]/; s/^\[run slow-dwell\]/[run a_b]/' "$dir/campaign.ini"
whole "sections 'a b' and 'a_b'"
drawn loop_us-a_b~2 "have a file each"
sed -i "s/^section = a b/section = $long/" $runs/*/run.ini
sed -i "s/^\[run a b\]/[run $long]/" "$dir/campaign.ini"
whole "a section of 150 characters"
make many points=3 repeat=1 governors="$(seq -s , -f 'governor-%02g' 1 14)" reference=governor-01
whole "14 governors"
awk 'match($0, /translate\([0-9.]+,[0-9.]+\)/) { split(substr($0, RSTART + 10, RLENGTH - 11), at, ",") }
	/>work \(us\)</ { axis = at[2] }
	/<text>governor-/ { n++; rows[at[2]] = 1; top = !top || at[2] < top ? at[2] : top }
	END { for (r in rows) k++; exit !(n == 14 && k > 1 && axis && top > axis + 10) }' "$dir/report/plots/loop_us-two-cores.svg"
ok $? "... the rows of their key stand below the axis"
grep -q '^bars = .*none, of one run each' "$dir/report/plots/loop_us-two-cores.gp"
ok $? "... one run has no range"
done_testing
