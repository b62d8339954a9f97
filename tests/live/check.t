#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check on this machine: the facts agree with sysfs; --states (P-58) tries every idle state under every governor and
# puts all back, also when it is killed in the middle, by any signal.

. "$(dirname "$0")/live.sh"

disable_bits() {
	cat /sys/devices/system/cpu/cpu[0-9]*/cpuidle/state[0-9]*/disable
}
disabled_before=$(disable_bits)

all_is_back() {
	governor_is_back && [ "$(disable_bits)" = "$disabled_before" ]
}

within_two_seconds() {
	local end=$((${EPOCHREALTIME/./} + 2000000))
	until "$@"; do
		[ ${EPOCHREALTIME/./} -lt $end ] || return 1
		sleep 0.01
	done
}

try "$runner" check
[ $status = 0 ] || [ $status = 3 ]
ok $? "check: this machine is usable"
said "in use: $governor_before"
ok $? "check: names the governor in use"
[ "$(wc -L <"$tmp/out")" -le 80 ]
ok $? "check: 80 columns"
state=$(cat /sys/devices/system/cpu/cpu0/cpuidle/state0/name)
said "^ +$state +$(cat /sys/devices/system/cpu/cpu0/cpuidle/state0/latency) us "
ok $? "check: has the state table"
all_is_back
ok $? "check: changes nothing"

# Rows end with the result; a state's name may hold blanks. Two tries: other work may keep the CPUs awake.
for _ in 1 2; do
	try "$runner" check --states
	{ grep -q ' NA ' "$tmp/out" && sleep 2; } || break
done
[ $status = 0 ] || [ $status = 3 ]
ok $? "--states: ends with 0 or 3"
all_is_back
ok $? "--states: governor and states are back"
missing=
for governor in "${offered[@]}"; do
	grep -qE "^$governor +[0-9,-]+ +$state +[0-9]+ +[0-9]+ +(PASS|FAIL|unused|NA) " "$tmp/out" || missing+=" $governor"
done
[ -z "$missing" ]
ok $? "--states: a row for each governor$missing"
if grep -qE ' (FAIL|NA) ' "$tmp/out"; then want=3; else want=0; fi
[ $status = $want ]
ok $? "--states: the exit status is that of the rows"
# menu is known to look at disabled states.
if said '^menu '; then
	! grep -qE '^menu .* FAIL ' "$tmp/out"
	ok $? "--states: menu does not fail"
fi
if ! said ' NA '; then
	said ' PASS '
	ok $? "--states: some state's entries moved to a neighbour"
fi

RANDOM=${IDLE_TEST_SEED:-1}
for signal in TERM INT KILL; do
	late=0 wrong=0 changed=0
	for _ in 1 2 3; do
		"$runner" check --states >"$tmp/out" 2>&1 &
		pid=$!
		# Not before something is changed, so that there is something to put back.
		within_two_seconds eval '! all_is_back' && changed=$((changed + 1))
		sleep "$(printf '0.%03d' $((RANDOM % 700)))"
		kill -s "$signal" "$pid" 2>/dev/null
		within_two_seconds all_is_back || late=$((late + 1))
		wait "$pid" 2>/dev/null
		[ $? = $((128 + $(kill -l "$signal"))) ] || wrong=$((wrong + 1))
		within_two_seconds all_is_back || late=$((late + 1))
	done
	[ $changed = 3 ] && [ $late = 0 ]
	ok $? "--states, SIG$signal three times ($changed with something changed): all is back ($late late)"
	[ $wrong = 0 ]
	ok $? "--states, SIG$signal: the shell sees the signal ($wrong did not)"
done
try "$runner" restore
[ $status = 0 ] && said 'nothing to put back'
ok $? "no journal is left"

# Other work on all CPUs: refused by name, after some seconds of looking; a signal meanwhile ends it.
if [ -n "$IDLE_TEST_LONG" ]; then
	write_suite "$tmp/one.ini" 200ms 0
	burners=()
	for _ in $(seq "$(nproc)"); do
		timeout 30 sh -c 'while :; do :; done' &
		burners+=($!)
	done
	try "$runner" --suite "$tmp/one.ini" --governors "$(other_governor)" --results "$tmp/busy" --no-report
	[ $status = 1 ] && said 'busy with other work: .*pid [0-9]+ \(sh\)' && said 'allow-busy' && [ ! -e "$tmp/busy" ]
	ok $? "a busy machine ends a run before anything is made"
	all_is_back
	ok $? "and before anything is changed"
	rm "$tmp/out"
	"$runner" --suite "$tmp/one.ini" --governors "$(other_governor)" --results "$tmp/busy" >"$tmp/out" 2>&1 &
	pid=$!
	within_two_seconds grep -qs 'looking again' "$tmp/out"
	kill -s INT $pid
	within_two_seconds eval '! kill -0 $pid 2>/dev/null'
	wait $pid
	[ $? = 130 ] && [ ! -e "$tmp/busy" ]
	ok $? "SIGINT while it looks ends it"
	try "$runner" --suite "$tmp/one.ini" --governors "$(other_governor)" --results "$tmp/busy" --no-report \
		--allow-busy
	{ [ $status = 0 ] || [ $status = 3 ]; } && said 'warning: .* busy with other work' && [ -e "$tmp/busy" ]
	ok $? "--allow-busy warns and measures"
	kill "${burners[@]}"
	wait "${burners[@]}" 2>/dev/null
fi

done_testing
