#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A-27: however a workload program ends, none of its tasks is left.

build=${BUILD:-build}/workloads
err=$(mktemp) || exit 1
trap 'rm -f "$err"' EXIT
n=0

report() { # STATUS NAME
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		sed 's/^/# /' "$err"
	fi
}

# All processes of the group $1 that are not zombies.
members() {
	ps -eo pgid=,stat=,pid= | awk -v group="$1" '$1 == group && $2 !~ /^Z/ { print $3 }'
}

start() { # PROGRAM OPTION...; sets main
	local program=$1 wanted=$2
	shift 2
	set -m # a process group of its own
	"$build/$program" "$@" >/dev/null 2>"$err" &
	main=$!
	set +m
	for _ in $(seq 100); do
		[ "$(members $main | wc -l)" -ge "$wanted" ] && sleep 0.2 && return 0
		sleep 0.02
	done
}

gone() {
	for _ in $(seq 100); do
		[ -z "$(members "$main")" ] && return 0
		sleep 0.02
	done
	return 1
}

for signal in INT TERM HUP QUIT; do
	for how in '--cores 4' '--cores 4 --task thread' '--work 50s' '--pairs 3 --affinity free'; do
		# shellcheck disable=SC2086
		start ping-pong 1 --window 60s --cpus 0 $how
		kill -$signal $main
		wait $main
		status=$?
		[ $status = $((128 + $(kill -l $signal))) ] && gone
		report $? "SIG$signal with $how: status $status, nothing left"
	done
done

start ping-pong 1 --window 60s --cpus 0
kill -TERM -- -$main
wait $main
status=$?
[ $status = 143 ] && gone
report $? "SIGTERM to the whole group: status $status"

for how in '--cores 8' '--cores 8 --task thread' '--work 50s'; do
	# shellcheck disable=SC2086
	start ping-pong 1 --window 60s --cpus 0 $how
	kill -KILL $main
	wait $main 2>/dev/null
	gone
	report $? "SIGKILL with $how: nothing left"
done

start ping-pong 4 --window 60s --cpus 0 --cores 3
kill -KILL "$(members $main | grep -vx $main | head -n 1)"
wait $main
status=$?
[ $status = 1 ] && grep -q 'was killed by signal 9' "$err" && gone
report $? "a task killed: status $status, said so, nothing left"

start idle 1 --window 60s
kill -TERM $main
wait $main
status=$?
[ $status = 143 ] && gone
report $? "idle, SIGTERM: status $status"
echo "1..$n"
