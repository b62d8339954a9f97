#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The main job on this machine: a small sweep under every governor that the kernel offers.

. "$(dirname "$0")/live.sh"

write_suite "$tmp/small.ini" 300ms "0 20us"
all=$(comma_list "${offered[@]}")
cells=$((2 * ${#offered[@]}))

try "$runner" --suite "$tmp/small.ini" --allow-busy --no-power --governors "$all" --results "$tmp/r" --cpus 0,1 --quiet
ok $status "a sweep of two points under $all exits 0"
governor_is_back
ok $? "the governor is $governor_before again"
[ "$(published "$tmp/r" | wc -l)" = $cells ]
ok $? "$cells runs are published"
incomplete "$tmp/r" >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "every run directory is complete"
[ -z "$(find "$tmp/r" -name '.tmp-*')" ]
ok $? "nothing half-built is left"

for g in "${offered[@]}"; do
	grep -lqs "^governor = $g\$" "$tmp"/r/boots/*/runs/*/run.ini
	ok $? "$g has runs of its own"
done

# Every loop of the ring wakes both CPUs, so the counters must have moved in step with the loops.
for dir in $(published "$tmp/r"); do
	awk -F'\t' -v dir="$dir" '
		FNR == 1 { for (i = 1; i <= NF; i++) column[FILENAME, $i] = i; next }
		FILENAME ~ /metrics/ && $column[FILENAME, "name"] == "loops" { loops = $column[FILENAME, "value"] }
		FILENAME ~ /idle/ { entries += $column[FILENAME, "usage1"] - $column[FILENAME, "usage0"] }
		END {
			ratio = loops ? entries / (2 * loops) : 0
			printf "%s: %.3f idle entries a stop\n", dir, ratio
			exit !(ratio > 0.5 && ratio < 1.5)
		}' "$dir/metrics.tsv" "$dir/idle.tsv" >"$tmp/out"
	ok $? "$(basename "$dir"): idle entries follow the loops"
done

for f in index.html summary.txt summary.json; do
	[ -s "$tmp/r/report/$f" ]
	ok $? "the report has $f"
done
awk 'length > 78 { print FILENAME ":" FNR ": " length " columns"; bad = 1 } END { exit bad }' \
	"$tmp/r/report/summary.txt" >"$tmp/out"
ok $? "summary.txt keeps to 78 columns"

# The same command again finds everything done.
before=$(find "$tmp/r/boots" -path '*/runs/*' -printf '%p %i %T@\n' | sort | cksum)
try "$runner" --suite "$tmp/small.ini" --allow-busy --no-power --governors "$all" --results "$tmp/r" --cpus 0,1 --quiet
ok $status "the same command on a complete campaign exits 0"
[ "$before" = "$(find "$tmp/r/boots" -path '*/runs/*' -printf '%p %i %T@\n' | sort | cksum)" ]
ok $? "and touches no published run"
try "$runner" status "$tmp/r"
ok $status "status says complete"

# A governor that nobody has: the gap is named, the rest runs.
have=${offered[0]}
try "$runner" --suite "$tmp/small.ini" --allow-busy --no-power --governors "$have,idle-test-ng" --results "$tmp/gap" --cpus 0,1 --set work=0
[ $status = 3 ]
ok $? "--governors $have,idle-test-ng exits 3"
said "governor 'idle-test-ng' is not offered"
ok $? "and names what is missing"
grep -q "idle-test-ng" "$tmp/gap/report/summary.txt" && grep -q "idle-test-ng" "$tmp/gap/report/index.html"
ok $? "the report marks the gap"
try "$runner" --suite "$tmp/small.ini" --allow-busy --no-power --governors idle-test-ng --results "$tmp/none" --cpus 0,1
[ $status = 1 ] && [ ! -e "$tmp/none" ]
ok $? "no known governor at all: exit 1, nothing made"
governor_is_back
ok $? "the governor is $governor_before still"

done_testing
