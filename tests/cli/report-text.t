#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# P-62: summary.txt can be pasted into a mail to a list: 78 columns whatever names are in it, no blanks at line ends, '.'
# decimals whatever the locale, '-' for what is not available. Its lists of averages are in the form that readers know.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1

# report NAME [key=value]...: makes a result and its report; the summary in $tmp/out
report() {
	local name=$1
	shift
	: >"$tmp/out"
	tests/make-result "$tmp/$name" "$@" >/dev/null || return
	PATH=/nowhere "$build/analysis" report --quiet "$tmp/$name" >"$tmp/log" 2>&1
	status=$?
	cp "$tmp/$name/report/summary.txt" "$tmp/out"
}

# fits NAME: 78 columns, and nothing that a mail or an editor stumbles over
fits() {
	[ -s "$tmp/out" ] && LC_ALL=C awk 'length > 78 { print FILENAME ":" NR ": " length ": " $0; bad = 1 } END { exit bad }' "$tmp/out" >"$tmp/faults" &&
		! grep -nE '[[:blank:]]$' "$tmp/out" && ! grep -n "$(printf '\t')" "$tmp/out" && LC_ALL=C.UTF-8 grep -qax '.*' "$tmp/out" &&
		! LC_ALL=C.UTF-8 grep -vax '.*' "$tmp/out" && ! grep -nE '(^|[^[:alnum:]])-?(nan|inf)([^[:alnum:]]|$)' "$tmp/out"
	ok $? "P-62: $1: 78 columns, no blanks at line ends, no nan"
}

report plain points=3 || skip_all "make-result failed"
fits 'a sweep and a single point'

## the list form
list() {
	awk -v m="^$1 in " '$0 ~ m { on = 1 } /^$/ { on = 0 } on && /^  [^ ]+: / { print }' "$tmp/out"
}
awk '/^== slow-dwell/, 0' "$tmp/out" >"$tmp/dwell" && cp "$tmp/dwell" "$tmp/out"
[ "$(list loop_us | wc -l)" = 3 ] && list loop_us | head -n 1 | grep -qE '^  menu: +[0-9.]+ us \(sd [0-9.]+, n 6\), reference$'
ok $? "average, deviation, number of runs and 'reference' of the first"
list loop_us | grep -qE '^  teo: +[0-9.]+ us \(sd [0-9.]+, n 6\), [-+]0\.[0-9]{2} % \((better|worse)\?\) ~$'
ok $? "... of one that is the same: percent, word with a question mark, ~"
list loop_us | grep -qE '^  teo-ng: [0-9.]+ us \(sd [0-9.]+, n 6\), -[45]\.[0-9]{2} % better$'
ok $? "... of one that is better: percent and verdict"
[ "$(awk '/^loop_us in /, /^$/' "$tmp/out" | awk '{ print $1 }' | tr '\n' ' ')" = \
	'loop_us menu: teo: teo-ng: median menu teo teo-ng  ' ]
