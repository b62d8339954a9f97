#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A campaign on a fake machine: governors that its kernel lacks, what is left pending, and how it is continued when
# the kernel has them.

. tests/cli/runner.sh

suite short '[run a]' 'workload = ping-pong' 'work = 0 3' '[run quiet]' 'workload = idle'
analysis=$(dirname "$runner")/analysis
machine --governors menu --kernel 6.99.0

# campaign ARGUMENT..: the same command each time.
campaign() {
	run --root "$tmp/m" --suite "$tmp/short.ini" --governors menu,teo,teo-ng --seed 3 --results "$tmp/r" "$@"
}

runs() {
	find "$tmp/r/boots" -mindepth 3 -maxdepth 3 -type d -printf '%f\n' | sort
}

before=$(picture "$tmp/m")
campaign --dry-run
ok 'a dry run ends well' ended 0
ok 'it prints all cells' test "$(grep -c '^[0-9]\{4\} ' "$tmp/out")" = 9
ok 'and which are pending' test "$(grep -c 'pending: this kernel lacks the governor' "$tmp/out")" = 6
ok 'it makes no result directory' test ! -e "$tmp/r"
ok 'it leaves the machine alone' test "$(picture "$tmp/m")" = "$before"
cp "$tmp/out" "$tmp/plan"
campaign --dry-run
ok 'the plan of a seed is the same again' cmp -s "$tmp/out" "$tmp/plan"

campaign --no-report
ok 'governors that are missing: exit 3' ended 3
ok 'teo is named with its option' ended 3 "governor 'teo' is not offered by this kernel (it has: menu)" \
	"CONFIG_CPU_IDLE_GOV_TEO is not set in $tmp/m/boot/config-6.99.0"
ok 'teo-ng is named' ended 3 "governor 'teo-ng' is not offered" "'teo-ng' is not a governor of mainline kernels"
ok 'menu has run' test "$(runs | grep -c '^[0-9]\{4\}\..*\.menu\.r1$')" = 3
ok 'and nothing else' test "$(runs | wc -l)" = 3
ok 'every run is a rehearsal' test "$(cat "$tmp"/r/boots/*/runs/*/run.ini | grep -c '^rehearsal = yes$')" = 3
ok 'every run is complete' test "$(cat "$tmp"/r/boots/*/runs/*/run.ini | grep -c '^state = complete$')" = 3
ok 'the numbers are those of the plan' sh -c "for d in '$tmp'/r/boots/*/runs/*; do n=\${d##*/};
	grep -q \"^\${n%%.*} \${n#*.}\$\" '$tmp/plan' || exit 1; done"
ok 'host.ini has what is missing' grep -q '^teo = CONFIG_CPU_IDLE_GOV_TEO is not set' "$tmp"/r/boots/*/host.ini
ok 'the governor is as it was' test "$(cat "$governor")" = menu
ok 'nothing temporary is left' test -z "$(find "$tmp/r" -name '.tmp-*')"
ok 'no journal is left' test ! -e "$tmp/m/run/idle-runner/undo/journal"

run status "$tmp/r"
ok 'status of an unfinished campaign: exit 3' ended 3
ok 'with its counts' grep -q '^3 of 9 runs done, 6 pending, 0 void or failed' "$tmp/out"

# The same kernel got a module: the rest is made, what exists stays.
stat -c '%i %Y %n' "$tmp"/r/boots/*/runs/*/* "$tmp/r/campaign.ini" >"$tmp/kept"
echo 'menu teo ' >"$offered"
campaign --no-report
ok 'continued: teo-ng still misses' ended 3 "governor 'teo-ng' is not offered"
ok 'teo is not complained about' sh -c "! grep -q \"governor 'teo' \" '$tmp/err'"
ok 'teo has run' test "$(runs | grep -c '\.teo\.r1$')" = 3
ok 'menu has not run again' test "$(runs | wc -l)" = 6
ok 'the first runs are untouched' sh -c "cut -d' ' -f3- '$tmp/kept' | xargs stat -c '%i %Y %n' | cmp -s - '$tmp/kept'"
ok 'the governor is as it was' test "$(cat "$governor")" = menu

# Another kernel: its runs have a boot of their own.
machine --governors 'menu teo teo-ng' --governor teo-ng --kernel 6.99.1 --boot-id 11111111-0000-4000-8000-000000000002
campaign --no-report
ok 'finished on another kernel: exit 0' ended 0
ok 'its boot has what missed, and the reference once more' \
	test "$(find "$tmp"/r/boots/6.99.1*/runs -mindepth 1 -maxdepth 1 | sed 's/.*\.\([^.]*\)\.r1$/\1/' | sort | uniq -c |
		tr -d ' \n')" = 3menu3teo-ng
