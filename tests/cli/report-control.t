#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# P-49, P-51 in what a reader gets: the A/A control in summary, page, summary.json and data/control.tsv, what a "~" leaves
# possible, an outlier under the doubts with its run's name. Two reports of one result are the same bytes.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1

tests/make-result "$tmp/r" points=4 repeat=8 governors=menu,menu,teo-ng seed=3 >/dev/null || skip_all "make-result failed"
metrics=$(echo "$tmp"/r/boots/*/runs/*slow-dwell.menu.r5/metrics.tsv)
sed -i 's/^\(loop_us\t.*\t\)[^\t]*$/\19999/' "$metrics"
try "$build/analysis" report --quiet "$tmp/r"
ok $status "the report is made"
summary=$tmp/r/report/summary.txt
tr -s ' \n' ' ' <"$summary" >"$tmp/words"
grep -q 'governors: menu (reference), menu:2 (A/A control), teo-ng' "$tmp/words"
ok $? "P-49: the control is named as one"
grep -qE 'A/A control menu:2 against menu: [0-9]+ of [0-9]+ comparisons \([0-9.]+ %\) have p below 0.05' "$tmp/words"
ok $? "P-49: ... with the share of its comparisons that are flagged"
grep -qE 'got a verdict with 80 % probability is about loop_us: menu:2 [0-9.]+ %' "$tmp/words"
ok $? "P-51: a ~ comes with the smallest difference that would have been seen"
[ "$(awk 'length > 78' "$summary" | wc -l)" = 0 ]
ok $? "no line over 78 columns"
grep -q '<p>A/A control menu:2 against menu' "$tmp/r/report/index.html"
ok $? "the page says so, too"
[ "$(head -n 1 "$tmp/r/report/data/control.tsv" | tr '\t' ' ')" = \
	"section point governor metric n diff_pct p p_holm verdict" ]
ok $? "data/control.tsv has its columns"
rows=$(sed 1d "$tmp/r/report/data/control.tsv" | wc -l)
[ "$rows" -gt 0 ] && [ "$(sed 1d "$tmp/r/report/data/control.tsv" | cut -f 3 | sort -u)" = menu:2 ]
ok $? "... and rows of the control only ($rows)"
if command -v jq >/dev/null; then
	[ "$(jq '[.sections[].controls[].compared] | add' "$tmp/r/report/summary.json")" = "$rows" ]
	ok $? "summary.json counts as many"
	[ "$(jq -r '.sections[0].measures[0].overall."teo-ng" | "\(.blocked) \(.compared_runs) \(.verdict)"' \
		"$tmp/r/report/summary.json")" = "true 8 better" ]
	ok $? "P-48: 8 repeats are compared as blocks"
fi
grep -qE 'outlier: loop_us 9999.0 among 8 runs.*\(first: [0-9]+\.slow-dwell\.menu\.r5\)' "$tmp/words"
ok $? "an outlier is a doubt with its run's name"
cp -r "$tmp/r/report" "$tmp/first"
try "$build/analysis" report --quiet "$tmp/r"
diff -r --exclude='*.svg' "$tmp/first" "$tmp/r/report" >"$tmp/out"
ok $? "the same bytes again"

# Without a control, and with a control that differs.
tests/make-result "$tmp/plain" points=0 governors=menu,teo >/dev/null
try "$build/analysis" report --quiet "$tmp/plain"
[ "$(wc -l <"$tmp/plain/report/data/control.tsv")" = 1 ] && ! grep -q 'A/A control' "$tmp/plain/report/summary.txt"
ok $? "no control: nothing said of one"
tests/make-result "$tmp/bad" points=0 repeat=8 governors=menu,menu >/dev/null
for metrics in "$tmp"/bad/boots/*/runs/*.menu:2.r*/metrics.tsv; do
	sed -i 's/^\(loop_us\t.*\t\)[^\t]*$/\17777/' "$metrics"
done
try "$build/analysis" report --quiet "$tmp/bad"
tr -s ' \n' ' ' <"$tmp/bad/report/summary.txt" | grep -q 'THE CONTROL FAILED: [1-9][0-9]* verdicts* between a governor and itself'
ok $? "P-49: a control with a verdict is not passed over"
done_testing
