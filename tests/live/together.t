#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# On this very machine: several workloads in one window, states disabled in turn, and what is read beside the figures
# (A-25, A-29, A-32, A-35, A-11).

. "$(dirname "$0")/live.sh"

states=("$cpuidle"/../cpu0/cpuidle/state*)

# suite_of FILE LINE..: with a window of a second.
suite_of() {
	local file=$1

	shift
	printf '%s\n' '[suite]' 'format = 1' 'repeat = 1' 'warmup = 100ms' 'window = 1s' 'interval = 100ms' "$@" >"$file"
}

# campaign NAME [GOVERNOR]: in $tmp/NAME; runs are in ${runs[@]}. Another runner on this machine has its turn first;
# what other work spoils is made again by the same command.
campaign() {
	local name=$1 governor=${2:-$governor_before}

	for _ in {1..120}; do
		try "$runner" --suite "$tmp/$name.ini" --governors "$governor" --allow-busy --no-report --quiet \
			--results "$tmp/$name"
		said 'another runner works| is void: read late' || break
		sleep 0.5
	done
	mapfile -t runs < <(published "$tmp/$name" | grep -v 'void-\|failed-')
}

# entries RUN STATE: into it, on all CPUs, in the window.
entries() {
	awk -F'\t' -v state="$2" 'NR > 1 && $2 == state { n += $6 - $5 } END { print n + 0 }' "$1/idle.tsv"
}

suite_of "$tmp/both.ini" '[run both]' 'workload = periodic ping-pong' 'ping-pong.work = 0'
# What the runner and its workloads hold, for as long as they run.
watch_them() {
	local p

	while :; do
		for p in $(pgrep -f -- "$tmp/both"); do
			echo "$p" >>"$tmp/looked"
			find "/proc/$p/fd" -lname '/dev/cpu_dma_latency' 2>/dev/null >>"$tmp/held"
		done
		sleep 0.02
	done
}

: >"$tmp/held"
watch_them &
watcher=$!
campaign both
kill $watcher
ok $status "two workloads in one window"
[ "$(sort -u "$tmp/looked" | wc -l)" -ge 4 ] && [ ! -s "$tmp/held" ]
ok $? "A-11: neither the runner nor a workload holds /dev/cpu_dma_latency while they run"
run=${runs[0]}
awk -F'\t' 'NR > 1 && ($4 != $6 || $4 != $7) { bad = 1 } END { exit bad || NR != 4 }' "$run/tasks.tsv"
ok $? "A-02: all three tasks ran where they were asked to"
awk -F'\t' '$1 == "periodic:loops_done" { p = $4 } $1 == "ping-pong:loops" { l = $4 } END { exit !(p > 0 && l > 0) }' \
	"$run/metrics.tsv"
ok $? "both did their work in it"

if grep -q '^spin_us = ' "$run/run.ini"; then
	us=$(sed -n 's/^spin_us = //p' "$run/run.ini")
	awk -v us="$us" 'BEGIN { exit !(us > 0.001 && us < 1000) }'
	ok $? "A-35: the spin probe is in run.ini: $us us"
else
	grep -q '^doubt[0-9]* = foreign load' "$run/run.ini"
	ok $? "A-35: no spin probe: other work kept the CPUs"
fi

t0=$(sed -n 's/^t0_ns = //p' "$run/run.ini")
t1=$(sed -n 's/^t1_ns = //p' "$run/run.ini")
# Reading takes a while where other work has the CPUs: it may end inside.
if ! grep -q 'idle_sleeps' /proc/timer_list; then
	grep -q '^tick_stops = none: ' "$(dirname "$run")/../host.ini"
	ok $? "A-32: no tick stops here, with the reason"
elif [ -e "$run/ticks.tsv" ]; then
	awk -F'\t' -v t0="$t0" -v t1="$t1" 'NR > 1 && !($2 < t0 + 1e8 && $3 > t1 && $5 >= $4 && $7 >= $6 && $7 != "") { bad = 1 }
		END { exit bad || NR < 3 }' "$run/ticks.tsv"
	ok $? "A-32: tick stops of every CPU, read outside of the window"
else
	grep -q '^doubt[0-9]* = foreign load' "$run/run.ini"
	ok $? "A-32: no tick stops: other work kept the runner from reading them in time"
fi

# A-25: of the samples, the workload's CPU (CPU 0, 1 thread) is a part of all.
suite_of "$tmp/one.ini" '[run one]' 'workload = periodic'
campaign one
awk -F'\t' 'NR == 1 { for (i = 2; i <= NF; i++) { name[i] = $i; sub(/^[a-z]*:/, "", name[i]); set[i] = $i; sub(/:.*/, "", set[i]) } next }
	{ for (i = 2; i <= NF; i++) value[set[i], name[i]] = $i
	  for (i = 2; i <= NF; i++) if (set[i] == "workload" && value["workload", name[i]] + 0 > value["all", name[i]] + 0) bad = 1 }
	NR == 2 { for (i in name) first[i] = $i }
	END { exit bad || NR < 3 }' "${runs[0]}/samples.tsv" && grep -qx 'cpus = 0' "${runs[0]}/run.ini"
ok $? "A-25: the workload's CPUs are summed apart from all"

# A-29: a third process on the CPUs.
(while :; do :; done) &
burner=$!
cp "$tmp/one.ini" "$tmp/busy.ini"
campaign busy
kill $burner
grep -qE '^doubt[0-9]* = foreign load: other processes kept [0-9.]+ CPUs busy' "${runs[0]}/run.ini"
ok $? "A-29: foreign load is said beside the figure"

# haltpoll takes a disabled state all the same ("check --states" says so), menu does not.
if [ ${#states[@]} -ge 2 ] && [[ " ${offered[*]} " = *' menu '* ]]; then
	before=$(cat "$cpuidle"/../cpu*/cpuidle/state*/disable)
	suite_of "$tmp/states.ini" '[run states]' 'workload = idle' 'disable = state1'
	campaign states menu
	ok $status "a run with state1 disabled"
	[ "$(entries "${runs[0]}" 1)" = 0 ]
	ok $? "P-24: nobody entered it"
	[ "$(cat "$cpuidle"/../cpu*/cpuidle/state*/disable)" = "$before" ]
	ok $? "P-41: it is as it was"
fi

governor_is_back
ok $? "the governor is $governor_before again"
done_testing
