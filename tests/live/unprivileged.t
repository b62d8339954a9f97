#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Without root: the governor in use can be measured and reported; a switch is refused before anything runs.

. "$(dirname "$0")/live.sh"

command -v setpriv >/dev/null || skip_all "needs setpriv (util-linux)"

# An installed copy that another user can read, wherever the build folder is.
prefix=$tmp/prefix
chmod 755 "$tmp"
mkdir "$tmp/home"
chmod 777 "$tmp/home"
(cd "$top" && make -s install O="$build" PREFIX="$prefix" DESTDIR=) >"$tmp/out" 2>&1
ok $? "make install PREFIX=DIR"
as_nobody() {
	(cd "$tmp/home" && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$prefix/bin/idle-runner" "$@")
}

write_suite "$tmp/one.ini" 300ms 0
chmod 644 "$tmp/one.ini"

try as_nobody --suite "$tmp/one.ini" --allow-busy --no-power --governors current --results "$tmp/home/r" --cpus 0,1
ok $status "--governors current runs as another user"
[ "$(published "$tmp/home/r" | wc -l)" = 1 ] && [ -z "$(incomplete "$tmp/home/r")" ]
ok $? "with one complete run"
[ -s "$tmp/home/r/report/summary.txt" ] && grep -q "$governor_before" "$tmp/home/r/report/summary.txt"
ok $? "and a report that names $governor_before"

try as_nobody --suite "$tmp/one.ini" --allow-busy --no-power --governors "$(other_governor)" --results "$tmp/home/s" --cpus 0,1
[ $status = 1 ]
ok $? "a switch is refused"
said "current_governor" && said "root" && said "governors current"
ok $? "with the file and the two ways out"
[ ! -e "$tmp/home/s" ] && governor_is_back
ok $? "before anything is made or changed"

done_testing
