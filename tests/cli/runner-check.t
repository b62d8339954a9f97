#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check on machines that were laid out: one screen of 80 columns, the same facts as JSON, the exit status; and the
# preflight of a run, which refuses or warns for the same reasons before anything is changed.

. tests/cli/runner.sh

lay_out() {
	rm -rf "$tmp/m"
	tests/machines/lay-out "tests/machines/$1.ini" "$tmp/m" || exit 1
	before=$(picture "$tmp/m")
}

unchanged() {
	[ "$(picture "$tmp/m")" = "$before" ]
}

# says VERDICT TITLE TEXT: a fact of the last check.
says() {
	grep -qE "^$1 +$2 +.*$3" "$tmp/out"
}

# A fact of the last check --json by its key: verdict and value.
fact() {
	perl -MJSON::PP -0777 -ne 'for (@{decode_json($_)->{facts}}) { print "$_->{verdict} $_->{value}\n" if $_->{key} eq "'"$1"'" }' \
		"$tmp/out"
}

machine --cpus 4 --smt
before=$(picture "$tmp/m")
run check --root "$tmp/m"
ok 'an ordinary machine is fit' test "$status" = 0
ok 'in no more than 40 lines' test "$(wc -l <"$tmp/out")" -le 40
ok 'of no more than 80 columns' test "$(wc -L <"$tmp/out")" -le 80
ok 'with its CPUs' says ok CPUs '4 \(online 0-3.*2 cores, 1 package, with'
ok 'with its states' grep -qE '^ +C3_ACPI +1034 us +3102 us +no +enabled$' "$tmp/out"
ok 'with its governors' says ok governors 'menu teo ladder; in use: menu'
ok 'with what the power source is not' says missing power 'no powercap zones'
ok 'and is not changed by it' unchanged
run check --root "$tmp/m" now
ok 'check takes no word' ended 2 "unexpected argument 'now'"
run check --root "$tmp/m" --states
ok '--states is for the real machine' ended 2 '--states tries the real machine'

machine --cpus 2 --governors 'menu ladder' --cmdline 'ro intel_idle.max_cstate=1'
run check --root "$tmp/m"
ok 'a doubt gives 3' test "$status" = 3
ok 'the option at boot is named' says doubt 'boot options' 'intel_idle.max_cstate=1'
ok 'the missing governor is named' says missing governor 'teo is not offered'
ok 'with the option that brings it' grep -q 'CONFIG_CPU_IDLE_GOV_TEO=y' "$tmp/out"

machine --no-cpuidle
run check --root "$tmp/m"
ok 'no cpuidle gives 1' test "$status" = 1
ok 'and is said' says unfit 'idle driver' ''
machine --no-switch
run check --root "$tmp/m"
ok 'no switching gives 1' test "$status" = 1
ok 'and is said with the way out' grep -q cpuidle_sysfs_switch "$tmp/out"

if perl -MJSON::PP -e 1 2>/dev/null; then
	lay_out hikey960
	run check --root "$tmp/m" --json
	ok 'JSON: the same exit status' test "$status" = 3
	ok 'JSON: it can be read' perl -MJSON::PP -0777 -ne 'exit(decode_json($_)->{format} != 1)' "$tmp/out"
	ok 'JSON: a verdict' test "$(fact cpufreq | cut -d' ' -f1)" = doubt
	ok 'JSON: one table for each group of CPUs' test "$(perl -MJSON::PP -0777 -ne \
		'print join " ", map { "$_->{cpus}:$_->{states}[1]{latency_us}" } @{decode_json($_)->{state_tables}}' "$tmp/out")" \
		= '0-3:1050 4-7:950'
fi

# The preflight.
suite one '[run a]' 'workload = idle'
go() {
	run --root "$tmp/m" --suite "$tmp/one.ini" --governors menu --results "$tmp/r" --no-report --no-power "$@"
}

lay_out p42-latency-limit
go
ok 'P-42: a limit that forbids a state ends the run' \
	ended 1 'C6 (133 us) is forbidden by a limit of 20 us' '--allow-busy'
ok 'before anything is made' test ! -e "$tmp/r"
ok 'or changed' unchanged
go --dry-run
ok 'P-42: --dry-run warns' ended 0 'warning: latency limit: cpu0: C6 (133 us)'
go --allow-busy
ok 'P-42: --allow-busy warns and runs' ended 0 'warning: latency limit: cpu0: C6 (133 us)'
ok 'with a result' test -e "$tmp/r/campaign.ini"

rm -rf "$tmp/r"
machine --cpus 2
mkdir -p "$tmp/m/sys/devices/system/cpu/cpu0/cpufreq"
echo schedutil >"$tmp/m/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
go
ok 'P-43: a cpufreq governor that follows the load is warned about' \
	ended 0 'warning: cpufreq:' 'the cpufreq governor is schedutil'

run --root "$tmp/m" --suite "$tmp/one.ini" --governors menu --results /proc/nowhere --no-report
ok 'no room for results ends the run' ended 1 'disk: 0 MiB free at /proc/nowhere' 'make room'

done_testing
