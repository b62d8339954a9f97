#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# video on this machine: counts of frames are exact, and an overloaded decoder gives the late and dropped frames that a
# sum on paper gives (tests/unit/workloads/video.c has the same films with their sums).

. "$(dirname "$0")/../tap.sh"

program=$build/workloads/video
files=$tmp/files
[ -x "$program" ] || skip_all "$program is not built"

run() {
	rm -rf "$files"
	try timeout 60 "$program" "$@" --output "$files"
}

# CONDITION in awk over metrics by name; NA is "".
holds() {
	awk -F '\t' "NR > 1 { v[\$1] = \$4 } END { exit !($1) }" "$files/metrics.tsv"
}

show() { # what the figures were, for the log
	awk -F '\t' -v names="$1" 'NR > 1 { v[$1] = $4 }
		END { n = split(names, name, " "); printf "#"; for (i = 1; i <= n; i++) printf " %s=%s", name[i], v[name[i]]; print "" }' \
		"$files/metrics.tsv"
}

# A line for what the load of this machine did not let be seen.
void() { # NAME
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP others took the CPU in all of 3 tries"
}

for film in 24Hz:48 30Hz:60 60Hz:120 29.97Hz:59 1Hz:2; do
	run --rate "${film%:*}" --window 2s
	[ $status = 0 ] && holds "v[\"frames_planned\"] == ${film#*:} && v[\"display_ticks\"] == 120 &&
		v[\"audio_packets\"] == 93 && v[\"frames_decoded\"] >= v[\"frames_planned\"] - v[\"late_frames\"]"
	ok $? "A-08: ${film%:*}: ${film#*:} frames, 93 packets, 120 ticks in 2 s"
	[ "$(awk -F '\t' 'NR > 1 { n[$1] += $4 } END { print n["decoder"], n["audio"], n["display"] }' "$files/latency.tsv")" = \
		"${film#*:} 93 120" ]
	ok $? "${film%:*}: each is in the histogram, the late ones too"
done
run --audio 10ms --window 2s
[ $status = 0 ] && holds 'v["audio_packets"] == 200'
ok $? "audio every 10 ms: 200 packets in 2 s"
run --window 500ms --warmup 0s
[ $status = 0 ] && holds 'v["frames_planned"] == 15 && v["display_ticks"] == 30'
ok $? "without a warm-up the count is the same"
[ "$(awk -F '\t' 'NR > 1 { print $2 }' "$files/tasks.tsv" | tr '\n' ' ')" = "decoder audio display " ]
ok $? "roles of the tasks"

# Every frame takes 2.6 periods: all are late, and each tick with a frame due either shows a new one or counts as
# dropped. 19 such ticks lie in the window; the last frame decoded may have come after the last of them. True on a
# machine of any load.
run --rate 10Hz --work 260ms --heavy 1 --window 2s --warmup 0s
show "late_frames dropped_frames frames_decoded"
[ $status = 0 ] && holds '(n = v["dropped_frames"] + v["frames_decoded"]) >= 19 && n <= 20 &&
	v["frames_planned"] == 20 && v["late_frames"] == 20 && v["frame_max_us"] >= 1000000 && v["frames_decoded"] <= 8'
ok $? "A-10: an overloaded decoder: every frame is late, each tick without a new one is dropped"

# Each 12th frame takes 1.5 periods: 0, 12 and 24 are late, two are missing at their tick, the third's tick is at the
# end. Holds while nothing else takes the CPU for 85 ms or makes the work a third longer; a try in which the lateness
# says that was so does not count.
counted=0 good=1
for _ in 1 2 3; do
	run --rate 5Hz --work 15ms --heavy 20 --window 5s --warmup 0s
	[ $status = 0 ] || break
	show "late_frames dropped_frames frames_decoded frame_max_us display_max_us"
	holds 'v["frame_max_us"] < 160000 && v["display_max_us"] < 80000 && v["unit_end_ns"] < 1.2 * v["unit_start_ns"]' || continue
	counted=1
	holds 'v["late_frames"] == 3 && v["dropped_frames"] == 2 && v["frames_planned"] == 25 && v["frames_decoded"] == 24 &&
		v["frame_max_us"] >= 90000 && v["late_ticks"] <= 12'
	good=$?
	[ $good = 0 ] && break
done
if [ $status = 0 ] && [ $counted = 0 ]; then
	void "heavy frames"
else
	ok $good "heavy frames: exactly those late and dropped that the sum on paper says"
fi

# Where there is nothing to do only a late wake can make a frame late.
run --work 0 --audio-work 0 --display-work 0 --window 2s
[ $status = 0 ] && holds '(v["late_frames"] == 0 || v["frame_max_us"] > 25000) && v["cpu_pct"] < 10 && v["token_p50_us"] > 0'
ok $? "no work: nothing is late but by a late wake, and nearly no CPU time is used"
# 10 frames, the first of them heavy, are 12 times the work; packets and ticks are 2.3 % of a CPU. When the decoder fell
# behind, its last work came after the window.
counted=0 good=1
for _ in 1 2 3; do
	run --rate 5Hz --work 8000000 --window 2s
	[ $status = 0 ] && holds 'v["work_units"] == 8000000' || break
	show "cpu_pct unit_start_ns unit_end_ns late_frames"
	holds 'v["late_frames"] == 0 && v["unit_end_ns"] < 1.2 * v["unit_start_ns"]' || continue
	counted=1
	holds '(r = (v["cpu_pct"] - 2.3) / (12 * 8000000 * v["unit_start_ns"] / 2e9 * 100)) > 0.8 && r < 1.5'
	good=$?
	[ $good = 0 ] && break
done
if [ $status = 0 ] && [ $counted = 0 ]; then
	void "CPU time is that of the work"
else
	ok $good "CPU time is that of the work: 12 times the work in 10 frames"
fi

try "$program" --rate 90Hz
[ $status = 2 ] && said 'rate: 90Hz is out of range'
ok $? "more frames than ticks are refused"
try "$program" --rate 1Hz --window 900ms
[ $status = 1 ] && said 'decoder: not one whole period in the window'
ok $? "a window without a whole frame is an error, not a figure"
done_testing
