#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A night that is killed and hit by errors again and again: strace kills the runner at a random write, fsync, rename,
# mkdir or unlink, or makes that call fail, on three kernels in turn. Every campaign is completed all the same; what is
# published is whole and is never lost, changed or doubled; the governor is back each time. 10 faults; IDLE_TEST_LONG=1:
# 200. IDLE_TEST_SEED repeats a night.

. tests/cli/runner.sh

skip() {
	echo "1..0 # SKIP $*"
	exit 0
}
command -v strace >/dev/null || skip 'strace is not installed'
strace -o /dev/null -e inject=getpid:retval=1:when=1 true 2>/dev/null || skip 'strace cannot trace here'

faults=10
[ -z "$IDLE_TEST_LONG" ] || faults=200
seed=${IDLE_TEST_SEED:-$(date +%s)}
RANDOM=$((seed % 32768))
calls=write,fsync,rename,renameat2,mkdir,openat,unlink,unlinkat,close
suite night '[run a]' 'workload = ping-pong' '[run quiet]' 'workload = idle'
sed -i 's/^repeat = 1/repeat = 2/' "$tmp/night.ini"
campaigns=0 completed=0 survived=0 boot=0
: >"$tmp/problems"

problem() {
	echo "fault $fault ($what at call $at, boot $boot): $*" >>"$tmp/problems"
	sed 's/^/    /' "$tmp/err" >>"$tmp/problems"
}

# The machine boots into the next of three kernels.
next_boot() {
	boot=$((boot + 1))
	case $((boot % 3)) in
	0) machine --kernel 6.18.0 --governors 'menu teo' --boot-id "$(printf %08x $boot)-0000-4000-8000-000000000001" ;;
	1) machine --kernel 6.18.0-ng --governors 'menu teo-ng' --governor teo-ng --boot-id "$(printf %08x $boot)-0000-4000-8000-000000000001" ;;
	2) machine --kernel 6.19.0 --governors 'ladder menu' --boot-id "$(printf %08x $boot)-0000-4000-8000-000000000001" ;;
	esac
	before=$(cat "$governor")
}

# Names, inodes and bytes of the complete runs.
published() {
	[ -d "$tmp/r/boots" ] || return 0
	find "$tmp/r/boots" -mindepth 3 -maxdepth 3 -type d -name '[0-9]*.r[0-9]' -printf '%P %i ' \
		-exec sh -c 'cat "$1"/*.ini "$1"/*.tsv | cksum' - {} \; | sort
}

# At most 5 s for what the guardian does.
governor_is_back() {
	local i

	for ((i = 0; i < 100; i++)); do
		[ "$(cat "$governor")" = "$before" ] && return
		sleep 0.05
	done
	return 1
}

night() {
	{
		"$@" "$runner" --root "$tmp/m" --suite "$tmp/night.ini" --governors menu,teo,teo-ng,ladder --reference menu --seed 3 \
			--results "$tmp/r" --no-report >"$tmp/out" 2>"$tmp/err" </dev/null
		status=$?
	} 2>/dev/null # the shell says who was killed
}

# What must hold after each fault.
check() {
	local run twice

	if ! governor_is_back; then
		# Where the very write back was made to fail, the journal is still there for "restore".
		"$runner" restore --root "$tmp/m" >/dev/null 2>"$tmp/err"
		governor_is_back || problem "the governor is $(cat "$governor") and not $before"
	fi
	published >"$tmp/now"
	[ -z "$(comm -23 "$tmp/kept" "$tmp/now")" ] || problem "lost or changed: $(comm -23 "$tmp/kept" "$tmp/now" | head -1)"
	mv "$tmp/now" "$tmp/kept"
	for run in "$tmp"/r/boots/*/runs/[0-9]*.r[0-9]; do
		[ ! -d "$run" ] || { grep -qsx 'state = complete' "$run/run.ini" && [ -s "$run/idle.tsv" ] && [ -s "$run/metrics.tsv" ]; } ||
			problem "not whole: $run"
	done
	# The reference runs once a boot; every other governor once.
	twice=$(cut -d' ' -f1 "$tmp/kept" | sed 's|.*/||' | grep -v '\.menu\.r[0-9]$' | sort | uniq -d)
	[ -z "$twice" ] || problem "made twice: $twice"
	pgrep -f -- "--output $tmp/r/" >/dev/null && sleep 1
	! pgrep -f -- "--output $tmp/r/" >/dev/null || problem 'a workload is left'
}

new_campaign() {
	rm -rf "$tmp/r"
	: >"$tmp/kept"
	campaigns=$((campaigns + 1))
}

complete() {
	local n

	n=$(cut -d' ' -f1 "$tmp/kept" | sed 's|.*/||' | sort -u | wc -l)
	[ "$n" = 16 ] || problem "complete with $n of 16 cells"
	completed=$((completed + 1))
}

new_campaign
next_boot
for ((fault = 1; fault <= faults; fault++)); do
	case $((RANDOM % 5)) in
	0 | 1) what=signal=KILL ;;
	2) what=signal=TERM ;;
	3) what=error=ENOSPC ;;
	4) what=error=EIO ;;
	esac
	at=$((RANDOM % 600 + 1))
	# The first calls load libraries and read the machine: for those, and for closing, an error is no fault of a disk.
	set=$calls
	case $what in error=*) set=write,fsync,rename,renameat2,mkdir,unlinkat at=$((at % 150 + 1)) ;; esac
	night timeout 60 strace -o /dev/null -e "trace=$set" -e "inject=$set:$what:when=$at"
	case $status in
	0 | 3) survived=$((survived + 1)) ;;
	124) problem 'did not end within 60 s' ;;
	esac
	check
	if [ $status = 0 ]; then
		complete
		new_campaign
	fi
	[ $((RANDOM % 3)) != 0 ] && [ $status != 3 ] || next_boot
done

# Morning: each kernel once more, undisturbed.
what=nothing at=0
for _ in 1 2 3; do
	next_boot
	night
	check
	[ $status = 0 ] || [ $status = 3 ] || problem "an undisturbed start ended with $status"
	half=$(find "$tmp/r/boots/" -path "*+$(printf %08x $boot)/*" -name '.tmp-*')
	[ -z "$half" ] || problem "half made: $half"
	[ $status != 0 ] || break
done
ok "the last campaign is completed (seed $seed)" test $status = 0
complete
cp "$tmp/problems" "$tmp/out"
: >"$tmp/err"
ok "$faults faults in $campaigns campaigns: nothing lost, changed or doubled, governor restored, $completed complete" \
	test ! -s "$tmp/problems"
ok "some starts survived their fault ($survived), some did not" test $survived -lt "$faults"

done_testing
