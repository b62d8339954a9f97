#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every workload of the table, alone for a second: its files hold what its help promises. What the table says is what
# lists and manual pages say. A new row is tested without a change here.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
. tests/cli/workloads.sh
files=$tmp/files

# What is wrong with metrics.tsv of workload $1, by the rows that its help prints.
check_metrics() {
	declared "$1" >"$tmp/declared"
	[ -s "$tmp/declared" ] || echo "the help declares no metric"
	head -n 1 "$files/metrics.tsv" | grep -qx $'name\tunit\tbetter\tvalue' || echo "another header"
	# A run may have rows of its own behind those that are always there.
	tail -n +2 "$files/metrics.tsv" | cut -f 1 | head -n "$(wc -l <"$tmp/declared")" |
		diff "$tmp/declared" - >"$tmp/diff" || cat "$tmp/diff"
	awk -F '\t' '
		NR == 1 { next }
		NF != 4 { print "ragged: " $0 }
		$3 !~ /^(lower|higher|none)$/ { print "no direction: " $0 }
		$4 != "" && $4 !~ /^-?[0-9]+(\.[0-9]+)?$/ { print "no number: " $0 }
		$4 != "" { n++ }
		END { if (n < 1) print "not one value" }' "$files/metrics.tsv"
	# What is not available says in its help when that is so.
	awk -F '\t' 'NR > 1 && $4 == "" { print $1 }' "$files/metrics.tsv" | while read -r name; do
		sed -n "/^# ${1^^}\$/,/^# /p" "$page" | sed 's/\\//g' | grep -A 1 "^\*$name\*" | grep -qw NA ||
			echo "$name is empty and its help does not say when it is NA"
	done
}

# What is wrong with the other files.
check_files() {
	local f columns

	for f in latency:'role lo_ns hi_ns count' series:'t_ns name value' \
		tasks:'task role tid cpu_asked affinity cpu_start cpu_end migrations'; do
		columns=${f#*:} f=$files/${f%%:*}.tsv
		[ "$(head -n 1 "$f" | tr '\t' ' ')" = "$columns" ] || echo "$f: another header"
		awk -F '\t' -v f="$f" 'NR == 1 { n = NF } NF != n { print f ": ragged: " $0; exit }' "$f"
	done
	awk -F '\t' 'NR > 1 && ($2 !~ /^[0-9]+$/ || $3 < $2 || $4 !~ /^[1-9][0-9]*$/) { print "latency.tsv: " $0; exit }' \
		"$files/latency.tsv"
	# A-14: the end of a block is CLOCK_MONOTONIC, between the start of the program and now.
	awk -F '\t' -v from="$1" -v to="$2" 'NR > 1 && ($1 / 1e9 < from || $1 / 1e9 > to) { print "series.tsv: " $0; exit }' \
		"$files/series.tsv"
}

# CLOCK_MONOTONIC in seconds, as /proc/timer_list and python have it; uptime counts suspend, too.
monotonic() {
	perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC -e 'printf "%.6f\n", clock_gettime(CLOCK_MONOTONIC)'
}

"$build/runner" list workloads | awk '{ print $1 }' >"$tmp/listed"
workloads | diff - "$tmp/listed" >"$tmp/out" && [ "$(workloads | wc -l)" -ge 2 ]
ok $? "list workloads is the table, in its order"

page=$tmp/page.scd
# shellcheck disable=SC2046
try sh -c 'to=$1; shift; tools/workload-page "$@" >"$to"' sh "$page" $(workloads | sed "s|^|$build/workloads/|")
[ $status = 0 ] && diff "$page" docs/idle-runner-workloads.7.scd >"$tmp/out"
ok $? "the manual page of the workloads is what their help says (else: make workload-page)"

for w in $(workloads); do
	program=$build/workloads/$w
	options_of "$w"
	rm -rf "$files"
	begin=$(monotonic)
	try timeout 60 "$program" "${options[@]}" --window 1s --output "$files"
	[ $status = 0 ] && [ ! -s "$tmp/out" ]
	ok $? "$w runs for a second and prints nothing"
	check_metrics "$w" >"$tmp/out" 2>&1
	[ ! -s "$tmp/out" ]
	ok $? "$w: metrics.tsv has every metric of its help, in its order"
	check_files "$begin" "$(monotonic)" >"$tmp/out" 2>&1
	[ ! -s "$tmp/out" ]
	ok $? "A-14: $w: the other files are whole, their times CLOCK_MONOTONIC"

	"$program" --help >"$tmp/help"
	! grep -nE '.{81}' "$tmp/help" >"$tmp/out"
	ok $? "$w: its help fits 80 columns"
	grep -qx "## $w" docs/workload-interface.md
	ok $? "$w has a section in docs/workload-interface.md"
	{
		declared "$w"
		sed -n '/^Parameters/,/^Options of every/s/^  -*\([a-z][a-z0-9_-]*\)\( .*\|$\)/\1/p' "$tmp/help"
	} | while read -r name; do
		sed -n "/^# ${w^^}\$/,/^# /p" "$page" | sed 's/\\//g' | grep -qE "^\*$name\*" || echo "$name"
	done >"$tmp/out"
	[ ! -s "$tmp/out" ]
	ok $? "$w: the manual page explains every parameter and metric"
done

# A-14: no clock but CLOCK_MONOTONIC, and the CPU time of a task; nor an interface that hides another one.
grep -nE '\bCLOCK_[A-Z_]+' workloads/*.[ch] src/lib/clock.[ch] |
	grep -vE 'CLOCK_(MONOTONIC|THREAD_CPUTIME_ID|PROCESS_CPUTIME_ID)\b' >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "A-14: workloads read CLOCK_MONOTONIC only"
nm -u "$build/libworkloads.a" >"$tmp/symbols" 2>&1
grep -wE '(gettimeofday|time|times|ftime|clock|timespec_get)$' "$tmp/symbols" >"$tmp/out"
[ ! -s "$tmp/out" ] && grep -qw clock_gettime "$tmp/symbols"
ok $? "A-14: no workload calls for another clock"

# A-18: CPU 0 is a CPU like others.
if taskset -cp $$ | grep -qE ': 0([-,]|$)'; then
	for w in $(workloads); do
		"$build/workloads/$w" --help | grep -q '^  --cpus ' || continue
		options_of "$w"
		rm -rf "$files"
		try timeout 60 "$build/workloads/$w" "${options[@]}" --cpus 0 --window 500ms --output "$files"
		if [ $status = 2 ] && said 'CPUs?'; then
			said 'cpus|CPU'
			ok $? "A-18: $w needs more than one CPU, and says so"
			continue
		fi
		[ $status = 0 ] && awk -F '\t' 'NR > 1 && ($5 != "0" || ($6 != "" && $6 != 0) || ($7 != "" && $7 != 0)) { exit 1 }
			NR > 1 { n++ } END { exit !n }' "$files/tasks.tsv"
		ok $? "A-18: $w: all of its tasks on CPU 0"
	done
fi

# A-06: the slack is set in every thread, and what was read back is printed.
for w in $(workloads); do
	declared "$w" | grep -qx timer_slack_ns || continue
	options_of "$w"
	for slack in 1ns:1 50us:50000; do
		rm -rf "$files"
		try timeout 60 "$build/workloads/$w" "${options[@]}" --window 300ms --timer-slack ${slack%:*} --output "$files"
		[ $status = 0 ] && grep -qE "^timer_slack_ns	.*	${slack#*:}\$" "$files/metrics.tsv"
		ok $? "A-06: $w: timer slack ${slack%:*} is what the tasks read back"
	done
done

done_testing
