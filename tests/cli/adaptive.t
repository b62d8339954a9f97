#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adaptive sweeps on a fake machine: what is said beforehand, a campaign that is killed between two rounds and goes on
# with the points that it had, and which points are chosen when the loop times have a step that is known.
# IDLE_TEST_LONG=1: with the repeats that come when all points are known.

. tests/cli/runner.sh

analysis=$(dirname "$runner")/analysis
repeat=1
[ -z "$IDLE_TEST_LONG" ] || repeat=3
machine --governors 'menu teo'
suite ad '[run ring]' 'workload = ping-pong' 'work = 0..20us adaptive 9'
sed -i "s/^repeat = 1/repeat = $repeat/" "$tmp/ad.ini"

# campaign ARGUMENT..: the same command each time.
campaign() {
	run --root "$tmp/m" --suite "$tmp/ad.ini" --governors menu --seed 3 --results "$tmp/r" --no-report "$@"
}

# Names of the runs, without their numbers; of the points chosen so far: "AT ROUND".
runs() {
	find "$tmp/r/boots" -mindepth 3 -maxdepth 3 -type d -name '*.r[0-9]' ! -name '.tmp-*' -printf '%f\n' | sort
}
chosen() {
	awk -F'\t' 'NR > 1 && $6 != "" { print $3, $6 }' "${1:-$tmp/r}/points.tsv"
}

campaign --dry-run
ok 'a dry run' ended 0
ok 'says how many points, and which now' grep -q \
	'^ring: 9 points (4 now, the rest where a curve bends or the governors differ), '$((9 * repeat))' runs of' "$tmp/out"
ok 'counts all runs' grep -q "^$((9 * repeat)) runs, about" "$tmp/out"
ok 'lists those that are known' test "$(grep -c '^[0-9]\{4\} ' "$tmp/out")" = $((repeat > 2 ? 8 : 4 * repeat))

# Killed as soon as points have been chosen.
{
	"$runner" --root "$tmp/m" --suite "$tmp/ad.ini" --governors menu --seed 3 --results "$tmp/r" --no-report \
		>"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	for ((i = 0; i < 1200; i++)); do
		grep -qs 'round 1 of points: ' "$tmp/r/log.txt" && break
		sleep 0.05
	done
	kill -KILL $pid
	wait $pid
	status=$?
} 2>"$tmp/killed"
ok 'it was killed' test $status = 137
chosen >"$tmp/chosen"
runs >"$tmp/runs"
ok 'a round of points was there' grep -q ' 1$' "$tmp/chosen"
ok 'and not all' test "$(wc -l <"$tmp/chosen")" -lt 9
run status "$tmp/r"
ok 'status counts what is to come' grep -q "^$(wc -l <"$tmp/runs") of $((9 * repeat)) runs done, " "$tmp/out"
ok 'and is incomplete' test "$status" = 3
"$analysis" refine "$tmp/r" >"$tmp/a" && "$analysis" refine "$tmp/r" >"$tmp/b"
ok 'the same runs lead to the same points' cmp -s "$tmp/a" "$tmp/b"

campaign
ok 'it is completed' ended 0 ' of points: ' '9 of 9'
ok 'with the points it had' sh -c "awk -F'\t' 'NR > 1 && \$6 != \"\" { print \$3, \$6 }' '$tmp/r/points.tsv' |
	sort >'$tmp/now'; sort '$tmp/chosen' | comm -23 - '$tmp/now' | grep -q . && exit 1; exit 0"
ok 'and the runs it had' sh -c "ls '$tmp'/r/boots/*/runs | sort | comm -13 - '$tmp/runs' | grep -q . && exit 1; exit 0"
ok 'nine points, each once' test "$(chosen | cut -d' ' -f1 | sort -u | wc -l)" = 9
ok 'each in every repeat' test "$(runs | sed 's/^[0-9]*\.//' | sort -u | wc -l)" = $((9 * repeat))
ok 'numbers without a hole' test "$(runs | cut -c1-4 | tr -d '\n')" = "$(seq -f %04g -s '' 1 $((9 * repeat)))"
ok 'the reasons are there' sh -c "awk -F'\t' '\$6 > 0 && \$6 != \"round\" && \$7 == \"\" { exit 1 }' '$tmp/r/points.tsv'"
ok 'the log has the rounds' grep -q 'round 1 of points: [0-9]* more (' "$tmp/r/log.txt"
ok 'the governor is as it was' test "$(cat "$governor")" = menu
run status "$tmp/r"
ok 'status: complete' ended 0
ok 'all runs' grep -q "^$((9 * repeat)) of $((9 * repeat)) runs done, 0 pending" "$tmp/out"
before=$(picture "$tmp/r/boots"; cat "$tmp/r/points.tsv")
campaign --quiet
ok 'nothing is left to do' ended 0
ok 'and all stays as it is' test "$(picture "$tmp/r/boots"; cat "$tmp/r/points.tsv")" = "$before"

