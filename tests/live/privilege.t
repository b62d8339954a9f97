#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Under sudo: the governor of this machine is switched and put back, and what is left belongs to the user. sudo itself
# is not needed, only what it tells.

. "$(dirname "$0")/live.sh"

[ "$(id -un 65534 2>/dev/null)" = nobody ] || skip_all "needs the user nobody (65534)"
chmod 755 "$tmp"
mkdir "$tmp/home"
chown 65534:65534 "$tmp/home"
(cd "$top" && make -s install O="$build" PREFIX="$tmp/prefix" DESTDIR=) >"$tmp/out" 2>&1
ok $? "make install PREFIX=DIR"
write_suite "$tmp/one.ini" 300ms 0
chmod 644 "$tmp/one.ini"

try env SUDO_UID=65534 SUDO_GID=65534 "$tmp/prefix/bin/idle-runner" --suite "$tmp/one.ini" --allow-busy --event context-switches \
	--governors "$(comma_list "${offered[@]}")" --results "$tmp/home/r" --cpus 0,1
ok $status "a campaign of ${#offered[@]} governors under sudo"
[ "$(published "$tmp/home/r" | wc -l)" = ${#offered[@]} ] && [ -z "$(incomplete "$tmp/home/r")" ]
ok $? "with a complete run of each"
[ "$(grep -h '^governor = ' "$tmp"/home/r/boots/*/runs/*/run.ini | sort -u | wc -l)" = ${#offered[@]} ]
ok $? "under each governor"
grep -lq 'not switched' "$tmp"/home/r/boots/*/runs/*/run.ini
[ $? = 1 ]
ok $? "which was switched"
[ -s "$tmp/home/r/report/summary.txt" ] && [ -z "$(find "$tmp/home/r" ! -uid 65534 -o ! -gid 65534)" ]
ok $? "results and report belong to the user"
grep -qE '^[0-9]+.context-switches.[1-9]' "$tmp"/home/r/boots/*/runs/*/events.tsv
ok $? "events of whole CPUs are counted, which the user alone may not"
governor_is_back
ok $? "the governor is back"
[ ! -e /run/idle-runner/undo/journal ]
ok $? "no journal is left"

done_testing
