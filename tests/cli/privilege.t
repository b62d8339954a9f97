#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Under sudo: who runs the workloads and the report, who owns the results, and what is said to a user who does not
# exist.

. tests/cli/sudo.sh

suite one '[run a]' 'workload = ping-pong' 'work = 0'
suite long '[run a]' 'workload = ping-pong' 'work = 0'
sed -i 's/^window = .*/window = 2s/' "$tmp/long.ini"
machine_of_nobody --governors 'menu teo'
mkdir "$tmp/home"
chown 65534:65534 "$tmp/home"

campaign=(--root "$tmp/m" --suite "$tmp/one.ini" --governors menu)


# all_of DIR UID: everything in it, at least 10 files, belongs to that user and group.
all_of() {
	[ "$(find "$1" | wc -l)" -ge 10 ] && [ -z "$(find "$1" ! -uid "$2")" ] && [ -z "$(find "$1" ! -gid "$2")" ]
}

as_sudo "${campaign[@]}" --results "$tmp/home/r"
ok 'a campaign under sudo' ended 0 'run as nobody'
ok 'results and report belong to the user' all_of "$tmp/home/r" 65534
ok 'the report is there' test -s "$tmp/home/r/report/summary.txt"
ok 'the run is complete' grep -q '^state = complete' "$tmp"/home/r/boots/*/runs/*/run.ini
ok 'the machine is as it was' test "$(cat "$governor")" = menu

rm -rf "$tmp/home/r/report"
as_sudo report --quiet "$tmp/home/r"
ok 'report alone, under sudo' ended 0
ok 'belongs to the user as well' all_of "$tmp/home/r/report" 65534

rm -rf "$tmp/home/r/report"
run report --quiet --run-as nobody "$tmp/home/r"
ok 'root may name the user' ended 0
ok 'and the report is theirs' all_of "$tmp/home/r/report" 65534
run "${campaign[@]}" --results "$tmp/home/n" --run-as 65534 --no-report
ok 'by number, too' ended 0 'run as nobody'
ok 'the results are theirs' all_of "$tmp/home/n" 65534

machine --governors 'menu teo'
as_sudo "${campaign[@]}" --results "$tmp/root" --run-as root
ok '--run-as root' ended 0
ok 'the results are root'\''s' all_of "$tmp/root" 0
env SUDO_UID=0 SUDO_GID=0 "$runner" "${campaign[@]}" --results "$tmp/root0" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'sudo called by root' ended 0
ok 'the results are root'\''s' all_of "$tmp/root0" 0
before=$(picture "$tmp/m")
as_sudo "${campaign[@]}" --results "$tmp/forbidden/r" --no-report
ok 'on root'\''s fake machine the user can change nothing' ended 1
ok 'and does not' test "$(picture "$tmp/m")" = "$before"

# refused SUDO_UID SUDO_GID TEXT
refused() {
	env SUDO_UID="$1" SUDO_GID="$2" "$runner" "${campaign[@]}" --results "$tmp/none" >"$tmp/out" 2>"$tmp/err"
	status=$?
	ok "SUDO_UID='$1' SUDO_GID='$2' is refused" ended 2 "$3"
}
refused nobody 65534 "SUDO_UID: 'nobody' is not a number"
refused '' 65534 "SUDO_UID: '' is not a number"
refused -2 65534 "SUDO_UID: '-2' is not a number"
refused 4294967295 65534 'SUDO_UID: '
refused 4294967296 65534 'SUDO_UID: '
refused 3123456789 65534 'SUDO_UID: this machine has no user 3123456789'
refused 65534 0 'SUDO_GID: user nobody is not in group 0'
refused 65534 x "SUDO_GID: 'x' is not a number"
run "${campaign[@]}" --results "$tmp/none" --run-as nobdy
ok '--run-as somebody who does not exist' ended 2 "--run-as: this machine has no user 'nobdy'"
setpriv --reuid=65534 --regid=65534 --clear-groups "$runner" "${campaign[@]}" --run-as root >"$tmp/out" 2>"$tmp/err"
status=$?
ok '--run-as root without root' ended 2 '--run-as root needs root'
ok 'none of them made anything' test ! -e "$tmp/none"

# A folder that the user may not write to.
mkdir -m 755 "$tmp/roots"
machine_of_nobody --governors menu
as_sudo "${campaign[@]}" --results "$tmp/roots/r"
ok 'a folder of root'\''s is not written for the user' ended 1 'as user nobody (see --run-as)' "$tmp/roots/r"
ok 'nothing is in it' test -z "$(ls -A "$tmp/roots")"

# What the workload's process is, while it runs.
env "${sudo_is[@]}" setpriv --inh-caps=+sys_admin,+net_admin "$runner" --root "$tmp/m" --suite "$tmp/long.ini" \
	--governors menu --results "$tmp/home/l" --no-report >"$tmp/out" 2>"$tmp/err" &
pid=$!
workload=$(workload_pid)
cat "/proc/$workload/status" >"$tmp/status" 2>/dev/null
ls -l "/proc/$workload/fd" >"$tmp/fds" 2>/dev/null
status=$workload
ok 'the workload runs as the user' status_is "$tmp/status" Uid 65534 65534 65534 65534
ok 'in the user'\''s group' status_is "$tmp/status" Gid 65534 65534 65534 65534
ok 'and no other' status_is "$tmp/status" Groups 65534
for set in CapInh CapPrm CapEff CapBnd CapAmb; do
	ok "$set is empty" status_is "$tmp/status" $set 0000000000000000
done
ok 'it can get no new rights' status_is "$tmp/status" NoNewPrivs 1
kill -KILL $pid
wait $pid 2>/dev/null
for _ in {1..100}; do
	[ -e "/proc/$workload" ] || break
	sleep 0.02
done
ok 'it dies with a runner that is killed' test -n "$workload" -a ! -e "/proc/$workload"

done_testing
