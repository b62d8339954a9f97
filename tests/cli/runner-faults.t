#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a night may bring: a workload that hangs, a disk that is full or read-only, an energy counter that goes away.
# Each costs a run, with the reason, which is tried again; the rest goes on. (Suspend and clock steps:
# tests/unit/run/clocks.c; a CPU that goes offline, a switched governor: runner-spoilt.t; foreign load: tests/live/night.t.)

. tests/cli/runner.sh

machine --governors 'menu teo ladder' --governor ladder

# A workload that hangs: stopped, it does not even end on SIGTERM. The next two do, but are never done.
suite hang '[run a]' 'workload = ping-pong' 'loops = 1000000000000' 'deadline = 2s' '[run b]' 'workload = idle'
"$runner" --root "$tmp/m" --suite "$tmp/hang.ini" --governors menu --results "$tmp/h" --no-report \
	>"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
for ((i = 0; i < 200; i++)); do
	worker=$(pgrep -o -f "ping-pong.*--output $tmp/h/") && break
	sleep 0.05
done
sleep 0.3
group=$(pgrep -g "$worker" | wc -l)
kill -STOP "-$worker"
wait $pid
status=$?
ok 'a workload that hangs: exit 3' ended 3 'is failed: the workload was not done at its deadline' '1 run is void or failed'
ok 'its tasks were stopped as well' test "$group" -ge 2
ok 'it is gone, and its whole group' test -z "$(pgrep -g "$worker")" -a -z "$(pgrep -f "ping-pong.*--output $tmp/h/")"
ok 'tried twice again' test "$(find "$tmp"/h/boots/*/runs -maxdepth 1 -name '0001.a.*.failed-[123]' | wc -l)" = 3
ok 'kept with the reason' grep -qx 'reason = the workload was not done at its deadline' "$tmp"/h/boots/*/runs/0001.a.*.failed-1/run.ini
ok 'the rest goes on' grep -qx 'state = complete' "$tmp"/h/boots/*/runs/0002.b.menu.r1/run.ini
ok 'the governor is back' test "$(cat "$governor")" = ladder

# An energy counter that cannot be read any more: the run in which that happens is void, the next are without power.
machine --governors 'menu teo ladder' --governor ladder
tests/machines/make-rapl "$tmp/m" intel-rapl:0=package-0,1000000 || exit 1
counter=$(find "$tmp/m" -name energy_uj -type f | head -1)
suite power '[run a]' 'workload = idle' 'window = 2s'
"$runner" --root "$tmp/m" --suite "$tmp/power.ini" --governors menu,teo --results "$tmp/p" --no-report \
	>"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
for ((i = 0; i < 200; i++)); do
	pgrep -f "idle.*--output $tmp/p/" >/dev/null && break
	sleep 0.05
done
sleep 0.7
echo gone >"$counter"
wait $pid
status=$?
ok 'an energy counter goes away: exit 0' ended 0 'is void: the energy counter package-0 (intel-rapl:0) could not be read any more'
ok 'the run is kept as void' test "$(find "$tmp"/p/boots/*/runs -maxdepth 1 -name '0001.a.*.void-1' | wc -l)" = 1
ok 'the others are made without power' test "$(cat "$tmp"/p/boots/*/runs/*.r1/run.ini | grep -c '^state = complete$')" = 2
ok 'which is a doubt' test "$(cat "$tmp"/p/boots/*/runs/*.r1/run.ini | grep -c '^doubt[0-9]* = no energy: the counter package-0 cannot be read')" = 2

# A disk of its own needs root and a mount namespace.
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	suite disk '[run a]' 'workload = idle'
	sed -i 's/^repeat = 1/repeat = 12/' "$tmp/disk.ini"
	machine --governors 'menu teo ladder' --governor ladder
	mkdir "$tmp/disk"
	# shellcheck disable=SC2016
	unshare -m bash -c '
		disk=$1/disk
		run() { "$2" --root "$1/m" --suite "$1/disk.ini" --governors menu --seed 1 --results "$disk/r" --no-report; }
		# A campaign does not even start with less than 50 MiB.
		mount -t tmpfs -o size=52m none "$disk" || exit 99
		(until ls "$disk"/r/boots/*/runs/*.r1 >/dev/null 2>&1; do sleep 0.05; done; cat /dev/zero >"$disk/fill" 2>/dev/null) &
		run "$@" >"$1/out1" 2>"$1/err1"; echo $? >"$1/status1"
		cp "$1/m/sys/devices/system/cpu/cpuidle/current_governor" "$1/governor1"
		find "$disk/r/boots" -name run.ini -size 0 >"$1/empty1"
		find "$disk" -name ".tmp-*" >"$1/tmp1"
		find "$disk/r/boots" -mindepth 3 -maxdepth 3 -name "*.r[0-9]*" | sort >"$1/made1"
		wait
		rm "$disk/fill"
		# Full again for three seconds, and then there is room.
		(sleep 1; cat /dev/zero >"$disk/fill" 2>/dev/null; sleep 3; rm "$disk/fill") &
		run "$@" >"$1/out2" 2>"$1/err2"; echo $? >"$1/status2"
		wait
		run "$@" >"$1/out4" 2>"$1/err4"; echo $? >"$1/status4"
		find "$disk/r/boots" -mindepth 3 -maxdepth 3 -name "*.r[0-9]*" ! -name "*.void*" | sort >"$1/made2"
		grep -Lx "state = complete" $(sed s,$,/run.ini, "$1/made2") >"$1/partial2"
		mount -o remount,ro "$disk"
		"$2" --root "$1/m" --suite "$1/disk.ini" --governors menu --seed 1 --results "$disk/new" --no-report >"$1/out3" 2>"$1/err3"
		echo $? >"$1/status3"
	' - "$tmp" "$runner"
	load() {
		cp "$tmp/out$1" "$tmp/out"
		cp "$tmp/err$1" "$tmp/err"
		status=$(cat "$tmp/status$1")
	}
	load 1
	ok 'a full disk: it ends when runs in a row are lost, exit 1' ended 1 'is lost: ' '3 runs in a row were lost: '
	ok 'the reason is the disk' grep -qiE 'no space|disk full|cannot write' "$tmp/err"
	ok 'the governor is back' test "$(cat "$tmp/governor1")" = ladder
	ok 'some runs were made, not all' test -s "$tmp/made1" -a "$(wc -l <"$tmp/made1")" -lt 12
	ok 'what is published is whole' test ! -s "$tmp/empty1"
	ok 'nothing half made is left' test ! -s "$tmp/tmp1"
	load 2
	ok 'a disk that is full for a while costs runs' grep -q 'is lost: ' "$tmp/err"
	ok 'and no more than those' test "$status" = 0 -o "$status" = 3
	ok 'the last run of the plan is made all the same' grep -q '0012.a.menu.r12$' "$tmp/made2"
	load 4
	ok 'the same command makes them again: exit 0' ended 0
	ok 'all runs are made' test "$(wc -l <"$tmp/made2")" = 12
	ok 'each whole' test ! -s "$tmp/partial2"
	ok 'the first ones are still there' test -z "$(comm -23 "$tmp/made1" "$tmp/made2")"
	load 3
	ok 'a read-only disk is refused: exit 1' ended 1 'Read-only file system'
	ok 'the governor is back' test "$(cat "$governor")" = ladder
fi

done_testing
