#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# replay: lists of idle durations under modelled governors, tables as data, governors from shared objects.

. tests/tap.sh

replay() {
	try "$build/runner" replay "$@"
}

# cell GOVERNOR COLUMN: of the last replay's table
cell() {
	sed 's/too deep/deep/; s/too shallow/shallow/; s/= oracle/oracle/; s/tick wakes/ticks/; s/latency us/latency/; s/added us/added/; s/energy J/energy/' \
		"$tmp/out" | awk -v g="$1" -v c="$2" '$1 == "governor" { for (i = 1; i <= NF; i++) at[$i] = i } $1 == g { print $at[c] }'
}

# is WHAT VALUE WANT
is() {
	[ "$2" = "$3" ]
	ok $? "$1: $3 (is $2)"
}

replay --list
[ "$status" = 0 ] && [ "$(wc -l <"$tmp/out")" = 22 ] && said '^menu-6.1 +5.0 '
ok $? '--list: 22 governors with their first kernel'

# 347 Hz with 3 % of work, all timers: the case of a utilised CPU on a table with a cheap deep state.
awk 'BEGIN { print "start_us duration_us wake"; for (i = 0; i < 300; i++) print i * 2882 + 86, 2795, "timer" }' >"$tmp/periodic"
replay "$tmp/periodic" --table i5-10600k --set utilisation=31 --governors teo-6.1,teo-6.3,rjw,oracle
ok "$status" 'columns start, duration and wake'
is 'teo-6.1 in C2, %' "$(cell teo-6.1 C2_ACPI)" 100.0
is 'teo-6.3 a state shallower, in C1, %' "$(cell teo-6.3 C1_ACPI)" 100.0
is 'rjw in C2, %' "$(cell teo-6.6 C2_ACPI)" 100.0
is 'as the oracle: rjw, %' "$(cell teo-6.6 oracle)" 100.0
is 'as the oracle: teo-6.3, %' "$(cell teo-6.3 oracle)" 0.0
is 'too shallow: teo-6.3, %' "$(cell teo-6.3 shallow)" 100.0
is 'tick wakes of teo-6.3' "$(cell teo-6.3 ticks)" 0
is 'latency of rjw, half of 120 us' "$(cell teo-6.6 latency)" 60.00
# Break-even of 1 us and 360 us: C2 5259.4 uJ a transition; C1 3.4 uJ, and 14.6 W for 2795.5 us.
is 'energy of rjw, J' "$(cell teo-6.6 energy)" 1.57782
is 'energy of teo-6.3, J' "$(cell teo-6.3 energy)" 12.2453

replay "$tmp/periodic" --table i5-10600k --set utilisation=16 --governors teo-6.3
is 'utilisation of capacity / 64 is not utilised: C2, %' "$(cell teo-6.3 C2_ACPI)" 100.0

# 0.25 s of 2.5 ms gaps, in which no timer of the kernel is due.
for i in $(seq 100); do echo 2.5ms; done >"$tmp/ticks"
replay "$tmp/ticks" --table haltpoll-guest --governors haltpoll,oracle --hz 1000
is 'the oracle is never woken by a tick' "$(cell oracle ticks)" 0
replay "$tmp/ticks" --table juno --governors menu-6.1 -o "$tmp/rows"
ok "$status" '-o: rows'
rows=$(($(wc -l <"$tmp/rows") - 1))
is 'a row a decision' "$rows" "$(cell menu-6.1 decisions)"
is 'tick wakes are rows with tick_fired' "$(awk -F'\t' 'NR > 1 && $14 == 1' "$tmp/rows" | wc -l)" "$(cell menu-6.1 ticks)"
awk -F'\t' 'NR > 1 && $7 <= 0 { exit 1 } NR > 1 && (NF != 20 || $20 != "MODELLED") { exit 1 }' "$tmp/rows"
ok $? 'no decision after the gap has ended'
awk -F'\t' 'NR > 1 && $2 != gap && $7 != 2500000 { exit 1 } { gap = $2 }' "$tmp/rows"
ok $? "each gap's first decision has all of it before it"

cp "$tmp/ticks" "$tmp/kept"
ln "$tmp/kept" "$tmp/link"
replay "$tmp/kept" --governors menu -o "$tmp/link"
[ "$status" = 2 ] && said 'this is what is replayed' && cmp -s "$tmp/ticks" "$tmp/kept"
ok $? 'rows do not go over the file that is replayed'
replay "$tmp/kept" --governors menu -o "$tmp/none" --misses "$tmp/none"
[ "$status" = 2 ] && said 'the decisions go there' && [ ! -e "$tmp/none" ]
ok $? '... nor over each other'

# Short idles promote the old ladder; the RFC's stays.
for i in $(seq 2000); do echo 4; done >"$tmp/short"
replay "$tmp/short" --table skx --governors ladder,ladder-rfc
[ "$(cell ladder C6 | cut -d. -f1)" -gt 90 ] && [ "$(cell ladder-rfc C6)" = 0.0 ]
ok $? "ladder: 4 us idles bring the old rules to C6 ($(cell ladder C6) %), not the RFC's"

# Calls avoided in short idles: every one asks in 6.3, hardly any from 6.6 on.
for i in $(seq 2000); do echo 3us; done >"$tmp/short"
replay "$tmp/short" --table skx --governors teo-6.3,teo-6.6,teo-6.14
is 'teo-6.3 asks, %' "$(cell teo-6.3 asked)" 100.0
awk -v a="$(cell teo-6.6 asked)" -v b="$(cell teo-6.14 asked)" 'BEGIN { exit !(a < 5 && b < 5) }'
ok $? "teo-6.6 and 6.14 hardly ever ($(cell teo-6.6 asked) %, $(cell teo-6.14 asked) %)"

