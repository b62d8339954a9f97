#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sequential campaigns, P-49 to P-52: the answer to the runner and the report are made of the same adjusted levels, which
# are not those of a campaign that is looked at once; and a whole campaign of a command, on a fake machine, that ends when
# it is decided. What the levels are worth: tests/unit/analysis/sequential.c.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1

# Made results: sections decided after 10 of 14 repeats, point work=40us after 9.
made() {
	rm -rf "$1"
	tests/make-result "$1" repeat=14 points=3 governors=menu,menu,teo-ng noise=0.25 seed=5 >/dev/null || skip_all "make-result failed"
	rm -rf "$1"/boots/*/runs/*.r1[1-4] "$1"/boots/*/runs/*.work=40us.*.r10
}
made "$tmp/once"
made "$tmp/r"
sed -i 's/^repeat = 14/&\nrepeat_min = 6/' "$tmp/r/campaign.ini"

try "$build/analysis" decide "$tmp/once"
[ $status = 2 ] && said 'is no sequential campaign'
ok $? "decide is for sequential campaigns"
try "$build/analysis" decide "$tmp/r"
ok $status "decide answers"
cp "$tmp/out" "$tmp/decisions"
[ "$(cut -f 2 "$tmp/decisions" | sed 1d | sort | uniq -c | tr -s ' \n' ' ')" = ' 4 curve 16 point ' ]
ok $? "a row for each governor, judged measure and point, and for each whole curve"
row() { # SCOPE POINT GOVERNOR METRIC COLUMN, of two-cores
	awk -F '\t' -v scope="$1" -v point="$2" -v governor="$3" -v metric="$4" -v column="$5" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "two-cores" && $2 == scope && $3 == point && $4 == governor && $7 == metric { print $at[column] }' "$tmp/decisions"
}
[ "$(row point work=0us teo-ng loop_us verdict) $(row point work=0us teo-ng loop_us decided)" = 'better yes' ]
ok $? "5 % less is better, and decided"
[ "$(row curve '' menu:2 loop_us verdict) $(row curve '' menu:2 loop_us decided)" = 'equivalent yes' ]
ok $? "P-49: the control is shown to be smaller than the threshold, and so decided"
[ "$(row point work=40us teo-ng loop_us blocks) $(row point work=0us teo-ng loop_us blocks)"  = '9 10' ]
ok $? "each comparison has the blocks that it was given"
[ "$(row curve '' teo-ng loop_us blocks)" = 9 ]
ok $? "a whole curve is made of whole blocks only"
levels=$(row point work=40us teo-ng loop_us level)\ $(row point work=0us teo-ng loop_us level)
awk -v l="$levels" 'BEGIN { split(l, a, " "); exit !(a[1] > a[2] && a[1] < 0.016 && a[2] > 0.011) }'
ok $? "the level of one look is a part of 0.05 ($levels)"

# Until here there is no record of a look; a report needs none.
try "$build/analysis" report --quiet "$tmp/r"
[ $status = 3 ] && tr -s ' \n' ' ' <"$tmp/r/report/summary.txt" >"$tmp/words"
ok $? "cells that nobody has made nor spared: incomplete"
grep -q 'sequential, 6 to 14 repeats, 0 looks so far: 20 of 20 comparisons decided; window 10s' "$tmp/words"
ok $? "the summary says that the campaign was sequential"
grep -q 'not over: up to 51 of 168 cells of the plan are not done' "$tmp/words"
ok $? "and that it is not over"
{
	printf 'look\tboot\trepeat\truns\t' && head -n 1 "$tmp/decisions"
	sed '1d; s/^/1\tb\t9\t100\t/; s/yes$/no/' "$tmp/decisions"
	sed "1d; s/^/2\tb\t10\t$(($(find "$tmp"/r/boots/*/runs -mindepth 1 -maxdepth 1 | wc -l) - 1))\t/" "$tmp/decisions"
} >"$tmp/r/looks.tsv"
try "$build/analysis" report --quiet "$tmp/r"
[ $status = 3 ]
ok $? "a run that came behind the last look: not over"
sed -i "s/^2\tb\t10\t[0-9]*/2\tb\t10\t$(find "$tmp"/r/boots/*/runs -mindepth 1 -maxdepth 1 | wc -l)/" "$tmp/r/looks.tsv"
try "$build/analysis" report --quiet "$tmp/r"
ok $status "all is decided by the last look: complete"
summary=$tmp/r/report/summary.txt
tr -s ' \n' ' ' <"$summary" >"$tmp/words"
grep -q 'sequential, 6 to 14 repeats, 2 looks so far: 20 of 20 comparisons decided' "$tmp/words" &&
	! grep -q 'not over' "$tmp/words"
