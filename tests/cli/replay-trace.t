#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# replay of traces, made by hand as trace text: which periods become one gap, open and closed loop, what is told of a
# governor that was recorded, tables for programs, figures.

. tests/tap.sh

replay() {
	try "$build/runner" replay "$@"
}

# is WHAT VALUE WANT
is() {
	[ "$2" = "$3" ]
	ok $? "$1: $3 (is $2)"
}

# idle CPU FROM_US TO_US STATE [EVENT|...]: an idle period; what ended it comes right behind
idle() {
	awk -v cpu="$1" -v from="$2" -v to="$3" -v state="$4" -v event="${5-}" 'BEGIN {
		form = "<idle>-0 [%03d] d..1. %.9f: %s\n"
		printf form, cpu, 100 + from / 1e6, "cpu_idle: state=" state " cpu_id=" cpu
		printf form, cpu, 100 + to / 1e6, "cpu_idle: state=4294967295 cpu_id=" cpu
		for (n = split(event, list, "|"); i < n;) printf form, cpu, 100 + to / 1e6, list[++i]
	}'
}
tick='local_timer_entry: vector=236|hrtimer_expire_entry: hrtimer=0000000000000009 function=tick_nohz_handler now=1'
ipi='reschedule_entry: vector=253'

cat >"$tmp/two.ini" <<'INI'
[machine]
about = two states and polling
hz = 1000
[state POLL]
latency = 0us
residency = 0us
polling = yes
power_w = 5
[state C1]
latency = 2us
residency = 2us
power_w = 1
[state C6]
latency = 100us
residency = 600us
power_w = 0.1
INI

# Two ticks cut 2500 us in C1 into three periods; exits of C1 take 1 us. Then 80 us in which a task ran, and an idle of 50.
{
	idle 0 0 1000 1 "$tick"
	idle 0 1005 2000 1 "$tick"
	idle 0 2003 2500 1 "$ipi"
	idle 0 2580 2630 1 "$ipi"
} >"$tmp/ticks"
replay "$tmp/ticks" --table "$tmp/two.ini" --governors oracle,menu-6.1 --decisions "$tmp/rows"
[ "$status" = 0 ] && said '4 periods of 1 CPUs' && said '^2 gaps: 0 end by a timer' && said 'Merged into them: 2 ticks'
ok $? 'ticks right before the next entry cut no gap'
row() { # of governor $1, number $2: column $3
	awk -F'\t' -v g="$1" -v n="$2" -v c="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == g && ++k == n { print $at[c] }' "$tmp/rows"
}
is "the gap ends when its cause came, ns" "$(row oracle 1 truth_ns)" 2499000
is 'the oracle takes the deep state for it' "$(row oracle 1 state)" C6
is "the second gap, ns" "$(row oracle 2 truth_ns)" 49000
is 'and its state' "$(row oracle 2 state)" C1
is 'its CPU' "$(row oracle 2 cpu)" 0
is 'what ended it' "$(row oracle 2 cause)" irq
is 'the oracle takes no tick wake' "$(awk -F'\t' '$1 == "oracle" && $14 == 1' "$tmp/rows" | wc -l)" 0
said 'Tasks were not recorded'
ok $? 'the text says that tasks are not known'
said 'Next timer: known at the start of 0 gaps; 0 take the next that is seen later, 2 a timer each second'
ok $? '... and timers'
[ "$(awk -F'\t' '$1 == "menu-6.1"' "$tmp/rows" | wc -l)" -gt 2 ]
ok $? 'a governor that keeps the tick is woken by it anew'

# Without what woke it each period is a gap of its own.
grep cpu_idle "$tmp/ticks" >"$tmp/bare"
replay "$tmp/bare" --table "$tmp/two.ini" --governors oracle
[ "$status" = 0 ] && said '^4 gaps' && said 'What woke the CPUs was not recorded'
ok $? 'a trace of cpu_idle alone'
replay "$tmp/bare" --governors oracle
[ "$status" = 2 ] && said 'does not tell the idle states: --table NAME'
ok $? 'without a state table one has to be named'

# A token that two CPUs pass: each works 8 us, and is woken 1 us after the other has sent, an exit of C1. 50 rounds of 20 us.
for k in $(seq 0 49); do
	idle 0 $((k * 20 + 9)).5 $((k * 20 + 20)) 1 "$ipi"
	idle 1 $((k * 20 + 19)).5 $((k * 20 + 30)) 1 "$ipi"
done >"$tmp/token"
# The first wake of CPU 0 is by CPU 1, whose periods have not begun yet: nobody's.
replay "$tmp/token" --table "$tmp/two.ini" --governors oracle,haltpoll --loop closed --decisions "$tmp/rows"
[ "$status" = 0 ] && said '99 by another CPU, 1 by other interrupts'
ok $? 'who was woken by whom'
shift_ms() {
	awk -v g="$1" '$1 == g { print $NF }' "$tmp/out"
}
# In C1 nothing changes. haltpoll halts once on each CPU; then each of the 98 wakes finds the CPU polling: 1 us less each.
is 'closed loop, the same state: nothing moves, ms' "$(shift_ms oracle)" +0.000
is 'closed loop, polling: 98 wakes of 1 us less, ms' "$(shift_ms haltpoll-6.12)" -0.098
# Before it are CPU 0's polled wakes 1 to 48 and CPU 1's 1 to 47.
is "CPU 0's last gap begins as much earlier, ns" \
	"$(awk -F'\t' '$1 == "haltpoll-6.12" && $17 == 0 { now = $3 } END { printf "%d", now - 100000989500 }' "$tmp/rows")" -95000