ok $? "... medians and intervals are beside them"
# The average by hand, from the runs' own files.
want=$(for run in "$tmp"/plain/boots/*/runs/*slow-dwell.teo-ng.r*; do awk -F'\t' '$1 == "loop_us" { print $4 }' "$run/metrics.tsv"
	done | awk '{ s += $1; v[NR] = $1 } END { m = s / NR; for (i in v) q += (v[i] - m) ^ 2; printf "%.2f %.3g", m, sqrt(q / (NR - 1)) }')
[ "$(list loop_us | awk '$1 == "teo-ng:" { sub(/,/, "", $5); print $2, $5 }')" = "$want" ]
ok $? "... average and deviation are those of the runs' files"
grep -qE '^ +0  POLL +0 +0$' "$tmp/plain/report/summary.txt" && grep -qE '^ +3  C6 +133 +600$' "$tmp/plain/report/summary.txt"
ok $? "P-61: the state table has latency and residency"
said '^  teo +POLL +[0-9]+ +[0-9.]+ +[0-9.]+ +(-|[0-9.]+) +(-|[0-9.]+)$' && said 'all runs together, CPUs pooled$'
ok $? "usage, residency, too deep, too shallow of each state; the averaging is named"

## names
long=a-governor-with-a-name-that-is-longer-than-any-line-of-a-mail-should-ever-be-and-goes-on-and-on
report long points=3 grid=1 words=1 "governors=menu,a-governor-of-some-length,$long" \
	kernel=6.18.0-rc4-next-20261130-with-a-local-version-of-some-length
fits 'long names of governors and kernels'
tr -d '\n' <"$tmp/out" | sed 's/ \+//g' | grep -qF "${long#a-governor-}"
ok $? "... none is cut"
[ "$(grep -cE '^  (a-governor-of-some-length|.*C1E)$' "$tmp/out")" -ge 1 ] && said '^ +[0-9.]+ +[0-9.]+\.\.[0-9.]+ +[-+][0-9.]+ '
ok $? "... the numbers of one are in the line below"
report several points=2 'governors=menu,menu,teo,teo-ng,ladder,nap,haltpoll'
fits 'seven columns'
report utf8 points=2 'governors=menu,téo-ünïcødé,größe' shift=größe:3
fits 'names in UTF-8'
# Characters, not bytes, make a column: the medians of all three end in one column.
LC_ALL=C.UTF-8 perl -CSD -ne 'if (/^(  (?:menu|t\x{e9}o-\x{fc}n\x{ef}c\x{f8}d\x{e9}|gr\x{f6}\x{df}e) +[0-9.]+) +[0-9.]+\.\./) { $n{length $1}++; $rows++ }
	END { exit !($rows >= 6 && keys %n == 1) }' "$tmp/out"
ok $? "... are aligned by characters"
report bytes points=0 idle=1
sed -i "s/Synthetic CPU <test> & Co/CPU \xe2\x98\x83 of a very long name that goes on for more than one line of the mail, which it may/" \
	"$tmp"/bytes/boots/*/host.ini
PATH=/nowhere "$build/analysis" report --quiet "$tmp/bytes" >"$tmp/log" 2>&1
cp "$tmp/bytes/report/summary.txt" "$tmp/out"
fits "a machine's long name"

## what is not available
report na points=2 repeat=1 idle=0 power=0 governors=menu,teo,ladder missing=ladder absent=1 reference=teo
fits 'one run each, a cell without a run, no idle states, no power'
said '^  teo: +[0-9.]+ us \(n 1\), reference$' && ! said 'package_w'
ok $? "... no deviation of one run, no watts"
said '^  menu: no value$' || said '^  menu: +[0-9.]+ us \(n 1\), [-+][0-9.]+ % '
ok $? "... a column without runs says so"
said '^no idle states: this machine has no cpuidle$' && said '^package power: not available'
ok $? "... and what the machine lacks is named"
tests/make-result "$tmp/zero" points=0 governors=menu,teo >/dev/null
for metrics in "$tmp"/zero/boots/*/runs/*menu*/metrics.tsv; do sed -i 's/^\(loop_us\t.*\t\).*/\10/' "$metrics"; done
for metrics in "$tmp"/zero/boots/*/runs/*teo*/metrics.tsv; do sed -i 's/^\(p99_us\t.*\t\).*/\1/' "$metrics"; done
PATH=/nowhere "$build/analysis" report --quiet "$tmp/zero" >"$tmp/log" 2>&1
cp "$tmp/zero/report/summary.txt" "$tmp/out"
said '^  teo: .*, the reference is 0$'
ok $? "... nothing is a percentage of 0"
said '^  p99_us, us +[0-9.]+ +- +- +-$'
ok $? "... a metric that a governor lacks is -"
fits 'a reference of 0, a metric without values'

## P-10: a counter that is dead under one governor
tests/make-result "$tmp/dead" points=0 governors=menu,teo >/dev/null
for energy in "$tmp"/dead/boots/*/runs/*.teo.*/energy.tsv; do
	awk -F'\t' -v OFS='\t' '$2 == "package-0" { $6 = $5 } { print }' "$energy" >"$tmp/energy" && cp "$tmp/energy" "$energy"
done
PATH=/nowhere "$build/analysis" report --quiet "$tmp/dead" >"$tmp/log" 2>&1
tr -s ' \n' ' ' <"$tmp/dead/report/summary.txt" >"$tmp/out"
said '6 x no package power: the energy counter does not advance \(a guest.s dummy\?\) \(first: [^ ]*teo'
ok $? "P-10: a counter that does not advance under one governor is a doubt of its runs"
grep -q 'no package power: the energy counter does not advance' "$tmp/dead/report/index.html" &&
	[ "$(grep -c 'no package power: the energy counter' "$tmp/dead/report/summary.json")" = 6 ]
ok $? "... on the page and in summary.json as well"

tests/make-result "$tmp/unpowered" points=0 governors=menu,teo >/dev/null
rm "$tmp"/unpowered/boots/*/runs/*.teo.*/energy.tsv
PATH=/nowhere "$build/analysis" report --quiet "$tmp/unpowered" >"$tmp/log" 2>&1
cp "$tmp/unpowered/report/summary.txt" "$tmp/out"
said '^  teo:  no value$' && said '6 runs each$' && ! said 'no complete run'
ok $? "... complete runs without a measure are not called incomplete"

## the locale
if localedef -i de_DE -f UTF-8 "$tmp/de_DE.UTF-8" >/dev/null 2>&1 &&
	[ "$(LOCPATH=$tmp LC_ALL=de_DE.UTF-8 /usr/bin/printf '%.1f' 0,5 2>/dev/null)" = 0,5 ]; then
	for format in txt json csv md; do cp "$tmp/plain/report/summary.$format" "$tmp/c.$format"; done
	LOCPATH=$tmp LC_ALL=de_DE.UTF-8 LANGUAGE=de PATH=/nowhere "$build/analysis" report --quiet "$tmp/plain" >"$tmp/log" 2>&1
	same=0
	for format in txt json csv md; do cmp "$tmp/c.$format" "$tmp/plain/report/summary.$format" >>"$tmp/log" || same=1; done
	ok $same "a locale with ',' decimals changes no form of the summary"
else
	echo "# no German locale can be made here: not tried"
fi

done_testing
