#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tools/gather: a dump reads like the machine that it was taken from, holds nothing that it should not, and what it
# reads it does not change.

. tests/cli/runner.sh

# gather ARGUMENT..: output and status as run() leaves them.
gather() {
	tools/gather "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# lay NAME: that machine in $tmp/m.
lay() {
	rm -rf "$tmp/m" "$tmp/d"
	tests/machines/lay-out "tests/machines/$1.ini" "$tmp/m" || exit 1
}

# same PATH: does the dump have what the machine has there?
same() {
	diff -r -x subsystem "$tmp/m/$1" "$tmp/d/$1" >"$tmp/out"
}

gather --help
ok 'help on stdout' sh -c "[ $status = 0 ] && grep -q '^Usage: tools/gather' '$tmp/out'"
gather --wrong
ok 'an unknown option: exit 2' ended 2 "unknown option '--wrong'"

for name in hikey960 mt8196 kaby-lake p35-offline baytrail p32-names comet-lake; do
	lay $name
	echo 0 >"$tmp/m/sys/devices/system/cpu/isolated"
	before=$(picture "$tmp/m")
	gather --root "$tmp/m" -o "$tmp/d"
	ok "$name: gathered" ended 0
	ok "$name: the machine is untouched" test "$(picture "$tmp/m")" = "$before"
	ok "$name: CPUs, states, policies as on the machine" same sys/devices/system/cpu
	[ ! -e "$tmp/m/sys/class/powercap" ] || ok "$name: energy zones, flat and nested" same sys/class/powercap
	ok "$name: cpuinfo" same proc/cpuinfo
	ok "$name: no command line, no boot id" test ! -e "$tmp/d/proc/cmdline" -a ! -e "$tmp/d/proc/sys/kernel/random"
	run list governors --root "$tmp/m"
	cp "$tmp/out" "$tmp/governors"
	run list governors --root "$tmp/d"
	ok "$name: the same governors" cmp -s "$tmp/out" "$tmp/governors"
	if [ $name != baytrail ]; then
		run --dry-run --suite smoke --governors available --seed 1 --root "$tmp/d"
		ok "$name: the dump can be planned on" ended 0
	fi
done

# What must not leave the machine.
lay one-cpu
{
	echo 'cmdline-secret=1' >"$tmp/m/proc/cmdline"
	echo 'Serial		: 00000000deadbeef' >>"$tmp/m/proc/cpuinfo"
	echo 'CONFIG_DEFAULT_HOSTNAME="secret-host"' >>"$tmp/m/boot/config-6.12.0"
	echo 'CONFIG_MODULE_SIG_KEY="secret/key.pem"' >>"$tmp/m/boot/config-6.12.0"
	mkdir -p "$tmp/m/sys/class/dmi/id" "$tmp/m/sys/class/power_supply/BAT0" "$tmp/m/etc"
	echo secret >"$tmp/m/sys/class/dmi/id/product_serial"
	echo secret >"$tmp/m/sys/class/power_supply/BAT0/serial_number"
	echo 50000000 >"$tmp/m/sys/class/power_supply/BAT0/energy_now"
	echo secret >"$tmp/m/etc/hostname"
}
gather --root "$tmp/m" -o "$tmp/d"
ok 'no secret is taken' sh -c "[ $status = 0 ] && ! grep -rqi 'secret\|deadbeef' '$tmp/d'"
ok "a battery's energy is" test -s "$tmp/d/sys/class/power_supply/BAT0/energy_now"
gather --root "$tmp/m" -o "$tmp/d"
ok 'an existing folder is not written to' ended 2 "$tmp/d exists"
rm -rf "$tmp/d"
gather --root "$tmp/m" --cmdline -o "$tmp/d"
ok 'the command line where it is asked for' grep -q cmdline-secret "$tmp/d/proc/cmdline"
gather --root "$tmp/m" -o "$tmp/one.tar.gz"
ok 'an archive' sh -c "[ $status = 0 ] && tar tzf '$tmp/one.tar.gz' | grep -q '^one/sys/devices/system/cpu/cpu0/cpuidle/state2/usage'"
lay clearwater-forest
gather --root "$tmp/m" -o "$tmp/d"
run list governors --root "$tmp/d"
ok '576 CPUs without cpuidle: the dump is refused like the machine' ended 1 'idle governors cannot matter here'

# This machine.
gather -o "$tmp/this.tar.gz"
ok 'this machine: gathered' ended 0
mkdir "$tmp/t" && tar -C "$tmp/t" -xzf "$tmp/this.tar.gz"
ok 'this machine: no command line' test ! -e "$tmp/t/this/proc/cmdline"
if [ -e /sys/devices/system/cpu/cpuidle/current_driver ] && [ -e /sys/devices/system/cpu/cpu0/cpuidle/state0 ]; then
	# Another test may switch the governor meanwhile.
	run list governors
	sed 's/ *(in use)//' "$tmp/out" >"$tmp/governors"
	run list governors --root "$tmp/t/this"
	ok 'this machine: the same governors' sh -c "sed 's/ *(in use)//' '$tmp/out' | cmp -s - '$tmp/governors'"
	if [ "$(nproc)" -ge 2 ]; then
		run --dry-run --suite smoke --governors current --root "$tmp/t/this"
		ok 'this machine: the dump can be planned on' ended 0
	fi
	# cmp goes by a file's size, and sysfs tells a wrong one.
	ok 'this machine: the same states' sh -c "cd /sys/devices/system/cpu && for f in cpu*/cpuidle/state*/name cpu*/cpuidle/state*/latency; do
		cat \"\$f\" | cmp -s - '$tmp/t/this/sys/devices/system/cpu/'\"\$f\" || exit 1; done"
fi

done_testing
