#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every style on small files of our own, and on damaged ones: what contradicts itself is named with file and line and
# left out (exit 3), what has no style is refused (exit 2), and what remains is a result directory like any other.

. "$(dirname "$0")/../tap.sh"

# imported ARGUMENT...: imports into $tmp/d
imported() {
	rm -rf "$tmp/d"
	try "$build/analysis" import "$@" -o "$tmp/d"
}

# ended STATUS NAME: the last try's exit status
ended() {
	ok $((status != $1)) "$2"
}

# row FILE PATTERN: a line of a table of $tmp/d, tabs written as blanks
row() {
	cat "$tmp"/d/$1 2>/dev/null | tr '\t' ' ' >"$tmp/out"
	said "$2"
}

# whole: the report reads it, and no run is damaged
whole() {
	try "$build/analysis" report --quiet "$tmp/d" && ! grep -q '"damaged"' "$tmp/d/report/summary.json"
}

# state CPU STATE USAGE TIME ABOVE BELOW: path:value lines, in no order
state() {
	local p=/sys/devices/system/cpu/cpu$1/cpuidle/state$2
	printf '%s\n' "$p/usage:$3" "$p/s2idle/usage:99" "$p/name:C$2" "$p/time:$4" "$p/below:$6" "$p/power:0" \
		"$p/latency:$((10 * $2))" "$p/above:$5" "$p/disable:0" "$p/residency:$((30 * $2))" "$p/desc:MWAIT 0x0$2"
}

# values NAME LATENCY USAGE TIME ABOVE BELOW: the twelve values of a state as cat prints them
values() {
	printf '%s\n' "$5" "$6" enabled "MWAIT $1" 0 "$2" "$1" 0 0 $((3 * $2)) "$4" "$3"
}

## path:value, a pair
{ state 0 1 100 5000 40 0; state 0 0 10 50 0 5; echo /sys/devices/system/cpu/cpu0/cpuidle/driver/name:psci_idle
	state 1 0 0 0 0 0; state 1 1 7 70 3 0; echo /sys/devices/system/cpu/cpuidle/current_governor:teo; } >"$tmp/x-before.txt"
{ state 0 0 30 150 0 15; state 1 1 17 170 4 0; state 0 1 300 95000 140 0; state 1 0 0 0 0 0; } >"$tmp/x-after.txt"
imported "$tmp/x-after.txt" "$tmp/x-before.txt"
ended 0 'path:value lines: a pair is imported, whatever the order of lines and files'
row 'boots/*/runs/*/idle.tsv' '^0 1   100 300 5000 95000 40 140 0 0  $'
ok $? '... its idle.tsv has both readings and no times'
row 'boots/*/runs/*/idle.tsv' '^1 1   7 17 70 170 3 4 0 0  $'
ok $? '... of both CPUs, and no rejected where there is none'
row 'boots/*/runs/*/run.ini' '^governor = teo$'
ok $? '... the governor is that of the dump that tells it'
row 'boots/*/states.tsv' '^0 1 C1 MWAIT 0x01 10 30 0  0$'
ok $? '... states.tsv'
row import/shares.tsv '^x difference 0-1 2 1 C1 210 101 0  48.0952 0.0000 '
ok $? '... the difference: 210 entries, 101 of them too deep, 48.1 %'
whole
ok $? '... and the report reads it'
try grep -h '' "$tmp"/d/boots/*/runs/*/run.ini "$tmp"/d/boots/*/host.ini
said '^workload = imported$' && said "^imported = $tmp/x-after.txt" && said '^doubt1 = imported: '
ok $? '... every file says that it was imported, and from where'
row report/data/misses.tsv '^ x 1 idle-counters 230 111 48.261 10 101$'
ok $? 'P-22: misses.tsv of an imported pair'

for separator in = ' ' $'\t'; do
	sed "s/:/$separator/" "$tmp/x-after.txt" >"$tmp/other.txt"
	imported "$tmp/other.txt"
	[ $status = 0 ] && row import/counters.tsv '^other 0 1 300 95000 140 0 $'
	ok $? "... path and value with '$separator' between them"
done

## names that say nothing, and --pair
cp "$tmp/x-before.txt" "$tmp/one.txt"
cp "$tmp/x-after.txt" "$tmp/two.txt"
imported "$tmp/one.txt" "$tmp/two.txt"
ended 0 'two dumps whose names say nothing are two dumps'
[ -z "$(ls "$tmp"/d/boots/*/runs 2>/dev/null)" ] && row import/counters.tsv '^two 0 1 300 95000 140 0 $'
ok $? '... state tables and counters, no runs'
imported --pair "$tmp/one.txt" "$tmp/two.txt"
row 'boots/*/runs/*.one.r1/idle.tsv' '^0 1   100 300 '
ok $? '--pair: the first is before the second'
imported --pair "$tmp/one.txt"
ended 3 '... one without a partner is named'
imported --since-boot "$tmp/two.txt"
row 'boots/*/runs/*.two.r1/idle.tsv' '^0 1   0 300 0 95000 0 140 '
ok $? '--since-boot: a dump alone is a run from 0'

