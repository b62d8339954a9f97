#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The shape of results in the report: steady state (P-54), two modes (P-55), shifted steps (P-56), stretches of x, derived
# figures. Results are synthetic with known truth (tests/make-result), or made from published tables where those are here.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
cases=../shared/cases/tables

# fresh OPTION...: a result of synthetic runs in $tmp/r
fresh() {
	rm -rf "$tmp/r"
	tests/make-result "$tmp/r" dwell=0 shift= watts= "$@" >/dev/null || skip_all "make-result failed"
}

report() {
	try "$build/analysis" report --quiet "$tmp/r"
	summary=$tmp/r/report/summary.txt
	cp "$tmp/r/report/summary.json" "$tmp/json"
	tr '\n' ' ' <"$summary" | tr -s ' ' >"$tmp/flat" # sentences may be wrapped anywhere
}

# rows FILE PATTERN: rows of a data file
rows() {
	grep -cE -- "$2" "$tmp/r/report/data/$1"
}

# longer LABEL FROM FACTOR: the loops of a governor take FACTOR times as long where the work is above FROM us
longer() {
	perl -e 'my ($label, $from, $factor, @dir) = @ARGV;
		for (@dir) {
			my ($x, $unit) = /work=([0-9.]+)(us|ns)[.]\Q$label\E[.]r/ or next;
			next if ($unit eq "ns" ? $x / 1000 : $x) <= $from;
			open my $in, "<", "$_/metrics.tsv" or die; my @line = <$in>; close $in;
			s/^(loop_us\t.*\t)([0-9.]+)$/$1 . $2 * $factor/e for @line;
			open my $out, ">", "$_/metrics.tsv" or die; print $out @line; close $out;
		}' "$@" "$tmp"/r/boots/*/runs/*
}

# --- P-56: the same step 50 % further along ---
fresh points=64
longer menu 4 1.25
longer teo 6 1.25
longer teo-ng 4 1.25
report
ok "$status" "a sweep with steps: the report is made"
[ "$(rows transitions.tsv $'\tstep\tloop_us\t')" = 3 ] && [ "$(awk -F '\t' '$4 == "step" && $8 > 22 && $8 < 28' \
	"$tmp/r/report/data/transitions.tsv" | wc -l)" = 3 ]
ok $? "P-56: each curve has its one step of 25 %"
awk -F '\t' '$4 == "step" { at = $3 == "teo" ? 6 : 4; if (!($6 <= at && at < $7)) bad = 1 } END { exit bad }' "$tmp/r/report/data/transitions.tsv"
ok $? "P-56: the steps are where they were put"
awk -F '\t' '$4 == "shift" && $3 == "teo" { n++; if (!($8 > 35 && $8 < 65)) bad = 1 }
	$4 == "shift" && $3 == "teo-ng" { n++; if ($8 != 0) bad = 1 } END { exit bad || n != 2 }' \
	"$tmp/r/report/data/transitions.tsv"
ok $? "P-56: shifted by about 50 %, the other not at all"
grep -qE 'teo -(19|20|21)[0-9.]* % at work=[0-9.]+us, only a shifted step: from [0-9.]+ to [0-9.]+ us' "$tmp/flat"
ok $? "P-56: the summary says that the maximum is but a shifted step"
! grep -q 'teo-ng [-+0-9.]* % at work=[^ ]*, only a shifted step' "$tmp/flat"
ok $? "P-56: not so of a curve that steps at the same place"

# --- no steps, no modes, no drift ---
fresh points=24
report
[ "$(rows transitions.tsv $'\t(step|two modes|jumps)\t')" = 0 ]
ok $? "P-55, P-56: none are invented in smooth curves"
! grep -q 'settled\|bi-stable' "$tmp/flat" && [ "$(wc -l <"$tmp/r/report/data/steady.tsv")" = 1 ]
ok $? "P-54: runs without series are not judged"
grep -q 'geometric mean over 24 of 24 points' "$summary"
ok $? "all points are in the whole curve"

