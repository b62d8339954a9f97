#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ebizzy: counts that are exact, CPUs (A-02), rates that follow from the interval, many threads (A-30), nothing left (A-27).

. "$(dirname "$0")/../tap.sh"

ebizzy=$build/workloads/ebizzy
files=$tmp/files
[ -x "$ebizzy" ] || skip_all "$ebizzy is not built"
read -ra allowed < <(allowed_cpus)

run() {
	rm -rf "$files"
	try timeout 120 "$ebizzy" --output "$files" "$@"
	cat "$files"/metrics.tsv >>"$tmp/out" 2>/dev/null
}

metric() {
	awk -F '\t' -v name="$1" '$1 == name { print $4 }' "$files/metrics.tsv"
}

# CONDITION over metrics, by their names; one that is not available is "NA"
holds() {
	awk -F '\t' -v condition="$1" '
		NR > 1 { value[$1] = $4 == "" ? "\"NA\"" : $4 }
		END {
			while (match(condition, /[a-z][a-z0-9_]*[a-z]/)) {
				name = substr(condition, RSTART, RLENGTH)
				text = text substr(condition, 1, RSTART - 1) (name in value ? value[name] : "unknown_" name)
				condition = substr(condition, RSTART + RLENGTH)
			}
			print "BEGIN { exit !(" text condition ") }"
		}' "$files/metrics.tsv" >"$tmp/condition"
	awk -f "$tmp/condition"
}

counted() { # ROLE: samples in latency.tsv
	awk -F '\t' -v role="$1" '$1 == role { n += $4 } END { print n + 0 }' "$files/latency.tsv"
}

run --threads 16 --interval 1ms --loops 30
holds 'records == 480 && threads == 16 && sleeps == 16 * 29 && thread_min_per_s <= thread_max_per_s' &&
	holds 'overshoot_p50_us <= overshoot_p99_us && overshoot_p99_us <= overshoot_max_us && record_p50_us <= record_p99_us'
ok $? "loops: 30 records and 29 sleeps of each of 16 threads"
[ "$(counted record)" = 480 ] && [ "$(counted overshoot)" = 464 ]
ok $? "each record and each sleep is in the histograms"
holds 'run_time_s >= 0.029 && records_per_s * run_time_s > 475 && records_per_s * run_time_s < 485'
ok $? "29 sleeps of 1 ms take their time"

run --threads 16 --interval 1ms --every 10 --loops 30 --warmup 0s
holds 'records == 480 && sleeps == 16 * 2'
ok $? "every 10th: 2 sleeps in 30 records"

for alloc in malloc mmap; do
	run --threads 4 --interval 0us --loops 200 --alloc $alloc --size 64KiB --chunks 3 --seed 7
	holds 'records == 800 && sleeps == 0' && [ "$(metric overshoot_p50_us)$(metric overshoot_p99_us)$(metric overshoot_max_us)" = "" ]
	ok $? "alloc $alloc, interval 0: no sleep, and no lateness of one (NA, not 0)"
done

# 8 threads need little of a CPU: 21 records each at most in 2 s, and not much less even where others run
run --threads 8 --interval 100ms --window 2s
holds 'records <= 8 * 21 && records >= 8 * 8 && run_time_s == 2 && records_per_s == records / 2'
ok $? "interval 100 ms: $(metric records) records of 8 threads in 2 s"
holds 'batches == 10' && [ "$(awk -F '\t' '$2 == "records_per_s" { n += $3 * 0.2 } END { printf "%.0f", n }' "$files/series.tsv")" = "$(metric records)" ]
ok $? "the batches of the series sum up to the records"
slow=$(metric records_per_s)
run --threads 8 --interval 0us --window 500ms
awk -v slow="$slow" -v fast="$(metric records_per_s)" 'BEGIN { exit !(fast > 2 * slow) }'
ok $? "without an interval: $(metric records_per_s) records/s instead of $slow"

run --threads 5 --interval 1ms --affinity pinned --loops 20
want=$(for i in 0 1 2 3 4; do cpu=${allowed[$((i % ${#allowed[@]}))]}; printf '%s ' "$cpu/$cpu/$cpu/$cpu/0"; done)
[ "$(awk -F '\t' 'NR > 1 { print $4 "/" $5 "/" $6 "/" $7 "/" ($8 == "" ? 0 : $8) }' "$files/tasks.tsv" | tr '\n' ' ')" = "$want" ]
ok $? "A-02: pinned threads stay on their CPUs, which they share in turn"
last=${allowed[-1]}
run --threads 5 --interval 1ms --cpus "$last" --loops 20
[ "$(awk -F '\t' 'NR > 1 { print "asked" $4, $5, $6, $7 }' "$files/tasks.tsv" | sort -u)" = "asked $last $last $last" ]
ok $? "A-02: with affinity free --cpus is where they may run"
try "$ebizzy" --threads 5 --cpus "$last" --loops 3
said 'affinity free, oversubscribed'
ok $? "A-34: more threads than CPUs are labelled, and so is affinity free"

run --loops 3 --interval 1ms
holds 'records == 384 && threads == 128'
ok $? "A-30: 128 threads"
run --threads 2000 --size 4KiB --interval 100ms --loops 3
holds 'records == 6000'
ok $? "A-30: 2000 threads"

try "$ebizzy" --help
said '^Timer based: yes, unless interval is 0$'
ok $? "the help says whether it is timer based"

while IFS='|' read -r says options; do
	# shellcheck disable=SC2086
	try "$ebizzy" $options
	[ $status = 2 ] && said "$says" && [ "$(wc -l <"$tmp/out")" = 1 ]
	ok $? "A-12: $options is refused"
done <<-EOF
	every has no effect with interval 0|--interval 0us --every 2
	timer-slack has no effect with interval 0|--interval 0us --timer-slack 50us
	window has no effect with loops|--loops 5 --window 1s
	not a multiple of 8B|--size 4100B
	size: |--size 512
	size: |--size 1KiB
	threads: |--threads 0
	interval: |--interval 10
	would have no effect|--threads 1 --affinity pinned --cpus 0,1
EOF
try "$ebizzy" --size 1GiB --chunks 100000 --threads 1
[ $status = 1 ] && said 'the machine has'
ok $? "more memory than the machine has is refused before it is used"
run --threads 1 --size 256MiB --interval 0us --window 1ms --warmup 0s
[ $status = 1 ] && said 'not one whole record' && [ ! -e "$files/metrics.tsv" ]
ok $? "a record longer than the window is an error, not a figure"

for signal in TERM KILL; do
	"$ebizzy" --window 60s --interval 5s --threads 32 >/dev/null 2>&1 &
	main=$!
	for _ in {1..100}; do [ "$(ls /proc/$main/task 2>/dev/null | wc -l)" -ge 33 ] && break; sleep 0.05; done
	sleep 0.2
	kill -$signal $main
	begin=$SECONDS
	wait $main 2>/dev/null
	status=$?
	[ $status = $((128 + $(kill -l $signal))) ] && [ $((SECONDS - begin)) -lt 5 ] && [ ! -e /proc/$main ]
	ok $? "A-27: SIG$signal: status $status, at once although all threads sleep"
done
done_testing
