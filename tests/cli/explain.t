#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# explain: decisions whose inner figures are worked by hand (the published worked cases W1 and W2), that what is explained is
# what replay decides, for every governor, and the options.

. tests/tap.sh

explain() {
	try "$build/runner" explain "$@"
}

# step TEXT: is it among the steps, whatever its number?
step() {
	sed -n '/^Steps/,/^Choice/p' "$tmp/out" | grep -qF -- "$1"
	ok $? "${2-$1}"
}

# W1: 2795 us to a known timer, CPU utilised. exit=50% makes the residency 2855 us in C2, as in the worked case.
for i in $(seq 0 9); do echo "$((i * 10000 + 600)) 2795 timer"; done | sed '1i start_us duration_us wake' >"$tmp/w1"
w1() {
	explain "$tmp/w1" --table i5-10600k --set utilisation=31 "$@"
}
w1 --governor teo-6.3 --at 1ms
ok "$status" 'W1, teo-6.3, its first decision'
step 'utilisation 31 is above the capacity'"'"'s 64th, 16: utilised'
step 'that was a hit of POLL' 'the very first select learns from zeros: a hit of POLL'
step 'bin POLL: hits 1024, intercepts 0'
step 'asks for the sleep length: 2795000 ns'
step 'the deepest state that fits it: C2_ACPI'
step 'utilised: one shallower, C1_ACPI; the duration stays'
step 'no less than a tick: C1_ACPI, the tick may stop'
said '^  C1_ACPI, the tick may stop, the sleep length was asked for$'
ok $? 'C1, tick stopped: why a utilised CPU sat in C1'
w1 --governor teo-6.3 --at 11ms
said '^teo-6.3, decision 2 of 10, at 0.010600000 s \(10600000 ns\)$'
ok $? 'its second decision'
step 'that was a hit of C2_ACPI'
step 'bin POLL: hits 896, intercepts 0' 'bin POLL has decayed by an eighth'
step 'bin C2_ACPI: hits 1024, intercepts 0'
w1 --governor rjw --at 1ms
step 'the deepest state is the candidate: C3_ACPI' 'rjw starts from the deepest state'
step 'utilised: one shallower, C2_ACPI' '... so that the step down ends in C2'
step "asks for the sleep length: 2795000 ns"
said '^  C2_ACPI, the tick may stop'
ok $? '... which fits'
w1 --governor menu-6.6 --at 1ms
step 'no typical interval: all are 0'
step 'asks for the sleep length: 2795000 ns, bucket 3, correction 1.000'
step 'by the timer and its correction: 2795000 ns'
step 'C3_ACPI: target residency 3102000 ns is above the prediction'
step 'a tick or more is predicted, but nothing deeper fits: C2_ACPI for its target residency'
said '^  C2_ACPI, the tick is kept'
ok $? 'menu keeps the tick'

# W2: 5 us idles. With no exit time the residency is below the exit latency of C3, which the first decision takes.
for i in $(seq 10); do echo 5us; done >"$tmp/w2"
explain "$tmp/w2" --table i5-10600k --set exit=0% --governor teo-6.14 --at 25us
step 'last period: 2500 ns measured, 5000 ns with the exit' 'W2, teo-6.14: below the exit latency it counts half'
step 'that was an intercept in the bin of C1_ACPI'
step 'bin POLL: hits 896, intercepts 0'
step 'bin C1_ACPI: hits 0, intercepts 1024'
step 'total 1920, short idles 1920, tick intercepts 0'
step '2 * 1024, is above the total less the hits below it, 1920 - 896'
step 'C1_ACPI, and half of the idles or more are short: the sleep length is not asked for, the tick is kept'
explain "$tmp/w2" --table i5-10600k --set exit=0% --governor ladder --at 25us
step 'less exit latency 1000 ns is 4000 ns' 'ladder, its inputs'
step 'promotion 2 of 4' 'ladder, its counter'