## contradictions
sed 's,cpu0/cpuidle/state1/usage:300,cpu0/cpuidle/state1/usage:90,' "$tmp/x-after.txt" >"$tmp/y-after.txt"
cp "$tmp/x-before.txt" "$tmp/y-before.txt"
line=$(grep -n 'cpu0/cpuidle/state1/usage' "$tmp/y-after.txt" | cut -d: -f1)
imported "$tmp"/y-*.txt
ended 3 'usage below above + below: exit 3'
said "^analysis: $tmp/y-after.txt:$line: cpu0 state1: above 140 \+ below 0 are more than usage 90: left out\$"
ok $? '... file, line and what is wrong'
! row 'boots/*/runs/*/idle.tsv' '^0 1 ' && row 'boots/*/runs/*/idle.tsv' '^0 0 '
ok $? '... that row is left out, the others are not'
row import/left-out.tsv "^$tmp/y-after.txt $line cpu0 state1: above 140"
ok $? '... and stands in left-out.tsv'
whole
ok $? '... the report reads the rest'
sed 's,cpu1/cpuidle/state1/usage:17,cpu1/cpuidle/state1/usage:6,; s,cpu0/cpuidle/state1/time:95000,cpu0/cpuidle/state1/time:4000,' \
	"$tmp/x-after.txt" >"$tmp/y-after.txt"
imported "$tmp"/y-*.txt
said 'cpu1 state1: usage is smaller after than before: left out' && said 'cpu0 state1: time is smaller after than before'
ok $? 'P-20: a counter that went back is named'
sed 's,cpu0/cpuidle/state1/above:140,cpu0/cpuidle/state1/above:241,' "$tmp/x-after.txt" >"$tmp/y-after.txt"
imported "$tmp"/y-*.txt
said 'cpu0 state1: above \+ below grew by more than usage: left out'
ok $? 'more misses than entries in between are named'
sed 's,cpu0/cpuidle/state1/name:C1,cpu0/cpuidle/state1/name:C6,' "$tmp/x-after.txt" >"$tmp/y-after.txt"
imported "$tmp"/y-*.txt
said 'cpu0 state1: it was another state before'
ok $? 'P-35: another state table is named'
{ cat "$tmp/one.txt"; state 0 1 101 5000 40 0; echo 'grep: x: Permission denied'; echo junk; \
	echo /sys/devices/system/cpu/cpu0/cpuidle/state1/colour:red; \
	echo /sys/devices/system/cpu/cpu0/cpuidle/state0/time:12x; \
	printf /sys/devices/system/cpu/cpu0/cpuidle/state2/usage:1; } >"$tmp/bad.txt"
imported "$tmp/bad.txt"
ended 3 'bad lines among good ones: exit 3'
said 'usage for the second time, 100 first$' && said "no path:value: 'junk'" && said "unknown file 'colour'" &&
	said "time is '12x', not a number" && said ':[0-9]+: cut off: the last line has no newline$'
