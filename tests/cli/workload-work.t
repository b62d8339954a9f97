#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A-03: twice the work takes twice the time with the optimizations that a distribution may build with. The same unit test
# (tests/unit/workloads/work.c) as in this build, compiled anew at -O3 and with LTO by each compiler that is here.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
echo '#include <cmocka.h>' | cc -include stdarg.h -include stddef.h -include stdint.h -include setjmp.h \
	-E -xc - >/dev/null 2>&1 || skip_all "no cmocka.h or no compiler"

sources="tests/unit/workloads/work.c workloads/work.c src/lib/clock.c"
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	for flags in -O1 -O3 '-O3 -flto' '-Ofast -march=native -flto'; do
		# shellcheck disable=SC2086
		try $cc -std=gnu17 -D_GNU_SOURCE -I. -Isrc $flags $sources -lcmocka -lm -o "$tmp/work"
		if [ $status != 0 ] && [ "${flags#*-flto}" != "$flags" ] && said 'plugin|lto|gold|lld'; then
			tap_count=$((tap_count + 1))
			echo "ok $tap_count - A-03: $cc $flags # SKIP this compiler links no LTO"
			continue
		fi
		[ $status = 0 ] && try "$tmp/work"
		[ $status = 0 ] && said '^# time\(2W\)/time\(W\) = '
		ok $? "A-03: $cc $flags: $(sed -n 's/^# \(time.*= [0-9.]*\).*/\1/p' "$tmp/out")"
	done
done
done_testing
