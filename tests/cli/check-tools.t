#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tools/check-layers and tools/check-headers on small trees with one fault each: a check that cannot
# fail is none.

top=$(pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0

# is STATUS WHAT: one line of TAP; what the tool printed is shown on failure.
is() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$tmp/out"
	fi
}

# gives STATUS PATTERN COMMAND...: does the command exit so and print that?
gives() {
	want=$1 pattern=$2
	shift 2
	"$@" >"$tmp/out" 2>&1
	[ $? = "$want" ] && grep -q -- "$pattern" "$tmp/out"
}

# Writes a file of the tree from stdin, making its folder.
put() {
	mkdir -p "$(dirname "$1")"
	cat >"$1"
}

layers() {
	"$top/tools/check-layers" obj 'lib=lib' 'hw=hw lib' 'store=store lib' \
		'workloads=workloads lib' 'run=run workloads store hw lib' \
		'governors=governors lib' 'analysis=analysis store governors lib'
}

headers() {
	"$top/tools/check-headers" "${CC:-cc} -std=gnu17 -Wall -I. -Isrc" $(find src -name '*.h')
}

mkdir "$tmp/tree"
cd "$tmp/tree" || exit 1
mkdir src workloads analysis

gives 2 'no .d files' layers
is $? 'check-layers: nothing built is not a pass'
mkdir obj
gives 2 'no .d files' layers
is $? 'check-layers: an empty object folder neither'

put obj/src/hw/x.d <<'EOF'
obj/src/hw/x.o: src/hw/x.c src/lib/error.h src/hw/x.h
src/lib/error.h:
src/hw/x.h:
EOF
gives 0 'clean' layers
is $? 'check-layers: hw may use lib'

# violation SOURCE HEADER: is it found, and is it the only thing that is?
violation() {
	printf 'obj/y.o: %s \\\n src/lib/error.h \\\n %s\n' "$1" "$2" | put obj/y.d
	gives 1 "$1: includes $2" layers && [ "$(wc -l <"$tmp/out")" = 1 ]
	is $? "check-layers: $1 may not include $2"
	rm obj/y.d
}
violation src/lib/y.c src/hw/x.h
violation src/hw/y.c src/store/run.h
violation src/store/y.c src/hw/x.h
violation workloads/y.c src/hw/x.h
violation workloads/y.c src/store/run.h
violation analysis/y.c src/hw/x.h
violation analysis/y.c workloads/param.h
violation tests/unit/store/y.c src/hw/x.h
violation src/governors/y.c src/store/run.h
violation src/run/y.c src/governors/governor.h
violation tests/fuzz/governors.c src/hw/x.h

# The table given above is the one that the Makefile passes.
grep -q '^USES_lib *:= lib$' "$top/Makefile" && grep -q '^USES_hw *:= hw lib$' "$top/Makefile" &&
	grep -q '^USES_store *:= store lib$' "$top/Makefile" &&
	grep -q '^USES_workloads *:= workloads lib$' "$top/Makefile"
is $? "the Makefile's table forbids the same"

put src/lib/good.h <<'EOF'
/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LIB_GOOD_H
#define LIB_GOOD_H
int good(void);
#endif
EOF
put src/lib/good.c <<'EOF'
// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/good.h"
#include <stdio.h>
EOF
cp -r src "$tmp/good"
gives 0 '1 headers compile alone' headers
is $? 'check-headers: a tree without a fault'
gives 2 usage "$top/tools/check-headers" cc
is $? 'check-headers: no header is not a pass'

# faulty WHAT PATTERN: the tree as it is has that one fault; puts the good one back.
faulty() {
	gives 1 "$2" headers
	is $? "check-headers: $1"
	rm -rf src tests
	cp -r "$tmp/good" src
}

sed -i 's/int good/size_t good/' src/lib/good.h
faulty 'a header that needs another one before it' size_t
sed -i '/#ifndef/d; /#endif/d' src/lib/good.h
faulty 'a header without a guard' 'src/lib/good.h: no include guard'
sed -i '/SPDX/d' src/lib/good.h
faulty 'a header without its SPDX line' 'src/lib/good.h: no SPDX line'
sed -i '/lib.good.h/d' src/lib/good.c
echo '#include "lib/good.h"' >>src/lib/good.c
faulty 'own header not first' 'src/lib/good.c: the first include is stdio.h, not lib/good.h'
echo '#!/bin/sh' | put tests/tool
faulty 'a script without its SPDX line' 'tests/tool: no SPDX line'

echo "1..$n"