ok $? '... a value twice, no path, an unknown file, no number, a cut line: each is named'

## values without paths
{ values POLL 0 10 50 0 4; values C1 2 40 900 3 7; values C6 200 9 9000 5 0
	values POLL 0 20 60 0 8; values C1 2 50 800 4 9; values C6 200 19 9900 8 0; } >"$tmp/z-before.txt"
{ values POLL 0 110 550 0 44; values C1 2 440 9900 33 77; values C6 200 99 99000 55 0
	values POLL 0 220 660 0 88; values C1 2 550 8800 44 99; values C6 200 219 99900 88 0; } >"$tmp/z-after.txt"
imported "$tmp"/z-*.txt
ended 0 'values without paths'
row 'boots/*/runs/*/idle.tsv' '^1 2   19 219 9900 99900 8 88 0 0 0 0$'
ok $? '... CPUs and states are counted'
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do values POLL 0 $((i + 1)) 50 0 0; values C1 2 $((100 + i)) 5 0 0; done >"$tmp/twelve.txt"
imported "$tmp/twelve.txt"
row import/counters.tsv '^twelve 10 1 102 ' && row import/counters.tsv '^twelve 2 1 104 '
ok $? '... CPUs in the order of their names: the third is CPU 10, the fifth CPU 2'
{ cat "$tmp/z-before.txt"; values C8 300 1 1 0 0 | head -7; } >"$tmp/cut.txt"
imported "$tmp/cut.txt"
said "^analysis: $tmp/cut.txt:73: only 7 of a state's 12 values: left out$"
ok $? '... a state that is cut off is named'
sed 20d "$tmp/z-before.txt" >"$tmp/cut.txt"
imported "$tmp/cut.txt"
[ $status = 3 ] && said "^analysis: $tmp/cut.txt:13: not the values of a state .*: left out from here on$"
ok $? '... a missing line: nothing behind it is believed'
values C1 2 40 900 3 7 | sed 9d | sed 3d >"$tmp/old.txt"
values C6 200 40 900 3 0 | sed 9d | sed 3d >>"$tmp/old.txt"
imported "$tmp/old.txt"
row import/counters.tsv '^old 0 1 40 900 3 0 $'
ok $? 'P-26: ten values, a kernel without default_status and rejected'

## a folder
for cpu in 0 1 10; do
	for s in 0 1; do
		mkdir -p "$tmp/m/sys/devices/system/cpu/cpu$cpu/cpuidle/state$s"
		cd "$tmp/m/sys/devices/system/cpu/cpu$cpu/cpuidle/state$s" || exit 1
		echo C$s >name; echo $((s * 10)) >latency; echo $((cpu + 5)) >usage; echo 77 >time; echo 0 >above; echo 1 >"below"
	done
done
cd "$OLDPWD" || exit 1
cd "$top" || exit 1
mkdir -p "$tmp/m/sys/devices/system/cpu/cpuidle" "$tmp/m/proc/sys/kernel"
echo teo >"$tmp/m/sys/devices/system/cpu/cpuidle/current_governor"
echo 6.12.1-x >"$tmp/m/proc/sys/kernel/osrelease"
imported --since-boot "$tmp/m"
row 'boots/6.12.1-x+imported-1/runs/*/run.ini' '^governor = teo$' && row 'boots/*/runs/*/idle.tsv' '^10 1   0 15 0 77 '
ok $? 'a folder of copied files: CPUs by number, kernel and governor'
tools/gather --root "$tmp/m" -o "$tmp/gathered.tar.gz" >/dev/null && tools/gather --root "$tmp/m" -o "$tmp/gathered" >/dev/null
imported "$tmp/gathered"
[ $status = 0 ] && row import/counters.tsv '^gathered 10 1 15 77 0 1 $'
ok $? 'what tools/gather makes'
imported "$tmp/gathered.tar.gz"
[ $status = 2 ] && said 'packed; unpack it'
ok $? '... packed, it says how'
imported "$tmp/m/sys/devices/system/cpu"
row import/counters.tsv '^cpu 1 0 6 77 '
ok $? '... a copy of /sys/devices/system/cpu alone'
cp -r "$tmp/m" "$tmp/m-before"
mv "$tmp/m" "$tmp/m-after"
echo 905 >"$tmp/m-after/sys/devices/system/cpu/cpu0/cpuidle/state1/usage"
imported "$tmp/m-after/" "$tmp/m-before/"
row 'boots/6.12.1-x+imported-1/runs/0001.idle-counters.m.r1/idle.tsv' '^0 1   5 905 77 77 0 0 1 1 '
ok $? '... a pair of folders'
echo 6.13.0 >"$tmp/m-after/proc/sys/kernel/osrelease"
imported "$tmp/m-after/" "$tmp/m-before/"
[ $status = 3 ] && said 'm-after/: not the kernel of .*/m-before/: no pair'
ok $? '... of two kernels is none'
for machine in mt8196 state-gap counter-garbage name-control p26-linux-3.12 states-many p38-garbage; do
	tests/machines/lay-out "tests/machines/$machine.ini" "$tmp/laid-$machine" >/dev/null 2>&1
