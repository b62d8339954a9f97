# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For tests that switch the governor of this very machine: skips where that cannot be done, and puts the governor
# back at the end, whatever the test did.

. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"

cpuidle=/sys/devices/system/cpu/cpuidle
governor_file=$cpuidle/current_governor
runner=$build/runner

[ -e "$governor_file" ] || skip_all "no $governor_file on this kernel"
[ "$(id -u)" = 0 ] && [ -w "$governor_file" ] || skip_all "needs root to switch the idle governor"
read -ra offered <"$cpuidle/available_governors"
[ ${#offered[@]} -ge 2 ] || skip_all "this kernel offers one governor only: ${offered[*]}"
[ "$(nproc)" -ge 2 ] || skip_all "needs two CPUs"

# Another runner may be at work (or its guardian): what is set then is not what the machine had before. "restore"
# takes the runner's lock, and puts back what a killed one has left.
for _ in {1..240}; do
	"$runner" restore --quiet 2>/dev/null && break
	sleep 0.5
done
governor_before=$(cat "$governor_file")
tap_end() {
	[ "$(cat "$governor_file")" = "$governor_before" ] || echo "$governor_before" >"$governor_file"
	rm -rf "$tmp"
}

governor_is_back() {
	[ "$(cat "$governor_file")" = "$governor_before" ]
}

# A governor that is offered and not in use.
other_governor() {
	for g in "${offered[@]}"; do
		[ "$g" = "$governor_before" ] || { echo "$g"; return; }
	done
}

comma_list() {
	local IFS=,
	echo "$*"
}

# Published run directories of a campaign.
published() {
	find "$1"/boots/*/runs -mindepth 1 -maxdepth 1 -type d ! -name '.tmp-*' 2>/dev/null | sort
}

run_files="run.ini idle.tsv samples.tsv metrics.tsv latency.tsv tasks.tsv series.tsv stderr.txt"

# Prints what a published, complete run lacks.
incomplete() {
	local dir f
	for dir in $(published "$1"); do
		case $dir in
		*.void-* | *.failed-*) # spoilt by other load: kept beside the run that replaces it
			grep -q '^reason = ' "$dir/run.ini" || echo "$dir: no reason"
			continue
			;;
		esac
		grep -q '^state = complete' "$dir/run.ini" || echo "$dir: not complete"
		for f in $run_files; do
			[ -e "$dir/$f" ] || echo "$dir: no $f"
		done
	done
}

# A suite that takes seconds: write_suite FILE WINDOW WORK
write_suite() {
	cat >"$1" <<-EOF
	[suite]
	format = 1
	about = For the tests
	repeat = 1
	warmup = 50ms
	window = $2
	[run two]
	workload = ping-pong
	cores = 2
	work = $3
	EOF
}