# --- P-55: two modes at one point ---
fresh points=8
for r in 1 3 4; do
	sed -i 's/^\(loop_us\t.*\t\).*/\1'"20.0$r/" "$tmp"/r/boots/*/runs/*work=40us.teo.r$r/metrics.tsv
done
report
grep -q 'bi-stable, so that no single number describes it: work=40us teo: 3 runs at 20[.0-9]*, 3 at 8[0-9.]* us (median' \
	"$tmp/flat"
ok $? "P-55: both modes and the median are shown"
grep -q '1 bi-stable point of 8 left out of the whole curve' "$tmp/flat" &&
	grep -q 'geometric mean over 7 of 8 points' "$summary"
ok $? "P-55: left out of the whole curve by rule, and said"
grep -q '"left_out": *1' "$tmp/json" && grep -q '"low_n": *3' "$tmp/json"
ok $? "P-55: summary.json has it, too"

# --- P-55: a single repeat that jumps between two branches, 40 % apart, at 12 neighbours ---
fresh points=64 repeat=1 governors=menu,teo
at=0
for dir in $(for d in "$tmp"/r/boots/*/runs/*.teo.r1; do
	echo "$(sed -n 's/^work = \([0-9.]*\)us$/\1/p' "$d/run.ini" | tail -n 1) $d"
done | sort -g | awk '$1 > 2 && n++ < 12 { print $2 }'); do
	at=$((at + 1))
	[ "$(cut -c $at <<<101100101101)" = 0 ] ||
		perl -pi -e 's/^(loop_us\t.*\t)([0-9.]+)$/$1 . 1.4 * $2/e' "$dir/metrics.tsv"
done
report
[ "$at" = 12 ] && [ "$(rows transitions.tsv $'\tteo\tjumps\t')" = 12 ] && [ "$(rows transitions.tsv $'\tmenu\tjumps\t')" = 0 ]
ok $? "P-55: neighbours that jump back and forth are found without repeats"
grep -q '12 bi-stable points of 64 left out of the whole curve, by rule' "$tmp/flat" &&
	grep -q 'geometric mean over 52 of 64 points' "$tmp/flat"
ok $? "P-55: ... and left out of the whole curve"
[ "$(rows transitions.tsv $'\tstep\t')" = 0 ]
ok $? "P-55: ... and are no steps of the curve"

# --- P-54: a drift in two runs, a steady third ---
# series RUN DRIFT_PCT: 200 blocks over the window
series() {
	perl -e 'my ($dir, $drift) = @ARGV; srand 1; print "t_ns\tname\tvalue\n";
		printf "%d\tring%d.loop_us\t%.4f\n", 1e12 + $_ * 5e7, $_ % 2, 4 * (1 + $drift / 100 * $_ / 199) * (1 + 0.05 * (rand() - 0.5)) for 0 .. 199' \
		"$1" "$2" >"$(echo "$tmp"/r/boots/*/runs/*"$1")/series.tsv"
}
# watts RUN DRIFT_PCT: samples of a package counter that wraps, a second one each, 12 W
watts() {
	perl -e 'my $drift = $ARGV[0]; my $uj = 262143328850 - 30e6; print "t_ns\tenergy:package-0\tenergy:psys\tworkload:C6:usage\n";
		for (0 .. 29) { print 1e12 + $_ * 1e9, "\t", $uj % 262143328850, "\t77\t1\n"; $uj += int(12e6 * (1 + $drift / 100 * $_ / 29)) }' \
		"$2" >"$(echo "$tmp"/r/boots/*/runs/*"$1")/samples.tsv"
}
fresh points=0 dwell=1
series slow-dwell.menu.r1 20
series slow-dwell.menu.r2 0
watts slow-dwell.teo.r1 10
watts slow-dwell.teo.r2 0
sed -i 's/^exit_status = 0/&\ntemperature_end_c = 61.5/' "$tmp"/r/boots/*/runs/*/run.ini
sed -i 's/^temperature_end_c = 61.5/temperature_end_c = 52/' "$tmp"/r/boots/*/runs/*slow-dwell.teo-ng.r1/run.ini
report
grep -q 'not settled: 3 of 5 runs that can be judged (report/data/steady.tsv)' "$tmp/flat"
ok $? "P-54: drifting headline, drifting power and a cold package are counted"
grep -q '1 x not settled: the headline drifted during the run (first: [0-9]*.slow-dwell.menu.r1)' "$tmp/flat" &&
	grep -q '1 x not settled: package power drifted during the run (first: [0-9]*.slow-dwell.teo.r1)' "$tmp/flat" &&
	grep -q '1 x not settled: the package ended colder than in the other repeats (first: [0-9]*.slow-dwell.teo-ng.r1)' "$tmp/flat"
ok $? "P-54: each is a doubt of its run, and stays in the summary"
awk -F '\t' '$3 == "menu" && $4 == 1 && $5 == "loop_us" { a = $10 == "no" && $8 > 15 && $8 < 25 && $7 / $6 > 1.07 && $7 / $6 < 1.11 }
	$3 == "menu" && $4 == 2 { b = $10 == "yes" && $8 < 3 && $8 > -3 }
	$3 == "teo" && $4 == 1 && $5 == "package_w" { c = $10 == "no" && $8 > 8 && $8 < 12 && $6 > 12 && $6 < 12.7 }
	$3 == "teo" && $4 == 2 { d = $10 == "yes" && $6 > 11.9 && $6 < 12.1 } END { exit !(a && b && c && d) }' \
	"$tmp/r/report/data/steady.tsv"
ok $? "P-54: first half against second half, over a counter's wrap"

# --- derived figures ---
# extra RUNS NAME UNIT VALUE
extra() {
	for dir in "$tmp"/r/boots/*/runs/*"$1".r*; do
		printf '%s\t%s\tnone\t%s\n' "$2" "$3" "$4" >>"$dir/metrics.tsv"
	done
}
fresh points=0 dwell=1 noise=0 governors=menu,teo
sed -i 's/^\(loop_us\t.*\t\).*/\11162.13/; s/^\(loops_per_s\t.*\t\).*/\1860.489/' "$tmp"/r/boots/*/runs/*.menu.*/metrics.tsv
sed -i 's/^\(loop_us\t.*\t\).*/\11266.45/; s/^\(loops_per_s\t.*\t\).*/\1789.609/' "$tmp"/r/boots/*/runs/*.teo.*/metrics.tsv
for label in menu teo; do
	extra $label stops_per_loop '' 6
	extra $label work_units '' 147097
	extra $label unit_start_ns ns 1.3044
	extra $label unit_end_ns ns 1.3046