ok $? "the summary counts the looks"
grep -q 'error spending by Lan and DeMets' "$tmp/words" && grep -q 'Lan and DeMets' "$tmp/r/report/index.html" &&
	grep -q 'Lan and DeMets' "$tmp/r/report/summary.md"
ok $? "the method is named, in text, page and markdown"
grep -q '<p>sequential, 6 to 14 repeats, 2 looks' "$tmp/r/report/index.html"
ok $? "the page says so on top"
grep -qE '^  menu:2 .* equivalent$' "$summary" && grep -q '^  = equivalent: shown to be too small to matter$' "$summary" &&
	grep -qE '^  40us .* b$' "$summary"
ok $? "verdicts have their words and marks"
grep -q 'menu:2: [0-9.]* us (sd [0-9.]*, n 9), [-+0-9.]* % equivalent' "$tmp/words"
ok $? "an average says nothing against it"
grep -q 'Holm.s correction, at most 5 % would by chance' "$tmp/words"
ok $? "P-49: repeated p values of the control err less often"
[ "$(awk 'length > 78' "$summary" | wc -l)" = 0 ]
ok $? "no line over 78 columns"
if command -v jq >/dev/null; then
	json=$tmp/r/report/summary.json
	[ "$(jq -c .sequential "$json")" = '{"repeat_min":6,"repeat_max":14,"looks":2,"comparisons":20,"decided":20}' ]
	ok $? "summary.json says that it was sequential"
	at='.sections[0].measures[0]'
	jq -r "$at.overall.\"teo-ng\", $at.points[0].\"menu:2\", $at.points[2].\"teo-ng\" |
		[.diff_pct, .diff_lo_pct, .diff_hi_pct, .p_holm, .p_equal_holm, .verdict] | @tsv" "$json" >"$tmp/reported"
	for cell in 'curve||teo-ng' 'point|work=0us|menu:2' 'point|work=40us|teo-ng'; do
		IFS='|' read -r scope point governor <<<"$cell"
		for column in diff_pct lo_pct hi_pct p p_equal verdict; do row "$scope" "$point" "$governor" loop_us $column; done |
			paste -s -d '\t'
	done >"$tmp/answered"
	awk -F '\t' 'NR == FNR { for (i = 1; i <= 6; i++) a[FNR, i] = $i; next }
		{ for (i = 1; i <= 5; i++) if ((a[FNR, i] - $i) ^ 2 > 1e-12) bad = 1; if (a[FNR, 6] != $6 || NF != 6) bad = 1; n++ }
		END { exit bad || n != 3 }' "$tmp/answered" "$tmp/reported"
	ok $? "the report has the estimates, intervals, p values and verdicts of the answer"
	try "$build/analysis" report --quiet "$tmp/once"
	jq -r -n --slurpfile a "$json" --slurpfile b "$tmp/once/report/summary.json" "
		[\$a[0], \$b[0] | $at.points[0].\"teo-ng\"] | [.[0].diff_lo_pct < .[1].diff_lo_pct, .[0].diff_hi_pct > .[1].diff_hi_pct,
		.[0].p > 3 * .[1].p, .[0].diff_pct == .[1].diff_pct, .[1].p_equal_holm == null] | all" >"$tmp/wider"
	[ "$(cat "$tmp/wider")" = true ]
	ok $? "intervals are wider and p larger than where the same runs were looked at once; the estimate is the same"
	[ "$(jq .sequential "$tmp/once/report/summary.json")" = null ] && ! grep -q equivalent "$tmp/once/report/summary.txt"
	ok $? "which says nothing of all this"
