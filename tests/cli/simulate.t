#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# simulate: a suite on a modelled machine. What comes out is an ordinary result that says MODELLED wherever it is looked
# at, the same bytes for the same seed, and can be continued; the plan is the runner's own.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
runner=$build/runner
[ -x "$runner" ] || skip_all "$runner is not built"
TMPDIR=$tmp/tmp
mkdir "$TMPDIR"
export TMPDIR

cat >"$tmp/short.ini" <<'END'
[suite]
format = 1
reference = menu
repeat = 1
warmup = 50ms
window = 300ms
interval = 100ms

[run pair]
workload = ping-pong
cores    = 2
work     = 0 20us

[run ring]
workload = ping-pong
cores    = all
work     = 100us

[run load]
workload  = periodic
frequency = 347Hz
load      = 3%

[run off]
workload = ping-pong
work     = 50us
disable  = state1
END

# simulate DIR ARGUMENT..: the short suite, under $governors
governors=teo@6.5,rjw,menu
simulate() {
	local dir=$1

	shift
	try "$runner" simulate --suite "$tmp/short.ini" --governors "$governors" --seed 7 --results "$tmp/$dir" "$@"
}

# refused STATUS TEXT ARGUMENT..: simulate into a folder that must not come to be
refused() {
	local want=$1 text=$2

	shift 2
	simulate refused "$@"
	[ "$status" = "$want" ] && grep -qF -- "$text" "$tmp/out" && [ ! -e "$tmp/refused" ]
	ok $? "refused: $text"
}

simulate one --jobs 1
ok "$status" 'a suite is simulated'
said 'MODELLED, not measured: 15 of 15 runs to simulate, on i5-10600k, constants [0-9a-f]{8}$'
ok $? '... which is said before it begins'
runs=$tmp/one/boots/model+*/runs
# shellcheck disable=SC2086
[ "$(cat $runs/*/run.ini | grep -cx 'modelled = yes')" = 15 ] && ! grep -qx 'rehearsal = yes' $runs/*/run.ini
ok $? 'all 15 runs are marked modelled, and none as a rehearsal'
missing=
for run in $runs/*; do
	for file in run.ini idle.tsv ticks.tsv samples.tsv metrics.tsv latency.tsv tasks.tsv series.tsv stderr.txt; do
		[ -e "$run/$file" ] || missing="$missing $run/$file"
	done
done
[ -z "$missing" ]
ok $? "every run has its files$missing"
for file in states.tsv host.ini topology.xml machine.ini; do
	[ -s "$(echo "$tmp"/one/boots/*)/$file" ] || missing="$missing $file"
done
[ -z "$missing" ]
ok $? "... and the boot its own$missing"
grep -qx 'governors = teo-6.3,teo-6.6,menu-7.0' "$tmp/one/campaign.ini" && grep -qx 'reference = menu-7.0' "$tmp/one/campaign.ini"
ok $? "names are resolved as replay does, the suite's reference too"
grep -qx 'cores = all' $runs/*.ring.*/run.ini && for run in $runs/*.ring.*; do [ "$(wc -l <"$run/tasks.tsv")" = 7 ] || exit 1; done
ok $? "cores = all are the modelled machine's: 6 stops"
# shellcheck disable=SC2086
awk -F '\t' '$2 == 1 && $6 != 0 { n++ } END { exit n > 0 }' $runs/*.off.*/idle.tsv &&
	awk -F '\t' '$2 == 1 && $6 != 0 { n++ } END { exit !n }' $runs/*.pair.*/idle.tsv
ok $? 'a disabled state is not entered, an enabled one is'
awk -F '\t' 'FNR == 1 { next } !(($1, FILENAME) in end) { t0 = $3; t1 = $4; end[$1, FILENAME] = t1 - t0 }
	{ time[$1, FILENAME] += $8 } END { for (i in end) if (time[i] * 1000 > end[i] + 2e6 || end[i] != 300000000) exit 1 }' $runs/*/idle.tsv
ok $? 'windows are 300 ms, and no CPU idles for longer'