done
report
grep -q 'us a hop beside its work: menu 1.80, teo 19.2 (+17.4)' "$tmp/flat"
ok $? "a ring of 6, +9 % a loop: 17.4 us a hop"
grep -A40 '"package_uj_per_loop"' "$tmp/json" | grep -q '"median": *1394[56]' &&
	grep -q '"energy_delay_uj_us"' "$tmp/json"
ok $? "12 W at 860.489 loops a second: 13,946 uJ a loop"
grep -q '"exit_latency_pct": *[0-9]' "$tmp/json"
ok $? "entries x exit latency over wall time, by state"
fresh points=0 dwell=1 power=0 idle=0
report
! grep -q 'package_uj_per_loop\|energy_delay\|hop_excess\|exit_latency_pct' "$tmp/json"
ok $? "without power, units and idle states there are no such figures, and no 0"

# --- published tables ---
# made: a result in $tmp/r from lines "section point governor repeat metric usage above below"; one state above polling
made() {
	rm -rf "$tmp/r"
	perl -e 'my $dir = $ARGV[0]; my ($n, %gov) = (0); sub put { my ($p, $t) = @_; open my $o, ">", $p or die "$p: $!"; print $o $t; close $o }
		my $boot = "$dir/boots/6.1+00000001";
		mkdir $_ for $dir, "$dir/boots", $boot, "$boot/runs";
		while (<STDIN>) {
			my ($section, $point, $governor, $repeat, $value, @count) = split; $n++; $gov{$governor}++;
			$point = "" if $point eq "-";
			my $run = sprintf "%s/runs/%04d.%s%s.%s.r%d", $boot, $n, $section, $point eq "" ? "" : ".$point", $governor, $repeat;
			mkdir $run or die "$run: $!";
			my ($key, $text) = split /=/, $point;
			put("$run/run.ini", "[run]\nformat = 1\nnumber = $n\nrepeat = $repeat\nhousekeeping = 1\nexit_status = 0\nsection = $section\n"
				. "point = $point\ngovernor = $governor\nlabel = $governor\nworkload = test\ndistance_asked = any\ndistance_got = any\n"
				. "started = 2021-01-01T00:00:00+00:00\nargv = test\ntimer_based = no\nrehearsal = no\nmodelled = no\npinned = yes\n"
				. "oversubscribed = no\nhousekeeping_shared = no\ncpus = 0\nt0_ns = 1000000000\nt1_ns = 11000000000\nstate = complete\n\n[axes]\n"
				. ($key ? "$key = $text\n" : "") . "\n[params]\n\n[doubts]\n");
			put("$run/metrics.tsv", "name\tunit\tbetter\tvalue\nus\tus\tlower\t$value\n");
			put("$run/idle.tsv", "cpu\tstate\tt0_ns\tt1_ns\tusage0\tusage1\ttime0_us\ttime1_us\tabove0\tabove1\tbelow0\tbelow1\trejected0\trejected1\n"
				. "0\t1\t1000000000\t11000000000\t0\t$count[0]\t\t\t0\t$count[1]\t0\t$count[2]\t0\t0\n");
		}
		put("$boot/host.ini", "[host]\nkernel = 6.1\npower = none: a published table\n\n[missing]\n");
		put("$boot/states.tsv", "cpu\tstate\tname\tdesc\tlatency_us\tresidency_us\tdisabled\tdefault_status\tpolling\n0\t1\tCEDE\tCEDE\t\t120\t0\tenabled\t0\n");
		my $g = join ",", sort keys %gov;
		put("$dir/campaign.ini", "[campaign]\nformat = 1\nsuite = published\ngovernors_asked = $g\ngovernors = $g\nreference = $ARGV[1]\ncpus = \nset = \n"
			. "cpufreq_governors = \nevents = \norder = blocked\nseed = 1\nrepeat = 1\nrehearsal = 0\nwarmup_ns = -1\nwindow_ns = 0\ninterval_ns = 1000000000\n"
			. "ns_per_unit = 0\ncells = $n\nversion = 0.1\ncreated = 2021-01-01T00:00:00+00:00\n\n# The suite file, verbatim:\n[suite]\nformat = 1\n");
		' "$tmp/r" "$1"
}

