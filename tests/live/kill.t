#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A runner killed at random moments: the governor is back within a second, nothing half-built is published, nothing
# published is lost, no task outlives it, and the same command goes on until the campaign is complete.
# 4 kills of each signal; 50 with IDLE_TEST_LONG=1.

. "$(dirname "$0")/live.sh"

kills=4
[ -z "$IDLE_TEST_LONG" ] || kills=50
RANDOM=${IDLE_TEST_SEED:-1}

write_suite "$tmp/storm.ini" 100ms "0 1us 2us 3us 4us 5us 6us 7us"
all=$(comma_list "${offered[@]}")
start_runner() {
	"$runner" --suite "$tmp/storm.ini" --allow-busy --governors "$all" --results "$1" --cpus 0,1 --seed 1 --repeat 20 \
		--no-report --no-power --quiet >>"$tmp/log" 2>&1 &
	pid=$!
}

# Waits for up to a second for a command to be true.
within_a_second() {
	local end=$((${EPOCHREALTIME/./} + 1000000))
	until "$@"; do
		[ ${EPOCHREALTIME/./} -lt $end ] || return 1
		sleep 0.01
	done
}

no_task_left() {
	! pgrep -f "$build/workloads/ping-pong" >/dev/null
}

for signal in INT TERM KILL; do
	dir=$tmp/$signal lost=0 half=0 late=0 orphans=0 wrong=0
	: >"$tmp/seen"
	for ((i = 0; i < kills; i++)); do
		start_runner "$dir"
		ms=$((RANDOM % 1500))
		sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
		kill -s "$signal" "$pid" 2>/dev/null
		within_a_second governor_is_back || late=$((late + 1))
		wait "$pid" 2>/dev/null
		[ $? = $((128 + $(kill -l "$signal"))) ] || wrong=$((wrong + 1))
		within_a_second no_task_left || orphans=$((orphans + 1))
		governor_is_back || late=$((late + 1))
		[ -z "$(incomplete "$dir")" ] || half=$((half + 1))
		published "$dir" | xargs -r stat -c '%n %i' >"$tmp/now"
		[ -z "$(comm -23 "$tmp/seen" "$tmp/now")" ] || lost=$((lost + 1))
		cp "$tmp/now" "$tmp/seen"
	done
	tail -5 "$tmp/log" >"$tmp/out"
	[ -s "$tmp/seen" ]
	ok $? "SIG$signal: runs were published in between ($(wc -l <"$tmp/seen"))"
	[ $late = 0 ]
	ok $? "SIG$signal, $kills times: the governor is back within a second ($late late)"
	[ $orphans = 0 ]
	ok $? "SIG$signal: no task outlives the runner ($orphans did)"
	[ $half = 0 ]
	ok $? "SIG$signal: no half-published run ($half)"
	[ $lost = 0 ]
	ok $? "SIG$signal: nothing published is lost or made twice ($lost)"
	[ $wrong = 0 ]
	ok $? "SIG$signal: the shell sees the signal ($wrong did not)"
done

# The last of them goes on to its end, on the points that the kills have left.
before=$(published "$tmp/KILL" | wc -l)
try "$runner" --suite "$tmp/storm.ini" --allow-busy --governors "$all" --results "$tmp/KILL" --cpus 0,1 --seed 1 --repeat 20 \
	--no-report --no-power --quiet --dry-run
ok $status "the plan is still readable"
if [ -n "$IDLE_TEST_LONG" ]; then
	# Exit 3 asks for the command once more: windows of 0.1 s may be lost to other load.
	for _ in 1 2 3; do
		try "$runner" --suite "$tmp/storm.ini" --allow-busy --governors "$all" --results "$tmp/KILL" --cpus 0,1 \
			--seed 1 --repeat 20 --no-report --no-power --quiet
		[ $status = 3 ] || break
	done
	[ $status = 0 ] && [ "$(published "$tmp/KILL" | grep -c 'r[0-9]*$')" = $((8 * 20 * ${#offered[@]})) ]
	ok $? "the same command completes the campaign"
	[ -z "$(incomplete "$tmp/KILL")" ] && [ -z "$(find "$tmp/KILL" -name '.tmp-*')" ]
	ok $? "complete and clean"
fi

# The short form completes a campaign of its own, small enough to end: killed once, then continued.
write_suite "$tmp/small.ini" 100ms "0 1us"
small() {
	exec "$runner" --suite "$tmp/small.ini" --allow-busy --governors "$all" --results "$tmp/small" --cpus 0,1 --seed 1 --no-report --no-power --quiet
}
small >>"$tmp/log" 2>&1 &
pid=$!
sleep 0.6
kill -KILL $pid
wait $pid 2>/dev/null
before=$(published "$tmp/small" | wc -l)
(small) >"$tmp/out" 2>&1
status=$?
[ $status = 0 ] && [ "$(published "$tmp/small" | wc -l)" = $((2 * ${#offered[@]})) ]
ok $? "killed with $before of $((2 * ${#offered[@]})) runs done, the same command completes the campaign"
[ -z "$(incomplete "$tmp/small")" ] && [ -z "$(find "$tmp/small" -name '.tmp-*')" ] && governor_is_back
ok $? "complete, clean, governor back"

done_testing