done
imported --since-boot "$tmp"/laid-*
[ $status = 3 ] && whole
ok $? '... fake machines: every file that is not what it should be is named, the rest can be reported'
mkdir "$tmp/empty"
imported "$tmp/empty"
ended 2 '... a folder without any is refused'

## a CSV of states
cat >"$tmp/c.csv" <<-'END'
	cpu,state,name,desc,latency,residency,power,disable,default_status,usage,time,above,below,rejected
	0,0,POLL,"CPU, POLL",0,0,4294967295,0,enabled,100,900,0,50,0
	0,1,C1,MWAIT 0x00,2,4,0,0,disabled,60,800,20,40,0
	1,0,POLL,"CPU, POLL",0,0,4294967295,0,enabled,100,900,0,101,0
	1,1,C1,MWAIT 0x00,2,4,0,1,enabled
END
imported "$tmp/c.csv"
[ $status = 3 ] && said 'c.csv:4: cpu1 state0: above 0 \+ below 101' && said 'c.csv:5: 9 cells, the header has 14: left out'
ok $? 'a CSV of states: bad rows are named'
row 'boots/*/states.tsv' '^0 1 C1 MWAIT 0x00 2 4 0 disabled 0$'
ok $? '... P-34: disable and default_status are two things'
sed '1s/rejected/mystery/' "$tmp/c.csv" | head -3 >"$tmp/u.csv"
imported "$tmp/u.csv"
[ $status = 3 ] && said "u.csv:1: unknown column 'mystery' left out"
ok $? '... an unknown column is named'

## a time below 0
printf 'governor,run,us_per_loop\nmenu,1,20.5\nmenu,2,-3.5\nteo,1,19\n' >"$tmp/n.csv"
imported "$tmp/n.csv"
[ $status = 3 ] && said 'n.csv:3: us_per_loop is -3.5, a time below 0: left out'
ok $? 'a time below 0 is no time: its row is left out'
[ "$(cat "$tmp"/d/boots/*/runs/*/metrics.tsv | grep -c '^us_per_loop')" = 2 ] && ! cat "$tmp"/d/boots/*/runs/*/metrics.tsv | grep -q -- -3.5
ok $? '... the others are there'
printf 'query,base_s,patched_s\nq1,2.5,2.4\nq2,-1,2\n' >"$tmp/n2.csv"
imported "$tmp/n2.csv"
[ $status = 3 ] && said 'n2.csv:3: base_s is -1, a time below 0: left out'
ok $? '... also in a table with a column a variant'
printf 'governor,run,metric,unit,value\nmenu,1,wait,us,-2\nmenu,1,gain,%%,-2\nteo,1,wait,us,3\n' >"$tmp/n3.csv"
imported "$tmp/n3.csv"
[ $status = 3 ] && said 'n3.csv:2: ' && ! said 'n3.csv:3: '
ok $? '... and in one with a row a metric; a percentage may be below 0'

