#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fork-chain: every child counted, on the CPUs asked for (A-02), and none left however the program ends (A-27).

. "$(dirname "$0")/../tap.sh"

chain=$build/workloads/fork-chain
files=$tmp/files
[ -x "$chain" ] || skip_all "$chain is not built"
read -ra allowed < <(allowed_cpus)
last=${allowed[-1]}

run() {
	rm -rf "$files"
	try timeout 120 "$chain" --output "$files" "$@"
	cat "$files"/metrics.tsv >>"$tmp/out" 2>/dev/null
}

metric() {
	awk -F '\t' -v name="$1" '$1 == name { print $4 }' "$files/metrics.tsv"
}

between() { # LOW VALUE HIGH
	awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value != "" && value + 0 >= low && value + 0 <= high) }'
}

counted() {
	awk -F '\t' '$1 == "chain" { n += $4 } END { print n + 0 }' "$files/latency.tsv"
}

# All processes of the group $1 that are not zombies.
members() {
	ps -eo pgid=,stat=,pid= | awk -v group="$1" '$1 == group && $2 !~ /^Z/ { print $3 }'
}

start() { # OPTION...; sets main; the program is past its reference and has a child at work
	set -m # a process group of its own
	"$chain" "$@" >/dev/null 2>"$tmp/out" &
	main=$!
	set +m
	for _ in {1..300}; do
		parent=$(pgrep -P $main -f -- '--window' | head -n 1)
		child=$([ -z "$parent" ] || pgrep -P "$parent" | head -n 1)
		# the reference's process has an own child, too, but no task's name
		[ -n "$child" ] && [ "$(cat "/proc/$parent/comm" 2>/dev/null)" = fork-chai.0 ] && return
		sleep 0.02
	done
}

gone() { # before a child of 1 s of work would have ended by itself
	for _ in {1..30}; do
		[ -z "$(members "$main")" ] && return 0
		sleep 0.02
	done
	return 1
}

try "$chain" --help
said '^Timer based: no$'
ok $? "the help says that it is not timer based"

for how in '--program helper' '--program helper --start vfork' '--program none' '--program true' \
	'--program true --start vfork' '--program sh' '--program sh --start vfork'; do
	# shellcheck disable=SC2086
	run $how --loops 100
	[ "$(metric children)" = 100 ] && [ "$(counted)" = 100 ] && [ "$(metric blocks)" = 100 ] &&
		between 99 "$(awk -v a="$(metric pids_per_s)" -v b="$(metric run_time_s)" 'BEGIN { print a * b }')" 101
	ok $? "$how: 100 children, all in the histogram"
done

# What the kernel has counted: one process a child, and a few around them. Others on this machine start some as well.
forks0=$(awk '$1 == "processes" { print $2 }' /proc/stat)
run --program none --loops 3000 --affinity one --warmup 0s
forks1=$(awk '$1 == "processes" { print $2 }' /proc/stat)
[ "$(metric children)" = 3000 ] && [ $((forks1 - forks0)) -ge 3000 ]
ok $? "3,000 children counted, $((forks1 - forks0)) processes seen by the kernel"

run --affinity one --cpus "$last" --window 500ms
[ "$(awk -F '\t' 'NR > 1 { print $4, $5, $6, $7 }' "$files/tasks.tsv")" = "$last $last $last $last" ] &&
	[ "$(metric other_cpu_pct)" = 0.0000 ] && [ "$(metric one_cpu_ratio)$(metric one_cpu_us)" = "" ]
ok $? "A-02: one CPU: parent and children on CPU $last; no ratio of the reference to itself"
run --affinity free --cpus "$last" --loops 50
[ "$(awk -F '\t' 'NR > 1 { print "asked" $4, $5, $6, $7 }' "$files/tasks.tsv")" = "asked $last $last $last" ] &&
	[ "$(metric other_cpu_pct)" = 0.0000 ]
ok $? "A-02: with affinity free --cpus is where parent and children may run"
between 0.3 "$(metric one_cpu_ratio)" 3
ok $? "free on one CPU costs what the reference costs: ratio $(metric one_cpu_ratio)"
if [ ${#allowed[@]} -ge 2 ]; then
	run --affinity free --loops 300 --work 200us
	between 0 "$(metric other_cpu_pct)" 100
	ok $? "free: $(metric other_cpu_pct) % of the children began on another CPU"
fi

for program in helper none; do
	run --program $program --work 3ms --loops 30 --affinity one
	between 2.1 "$(awk -v us="$(metric p50_us)" 'BEGIN { print us / 1e3 }')" 60
	ok $? "$program: 3 ms of work take $(metric p50_us) us"
done
run --work 300000 --loops 3 --affinity one
[ "$(metric work_units)" = 300000 ] && between 1 "$(metric child_cpu_us)" 1e6
ok $? "work in units; CPU time of a child $(metric child_cpu_us) us"

run --work 400ms --window 100ms --affinity one
[ $status = 1 ] && said 'not one whole child' && [ ! -e "$files/metrics.tsv" ]
ok $? "a child longer than the window is an error, not a figure"

while IFS='|' read -r says options; do
	# shellcheck disable=SC2086
	try "$chain" $options
	[ $status = 2 ] && said "$says" && [ "$(wc -l <"$tmp/out")" = 1 ]
	ok $? "A-12: $options is refused"
done <<-EOF
	work has no effect with program true|--program true --work 5
	work has no effect with program sh|--program sh --work 20us
	vfork needs a program|--program none --start vfork
	window has no effect with loops|--loops 5 --window 1s
	would have no effect|--affinity one --cpus 0,1
	program: |--program false
	work: |--work 2s
EOF

for how in '' '--start vfork' '--program none'; do
	for signal in TERM KILL; do
		# shellcheck disable=SC2086
		start --window 60s --work 1s --affinity one $how
		kill -$signal "$main"
		wait "$main" 2>/dev/null
		status=$?
		[ -n "$child" ] && [ $status = $((128 + $(kill -l $signal))) ] && gone
		ok $? "A-27: SIG$signal to the program ${how:-by default}: status $status, nothing left"
	done
done
start --window 60s --work 1s --affinity one
kill -KILL "$parent"
wait "$main" 2>/dev/null
status=$?
[ -n "$child" ] && [ $status = 1 ] && said 'was killed by signal 9' && gone
ok $? "A-27: the chain's task killed: status $status, said so, nothing left"
start --window 60s --work 1s --affinity one
kill -KILL "$child"
wait "$main" 2>/dev/null
status=$?
[ -n "$child" ] && [ $status = 1 ] && said 'child: /proc/self/exe was killed by signal 9' && gone
ok $? "a child that fails ends the run: status $status, said so, nothing left"

# in the middle of its reference, which takes four children of a second
for signal in TERM KILL; do
	begin=$SECONDS
	set -m
	"$chain" --window 60s --work 1s >/dev/null 2>&1 &
	main=$!
	set +m
	sleep 0.7
	kill -$signal $main
	wait $main 2>/dev/null
	status=$?
	[ $status = $((128 + $(kill -l $signal))) ] && gone && [ $((SECONDS - begin)) -lt 4 ]
	ok $? "A-27: SIG$signal while the reference is taken: status $status, at once, nothing left"
done
done_testing