if [ -r $cases/schedutil_runs_bimodal.csv ]; then
	awk -F, 'NR > 1 { print "runs", "-", $1, $2, $3, 0, 0, 0 }' $cases/schedutil_runs_bimodal.csv | made 5.9
	report
	grep -q 'bi-stable, so that no single number describes it: 5.9: 7 runs at 2771.9, 5 at 8980.6 us (median 2813.0, mean 5358.8, sd 3941)' \
		"$tmp/flat"
	ok $? "P-55: 12 published runs: mean 5358.8, median 2813, sd 3941, and both modes"
	! grep -q '5.15-rc5: [0-9]* runs at' "$tmp/flat"
	ok $? "P-55: the ten runs of the other kernel are one mode"
else
	ok 0 "P-55: published runs # SKIP $cases is not here"
fi

if [ -r $cases/power10_sleep_sweep.csv ]; then
	# A governor's points are named by the time asked; the table has what was slept.
	awk -F, 'NR > 1 && $1 != "teo+patch" { i = $3; x = i <= 3 ? 5 * (i + 1) : i <= 20 ? 10 * i : i <= 26 ? 50 * i - 800 : 1000
		print $2, "sleep=" x "us", $1, 1, $4, $5, $6, $8 }' $cases/power10_sleep_sweep.csv | made teo
	report
	awk -F '\t' '$1 == "pipe" && $4 == "differs" && $5 ~ /^too_deep/ { n++; ok = $3 == "menu" && $6 == 15 && $7 == 100 && $9 < 98.7 && $8 > 82 }
		END { exit !(n == 1 && ok) }' "$tmp/r/report/data/transitions.tsv"
	ok $? "pipe wakes: one stretch, menu too deep from 15 to 100 us (target residency 120 us)"
	grep -q 'CEDE too deep from 15us to 100us (9 points): teo 0[.0-9]* %, menu 82.1..98.6 %' "$tmp/flat"
	ok $? "the summary says so with both sides' figures"
	[ "$(rows transitions.tsv $'^timer\t.*\tdiffers\ttoo_deep')" = 0 ]
	ok $? "timer wakes: no such stretch"
else
	ok 0 "a published sweep # SKIP $cases is not here"
fi
done_testing