## turbostat: two CPUs, 5 s intervals; C1+ is below, C1- is above
head=$'Time_Of_Day_Seconds\tCore\tCPU\tAvg_MHz\tBusy%\tPOLL\tC1\tC1+\tC1-\tPOLL%\tC1%\tPkgWatt\tRAMWatt'
block() { # BLOCK [HEADER]
	local t=$((1700000000 + 5 * $1))
	printf '%s\n' "${2-$head}"
	printf '%s\t-\t-\t9\t1.00\t3\t60\t3\t5\t0.10\t97.00\t%s\t0.00\n' $t.250000 $((10 + $1))
	printf '%s\t0\t0\t9\t1.00\t1\t20\t1\t2\t0.10\t98.00\t%s\t0.00\n' $t.100000 $((10 + $1))
	printf '%s\t1\t1\t9\t1.00\t2\t40\t2\t3\t0.10\t96.00\n' $t.200000
}
{ echo 'turbostat version 2024.07.26 - Len Brown'; block 0; block 1; block 2; block 3; echo 'Interrupted, exiting'; } >"$tmp/raw_a.txt"
imported "$tmp/raw_a.txt"
ended 0 'a log of turbostat'
row 'boots/*/runs/*/metrics.tsv' '^package_w W lower 11.5$' && row 'boots/*/runs/*/metrics.tsv' '^Busy% % none 1$' &&
	! row 'boots/*/runs/*/metrics.tsv' '^dram_w'
ok $? '... mean package power; a counter that stays at 0 W is none'
row 'boots/*/runs/*/idle.tsv' '^1 1 1700000000200000000 1700000015200000000 0 120 0 14400000 0 9 0 6  $'
ok $? '... P-21: three intervals of known length, "-" is above and "+" below'
whole
row report/summary.json '"residency_pct": 97' && row report/summary.json '"name": "package_w"'
ok $? '... the report has residency and package power'
{ block 0; block 1; block 2 | sed '3s/20/2O/'; block 3; block 4 | head -3; block 5; block 5; } >"$tmp/raw_a.txt"
imported "$tmp/raw_a.txt"
said ":11: not a row of this log's columns: this block is left out" && said ':18: fewer CPUs than before: this block' &&
	said ':25: time went back: this block is left out'
ok $? '... a spoilt number, a missing CPU, time that goes back: block and line'
row 'boots/*/runs/*/idle.tsv' '^1 1 1700000000200000000 1700000005200000000 0 40 0 4800000 '
ok $? '... an interval beside a broken block has no known length'
row 'boots/*/runs/*/metrics.tsv' '^package_w W lower 12.25$'
ok $? '... the mean is of the blocks that are whole: (10 + 11 + 13 + 15) / 4'
{ block 0 "${head:0:70}"; block 1; block 2 "${head/C1/C9}"; block 3; } >"$tmp/raw_a.txt"
imported "$tmp/raw_a.txt"
[ $status = 3 ] && said ':2: not a row' && said ':9: a header with other columns: its block is left out'
ok $? '... a log that begins with a broken header, one with another in it'
row 'boots/*/runs/*/metrics.tsv' '^package_w W lower 12$'
ok $? '... the others are used'
printf 'Avg_MHz\tBusy%%\tBzy_MHz\tC6\tC6%%\tPkgWatt\n9\t1.00\t900\t5\t90.00\t4.00\n8\t2.00\t900\t7\t92.00\t5.00\n' >"$tmp/s.log"
imported "$tmp/s.log"
row 'boots/*/runs/*/metrics.tsv' '^C6% % none 91$' && row 'boots/*/runs/*/metrics.tsv' '^package_w W lower 4.5$' && whole
ok $? 'turbostat -S: means of the system row'

## a power meter, alone and beside turbostat
{ echo 'T,P,I'; for i in 0 1 2 3 4 5 6 7 8 9 10 11; do printf '17000000%02d.5, %d.0, 0.5\n' $i $((100 + i)); done
	echo '1700000001.5, 9.0, 0.5'; echo '1700000050.5, nine, 0.5'; echo 'Interrupted, exiting'; } >"$tmp/acpower_a.txt"
