#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The workload programs' command lines: help, and what is refused with status 2 and one line on stderr.

build=${BUILD:-build}/workloads
n=0

report() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		sed 's/^/# /' "$err" "$out"
	fi
}

out=$(mktemp) err=$(mktemp)
trap 'rm -f "$out" "$err"' EXIT

refuse() { # PROGRAM PATTERN OPTION...
	local program=$1 pattern=$2 status
	shift 2
	timeout 20 "$build/$program" "$@" >"$out" 2>"$err"
	status=$?
	[ $status = 2 ] && [ ! -s "$out" ] && [ "$(wc -l <"$err")" = 1 ] && grep -q -e "$pattern" "$err"
	report $? "$program $* is refused"
}

for program in ping-pong idle; do
	"$build/$program" --help >"$out" 2>"$err"
	[ $? = 0 ] && [ ! -s "$err" ] && grep -q '^Timer based: no$' "$out" && grep -q '^Exit status: ' "$out"
	report $? "$program --help"
	"$build/$program" --help >/dev/full 2>"$err"
	[ $? = 1 ]
	report $? "$program --help into a full device is an error"
done

refuse ping-pong "did you mean 'work'" --wrok 1
refuse ping-pong "did you mean 'window'" --widnow 1s
refuse ping-pong 'unknown option' -x
refuse ping-pong 'not an option' --cores 2 something
refuse ping-pong 'needs a value' --work
refuse ping-pong 'takes no value' --unbound=1
refuse ping-pong 'given twice' --work 1 --work 2
refuse ping-pong 'given twice' --window 1s --window 2s
refuse ping-pong 'cores: ' --cores 1
refuse ping-pong 'cores: ' --cores 4097
refuse ping-pong 'cores: ' --cores all
refuse ping-pong 'pairs: ' --pairs 0
refuse ping-pong 'work: ' --work 101s
refuse ping-pong 'work: ' --work 20u
refuse ping-pong 'loops: ' --loops 0
refuse ping-pong 'loops: ' --loops -5
refuse ping-pong 'transport: ' --transport pip
refuse ping-pong 'task: ' --task fibre
refuse ping-pong 'window: ' --window 5
refuse ping-pong 'window: ' --window 0s
# A-07
refuse ping-pong '"the default"' --timer-slack 0ns
refuse ping-pong 'timer-slack: ' --timer-slack 2s
refuse ping-pong 'whole number' --timer-slack 1.5ns
refuse ping-pong 'cpus: ' --cpus 0,0
refuse ping-pong 'CPU 65000' --cpus 65000
refuse ping-pong 'sync-fd: ' --sync-fd x
# combinations in which one option has no effect (A-12)
refuse ping-pong 'has no effect with pairs' --pairs 1 --cores 2
refuse ping-pong 'has no effect with loops' --loops 10 --window 1s
refuse ping-pong 'has no effect with sync-fd' --sync-fd 0 --window 1s
refuse ping-pong 'has no effect with sync-fd' --sync-fd 0 --warmup 1s
refuse ping-pong 'runner' --distance any
refuse ping-pong 'would have no effect' --cpus 0,1,2 --cores 2
refuse ping-pong 'needs a CPU for each' --cpus 0 --transport spin
refuse idle 'has no tasks' --cpus 0
refuse idle 'has no tasks' --timer-slack 50us
refuse idle 'unknown option' --work 1
refuse idle 'unknown option' --loops 1
echo "1..$n"
