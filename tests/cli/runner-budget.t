#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A time budget is spent in whole blocks, the sections take turns, and the log and "status" tell how it goes.

. tests/cli/runner.sh

suite night '[run a]' 'workload = ping-pong' 'work = 0 3' '[run quiet]' 'workload = idle' '[run loops]' \
	'workload = ping-pong' 'loops = 100'
sed -i 's/^repeat = 1/repeat = 3/' "$tmp/night.ini"
machine --governors 'menu teo ladder' --governor ladder

night() {
	run --root "$tmp/m" --suite "$tmp/night.ini" --governors menu,teo --seed 5 --results "$tmp/r" --no-report "$@"
}

runs() {
	find "$tmp/r/boots" -mindepth 3 -maxdepth 3 -type d -name '*.r[0-9]' -printf '%f\n' | sort
}

# Runs of each governor at each point are as many as the other's.
even() {
	[ "$(runs | grep -c '\.menu\.')" = "$(runs | grep -c '\.teo\.')" ] &&
		[ "$(runs | sed -n 's/^[0-9]*\.\(.*\)\.menu\.\(r.\)$/\1.\2/p' | sort)" = \
			"$(runs | sed -n 's/^[0-9]*\.\(.*\)\.teo\.\(r.\)$/\1.\2/p' | sort)" ]
}

night --dry-run --for 3s
ok 'the plan with a budget' ended 0
ok 'a line a section, with what a run is made of' \
	grep -qx 'a: 2 points, 12 runs of 250ms: warm-up 0us, window 100ms, rest 150ms' "$tmp/out"
ok 'loops have no known end' grep -q '^loops: 1 point, 6 runs of .*, measured until it ends, rest 150ms$' "$tmp/out"
ok 'the total and the time of day when it is over' \
	grep -qE '^24 runs, about [0-9]:[0-9]{2}:[0-9]{2} left, seed 5; over at [A-Z][a-z]{2} [0-9]{2}:[0-9]{2}$' "$tmp/out"
ok 'what the budget is enough for' grep -qE '^the budget of 0:00:03 \(until [A-Z][a-z]{2} [0-9:]{5}\) is enough for [0-9]+ of 12 blocks: [0-9]\.[0-9] repeats of each point$' "$tmp/out"
ok 'nothing is made' test ! -e "$tmp/r"
sed 's/^repeat = 3/repeat = 6/' "$tmp/night.ini" >"$tmp/six.ini"
run --root "$tmp/m" --suite "$tmp/six.ini" --governors menu,teo --dry-run --for 3s
ok 'fewer repeats than a verdict takes are said' grep -q 'repeats of each point; a verdict takes 6$' "$tmp/out"
night --dry-run --for 1h
ok 'a budget that is enough' grep -qx 'the budget of 1:00:00 is enough for all 12 blocks' "$tmp/out"

night --for 300ms
ok 'a budget below 1 s: refused' ended 2 '--for is outside 1s to 720h'
night --for 1
ok 'a budget without a unit: refused' ended 2 '--for: '
night --for 1s --window 10s
ok 'a budget without room for a block: refused' ended 2 '--for: the first block'
ok 'nothing was run' test -z "$(runs)"
rm -rf "$tmp/r"
night --for 10s --order blocked
ok 'with the order blocked there are no blocks to spend it on' ended 2 "--for has no effect: with the order 'blocked'"

# In time: at 250 ms a run the first 1.5 s of budget have room for some blocks and not for all.
night --for 1500ms
ok 'the budget ends: exit 3' ended 3 'the budget is spent, ' "the same command with --results $tmp/r continues"
made=$(runs | wc -l)
ok 'some runs are made, not all' test "$made" -gt 0 -a "$made" -lt 24
ok 'only whole blocks: each governor has as many' even
ok 'the sections take turns: no point has a second run before all had one' test "$made" -gt 8 -o -z "$(runs | grep '\.r2$')"
run status "$tmp/r"
ok 'status: exit 3' ended 3
ok 'its counts' grep -q "^$made of 24 runs done, $((24 - made)) pending" "$tmp/out"
ok 'the last line of the log' grep -qE "^last: [0-9T:+-]{25} end: $made runs made$" "$tmp/out"
ok 'a heading with the governors' grep -qE '^median so far \(runs\) +menu +teo$' "$tmp/out"
ok 'the headline of a section' grep -qx 'a: loop_us, us' "$tmp/out"
ok 'medians with their number of runs' grep -qE '^  work=0 +[0-9.]+ \(1\) +[0-9.]+ \(1\)$' "$tmp/out"
cp "$tmp/r/log.txt" "$tmp/log"

night
ok 'the same command without a budget finishes' ended 0
ok 'all runs are there' test "$(runs | wc -l)" = 24
ok 'still even' even
ok 'the log goes on behind what it had' cmp -s -n "$(stat -c %s "$tmp/log")" "$tmp/log" "$tmp/r/log.txt"
ok 'every line is dated' sh -c "! grep -vE '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[+-][0-9:]{5} ' '$tmp/r/log.txt'"
ok 'a line a run' test "$(grep -c ' complete$' "$tmp/r/log.txt")" = 24
ok 'no carriage return' sh -c "! grep -q \$(printf '\\r') '$tmp/r/log.txt'"

# The median of three by hand.
dir=$tmp/r/boots/*/runs
# shellcheck disable=SC2086
middle=$(for f in $dir/*.a.work=3.teo.r?/metrics.tsv; do awk -F'\t' 'NR == 2 { print $NF }' "$f"; done | sort -g | sed -n 2p |
	awk '{ printf "%.5g", $1 }')
run status "$tmp/r"
ok 'status: exit 0' ended 0
ok 'the median is the middle value' grep -qE "^  work=3 +[0-9.]+ \(3\) +$middle \(3\)\$" "$tmp/out"
ok 'in 80 columns' test "$(wc -L <"$tmp/out")" -le 80 -o "$(grep -v '^last:\|^/' "$tmp/out" | wc -L)" -le 80

# One progress line on a terminal.
if command -v script >/dev/null; then
	rm -rf "$tmp/r"
	script -qec "$runner --root $tmp/m --suite $tmp/night.ini --governors menu --repeat 1 --seed 5 --results $tmp/r --no-report" \
		/dev/null >"$tmp/out" 2>&1 </dev/null
	ok 'on a terminal the line is rewritten in place' test "$(grep -c '\[[0-9]*/4\]' "$tmp/out")" = 1
	ok 'for each run' test "$(tr '\r' '\n' <"$tmp/out" | grep -c '\[[0-9]*/4\] .* elapsed .* left .*, over at [0-9:]*')" = 4
fi

done_testing
