#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The report of results in which something is spoilt, damaged, there twice or in the way: each is
# named for what it is, and the rest is reported.
. tests/tap.sh
. tests/cli/report.sh
command -v gnuplot >/dev/null || skip_all "no gnuplot"

make() { # make NAME [key=value]...: $dir, its runs in $runs
	dir=$tmp/$1
	shift
	tests/make-result "$dir" "$@" || echo "Bail out! make-result failed"
	runs=$(echo "$dir"/boots/*/runs)
}

report() { # summary and warnings in $tmp/out, text for grep
	try timeout 60 "$build/analysis" report "$dir"
}

only() { # only GLOB: the one run of that name
	set -- "$runs"/$1
	[ $# -eq 1 ] && [ -d "$1" ] || echo "Bail out! no single run $1"
	echo "$1"
}

# Puts another run beside $1, as the runner does when a cell is measured again.
spoil() { # spoil RUN STATE SUFFIX
	cp -r "$1" "$1$3"
	sed -i "s/^state = complete/state = $2\nreason = somebody changed the governor/" "$1$3/run.ini"
}

small="points=0 repeat=2 governors=menu,teo"

# Spoilt runs: their tables may end anywhere.
make void $small
run=$(only '0001*')
spoil "$run" void .void-1
rm -r "$run"
sed -i 's/^t1_ns = .*/t1_ns = 0/' "$run.void-1/run.ini"
printf 'cpu\tstate\tt0_ns\tt1_ns\n0\t0\t12\t\n' >"$run.void-1/idle.tsv"
: >"$run.void-1/metrics.tsv"
report
exits 3 "a cell that has only a void run: exit 3"
says '1 x void: somebody changed the governor' "... listed with its reason"
never 'damaged: ' "... and not called damaged, whatever its tables look like"
cp -r "$run.void-1" "$run.failed-2"
sed -i 's/^state = void/state = failed/' "$run.failed-2/run.ini"
rm "$run.failed-2"/*.tsv
report
says '1 x failed: somebody changed the governor' "a failed run without tables is listed with its reason"

make again $small
for i in 1 2; do spoil "$(only '0001*.r1')" void .void-$i; done
spoil "$(only '0002*.r1')" failed .failed-1
report
exits 0 "spoilt runs of cells that have a complete one, too: exit 0"
says '2 x void: somebody.* 1 x failed: somebody' "... they are listed"
[ "$(grep -o '"complete": [a-z]*' "$dir/report/summary.json")" = '"complete": true' ]
ok $? "... and summary.json says complete"
rm -r "$(only '0004*')"
report
exits 3 "another cell without a run: exit 3"
says '1 of 4 cells of the plan are not done' "... spoilt runs do not fill the places of others"

# Complete runs without the tables that each has.
for table in metrics idle; do
	for how in missing empty header; do
		make $table-$how $small
		file=$(only '0003*')/$table.tsv
		case $how in
		missing) rm "$file" ;;
		empty) : >"$file" ;;
		header) sed -i 1q "$file" ;;
		esac
		report
		exits 3 "$table.tsv $how: exit 3"
		says "warning: skipped 1 damaged run: [^ ]*: [^ ]*/runs/0003[^ ]*/$table.tsv: " "... named"
		says '1 x damaged: ' "... and listed"
	done
done
make alike $small
sed -i 's/^\(loop_us\t.*\t\).*/\1nan/' $runs/*/metrics.tsv
report
exits 3 "every run is damaged in the same way: exit 3"
[ "$(grep -c ^warning: "$tmp/out")" = 1 ]
ok $? "... one warning"
says "skipped 4 damaged runs: metrics.tsv:2: column value: 'nan' is not a number \(first: 000[1-4]" "... which names one of them"
says "4 x damaged: metrics.tsv:2: column value: 'nan' is not a number \(first: 000" "... and one line in the summary"
for file in host.ini states.tsv; do
	for how in missing empty; do
		make $file-$how $small
		spoil "$(only '0001*.r1')" void .void-1
		: >"$dir/boots/6.18.44+3f2a9c1e/$file"
		[ $how = empty ] || rm "$dir/boots/6.18.44+3f2a9c1e/$file"
		report
		exits 3 "$file $how: exit 3"
		says "skipped 4 damaged runs: its boot's files are damaged: boots/[^ ]*/$file: " "... its boot's runs, named"
		says '1 x void: somebody changed' "... the void run keeps its reason"
	done
done
make nocpuidle $small idle=0
report
exits 0 "tables with a header only are whole on a machine without cpuidle"

make sideways $small
file=$(only '0002*')/metrics.tsv
sed -i 's/\tlower\t/\tsideways\t/' "$file"
report
exits 3 "better = sideways: exit 3"
says "metrics.tsv:2: better is 'sideways', not lower, higher or none" "... named"

make twice $small
first=$(only '0001*.r1')
second=$runs/0077.${first##*/0001.}
cp -r "$first" "$second"
sed -i 's/^number = .*/number = 77/' "$second/run.ini"
report
exits 3 "a copy of a cell under another number: exit 3"
says "warning: skipped 1 duplicate run: 0077[^ ]*: the same cell as 0001" "... the second is named"
says '1 x duplicate: the same cell as 0001' "... and listed"
says '2 runs each' "... and not counted"
rm -r "$second"
mkdir -p "$dir/boots/6.18.44+00000000/runs"
cp "$dir"/boots/6.18.44+3f*/*.* "$dir/boots/6.18.44+00000000/"
cp -r "$first" "$dir/boots/6.18.44+00000000/runs/"
report
exits 0 "the same cell in two boots is no copy"

make fifo $small
file=$(only '0002*')/idle.tsv
rm "$file" && mkfifo "$file"
report
exits 3 "a FIFO instead of idle.tsv is not waited for"
says 'idle.tsv: not a regular file' "... and named"

# Numbers that cannot be compared.
make zero points=4 repeat=6 governors=menu,teo
for run in "$runs"/*.menu.*; do
	sed -i 's/^\(loop_us\t.*\t\).*/\10/' "$run/metrics.tsv"
done
report
says 'loop_us in us, lower is better; mean over 4 of 4 points, some values not above 0 menu: 0\.0' "a sweep whose reference is 0 has an arithmetic mean over all points"
says 'teo 23\.[0-9]+ [0-9.]+ \+23\.[0-9]+ us \+23\.[0-9.]+\+2[34]\.[0-9]+ worse' "... a verdict, with the shift in us instead of a percent"
says 'teo [12][09][0-9.]+ [0-9.]+ \+(2[0-9]{3}|19[0-9]{2}(\.[0-9])?) us [+0-9.]+ worse' "... so has a single point"
says '40us 0\.0000 8[0-9.]+ \+8[0-9.]+\* W' "... and each point of the sweep"
says '\* the reference is 0: the difference in the measure.s unit, no percent' "... which the table explains"
[ "$(awk '/\+.*\*/ && length > 78' "$dir/report/summary.txt" | wc -l)" = 0 ]
ok $? "... within 78 columns"
page=$(tr '\n' ' ' <"$dir/report/index.html")
[[ $page == *'is worse than menu: loop_us higher by 23.'*' us (the reference is 0)'* && $page == *' us, the reference is 0</td>'* ]]
ok $? "... on the page as well"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["section"] == "two-cores" && $c["column"] == "teo" && $c["measure"] == "loop_us" && $c["point"] == "" {
		n++; good += $c["diff_pct"] == "" && $c["verdict"] == "worse" && $c["shift"] > 23 && $c["shift"] < 24 &&
			$c["shift_lo"] > 23 && $c["shift_hi"] < 24 && $c["p"] < 0.05 && $c["mean_over_points"] == "arithmetic" }
	END { exit !(n == 1 && good == 1) }' "$dir/report/summary.csv"
ok $? "... in summary.csv: no percent, but a shift, p and a verdict"
tr -d ' \n' <"$dir/report/summary.json" | grep -Eq '"diff_pct":null,"diff_lo_pct":null,"diff_hi_pct":null,"shift":23\.[0-9]+,"shift_lo":23\.[0-9]+,"shift_hi":2[34]\.[0-9]+,"p":0\.0[0-9]+,.{0,300}"verdict":"worse"'
ok $? "... and in summary.json"

# perf events: scaled for the time that the counter ran, NA where a CPU has none.
make events $small events=1
report
exits 0 "events.tsv is read"
for want in 'event:cycles 2000000' 'event:context-switches 300'; do
	got=$(tr -d ' \n' <"$dir/report/summary.json" | grep -o "\"name\":\"${want% *}\",\"unit\":\"1/s\",\"better\":[^,]*,.\{0,400\}" |
		grep -o '"median":[0-9.]*' | head -1)
	[ "${got%.0}" = "\"median\":${want#* }" ]
	ok $? "... $want a second, both CPUs, scaled"
done
! grep -q 'event:LLC-loads' "$dir/report/summary.json"
ok $? "... an event that one CPU could not count is not available"
grep -q '<td>event:cycles, 1/s</td><td>2000000</td>' "$dir/report/index.html"
ok $? "... events are facts on the page"

# 78 columns, whatever the names and numbers.
names=governor-numb-a,governor-numb-b,governor-numb-c,governor-numb-d
make wide points=16 repeat=3 governors=$names,averyveryverylonggovernornamethatistoolongforanytable reference=governor-numb-a shift=governor-numb-c:-5 \
	kernel=6.18.44-0123456789012345678901234567890123456789-with-a-name-of-a-distribution
sed -i 's/^\(loop_us\t.*\t\)\(.*\)/\1123456789\2/' "$runs"/*/metrics.tsv
echo '' >"$(only '0009*')/run.ini"
report
exits 3 "four governors with long names, long numbers, long paths"
lines=$(LC_ALL=C awk 'length > 78' "$dir/report/summary.txt")
[ -z "$lines" ]
ok $? "... no line over 78 columns"
says '1 x damaged: boots/6.18.44-0123' "... the path is there"
make four points=16 repeat=6 governors=$names reference=governor-numb-a
report
awk 'length > 78 || / $/ { bad++ } / by work/ { table++ } END { exit bad || table != 1 }' "$dir/report/summary.txt"
ok $? "four governors of 15 characters stand in one table of 78 columns"

# Figures.
plots=$dir/report/plots
awk '
	match($0, /translate\([0-9.]+,[0-9.]+\)/) { split(substr($0, RSTART + 10, RLENGTH - 11), at, ",") }
	/<text>governor-num/ { n++; rows[at[2]] = 1 }
	END { for (r in rows) k++; exit !(n == 4 && k == 1) }' "$plots/residency-all-two-cores.svg"
ok $? "the key of a figure with panels is one row where it fits"
(
	cd "$plots" || exit
	awk -F'\t' -v OFS='\t' 'NR > 1 { for (i = 3; i <= NF; i++) $i = i % 4 == 2 ? $i : 0.0000125 } { print }' \
		../data/residency-all-two-cores.tsv >long.tsv
	sed "s,^data = .*,data = 'long.tsv'," residency-all-two-cores.gp >long.gp
	gnuplot long.gp
) 2>"$tmp/out"
# Two rows of panels have their label on the left; what lies outside gnuplot does not draw at all.
awk 'match($0, /translate\([0-9.-]+,[0-9.-]+\) rotate\(270/) {
		split(substr($0, RSTART + 10), at, ","); n += at[1] >= 14 && at[1] < 112 }
	END { exit n != 2 }' "$plots/residency-all-two-cores.svg"
ok $? "the label of the y axis is inside, whatever the numbers beside it"
sed 's/^first_x = .*/first_x = 0.1/; s/^zero_at = .*/zero_at = 0.05/; s/^x_min = .*/x_min = 0.04/' \
	"$plots/loop_us-two-cores.gp" >"$plots/decade.gp"
(cd "$plots" && gnuplot decade.gp) 2>"$tmp/out"
grep -q '<text>0[.]1</text>' "$plots/loop_us-two-cores.svg"
ok $? "the first decade has its tick"

# gnuplot fails, dies, half way.
mkdir "$tmp/bin"
for how in 'exit 1' 'kill -9 $$'; do
	make "gnuplot-${how%% *}" points=4 repeat=2
	printf '#!/bin/sh\necho half >loop_us-two-cores.svg\necho out of memory\n%s\n' "$how" >"$tmp/bin/gnuplot"
	chmod +x "$tmp/bin/gnuplot"
	try env PATH="$tmp/bin:$PATH" "$build/analysis" report "$dir"
	exits 0 "gnuplot: $how: the report is made"
	says 'warning: no figures: gnuplot failed.*: out of memory' "... with a warning"
	[ -s "$dir/report/summary.json" ] && [ -z "$(find "$dir/report" -name '*.svg')" ]
	ok $? "... the numbers are there, half a figure is not"
	grep -q '(gnuplot failed[^)]*)\{0,1\}.*: out of memory)' "$dir/report/index.html"
	ok $? "... and the page says why"
done

# One script that fails: the plots beside the program are a copy with an error in it.
mkdir -p "$tmp/own/source/analysis"
cp "$build/analysis" "$tmp/own/"
cp -r analysis/plots "$tmp/own/source/analysis/"
make bad-script points=4 repeat=2
report
find "$dir/report/plots" -name '*.svg' -printf '%f\n' | sort >"$tmp/all"
for script in category-shares sweep-shares; do
	echo 'plot no_such_function(x)' >>"$tmp/own/source/analysis/plots/$script.gp"
done
try timeout 120 "$tmp/own/analysis" report --png "$dir"
exits 0 "a script of one kind of figure fails: the report is made"
find "$dir/report/plots" -name '*.svg' -size +0 -printf '%f\n' | sort >"$tmp/left"
[ "$(grep -c '^shares-' "$tmp/all")" = 2 ] && [ "$(comm -23 "$tmp/all" "$tmp/left" | grep -vc '^shares-')" = 0 ] &&
	! grep -q '^shares-' "$tmp/left"
ok $? "... all other figures are there, and no half one"
says 'shares-two-cores: not drawn: gnuplot failed: .*undefined function: no_such_function' "... the one is named, with what gnuplot said"
never 'no figures' "... and not all"
grep -q 'Not drawn:.*shares-slow-dwell (gnuplot failed: .*undefined function' "$dir/report/index.html" &&
	grep -q '<img loading=lazy src="plots/loop_us-two-cores.svg"' "$dir/report/index.html" &&
	! grep -q '<img loading=lazy src="plots/shares-' "$dir/report/index.html"
ok $? "... on the page, too, which shows the rest"
[ -s "$dir/report/plots/loop_us-two-cores.png" ]
ok $? "... and the PNG pictures of the rest are drawn"

# gnuplot 5.4 crashes on labels none of which has a place: one bar, and no share of it large enough for a number.
make alone governors=menu points=2
report
exits 0 "a governor alone: exit 0"
never "no figures" "... nothing about figures that failed"
[ -s "$dir/report/plots/shares-slow-dwell.svg" ]
ok $? "... and its bar of shares is drawn"

# The label of a tic is a format for gnuplot; a bad one is an error.
make percent points=2 governors=menu,te%o
for metrics in "$runs"/*/metrics.tsv; do printf 'spread_pct\t%%\tlower\t%s\n' "$((RANDOM % 9 + 1))" >>"$metrics"; done
report
never 'no figures' "a unit of % and a governor with a % in its name: figures are drawn"
grep -q 'spread_pct (%, lower is better)' "$dir/report/plots/measures-slow-dwell.svg" &&
	grep -q 'te%o' "$dir/report/plots/loop_us-slow-dwell.svg"
ok $? "... with one % where there is one"

# A point at which nothing had the role of the panel, and values so small that three decimals are none.
make roles points=3 governors=menu,teo tables=1
sed -i 's/^ring0/other/' "$runs"/*.work=40us.*/latency.tsv
for metrics in "$runs"/*.slow-dwell.teo.*/metrics.tsv; do sed -i 's/^\(loop_us\t.*\t\).*/\10.00045/' "$metrics"; done
report
never 'no figures' "a role that one point lacks: figures are drawn"
[ -s "$dir/report/plots/distribution-two-cores.svg" ] && grep -q '>none<' "$dir/report/plots/distribution-two-cores.svg"
ok $? "... and its panel says that there is nothing"
says ' 0\.00045\.\.0\.00045 ' "0.00045 is not rounded to 0.000"

# The points at which a value is 0 may say the most: no mean leaves them out.
make polls points=3 governors=menu,teo
for idle in "$runs"/*.work=0us.menu.*/idle.tsv; do
	awk -F'\t' -v OFS='\t' 'NR > 1 { $6 = $5; $8 = $7; $10 = $9; $12 = $11 } { print }' "$idle" >"$tmp/idle" && cp "$tmp/idle" "$idle"
done
for metrics in "$runs"/*.work=0us.menu.*/metrics.tsv; do sed -i 's/^\(p99_us\t.*\t\).*/\10/' "$metrics"; done
report
says '^.*mean over the points: menu 14\.[0-9], teo 25\.[0-9] \(\+1[01]\.[0-9]\)' "exit latency: the point where a governor only polls counts"
says 'p99_us, us, mean over points' "a value of 0 takes no point out: the mean is the arithmetic one, and says so"

# A percentage that is no measurement, but has to be printed: never cut into another number.
make huge points=0 governors=menu,teo
for metrics in "$runs"/*.teo.*/metrics.tsv; do sed -i 's/^\(loop_us\t.*\t\).*/\11e300/' "$metrics"; done
report
says 'teo: 1e\+300 us \(sd 0\.00, n 6\), \+[45](\.[0-9]+)?e\+298 % worse' "a difference of 300 digits has an exponent"
never '[0-9]{20}' "... it and its interval"

# No room.
"$build/analysis" report "$dir" >/dev/full 2>"$tmp/out"
status=$?
exits 1 "no room for standard output: exit 1"
said 'standard output: No space left on device'
ok $? "... named"
# Files of at most 4 KiB: a write fails as on a full disk, half way and with an error of its own.
make one points=0 repeat=1 governors=menu,teo
try bash -c 'trap "" XFSZ; ulimit -f 4; exec "$@"' bash "$build/analysis" report "$dir"
exits 1 "a file that cannot be written whole: exit 1"
said '/report[^ ]*: File too large$'
ok $? "... with the reason that the kernel gave"
[ ! -e "$dir/report" ] && [ -z "$(find "$dir" -name 'report*')" ]
ok $? "... and no half report"
done_testing