try "$runner" status "$tmp/one"
[ "$status" = 0 ] && said '^\*\*\* MODELLED: ' && said '^15 of 15 runs done, 0 pending, 0 void or failed$'
ok $? 'status says MODELLED, too, and nothing of a time'

# Where it says so.
report=$tmp/one/report
grep -q '^\*\*\* MODELLED: computed by a model, nothing was measured; model: i5-10600k,' "$report/summary.txt"
ok $? 'summary.txt says MODELLED, and which model'
head -n 5 "$report/summary.md" | grep -q MODELLED
ok $? 'summary.md'
grep -q '"modelled": true' "$report/summary.json"
ok $? 'summary.json'
awk -F , 'NR == 1 { exit $NF != "mark" }' "$report/summary.csv" && [ -z "$(sed 1d "$report/summary.csv" | grep -v ',MODELLED$')" ]
ok $? 'summary.csv, in each row'
[ "$(ls "$report/data" | wc -l)" -ge 10 ] && awk -F '\t' 'NF { got = $NF } NF && got != (FNR == 1 ? "mark" : "MODELLED") { exit 1 }' "$report"/data/*.tsv
ok $? 'data/*.tsv, in each row'
grep -q '<title>.*MODELLED.*</title>' "$report/index.html" && grep -q '<strong>MODELLED: computed by a model' "$report/index.html"
ok $? 'the page and its title'
grep -q 'package_on_w\|<td>voltage_min' "$report/index.html"
ok $? '... which names the constants'
if command -v gnuplot >/dev/null; then
	[ "$(find "$report/plots" -name '*.svg' | wc -l)" -ge 10 ] && [ -z "$(grep -L MODELLED "$report"/plots/*.svg)" ]
	ok $? 'every figure'
fi

# Same seed, same bytes.
simulate two --jobs 3 --no-report
diff -r "$tmp/one/boots" "$tmp/two/boots" >"$tmp/out"
ok $? 'the same seed gives the same bytes, whatever --jobs is'
try "$runner" simulate --suite "$tmp/short.ini" --governors menu --seed 8 --results "$tmp/three" --no-report
cmp -s "$(echo "$tmp"/one/boots/*/runs/*pair.work=20us.menu-7.0.r1)/metrics.tsv" \
	"$(echo "$tmp"/three/boots/*/runs/*pair.work=20us.menu-7.0.r1)/metrics.tsv"
[ $? = 1 ]
ok $? 'another seed gives other ones'

try "$runner" simulate --suite "$tmp/short.ini" --governors menu,menu --seed 8 --results "$tmp/control" --no-report
cmp -s "$(echo "$tmp"/control/boots/*/runs/*load.menu-7.0.r1)/latency.tsv" "$(echo "$tmp"/control/boots/*/runs/*load.menu-7.0:2.r1)/latency.tsv"
[ $? = 1 ]
ok $? 'an A/A control is a run of its own, no copy'

# No looks are taken at what is computed: all repeats, and a report that speaks of none.
sed 's/^repeat = 1/repeat = 6..7\nstop = decided/; /^\[run load/,$d; /^\[run ring/,$d; s/^work .*/work = 5us/' "$tmp/short.ini" >"$tmp/decided.ini"
try "$runner" simulate --suite "$tmp/decided.ini" --governors menu,teo --seed 8 --results "$tmp/decided"
[ "$status" = 0 ] && said '^a simulation takes no looks: it has all 7 repeats$' && said '14 of 14 runs' &&
	! grep -qi 'sequential\|looked at' "$tmp/decided/report/summary.txt"
ok $? 'stop = decided: all repeats, and no word of looks'
try "$runner" simulate --suite "$tmp/decided.ini" --governors menu --repeat 2 --dry-run
[ "$status" = 0 ] && said '^2 of 2 runs'
ok $? '... or those that are asked for'
try "$runner" status "$tmp/decided"
[ "$status" = 0 ] && said '^\*\*\* MODELLED: computed by a model, nothing was measured; model: i5-10600k, constants [0-9a-f]+ \*\*\*$'
ok $? 'status says that they are modelled'