replay "$tmp/token" --table "$tmp/two.ini" --governors haltpoll --decisions "$tmp/rows"
is "open loop: it does not move" \
	"$(awk -F'\t' '$1 == "haltpoll-6.12" && $17 == 0 { now = $3 } END { printf "%d", now - 100000989500 }' "$tmp/rows")" 0
! said 'shift ms'
ok $? '... and has no shift'

# With a CPU that gives no idle events, its wakes are answers: they move with the CPU that they wake.
{
	echo cpus=2
	grep 'cpu_id=0\|\[000\]' "$tmp/token"
} >"$tmp/half"
replay "$tmp/half" --table "$tmp/two.ini" --governors oracle,haltpoll --loop closed
[ "$status" = 0 ] && said '1 CPUs have no idle event' && said 'taken for answers'
ok $? 'a partner without idle events'
is 'its 49 answers come 1 us earlier each, ms' "$(shift_ms haltpoll-6.12)" -0.049

# A governor's own decisions as a trace: the rules that do not ask give each state again.
awk 'BEGIN { srand(7); print "start_us duration_us"; for (t = i = 0; i < 400; i++) { d = int(3 + rand() * 900); print t, d; t += d + 700 + int(rand() * 90) } }' >"$tmp/list"
as_trace() { # GOVERNOR: what it has entered
	replay "$tmp/list" --table i5-10600k --governors "$1" --decisions "$tmp/rows"
	awk -F'\t' 'NR > 1 && $12 != "" { state = substr($12, 2, 1); if ($12 == "POLL") state = 0
		printf "<idle>-0 [000] d..1. %.9f: cpu_idle: state=%d cpu_id=0\n", 50 + $3 / 1e9, state
		printf "<idle>-0 [000] d..1. %.9f: cpu_idle: state=4294967295 cpu_id=0\n", 50 + ($3 + $13) / 1e9 }' "$tmp/rows"
}
for governor in ladder ladder-rfc; do
	as_trace "$governor" >"$tmp/own"
	replay "$tmp/own" --table i5-10600k --governors oracle --recorded "$governor"
	said "$governor chooses the kernel's state in ([0-9]+) of \1 \(100.00 %\)"
	ok $? "fidelity: all of $governor's own decisions"
done
# Period 200 in another state: the model stays with what really happened, so it is one miss; no input of the trace explains it.
awk '/state=[0-3] / && ++n == 200 { sub(/state=[0-3]/, "state=3") } { print }' "$tmp/own" >"$tmp/wrong"
replay "$tmp/wrong" --table i5-10600k --governors oracle --recorded ladder-rfc --misses "$tmp/misses"
said "ladder-rfc chooses the kernel's state in [0-9]+ of" && [ "$(awk -F'\t' '$2 == 199 { print $4, $11 }' "$tmp/misses")" = 'C3_ACPI not explained' ]
ok $? 'a state that the rules do not give is not explained'
as_trace menu-6.18 >"$tmp/own"
replay "$tmp/own" --table i5-10600k --governors oracle --recorded menu-6.18 --misses "$tmp/misses" --format json
cp "$tmp/out" "$tmp/json"
try python3 - "$tmp/json" "$tmp/misses" <<'PY'
import collections, json, sys
f = json.load(open(sys.argv[1]))["fidelity"]
rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[2])][1:]
said = collections.Counter(row[-1] for row in rows)
assert f["periods"] - f["equal"] == len(rows) == sum(f["misses"].values()), (f, len(rows))
assert all(f["misses"][name] == n for name, n in said.items()), (f, said)
assert f["misses"]["not explained"] == 0, f
assert f["sleep_length_known"] == 0
PY
ok "$status" 'each miss has a class, and rows and sums agree'

# The worked trace W2: 5 us idles. teo-6.14 takes the deepest state, then C1.
{
	idle 0 0 5 3 "$ipi"
	for k in 1 2 3 4 5 6; do
		idle 0 $((k * 100)) $((k * 100 + 5)) 1 "$ipi"
	done
} >"$tmp/w2"
replay "$tmp/w2" --table i5-10600k --governors oracle --recorded teo-6.14
said "teo-6.14 chooses the kernel's state in 7 of 7 \(100.00 %\)"
ok $? 'W2: teo-6.14, 7 of 7'
replay "$tmp/w2" --table i5-10600k --governors oracle --recorded teo-7.0
said "teo-7.0 chooses the kernel's state in 6 of 7" && said '1 \(14.29 %\) start-up: '
ok $? 'W2: teo-7.0 begins in POLL: one miss, of the start'
replay "$tmp/w2" --table i5-10600k --governors oracle
said 'Fidelity: the trace does not name its governor and kernel'
ok $? 'whose decisions they are has to be known'

