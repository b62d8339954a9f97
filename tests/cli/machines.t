#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whole rehearsals on machines of tests/machines: placed by their topology, read by their tables, marked as rehearsal,
# and put back. What each reader makes of every machine is tests/unit/hw/machines.c.

. tests/cli/runner.sh

# A page a file: containers often have 64 MiB there.
fast=/dev/shm
[ -w "$fast" ] && [ "$(df -Pk "$fast" | awk 'NR == 2 { print $4 }')" -gt 600000 ] || fast=$tmp
m=$(mktemp -d "$fast/machine-XXXXXX") || exit 1
trap 'rm -rf "$tmp" "$m"' EXIT

# Without a task, and on two cores: the figures of all workloads are for real machines.
suite pair '[run idle]' 'workload = idle' '[run two-cores]' 'workload = ping-pong' 'cores = 2' 'work = 0'

# lay NAME: that machine in $m.
lay() {
	rm -rf "$m" "$tmp/r"
	tests/machines/lay-out "tests/machines/$1.ini" "$m" || exit 1
	name=$1
	governor=$m/sys/devices/system/cpu/cpuidle/current_governor
	before=$(cat "$governor" 2>"$tmp/err")
}

rehearse() {
	run --root "$m" --suite "$tmp/pair.ini" --governors available --window 200ms --warmup 0s --no-report \
		--results "$tmp/r" "$@"
}

# of KEY: its values in the runs of section two-cores.
of() {
	sed -n "s/^$1 = //p" "$tmp"/r/boots/*/runs/*two-cores*/run.ini | sort -u
}

# Every run complete and marked, one row a CPU and state, the governor back.
rehearsed() {
	local runs

	runs=$(find "$tmp/r/boots" -name run.ini 2>/dev/null | wc -l)
	ok "$name: the rehearsal ends well" ended 0
	ok "$name: $1 runs" test "$runs" = "$1"
	ok "$name: all marked as rehearsal" test "$(cat "$tmp"/r/boots/*/runs/*/run.ini | grep -c '^rehearsal = yes$')" = "$1"
	ok "$name: all complete" test "$(cat "$tmp"/r/boots/*/runs/*/run.ini | grep -c '^state = complete$')" = "$1"
	ok "$name: each says whether a timer wakes it (P-45)" test \
		"$(cat "$tmp"/r/boots/*/runs/*/run.ini | grep -c '^timer_based = \(yes\|no\)$')" = "$1"
	ok "$name: $2 rows of states" test "$(sed 1d "$tmp"/r/boots/*/states.tsv | wc -l)" = "$2"
	ok "$name: $2 rows of counters in each run" sh -c "for f in '$tmp'/r/boots/*/runs/*/idle.tsv; do
		[ \$(sed 1d \"\$f\" | wc -l) = $2 ] || exit 1; done"
	ok "$name: the governor is back" test "$(cat "$governor")" = "$before"
}

lay alder-lake
rehearse
rehearsed 2 80
ok 'alder-lake: two P cores, not two siblings' test "$(of cpus)" = 0,2
ok 'alder-lake: the runner keeps to an E core' test "$(of housekeeping)" = 15

lay skylake-sp
rehearse
rehearsed 2 416
ok 'skylake-sp: siblings are 52 apart, 0 and 1 are cores' test "$(of cpus)" = 0-1
ok 'skylake-sp: the runner keeps to the other package' test "$(of housekeeping)" -ge 26
rm -rf "$tmp/r"
rehearse --set distance=other-package
ok 'skylake-sp: a core of each package where that is asked' test "$(of cpus)" = 0,26

lay hikey960
rehearse
rehearsed 4 24
ok 'hikey960: WFI does not poll (P-30)' test "$(awk -F'\t' '$3 == "WFI" && $9 == "no"' "$tmp"/r/boots/*/states.tsv | wc -l)" = 8
ok 'hikey960: little and big keep their tables (P-29)' test "$(cut -f3,5,6 "$tmp"/r/boots/*/states.tsv | sed 1d | sort -u | wc -l)" = 5

lay power9
rehearse
rehearsed 2 224
ok 'power9: neighbours are siblings there (P-46)' test "$(of cpus)" = 0,4

lay p35-offline
rehearse
rehearsed 6 24
ok 'p35-offline: offline CPUs have no row (P-35)' test -z "$(cut -f1 "$tmp"/r/boots/*/states.tsv | grep -x '[25]')"

lay p32-names
rehearse
rehearsed 6 12
ok 'p32-names: a name with a blank is one field (P-32)' grep -q "$(printf '\thaltpoll idle\tdefault architecture idle\t1\t1\t')" "$tmp"/r/boots/*/states.tsv

lay name-control
rehearse
rehearsed 6 8
ok 'name-control: nine fields in every row' test "$(awk -F'\t' '{ print NF }' "$tmp"/r/boots/*/states.tsv | sort -u)" = 9

lay p26-linux-5.8
rehearse
rehearsed 6 8
ok 'p26-linux-5.8: no file, no number (P-26)' test -z "$(awk -F'\t' 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^rejected/) c[i] = 1; next }
	{ for (i in c) if ($i != "") print }' "$tmp"/r/boots/*/runs/*/idle.tsv)"

lay one-cpu
rehearse
ok 'one-cpu: a ring wants two cores, and says so' ended 2 '[run two-cores]: 2 CPUs asked, this machine has 1'
suite alone '[run quiet]' 'workload = idle'
run --root "$m" --suite "$tmp/alone.ini" --governors available --no-report --results "$tmp/r"
rehearsed 3 3

lay granite-rapids
rehearse
rehearsed 6 2560

lay clearwater-forest
rehearse
ok 'clearwater-forest: 576 CPUs without cpuidle are refused by name (P-35)' ended 1 \
	"idle governors cannot matter here: $m/sys/devices/system/cpu/cpuidle does not exist"
ok 'clearwater-forest: no result directory' test ! -e "$tmp/r"
run list governors --root "$m"
ok 'clearwater-forest: no list of governors either' ended 1 'idle governors cannot matter here'

lay p35-no-driver
rehearse
ok 'p35-no-driver: no state anywhere is refused (P-35)' ended 1 'cpu0 has no idle states' 'idle driver: none'

lay baytrail
rehearse
ok 'baytrail: cannot switch, and says what would help (P-37)' ended 1 'before 5.8 boot with cpuidle_sysfs_switch'

lay latency-garbage
rehearse
ok 'latency-garbage: refused by the name of the file' ended 1 "$m/sys/devices/system/cpu/cpu1/cpuidle/state2/latency"

# lay-out itself: what it does not understand it refuses, with the line.
refuses() {
	printf '# Not a machine, for once.\n[machine]\ncpus = 2\n%b' "$2" >"$tmp/bad.ini"
	tests/machines/lay-out "$tmp/bad.ini" "$tmp/bad" >"$tmp/out" 2>"$tmp/err"
	status=$?
	ok "lay-out refuses $1" ended 2 "lay-out: $tmp/bad.ini:$3"
}
refuses 'an unknown key' 'cpu = 3\n' "4: unknown key 'cpu'"
refuses 'an unknown section' '[stats]\n' ' unknown section [stats]'
refuses 'a line of nothing' 'hello\n' '4: neither'
refuses 'a state without times' '[states]\n0 = POLL | 3\n' '5: a state is'
refuses 'a CPU that is not there' 'offline = 2\n' " CPU 2 of '2' is not there"
refuses 'packages that do not divide' 'packages = 3\n' ' 2 cores do not divide'
refuses 'removing what is not there' '[files]\nsys/nothing = -\n' '5: nothing is called sys/nothing'

done_testing
