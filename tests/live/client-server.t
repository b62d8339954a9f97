#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# client-server on this machine: figures that fit together, many clients at default limits, instances side by side, the
# line that tbench's users know, and what ends a run.

. "$(dirname "$0")/../tap.sh"

program=$build/workloads/client-server
files=$tmp/files
[ -x "$program" ] || skip_all "$program is not built"
read -r first < <(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')

run() {
	rm -rf "$files"
	try timeout 60 "$program" "$@" --output "$files"
}

# CONDITION in awk over metrics by name; NA is "".
holds() {
	awk -F '\t' "NR > 1 { v[\$1] = \$4 } END { exit !($1) }" "$files/metrics.tsv"
}

for transport in tcp unix; do
	run --transport $transport --clients 2 --window 1s
	[ $status = 0 ] && holds 'v["clients"] == 2 && v["operations"] > 100 &&
		v["p50_us"] > 0 && v["p50_us"] <= v["p99_us"] && v["p99_us"] <= v["p99_9_us"] &&
		v["p99_9_us"] <= v["max_latency_ms"] * 1000 + 0.1 &&
		v["ops_per_s"] - v["operations"] < 0.001 && v["operations"] - v["ops_per_s"] < 0.001 &&
		v["client_min_mb_per_s"] <= v["mb_per_s"] / 2 + 0.001 && v["client_max_mb_per_s"] >= v["mb_per_s"] / 2 - 0.001'
	ok $? "$transport: figures fit together"
	[ "$(awk -F '\t' 'NR > 1 { n += $4 } END { print n }' "$files/latency.tsv")" = \
		"$(awk -F '\t' '$1 == "operations" { print $4 }' "$files/metrics.tsv")" ]
	ok $? "$transport: every operation is in the histogram"
	# 508 KiB of data in 100 operations; long enough for 10 % of room either way
	holds '(r = v["mb_per_s"] * 1e6 / v["ops_per_s"] / 5201.92) > 0.9 && r < 1.1'
	ok $? "$transport: data of an operation is what the table says"
	holds '(r = v["wire_mb_per_s"] * 1e6 / v["ops_per_s"] - v["mb_per_s"] * 1e6 / v["ops_per_s"]) > 100 && r < 200'
	ok $? "$transport: the rest of the bytes is headers"
	[ "$(awk -F '\t' 'NR > 1 { print $2 }' "$files/tasks.tsv" | tr '\n' ' ')" = "client0 server0 client1 server1 " ]
	ok $? "$transport: roles of the tasks"
done

# A-17: the first fifth, or what was asked for; from the first request of the last client on, so it may be less by what
# the start of the tasks took.
run --window 2s
holds 'v["warmup_s"] > 0.4 && v["warmup_s"] <= 0.5'
ok $? "A-17: a fifth of the time is warm-up where none was asked for"
run --window 300ms --warmup 900ms
holds 'v["warmup_s"] > 0.8 && v["warmup_s"] <= 0.9'
ok $? "A-17: warm-up asked is warm-up done"
try "$program" --window 300ms --warmup 0s
[ $status = 0 ]
ok $? "no warm-up at all"

# Throughput 559.279 MB/sec  1 clients  1 procs  max_latency=0.046 ms
try "$program" --clients 3 --window 300ms
said '^Throughput [0-9.]+ MB/sec  3 clients  3 procs  max_latency=[0-9]+\.[0-9]{3} ms$'
ok $? "alone it prints tbench's line"
awk '$1 == "Throughput" { mb = $2; split($8, part, "="); ms = part[2] }
	$1 == "mb_per_s" { d = mb - $2; good = d * d < 0.01 * 0.01 * mb * mb }
	$1 == "max_latency_ms" { d = ms - $2; good = good && d * d < 0.001 * 0.001 }
	END { exit !good }' "$tmp/out"
ok $? "with the figures of the table"

run --affinity pinned --cpus "$first" --clients 2 --window 300ms
[ $status = 0 ] && [ "$(awk -F '\t' 'NR > 1 { print $4, $5, $6, $7 }' "$files/tasks.tsv" | sort -u)" = \
	"$first $first $first $first" ]
ok $? "A-02: pinned tasks ran where they were asked to"

for clients in 16 128 256; do
	begin=$EPOCHREALTIME
	rm -rf "$files"
	try timeout 120 sh -c 'ulimit -S -n 1024; exec "$@"' sh "$program" --clients $clients --window 1s --output "$files"
	took=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
	[ $status = 0 ] && holds "v[\"clients\"] == $clients && v[\"operations\"] > 0" &&
		[ "$(wc -l <"$files/tasks.tsv")" = $((2 * clients + 1)) ] &&
		awk -v t="$took" 'BEGIN { exit !(t < 12) }' # the tasks' time to end after t1 is 10 s
	ok $? "A-30: $clients clients start and end in time ($took s)"
done

mkdir "$tmp/tmp"
pids=()
for i in 1 2 3 4; do
	TMPDIR=$tmp/tmp "$program" --clients 4 --window 500ms --transport "$([ $((i % 2)) = 0 ] && echo tcp || echo unix)" \
		>"$tmp/side$i" 2>&1 &
	pids+=($!)
done
bad=0
for pid in "${pids[@]}"; do wait "$pid" || bad=1; done
cat "$tmp"/side? >"$tmp/out"
[ $bad = 0 ] && [ -z "$(ls -A "$tmp/tmp")" ] && [ "$(grep -c ^Throughput "$tmp/out")" = 4 ]
ok $? "A-28: four instances at once, nothing left behind"

# A-27: a server dies in the middle: the run is an error and nobody is left.
"$program" --clients 2 --window 30s --warmup 0s >"$tmp/out" 2>&1 &
pid=$!
for _ in {1..50}; do
	mapfile -t tasks < <(pgrep -P $pid)
	[ ${#tasks[@]} = 4 ] && break
	sleep 0.1
done
sleep 0.2
kill -9 "${tasks[1]:-0}" 2>/dev/null
wait $pid
[ $? = 1 ] && said 'killed by signal 9|the other side ended' && ! ps -p "$(IFS=,; echo "${tasks[*]}")" >/dev/null
ok $? "A-27: a dead server ends the run, and no task outlives it"

try "$program" --clients 257
[ $status = 2 ] && said 'clients: 257 is out of range \(1 to 256\)'
ok $? "too many clients are refused"
try "$program" --clients 0
[ $status = 2 ]
ok $? "no client is refused"
done_testing
