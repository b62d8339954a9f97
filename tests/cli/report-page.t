#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The page and its figures, of synthetic results with known truth (tests/make-result): what the
# sentences say, that one file can stand alone, and that each figure can be redrawn from its table.
. tests/tap.sh

command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"

make() { # make NAME [key=value]...
	local name=$1
	shift
	tests/make-result "$tmp/$name" "$@" || echo "Bail out! make-result failed"
}

report() { # report NAME [OPTION]...
	local name=$1
	shift
	try "$build/analysis" report --quiet "$@" "$tmp/$name"
	data=$tmp/$name/report/data plots=$tmp/$name/report/plots page=$tmp/$name/report/index.html
}

# Cells of the rows of a table where AWK's condition holds; columns are c["name"].
cells() { # cells FILE CONDITION EXPRESSION
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } '"$2"' { print '"$3"' }' "$1"
}

text() { # text FILE: an SVG's or a page's words
	sed 's/<[^>]*>//g; s/&amp;/\&/g; s/&lt;/</g; s/&gt;/>/g; s/&nbsp;/ /g' "$1"
}

make full points=14 tables=1
report full --png
ok "$status" "a report"

# The verdict comes first, in words.
sentence() { grep "^<li>.*#section-$1\"" "$page" | text /dev/stdin; }
sentence slow-dwell >"$tmp/out"
said 'teo and menu are the same in loop_us \([-+]0\.[0-9]+ %, 95 %: '
ok $? "the same is called the same"
said 'teo-ng is better than menu: it takes [45]\.[0-9]+ % less time a loop \(95 %: [345]\.[0-9]+ to [456]\.[0-9]+\)'
ok $? "5 % less time is called so, with its interval, and never faster"
said 'package power [78]\.[0-9]+ % lower \(95 %: '
ok $? "... and 8 % less power lower"
sentence two-cores >"$tmp/out"
said 'whole curve.*teo-ng is better than menu: it takes [45]\.[0-9]+ % less time'
ok $? "a sweep is judged as a whole"
grep -o '<h2[^>]*>[^<]*' "$page" | sed 's/.*>//' | tr '\n' '|' >"$tmp/out"
said '^Verdict\|.*two-cores\|slow-dwell\|Conditions\|Doubts\|Left out\|.*Method\|$'
ok $? "verdict, sections, conditions, doubts, what is left out, method: in this order"
awk '/<h2>Verdict/ { v = NR } /plots\/effects.svg/ { e = NR } /id="section-two-cores"/ { s = NR }
	END { exit !(v && v < e && e < s) }' "$page"
ok $? "the effect plot stands between the verdict and the first section"

make slower shift=teo-ng:4 watts= points=0
report slower
sentence slow-dwell >"$tmp/out"
said 'teo-ng is worse than menu: it takes [34]\.[0-9]+ % more time a loop .*, power the same'
ok $? "more time is called so, and worse (P-53)"
make trade repeat=8 points=0 shift=teo-ng:-5 watts=teo-ng:8
report trade
sentence slow-dwell >"$tmp/out"
said 'teo-ng is better than menu in loop_us and worse in power: it takes [45]\.[0-9]+ % less time a loop .*, package power [78]\.[0-9]+ % higher' &&
	! grep '^<li>.*#section-slow-dwell' "$page" | grep -q 'class="better"'
ok $? "speed for power is called so, and neither better nor worse"
make small repeat=8 points=0 noise=0.05 shift=teo-ng:-0.6 watts=teo-ng:-1
report small
sentence slow-dwell >"$tmp/out"
said 'teo-ng differs from menu in loop_us by less than the threshold of 1 % \(-0\.[0-9]+ %, 95 %: -' &&
	said 'package power [01]\.[0-9]+ % lower, less than matters \(95 %: ' && said 'teo and menu are the same'
ok $? "a difference that is shown, but below the threshold, is not called the same"
make few repeat=3 points=0 power=0
report few
sentence slow-dwell >"$tmp/out"
said 'teo-ng has too few runs for a verdict against menu' && ! said 'less time|more time|power'
ok $? "three runs: no verdict, and no word of power that was not measured"
text "$page" | grep -q 'Package power: not available (none: no powercap'
ok $? "... but why it was not"

