#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Data of people who measure idle governors, imported, and the answers that are known to be right. The files are not
# part of the project: skipped where they are not at hand.

. "$(dirname "$0")/../tap.sh"

cases=$top/../shared/cases
[ -d "$cases" ] || skip_all "real machines' data are not here ($cases)"

# imported NAME ARGUMENT...: into $tmp/NAME; exit status and output as with try
imported() {
	local to=$tmp/$1
	shift
	try "$build/analysis" import "$@" -o "$to"
}

# column FILE NAME KEY=VALUE...: that column of the rows of a TSV whose other columns are so
column() {
	awk -F'\t' -v name="$2" -v want="${*:3}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, pair, " ")
			for (i = 1; i <= n; i++) { split(pair[i], side, "="); key[i] = at[side[1]]; value[i] = side[2] }
			next }
		{ for (i = 1; i <= n; i++) if (!key[i] || $key[i] != value[i]) next; print $at[name] }' "$1"
}

# near VALUE WANT BY: is it?
near() {
	awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= by && d >= -by) }'
}

# is NAME VALUE WANT
is() {
	echo "$2, not $3" >"$tmp/out"
	[ "$2" = "$3" ]
	ok $? "$1: $3"
}

## captures: 45 machines
# shellcheck disable=SC2046
imported captures --quiet $(ls "$cases"/captures/*.csv)
ok "$status" 'P-25: captures of 45 machines: every row is taken, none contradicts itself'
is 'captures: rows' "$(tail -n +2 "$tmp/captures/import/counters.tsv" | wc -l)" 20884
is 'captures: left out' "$(tail -n +2 "$tmp/captures/import/left-out.tsv" | wc -l)" 0
try grep -rl 'semantics unknown' "$tmp/captures"
ok $((status == 0)) 'P-25: above of state 0 and below of the deepest are 0 in all of them'
try awk -F'\t' 'NR > 1 && $2 == "since boot" && $3 == "0-127" && $1 == "milan0" { n++ } END { exit n != 3 }' \
	"$tmp/captures/import/shares.tsv"
ok "$status" 'P-29: one table for each group of equal CPUs: 128 of milan0'
try awk -F'\t' '$1 == "adl0" && NR > 1 { print $3 }' "$tmp/captures/import/shares.tsv"
ok "$status" '... and adl0'
bdw=$(grep -l 'bdwep0.csv' "$tmp"/captures/boots/*/host.ini)
is 'P-34: default_status disabled while disable is 0 (bdwep0, C6)' \
	"$(column "${bdw%host.ini}states.tsv" disabled cpu=0 name=C6 default_status=disabled)" 0
is 'two states of equal residency are two states (aml-y-2: C7s, C8)' \
	"$(column "$(dirname "$(grep -l aml-y-2.csv "$tmp"/captures/boots/*/host.ini)")/states.tsv" name cpu=0 residency_us=800 |
		tr '\n' ' ')" 'C7s C8 '

## jasperlake: before and after, three kernels
imported jasper --quiet "$cases"/jasperlake/*.txt
ok "$status" 'jasperlake: three pairs of values without paths'
bad=0
{
	read -r _
	while IFS=, read -r kernel _ name latency residency usage time above below; do
		[ "$kernel" != revert ] || kernel=6.1-revert
		for want in "entries=$usage" "above=$above" "below=$below"; do
			got=$(column "$tmp/jasper/import/shares.tsv" "${want%=*}" "label=6.1-${kernel#6.1-}-test" "name=$name")
			[ "$got" = "${want#*=}" ] || { echo "# $kernel $name $want: $got"; bad=1; }
		done
		got=$(awk -F'\t' -v state="$name" 'NR == FNR { if ($3 == state) at[$1, $2]; next }
			($1, $2) in at { sum += $8 - $7 } END { printf "%.0f", sum }' "$tmp"/jasper/boots/*/states.tsv \
			"$tmp"/jasper/boots/*/runs/*."6.1-${kernel#6.1-}-test".r1/idle.tsv)
		[ "$got" = "$time" ] || { echo "# $kernel $name time $time: $got"; bad=1; }
		got=$(column "$(echo "$tmp"/jasper/boots/*/states.tsv)" residency_us cpu=3 "name=$name" "latency_us=$latency")
		[ "$got" = "$residency" ] || { echo "# $kernel $name residency $residency: $got"; bad=1; }
	done
} < <(tr -d '\r' <"$cases/jasperlake/EXPECTED_deltas.csv")
ok $bad 'jasperlake: usage, time, too deep, too shallow of every state are as expected'
near "$(column "$tmp/jasper/import/shares.tsv" too_deep_pct label=6.1-base-test name=C3_ACPI)" 72.5 0.05 &&
	near "$(column "$tmp/jasper/import/shares.tsv" too_deep_pct label=6.1-revert-test name=C3_ACPI)" 77.8 0.05
