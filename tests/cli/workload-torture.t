#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Attempts to break every workload of the table: signals at random moments, small limits, closed and full descriptors,
# folders that cannot be written, one CPU, the ends of every parameter's range. However it ends, it ends in time, with a
# status of its own (0, 1, 2 or 128 + N), at most one line of message, no task and no temporary file left (A-27).
#
# Tasks are found by a mark in their environment, so that one which left the group or the session is found, too.
# IDLE_TEST_SEED=N repeats a test with the same random moments; IDLE_TEST_LONG=1 sends ten times as many signals.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
. tests/cli/workloads.sh

# The shell tells of every job that a signal ended.
[ -n "${IDLE_TEST_DEBUG:-}" ] || exec 2>/dev/null

seed=${IDLE_TEST_SEED:-$((RANDOM * 32768 + RANDOM))}
RANDOM=$((seed % 32768))
echo "# IDLE_TEST_SEED=$seed"
mark=IDLE_TEST_MARK=$$.$seed
rounds=${IDLE_TEST_LONG:+20}
: "${rounds:=1}"
read -r own <"/proc/$$/comm"
limit=180 # seconds in which each attempt has to end, with a hundred others on the machine
mkdir "$tmp/t"
grep -q -a asan "$build/workloads/idle" && sanitized=1 || sanitized=0

# Processes with the mark that are no zombies.
marked() {
	grep -lzxF "$mark" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3
}

end_marked() {
	local pid

	for pid in $(marked); do
		kill -KILL "$pid" 2>/dev/null
	done
}

# begin COMMAND...: starts it; its process is $main, and a group of its own, its stderr $tmp/err.
begin() {
	set -m
	env "$mark" TMPDIR="$tmp/t" "$@" >"$tmp/stdout" 2>"$tmp/err" </dev/null &
	main=$!
	set +m
	# The shell's own child loses a signal that comes before it executes something.
	while read -r comm <"/proc/$main/comm" && [ "$comm" = "$own" ]; do :; done
}

# Waits for it: $status, and $fault says what is wrong with how it ended ("" = nothing).
end() {
	local i left

	fault=''
	for ((i = 0; i < limit * 50; i++)); do
		kill -0 "$main" 2>/dev/null || break
		sleep 0.02
	done
	if [ "$i" = $((limit * 50)) ]; then
		fault="still there after $limit s;"
		kill -KILL "$main" 2>/dev/null
	fi
	wait "$main" 2>/dev/null
	status=$?
	for ((i = 0; i < 100; i++)); do
		left=$(marked)
		[ -z "$left" ] && break
		sleep 0.02
	done
	[ -z "$left" ] || fault="$fault tasks left: $(echo $left | head -c 100);"
	end_marked
	[ -z "$(ls -A "$tmp/t")" ] || fault="$fault temporary files left: $(ls -A "$tmp/t" | head -n 3);"
	rm -rf "$tmp/t"
	mkdir "$tmp/t"
	[ "$(grep -vc '^prlimit: write error' "$tmp/err")" -le 1 ] || fault="$fault $(wc -l <"$tmp/err") lines of message;"
	case $status in
	1 | 2) [ -s "$tmp/err" ] || fault="$fault status $status without a message;" ;;
	esac
}

# ended STATUSES: was the end sound, with one of these? Faults are collected in $faults by $what.
ended() {
	case " $1 " in
	*" $status "*) ;;
	*) fault="$fault status $status, not $1;" ;;
	esac
	[ -z "$fault" ] || echo "$what:$fault $(head -n 2 "$tmp/err" | cut -c 1-200)" >>"$tmp/out"
}

# verdict NAME: one line of TAP for all attempts since the last.
verdict() {
	[ ! -s "$tmp/out" ]
	ok $? "$1"
	: >"$tmp/out"
}

# run STATUSES COMMAND...
attempt() {
	local statuses=$1

	shift
	begin "$@"
	end
	ended "$statuses"
}

sleep_ms() {
	sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}

signals() {
	local signal i ms

	for signal in INT TERM HUP QUIT KILL; do
		for ((i = 0; i < rounds; i++)); do
			ms=$((RANDOM % 400))
			what="SIG$signal after $ms ms"
			begin "$program" "${options[@]}" --window 300s
			sleep_ms $ms
			kill -$signal $main 2>/dev/null
			end
			ended $((128 + $(kill -l $signal)))
		done
	done
	verdict "A-27: $w: signals at random moments"

	what='a storm of signals'
	begin "$program" "${options[@]}" --window 300s
	sleep_ms $((RANDOM % 400))
	for i in {1..20}; do
		kill -INT $main
		kill -TERM $main
		kill -HUP -- -$main
	done 2>/dev/null
	end
	ended "129 130 143"
	what='stopped and continued'
	begin "$program" "${options[@]}" --window 600ms
	sleep_ms 300
	kill -STOP -- -$main
	sleep_ms 100
	kill -CONT -- -$main
	end
	ended 0
	verdict "A-27: $w: a storm of signals; stopped and continued"
}