imported "$tmp/acpower_a.txt"
[ $status = 3 ] && said ':14: time went back: left out' && said ':15: no time in seconds or no power in W' && ! said ':16:'
ok $? "a meter's log: bad rows are named, its last words are none"
row 'boots/*/runs/*/metrics.tsv' '^wall_w W lower 105.5$'
ok $? '... mean power'
{ block 0; block 1; } >"$tmp/raw_a.txt"
imported "$tmp/raw_a.txt" "$tmp/acpower_a.txt"
row 'boots/*/runs/*.turbostat.a.r1/metrics.tsv' '^wall_w W lower 102$'
ok $? "... beside turbostat's log of that name: the mean from its first stamp to its last (100..104)"

## tables
cat >"$tmp/t.csv" <<-'END'
	device,governor,iter,iops,idles,idle_misses,ratio,belows,aboves
	sda,menu,0,900,1000,30,0.030,20,10
	sda,menu,1,910,1000,31,0.031,20,10
	sda,teo,0,950,2000,40,0.020,5,35
	sda,teo,1,950,2000,40,0.021,5,35
	sda,teo,2,950,10,40,4.000,5,35
	sda,teo,3,,2000,40,0.020,5,35
END
imported "$tmp/t.csv"
[ $status = 3 ] && said 't.csv:3: idle_misses 31 are not above \+ below, 30' && said 't.csv:5: ratio 0.021 is not what' &&
	said 't.csv:6: above 35 \+ below 5 are more than idles 10'
ok $? 'a table of runs: rows that contradict themselves are named'
whole
row report/data/misses.tsv '^ teo 0 t device=sda 2000 40 2.000 5 35$'
ok $? '... P-22: misses.tsv of the others'
row 'boots/*/runs/*.teo.r3/metrics.tsv' '^iops 1/s higher $'
ok $? '... an empty cell is not available'
cat >"$tmp/l.csv" <<-'END'
	governor,run,metric,unit,value
	menu,1,package_w,W,4.5
	menu,1,us_per_loop,,5.5
	menu,2,us_per_loop,,5.25
	menu,2,package_w,W,x
END
imported "$tmp/l.csv"
[ $status = 3 ] && said "l.csv:5: value is 'x', not a number" && [ "$(ls "$tmp"/d/boots/*/runs | wc -l)" = 2 ] &&
	row 'boots/*/runs/*.menu.r1/metrics.tsv' '^us_per_loop us lower 5.5$' &&
	row 'boots/*/runs/*.menu.r2/metrics.tsv' '^package_w W lower $'
ok $? 'a table with a row a metric: rows of a run are put together'
printf 'kernel,run,us_per_loop,package_w\nbase,1,11.2971,1.752\ntwo,1,11.355,2.112\nthree,1,11.3364,1.752\n' >"$tmp/p.csv"
imported "$tmp/p.csv"
whole
try cat "$tmp/d/report/summary.txt"
said '^  two +11\.355 .* \+0\.51 ' && said '^  three +11\.336 .* \+0\.35 ' && said '^  two +2\.1120 .* \+20\.55 '
ok $? 'percentages that published tables got wrong: +0.51, +0.35, +20.55'
printf 'query,base_s,patched_s,published_pct\n1,15.77,14.14,-10.34\n2,0.87,0.86,-0.9\n3,0.87,0.86,-2.4\n' >"$tmp/q.csv"
imported "$tmp/q.csv"
[ $status = 3 ] && said 'q.csv:4: published -2.4 % is not between -2.29 and 0.00'
ok $? 'a table of columns: a percent that rounding does not allow is named'
row 'boots/*/runs/*.query=1.patched.r1/metrics.tsv' '^time s lower 14.14$'
ok $? '... the others are runs'
cat >"$tmp/v.csv" <<-'END'
	variant,state,ratio_pct,avg_ms,count,over_pct,over_n,under_pct,under_n
	base,C1,1.00,0.10,30000,0.0,0,50.0,15000
	base,C2,9.00,0.10,60,0.0,0,0.0,0
	base,C5,80.00,2.00,120000,50.0,60000,0.0,0
	new,C1,1.00,0.10,30000,0.0,0,51.0,15000
	new,C5,90.00,2.25,120000,50.0,60000,0.0,0
