#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The workload programs alone: figures, files, transports, ring lengths.

build=${BUILD:-build}/workloads
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0

report() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		head -n 40 "$dir"/err "$dir"/out "$dir"/files/metrics.tsv 2>/dev/null | sed 's/^/# /'
	fi
}

run() { # PROGRAM OPTION...
	local program=$1
	shift
	rm -rf "$dir"/files
	timeout 60 "$build/$program" "$@" >"$dir/out" 2>"$dir/err"
}

metric() { # NAME
	awk -F '\t' -v name="$1" '$1 == name { print $4 }' "$dir/files/metrics.tsv"
}

# CONDITION over metrics, written with $name
holds() {
	awk -F '\t' -v condition="$1" 'NR > 1 { print $1 "=" ($4 == "" ? "NA" : $4) }' "$dir/files/metrics.tsv" >"$dir/vars"
	(
		while IFS='=' read -r name value; do declare "$name=$value"; done <"$dir/vars"
		eval "awk \"BEGIN { exit !($1) }\""
	)
}

# what --help declares, in its order
declared() {
	"$build/$1" --help | sed -n '/^Metrics:/,/^Exit status/s/^  \([a-z][a-z0-9_]*\).*/\1/p'
}

cpus=$(nproc)

for program in ping-pong idle; do
	declared $program >"$dir/declared"
	run $program --window 1s
	awk 'NR > 1 { print $1 }' "$dir/out" | cmp -s - "$dir/declared" && [ -s "$dir/declared" ]
	report $? "$program: the table has every metric of its help"
	run $program --window 300ms --output "$dir/files"
	awk -F '\t' 'NR > 1 { print $1 }' "$dir/files/metrics.tsv" | cmp -s - "$dir/declared" && [ ! -s "$dir/out" ]
	report $? "$program: so has metrics.tsv, and nothing is printed"
	[ "$(cd "$dir/files" && head -qn 1 metrics.tsv latency.tsv tasks.tsv series.tsv | tr '\t\n' ' /')" = \
		"name unit better value/role lo_ns hi_ns count/task role tid cpu_asked affinity cpu_start cpu_end migrations/t_ns name value/" ]
	report $? "$program: columns of the files"
	for file in metrics latency tasks series; do
		awk -F '\t' 'NR == 1 { columns = NF } NF != columns { exit 1 }' "$dir/files/$file.tsv" || break
	done
	report $? "$program: no ragged row"
done

run idle --window 700ms --output "$dir/files"
holds '$window_s == 0.7' && [ "$(cat "$dir"/files/{latency,tasks,series}.tsv | wc -l)" = 3 ]
report $? "idle: its window and nothing else"

run ping-pong --cpus 0 --loops 5000 --output "$dir/files"
holds '$loops == 5000 && $stops_per_loop == 2 && $tasks == 2 && $hop_us * 2 - $loop_us < 0.001 && $min_us <= $p50_us && $p50_us <= $p99_us && $p99_us <= $p99_9_us && $p99_9_us <= $max_us && $timer_slack_ns == 1 && $blocks == 1000 && $block_min_us <= $loop_us && $loop_us <= $block_max_us' &&
	[ "$(metric slowest_pair_us)$(metric spread_pct)" = "" ]
report $? "ping-pong: figures fit together"
[ "$(awk -F '\t' 'NR > 1 { n += $4 } END { print n }' "$dir/files/latency.tsv")" = 5000 ]
report $? "ping-pong: every loop is in the histogram"
[ "$(awk -F '\t' 'NR > 1 { print $4, $5, $6, $7 }' "$dir/files/tasks.tsv" | sort -u)" = "0 0 0 0" ]
report $? "ping-pong: all tasks were on CPU 0"
[ "$(awk -F '\t' 'NR > 1 && $2 == "ring0.loop_us"' "$dir/files/series.tsv" | wc -l)" = 1000 ]
report $? "ping-pong: a thousand block means"

run ping-pong --cpus 0 --window 500ms --work 30000 --output "$dir/files"
holds '$work_units == 30000 && $loop_us >= 0.7 * 2 * 30 * $unit_start_ns && $loops * $loop_us <= 500000 && $loops * $loop_us >= 400000'
report $? "ping-pong: work takes its time and loops fill the window"

