#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The suite smoke as it is, on this machine: every workload of the table under every governor that the kernel offers, in
# well under a minute; and each idle state disabled in turn (suite states), all of them enabled again afterwards.

. "$(dirname "$0")/live.sh"
cd "$top" || exit 1
. tests/cli/workloads.sh

# Of complete runs in result $1 whose name has $2.
complete() {
	published "$1" | while read -r dir; do
		case ${dir##*/} in
		*$2*.void-* | *$2*.failed-*) ;;
		*$2*) grep -q '^state = complete' "$dir/run.ini" && echo "$dir" ;;
		esac
	done
}

masks() {
	cat /sys/devices/system/cpu/cpu*/cpuidle/state*/disable
}

before=$(masks)
begin=$SECONDS
try "$runner" --suite smoke --allow-busy --no-report --quiet --results "$tmp/smoke"
took=$((SECONDS - begin))
[ $status = 0 ] || [ $status = 3 ]
ok $? "smoke runs: status $status"
governor_is_back
ok $? "the governor is back"
if awk '{ exit !($1 > 1.5) }' /proc/loadavg; then
	echo "# $took s beside other work: no verdict on the time"
else
	[ $took -lt 60 ]
	ok $? "it took well under a minute: $took s"
fi
for w in $(workloads); do
	section=$(awk -v w="$w" '/^\[run / { name = substr($2, 1, length($2) - 1) } $1 == "workload" && $3 == w { print name }' \
		configs/smoke.ini)
	complete "$tmp/smoke" ".$section." >"$tmp/out"
	n=$(wc -l <"$tmp/out")
	published "$tmp/smoke" | grep -F ".$section." | while read -r dir; do
		sed -n 's/^reason = //p' "$dir/run.ini"
	done >"$tmp/reasons"
	# Beside other work an edge may be read late, again and again: that says nothing of the workload.
	if [ "$n" = 0 ] && [ -s "$tmp/reasons" ] && ! grep -qv '^read late' "$tmp/reasons"; then
		tap_count=$((tap_count + 1))
		echo "ok $tap_count - $w # SKIP $(wc -l <"$tmp/reasons") times $(head -n 1 "$tmp/reasons")"
		continue
	fi
	cp "$tmp/out" "$tmp/complete"
	cp "$tmp/reasons" "$tmp/out"
	[ "$n" = ${#offered[@]} ] || { [ "$n" -ge 1 ] && ! grep -qv '^read late' "$tmp/reasons"; }
	ok $? "$w is complete under $n of ${#offered[@]} governors"
	declared "$w" >"$tmp/declared"
	dir=$(head -n 1 "$tmp/complete")
	tail -n +2 "$dir/metrics.tsv" 2>/dev/null | cut -f 1 | head -n "$(wc -l <"$tmp/declared")" | cmp -s - "$tmp/declared"
	ok $? "$w: its metrics are in the result"
done
try "$runner" report --quiet "$tmp/smoke"
{ [ $status = 0 ] || [ $status = 3 ]; } && [ -s "$tmp/smoke/report/summary.txt" ]
ok $? "the report of all workloads is made"

try "$runner" --suite states --governors "$(comma_list "${offered[@]:0:2}")" --repeat 1 --window 200ms --warmup 0s \
	--set work=0 --allow-busy --no-power --no-report --quiet --results "$tmp/states"
[ $status = 0 ] || [ $status = 3 ]
ok $? "states runs: status $status"
n=$(complete "$tmp/states" disable= | wc -l)
[ "$n" -ge 2 ] && [ "$(complete "$tmp/states" disable=none | wc -l)" -ge 1 ]
ok $? "$n runs, without a disabled state and with each"
[ "$(masks)" = "$before" ] && governor_is_back
ok $? "all states are as they were"
done_testing
