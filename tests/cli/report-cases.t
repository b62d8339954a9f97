#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the forms of the summary say of real machines' data and of arithmetic that tools and tables have published wrong.
# The importer's own tables are compared in import-cases.t, two modes and regions in report-shape.t, misses in
# report-p22.t; here it is the summary that a reader gets. The arithmetic needs no data; the rest is skipped without them.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
. tests/cli/report.sh

tab=$'\t'

# report NAME: the summary in $tmp/out
report() {
	PATH=/nowhere "$build/analysis" report --quiet "$tmp/$1" >"$tmp/log" 2>&1
	status=$?
	cp "$tmp/$1/report/summary.txt" "$tmp/out"
}

# near VALUE WANT BY NAME: one TAP line
near() {
	echo "'$1' is not $2 (by $3)" >"$tmp/out"
	awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { d = a - b; exit !(a != "" && a ~ /^[-+0-9.e]+$/ && d <= by && d >= -by) }'
	ok $? "$4"
}

## energies: one run each; lines "zone label t0 t1 uj0 uj1 range" and, behind "samples", "t_ns uJ"
energy() { # NAME
	rm -rf "${tmp:?}/e"
	tests/make-result "$tmp/e" points=0 repeat=1 governors=menu >/dev/null
	awk -v OFS='\t' -v dir="$(echo "$tmp"/e/boots/*/runs/*)" '
		BEGIN { energy = dir "/energy.tsv"; samples = dir "/samples.tsv"
			print "zone", "label", "t0_ns", "t1_ns", "uj0", "uj1", "range_uj" >energy }
		$1 == "samples" { on = 1; print "t_ns", "energy:" $2 >samples; next }
		on { print $1, $2 >samples; next }
		{ print $1, $2, $3, $4, $5, $6, $7 >energy }'
	report e
}
watts() { # MEASURE
	field "$tmp/e/report/summary.csv" median section=slow-dwell column=menu "measure=$1"
}

tests/make-result "$tmp/probe" points=0 repeat=1 >/dev/null || skip_all "make-result failed"
energy <<'END'
intel-rapl:0 package-0 1000 100000001000 250869468000 100000000 262143328850
END
near "$(watts package_w)" 113.7386 0.0001 "P-01: range 262,143,328,850 uJ: 11,373.86 J in 100 s, where -250,769.468 J was printed"
energy <<'END'
intel-rapl:0 package-0 1000 1795020001000 1000000 146333671150 262143999938
intel-rapl:1 package-1 1000 1795020001000 262000000000 146477428788 262143999938
END
near "$(watts package_w)" 163.2 0.05 "P-01: two packages, 1,795.02 s: 292,955.1 J = 163.2 W, where 30,811.1 J was printed"
{
	echo "intel-rapl:0 package-0 1000 3200000001000 0 57568671150 262143328850"
	echo "samples package-0"
	awk 'BEGIN { for (s = 60; s < 3200; s += 60) { uj = 99.91e6 * s; while (uj >= 262143328850) uj -= 262143328850
		printf "%.0f %.0f\n", s * 1e9 + 1000, uj } }'
} | energy
near "$(watts package_w)" 99.91 0.001 "P-02: a steady 99.91 W over 3,200 s with readings between, where 18.0 W was printed"
for n in 0 1 2 3; do
	echo "intel-rapl:$n package-$n 1000 10000001000 0 $((100000000 + n)) 262143328850"
	echo "intel-rapl:$n:0 package-$n/dram 1000 10000001000 0 $((10000000 * (n + 1))) 65712999613"
done | energy
near "$(watts dram_w)" 10 0.0001 'P-05: four zones named "dram" are four: 1 + 2 + 3 + 4 W'
near "$(watts package_w)" 40 0.0001 '... and no part of the packages'
energy <<'END'
intel-rapl:0 package-0 1000 10000001000 0 100000000 262143328850
intel-rapl:1 psys 1000 10000001000 0 900000000 262143328850
intel-rapl:2 package-1 1000 10000001000 0 200000000 262143328850
END
near "$(watts package_w)" 30 0.0001 'P-07: psys at index 1: intel-rapl:2 is package-1'
near "$(watts psys_w)" 90 0.0001 '... and psys is a measure of its own'

## percents, in every form
printf 'kernel,run,us_per_loop,package_w\nbase,1,11.2971,1.752\ntwo,1,11.355,2.112\nthree,1,11.3364,1.752\n' >"$tmp/p.csv"
"$build/analysis" import --quiet "$tmp/p.csv" -o "$tmp/p" >"$tmp/log" 2>&1
report p
said '^  two: +11\.3550 us \(n 1\), \+0\.51 % \(worse\?\) n too small$' &&
	said '^  three: +11\.3364 us \(n 1\), \+0\.35 % \(worse\?\) n too small$' &&
	said '^  two: +2\.11200 W \(n 1\), \+20\.55 % \(worse\?\) n too small$'