run ping-pong --cpus 0 --window 200ms --work 100us --output "$dir/files"
holds '$work_units * $unit_start_ns > 99990 && $work_units * $unit_start_ns < 100010'
report $? "ping-pong: work given as a time is turned into units"

run ping-pong --pairs 3 --cpus 0 --window 300ms --output "$dir/files"
holds '$tasks == 6 && $stops_per_loop == 2 && $slowest_pair_us >= $fastest_pair_us && $loop_us <= $slowest_pair_us && $loop_us >= $fastest_pair_us && $spread_pct >= 0' &&
	[ "$(awk -F '\t' 'NR > 1 { print $2 }' "$dir/files/tasks.tsv" | tr '\n' ' ')" = "ring0 ring0 ring1 ring1 ring2 ring2 " ] &&
	[ "$(awk -F '\t' 'NR > 1 { print $1 }' "$dir/files/latency.tsv" | uniq | tr '\n' ' ')" = "ring0 ring1 ring2 " ] &&
	[ "$(awk -F '\t' 'NR > 1 { n += $4 } END { print n }' "$dir/files/latency.tsv")" = "$(metric loops)" ]
report $? "ping-pong: pairs are rings of their own"

run ping-pong --timer-slack 50us --loops 100 --output "$dir/files"
holds '$timer_slack_ns == 50000'
report $? "ping-pong: timer slack is what was asked"

run ping-pong --loops 1 --output "$dir/files"
holds '$loops == 1 && $blocks == 1' && [ "$(metric sd_us)$(metric block_sd_us)" = "" ]
report $? "ping-pong: one loop has no deviation, and says so"

run ping-pong --cpus 0 --work 60ms --window 100ms --output "$dir/files"
[ $? = 1 ] && grep -q 'not one whole loop' "$dir/err" && [ ! -e "$dir/files/metrics.tsv" ]
report $? "ping-pong: a loop longer than the window is an error, not a figure"

run ping-pong --unbound --cpus 900,901 --loops 100
report $? "ping-pong: --unbound takes CPUs that are not there"

run ping-pong --loops 10 --output /proc/nonexistent/files
[ $? = 1 ] && grep -q /proc/nonexistent "$dir/err"
report $? "ping-pong: a folder that cannot be made is an error"

run ping-pong --affinity free --loops 1000
grep -q 'affinity free' "$dir/out"
report $? "ping-pong: affinity free is labelled"

run ping-pong --cores 5 --cpus 0 --loops 100
grep -q 'oversubscribed' "$dir/out"
report $? "ping-pong: more tasks than CPUs is labelled"

for transport in fifo pipe eventfd futex socket spin; do
	for task in process thread; do
		if [ $transport = spin ] && [ "$cpus" -lt 2 ]; then
			n=$((n + 1))
			echo "ok $n - spin, $task # SKIP one CPU"
			continue
		fi
		run ping-pong --transport $transport --task $task --loops 3000 --output "$dir/files"
		holds '$loops == 3000'
		report $? "ping-pong: $transport, $task"
	done
done

for cores in 2 3 4 8 16 33 64; do
	run ping-pong --cores $cores --loops 50 --output "$dir/files"
	holds "\$loops == 50 && \$stops_per_loop == $cores" && [ "$(wc -l <"$dir/files/tasks.tsv")" = $((cores + 1)) ]
	report $? "ping-pong: ring of $cores"
done

run ping-pong --cores 600 --loops 3
report $? "ping-pong: ring of 600, more descriptors than the usual limit"
run ping-pong --cores 600 --loops 3 --task thread --transport futex
report $? "ping-pong: ring of 600 threads"

# two at once do not disturb each other's fifos
mkdir "$dir/tmp"
for i in 1 2 3; do
	TMPDIR=$dir/tmp "$build/ping-pong" --transport fifo --cpus 0 --loops 2000 --cores 4 >/dev/null 2>>"$dir/err" &
done
failed=0
for i in 1 2 3; do wait -n || failed=1; done
[ $failed = 0 ] && [ -z "$(ls -A "$dir/tmp")" ]
report $? "ping-pong: three instances at once, temporary folder left empty"
echo "1..$n"