# Damage: the report stands, whatever is wrong with the file.
cp "$tmp/r/points.tsv" "$tmp/points"
last=$(find "$tmp/r/boots" -mindepth 3 -maxdepth 3 -type d -name '*.r[0-9]' | sort | tail -1)
mv "$last" "$tmp/last"
for text in '' 'something else'; do
	echo "$text" >"$tmp/r/points.tsv"
	"$analysis" report --quiet "$tmp/r" >"$tmp/out" 2>"$tmp/err"
	status=$?
	ok "a damaged points.tsv ('$text') is named in the report" sh -c "test $status = 3 &&
		grep -q 'damaged: points.tsv:' '$tmp/r/report/summary.txt'"
	ok 'and counts as no cell' grep -q "^1 of $((9 * repeat)) cells of the plan" "$tmp/r/report/summary.txt"
	campaign
	ok 'and refused by the runner' ended 1 'points.tsv:'
done
mv "$tmp/last" "$last"
# An analysis program that has another answer than points: what was chosen stays.
mkdir "$tmp/bin"
cp "$runner" "$tmp/bin/runner"
ln -s "$(dirname "$runner")/workloads" "$tmp/bin/workloads"
printf '#!/bin/sh\necho no points\n' >"$tmp/bin/analysis"
chmod +x "$tmp/bin/analysis"
awk -F'\t' -v OFS='\t' 'NR > 1 && $6 > 0 { $6 = $7 = $8 = $9 = $10 = $11 = "" } 1' "$tmp/points" >"$tmp/r/points.tsv"
cp "$tmp/r/points.tsv" "$tmp/begun"
"$tmp/bin/runner" --root "$tmp/m" --suite "$tmp/ad.ini" --governors menu --seed 3 --results "$tmp/r" --no-report \
	>"$tmp/out" 2>"$tmp/err" </dev/null
status=$?
ok 'an answer that is no points is refused' ended 1 'the analysis program printed no points'
ok 'and harms nothing' cmp -s "$tmp/begun" "$tmp/r/points.tsv"
cp "$tmp/points" "$tmp/r/points.tsv"

sed -i '3d' "$tmp/r/points.tsv"
campaign
ok "another sweep's points are refused" ended 1 "points.tsv is not of this campaign's sweeps"

# A point whose runs fail at first: it is not made anew in each round, and waits for the same command.
mkdir "$tmp/sick" "$tmp/sick/workloads"
cp "$runner" "$tmp/sick/runner"
ln -s "$analysis" "$tmp/sick/analysis"
ln -s "$(dirname "$runner")"/workloads/* "$tmp/sick/workloads/"
rm "$tmp/sick/workloads/ping-pong"
cat >"$tmp/sick/workloads/ping-pong" <<END
#!/bin/bash
case "\$*" in *.work=20us.*) echo x >>"$tmp/tried"; [ "\$(wc -l <"$tmp/tried")" -gt 3 ] || exit 1 ;; esac
exec "$(dirname "$runner")/workloads/ping-pong" "\$@"
END
chmod +x "$tmp/sick/workloads/ping-pong"
sick() {
	"$tmp/sick/runner" --root "$tmp/m" --suite "$tmp/ad.ini" --governors menu --seed 3 --results "$tmp/s" --no-report --repeat 1 \
		>"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}
sick
ok 'a point that fails is left after its attempts' ended 3 '1 run is void or failed'
ok 'for good, in this start' test "$(wc -l <"$tmp/tried")" = 3
ok 'and counted once' sh -c "grep -q '^\[9/9\]' '$tmp/err' && ! grep -q '/10\]' '$tmp/err'"
run status "$tmp/s"
ok 'status says the same' grep -q '^8 of 9 runs done, 1 pending, 3 void or failed' "$tmp/out"
sick
ok 'the same command makes it' ended 0

# refusal TEXT LINE..: a suite that is refused with the text before anything is made.
refusal() {
	local text=$1

	shift
	suite bad "$@"
	run --root "$tmp/m" --suite "$tmp/bad.ini" --governors menu,teo --results "$tmp/bad"
	ok "refused: $text" ended 2 "$text"
	ok 'before anything is made' test ! -e "$tmp/bad"
}
refusal 'an adaptive range has 8 to 2000' '[run a]' 'workload = ping-pong' 'work = 0..1us adaptive 5'
refusal "no order 'blocked'" 'order = blocked' '[run a]' 'workload = ping-pong' 'work = 0..1us adaptive 9'
refusal 'both adaptive' '[run a]' 'workload = ping-pong' 'work = 0..1us adaptive 9' 'loops = 1..1e6 adaptive 9'
sed -i "s/^repeat = .*/repeat = 6..40\nstop = decided/" "$tmp/ad.ini"
run --root "$tmp/m" --suite "$tmp/ad.ini" --governors menu,teo --results "$tmp/bad"
ok 'refused: until decided' ended 2 'an adaptive sweep has one number of repeats'

