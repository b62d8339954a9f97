#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A campaign over three kernels: what each offers is run there, the reference in every boot; the user's hook is called
# when a kernel has done all it can, and a systemd unit goes on after each boot. Boots are fake machines.

. tests/cli/runner.sh

suite three '[run a]' 'workload = ping-pong' '[run quiet]' 'workload = idle'
sed -i 's/^repeat = 1/repeat = 2/' "$tmp/three.ini"
results=$tmp/r
units=$tmp/m/etc/systemd/system

# boot NUMBER RELEASE GOVERNORS: another boot of the same machine; what is in /etc stays.
boot() {
	rm -rf "$tmp/etc"
	[ ! -d "$tmp/m/etc/systemd" ] || mv "$tmp/m/etc" "$tmp/etc"
	machine --kernel "$2" --governors "$3" --boot-id "$1$1$1$1$1$1$1$1-0000-4000-8000-000000000001"
	[ ! -d "$tmp/etc" ] || mv "$tmp/etc" "$tmp/m/etc"
	before=$(cat "$governor")
}

# made BOOT: the governors of its runs, with their number.
made() {
	find "$results"/boots/"$1"/runs -mindepth 1 -maxdepth 1 -name '[0-9]*.r[0-9]' 2>/dev/null |
		sed 's/.*\.\([^.]*\)\.r[0-9]$/\1/' | sort | uniq -c | awk '{ printf "%s%s:%s", n++ ? " " : "", $2, $1 }'
}

