# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the privilege-*.t tests share: an installed copy that any user can run, and sudo's environment without sudo.
# The user is nobody (65534), who owns nothing. Sourced from the repo's root.

. tests/cli/runner.sh

[ "$(id -u)" = 0 ] || { echo '1..0 # SKIP needs root, to give it up'; exit 0; }
[ "$(id -un 65534 2>/dev/null)" = nobody ] || { echo '1..0 # SKIP needs the user nobody (65534)'; exit 0; }
command -v setpriv >/dev/null || { echo '1..0 # SKIP needs setpriv (util-linux)'; exit 0; }

chmod 755 "$tmp"
objects=$(dirname "$runner")
prefix=$tmp/prefix
mkdir -p "$prefix/bin" "$prefix/libexec/idle-runner/workloads" "$prefix/share/idle-runner"
cp "$runner" "$prefix/bin/idle-runner"
cp "$objects/analysis" "$prefix/libexec/idle-runner/"
cp "$objects"/workloads/* "$prefix/libexec/idle-runner/workloads/"
cp -r configs analysis/plots "$prefix/share/idle-runner/"
chmod -R a+rX "$prefix"
runner=$prefix/bin/idle-runner
# shellcheck disable=SC2034
sudo_is=(SUDO_UID=65534 SUDO_GID=65534)

# as_sudo ARGUMENT..: "run", as sudo of nobody would start it.
as_sudo() {
	env "${sudo_is[@]}" "$runner" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# The fake machine of a rehearsal belongs to the user: root's rights are not used on it.
machine_of_nobody() {
	machine "$@"
	chown -R 65534:65534 "$tmp/m"
}

# workload_pid: of the ping-pong of this test's copy, once it runs; empty after 5 s.
workload_pid() {
	local i p first

	for ((i = 0; i < 250; i++)); do
		for p in /proc/[0-9]*; do
			{ IFS= read -r -d '' first <"$p/cmdline"; } 2>/dev/null
			case $first in
			"$prefix"/*/ping-pong)
				echo "${p#/proc/}"
				return ;;
			esac
		done
		sleep 0.02
	done
}

# status_is PID KEY VALUE..: a line of the saved /proc/PID/status.
status_is() {
	local file=$1 key=$2

	shift 2
	[ "$(sed -n "s/^$key:[[:space:]]*//p" "$file" | tr '\t' ' ' | sed 's/ *$//')" = "$*" ]
}
