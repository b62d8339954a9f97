#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A command under two governors of this machine, and the examples whose programs are installed, for a short while.

. "$(dirname "$0")/live.sh"

mark=7$$ # seconds that no other test sleeps
two=$(comma_list "${offered[@]:0:2}")

value() { # DIR NAME
	awk -F '\t' -v name="$2" '$1 == name { print $4 }' "$1/metrics.tsv"
}

# short NAME EDIT...: the suite NAME of configs/ with sed's EDITs, once, into $tmp/NAME.
short() {
	local name=$1

	shift
	sed "$@" "$top/configs/$name.ini" >"$tmp/$name.ini"
	try "$runner" --suite "$tmp/$name.ini" --governors "$two" --repeat 1 --allow-busy --no-power --no-report \
		--results "$tmp/$name"
}

# all_positive NAME METRIC...: in every complete run of the suite, of which there is one at least.
all_positive() {
	local name=$1 dir metric n=0

	shift
	for dir in $(published "$tmp/$name"); do
		grep -q '^state = complete' "$dir/run.ini" || continue
		n=$((n + 1))
		for metric; do
			awk -v value="$(value "$dir" "$metric")" 'BEGIN { exit !(value > 0) }' ||
				{ echo "$dir: $metric"; return 1; }
		done
	done
	[ $n -gt 0 ]
}

try "$runner" run --governors "$two" --repeat 2 --allow-busy --no-power --results "$tmp/r" -- \
	sh -c "setsid sleep $mark & sleep 0.3"
ok $status "a command under $two"
governor_is_back
ok $? "the governor is $governor_before again"
[ "$(published "$tmp/r" | wc -l)" -ge 4 ] && all_positive r run_s cpu_s unit_start_ns
ok $? "run time and CPU time of each run"
incomplete "$tmp/r" >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "every run directory is complete"
! ps -eo stat=,args= | awk -v mark="$mark" '$1 !~ /^Z/ && $2 == "sleep" && $3 == mark' | grep -q .
ok $? "A-27: the daemon that it left is gone"
[ -s "$tmp/r/report/index.html" ]
ok $? "it has a report"
# The counters' edges are the command's: the first reading is at its start, the last at its end.
for dir in $(published "$tmp/r"); do
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n++; if ($at["t1_ns"] - $at["t0_ns"] < 290000000) bad = 1 } END { exit !n || bad }' "$dir/idle.tsv"
	ok $? "$(basename "$dir"): the counters were read at both ends of it"
done

short command 's/-lt 200/-lt 20/'
ok $status "example command"
[ "$(value "$(published "$tmp/command" | head -n 1)" rounds)" = 20 ]
ok $? "its value"
if command -v fio >/dev/null; then
	short fio 's/--runtime=10/--runtime=1/; s/--size=64m/--size=4m/'
	ok $status "example fio"
	all_positive fio read_p99_us read_iops
	ok $? "its values"
fi
if command -v tbench >/dev/null && command -v tbench_srv >/dev/null; then
	short tbench 's/-t 10/-t 3/; /clients-2/,$d' # below 2 s it prints 0
	ok $status "example tbench"
	all_positive tbench throughput max_latency_ms
	ok $? "its values"
	! pgrep -x tbench_srv >/dev/null
	ok $? "its server is gone"
fi
if command -v perf >/dev/null; then
	short hackbench 's/-l 1000/-l 20/'
	ok $status "example hackbench"
	all_positive hackbench total_s
	ok $? "its value"
fi
if command -v schbench >/dev/null; then
	short schbench 's/-r 20/-r 2/'
	ok $status "example schbench"
	all_positive schbench request_p99_us rps
	ok $? "its values"
fi
governor_is_back
ok $? "the governor is $governor_before again at the end"
done_testing