ok $? "P-53: text: +0.51 %, +0.35 %, +20.55 %, each worse"
near "$(field "$tmp/p/report/summary.csv" mean_diff_pct column=two measure=us_per_loop)" 0.5125 0.0001 "... csv"
cp "$tmp/p/report/summary.md" "$tmp/out"
said '^\| two \| 11\.3550 us \(n 1\) \| \+0\.51 % \(worse\?\) n too small \| 11\.355 \| - \| \+0\.51 \| '
ok $? "... markdown"

cases=$top/../shared/cases
if [ ! -d "$cases" ]; then
	echo "# real machines' data are not here: not tried"
	done_testing
	exit
fi

# imported NAME ARGUMENT...: and reported
imported() {
	local name=$1
	shift
	"$build/analysis" import --quiet "$@" -o "$tmp/$name" >"$tmp/log" 2>&1
	report "$name"
}

# state COLUMN STATE: entries, residency, too deep, too shallow as the text's table has them
state() {
	awk -v column="$1" -v state="$2" '/^idle states, / { on = 1 } !on { next }
		/^  [^ ]/ { now = $1 } now == column && ($1 == state || $2 == state) { print $(NF - 4), $(NF - 2), $(NF - 1), $NF }' \
		"$tmp/out"
}

# is NAME GOT WANT
is() {
	if [ "$2" = "$3" ]; then ok 0 "$1: $3"; else echo "$2, not $3" >>"$tmp/out"; ok 1 "$1: $3"; fi
}