# What is explained is what replay decides: every governor, at each of its first decisions.
awk 'BEGIN { srand(3); for (i = 0; i < 60; i++) print int(2 + rand() * (i % 3 ? 60 : 4000)) }' >"$tmp/list"
for governor in $("$build/runner" replay --list | cut -d' ' -f1); do
	"$build/runner" replay "$tmp/list" --table skx --governors "$governor" -o "$tmp/rows" >/dev/null
	explain "$tmp/list" --table skx --governor "$governor" --at 30ms --context 1000
	[ "$status" = 0 ] && step=$(sed -n '/^Steps/,/^Choice/p' "$tmp/out" | grep -cE '^ +[0-9]+\. ')
	cp "$tmp/out" "$tmp/said"
	awk -F'\t' 'NR > 1 { print $8, $9, $10 }' "$tmp/rows" >"$tmp/want"
	sed -n '/^    at s/,$p' "$tmp/said" | sed '1d; s/^..//; s/^ *//' | sed 's/^> *//' |
		awk '{ print $5, ($6 == "yes"), ($7 == "yes") }' >"$tmp/got"
	cmp -s "$tmp/want" "$tmp/got" && [ "${step:-0}" -ge 1 ]
	ok $? "$governor: decisions as replay's, and steps ($step)"
done

# Of a trace: the periods as they were, and what the kernel chose.
{
	for k in 0 1 2 3; do
		printf '<idle>-0 [002] d..1. 5.%06d: cpu_idle: state=%d cpu_id=2\n' $((k * 100)) $((k ? 1 : 3))
		printf '<idle>-0 [002] d..1. 5.%06d: cpu_idle: state=4294967295 cpu_id=2\n' $((k * 100 + 5))
	done
} >"$tmp/trace"
explain "$tmp/trace" --table i5-10600k --governor teo-6.14 --at 150us --cpu 2 --periods recorded
[ "$status" = 0 ] && said '^MODELLED: what the model decides. The periods are as they were recorded' && said '^  the kernel chose C1_ACPI$' && said 'likely: it is not in the trace'
ok $? 'a period of a trace'
step 'last period: 2500 ns measured, 5000 ns with the exit' '... learnt from what the kernel entered'
explain "$tmp/trace" --table i5-10600k --governor teo-6.14 --at 5000100000
said 'decision 2 of 4, at 0.000100000 s \(5000100000 ns\)' && said 'MODELLED'
ok $? 'a time in ns; replayed where nobody tells that these rules were recorded'

echo '<idle>-0 [002] d..1. 5.000000: cpu_idle: state=x cpu_id=99999999' >"$tmp/none"
head -1 "$tmp/trace" >>"$tmp/none"
explain "$tmp/none" --table i5-10600k --governor teo --at 1s
[ "$status" = 1 ] && said 'the trace is not whole, and there is no idle period in what is left'
ok $? 'a trace of which nothing is left is an error, not the user'"'"'s'

refused_by explain 'which time' "$tmp/w2" --governor teo
refused_by explain 'which governor' "$tmp/w2" --at 1ms
refused_by explain 'which governor' "$tmp/w2" --at 1ms --governor teo,menu
refused_by explain 'one file' --at 1ms --governor teo
refused_by explain '--cpu 1: the trace has no idle period of it' "$tmp/trace" --table skx --at 1ms --governor teo --cpu 1
refused_by explain '--cpu: a list is of one CPU' "$tmp/w2" --at 1ms --governor teo --cpu 0
refused_by explain 'there are recorded and replayed' "$tmp/w2" --at 1ms --governor teo --periods some
refused_by explain 'a list has none' "$tmp/w2" --at 1ms --governor teo --periods recorded
refused_by explain 'there is no decision before that time' "$tmp/trace" --table skx --at 17 --governor teo
refused_by explain "--at: .*no unit|--at: " "$tmp/w2" --at soon --governor teo
refused_by explain "did you mean '--context'" "$tmp/w2" --contxt 3
explain --help
[ "$status" = 0 ] && said '^Usage: runner explain FILE' && [ "$(awk 'length > 80' "$tmp/out" | wc -l)" = 0 ]
ok $? '--help, in 80 columns'

if command -v "${CC:-gcc}" >/dev/null && ! nm "$build/analysis" 2>/dev/null | grep -q __asan_init; then
	"${CC:-gcc}" -std=gnu17 -O2 -shared -fPIC -Isrc docs/examples/teo-ng.c -o "$tmp/teo-ng.so"
	explain "$tmp/w1" --table i5-10600k --governor-so "$tmp/teo-ng.so" --at 11ms
	step 'C3_ACPI: target residency 3102000 ns is above the sleep length' 'a governor from a shared object explains itself'
else
	ok 0 'a governor from a shared object # SKIP no compiler, or a sanitized program'
fi

done_testing