# Unfinished ones are continued.
rm -r "$tmp"/two/boots/*/runs/001*
simulate two --no-report
said '6 of 15 runs to simulate' && diff -r "$tmp/one/boots" "$tmp/two/boots" >>"$tmp/out"
ok $? 'an unfinished campaign is continued, to the same bytes'
simulate two --no-report
said ' 0 of 15 runs to simulate'
ok $? '... and is complete then'
try "$runner" campaign continue "$tmp/two"
[ "$status" = 2 ] && said 'is simulated, not measured: the same simulate command'
ok $? '... which is no campaign to be measured'
simulate two --set wake=1us
[ "$status" = 2 ] && said 'is another campaign: it has modelled = i5-10600k, constants [0-9a-f]+, this command asks for'
ok $? 'other constants are another campaign'

# Settings: the suite's and the machine's.
simulate four --no-report --set hz=250 --set pair.work=5us --set machine.cores=4 --set threads=2
grep -qx 'hz = 250' "$tmp"/four/boots/*/host.ini && [ -e "$(echo "$tmp"/four/boots/*/runs/*.pair.menu-7.0.r1)" ] &&
	grep -qx 'cpus_online = 0-7' "$tmp"/four/boots/*/host.ini
ok $? "--set: constants of the machine, keys of the suite"
awk '/^\[/ { on = $0 == "[model]" } on && $1 == "cores" && $3 == 4 { found = 1 } END { exit !found }' "$tmp"/four/boots/*/host.ini &&
	grep -qx 'cores = 4' "$tmp"/four/boots/*/machine.ini
ok $? '... all of them in host.ini and machine.ini'
cp "$tmp"/four/boots/*/machine.ini "$tmp/again.ini"
simulate five --no-report --machine "$tmp/again.ini" --set pair.work=5us
cmp -s "$tmp"/four/boots/*/runs/*pair.menu-7.0.r1/idle.tsv "$tmp"/five/boots/*/runs/*pair.menu-7.0.r1/idle.tsv
ok $? 'machine.ini is a machine again, with the same figures'

sed 's/^\[state C1_ACPI\]/[state A=b]/' "$tmp/again.ini" >"$tmp/equals.ini"
refused 2 "a state's name has no '='" --machine "$tmp/equals.ini"
sed 's/^\[state C1_ACPI\]/[state C1.5]/' "$tmp/again.ini" >"$tmp/aüüüüüüüüüüüüüüüüüüüü.ini"
simulate long --machine "$tmp/aüüüüüüüüüüüüüüüüüüüü.ini" --set C1.5.exit=3us --dry-run
[ "$status" = 0 ] && said 'are to be simulated, on aüüüüüüüüüüüüüüü, constants'
ok $? 'a dot in the name of a state; a long name is cut between letters'
refused 2 "unknown machine 'i5'" --machine i5
refused 2 "unknown key 'xyz' of a machine" --set xyz=3
governors=tea refused 2 "unknown governor 'tea'"
governors=oracle refused 2 'replay has oracles'
refused 2 '--reference ladder is not one of the governors asked for' --reference ladder
refused 2 'ondemand has no model' --cpufreq-governors ondemand
refused 2 '--jobs is 1 to 1024' --jobs 0
try "$runner" simulate --suite "$tmp/short.ini" --governors menu --dry-run --results "$tmp/refused"
[ "$status" = 0 ] && [ "$(grep -c '^0' "$tmp/out")" = 5 ] && [ ! -e "$tmp/refused" ]
ok $? '--dry-run prints the cells and makes nothing'
try "$runner" list machines
[ "$status" = 0 ] && [ "$(wc -l <"$tmp/out")" = "$(find configs/machines -name '*.ini' | wc -l)" ] && said '^  i5-10600k '
ok $? 'list machines'

# What the model does not know.
cat "$tmp/short.ini" - >"$tmp/partly.ini" <<'END'
[run pipes]
workload = wakeup
END
try "$runner" simulate --suite "$tmp/partly.ini" --governors menu --results "$tmp/partly" --no-report
[ "$status" = 0 ] && said '^warning: \[run pipes\] is left out: its workload is not modelled$' && said ' 5 of 5 runs'
ok $? 'a workload that is not modelled is left out, and said'
try "$runner" simulate --suite wakeup --results "$tmp/refused"
[ "$status" = 2 ] && said 'nothing of it is modelled' && [ ! -e "$tmp/refused" ]
ok $? '... alone it is refused'

# A machine from a dump of a real one.
tests/machines/make-machine "$tmp/real" --cpus 8 --smt --kernel 6.6.1 --states 'POLL:0:0 C1:2:2 C6:133:600' --config CONFIG_HZ=250
tools/gather --root "$tmp/real" -o "$tmp/dump" >/dev/null
simulate six --machine "$tmp/dump"
[ "$status" = 0 ] && [ "$(cut -f 3 "$tmp"/six/boots/*/states.tsv | sort -u | tr '\n' ' ')" = 'C1 C6 POLL name ' ] &&
	grep -qx 'cpus_online = 0-7' "$tmp"/six/boots/*/host.ini && grep -qx 'hz = 250' "$tmp"/six/boots/*/host.ini &&
	grep -qx 'cores = 4' "$tmp"/six/boots/*/machine.ini
ok $? "a machine from a dump: its states, CPUs, cores and HZ"
simulate six-again --machine "$tmp/dump/" --dry-run
said '^dump: its powers are not known' && said 'are to be simulated, on dump, constants'
ok $? "... whatever is behind its name"
cp "$tmp/again.ini" "$tmp/.ini"
simulate six-again --machine "$tmp/.ini" --dry-run
said 'are to be simulated, on nameless, constants'
ok $? "... and a file without a name"
simulate six --machine "$tmp/dump"
said 'powers are not known' &&
	tr -s '\n ' ' ' <"$tmp/six/report/summary.txt" | grep -q 'package power: not available (.*powers.* not known'
ok $? '... without package power, which is said'
[ -e "$(echo "$tmp"/six/boots/*/runs/0001*)/idle.tsv" ] && [ ! -e "$(echo "$tmp"/six/boots/*/runs/0001*)/energy.tsv" ]
ok $? '... and no energy is made up'
tests/machines/make-machine "$tmp/none" --no-cpuidle
refused 1 'has no idle states' --machine "$tmp/none"

# Instead of a measurement.
instead() {
	rm -rf "$tmp/m" "$tmp/instead"
	tests/machines/make-machine "$tmp/m" "$@"
	try "$runner" --root "$tmp/m" --suite "$tmp/short.ini" --or-simulate --window 100ms --results "$tmp/instead" --no-report
}
instead --no-cpuidle
[ "$status" = 0 ] && said 'this machine cannot be measured: .*cpuidle does not exist' && said 'simulated instead: MODELLED' &&
	! grep -qx 'modelled = no' "$tmp"/instead/boots/*/runs/*/run.ini
ok $? '--or-simulate: without cpuidle it is simulated, and said'
instead --no-switch
[ "$status" = 0 ] && said 'cannot switch the idle governor' && said 'simulated instead: MODELLED'
ok $? '... and where the governor cannot be switched'
rm -rf "$tmp/instead"
try "$runner" --root "$tmp/m" --suite "$tmp/short.ini" --or-simulate --window 100ms --results "$tmp/instead" --no-report \
	--cpus 0 --for 1h --dry-run
[ "$status" = 0 ] && said '^warning: --cpus has no effect' && said '^warning: --for has no effect' && ! said '--event has no'
ok $? '... which says what is left out of account'
tests/machines/make-machine "$tmp/bare" --no-cpuidle
try "$runner" --root "$tmp/bare" --suite "$tmp/short.ini" --or-simulate --governors current --dry-run
[ "$status" = 0 ] && said '^15 of 15 runs are to be simulated'
ok $? '... --governors current is no governor of a model'
instead --governors 'menu teo'
[ "$status" = 0 ] && ! said MODELLED && ! grep -qx 'modelled = yes' "$tmp"/instead/boots/*/runs/*/run.ini
ok $? '... a machine that can be measured is'
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && [ -e /sys/devices/system/cpu/cpuidle/current_governor ] &&
	chmod 755 "$tmp" && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$runner"; then
	mkdir -m 777 "$tmp/nobody" && chmod 1777 "$TMPDIR"
	chown 65534 "$tmp/nobody" && chmod 755 "$tmp/nobody"
	try setpriv --reuid=65534 --regid=65534 --clear-groups "$runner" --suite "$tmp/short.ini" --or-simulate \
		--results "$tmp/nobody/r" --no-report
	[ "$status" = 0 ] && said 'may not be written by this user' && said 'simulated instead: MODELLED' &&
		[ -e "$(echo "$tmp"/nobody/r/boots/model+*/runs/0001*)/idle.tsv" ]
	ok $? '... and for a user who may not switch this machine'