ok $? 'P-21: jasperlake: C3 is 72.5 % and 77.8 % too deep'
try "$build/analysis" report --quiet "$tmp/jasper"
ok "$status" 'jasperlake: the report reads it'
try grep -h '^idle_miss_pct' "$tmp"/jasper/boots/*/runs/*/metrics.tsv
[ "$(cut -f3 "$tmp/out" | sort | uniq -c | tr -s ' ')" = ' 3 none' ] &&
	! grep -qE '"verdict": "[^"]' "$tmp/jasper/report/summary.json"
ok $? 'jasperlake: no verdict on misses (the faster kernel has more of them)'

## mt8196: three kernels since boot
imported mt8196 --quiet "$cases"/mt8196/*.txt
ok "$status" 'mt8196: s2idle/ and driver/ among the states'
for label in 6_6:6.02:11.02:82.96:6.01:10.90:83.09 6_12:99.94:0:0.05:99.94:0:0.05 mainline:56.84:0.65:42.51:56.69:0.66:42.65; do
	IFS=: read -r name wfi cpu cluster pooled_wfi pooled_cpu pooled_cluster <<<"$label"
	bad=0
	for want in "0:$wfi:$pooled_wfi" "1:$cpu:$pooled_cpu" "2:$cluster:$pooled_cluster"; do
		IFS=: read -r position mean pooled <<<"$want"
		near "$(column "$tmp/mt8196/import/shares.tsv" idle_share_mean_pct "label=$name" cpus=0-7 "position=$position")" \
			"$mean" 0.0051 || bad=1
		near "$(column "$tmp/mt8196/import/shares.tsv" idle_share_pooled_pct "label=$name" cpus=0-7 "position=$position")" \
			"$pooled" 0.0051 || bad=1
	done
	ok $bad "mt8196, $name: mean of the CPUs' shares $wfi $cpu $cluster, pooled $pooled_wfi $pooled_cpu $pooled_cluster"
done
is 'P-29: mt8196: names differ by cluster' \
	"$(column "$tmp/mt8196/import/shares.tsv" name label=6_6 position=1 | head -3 | tr '\n' ' ')" 'cpuoff-l cpuoff-m cpuoff-b '
is 'P-27: mt8196: the most rejected entries' \
	"$(column "$tmp/mt8196/import/counters.tsv" rejected cpu=0 state=2 label=mainline)" 1891852
is 'P-30: mt8196: WFI is not polling' "$(column "$(ls "$tmp"/mt8196/boots/*/states.tsv | head -1)" polling cpu=0 state=0)" 0

