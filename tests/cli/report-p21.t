#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# P-21: "too deep" is the kernel's counter above, "too shallow" is below; tables and figures show the right numbers
# under the right word, and name the file beside it. Other tools have published the two the wrong way round.

. "$(dirname "$0")/../tap.sh"

tests/make-result "$tmp/r" points=2 repeat=1 governors=menu,teo || skip_all "make-result failed"

# Every run of every governor: C1E is used 1000 times a CPU, 20 times too deep and 300 times too shallow.
for run in "$tmp"/r/boots/*/runs/*; do
	awk -F'\t' -v OFS='\t' '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
		NR > 1 {
			used = $c["state"] == 2
			for (i = 5; i <= NF; i++) $i = 0
			$c["usage1"] = used ? 1000 : 10
			$c["time1_us"] = 1000
			if (used) { $c["above1"] = 20; $c["below1"] = 300 }
		}
		{ print }' "$run/idle.tsv" >"$tmp/idle.tsv" && cp "$tmp/idle.tsv" "$run/idle.tsv"
done
try "$build/analysis" report "$tmp/r"
ok $status "the report is built"
report=$tmp/r/report

cp "$report/summary.txt" "$tmp/out"
said 'too deep \(above\), too shallow \(below\): % of the state'"'"'s entries'
ok $? "summary.txt names the files"
said '^ +governor +state +entries +per s +ency % +deep % +shal\. %$'
ok $? "... its columns are deep, then shallow"
awk '$1 == "C1E" { n++; if ($(NF - 1) + 0 != 2 || $NF + 0 != 30) bad = 1 } END { exit !n || bad }' "$tmp/out"
ok $? "... above, 2 %, stands under deep; below, 30 %, under shallow"

tr -d '\n' <"$report/index.html" | sed 's/<tr>/\n&/g; s/<\/table>/&\n/g' >"$tmp/out"
said '<th>too deep \(above\) %</th><th>too shallow \(below\) %</th></tr>'
ok $? "index.html names them in the table's heading"
said '<td>C1E</td><td>[0-9]+</td><td>[0-9.]+</td><td>[0-9.]+</td><td>[0-9.]+</td><td>2\.00</td><td>30\.0</td></tr>'
ok $? "... above and then below stand under it"

# value FILE COLUMN: that column in every data row, once each
value() {
	awk -F'\t' -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
		{ print c ? $c : "no column" }' "$1" | sort -u
}

for figure in too-deep:above:2 too-shallow:below:30; do
	IFS=: read -r id file percent <<<"$figure"
	words="${id/-/ } ($file)"
	cp "$report/plots/$id-two-cores.gp" "$tmp/out"
	said "^y_label = '${words//[()]/.} .%.'\$"
	ok $? "figure $id of a sweep: its axis says $words"
	said "^title_text = '.*${id/too-/Too } .$file.,"
	ok $? "... and so does its title"
	cp "$report/plots/$id-slow-dwell.gp" "$tmp/out"
	said "^y_label = '${words//[()]/.} .%.'\$"
	ok $? "figure $id of a single point: the same"
	[ "$(value "$report/data/$id-two-cores.tsv" 2:C1E/menu)" = "$percent" ] &&
		[ "$(value "$report/data/$id-slow-dwell.tsv" 2:C1E)" = "$percent" ]
	ok $? "... and draws $file, $percent % of the entries"
	if [ -e "$report/plots/$id-two-cores.svg" ]; then
		sed 's/<[^>]*>//g' "$report/plots/$id-two-cores.svg" >"$tmp/out"
		said "${words//[()]/.}"
		ok $? "... the drawing has the words"
	fi
done

done_testing
