#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs/measuring.md: every file that the tables name exists, and each one named beside a workload criterion (A-xx) holds
# that number. Numbers that the tests hold are in the table.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
doc=docs/measuring.md

# The file that `DIR/NAME` stands for, in the document's own words.
file_of() {
	case $1 in
	cli/* | lab/* | live/*) echo "tests/$1.t" ;;
	bench/* | tests/*) echo "tests/${1#tests/}" ;;
	machines/*) echo "tests/$1.ini" ;;
	*) echo "tests/unit/$1.c" ;;
	esac
}

# "ID dir/name" for each test in the rows of a table.
rows() {
	sed -n "s/^| \($1-[0-9]*\) |/\1 |/p" "$doc" | while IFS='|' read -r id _ tests; do
		grep -oE '`[a-z]+/[A-Za-z0-9_/-]+`' <<<"$tests" | tr -d '`' | sed "s/^/${id% } /"
	done
}

n=$(grep -cE '^\| A-[0-9]+ \|' "$doc")
[ "$n" -ge 27 ] && [ "$(grep -cE '^\| P-[0-9]+ \|' "$doc")" -ge 40 ]
ok $? "the tables have their rows ($n of workloads)"
sed -n 's/^| \([AP]-[0-9]*\) |.*/\1/p' "$doc" | sort | uniq -d >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "no number stands twice"

rows P | while read -r id test; do
	[ -e "$(file_of "$test")" ] || echo "$id: $test: no $(file_of "$test")"
done >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "every file of the P tables exists"

rows A >"$tmp/rows"
while read -r id test; do
	file=$(file_of "$test")
	grep -qE "$id([^0-9]|\$)" "$file" 2>"$tmp/out"
	ok $? "$id is tested in $file"
done <"$tmp/rows"
[ "$(wc -l <"$tmp/rows")" -ge 50 ]
ok $? "the A table was read ($(wc -l <"$tmp/rows") tests)"

grep -rhoE 'A-[0-9]{2}\b' tests/cli tests/live tests/unit | sort -u | while read -r id; do
	grep -q "^| $id |" "$doc" || echo "$id has a test, and no row"
done >"$tmp/out"
[ ! -s "$tmp/out" ]
ok $? "every number in a test has its row"

criteria=../shared/WORKLOADS.md
if [ -r "$criteria" ]; then
	sed -n 's/^| \(A-[0-9]*\) |.*/\1/p' "$criteria" | while read -r id; do
		grep -q "^| $id |" "$doc" || echo "$id has no row"
	done >"$tmp/out"
	[ ! -s "$tmp/out" ]
	ok $? "every criterion has its row"
fi
done_testing
