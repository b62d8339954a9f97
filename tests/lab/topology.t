#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Three shapes of machine: two packages, SMT, a single CPU. Is each seen as what it is, are energy zones named by their
# package, and are the workload's CPUs at the distance asked?

. tests/lab/lab.sh
if ! on_host; then
	"$runner" check >"$LAB_OUT/check.txt"
	for distance in $1; do
		"$runner" --suite "$LAB_OUT/one.ini" --governors teo --set distance="$distance" --results "$LAB_OUT/$distance" \
			--no-report --allow-busy >"$LAB_OUT/$distance.txt" 2>&1
		echo "exit status $?" >>"$LAB_OUT/$distance.txt"
	done
	exit 0
fi
need_lab

# shape NAME "OPTIONS" "DISTANCES": the guest's answers are in $out.
shape() {
	out=$(keep "topology/$1")
	ring_suite 1 1s >"$out/one.ini"
	# shellcheck disable=SC2086
	guest -d lab -e -t 100 -w "$out" $2 -- "$top/tests/lab/topology.t" "$3" >"$tmp/out"
	ok $status "$1: the guest ran to its end"
	# Lines are wrapped for people.
	sed ':a; N; $!ba; s/\n  */ /g' "$out/check.txt" >"$tmp/out"
}
# placed DISTANCE CPUS [GOT]: where the run was, and what its neighbours then share, if that is more.
placed() {
	local ini
	ini=$(find "$out/$1/boots" -name run.ini | sort | head -1)
	cp "$out/$1.txt" "$tmp/out"
	[ "$(value distance_got "$ini")" = "${3:-$1}" ] && [ "$(value cpus "$ini")" = "$2" ]
	ok $? "... neighbours at distance $1: CPUs $2 ($(value distance_got "$ini"), $(value cpus "$ini"))"
}

shape two-packages "-c 4 -T sockets=2,cores=2" "same-package other-package"
said '^ok +CPUs +4 .*4 cores, 2 packages, no SMT'
ok $? "... 4 cores in 2 packages"
said 'package-0 \(intel-rapl:0\).* package-1 \(intel-rapl:1\)'
ok $? "... with an energy zone each"
placed same-package 0-1 same-cache
placed other-package 0,2

shape smt "-c 4 -T sockets=1,cores=2,threads=2" "smt-sibling same-package"
said '^ok +CPUs +4 .*2 cores, 1 package, with SMT'
ok $? "... 2 cores of 2 threads"
placed smt-sibling 0-1
ini=$(find "$out/same-package/boots" -name run.ini | head -1)
[ "$(value cpus "$ini")" = 0,2 ]
ok $? "... two cores are two cores: CPUs $(value cpus "$ini")"

shape one-cpu "-c 1" any
said '^ok +CPUs +1 \(online 0'
ok $? "... one CPU"
cp "$out/any.txt" "$tmp/out"
said 'runner: .*2 CPUs asked, this machine has 1$'
ok $? "... a ring of two cores is refused with the reason: $(grep -m1 runner: "$out/any.txt")"
done_testing
