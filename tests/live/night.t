#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The overnight suite on this machine, its windows shortened to a fraction of a second: all dwells, in whole blocks,
# with a standing to be asked for. And another process that eats a core, which voids a run.

. "$(dirname "$0")/live.sh"

two=$(comma_list "${offered[@]:0:2}")
overnight() {
	try "$runner" --suite overnight --governors "$two" --seed 2 --repeat 1 --window 300ms --warmup 100ms \
		--set ring.loops=200 --set waiters.loops=5 --allow-busy --no-power --no-report --results "$tmp/r" "$@"
}

# Complete runs of governor $1 by section.
sections() {
	published "$tmp/r" | sed -n "s|.*/[0-9]*\.\(.*\)\.$1\.r1\$|\1|p" | sort
}

overnight --for 6s
{ [ $status = 3 ] || [ $status = 0 ]; } && said 'the budget of 0:00:06'
ok $? "overnight with a budget ends clean: status $status"
first=$(published "$tmp/r" | grep -c '\.r1$')
[ "$first" -ge 2 ] && [ "$first" -lt 24 ]
ok $? "some runs are made within it: $first of 24"
overnight
[ $status = 0 ] || [ $status = 3 ]
ok $? "the same command goes on: status $status"
governor_is_back
ok $? "the governor is $governor_before again"
all=$(sed -n 's/^\[run \(.*\)\]$/\1/p' "$top/configs/overnight.ini" | sort)
for g in "${offered[@]:0:2}"; do
	missing=$(comm -23 <(echo "$all") <(sections "$g"))
	# A loaded machine may read a window late; each such run is named in the log.
	[ -z "$missing" ] || [ "$(echo "$missing" | wc -l)" -le "$(grep -c ' is void: read late' "$tmp/r/log.txt")" ]
	ok $? "all dwells under $g${missing:+, but: $missing}"
done
try "$runner" status "$tmp/r"
[ "$(grep -cE '^[a-z-]+: [a-z_0-9]+, ' "$tmp/out")" -ge 10 ] && said "^median so far \(runs\) +${offered[0]} +${offered[1]}$"
ok $? "status has the headline of each section under both governors"

# Foreign load: only where the machine is quiet enough to begin with.
cat >"$tmp/quiet.ini" <<END
[suite]
format = 1
repeat = 1
warmup = 0s
window = 2s
[run quiet]
workload = idle
END
"$runner" --suite "$tmp/quiet.ini" --governors "$(other_governor)" --no-power --no-report --results "$tmp/q" \
	>"$tmp/out" 2>&1 </dev/null &
pid=$!
spinner=
for _ in {1..200}; do
	kill -0 $pid 2>/dev/null || break
	if pgrep -f "workloads/idle.*--output $tmp/q/" >/dev/null; then
		timeout 6 sh -c 'while :; do :; done' &
		spinner=$!
		break
	fi
	sleep 0.05
done
sleep 2.5
[ -z "$spinner" ] || kill $spinner
wait $pid
if grep -q 'busy with other work' "$tmp/out" && [ ! -e "$tmp/q" ]; then
	ok 0 "foreign load # SKIP the machine is busy already"
else
	grep -qs '^reason = foreign load: other processes kept [0-9.]* CPUs busy' "$tmp"/q/boots/*/runs/*.void-1/run.ini
	ok $? "A-29: another process that eats a core voids the run"
fi
governor_is_back
ok $? "the governor is $governor_before again"

done_testing
