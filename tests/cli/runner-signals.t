#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A runner that is interrupted or killed puts the machine back, publishes nothing half made, and can be continued;
# "restore" does it from the journal of one whose guardian died as well.

. tests/cli/runner.sh

suite long '[run a]' 'workload = ping-pong' 'window = 2s'
machine --governors 'menu teo ladder' --governor ladder

start() {
	rm -rf "$tmp/r"
	# perl tells a death by signal from an exit status that looks like one.
	# shellcheck disable=SC2016
	perl -e '$SIG{$_} = "IGNORE" for qw(TERM HUP INT QUIT); my $pid = fork; if (!$pid) {
		$SIG{$_} = "DEFAULT" for qw(TERM HUP INT QUIT); exec @ARGV }
		open my $f, ">", "$ENV{PID}.new"; print $f $pid; close $f;
		rename "$ENV{PID}.new", $ENV{PID}; waitpid $pid, 0; exit($? & 127 ? 100 + ($? & 127) : $? >> 8)' \
		"$runner" --root "$tmp/m" --suite "$tmp/long.ini" --governors menu --no-report --seed 1 \
		--results "$tmp/r" >"$tmp/out" 2>"$tmp/err" </dev/null &
	waiter=$!
}

# Waits until the workload of the first run is at it: 10 s at most.
measuring() {
	local i

	for ((i = 0; i < 200; i++)); do
		[ -s "$PID" ] && governor_is menu && [ -n "$(workers)" ] && return 0
		sleep 0.05
	done
	return 1
}

# Processes whose command line names our folder of results, the runner and its waiter apart.
workers() {
	pgrep -f "ping-pong.*--output $tmp/r/"
}

# Up to 5 s for what follows a death.
soon() {
	local i

	for ((i = 0; i < 100; i++)); do
		"$@" && return 0
		sleep 0.05
	done
	return 1
}

governor_is() {
	[ "$(cat "$governor")" = "$1" ]
}

no_workers() {
	[ -z "$(workers)" ]
}

PID=$tmp/pid
export PID

for signal in TERM:15 INT:2 HUP:1; do
	name=${signal%:*} number=${signal#*:}
	rm -f "$PID"
	start
	measuring
	is $? "SIG$name: a run is under way"
	kill -s "$name" "$(cat "$PID")"
	wait "$waiter"
	status=$?
	ok "SIG$name: dies of the signal" test $status = $((100 + number))
	ok "SIG$name: the governor is back" governor_is ladder
	ok "SIG$name: the workload is gone" no_workers
	ok "SIG$name: nothing is published" test -z "$(find "$tmp/r/boots" -mindepth 3 -maxdepth 3)"
	ok "SIG$name: no journal is left" test ! -e "$tmp/m/run/idle-runner/undo/journal"
	ok "SIG$name: says how to go on" grep -q -- "--results $tmp/r continues" "$tmp/err"
done

rm -f "$PID"
start
measuring
is $? 'SIGKILL: a run is under way'
run --root "$tmp/m" --suite "$tmp/long.ini" --governors menu --results "$tmp/second"
ok 'a second runner is refused' ended 1 'another runner works on this machine: pid'
ok 'and makes nothing' test ! -e "$tmp/second"
run restore --root "$tmp/m"
ok 'so is restore' ended 1 'another runner works on this machine: pid'
kill -s KILL "$(cat "$PID")"
wait "$waiter"
status=$?
ok 'SIGKILL: died' test $status = 109
ok 'SIGKILL: the guardian puts the governor back' soon governor_is ladder
ok 'SIGKILL: the workload is gone' soon no_workers
ok 'SIGKILL: the half-made run is not published' sh -c "! ls '$tmp'/r/boots/*/runs | grep -q ."
run --root "$tmp/m" --suite "$tmp/long.ini" --governors menu --no-report --results "$tmp/r"
ok 'the same command finishes it' ended 0
ok 'the half-made run is gone' test -z "$(find "$tmp/r" -name '.tmp-*')"
ok 'the governor is back' governor_is ladder

# A journal as a power cut leaves it.
plant() {
	mkdir -p "$tmp/m/run/idle-runner/undo"
	chmod 700 "$tmp/m/run/idle-runner" "$tmp/m/run/idle-runner/undo"
	printf 'idle-runner undo 1\nsys/devices/system/cpu/cpuidle/current_governor\tladder\n' \
		>"$tmp/m/run/idle-runner/undo/journal"
	echo teo >"$governor"
}

plant
run restore --root "$tmp/m"
ok 'restore: exit 0' ended 0
ok 'restore: says so' grep -q '^1 setting(s) put back$' "$tmp/out"
ok 'restore: the governor is back' governor_is ladder
ok 'restore: the journal is gone' test ! -e "$tmp/m/run/idle-runner/undo/journal"
run restore --root "$tmp/m"
ok 'restore again: exit 0' ended 0
ok 'restore again: nothing to do' grep -q '^nothing to put back' "$tmp/out"
plant
run restore --root "$tmp/m" --quiet
ok 'restore --quiet: silent' test $status = 0 -a ! -s "$tmp/out" -a ! -s "$tmp/err"
ok 'restore --quiet: the governor is back' governor_is ladder

plant
run --root "$tmp/m" --suite "$tmp/long.ini" --governors menu --window 100ms --no-report --results "$tmp/p"
ok 'a new run restores first' ended 0 'warning: put back 1 setting that an interrupted run had left changed'
ok 'and leaves the governor of before both' governor_is ladder

plant
chmod 755 "$tmp/m/run/idle-runner/undo"
run restore --root "$tmp/m"
ok 'a journal that others may have written is refused' ended 1 'must be owned by this user and have mode 0700'
ok 'and nothing is written' governor_is teo

done_testing
