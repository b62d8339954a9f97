#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every fuzz target on its corpus, without libFuzzer: what was found once stays mended. "make fuzz" looks for more.

. tests/tap.sh

for source in tests/fuzz/*.c; do
	target=$(basename "$source" .c)
	[ "$target" != replay ] || continue
	corpus=tests/fuzz/corpus/$target
	try timeout 300 "$build/fuzz/$target" "$corpus"
	ok "$status" "$target goes through its corpus"
	said "^ok 1 - $(find "$corpus" -type f 2>/dev/null | wc -l) inputs of $corpus\$"
	ok $? "$target: every file of it"
done

# A replay that runs nothing must not pass for one that found nothing.
mkdir "$tmp/empty"
try "$build/fuzz/values" "$tmp/empty"
ok $((status != 1)) 'an empty corpus is a failure'
try "$build/fuzz/values" "$tmp/none"
ok $((status != 1)) 'so is a missing one'

done_testing
