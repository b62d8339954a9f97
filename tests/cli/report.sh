# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the report-*.t tests ask of a report's texts. Sourced after tests/tap.sh; $tmp/out is what was printed.
#   exits STATUS NAME                 one TAP line: the exit status in $status
#   says REGEX NAME, never REGEX NAME one TAP line: the output, without its line breaks, has it, or has not
#   field FILE NAME KEY=VALUE...      prints that field of the rows of a CSV without quotes

exits() {
	[ "$status" -eq "$1" ]
	ok $? "$2"
}

says() {
	tr -s ' \n' ' ' <"$tmp/out" | grep -Eqa -- "$1"
	ok $? "$2"
}

never() {
	! tr -s ' \n' ' ' <"$tmp/out" | grep -Eqa -- "$1"
	ok $? "$2"
}

field() {
	awk -F, -v name="$2" -v want="${*:3}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, pair, " ")
			for (i = 1; i <= n; i++) { k = index(pair[i], "="); key[i] = at[substr(pair[i], 1, k - 1)]
				value[i] = substr(pair[i], k + 1) }
			next }
		{ for (i = 1; i <= n; i++) if ($key[i] != value[i]) next; print $at[name] }' "$1"
}