# Something in the way from the start. Where enough is left to run, running is fine.
limits() {
	# 127: the loader itself finds no room.
	for n in 3 7 16; do
		what="RLIMIT_NOFILE $n"
		attempt '0 1 127' prlimit --nofile=$n "$program" "${options[@]}" "${short[@]}"
	done
	for mib in 4 16 64; do
		[ $sanitized = 0 ] || break
		what="RLIMIT_AS $mib MiB"
		attempt '0 1 127' prlimit --as=$((mib << 20)) "$program" "${options[@]}" "${short[@]}"
	done
	what='RLIMIT_FSIZE 0'
	attempt $((128 + $(kill -l XFSZ))) prlimit --fsize=0 "$program" "${options[@]}" "${short[@]}" \
		--output "$tmp/files"
	[ ! -s "$tmp/files/metrics.tsv" ] || echo "$what: metrics.tsv is there" >>"$tmp/out"
	rm -rf "$tmp/files"
	if [ "$(id -u)" = 0 ] && setpriv --reuid 61234 --clear-groups "$build/workloads/idle" --help >/dev/null 2>&1; then
		chmod 777 "$tmp" "$tmp/t"
		for n in 1 2; do
			what="RLIMIT_NPROC $n"
			attempt '0 1' setpriv --reuid 61234 --clear-groups prlimit --nproc=$n "$program" "${options[@]}" \
				"${short[@]}"
		done
	fi
	verdict "$w: small limits"

	what='one CPU'
	attempt '0 2' taskset -c "$one_cpu" "$program" "${options[@]}" "${short[@]}"
	verdict "$w: one CPU"
}

descriptors() {
	what='stdin, stdout and stderr closed'
	attempt 0 sh -c 'out=$1; shift; exec "$@" --output "$out" <&- >&- 2>&-' sh "$tmp/files" "$program" \
		"${options[@]}" "${short[@]}"
	declared "$w" >"$tmp/declared"
	tail -n +2 "$tmp/files/metrics.tsv" | cut -f 1 | head -n "$(wc -l <"$tmp/declared")" | cmp -s - "$tmp/declared" ||
		echo "$what: other metrics than declared" >>"$tmp/out"
	rm -rf "$tmp/files"
	what='nowhere to print'
	begin sh -c 'exec "$@" >&-' sh "$program" "${options[@]}" "${short[@]}"
	end
	ended 1
	what='a full device'
	attempt 1 sh -c 'exec "$@" >/dev/full' sh "$program" "${options[@]}" "${short[@]}"
	verdict "$w: descriptors that are closed or full"

	: >"$tmp/file"
	for to in /proc/none/files "$tmp/file" "$tmp/file/files" /dev/null; do
		what="--output $to"
		attempt 1 "$program" "${options[@]}" "${short[@]}" --output "$to"
	done
	what='an --output folder that is removed meanwhile'
	begin "$program" "${options[@]}" --window 500ms --output "$tmp/gone"
	sleep_ms 250
	rm -rf "$tmp/gone"
	end
	ended '0 1'
	rm -rf "$tmp/gone"
	verdict "$w: folders that cannot be written"
}

# "name value" for both ends of every count's range, from the help; in the long form of every range, and every word.
ends() {
	tools/workload-page "$program" | sed 's/\\//g' | awk -v long="${IDLE_TEST_LONG:-0}" '
		/^\*Metrics\*/ || /^\*Only in/ { part = 0 }
		/^\*Parameters\*/ { part = 1; next }
		part && /^\*/ { name = $1; gsub(/\*/, "", name); counts = $2 == "_N_" }
		part && (counts || long) && /^\t/ && match($0, /\(default .*\)$/) {
			text = substr($0, RSTART + 1, RLENGTH - 2)
			sub(/^default [^;]*; /, "", text)
			sub(/, in suites.*/, "", text)
			n = split(text, part_of, /\||, | to | units/)
			for (i = 1; i <= n; i++)
				if (part_of[i] != "")
					print name, part_of[i]
		}'
}

# A run that is too long is asked to end after half a second.
ranges() {
	local name value window

	ends >"$tmp/ends"
	while read -r name value; do
		what="--$name $value"
		window=("${short[@]}")
		[ "$name" != loops ] || window=("${no_warmup[@]}")
		attempt '0 1 2 143' timeout --preserve-status -s TERM 0.5 "$program" "${options[@]}" "--$name" "$value" \
			"${window[@]}"
	done <"$tmp/ends"
	[ -s "$tmp/ends" ] || ! "$program" --help | sed -n '/^Parameters/,/^$/p' | grep -q '^  --[a-z-]* N ' ||
		echo "no range found in the help" >>"$tmp/out"
	verdict "$w: both ends of ranges ($(wc -l <"$tmp/ends") values)"
}

one_cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
: >"$tmp/out"
for w in $(workloads); do
	program=$build/workloads/$w
	options_of "$w" 300
	short=(--window 50ms "${no_warmup[@]}")
	signals
	limits
	descriptors
	ranges
done
done_testing
