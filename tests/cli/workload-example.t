#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The worked example of docs/workload-interface.md: a workload is one file and one row. Copies the sources, adds what the
# document says and nothing else, builds, and finds it in the list, in its help, in a suite, and in the manual page.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
command -v cc >/dev/null || skip_all "no compiler"
# What the make that runs this test was given is not for the copy.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES O CC CFLAGS CPPFLAGS LDFLAGS DEVELOPER SANITIZE V PREFIX DESTDIR

copy=$tmp/copy
mkdir "$copy"
cp -r Makefile configs src workloads analysis tools docs runner "$copy"
mkdir "$copy/tests"
sed -n '/^### A worked example/,/^## /{/^```c$/,/^```$/p}' docs/workload-interface.md | sed '/^```/d' >"$copy/workloads/nap.c"
row=$(sed -n '/^The row in/,/^After/s/^    \(WORKLOAD(.*)\)$/\1/p' docs/workload-interface.md)
echo "$row" >>"$copy/workloads/workloads.def"
[ "$row" = 'WORKLOAD(nap)' ] && grep -q '^const struct workload workload_nap' "$copy/workloads/nap.c"
ok $? "the document has a file and a row"

cd "$copy" || exit 1
[ "$(cd "$top" && find workloads src | sort | cksum)" = "$(find workloads src ! -name nap.c | sort | cksum)" ]
ok $? "one file was added"
# Without -g and -O: only that it builds without a warning is asked.
try make -s -j2 DEVELOPER=1 CFLAGS=-O1 build/runner build/workloads/nap
ok $status "it builds without a warning"
if command -v clang-format >/dev/null; then
	cp "$top/.clang-format" .
	try clang-format --dry-run -Werror workloads/nap.c
	ok $status "it is formatted as the house is"
fi

try build/runner list workloads
said '^  nap  .*\(timer based\)'
ok $? "list workloads names it, and that it is timer based"
try build/workloads/nap --help
said '^  --interval TIME .*' && said '^  over_p50_us, us' && [ $status = 0 ]
ok $? "its help has the parameter and the metrics"
try build/workloads/nap --window 300ms --interval 2ms --warmup 0s
naps=$(awk '$1 == "naps" { print $2 }' "$tmp/out")
[ $status = 0 ] && [ "${naps:-0}" -ge 5 ] && [ "$naps" -le 150 ]
ok $? "it runs: $naps sleeps of 2 ms in 300 ms"
try build/workloads/nap --interval 2s
[ $status = 2 ] && said '^nap: interval: 2s is out of range \(1us to 1s\)$'
ok $? "its range is checked"

cat >nap.ini <<'END'
[suite]
format = 1
repeat = 1
warmup = 0s
window = 200ms
[run nap]
workload = nap
interval = 1ms..10ms log 3
END
"$top/tests/machines/make-machine" m --cpus 4
try build/runner --root m --suite ./nap.ini --governors menu --results r --no-report
[ $status = 0 ] && [ "$(find r -name metrics.tsv -path '*nap*' | wc -l)" = 3 ] &&
	grep -q '^over_p50_us	us	lower	[0-9]' "$(find r -name metrics.tsv -path '*interval=1ms*')"
ok $? "a suite sweeps its parameter"
try tools/workload-page build/workloads/nap
said '^# NAP$' && said '^\*interval\* _TIME_$' && said '^\*naps\*'
ok $? "the manual page has a chapter on it"
done_testing
