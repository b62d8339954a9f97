#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A campaign that ends when all is decided, as the runner sees it: when it asks, what it does with an answer, what a
# kill between two blocks costs. The analysis program is a stand-in here, whose answers are in files; sequential.t has
# the real one.

. tests/cli/runner.sh

objects=$(dirname "$runner")
mkdir "$tmp/bin" "$tmp/answers"
cp "$runner" "$tmp/bin/runner"
ln -s "$objects/workloads" "$tmp/bin/workloads"
runner=$tmp/bin/runner
touch "$tmp/asked"
cat >"$tmp/bin/analysis" <<END
#!/bin/bash
# Answers by the last repeat that is there; notes each question.
[ "\$1" = decide ] || exit 0
last=\$(ls "\$2"/boots/*/runs | sed -n 's/.*\.r\([0-9]*\)\$/\1/p' | sort -n | tail -n 1)
echo "\$last" >>"$tmp/asked"
while [ "\$(cat "$tmp/hold" 2>/dev/null)" = "\$last" ]; do sleep 0.05; done
[ -e "$tmp/answers/\$last" ] || { echo 'analysis: no answer' >&2; exit 1; }
printf 'section\tscope\tpoint\tgovernor\tcpufreq_governor\tkernel\tmetric\tblocks\tdiff_pct\tlo_pct\thi_pct\tp\tp_equal\tlevel\tverdict\tdecided\n'
cat "$tmp/answers/\$last"
END
chmod +x "$tmp/bin/analysis"

# answer REPEAT CURVE POINT0 POINT3: "yes" or "no" for each.
answer() {
	local scope=curve point= decided

	for decided in "$2" "$3" "$4"; do
		printf 'a\t%s\t%s\tteo\t\t6.99.0\tloop_us\t%s\t5.5\t4.5\t6.5\t0.001\t1\t0.01\t%s\t%s\n' $scope "$point" "$1" \
			"$([ "$decided" = yes ] && echo worse || echo '~')" "$decided"
		[ -z "$point" ] && point=work=0 || point=work=3
		scope=point
	done >"$tmp/answers/$1"
}

suite looks 'stop = decided' '[run a]' 'workload = ping-pong' 'work = 0 3'
sed -i 's/^repeat = 1/repeat = 6..9/' "$tmp/looks.ini"
machine --governors 'menu teo' --kernel 6.99.0

campaign() {
	run --root "$tmp/m" --suite "$tmp/looks.ini" --governors menu,teo --seed 3 --results "$tmp/r" --no-report "$@"
}

# Runs of a point (work) by repeat: "6:2 7:2".
runs_of() {
	find "$tmp"/r/boots/*/runs -mindepth 1 -maxdepth 1 -name "*.work=$1.*" | sed 's/.*\.r//' | sort -n | uniq -c |
		awk '{ printf "%s%s:%s", (NR > 1 ? " " : ""), $2, $1 }'
}

asked() {
	tr '\n' ' ' <"$tmp/asked"
}

# What cannot be. The suite's governors are those available: menu and teo.
refused() { # NAME TEXT ARGUMENT..
	local name=$1 text=$2

	shift 2
	run --root "$tmp/m" --results "$tmp/x" "$@"
	ok "$name" ended 2 "$text"
}
refused 'a first look below six repeats' 'a first look after 3 blocks' --suite "$tmp/looks.ini" --repeat 3..9
refused 'more looks than there are levels for' 'within 6..200' --suite "$tmp/looks.ini" --repeat 6..300
refused 'one number, when it is the most as well' 'the last after 40' --suite "$tmp/looks.ini" --repeat 40
refused 'a range that falls' 'its first number is the smaller one' --suite "$tmp/looks.ini" --repeat 9..6
refused 'one governor' "'menu' alone has nothing to be compared with" --suite "$tmp/looks.ini" --governors menu
refused 'the order blocked' "not with the order 'blocked'" --suite "$tmp/looks.ini" --order blocked
suite fixed '[run a]' 'workload = ping-pong'
refused 'a range without --until-decided' "'stop = decided' in [suite], or --until-decided" --suite "$tmp/fixed.ini" \
	--repeat 6..9
run --root "$tmp/m" --governors menu,teo --suite "$tmp/fixed.ini" --until-decided --repeat 8 --dry-run
ok '--until-decided makes any suite one, of at most 40 repeats' ended 0
ok 'the plan says so' grep -q '^until decided: a look after every repeat from 8 (in about .*) to 40;' "$tmp/out"
ok 'and how long it takes at most' grep -q '^80 runs, at most ' "$tmp/out"

# Killed while the second look is being taken.
answer 6 no yes no
answer 7 yes yes no
answer 9 yes yes no
echo 7 >"$tmp/hold"
"$runner" --root "$tmp/m" --suite "$tmp/looks.ini" --governors menu,teo --seed 3 --results "$tmp/r" --no-report \
	>"$tmp/out" 2>"$tmp/err" </dev/null &
victim=$!
while ! grep -q 7 "$tmp/asked" && kill -0 $victim 2>/dev/null; do sleep 0.02; done
kill -KILL $victim
wait $victim 2>/dev/null
rm "$tmp/hold"
for ((i = 0; i < 500; i++)); do
	[ -e "$tmp/m/run/idle-runner/undo/journal" ] || break
	sleep 0.02
