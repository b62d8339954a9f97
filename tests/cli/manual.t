#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual pages and the programs name the same things: every verb and option that --help prints is explained, every
# option that is explained exists, and every suite of configs/ is one that the runner plans.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
runner=$build/runner
page=docs/runner.1.scd

# Options that the help of verb $1 prints, one a line.
options() {
	"$runner" "$1" --help | grep -oE '^  --[a-z-]+' | tr -d ' ' | sort -u
}

verbs=$("$runner" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$verbs" | wc -l)" -ge 5 ]
ok $? "the help prints the verbs"
for verb in $verbs; do
	grep -qx "\*$verb\*" $page
	ok $? "runner.1 explains the verb $verb"
	options "$verb" >>"$tmp/all"
done

sort -u "$tmp/all" >"$tmp/printed"
grep -oE '^\*--[a-z-]+\*' $page | tr -d '*' | sort -u >"$tmp/explained"
try comm -23 "$tmp/printed" "$tmp/explained"
[ -s "$tmp/printed" ] && [ ! -s "$tmp/out" ]
ok $? "runner.1 explains every option that --help prints"
try comm -13 "$tmp/printed" "$tmp/explained"
[ -s "$tmp/explained" ] && [ ! -s "$tmp/out" ]
ok $? "every option that runner.1 explains exists"

# Each [suite] key of the manual page is taken by the runner, and an unknown one is not.
suite=$tmp/keys.ini
for key in 'about = x' 'governors = current' 'reference = menu' 'repeat = 2' 'warmup = 0s' 'window = 1s' \
	'interval = 1s' 'order = abba' 'pause = 1s' 'settle = 1%' 'settle_span = 10s' 'settle_timeout = 5m' 'deadline = 1h' \
	'unheard = of'; do
	printf '[suite]\nformat = 1\n%s\n[run a]\nworkload = idle\n' "$key" >"$suite"
	try "$runner" --suite "$suite" --governors current --dry-run
	if [ "$key" = 'unheard = of' ]; then
		[ $status = 2 ] && said 'keys.ini:3: unknown key'
		ok $? "an unknown suite key is refused with its place"
	elif [ -e /sys/devices/system/cpu/cpuidle/current_governor ]; then
		[ $status = 0 ] && grep -q "^\*${key%% *}\*" docs/idle-runner-suite.5.scd
		ok $? "suite key ${key%% *} is explained and taken"
	fi
done

if [ -e /sys/devices/system/cpu/cpuidle/current_governor ] && [ "$(nproc)" -ge 2 ]; then
	for suite in configs/*.ini; do
		try "$runner" --suite "$suite" --governors current --dry-run
		[ $status = 0 ] && said 'runs, about'
		ok $? "$suite can be planned"
	done
fi

if command -v scdoc >/dev/null; then
	for page in docs/*.scd; do
		try sh -c 'scdoc <"$1"' sh "$page"
		[ $status = 0 ] && said '^\.SH NAME'
		ok $? "$page is a page for scdoc"
	done
fi

done_testing
