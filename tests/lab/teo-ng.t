#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the suite is for, as its user types it: a governor module of his own beside the kernel's. teo-ng is teo under
# another name here, so the test also shows that each name was measured as itself. The idle driver is acpi_idle, with
# states from a table of the firmware.

. tests/lab/lab.sh
if on_host; then
	need_lab
	out=$(keep teo-ng)
	guest_part -e -g "teo teo-ng" -t 200 -w "$out"
	try "$runner" report "$out/r"
	ok $status "the host makes the report"
	grep -q '^governors: menu (reference), teo, teo-ng$' "$out/r/report/summary.txt"
	ok $? "it compares menu, teo and teo-ng"
	done_testing
	exit
fi

[ "$(cat $cpuidle/current_driver)" = acpi_idle ]
ok $? "acpi_idle has the states"
measure "$LAB_OUT/r" --suite smoke --governors menu,teo,teo-ng --no-report
ok $status "./runner --suite smoke --governors menu,teo,teo-ng"
for g in menu teo teo-ng; do
	[ "$(cat "$LAB_OUT"/r/boots/*/runs/*.r1/run.ini | grep -cx "governor = $g")" = 10 ]
	ok $? "10 runs under $g"
done
[ "$(cat $cpuidle/current_governor)" = menu ]
ok $? "the governor is what it was"
