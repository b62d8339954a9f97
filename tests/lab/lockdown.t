#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel locked down to confidentiality, as Secure Boot can have it. What measures must not need what that forbids; what
# cannot work must say so. The modules of the lab are loaded before the lock is set: it refuses unsigned ones.

. tests/lab/lab.sh
in_guest -d lab -e -t 150

lock=/sys/kernel/security/lockdown
echo confidentiality >$lock
grep -q '\[confidentiality\]' $lock
ok $? "the kernel is locked down ($(cat $lock))"
ring_suite 1 1s 'work = 50us' >"$tmp/one.ini"
measure "$tmp/r" --suite "$tmp/one.ini" --governors menu,teo --no-report
ok $status "governors are switched and measured, with power"
try "$runner" check
sed 's/^/# /' "$tmp/out"
said 'idle tracing|trace'
ok $? "check says what becomes of tracing"
tracing=$(grep -c '^ok  *idle tracing' "$tmp/out")

try "$runner" record -o "$tmp/trace" --seconds 2
sed 's/^/# /' "$tmp/out"
if [ $status = 0 ]; then
	said '[1-9][0-9]* idle periods, 0 events lost'
	ok $? "a trace is recorded"
else
	said -i 'lock'
	ok $? "no trace, and the message names lockdown"
fi
[ $((status == 0)) = "$((tracing > 0))" ]
ok $? "... as check said before"
done_testing