fi
make -n run O="$build" 2>/dev/null | grep -qF -- '--suite smoke --or-simulate'
ok $? 'make run does so'

# Never beside a measurement without saying which is which.
try "$runner" report "$tmp/one" "$tmp/instead" -o "$tmp/both" --quiet
[ "$status" = 2 ] && said 'not to be compared: .*measured'
ok $? 'a model is not compared with a measurement'
try "$runner" report "$tmp/one" "$tmp/instead" -o "$tmp/both" --force
[ "$status" != 2 ] && grep -q 'governors:.*(MODELLED)' "$tmp/both/summary.txt" && grep -q ',MODELLED$' "$tmp/both/summary.csv" &&
	grep -q 'REHEARSAL$' "$tmp/both/summary.csv"
ok $? '... with --force, each column says what it is'
tr -s '\n ' ' ' <"$tmp/both/summary.txt" | grep -qE '; only model_of_i5-10600k/[^:]*[^:/]: computed by a model, nothing was measured; model: i5'
ok $? '... and of which nothing was measured'
try python3 - "$tmp/both/summary.json" <<'PY'
import json, sys
columns = json.load(open(sys.argv[1]))["columns"]
assert {c["mark"] for c in columns} == {"MODELLED", "REHEARSAL"}, columns
assert all((c["mark"] == "MODELLED") == c["name"].startswith("model_of") for c in columns), columns
PY
ok "$status" '... in summary.json, too'