# An idle machine's metric has no better direction, its power has.
make idle points=0
sed -i 's/\t\(lower\|higher\)\t/\tnone\t/' "$tmp"/idle/boots/*/runs/*/metrics.tsv
report idle
sentence slow-dwell >"$tmp/out"
said 'teo-ng is better than menu: package_w [78]\.[0-9]+ % lower \(95 %: ' && ! said 'neither direction|package power'
ok $? "where only power has a better direction, power is judged"

# Figures. Each gnuplot process draws many; the pen that it left is in the next one's empty prelude.
drawing() { # drawing FILE
	grep -v '^<g fill="none" color="#FFFFFF"' "$1" | cksum
}

report full --png
grep -o 'src="plots/[^"]*' "$page" | sed 's/.*plots.//; s/.svg//' | sort >"$tmp/shown"
(cd "$plots" && ls ./*.svg) | sed 's/..//; s/.svg//' | sort | cmp -s - "$tmp/shown"
ok $? "the page shows every figure that is drawn, and no other"
for id in effects loop_us-two-cores difference-slow-dwell measures-two-cores shares-two-cores \
	residency-workload-slow-dwell power-two-cores distribution-slow-dwell course-slow-dwell; do
	grep -qx "$id" "$tmp/shown"
	ok $? "... $id is among them"
done
: >"$tmp/out"
while read -r name; do
	before=$(drawing "$plots/$name.svg")
	rm "$plots/$name.svg"
	(cd "$plots" && gnuplot "$name.gp" 2>&1) | sed "s/^/$name: /" >>"$tmp/out"
	[ "$before" = "$(drawing "$plots/$name.svg")" ] || echo "$name: differs" >>"$tmp/out"
done <"$tmp/shown"
[ ! -s "$tmp/out" ]
ok $? "each can be redrawn alone from its table, the same, without a warning"
sed -n "s/^array columns\[.*= \[//p; s/^array colours\[.*= \[//p" "$plots"/*-*.gp "$plots"/effects.gp | tr -d "]'" |
	awk -F ', ' 'NR % 2 { split($0, name, ", "); next }
	{ for (i = 1; i <= NF; i++) { if (name[i] in c && c[name[i]] != $i) bad = 1; c[name[i]] = $i } }
	END { for (g in c) { n++; if (seen[c[g]]++) bad = 1 } exit bad || n != 3 }'
ok $? "a governor has one colour in all figures, and no other has it"
: >"$tmp/out"
for name in loop_us-two-cores loop_us-slow-dwell; do
	text "$plots/$name.svg" | grep -q 'loop_us (us, lower is better)' || echo "$name" >>"$tmp/out"
done
text "$plots/power-two-cores.svg" | grep -q 'package_w (W, lower is better)' || echo power >>"$tmp/out"
text "$plots/difference-two-cores.svg" | grep -q 'loop_us against menu (%, lower is better)' || echo difference >>"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "titles say measure, unit and direction"

# Tables behind them.
cells "$data/effects.tsv" '$c["section"] == "slow-dwell" && $c["measure"] == "loop_us" && $c["governor"] == "teo-ng"' \
	'$c["pct"], $c["lo"], $c["hi"], $c["threshold"], $c["verdict"]' >"$tmp/out"
awk '{ exit !(NR == 1 && $1 > -5.5 && $1 < -4.5 && $2 < $1 && $3 > $1 && $4 == 1 && $5 == "better") }' "$tmp/out"
ok $? "the effect plot's row: difference, interval, threshold, verdict"
cells "$data/shares-slow-dwell.tsv" 1 '$c["1:C1"] + $c["2:C1E"] + $c["3:C6"] + $c["not_idle.0"]' >"$tmp/out"
awk '{ if ($1 < 99 || $1 > 101) bad = 1 } END { exit bad || NR != 3 }' "$tmp/out"
ok $? "states and the rest are the whole of the time"
cells "$data/distribution-slow-dwell.tsv" '$c["governor"] == "teo"' '$c["us"], $c["pct"]' >"$tmp/out"
awk 'NR > 1 && ($1 <= x || $2 < p) { bad = 1 } { x = $1; p = $2 } END { exit bad || p != 100 || x != 9.664 }' "$tmp/out"
ok $? "a distribution rises to 100 % at the last bucket's end"
cells "$data/course-slow-dwell.tsv" '$c["panel"] == "loop_us" && $c["governor"] == "menu"' '$c["t_s"], $c["value"]' >"$tmp/out"
awk '$2 < 1900 || $2 > 2100 { bad = 1 } { t = $1 } END { exit bad || NR < 50 || t < 9 || t > 10 }' "$tmp/out"
ok $? "the course has the blocks of the window"
ls "$plots"/*.png | sed 's/.*.plots.//; s/.png//' | sort | cmp -s - "$tmp/shown" &&
	[ "$(head -c 4 "$plots/effects.png" | tail -c 3)" = PNG ]
ok $? "--png: each is there as PNG, too"

# One file.
report full --standalone
page=$tmp/full/report/index.html
grep -oE '(src|href|action|data)="[^#][^"]{0,60}|url\([^#][^)]*|https?:[^"< ]*|<script|<link|@import' "$page" |
	grep -v '^href="data:' >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "--standalone: nothing is fetched, no script"
[ "$(grep -o '<svg ' "$page" | wc -l)" = "$(wc -l <"$tmp/shown")" ]
ok $? "... every figure is inside"
grep -oE ' id=["'\''][^"'\'']*' "$page" | sort | uniq -d >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "... no id twice"
grep -oE "href='#[^']*" "$page" | sed "s/href='#//" | sort -u >"$tmp/used"
grep -oE " id='[^']*" "$page" | sed "s/ id='//" | sort -u | comm -13 - "$tmp/used" >"$tmp/out"
[ -s "$tmp/used" ] && [ ! -s "$tmp/out" ]
ok $? "... and each mark of a curve has its shape"
grep -o 'download="loop_us-two-cores.tsv" href="data:[^"]*' "$page" | sed 's/.*base64,//' | base64 -d |
	cmp -s - "$tmp/full/report/data/loop_us-two-cores.tsv"
ok $? "... a table in it is the table"

# A ramp of 2 s a step: 10 W at half of the load on the way up, 14 W on the way down.
make ramp points=0 repeat=2 tables=1
for run in "$tmp"/ramp/boots/*/runs/*; do
	t0=$(sed -n 's/^t0_ns = //p' "$run/run.ini")
	awk -v t0="$t0" 'BEGIN { OFS = "\t"; print "t_ns", "name", "value"; split("0 50 100 50 0", load, " ")
		for (k = 1; k <= 5; k++) printf "%.0f\tthread0.step_pct\t%s\n", t0 + k * 2e9, load[k] }' >"$run/series.tsv"
	uj0=$(awk '$2 == "package-0" { print $5; exit }' "$run/energy.tsv")
	awk -v t0="$t0" -v uj="$uj0" 'BEGIN { print "t_ns\tenergy:package-0"; split("5 10 20 14 6", w, " ")
		for (s = 0; s <= 10; s++) { printf "%.0f\t%.0f\n", t0 + s * 1e9, uj; uj += w[1 + int(s / 2)] * 1e6 } }' >"$run/samples.tsv"
	awk -v u="$uj0" 'BEGIN { OFS = FS = "\t" } $2 == "package-0" { $6 = u + 110e6 } 1' OFMT='%.0f' CONVFMT='%.0f' \
		"$run/energy.tsv" >"$run/e" && mv "$run/e" "$run/energy.tsv"
done
report ramp
cells "$data/ramp-slow-dwell.tsv" '$c["panel"] == "package_w" && $c["governor"] == "teo"' '$c["way"], $c["load_pct"], $c["value"]' >"$tmp/out"
printf '%s\n' 'up 0 5' 'up 50 10' 'up 100 20' 'down 100 20' 'down 50 14' 'down 0 6' | cmp -s - "$tmp/out"
ok $? "a ramp: power at each load, up and down"
[ -s "$plots/ramp-slow-dwell.svg" ]
ok $? "... drawn"

# Children: a ratio to one CPU over their rate.
make fork points=3 dwell=0 repeat=2
for run in "$tmp"/fork/boots/*/runs/*; do
	printf 'pids_per_s\t1/s\thigher\t400\none_cpu_ratio\t\tlower\t1.25\n' >>"$run/metrics.tsv"
done
report fork
cells "$data/fork-ratio-two-cores.tsv" 1 '$c["teo.x"], $c["teo"]' | sort | uniq -c | awk '{ exit !($1 == 3 && $2 == 400 && $3 == 1.25) }'
ok $? "children: the ratio to one CPU over their rate"
text "$tmp/fork/report/index.html" | grep -q 'Not drawn: .*course-two-cores-work=0us (no samples or series with a course inside the window)' &&
	text "$tmp/fork/report/index.html" | grep -q 'distribution-two-cores (no latency.tsv'
ok $? "what is not drawn is named with its reason"
done_testing
