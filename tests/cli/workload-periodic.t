#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# periodic's options, alone and in a suite: what is refused (A-12), and that a ramp's window is looked at before the
# first run. What it measures is in tests/live/periodic.t.

. tests/cli/runner.sh
machine

periodic=${runner%/*}/workloads/periodic

# refused TEXT OPTION..: a usage error of one line that says so, within a moment
refused() {
	local text=$1

	shift
	timeout 5 "$periodic" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	ended 2 "$text" && [ "$(wc -l <"$tmp/err")" = 1 ] && [ ! -s "$tmp/out" ]
}

ok "A-12: load and work" refused "load has no effect with work" --load 3% --work 20us
ok "A-12: a phase of one thread" refused "phase has no effect with one thread" --phase together
ok "A-12: steps without a ramp" refused "steps has no effect without ramp" --steps 3
ok "A-12: a load beside the ramp" refused "load has no effect with ramp" --ramp yes --load 3%
ok "A-12: a window beside loops" refused "window has no effect with loops" --loops 3 --window 1s
ok "A-07: no timer slack" refused "the kernel takes 0" --timer-slack 0ns
ok "a load beyond 200 %" refused "out of range" --load 201%
ok "a rate finer than 0.001 Hz" refused "not a multiple of 0.001Hz" --frequency 59.9401Hz
ok "a window that is shorter than a period" refused "a window of 5s is too short" --frequency 0.1Hz --window 5s
ok "a window that is shorter than the ramp" refused "it takes 207s" --ramp yes --window 200s

"$periodic" --unbound --warmup 0s --ramp yes --steps 1 --step 1750ms --frequency 8Hz --output "$tmp/files" \
	>"$tmp/out" 2>"$tmp/err"
status=$?
ok "without --window a ramp takes the time that it needs, 3 steps of 1.75 s" \
	eval '[ $status = 0 ] && [ "$(awk -F "\t" "\$1 == \"loops_planned\" { print \$4 }" "$tmp/files/metrics.tsv")" = 42 ]'

suite ramp '[run ramp]' 'workload = periodic' 'ramp = yes' 'steps = 2' 'step = 20ms 3s'
run --suite "$tmp/ramp.ini" --root "$tmp/m" --governors menu --dry-run
ok "the runner refuses a window that does not hold the ramp, by the point" \
	ended 2 "[run ramp] step=3s: a window of 100ms is too short, with these parameters it takes 15s"
run --suite "$tmp/ramp.ini" --root "$tmp/m" --governors menu --window 15s --dry-run
ok "and takes one that does" ended 0
suite loops '[run slow]' 'workload = periodic' 'frequency = 1Hz' 'loops = 2'
run --suite "$tmp/loops.ini" --root "$tmp/m" --governors menu --dry-run
ok "loops need no window" ended 0
done_testing