## arrowlake: the order of find
imported arrow --quiet "$cases/arrowlake/find_order_dump.txt"
ok "$status" "arrowlake: lines in find's order"
is 'arrowlake: usage of cpu0 state0' "$(column "$tmp/arrow/import/counters.tsv" usage cpu=0 state=0)" 372910847
is '... too shallow' "$(column "$tmp/arrow/import/counters.tsv" below cpu=0 state=0)" 372791260
is '... usage of state3' "$(column "$tmp/arrow/import/counters.tsv" usage cpu=0 state=3)" 37319401
is '... its residency' "$(column "$(echo "$tmp"/arrow/boots/*/states.tsv)" residency_us cpu=0 state=3)" 3144

## turbostat and a wall meter
imported turbostat --quiet "$cases"/turbostat/*.txt
ok "$status" 'turbostat: five logs and two wall meters'
metric() { # LABEL NAME
	column "$(echo "$tmp"/turbostat/boots/*/runs/*.turbostat."$1".r1/metrics.tsv)" value "name=$2"
}
near "$(metric milan0 package_w)" 114.64 0.005 && near "$(metric milan0 wall_w)" 172.83 0.005
ok $? 'turbostat: milan0: 114.64 W package, 172.83 W wall'
# The mean of the 24 rows is 28.0846 W, which the known answer has as 28.09 (their median).
near "$(metric snr0 package_w)" 28.09 0.006 && near "$(metric snr0 wall_w)" 64.34 0.005
ok $? 'turbostat: snr0: 28.08 W package, 64.34 W wall'
t=$(echo "$tmp"/turbostat/boots/*/runs/*.adl0.r1/idle.tsv)
# By hand from the log: CPU 0, entries of C10 in all intervals but the first, first and last stamp.
want=$(awk -F'\t' '$1 == "Time_Of_Day_Seconds" { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["CPU"] == "0" { if (n++) sum += $at["C10"]; else t0 = $1; t1 = $1 }
	END { printf "%d %s %s", sum, t0, t1 }' "$cases/turbostat/raw_adl0.txt")
is 'turbostat: adl0, CPU 0: entries of C10, first and last stamp' \
	"$(awk -F'\t' '$1 == 0 && $2 == 4 { printf "%d %.6f %.6f", $6 - $5, $3 / 1e9, $4 / 1e9 }' "$t")" "$want"
try "$build/analysis" report --quiet "$tmp/turbostat"
[ $status = 0 ] && ! grep -q '"damaged"' "$tmp/turbostat/report/summary.json"
ok $? 'turbostat: the report reads it'

## tables
imported oltp --quiet "$cases/tables/power10_oltp72.csv"
ok "$status" 'power10_oltp72: every published percent is where rounding allows'
try "$build/analysis" report --quiet "$tmp/oltp"
is 'power10_oltp72: geometric mean of the ratios' "$(awk '$1 == "patched" { print $4; exit }' "$tmp/oltp/report/summary.txt")" -5.38
imported bimodal --quiet "$cases/tables/schedutil_runs_bimodal.csv"
try "$build/analysis" report --quiet "$tmp/bimodal"
is 'schedutil_runs_bimodal: median of 5.9, not its mean' \
	"$(awk '$1 == "5.9" { print $2; exit }' "$tmp/bimodal/report/summary.txt")" 2813.0
is '... runs' "$(ls "$tmp"/bimodal/boots/*/runs | wc -l)" 22
imported zhaoxin --quiet "$cases/tables/zhaoxin_kx7000.csv"
ok "$status" 'zhaoxin_kx7000: shares, means and counts agree'
near "$(column "$(echo "$tmp"/zhaoxin/boots/*/runs/*.base.r1/metrics.tsv)" value name=window_s)" 300.6 0.05 &&
	near "$(column "$(echo "$tmp"/zhaoxin/boots/*/runs/*.revert.r1/metrics.tsv)" value name=window_s)" 300.7 0.06
ok $? '... windows of 300.6 s and 300.7 s'
near "$(column "$(echo "$tmp"/zhaoxin/boots/*/runs/*.base.r1/idle.tsv)" time1_us state=5)" 246.1e6 5e4
ok $? '... C5: 246.1 s'
imported sweep --quiet "$cases/tables/power10_sleep_sweep.csv"
ok "$status" 'power10_sleep_sweep: 164 points, every percent agrees with its counts'
is '... runs' "$(ls "$tmp"/sweep/boots/*/runs | wc -l)" 164
for run in "$tmp"/sweep/boots/*/runs/*.wakeup=pipe,idx=*.r1; do
	name=${run%.r1}
	echo "${name##*.} $(column "$run/metrics.tsv" value name=sleep_us) $(column "$run/metrics.tsv" value name=above_pct)"
done >"$tmp/points"
try awk '$1 == "menu" && $2 > 15 && $2 < 92 { n++; if ($3 < 97 || $3 > 98.7) exit 1 } END { exit n < 8 }' "$tmp/points"
ok "$status" '... menu on pipe wakes, 15 to 91 us: 97 to 98.6 % too deep'
try awk '$1 == "teo" && $2 > 15 && $2 < 92 { n++; if ($3 > 1) exit 1 } END { exit n < 8 }' "$tmp/points"
ok "$status" '... teo about 0'
imported rk3399 --quiet "$cases/tables/rk3399_oct17_menu.csv"
ok "$status" 'rk3399: misses are belows + aboves, ratios are misses / idles, in every row'
try "$build/analysis" report --quiet "$tmp/rk3399"
bad=$(diff <(tail -n +2 "$cases/tables/rk3399_oct17_menu.csv" | awk -F, '{ print $2, $3, "device=" $1, $5, $6, $8, $9 }' | sort) \
	<(tail -n +2 "$tmp/rk3399/report/data/misses.tsv" | awk -F'\t' '{ sub(/.* /, "", $4); print $2, $3, $4, $5, $6, $8, $9 }' |
		sort) | wc -l)
is 'P-22: rk3399: misses.tsv has the rows of the published table; rows that differ' "$bad" 0
for file in tables/typical_interval_vectors.csv; do
	imported none "$cases/$file"
	[ "$status" = 2 ] && said 'none of the known styles'
	ok $? "$file: of no style, refused"
done

done_testing