replay "$tmp/periodic" --table i5-10600k --governors all
cp "$tmp/out" "$tmp/first"
replay "$tmp/periodic" --table i5-10600k
cmp -s "$tmp/out" "$tmp/first"
ok $? 'the same bytes again; all is the default'
is 'rows' "$(grep -cE '^(teo|menu|ladder|haltpoll|oracle)' "$tmp/out")" 22
xz -c "$tmp/periodic" >"$tmp/periodic.xz"
replay "$tmp/periodic.xz" --table i5-10600k
cmp -s <(tail -n +2 "$tmp/out") <(tail -n +2 "$tmp/first")
ok $? 'and from an .xz'
replay "$tmp/periodic" --table skl --governors teo
[ "$(cell teo-7.0 energy)" = NA ]
ok $? 'energy is NA where the machine has no powers'

for ini in configs/machines/*.ini; do
	replay "$tmp/periodic" --table "$(basename "$ini" .ini)" --governors all
	ok "$status" "every governor on $(basename "$ini" .ini)"
done

# The example of docs/writing-a-governor.md, built as that page says.
if command -v "${CC:-gcc}" >/dev/null; then
	try "${CC:-gcc}" -std=gnu17 -O2 -Wall -Wextra -Werror -shared -fPIC -Isrc docs/examples/teo-ng.c -o "$tmp/teo-ng.so"
	ok "$status" 'teo-ng builds'
	grep -q 'shared -fPIC -Isrc docs/examples/teo-ng.c -o' docs/writing-a-governor.md
	ok $? '... by the command on its page'
	if nm "$build/analysis" 2>/dev/null | grep -q __asan_init; then
		ok 0 'teo-ng from its shared object # SKIP sanitized program'
	else
		replay "$tmp/periodic" --table i5-10600k --governor-so "$tmp/teo-ng.so" --governors oracle
		is 'teo-ng from its shared object: C2, %' "$(cell teo-ng C2_ACPI)" 100.0
		(cd "$tmp" && "$build/analysis" replay periodic --table skx --governor-so teo-ng.so) >"$tmp/out" 2>&1
		ok $? 'a name without a slash is a file here'
	fi
	echo 'int idle_governor[64];' | "${CC:-gcc}" -shared -fPIC -xc - -o "$tmp/zero.so"
	replay "$tmp/periodic" --governor-so "$tmp/zero.so"
	[ "$status" = 2 ] && said 'built for another governor.h'
	ok $? 'an object of another version is refused'
	echo 'int other;' | "${CC:-gcc}" -shared -fPIC -xc - -o "$tmp/none.so"
	replay "$tmp/periodic" --governor-so "$tmp/none.so"
	[ "$status" = 2 ] && said 'no symbol idle_governor'
	ok $? 'so is one without the symbol'
	sed 's/choice.state = i;/choice.state = 4;/' docs/examples/teo-ng.c |
		"${CC:-gcc}" -std=gnu17 -shared -fPIC -Isrc -xc - -o "$tmp/out-of-table.so"
	replay "$tmp/periodic" --governor-so "$tmp/out-of-table.so" --governors oracle
	[ "$status" = 2 ] && said 'governor teo-ng chose state 4 of 4'
	ok $? 'a state that there is not ends it'
fi

refused_by replay 'replay which file' --governors teo
refused_by replay "unknown machine 'nosuch'; there are:.* i5-10600k.* skx" "$tmp/short" --table nosuch
refused_by replay "unknown governor 'teo-6.13' \(did you mean 'teo@6.13'" "$tmp/short" --governors teo-6.13
refused_by replay "did you mean '--governors'" "$tmp/short" --govrnors teo
refused_by replay '--set C9.disabled=yes: skx has no state C9; there are: POLL C1 C1E C6' "$tmp/short" --set C9.disabled=yes
refused_by replay "--set hz=0: '0' is not from 1 to 10000" "$tmp/short" --hz 0
refused_by replay '--wake often: there are timer and irq' "$tmp/short" --wake often
refused_by replay 'needs a value' "$tmp/short" --table
printf '3\n-1\n' >"$tmp/bad"
refused_by replay "bad:2: '-1' is no time" "$tmp/bad"
printf '3\n2h\n' >"$tmp/bad"
refused_by replay 'bad:2: no CPU is idle for more than an hour' "$tmp/bad"
printf 'length\n3\n' >"$tmp/bad"
refused_by replay "bad:1: no column 'duration'" "$tmp/bad"
printf 'start duration\n3 5\n7 2\n' >"$tmp/bad"
refused_by replay 'bad:3: it starts before the last one has ended' "$tmp/bad"
printf '# nothing\n\n' >"$tmp/bad"
refused_by replay 'no idle duration in it' "$tmp/bad"
printf '[machine]\nhz = 1000\n[state A]\nlatency = 1\n' >"$tmp/bad.ini"
refused_by replay 'bad.ini:4: .*has no unit' "$tmp/short" --table "$tmp/bad.ini"
printf '[machine]\nhz = 1000\n' >"$tmp/bad.ini"
refused_by replay 'no \[state NAME\]' "$tmp/short" --table "$tmp/bad.ini"
replay "$tmp/nosuch"
[ "$status" = 1 ] && said 'nosuch: No such file'
ok $? 'a missing file is an error of the world'
replay "$tmp/short" -o /dev/full --governors teo
[ "$status" = 1 ] && said '/dev/full'
ok $? 'a full disk under the rows is told'

done_testing