# Loop times with steps that are known: teo's behind place 120 of 300, menu's behind 80, both of 20 %.
suite big '[run ring]' 'workload = ping-pong' 'work = 0..2ms adaptive 60'
run --root "$tmp/m" --suite "$tmp/big.ini" --governors menu,teo --seed 3 --results "$tmp/big" --no-report --for 1s --allow-busy
template=$(find "$tmp/big/boots" -mindepth 3 -maxdepth 3 -name '0001.*' | head -1)
ok 'a campaign with one block' ended 3 'the budget is spent'
mv "$template" "$tmp/template"
folder=$(dirname "$template")
rm -rf "${folder:?}"/*
number=0
# make_runs ROUND: of its points, two repeats of each governor; menu 10 us and 1 % more at each place.
make_runs() {
	awk -F'\t' -v round="$1" 'NR > 1 && $6 == round { print $3, $4 }' "$tmp/big/points.tsv" |
		while read -r at point; do
			for repeat in 1 2; do
				for governor in menu teo; do
					number=$((number + 1))
					dir=$folder/$(printf %02d "$1")$number.ring.$point.$governor.r$repeat
					cp -r "$tmp/template" "$dir"
					sed -i "s/^\(point = \).*/\1$point/; s/^\(governor\|label\) = .*/\1 = $governor/
						s/^repeat = .*/repeat = $repeat/; s/^\(number = \).*/\1$number/
						s/^axis.work = .*/axis.work = ${point#work=}/; s/^\(work = \).*/\1${point#work=}/" "$dir/run.ini"
					awk -F'\t' -v OFS='\t' -v at="$at" -v governor="$governor" -v repeat=$repeat '$1 == "loop_us" {
						behind = governor == "menu" ? 80 : 120
						$NF = 10 * 1.01 ^ at * (at > behind ? 1.2 : 1) * (1 + 0.002 * sin(7 * at + 3 * repeat)) } 1' \
						"$tmp/template/metrics.tsv" >"$dir/metrics.tsv"
				done
			done
		done
}
make_runs 0
for ((round = 1; round < 30 && $(chosen "$tmp/big" | wc -l) < 60; round++)); do
	"$analysis" refine "$tmp/big" >"$tmp/out" 2>"$tmp/err" || break
	cp "$tmp/out" "$tmp/big/points.tsv"
	make_runs "$round"
done
at() {
	chosen "$tmp/big" | grep -q "^$1 "
}
ok '60 points are chosen' test "$(chosen "$tmp/big" | wc -l)" = 60
ok "menu's step is narrowed down to a step of the scale" eval 'at 80 && at 81'
ok "and teo's" eval 'at 120 && at 121'
# Between the values of the places 80 and 81, 120 and 121.
value() {
	awk -F'\t' -v at="$1" '$3 == at { sub("work=", "", $4); sub("us", "", $4); print $4 }' "$tmp/big/points.tsv"
}
steps="menu $(value 80) $(value 81) teo $(value 120) $(value 121)"
"$analysis" report "$tmp/big" --quiet >"$tmp/out" 2>"$tmp/err"
cp "$tmp/big/report/data/transitions.tsv" "$tmp/out"
ok 'the report has one step of each' test "$(awk -F'\t' '$4 == "step" { print $3, $6, $7 }' "$tmp/out" | tr '\n' ' ')" = "$steps "
"$analysis" report "$tmp/big" --format json >"$tmp/out" 2>"$tmp/err"
ok 'its points have weights' grep -q '"weight": ' "$tmp/out"
"$analysis" report "$tmp/big" --format text >"$tmp/out" 2>"$tmp/err"
ok 'and its text says so' sh -c "tr -s ' \n' ' ' <'$tmp/out' | grep -q 'over 60 of 60 points by their part of the scale'"
ok 'a report needs no choice' sh -c "! '$analysis' refine '$tmp/m' >/dev/null 2>&1"
done_testing
