#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is wrong with a command is said before anything is touched: exit 2, a sentence with the nearest known word
# or both numbers, the machine as it was, and no result directory.

. tests/cli/runner.sh

machine --governors 'menu teo ladder' --governor ladder
suite good '[run a]' 'workload = ping-pong'
before=$(picture "$tmp/m")

untouched() {
	[ "$(picture "$tmp/m")" = "$before" ] && [ ! -e "$tmp/r" ] && [ ! -s "$tmp/out" ] &&
		[ "$(grep -c '^runner: ' "$tmp/err")" = 1 ]
}

# refused NAME TEXT ARGUMENT..
refused() {
	local name=$1 text=$2

	shift 2
	run --root "$tmp/m" --results "$tmp/r" "$@"
	ended 2 "$text" && untouched
	is $? "$name"
}

# bad_suite NAME TEXT LINE..: in a suite's file, with the place.
bad_suite() {
	local name=$1 text=$2

	shift 2
	suite bad "$@"
	refused "$name" "$tmp/bad.ini:$text" --suite "$tmp/bad.ini"
}

refused 'no suite' 'no --suite' --governors menu
refused 'unknown suite' "no suite 'smoek'" --suite smoek
refused 'unknown suite: the nearest' "did you mean 'smoke'?" --suite smoek
refused 'missing file' "$tmp/none.ini: No such file" --suite "$tmp/none.ini"
refused 'a folder as suite' 'is a folder, not a suite file' --suite "$tmp/m"
bad_suite 'unknown section' '6: unknown section [rum a]' '[rum a]' 'workload = idle'
bad_suite 'unknown workload' "6: [run a]: unknown workload 'ping-pogn'" '[run a]' 'workload = ping-pogn'
ok 'unknown workload: the nearest' ended 2 "did you mean 'ping-pong'?"
bad_suite 'unknown key of [suite]' "6: unknown key 'windwo'" 'windwo = 1s' '[run a]' 'workload = idle'
bad_suite 'unknown key of [run]' "8: [run a]: unknown parameter 'wrok' (did you mean 'work'?)" \
	'[run a]' 'workload = ping-pong' 'wrok = 5'
bad_suite 'unknown unit' "8: [run a]: work: '5parsecs'" '[run a]' 'workload = ping-pong' 'work = 5parsecs'
bad_suite 'no unit' "8: [run a]: '5' has no unit" '[run a]' 'workload = ping-pong' 'window = 5'
bad_suite 'empty range' "8: [run a]: work: '5us..5us' is an empty range" \
	'[run a]' 'workload = ping-pong' 'work = 5us..5us log 3'
bad_suite 'lo above hi' "8: [run a]: work: '5us..1us' has lo above hi" \
	'[run a]' 'workload = ping-pong' 'work = 5us..1us log 3'
bad_suite 'a line of 300 bytes' '6: line of 308 bytes (at most 198)' "about = $(printf '%0300d' 0)" \
	'[run a]' 'workload = idle'
bad_suite 'nothing to run' ' no [run NAME] section'
bad_suite 'section twice' '8: section [run a] is there already, in line 6' \
	'[run a]' 'workload = idle' '[run a]' 'workload = idle'

{ cat "$tmp/good.ini"; printf 'work = 1\0\n'; } >"$tmp/nul.ini"
refused 'a NUL byte' "$tmp/nul.ini:8: NUL byte" --suite "$tmp/nul.ini"
: >"$tmp/empty.ini"
refused 'an empty file' "no 'format = 1' in [suite]" --suite "$tmp/empty.ini"
sed 's/^format = 1/format = 2/' "$tmp/good.ini" >"$tmp/new.ini"
refused 'a later format' "$tmp/new.ini:2: format: format 2 is newer than this program reads (1)" \
	--suite "$tmp/new.ini"

good() {
	refused "$1" "$2" --suite "$tmp/good.ini" "${@:3}"
}

good 'a typo in a governor' "unknown governor 'mneu' (this kernel offers: menu, teo, ladder; did you mean 'menu'?)" \
	--governors menu,mneu
good 'not a governor' "'me nu' is not a governor's name" --governors 'me nu'
good 'an empty governor' "'' is not a governor's name" --governors menu,
good 'available is no member of a list' "'available' stands alone" --governors menu,available
good 'reference that is not asked for' '--reference teo is not one of the governors asked for (menu)' \
	--governors menu --reference teo
good 'more cores than there are' '[run a]: 12 CPUs asked, this machine has 4' --set cores=12
good 'more cores than are allowed' '3 CPUs asked, this machine has 2 that are allowed' --cpus 0-1 --set cores=3
good 'CPU that is not there' 'CPU 9 is not online' --cpus 0,9
good 'CPU twice' '--cpus: ' --cpus 0,0
good 'distance that cannot be had' '[run a]: distance smt-sibling' --set distance=smt-sibling
good 'unknown key of --set' "'wrok' (did you mean 'work'?)" --set wrok=5
good 'unknown section of --set' "is called 'b'" --set b.work=5
good 'empty range of --set' 'is an empty range' --set 'work=0..0 log 3'
good 'unknown option' "unknown option '--govenors' (did you mean '--governors'?)" --govenors menu
good 'option twice' '--window is given twice' --window 1s --window 2s
good 'window too short' '--window is outside 100ms to 24h' --window 99ms
good 'window without unit' "--window: '20' has no unit" --window 20
good 'unknown order' "not 'aba' (did you mean 'abba'?)" --order aba
good 'no repeat' '--repeat is 1 to 1000' --repeat 0
good 'a stray word' "unexpected argument 'menu'" menu
good 'no value' '--seed needs a value' --seed

