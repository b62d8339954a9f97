#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# P-24: idle states disabled by a suite are an axis, recorded with the run, and put back (P-41).

. tests/cli/runner.sh

cpu=$tmp/m/sys/devices/system/cpu

# disabled: state numbers that are disabled on all CPUs.
disabled() {
	local s

	for s in 0 1 2 3; do
		[ "$(grep -h . "$cpu"/cpu*/cpuidle/state$s/disable | sort -u)" = 1 ] && echo $s
	done
}

# settings: all that may be changed; a file that was written back has no newline any more.
settings() {
	grep . "$cpu"/cpu*/cpuidle/state*/disable "$governor"
}

# running: the point whose workload is at it.
running() {
	pgrep -a -f "idle.*--output $tmp/r/" | sed -n 's/.*disable=\([a-z0-9]*\).*/\1/p' | head -1
}

campaign() {
	run --root "$tmp/m" --suite "$tmp/$1.ini" --governors "${2:-menu}" --results "$tmp/r" --no-report --seed 1
}

machine --governors 'menu teo' --governor teo
before=$(settings)
suite each '[run a]' 'workload = idle' 'disable = none each' 'window = 500ms'
run --root "$tmp/m" --suite "$tmp/each.ini" --governors menu --dry-run --seed 1
ok 'each: every state of the machine, one after the other' \
	test "$(sed -n 's/^[0-9]* a.disable=\([a-z0-9]*\)\..*/\1/p' "$tmp/out" | xargs)" = 'none state0 state1 state2 state3'

# What is disabled while each run is at it, seen from outside.
"$runner" --root "$tmp/m" --suite "$tmp/each.ini" --governors menu --results "$tmp/r" --no-report \
	>"$tmp/out" 2>"$tmp/err" </dev/null &
waiter=$!
while kill -s 0 $waiter 2>/dev/null; do
	at=$(running)
	now=$(disabled | xargs)
	[ -n "$at" ] && [ "$at" = "$(running)" ] && echo "$at $now" >>"$tmp/seen"
	sleep 0.05
done
wait $waiter
status=$?
ok 'the campaign is complete' ended 0
ok 'each run had its state disabled, and no other' test "$(sort -u "$tmp/seen" | tr '\n' ,)" = \
	'none ,state0 0,state1 1,state2 2,state3 3,'
ok 'P-41: all is put back' test "$(settings)" = "$before"
ok 'no run is void for it' test "$(cat "$tmp"/r/boots/*/runs/*/run.ini | grep -c '^state = complete$')" = 5
ok 'it is an axis of the run' grep -qx 'disable = state2' "$tmp"/r/boots/*/runs/*disable=state2*/run.ini
ok 'states.tsv is the machine before that' test "$(cut -f7 "$tmp"/r/boots/*/states.tsv | tail -n +2 | sort -u)" = 0
run status "$tmp/r"
ok 'status knows what each was' ended 0
run --root "$tmp/m" --suite "$tmp/each.ini" --governors menu --results "$tmp/r" --no-report
ok 'continued: nothing to do' ended 0
ok 'and nothing is done' test "$(find "$tmp"/r/boots/*/runs -mindepth 1 -maxdepth 1 | wc -l)" = 5
rm -rf "$tmp/r"

# A state that is disabled already stays so, and is none of "each"; one that is the last is none either.
echo 1 | tee "$cpu"/cpu*/cpuidle/state3/disable >"$cpu/cpu0/cpuidle/state2/disable"
echo 1 >"$cpu/cpu0/cpuidle/state1/disable"
before=$(settings)
run --root "$tmp/m" --suite "$tmp/each.ini" --governors menu --dry-run --seed 1
ok 'each: not what some CPU cannot miss, nor what is disabled everywhere' \
	test "$(sed -n 's/^[0-9]* a.disable=\([a-z0-9]*\)\..*/\1/p' "$tmp/out" | xargs)" = 'none state1 state2'
campaign each
ok 'such a campaign is complete' ended 0
ok 'P-41: what was disabled before is so again' test "$(settings)" = "$before"
rm -rf "$tmp/r"

machine --governors 'menu teo' --governor teo
suite absent '[run a]' 'workload = idle' 'disable = state7'
campaign absent
ok 'a state that is not there: usage' ended 2 '[run a]: disable = state7: this machine has no such state'
ok 'and nothing is made' test ! -e "$tmp/r"

# Nothing else is switched: the journal is there for the states alone.
suite one '[run a]' 'workload = idle' 'disable = state1'
before=$(settings)
campaign one current
ok 'with the governor in use' ended 0
ok 'P-41: put back' test "$(settings)" = "$before"

# Killed: the guardian puts it back.
rm -rf "$tmp/r"
"$runner" --root "$tmp/m" --suite "$tmp/one.ini" --governors menu --window 20s --results "$tmp/r" --no-report \
	>"$tmp/out" 2>"$tmp/err" </dev/null &
waiter=$!
disown $waiter
for ((i = 0; i < 200; i++)); do
	pgrep -f "idle.*--output $tmp/r/" >/dev/null && [ "$(disabled)" = 1 ] && break
	sleep 0.05
done
ok 'the state is disabled while it runs' test "$(disabled)" = 1
kill -s KILL $waiter
for ((i = 0; i < 200; i++)); do
	[ -e "$tmp/m/run/idle-runner/undo/journal" ] || break
	sleep 0.05
done
ok 'P-41: a killed runner has it put back' test "$(settings)" = "$before"

done_testing