END
imported "$tmp/v.csv"
[ $status = 3 ] && said 'v.csv:3: mean times count is 0.006 s, which is not 9 % of a window of 300.0 s' &&
	said 'v.csv:5: under_pct is not what the counts give'
ok $? 'a table of states: window from the largest share, rows must agree with it'
row 'boots/*/runs/*.base.r1/idle.tsv' '^0 2 0 300000000000 0 120000 0 240000000 0 60000 0 0  $'
ok $? '... counts and times'

## refusals
printf 'hello, world\nthis is a letter\n' >"$tmp/letter.txt"
imported "$tmp/letter.txt"
[ $status = 2 ] && said 'none of the known styles \(sysfs-tree, turbostat, .*sysfs-values\)'
ok $? 'an unknown style is refused, and the known ones are named'
[ ! -e "$tmp/d" ]
ok $? '... nothing is written'
imported "$tmp/one.txt" "$tmp/letter.txt"
[ $status = 2 ] && [ ! -e "$tmp/d" ]
ok $? '... nor for the good file beside it'
: >"$tmp/zero"
imported "$tmp/zero"
[ $status = 2 ] && said 'zero: empty'
ok $? 'an empty file is refused'
head -c 300000 /dev/urandom >"$tmp/noise"
imported "$tmp/noise"
ended 2 'noise is refused'
{ cat "$tmp/one.txt"; cat "$tmp/noise"; echo; } >"$tmp/noisy.txt"
imported "$tmp/noisy.txt"
[ $status = 3 ] && said 'noisy.txt:[0-9]+: (not text|a line of more|no path)' && row import/counters.tsv '^noisy 0 1 100 5000 40 0 $'
ok $? 'noise behind good lines is named and passed over'
mkfifo "$tmp/fifo"
imported "$tmp/fifo"
ended 2 'a FIFO is not waited for'
imported "$tmp/one.txt"
try "$build/analysis" import "$tmp/one.txt" -o "$tmp/d"
[ $status = 1 ] && said 'is there already'
ok $? 'a result that is there is not overwritten'
[ -z "$(find "$tmp" -maxdepth 1 -name 'd.tmp-*')" ]
ok $? 'nothing half-made is left'
try "$build/analysis" import "$tmp/one.txt"
[ $status = 2 ] && said 'where to'
ok $? 'without -o: usage'

## 100 MB in 256 MB of address space: sanitizers need more than that
yes "$(state 0 1 100 5000 40 0; echo junk)" | head -c 100000000 >"$tmp/large.txt"
if nm "$build/analysis" 2>/dev/null | grep -q __asan_init; then
	try "$build/analysis" import --quiet "$tmp/large.txt" -o "$tmp/large"
else
	try bash -c "ulimit -v 262144; exec '$build/analysis' import --quiet '$tmp/large.txt' -o '$tmp/large'"
fi
[ $status = 3 ] && grep -q '^large	0	1	100	' "$tmp/large/import/counters.tsv"
ok $? '100 MB of lines: bounded memory'
rm -f "$tmp/large.txt"

## the runner's verb
try "$build/runner" import "$tmp/one.txt" -o "$tmp/by-runner"
[ $status = 0 ] && [ -e "$tmp/by-runner/campaign.ini" ]
ok $? 'runner import'
try "$build/runner" import "$tmp/letter.txt" --output "$tmp/by-runner-2"
ended 2 '... hands the exit status on'
try "$build/runner" import
ended 2 '... which files?'
try "$build/runner" import --ouput x "$tmp/one.txt"
[ $status = 2 ] && said "did you mean '--output'"
ok $? '... options are checked'

done_testing
