#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# P-40 on this machine: a governor that is in use already starts fresh in every run. The kernel is the witness: it logs
# "cpuidle: using governor NAME" for every switch that it makes, and nothing for the name that is active.

. "$(dirname "$0")/live.sh"

command -v dmesg >/dev/null && dmesg >/dev/null 2>&1 || skip_all "the kernel's log cannot be read"

# Messages of the kernel from now on: "governor governor ..."; a line of our own marks where now is.
mark="idle-runner test $$ $RANDOM"
{ echo "<6>$mark" >/dev/kmsg; } 2>/dev/null || skip_all "/dev/kmsg cannot be written"
switches() {
	dmesg | awk -v mark="$mark" '
		index($0, mark) { here = 1; list = "" }
		here && match($0, /cpuidle: using governor /) { list = list $NF " " }
		END { print here ? list : "the mark is gone from the log" }'
}

# What this kernel says about one switch there and back, and about the name that is active.
other=$(other_governor)
echo "$other" >"$governor_file"
echo "$governor_before" >"$governor_file"
echo "$governor_before" >"$governor_file"
[ "$(switches)" = "$other $governor_before " ] ||
	skip_all "this kernel does not log its switches, or others switch as well: $(switches)"
tap=$(switches)

write_suite "$tmp/fresh.ini" 300ms "0 20us"
try "$runner" --suite "$tmp/fresh.ini" --allow-busy --no-power --governors "$governor_before" \
	--results "$tmp/r" --cpus 0,1 --no-report
ok $status "two runs of $governor_before, which is in use before and after"
list=$(switches)
list=${list#"$tap"}
echo "# the kernel's switches: $list"
read -ra seen <<<"$list"
[ ${#seen[@]} = 4 ]
ok $? "the kernel made four switches: away and back before each run, and none besides"
[ "${seen[1]-}" = "$governor_before" ] && [ "${seen[3]-}" = "$governor_before" ]
ok $? "each ends at $governor_before"
[ "${seen[0]-$governor_before}" != "$governor_before" ] && [ "${seen[2]-$governor_before}" != "$governor_before" ]
ok $? "... after another one"
[ "$(published "$tmp/r" | wc -l)" = 2 ] && ! grep -q 'learn' "$tmp"/r/boots/*/runs/*/run.ini
ok $? "no run doubts that its governor was fresh"
governor_is_back
ok $? "the governor is $governor_before again"

done_testing
