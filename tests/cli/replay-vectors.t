#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Recorded decisions of the real governors: a reduced set, all of them where they are at hand, and that a wrong answer,
# a wrong sum and a damaged file are found.

. tests/tap.sh

vectors() {
	try "$build/runner" replay --vectors "$@"
}

for file in tests/vectors/*.xz; do
	vectors "$file"
	[ "$status" = 0 ] && said ': ([0-9]+) of \1 equal, ([0-9]+) of \2 sums$'
	ok $? "$(basename "$file"): $(sed -n 's/.*: \([0-9]* of [0-9]* equal\).*/\1/p' "$tmp/out")"
done

vectors tests/vectors/*.xz
[ "$(sed -E 's/.*: ([0-9]+) of .*/\1/' "$tmp/out" | paste -sd+ | bc)" = 14020 ]
ok $? 'together 14,020 decisions'

full=$top/../shared/vectors
if [ -d "$full" ]; then
	vectors "$full"/*-*.xz "$full"/ladder.jsonl.xz
	[ "$status" = 0 ] && [ "$(sed -E 's/.*: ([0-9]+) of .*/\1/' "$tmp/out" | paste -sd+ | bc)" = 64000 ]
	ok $? 'all 64,000 of 64,000'
else
	ok 0 "all 64,000 # SKIP they are not here ($full)"
fi

# Each version is told from the next of its family (menu 6.18 and 6.19 by a unit test: they differ on no table here).
for pair in teo-6.14:teo-6.19 teo-6.19:teo-7.0 teo-5.13:teo-6.1 teo-6.1:teo-6.3 teo-6.3:teo-6.6 teo-6.12:teo-6.14 menu-6.1:menu-6.6 \
	menu-6.6:menu-6.13 menu-6.13:menu-6.15 menu-6.15:menu-6.17 menu-6.17:menu-6.18 menu-6.18:menu-7.0 menu-6.19:menu-7.0 \
	ladder:ladder-rfc haltpoll-6.1:haltpoll-6.12; do
	file=$(ls tests/vectors/"${pair%:*}".jsonl.xz tests/vectors/"${pair%:*}"-rjw.jsonl.xz 2>/dev/null)
	vectors "$file" --governors "${pair#*:}"
	ok $((status != 1)) "${pair#*:} does not answer as ${pair%:*} did"
done
said 'haltpoll-6.12: table .*, trace .*, i [0-9]+: got state . stop . asked . poll limit [0-9]+, want state '
ok $? 'the first difference is told with its case'
[ "$(grep -c want "$tmp/out")" = 1 ]
ok $? '... and only the first'

xz -dc tests/vectors/teo-6.14.jsonl.xz >"$tmp/plain"
vectors "$tmp/plain"
ok "$status" 'a plain file'
sed '0,/"idx":3/s//"idx":2/' "$tmp/plain" >"$tmp/wrong"
vectors "$tmp/wrong"
[ "$status" = 1 ] && said ': 679 of 680 equal' && said 'got state 3 .* want state 2'
ok $? 'a wrong answer is found'
sed '0,/"above":\[[0-9]*/s//"above":[77/' "$tmp/plain" >"$tmp/wrong"
vectors "$tmp/wrong"
[ "$status" = 1 ] && said ': 680 of 680 equal, 5 of 6 sums' && said 'sum above of state 0: got [0-9]+, want 77'
ok $? 'a wrong sum too'

# Other keys, none of the optional ones, 10 states.
states=$(for i in 0 1 2 3 4 5 6 7 8 9; do printf '%s{"lat_ns":%d,"res_ns":%d}' "${s-}" $((i * 1000)) $((i * 3000)); s=,; done)
printf '%s\n' "{\"k\":\"meta\",\"gov\":\"teo-6.14\",\"tick_ns\":1000000,\"new\":[1],\"states\":[$states]}" \
	'{"k":"d","sl":9000000,"dt":9000000,"idx":9,"stop":1,"asked":1,"ent":9,"res":9000000,"x":null}' \
	'{"k":"sum","usage":[0,0,0,0,0,0,0,0,0,1],"above":[0,0,0,0,0,0,0,0,0,0],"below":[0,0,0,0,0,0,0,0,0,0]}' >"$tmp/ten"
vectors "$tmp/ten"
ok "$status" '10 states, keys that are not known, and none that may be left out'

# refused TEXT NAME: what is in $tmp/bad ends with exit status 2 and a place
refused() {
	vectors "$tmp/bad"
	[ "$status" = 2 ] && said "$1"
	ok $? "refused: $2"
}
echo '{"k":"d","sl":1}' >"$tmp/bad"
refused 'bad:1: it belongs to no case' 'a decision without a case'
echo 'x' >"$tmp/bad"
refused 'bad:1: no JSON' 'no JSON'
sed '3s/"ent":[0-9]*/"ent":4/' "$tmp/plain" >"$tmp/bad"
refused 'bad:3: "ent" is 4, which is out of range' 'a state that there is not'
sed '3s/"sl":[0-9]*,//' "$tmp/plain" >"$tmp/bad"
refused 'bad:3: "sl" is missing' 'no sleep length'
sed '1s/teo-6.14/teo-9/' "$tmp/plain" >"$tmp/bad"
refused "bad:1: unknown governor 'teo-9'" 'an unknown governor'
: >"$tmp/bad"
refused 'no decision in it' 'an empty file'
head -c 5000 tests/vectors/teo-6.14.jsonl.xz >"$tmp/bad"
vectors "$tmp/bad"
[ "$status" = 1 ] && said 'damaged xz file'
ok $? 'half an xz file is damage'

done_testing
