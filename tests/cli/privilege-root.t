#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Under sudo, on a machine that only root can change: a mount namespace in which a fake /sys is the real one. The
# governor is switched and put back by root, the energy counter that only root can read is read, and all files are the
# user's; a killed runner's guardian still has root.

. tests/cli/sudo.sh

# In the namespace: a private /sys and /run, and another lock than the outer machine's.
if [ "$1" != inside ]; then
	unshare -mn true 2>/dev/null || { echo '1..0 # SKIP needs mount and network namespaces'; exit 0; }
	rm -rf "$tmp"
	exec unshare -mn --propagation private "$0" inside
fi
cpus=$(nproc --all)
machine --cpus "$cpus" --governors 'menu teo' --kernel "$(uname -r)"
tests/machines/make-rapl "$tmp/m" intel-rapl:0=package-0
find "$tmp/m/sys" -name energy_uj -exec chmod 400 {} +
if ! mount --bind "$tmp/m/sys" /sys || ! mount -t tmpfs tmpfs /run; then
	echo '1..0 # SKIP cannot mount'
	exit 0
fi
trap 'umount /run; umount -l /sys; rm -rf "$tmp"' EXIT
governor=/sys/devices/system/cpu/cpuidle/current_governor

# The counter moves: a thousandth of a joule a turn.
energy=$(find "$tmp/m/sys" -type f -name energy_uj)
(for ((uj = 1000000; ; uj += 1000)); do printf '%d\n' $uj 1<>"$energy"; sleep 0.02; done) &
counter=$!
trap 'kill $counter; umount /run; umount -l /sys; rm -rf "$tmp"' EXIT

suite one '[run a]' 'workload = idle'
suite long '[run a]' 'workload = ping-pong' 'work = 0'
sed -i 's/^window = .*/window = 5s/' "$tmp/long.ini"
sed -i 's/^window = .*/window = 1s/' "$tmp/one.ini"
mkdir "$tmp/home"
chown 65534:65534 "$tmp/home"

as_sudo --allow-busy --suite "$tmp/one.ini" --governors teo --results "$tmp/home/r" --no-report
ok 'a campaign under sudo' test "$status" = 0 -o "$status" = 3
ok 'runs as the user' ended "$status" 'run as nobody'
ok 'it was measured under the governor asked for' grep -qx 'governor = teo' "$tmp"/home/r/boots/*/runs/*/run.ini
ok 'and is no rehearsal' grep -qx 'rehearsal = no' "$tmp"/home/r/boots/*/runs/*/run.ini
ok 'energy was read from the file that only root can read' \
	grep -qE '^intel-rapl:0.package-0.[0-9]+.[0-9]+.[0-9]+.[0-9]+' "$tmp"/home/r/boots/*/runs/*/energy.tsv
ok 'the governor is back' test "$(cat $governor)" = menu
ok 'no journal is left' test ! -e /run/idle-runner/undo/journal
ok 'its folder is root'\''s alone' test "$(stat -c '%a %u' /run/idle-runner/undo)" = '700 0'
ok 'the results are the user'\''s' test -z "$(find "$tmp/home/r" ! -uid 65534 -o ! -gid 65534)" -a -d "$tmp/home/r/boots"
setpriv --reuid=65534 --regid=65534 --clear-groups "$runner" --allow-busy --suite "$tmp/one.ini" --governors teo >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'the user alone may not switch' ended 1 'may not be written by this user'

env "${sudo_is[@]}" "$runner" --allow-busy --suite "$tmp/long.ini" --governors teo --results "$tmp/home/k" >"$tmp/out" 2>"$tmp/err" &
pid=$!
disown $pid
workload=$(workload_pid)
cat "/proc/$pid/status" >"$tmp/status"
ok 'the runner is root, with the user'\''s rights on files' status_is "$tmp/status" Uid 0 0 0 65534
ok 'and in the user'\''s groups only' status_is "$tmp/status" Groups 65534
# Bits 0 to 4 and 9: chown, dac_override, dac_read_search, fowner, fsetid, linux_immutable.
ok 'without the capabilities that open any file' test \
	$((0x$(sed -n 's/^CapEff:[[:space:]]*//p' "$tmp/status") & 0x21f)) = 0
cat "/proc/$workload/status" >"$tmp/status"
ok 'the workload is the user' status_is "$tmp/status" Uid 65534 65534 65534 65534
ok 'without any capability' status_is "$tmp/status" CapPrm 0000000000000000
ok 'the governor is switched' test "$(cat $governor)" = teo
ok 'the journal is root'\''s alone' test "$(stat -c '%a %u' /run/idle-runner/undo/journal)" = '600 0'
setpriv --reuid=65534 --regid=65534 --clear-groups kill -KILL $pid 2>"$tmp/err"
ok 'the user cannot kill the runner' test $? != 0 -a -e "/proc/$pid"
kill -KILL $pid
for _ in {1..150}; do
	[ -e /run/idle-runner/undo/journal ] || [ -e "/proc/$workload" ] || break
	sleep 0.02
done
ok 'killed: the guardian puts the governor back' test "$(cat $governor)" = menu
ok 'and removes the journal' test ! -e /run/idle-runner/undo/journal
ok 'the workload is gone' test ! -e "/proc/$workload"
as_sudo restore
ok 'restore under sudo has root' ended 0

done_testing
