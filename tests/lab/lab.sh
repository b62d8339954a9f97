# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For tests that run in the lab's guest; source it from the repo's root. Gives tap.sh, $runner and $cpuidle, and
#   in_guest OPTION...     what follows runs in the guest, as root: on the host the line boots a guest with the test itself
#                          as command and never returns. Options are those of tests/lab/lab. Skips where there is no lab
#   on_host                true on the host, for a test that has a part there: it says need_lab, then
#   guest_part OPTION...   which runs the rest of the test in a guest, and counts on where its TAP ends
# Neither BUILD nor $LAB_OUT may be left to a program that the runner starts: it hands no environment on.

. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
cpuidle=/sys/devices/system/cpu/cpuidle
runner=$build/runner

# Skips where no guest can be booted.
need_lab() {
	local why
	why=$("$top/tests/lab/build" --missing)
	[ -z "$why" ] || skip_all "no lab: $why missing (tools/deps --lab)"
	[ -x "$runner" ] || skip_all "$runner is not built"
	"$top/tests/lab/build" || { echo "Bail out! the lab cannot be built"; exit 1; }
}

# guest OPTION... -- COMMAND...: the lab; once more when the guest hung, which emulation by several threads can do, with
# a line that says so. What the first one printed is dropped then.
guest() {
	local out=$tmp/guest try
	for try in 1 2; do
		LAB_ENV="BUILD IDLE_TEST_LONG ${LAB_ENV-}" BUILD=$build "$top/tests/lab/lab" "$@" >"$out" 2>"$out.err"
		status=$?
		[ $status = 124 ] || [ $status = 125 ] || break
		sed 's/^/# /' "$out" "$out.err"
		echo "# the guest did not end (status $status), try $try of 2"
	done
	cat "$out"
	sed 's/^/# /' "$out.err"
	return $status
}

on_host() {
	[ ! -d /run/labctl ]
}

guest_part() {
	guest "$@" -- "$top/tests/lab/$(basename "$0")"
	tap_count=$(grep -cE '^(not )?ok ' "$tmp/guest")
	rm -f "$tmp/out"
	[ $status = 0 ]
	ok $? "the guest ran to its end"
}

in_guest() {
	on_host || return 0
	need_lab
	cd "$top" || exit 1
	guest "$@" -- "$top/tests/lab/$(basename "$0")"
	exit $status
}

# A folder of the host for what is worth a look after the test: -w "$(keep NAME)".
keep() {
	local dir=$top/build/lab/results/$1
	rm -rf "$dir"
	mkdir -p "$dir"
	echo "$dir"
}

# Published run directories of a campaign.
published() {
	find "$1"/boots/*/runs -mindepth 1 -maxdepth 1 -type d ! -name '.tmp-*' | sort
}

# measure DIR OPTION...: the runner, with results in DIR; again while runs are left over, since an emulated CPU that
# stood still for too long makes a run void, and even its repetition.
measure() {
	local dir=$1
	shift
	for _ in 1 2 3; do
		try "$runner" "$@" --results "$dir"
		[ $status = 3 ] || break
	done
}

# ring_suite REPEATS WINDOW [LINE...]: a suite of a ring of two CPUs; further lines are of its section
ring_suite() {
	cat <<-EOF
		[suite]
		format = 1
		repeat = $1
		warmup = 50ms
		window = $2
		[run ring]
		workload = ping-pong
		cores = 2
	EOF
	printf '%s\n' "${@:3}"
}

# Value of a key in run.ini and the like.
value() { # KEY FILE
	sed -n "s/^$1 = //p" "$2" | tail -1
}