ok 'the governor is as it was' test "$(cat "$governor")" = teo-ng
ok 'the switch was fresh' sh -c "! grep -q '^doubt.*keeps what it had learnt' '$tmp'/r/boots/6.99.1*/runs/*/run.ini"
run status "$tmp/r"
ok 'status of a complete campaign: exit 0' ended 0
ok 'with its counts' grep -q '^9 of 9 runs done, 0 pending' "$tmp/out"
after=$(picture "$tmp/r/boots/6.99.1+11111111/runs")
campaign --no-report --quiet
ok 'a complete campaign has nothing to do' ended 0
ok 'and stays as it is' test "$(picture "$tmp/r/boots/6.99.1+11111111/runs")" = "$after"
ok 'and --quiet says nothing' test ! -s "$tmp/out" -a ! -s "$tmp/err"

# Nobody there.
machine --governors menu
before=$(picture "$tmp/m")
run --root "$tmp/m" --suite "$tmp/short.ini" --governors teo,teo-ng --results "$tmp/none"
ok 'no governor is known: exit 1' ended 1 'none of the governors asked for is offered by this kernel (it has: menu)'
ok 'no result directory' test ! -e "$tmp/none"
ok 'the machine is untouched' test "$(picture "$tmp/m")" = "$before"

# A governor twice is a control.
run --root "$tmp/m" --suite "$tmp/short.ini" --governors menu,menu --results "$tmp/aa" --no-report
ok 'a governor twice' ended 0
ok 'has a label of its own' test -d "$(echo "$tmp"/aa/boots/*/runs/*.quiet.menu:2.r1)"
ok 'and one name' grep -q '^governor = menu$' "$tmp"/aa/boots/*/runs/*.quiet.menu:2.r1/run.ini
ok 'one governor cannot be switched away' grep -q '^doubt1 = the kernel offers one governor' \
	"$tmp"/aa/boots/*/runs/*.quiet.menu:2.r1/run.ini

# --set with blanks in it survives the round through campaign.ini.
run --root "$tmp/m" --suite "$tmp/short.ini" --governors menu --results "$tmp/s" --no-report \
	--set 'work=1 2 4' --set a.cores=3
ok '--set with a list' ended 0
run status "$tmp/s"
ok 'status reads it back' ended 0
ok 'all of it' grep -q '^4 of 4 runs done' "$tmp/out"

# A work that is a time: one calibration a campaign.
run --root "$tmp/m" --suite "$tmp/short.ini" --governors menu --results "$tmp/t" --no-report --set 'work=0us 2us'
ok 'work as a time' ended 0
ok 'the unit is kept' grep -q '^ns_per_unit = [0-9.]*[1-9]' "$tmp/t/campaign.ini"
ok 'the argument is units' grep -q '^argv = .*--work [1-9][0-9]* ' "$tmp"/t/boots/*/runs/*.work=2us.menu.r1/run.ini

# Governors that cannot be switched.
machine --governors menu --no-switch
run --root "$tmp/m" --suite "$tmp/short.ini" --results "$tmp/x" --no-report
ok 'a kernel that cannot switch: exit 1' ended 1 'cannot switch the idle governor at run time'
ok 'no result directory' test ! -e "$tmp/x"
run --root "$tmp/m" --suite "$tmp/short.ini" --governors current --results "$tmp/x" --no-report
ok 'the one in use needs no switch' ended 0
ok 'and that is a doubt' grep -q '^doubt1 = the governor was not switched' "$tmp"/x/boots/*/runs/*.quiet.menu.r1/run.ini
machine --no-cpuidle
run --root "$tmp/m" --suite "$tmp/short.ini" --results "$tmp/y" --no-report
ok 'a kernel without cpuidle: exit 1' ended 1 'idle governors cannot matter here'

# With the report.
if [ -x "$analysis" ]; then
	machine --governors menu --kernel 6.99.0
	rm -rf "$tmp/r"
	campaign
	ok 'with a report: exit 3' ended 3
	ok 'the report is there' test -s "$tmp/r/report/summary.txt"
	ok 'it says that teo is missing' grep -q 'teo' "$tmp/r/report/summary.txt"
	ok 'it says that it was a rehearsal' grep -qi 'rehearsal' "$tmp/r/report/summary.txt"
fi

done_testing