run --suite "$tmp/good.ini" --root "$tmp/nowhere" --results "$tmp/r"
ok 'no such machine' test "$status" != 0 -a ! -e "$tmp/r"
run rnu --suite smoke
ok 'unknown verb' ended 2 "unknown verb 'rnu' (did you mean 'run'?)"
run list wrokloads
ok 'list of what' ended 2 "list has no 'wrokloads' (did you mean 'workloads'?)"
run list suites workloads
ok 'list of two things' ended 2 "unexpected argument 'workloads'"
run status
ok 'status of nothing' ended 2 'status of which result directory?'
run status a b
ok 'status of two' ended 2 'status takes one result directory'
run report
ok 'report of nothing' ended 2 'report which result directory?'
run restore --root "$tmp/m" now
ok 'restore takes no word' ended 2 "unexpected argument 'now'"

# Result directories that are not this campaign's.
mkdir "$tmp/foreign"
echo precious >"$tmp/foreign/thesis.tex"
run --root "$tmp/m" --suite "$tmp/good.ini" --results "$tmp/foreign"
ok 'a folder with other files' ended 2 'the folder is not empty and holds no campaign.ini'
ok 'it keeps what it had' test "$(ls "$tmp/foreign")" = thesis.tex
run --root "$tmp/m" --suite "$tmp/good.ini" --results "$tmp/good.ini"
ok 'a file as result directory' ended 2 'Not a directory'
ok 'the machine is untouched' test "$(picture "$tmp/m")" = "$before"

run --root "$tmp/m" --suite "$tmp/good.ini" --governors menu --results "$tmp/c" --seed 1 --no-report
ok 'a campaign' ended 0
kept=$(picture "$tmp/c")

# other NAME TEXT ARGUMENT..: asks for another campaign in the same folder.
other() {
	run --root "$tmp/m" --results "$tmp/c" "${@:3}"
	ended 2 "$tmp/c is another campaign: $2" && [ "$(picture "$tmp/c")" = "$kept" ]
	is $? "$1"
}

other 'other governors' 'it has governors_asked = menu, this command asks for teo' --suite "$tmp/good.ini" --governors teo
other 'other window' 'it has window_ns = 0, this command asks for 200000000 (see --window' \
	--suite "$tmp/good.ini" --governors menu --window 200ms
other 'other seed' 'it has seed = 1, this command asks for 2 (see --seed' \
	--suite "$tmp/good.ini" --governors menu --seed 2
other 'other keys' 'it has set = nothing, this command asks for work=5' \
	--suite "$tmp/good.ini" --governors menu --set work=5
other 'other suite' 'it has suite = good, this command asks for smoke' --suite smoke --governors menu
echo '# a remark' >>"$tmp/good.ini"
other 'other text of the suite' 'its suite file good has another text now' --suite "$tmp/good.ini" --governors menu
sed -i '$d' "$tmp/good.ini"

sed -i 's/^rehearsal = 1/rehearsal = 0/' "$tmp/c/campaign.ini"
kept=$(picture "$tmp/c")
other 'a rehearsal does not continue a measurement' 'it has rehearsal = 0, this command asks for 1 (see --root' \
	--suite "$tmp/good.ini" --governors menu
sed -i 's/^rehearsal = 0/rehearsal = 1/' "$tmp/c/campaign.ini"

sed -i 's/^format = 1/format = 7/' "$tmp/c/campaign.ini"
kept=$(picture "$tmp/c")
run --root "$tmp/m" --suite "$tmp/good.ini" --governors menu --results "$tmp/c"
ok 'a later format of results' ended 2 "$tmp/c/campaign.ini: format 7 is newer than this program reads (1)"
run status "$tmp/c"
ok 'status of a later format' ended 2 'format 7 is newer than this program reads (1)'
ok 'nothing was written there' test "$(picture "$tmp/c")" = "$kept"

suite strange 'reference = nosuch' '[run a]' 'workload = idle'
run --root "$tmp/m" --suite "$tmp/strange.ini" --governors menu --dry-run
ok 'a reference that is not measured is said' ended 0 "the suite's reference 'nosuch' is not among the governors"

echo >"$offered"
echo none >"$governor"
run --root "$tmp/m" --suite "$tmp/good.ini" --results "$tmp/n"
ok 'no idle governor at all: exit 1' ended 1 'this kernel offers no idle governor at all'
ok 'nothing was made' test ! -e "$tmp/n"

done_testing
