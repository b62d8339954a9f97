# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the runner-*.t tests share: TAP, a fake machine and a short suite. Sourced from the repo's root.

LC_ALL=C
# "sudo make check" tests what root does; what sudo does has tests of its own.
unset SUDO_UID SUDO_GID
export LC_ALL
runner=$PWD/${BUILD:-build}/runner
case ${BUILD:-build} in /*) runner=$BUILD/runner ;; esac
[ -x "$runner" ] || { echo "1..0 # SKIP $runner is not built"; exit 0; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0

# is STATUS NAME: one line of TAP; what the last command said goes along with a failure.
is() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$tmp/out" "$tmp/err"
		echo "# status $status"
	fi
}

# ok NAME COMMAND..: the command must succeed.
ok() {
	local name=$1

	shift
	"$@"
	is $? "$name"
}

# run ARGUMENT..: the runner; output in $tmp/out and $tmp/err, exit status in $status.
run() {
	"$runner" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# ended STATUS TEXT..: the last run ended so, and said each text in its one error or its warnings.
ended() {
	local text

	[ "$status" = "$1" ] || return 1
	shift
	for text; do
		grep -qF -- "$text" "$tmp/err" || return 1
	done
}

# Everything that a machine's folder holds, names and bytes.
picture() {
	(cd "$1" && find . | sort && find . -type f | sort | xargs cat) | cksum
}

# machine OPTION..: a fresh one in $tmp/m; $governor and $offered are its files.
# shellcheck disable=SC2034
machine() {
	rm -rf "$tmp/m"
	tests/machines/make-machine "$tmp/m" "$@" || exit 1
	governor=$tmp/m/sys/devices/system/cpu/cpuidle/current_governor
	offered=$tmp/m/sys/devices/system/cpu/cpuidle/available_governors
}

# suite NAME LINE..: $tmp/NAME.ini with the head of a suite above the lines.
suite() {
	local name=$1

	shift
	printf '%s\n' '[suite]' 'format = 1' 'repeat = 1' 'warmup = 0s' 'window = 100ms' "$@" >"$tmp/$name.ini"
}

done_testing() {
	echo "1..$n"
}