fi

# Damage.
truncate -s -20 "$tmp/r/looks.tsv"
try "$build/analysis" report --quiet "$tmp/r"
[ $status = 3 ] && grep -q 'looks.tsv' "$tmp/r/report/summary.txt" && grep -q '6 to 14 repeats, 0 looks' "$tmp/r/report/summary.txt"
ok $? "a looks.tsv that was cut is named; the report stands"
for most in 6 14000; do
	sed -i "s/^repeat = .*/repeat = $most/" "$tmp/r/campaign.ini"
	try "$build/analysis" report --quiet "$tmp/r"
	[ $status = 3 ] && tr -s ' \n' ' ' <"$tmp/r/report/summary.txt" | grep -q "from repeat_min = 6 to repeat = $most"
	ok $? "no campaign has looks from 6 to $most: campaign.ini is damaged"
done

# A whole one: a command that takes four times as long under teo.
tests/machines/make-machine "$tmp/m" --governors 'menu teo' || exit 1
governor=$tmp/m/sys/devices/system/cpu/cpuidle/current_governor
printf '%s\n' '[suite]' 'format = 1' 'repeat = 6..12' 'stop = decided' '[run nap]' 'workload = command' 'shell = yes' \
	"command = grep -q teo $governor && exec sleep 0.4; exec sleep 0.1" >"$tmp/nap.ini"
try "$build/runner" --root "$tmp/m" --suite "$tmp/nap.ini" --governors menu,teo --seed 3 --results "$tmp/n"
ok $status "a whole campaign"
last=$(tail -n 1 "$tmp/n/looks.tsv" | cut -f 3)
[ "$last" -ge 7 ] && [ "$last" -lt 12 ]
ok $? "it is over when it is decided (after $last of 12 repeats)"
[ "$(find "$tmp"/n/boots/*/runs -mindepth 1 -maxdepth 1 | wc -l)" = $((2 * last)) ]
ok $? "with as many runs of each governor"
said "^decided after $last blocks: nap teo run_s: worse, \+[0-9.]+ % \(.*\)$" && said "look $((last - 5)), after $last repeats: 1 of 1 comparisons decided"
ok $? "as it says"
tr -s ' \n' ' ' <"$tmp/n/report/summary.txt" >"$tmp/words"
grep -q "sequential, 6 to 12 repeats, $((last - 5)) looks so far: 1 of 1 comparisons decided" "$tmp/words"
ok $? "and its report"
try "$build/runner" status "$tmp/n"
[ $status = 0 ] && said "^$((2 * (12 - last))) runs are not needed: decided\$"
ok $? "and status"

# Governors of two kernels: what was decided on the one does not wait for it on the other, else a --next-kernel would go
# to and fro between them for ever.
sed -i 's/^repeat = .*/repeat = 6..8/; s/sleep 0.4/sleep 0.2/; s/sleep 0.1$/sleep 0.05/; s/teo/-e teo -e ladder/' "$tmp/nap.ini"
two() { # KERNEL GOVERNORS
	rm -rf "$tmp/m"
	tests/machines/make-machine "$tmp/m" --kernel "$1" --governors "$2" || exit 1
	try "$build/runner" --root "$tmp/m" --suite "$tmp/nap.ini" --governors menu,teo,ladder --seed 3 --results "$tmp/two" \
		--no-report --quiet --next-kernel 'echo the other kernel'
}
two 6.98.0 'menu teo'
[ "$status" = 3 ] && said '^the other kernel$' && said '^warning: 8 runs wait for a kernel with ladder:'
ok $? "two kernels: the first asks for the second"
two 6.99.0 'menu ladder'
[ "$status" = 0 ] && ! said 'the other kernel'
ok $? "what is decided there needs no other kernel"
two 6.98.0 'menu teo'
[ "$status" = 0 ] && ! said 'the other kernel'
ok $? "nor on the first one"
done_testing