done
ok 'the first look comes after six repeats, each next one after one more' test "$(asked)" = '6 7 '
ok 'an open curve holds every point' test "$(runs_of 0) $(runs_of 3)" = '1:2 2:2 3:2 4:2 5:2 6:2 7:2 1:2 2:2 3:2 4:2 5:2 6:2 7:2'
ok 'the look that was answered is kept' test "$(cut -f 1,3,4 "$tmp/r/looks.tsv" | tail -n 1 | tr '\t' ' ')" = '1 6 24'
run status "$tmp/r"
ok 'status: what is open' ended 3
ok 'after which look' grep -qx 'until decided: look 1, after 6 repeats of at most 9: 1 of 3 comparisons decided; open:' "$tmp/out"
ok 'with the estimate' grep -qx '  a whole curve teo loop_us: ~ +5.50 % (+4.50 to +6.50), 6 blocks' "$tmp/out"

campaign
ok 'continued to the most repeats: complete' ended 0
ok 'no look twice, but the one that was lost' test "$(asked)" = '6 7 7 8 9 '
ok 'what is decided gets no more runs, the open point and its reference do' \
	test "$(runs_of 0) $(runs_of 3)" = '1:2 2:2 3:2 4:2 5:2 6:2 7:2 1:2 2:2 3:2 4:2 5:2 6:2 7:2 8:2 9:2'
ok 'it says what was decided, and when' grep -qx 'decided after 7 blocks: a whole curve teo loop_us: worse, +5.50 % (+4.50 to +6.50)' "$tmp/err"
ok 'once' sh -c "! grep -q 'decided after . blocks: a work=0 ' '$tmp/err'"
ok 'and how far it is' grep -qx 'look 2, after 7 repeats: 2 of 3 comparisons decided' "$tmp/err"
ok 'the log has it, with its time' grep -q '^[-0-9T:+]* look 2, after 7 repeats' "$tmp/r/log.txt"
ok 'a look that fails costs blocks and no more' grep -q "warning: the look after 8 repeats failed: 'analysis decide' ended" "$tmp/err"
ok 'looks are numbered in order' test "$(cut -f 1,3 "$tmp/r/looks.tsv" | uniq | tail -n +2 | tr '\t\n' ': ')" = '1:6 2:7 3:9 '
run status "$tmp/r"
ok 'status of what ended undecided: complete' ended 0
ok 'with what is open' grep -qx '  a work=3 teo loop_us: ~ +5.50 % (+4.50 to +6.50), 9 blocks' "$tmp/out"
ok 'and what was spared' grep -qx '4 runs are not needed: decided' "$tmp/out"
ok 'nothing is pending' grep -q '^32 of 32 runs done, 0 pending' "$tmp/out"

before=$(picture "$tmp/r/boots")$(cksum <"$tmp/r/looks.tsv")
campaign
ok 'the same command again has nothing to do' test "$status$(picture "$tmp/r/boots")$(cksum <"$tmp/r/looks.tsv")" = "0$before"
ok 'and does not ask about the same runs' test "$(asked)" = '6 7 7 8 9 '
run campaign continue "$tmp/r" --root "$tmp/m" --no-report
ok 'nor does campaign continue' test "$status$(asked)" = '06 7 7 8 9 '
campaign --until-decided --repeat 6..10
ok 'other repeats are another campaign' ended 2 'it has repeat = 9, this command asks for 10'

# A run of an early repeat that is made behind the last look: without another one no report would be complete.
spoilt=$(find "$tmp"/r/boots/*/runs -mindepth 1 -maxdepth 1 -name '*.work=3.teo.r2')
cp -r "$spoilt" "$spoilt.failed-1"
campaign
ok 'a run behind the last look is looked at' test "$status$(asked)$(cut -f 4 "$tmp/r/looks.tsv" | tail -n 1)" = '06 7 7 8 9 9 33'
campaign
ok 'once' test "$status$(asked)" = '06 7 7 8 9 9 '

# A note that is lost: the looks are only remembered by it, the runs are all there.
mv "$tmp/r/looks.tsv" "$tmp/looks.tsv"
run status "$tmp/r"
ok 'status without looks.tsv promises no look behind the last repeat' grep -qx \
	'until decided: no look so far, the first is due after 6 repeats of at most 9' "$tmp/out"
ok 'status says whose figures they are' grep -qx '\*\*\* REHEARSAL: read from a fake or dumped machine \*\*\*' "$tmp/out"
mv "$tmp/looks.tsv" "$tmp/r/looks.tsv"
truncate -s 100 "$tmp/r/looks.tsv"
run status "$tmp/r"
ok 'status with a damaged looks.tsv warns' grep -q "warning: $tmp/r/looks.tsv" "$tmp/err"
campaign
ok 'the runner asks again' test "$status$(asked)" = '06 7 7 8 9 9 9 '
ok 'and makes no run that is not needed' test "$(runs_of 0)" = '1:2 2:2 3:2 4:2 5:2 6:2 7:2'

done_testing