# What systemd would run, from the unit that is enabled.
unit_start() {
	local line

	line=$(sed -n 's/^ExecStart=//p' "$units"/multi-user.target.wants/*.service)
	line=${line//%%/%} line=${line//\$\$/\\\$}
	eval "$line" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# shellcheck disable=SC2016
hook='echo "$IDLE_RUNNER_PENDING $IDLE_RUNNER_RESULTS" >>'$tmp/hook
boot 1 6.18.0 'menu teo'
run --root "$tmp/m" --suite "$tmp/three.ini" --governors menu,teo,teo-ng,util --reference menu --seed 7 \
	--results "$results" --no-report --next-kernel "$hook"
ok 'first kernel: exit 3' ended 3 "8 runs wait for a kernel with teo-ng,util" "governor 'util' is not offered"
ok 'it has run what it offers' test "$(made 6.18.0+11111111)" = 'menu:4 teo:4'
ok 'the hook was called, with what waits and where' test "$(cat "$tmp/hook")" = "teo-ng,util $results"
ok 'the governor was put back before the hook' test "$(cat "$governor")" = "$before"

run campaign install "$results" --root "$tmp/m" --next-kernel "$hook" --no-report --allow-busy
ok 'campaign install' ended 0
ok 'a unit and its link' test "$(find "$tmp/m/etc" ! -type d | wc -l)" = 2
ok 'the link leads to the unit' test -f "$(echo "$units"/multi-user.target.wants/*.service)"
ok 'the guardian outlives a killed runner' grep -qx 'KillMode=process' "$units"/*.service
ok 'incomplete is no failure' grep -qx 'SuccessExitStatus=3' "$units"/*.service
ok 'workloads do not run as root by accident' grep -q -- '"--run-as" "' "$units"/*.service
run campaign install "$results" --root "$tmp/m"
ok 'another command for the same campaign is refused' ended 1 "is there already with another command"

unit_start
ok 'the unit on the same boot: nothing to do, exit 3' ended 3
ok 'and nothing is made' test "$(made 6.18.0+11111111)" = 'menu:4 teo:4'

boot 2 6.18.0-ng 'menu teo-ng'
run --root "$tmp/m" --suite "$tmp/three.ini" --governors menu,teo,teo-ng,util --reference menu --seed 7 \
	--results "$results" --dry-run
ok 'the plan says where the reference runs once more' \
	test "$(grep -c 'menu\.r[12]  (the reference once more, on this boot)$' "$tmp/out")" = 4
: >"$tmp/hook"
unit_start
ok 'second kernel: exit 3' ended 3 '4 runs wait for a kernel with'
ok 'its governor, and the reference once more' test "$(made 6.18.0-ng+22222222)" = 'menu:4 teo-ng:4'
ok 'with the numbers of the plan' test -d "$(echo "$results"/boots/6.18.0-ng*/runs/*.a.menu.r2)" -a \
	"$(basename "$(echo "$results"/boots/6.18.0-ng*/runs/*.a.menu.r2)")" = \
	"$(basename "$(echo "$results"/boots/6.18.0+*/runs/*.a.menu.r2)")"
ok 'the hook: util is what waits (and teo, which this kernel lacks)' grep -q 'util' "$tmp/hook"
ok 'the unit is still there' test -d "$units/multi-user.target.wants" -a -n "$(ls "$units"/multi-user.target.wants)"

# A crash on the third kernel in the middle of a block, then a boot of the same kernel.
boot 3 6.19.0 'menu util'
mkdir -p "$results/boots/6.19.0+33333333/runs"
unit_start
ok 'third kernel: exit 0' ended 0
ok 'its governor, and the reference' test "$(made 6.19.0+33333333)" = 'menu:4 util:4'
ok 'the unit has removed itself' test -z "$(find "$tmp/m/etc" ! -type d)"
ok 'and says so' grep -q "$results is complete: its unit is removed" "$tmp/out"
run status "$results"
ok 'status: complete' ended 0
ok 'its counts are the plan' grep -q '^16 of 16 runs done, 0 pending' "$tmp/out"
ok 'columns by kernel' grep -qE 'teo-ng@6\.18\.0-ng' "$tmp/out"
after=$(picture "$results/boots")
run campaign continue "$results" --root "$tmp/m" --no-report
ok 'a complete campaign: exit 0' ended 0
ok 'nothing is added' test "$(picture "$results/boots")" = "$after"

# A power cut in the middle of a block: what the new boot finishes has the reference beside it.
runs=$results/boots/6.19.0+33333333/runs
rm -r "$runs"/*.a.util.r2
boot 4 6.19.0 'menu util'
run campaign continue "$results" --root "$tmp/m" --no-report
ok 'after a power cut: exit 0' ended 0
ok 'one run, and the reference of its block' test "$(made 6.19.0+44444444)" = 'menu:1 util:1'

# A hook that leads nowhere new is not called for ever.
rm -rf "$results"
boot 5 6.20.0 'menu teo'
run --root "$tmp/m" --suite "$tmp/three.ini" --governors menu,teo,util --results "$results" --no-report --seed 7 --repeat 1
ok 'a campaign that waits' ended 3
: >"$tmp/hook"
for id in 6 7 8 9; do
	boot $id 6.20.0 'menu teo'
	run campaign continue "$results" --root "$tmp/m" --no-report --next-kernel "$hook"
done
ok 'the hook is not called when boot after boot makes nothing' ended 3 '--next-kernel is not run: '
ok 'it was given two chances' test "$(wc -l <"$tmp/hook")" = 2
run campaign continue "$results" --root "$tmp/m" --no-report --next-kernel 'exit 7'
ok 'never so either' ended 3

rm -rf "$results"
boot 5 6.20.0 'menu teo'
run --root "$tmp/m" --suite "$tmp/three.ini" --governors menu,teo,util --results "$results" --no-report --seed 7 --repeat 1 \
	--next-kernel 'exit 7'
ok 'a hook that fails is a warning' ended 3 "--next-kernel 'exit 7' ended with status 7"
rm -rf "$results"
run --root "$tmp/m" --suite "$tmp/three.ini" --governors menu,teo --results "$results" --no-report --repeat 1 \
	--next-kernel "touch $tmp/wrong"
ok 'no hook when nothing waits' ended 0
ok 'really' test ! -e "$tmp/wrong"

# remove by hand, also of a folder that is gone.
run campaign install "$results" --root "$tmp/m"
rm -rf "$results"
run campaign remove "$results" --root "$tmp/m"
ok 'campaign remove of a folder that is gone' ended 0
ok 'both files are gone' test -z "$(find "$tmp/m/etc" ! -type d)"
run campaign remove "$results" --root "$tmp/m"
ok 'again: nothing to remove' grep -q 'has no unit: nothing to remove' "$tmp/out"
run campaign install "$tmp/none" --root "$tmp/m"
ok 'no such campaign' ended 2 "$tmp/none"
run campaign "$tmp/m" --root "$tmp/m"
ok 'no action' ended 2 'campaign takes one of continue, install, remove'

done_testing