# One entry more than exits.
{
	printf '<idle>-0 [000] d..1. 100.000000: cpu_idle: state=1 cpu_id=0\n'
	sed 's/ 100\./ 101./' "$tmp/w2"
} >"$tmp/more"
replay "$tmp/more" --table i5-10600k --governors oracle
[ "$status" = 3 ] && said '^The trace is not whole: 0 events lost, 0 places damaged\.$' && said ' 1 beginnings without an end, '
ok $? 'what a trace lacks is said wherever the status is 3'
replay "$tmp/more" --table i5-10600k --governors oracle --format json
[ "$status" = 3 ] && said '^  "whole": false,$'
ok $? '... and in json'

# A tick that is overdue at entry, as in an emulated guest: nothing to sleep for, whatever the timers.
for k in 0 1 2 3 4 5 6 7; do
	us=$((k * 4000)) due=$((100004000000 + k * 4000000))
	printf '<idle>-0 [000] d..1. 100.%06d000: hrtimer_start: hrtimer=0000000000000009 function=tick_nohz_handler ' $((us + 20))
	echo "expires=$due softexpires=$due mode=ABS"
	idle 0 $((us + 100)) $((us + 3900)) 3
	idle 0 $((us + 4002)) $((us + 4006)) 0 "${tick%1}$((due + 6000))"
done >"$tmp/overdue"
replay "$tmp/overdue" --table i5-10600k --governors oracle --recorded teo-5.13
said "teo-5.13 chooses the kernel's state in 16 of 16 \(100.00 %\)"
ok $? 'fidelity: POLL where the tick is overdue'

replay "$tmp/token" --table "$tmp/two.ini" --governors oracle,menu --format csv
[ "$(head -1 "$tmp/out" | cut -d, -f1-6)" = governor,cpus,machine,state,state_name,share ] && [ "$(grep -c '^menu-7.0,0-1,two,' "$tmp/out")" = 3 ]
ok $? 'csv: a row a state'
[ "$(awk -F, '$1 == "menu-7.0" { s += $6 } END { printf "%.6f", s }' "$tmp/out")" = 1.000000 ]
ok $? '... whose shares are 1 together'
if command -v gnuplot >/dev/null; then
	replay "$tmp/token" --table "$tmp/two.ini" --governors all --figures "$tmp/figures"
	ok "$status" 'figures'
	for figure in states misses cost; do
		grep -q '>MODELLED<' "$tmp/figures/plots/$figure.svg" && [ -s "$tmp/figures/data/$figure.tsv" ]
		ok $? "$figure: drawn, and marked MODELLED"
		awk -F '\t' '$NF != (NR == 1 ? "mark" : "MODELLED") { exit 1 }' "$tmp/figures/data/$figure.tsv"
		ok $? "... its data too"
	done
	replay "$tmp/token" --table "$tmp/two.ini" --governors all --figures "$tmp/figures"
	[ "$status" = 1 ] && said 'File exists'
	ok $? 'a folder that is there is left alone'
else
	ok 0 'figures # SKIP there is no gnuplot'
fi

replay "$tmp/token" --table "$tmp/two.ini" --governors all --loop closed --decisions "$tmp/rows"
cp "$tmp/out" "$tmp/first"
cp "$tmp/rows" "$tmp/first-rows"
replay "$tmp/token" --table "$tmp/two.ini" --governors all --loop closed --decisions "$tmp/rows"
cmp -s "$tmp/out" "$tmp/first" && cmp -s "$tmp/rows" "$tmp/first-rows"
ok $? 'the same bytes again'

cases=$top/../shared/cases/traces
if [ -d "$cases" ]; then
	replay "$cases/icx_qperf.txt" --table icx --governors all
	[ "$status" = 0 ] && said '8 periods of 2 CPUs'
	ok $? 'two excerpts glued'
	replay "$cases/small_6cpu.cpu_idle.txt" --table skx --governors all --loop closed
	[ "$status" = 3 ]
	ok $? 'exits without entry: exit status 3'
else
	ok 0 "traces of real machines # SKIP they are not here ($cases)"
fi

echo 5us >"$tmp/one"
refused_by replay 'closed: a list is of one CPU' "$tmp/one" --loop closed
refused_by replay '--loop half: there are closed and open' "$tmp/one" --loop half
refused_by replay 'for traces' "$tmp/one" --misses "$tmp/rows"
refused_by replay "--format xml: there are text, csv and json" "$tmp/one" --format xml
refused_by replay "unknown governor 'tea'" "$tmp/token" --recorded tea
replay "$tmp/token" --table "$tmp/two.ini" --governors oracle --misses /dev/full --recorded menu
[ "$status" = 1 ] && said '/dev/full'
ok $? 'a full disk under the misses is told'

done_testing
