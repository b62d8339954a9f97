#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The smoke suite as its reader types it, on 4 CPUs with 5 idle states, an energy counter and cpufreq policies, under
# three governors: everything from the switch to the graph of watts, in a kernel.

. tests/lab/lab.sh
in_guest -d lab -e -f -t 280 -w "$([ -d /run/labctl ] || keep smoke)"

r=$LAB_OUT/r
measure "$r" --suite smoke --governors menu,teo,ladder
ok $((status != 0)) "smoke under menu, teo and ladder ends well"
cp "$tmp/out" "$LAB_OUT/said.txt"
ok $(($(published "$r" | wc -l) < 30)) "30 runs are published"
ok $(($(cat "$r"/boots/*/runs/*/run.ini | grep -cx 'state = complete') < 30)) "... 30 of them complete"
for g in menu teo ladder; do
	ok $(($(cat "$r"/boots/*/runs/*/run.ini | grep -cx "governor = $g") < 10)) "... 10 under $g"
done
ok "$([ "$(cat $cpuidle/current_governor)" = menu ]; echo $?)" "the governor is what it was"

# Each run of a loop of wakes entered states beyond POLL on all CPUs that it measured, and used energy.
idle_silent=0 power_silent=0
for d in $(published "$r"); do
	awk -F '\t' 'NR > 1 && $2 > 0 { n += $6 - $5 } END { exit !(n > 0) }' "$d/idle.tsv" || idle_silent=$d
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["label"] == "package-0" { w = ($c["uj1"] - $c["uj0"]) / ($c["t1_ns"] - $c["t0_ns"]) * 1000 }
		END { exit !(w > 2 && w < 18.1) }' "$d/energy.tsv" || power_silent=$d
done
ok "$([ "$idle_silent" = 0 ]; echo $?)" "idle states were counted in each run (not in: $idle_silent)"
ok "$([ "$power_silent" = 0 ]; echo $?)" "package power is within what the model can give, in each run (not in: $power_silent)"

# Each says that nothing of it is a measurement.
ok $(($(cat "$r"/boots/*/runs/*/run.ini | grep -cx 'emulated = yes') < 30)) "each run is marked as emulated"
grep -q '^emulated = QEMU TCG' "$r"/boots/*/host.ini
ok $? "... and the machine"
grep -q '\*\*\* EMULATED: timing is not a measurement' "$r/report/summary.txt"
ok $? "... and the summary"
grep -q 'EMULATED' "$r/report/index.html" && grep -q '"emulated": true' "$r/report/summary.json"
ok $? "... and page and JSON"
svgs=$(find "$r/report/plots" -name '*.svg' | wc -l)
ok $((svgs < 20)) "there are graphs: $svgs"
ok "$(grep -L EMULATED "$r"/report/plots/*.svg | wc -l)" "... every one marked"
for s in POLL C1 C1E C6 C8; do
	grep -qw "$s" "$r/report/summary.txt" || break
done
ok $? "the summary has all five states"
done_testing
