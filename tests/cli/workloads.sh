# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The table of workloads for tests that go through all of it. Sourced from the repo's root, after tests/tap.sh.
#   workloads             names, one a line, in the table's order
#   options_of NAME [SECONDS]
#                         sets the array options: what its program needs beside a window; nothing, for most. One that
#                         runs another program runs it for SECONDS. And no_warmup: what leaves the warm-up out
#   declared NAME         metrics that --help prints, one a line
#   has_param NAME PARAM  does --help print this option of the workload?

workloads() {
	sed -n 's/^WORKLOAD(\([a-z0-9_]*\)).*/\1/p' workloads/workloads.def | tr _ -
}

# shellcheck disable=SC2034
options_of() {
	options=() no_warmup=(--warmup 0s)
	case $1 in
	command) # there is no default for somebody else's program, and no warm-up
		options=(--command "sleep ${2:-0.3}") no_warmup=()
		;;
	esac
}

declared() {
	"$build/workloads/$1" --help | sed -n '/^Metrics:/,/^Exit status/s/^  \([a-z][a-z0-9_]*\).*/\1/p'
}

has_param() {
	"$build/workloads/$1" --help | sed -n '/^Parameters/,/^$/p' | grep -qE -- "^  --$2( |$)"
}
