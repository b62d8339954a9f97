#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# wakeup on this machine: every wake that was planned is found again, whatever else runs, and its figures fit together.

. "$(dirname "$0")/../tap.sh"

wakeup=$build/workloads/wakeup
[ -x "$wakeup" ] || skip_all "$wakeup is not built"
export LC_ALL=C
read -r first second _ < <(allowed_cpus)
[ -n "$second" ] || skip_all "needs two CPUs"

run() {
	rm -rf "$tmp/files"
	try timeout 120 "$wakeup" --output "$tmp/files" "$@"
}

# holds CONDITION: an awk condition over metrics by name; NA is "". True for every run:
# no wake is lost, each that came is in latency.tsv, quantiles are in order.
holds() {
	[ "$status" = 0 ] && awk -F '\t' 'NR > 1 { printf "%s=%s\n", $1, $4 }' "$tmp/files/metrics.tsv" >>"$tmp/out" &&
		awk -F '\t' '
			FNR == 1 { next }
			FILENAME ~ /latency/ { recorded += $4; next }
			{ m[$1] = $4 }
			END {
				exit !(m["wakes"] + m["not_asleep"] + m["not_sent"] == m["wakes_planned"] &&
					recorded == m["wakes"] && m["min_us"] <= m["p50_us"] && m["min_us"] <= m["mean_us"] &&
					m["p50_us"] <= m["p90_us"] && m["p90_us"] <= m["p99_us"] &&
					m["p99_us"] <= m["p99_9_us"] && m["p99_9_us"] <= m["max_us"] &&
					m["mean_us"] <= m["max_us"] && m["free_pct"] >= 0 && m["free_pct"] <= 100 &&
					'"($1)"')
			}' "$tmp/files/latency.tsv" "$tmp/files/metrics.tsv"
}

for by in pipe eventfd futex socket; do
	run --by $by --threads 50 --interval 100us --loops 2000
	holds 'm["wakes_planned"] == 2000 && m["not_sent"] == 0 && m["tasks"] == 51 && m["sent_late_p50_us"] > 0'
	ok $? "done + missed = planned with loops, by $by"
done
run --by timer --threads 50 --interval 100us --loops 2000
holds 'm["wakes_planned"] == 2000 && m["tasks"] == 50 && m["not_sent"] == "" && m["sent_late_p50_us"] == ""'
ok $? "done + missed = planned with loops, by timer"
for how in '--by pipe' '--by timer' '--by pipe --order random' '--by timer --order random --seed 7' \
	'--by futex --waker sleep' '--by pipe --affinity free'; do
	for _ in 1 2 3 4; do
		# on a machine so busy that no wake comes at all the run is an error, and says nothing
		# shellcheck disable=SC2086
		run $how --threads 20 --interval 50us --window 300ms
		said 'not one wake in the window' || break
	done
	holds 'm["wakes_planned"] == 6000'
	ok $? "done + missed = planned in a window, $how"
done

# One sleeper cannot be woken a million times a second: most turns find it awake, and none is lost.
run --threads 1 --interval 1us --window 200ms
holds 'm["wakes_planned"] == 200000 && m["not_asleep"] + m["not_sent"] > 100000 && m["wakes"] > 0'
ok $? "wakes that find their sleeper awake are counted apart"
run --by timer --threads 1 --interval 1us --window 200ms
holds 'm["wakes_planned"] == 200000 && m["not_asleep"] > 100000 && m["wakes"] > 0'
ok $? "timers that find their sleeper awake are counted apart"

# With one sleeper nobody else of ours can be in its way, and its CPU is free from its sleep to the next wake: at most
# two intervals when the wakes are on time.
run --threads 1 --interval 5ms --loops 40
holds 'm["wakes_planned"] == 40 && m["free_pct"] == 100 && m["switches_per_wake"] > 0.9 && m["switches_per_wake"] < 1.1' &&
	! grep -q gap_busy "$tmp/files/latency.tsv"
ok $? "one sleeper: every wake meets a free CPU, every wait is a sleep"
awk -F '\t' '
	FNR == 1 { next }
	FILENAME ~ /latency/ { role[$1]; next }
	$1 ~ /^gap_.*_p50_us$/ && $1 != "gap_p50_us" { sub(/_p50_us$/, "", $1); metric[$1] }
	END { for (r in role) { if (!(r in metric)) exit 1; n++ } for (r in metric) if (!(r in role)) exit 1; exit !n }' \
	"$tmp/files/latency.tsv" "$tmp/files/metrics.tsv"
ok $? "each class of gaps that occurred has its latencies and its metrics"

run --threads 3 --interval 1ms --loops 30
awk -F '\t' -v first="$first" '
	NR > 1 && ($4 != $5 || $4 != $6 || $4 != $7 || $8 != 0 || ($2 == "waker") != ($4 == first)) { exit 1 }
	END { exit NR != 5 }' "$tmp/files/tasks.tsv"
ok $? "A-02: the waker has the first CPU, the sleepers the others"

run --cpus "$first" --waker sleep --threads 3 --interval 1ms --loops 30
holds 'm["wakes_planned"] == 30'
ok $? "one CPU for all, with a waker that sleeps"
run --cpus "$first" --by timer --threads 3 --interval 1ms --loops 30
holds 'm["wakes_planned"] == 30'
ok $? "one CPU for all, by timer"
run --cpus "$first"
[ "$status" = 2 ] && said 'keeps a CPU busy'
ok $? "one CPU for all is refused where the waker spins"

for how in '--threads 500' '--threads 2000' '--threads 2000 --by timer'; do
	run_limited() { (ulimit -Sn 1024 && ulimit -Ss 8192 && exec timeout 60 "$wakeup" --output "$tmp/files" "$@"); }
	rm -rf "$tmp/files"
	# shellcheck disable=SC2086
	try run_limited $how --interval 100us --loops 3000
	holds 'm["wakes_planned"] == 3000 && m["start_ms"] < 20000'
	ok $? "A-30: $how start and end in time"
done

"$wakeup" --by timer --window 60s >/dev/null 2>&1 &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
[ $? = 143 ]
ok $? "A-27: SIGTERM ends 500 sleepers"

if [ -n "${IDLE_TEST_LONG:-}" ]; then
	try env BUILD="$build" "$top/tests/bench/wakeup-vs-hand" 15 20000 "$first,$second"
	sed 's/^/# /' "$tmp/out"
	ratio=$(sed -n 's/^median ratio wakeup\/hand: \([0-9.]*\) .*/\1/p' "$tmp/out")
	awk -v ratio="${ratio:-9}" 'BEGIN { exit !(ratio >= 0.9 && ratio <= 1.1) }'
	ok $? "latencies are those of a loop written by hand: ratio $ratio"
fi
done_testing
