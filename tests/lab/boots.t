#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A campaign over two boots of which the first has no teo: continued in the same folder of the host, complete after the
# second; and the same when each boot's work was done in a folder of its own and copied together.

. tests/lab/lab.sh
if ! on_host; then
	exec "$runner" --suite "$1" --governors menu,teo --reference menu --seed 7 --results "$2" --no-report
fi
need_lab
out=$(keep boots)
ring_suite 2 1s 'work = 50us' >"$out/two.ini"
# boot GOVERNORS: the campaign goes on on a kernel that has these besides menu and ladder. A second time while runs that
# it could make are left: emulated CPUs that stand still make runs void.
boot() {
	for _ in 1 2; do
		guest -d lab -e -g "$1" -t 120 -w "$out" -- "$top/tests/lab/boots.t" "$out/two.ini" "$out/r" >"$tmp/out"
		[ $status != 0 ] && ! said 'cells? .*(teo|not offered)|wait' || break
	done
}
made() { # GOVERNOR
	cat "$out"/r/boots/*/runs/*.r[12]/run.ini | grep -cx "governor = $1"
}

boot haltpoll
[ $status = 3 ] && said "teo"
ok $? "without teo: exit 3, and it says what is missing"
[ "$(made menu)" = 2 ] && [ "$(made teo)" = 0 ]
ok $? "menu was run"
try "$runner" status "$out/r"
said 'teo'
ok $? "status says what is left"
boot "teo haltpoll"
ok $status "the boot with teo completes the campaign"
[ "$(made teo)" = 2 ]
ok $? "teo was run"
[ "$(find "$out"/r/boots -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]
ok $? "two boots are kept apart"
try "$runner" status "$out/r"
ok $status "status: complete"
try "$runner" report "$out/r"
ok $status "reported"
grep -q 'governors: menu (reference), teo' "$out/r/report/summary.txt" && grep -q EMULATED "$out/r/report/summary.txt"
ok $? "menu and teo stand side by side, marked as emulated"

# Each boot in a folder of its own, brought together.
cp -r "$out/r" "$tmp/a" && cp -r "$out/r" "$tmp/b"
first=$(find "$out"/r/boots -mindepth 1 -maxdepth 1 -printf '%T@ %f\n' | sort -n | head -1 | cut -d' ' -f2)
rm -rf "$tmp/b/boots/$first" "$tmp/a/report" "$tmp/b/report"
find "$tmp/a/boots" -mindepth 1 -maxdepth 1 ! -name "$first" -exec rm -rf {} +
cp -r "$tmp"/b/boots/* "$tmp/a/boots/"
try "$runner" report "$tmp/a"
ok $status "boots copied together: reported"
cmp "$tmp/a/report/summary.txt" "$out/r/report/summary.txt" >"$tmp/out" 2>&1
ok $? "... with the same summary"
done_testing