imported jasper "$cases"/jasperlake/*.txt
is 'jasperlake: C3 of 6.1-base' "$(state 6.1-base-test C3_ACPI)" '736854 - 72.5 0.00'
is 'jasperlake: C3 of the revert' "$(state 6.1-revert-test C3_ACPI)" '1150259 - 77.8 0.00'
bad=0
while IFS=, read -r kernel _ name _ _ usage _ above below; do
	want=$(awk -v u="$usage" -v a="$above" -v b="$below" 'BEGIN { printf "%d %.4f %.4f", u, a / u * 100, b / u * 100 }')
	got=$(state "6.1-$kernel-test" "$name" | awk '{ print $1, $3, $4 }')
	awk -v want="$want" -v got="$got" 'BEGIN { split(want, w, " "); split(got, g, " "); x = w[2] - g[2]; y = w[3] - g[3]
		exit !(w[1] == g[1] && x * x <= 0.051 ^ 2 && y * y <= 0.051 ^ 2) }' || { echo "$kernel $name: $got, not $want"; bad=1; } >>"$tmp/bad"
done < <(tail -n +2 "$cases/jasperlake/EXPECTED_deltas.csv" | tr -d '\r')
[ ! -s "$tmp/bad" ] || cat "$tmp/bad" >>"$tmp/out"
ok $bad 'P-21: jasperlake: usage, too deep and too shallow of every state of three kernels'
[ "$(grep -c '%.*\(better\|worse\)' "$tmp/out")" = 0 ] || ! grep -qE '^  6\.1-.*(better|worse)' "$tmp/out"
ok $? 'jasperlake: more misses have no word: the faster kernel has more'
# Its score falls: 84.5, 76.5, 59.5; by hand -9.47 % and -29.59 %.
printf 'kernel,run,elapsed_s\nbase,1,84.5\nfixup,1,76.5\nrevert,1,59.5\n' >"$tmp/s.csv"
imported score "$tmp/s.csv"
said '^  fixup: +76\.5000 s \(n 1\), -9\.47 % \(better\?\)' && said '^  revert: +59\.5000 s \(n 1\), -29\.59 % \(better\?\)'
ok $? 'P-53: jasperlake: a lower score is better'

imported zhaoxin "$cases/tables/zhaoxin_kx7000.csv"
is 'zhaoxin_kx7000: C5, base: entries, residency, too deep' "$(state base C5)" '169745 81.88 52.7 0.00'
is 'zhaoxin_kx7000: C5, revert' "$(state revert C5)" '55099 97.10 13.9 0.00'
said '^  base: +300\.5?[0-9]* s ' && said '^  revert: +300\.[67][0-9]* s '
ok $? 'zhaoxin_kx7000: windows of 300.6 and 300.7 s'

imported mt8196 --since-boot "$cases"/mt8196/*.txt
said '^idle states, all CPUs, all runs together, CPUs pooled'
ok $? 'mt8196: the averaging of the state tables is named'
head -n 1 "$tmp/mt8196/import/shares.tsv" | grep -q "${tab}idle_share_pooled_pct.*${tab}idle_share_mean_pct\|${tab}idle_share_mean_pct.*${tab}idle_share_pooled_pct"
ok $? '... and of the shares of idle time: two columns, pooled and mean of the CPUs'
said 'cpuoff-l' && said 'cpuoff-b' && said '^idle states of CPUs 0-3$'
ok $? 'P-29: mt8196: a table for each cluster, with its own names'

imported arrow --since-boot "$cases/arrowlake/find_order_dump.txt"
awk -F'\t' '$1 == 0 && $2 == 0 && $6 == 372910847 && $12 == 372791260 { n++ } $1 == 0 && $2 == 3 && $6 == 37319401 { n++ } END { exit n != 2 }' \
	"$tmp"/arrow/boots/*/runs/*/idle.tsv
ok $? 'arrowlake: cpu0 state0 and state3 in idle.tsv, as the paths say'
grep -qE '^ +3  C[0-9A-Za-z_]+ +[0-9]+ +3144$' "$tmp/out"
ok $? 'P-61: arrowlake: state 3 has its residency of 3144 in the table'
pooled=$(awk -F'\t' '$2 == 0 { u += $6 - $5; b += $12 - $11 } END { printf "%.3g", b / u * 100 }' "$tmp"/arrow/boots/*/runs/*/idle.tsv)
awk -v want="$pooled" '/^idle states, / { on = 1 } on && NF >= 6 && ($1 == "POLL" || $2 == "POLL" || $2 == "C0") { n++
	d = $NF - want; if (d > 0.06 || d < -0.06) bad = 1 } END { exit !n || bad }' "$tmp/out"
ok $? "P-21: arrowlake: state 0 too shallow, all CPUs pooled: $pooled %"

imported turbostat "$cases"/turbostat/*milan0*.txt "$cases"/turbostat/*snr0*.txt
near "$(field "$tmp/turbostat/report/summary.csv" mean column=unknown-1/milan0 measure=package_w)" 114.64 0.005 'turbostat: milan0: package W in csv'
near "$(field "$tmp/turbostat/report/summary.csv" mean column=unknown-1/milan0 measure=wall_w)" 172.83 0.005 '... wall W'
near "$(field "$tmp/turbostat/report/summary.csv" mean column=unknown-2/snr0 measure=package_w)" 28.09 0.006 'turbostat: snr0: package W'
near "$(field "$tmp/turbostat/report/summary.csv" mean column=unknown-2/snr0 measure=wall_w)" 64.34 0.005 '... wall W'
imported oltp "$cases/tables/power10_oltp72.csv"
near "$(field "$tmp/oltp/report/summary.csv" mean_diff_pct point= column=patched measure=time points=72)" -5.38 0.005 \
	'power10_oltp72: the geometric mean of 72 ratios is -5.38 %, csv'
cp "$tmp/oltp/report/summary.txt" "$tmp/out"
said '^  patched: +[0-9.]+ s \(n 1\), -5\.38 % \(better\?\) n too small$'
ok $? '... text'
awk -F, 'NR == FNR { if (FNR > 1) { b[$1] = $2; p[$1] = $3; pub[$1] = $4 } next }
	$2 ~ /^query=/ && $3 == "patched" && $4 == "time" { q = substr($2, 7); n++; d = $11 - (p[q] / b[q] - 1) * 100
		lo = ((p[q] - 0.005) / (b[q] + 0.005) - 1) * 100 - 0.051; hi = ((p[q] + 0.005) / (b[q] - 0.005) - 1) * 100 + 0.051
		if (d > 1e-6 || d < -1e-6 || pub[q] < lo || pub[q] > hi) { print q, $11, pub[q], lo, hi; bad = 1 } }
	END { exit n != 72 || bad }' "$cases/tables/power10_oltp72.csv" "$tmp/oltp/report/summary.csv" >"$tmp/out"
ok $? '... every query: our percent is that of the seconds, the published one within their rounding'

imported bimodal "$cases/tables/schedutil_runs_bimodal.csv"
column=$(awk -F'\t' 'NR > 1 && $3 == "5.9" && $4 !~ /misses|idles/ { print $6, $7, $8; exit }' "$tmp/bimodal/report/data/spread.tsv")
awk -v got="$column" 'BEGIN { split(got, v, " "); exit !(v[1] == 12 && v[2] > 5358.75 && v[2] < 5358.85 && v[3] > 3940.5 && v[3] < 3941.5) }'
ok $? 'P-55: schedutil_runs_bimodal: mean 5358.8, sd 3941 of 12 runs'
said '^  5\.9 +2813\.0 '
ok $? '... the median, 2813, is in the summary'

done_testing