# A governor of one's own.
case $(nm -D "$runner" 2>/dev/null) in *__asan*) sanitized=1 ;; *) sanitized=0 ;; esac
if [ $sanitized = 0 ] && "${CC:-gcc}" -std=gnu17 -O2 -shared -fPIC -Isrc docs/examples/teo-ng.c -o "$tmp/teo-ng.so" 2>"$tmp/out"; then
	try "$runner" simulate --suite "$tmp/short.ini" --governors menu --governor-so "$tmp/teo-ng.so" \
		--results "$tmp/own" --no-report
	[ "$status" = 0 ] && [ "$(find "$tmp"/own/boots/*/runs -name '*.teo-ng.r1' | wc -l)" = 5 ]
	ok $? '--governor-so: a governor from a shared object'
fi

# A signal: nothing is left but what is whole, and the same command goes on.
sed 's/^window = .*/window = 900s/' "$tmp/short.ini" >"$tmp/long.ini"
"$runner" simulate --suite "$tmp/long.ini" --governors menu --exact --seed 7 --results "$tmp/cut" --no-report >"$tmp/out" 2>&1 &
pid=$!
for _ in $(seq 300); do
	! compgen -G "$tmp/cut/boots/*/runs/.tmp-*/samples.tsv" >/dev/null || break
	sleep 0.1
done
children=$(ps -o pid= --ppid $pid)
kill -TERM $pid
wait $pid
status=$?
sleep 0.2
[ $status = 143 ] && [ -n "$children" ] && ! kill -0 $children 2>/dev/null && said 'interrupted; the same command with --results'
ok $? 'SIGTERM ends it, its processes too'
[ -z "$(ls "$TMPDIR")" ]
ok $? 'no folder is left behind'
done_testing
