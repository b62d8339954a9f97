#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Corrupt results, a directory of each kind, made from a good one: what is corrupt is named and left
# out, the rest is reported, and the exit status says that it is not the whole (3).
. tests/tap.sh
. tests/cli/report.sh

mkdir "$tmp/bin"
printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/gnuplot" # figures are not what this is about
chmod +x "$tmp/bin/gnuplot"
PATH=$tmp/bin:$PATH

"$top/tests/make-result" "$tmp/good" points=2 repeat=2 governors=menu,teo tables=1 events=1 ||
	echo "Bail out! make-result failed"
bad=0

# damage NAME: a copy of the good result in $dir, its boot in $boot, its first run in $run.
damage() {
	dir=$tmp/$1
	cp -r "$tmp/good" "$dir"
	boot=$(echo "$dir"/boots/*)
	run=$(echo "$boot"/runs/0001.*)
}

report() {
	try timeout 60 "$build/analysis" report "$dir"
}

# named REGEX [LEFT]: exit 3, the warning, and all but LEFT (default 1) of the 12 runs in the report.
named() {
	local left=${2:-1}
	[ "$status" -eq 3 ]
	ok $? "$kind: exit 3"
	says "$1" "... named"
	grep -q "\"runs_complete\": $((12 - left)),\$" "$dir/report/summary.json"
	ok $? "... the other $((12 - left)) runs are reported"
	grep -q '"complete": false' "$dir/report/summary.json"
	ok $? "... as not the whole"
}

damage whole
report
[ "$status" -eq 0 ] && grep -q '"runs_complete": 12,$' "$dir/report/summary.json"
ok $? "the good one: exit 0, 12 runs"

# Each table of a run that the report reads.
for file in metrics idle energy events; do
	kind="cut line in $file.tsv"
	damage $((bad++))
	truncate -s -4 "$run/$file.tsv"
	report
	named "skipped 1 damaged run: 0001[^ ]*: [^ ]*/$file.tsv:[0-9]+: no newline at the end: the file is cut off"

	kind="a line of $file.tsv without its end"
	damage $((bad++))
	sed -i '3s/\t[^\t]*$//' "$run/$file.tsv"
	report
	named "0001[^ ]*/$file.tsv:3: [0-9]+ cells, the header has"

	kind="binary noise in $file.tsv"
	damage $((bad++))
	head -c 5000 "$build/analysis" >"$run/$file.tsv"
	report
	named "0001[^ ]*/$file.tsv:[0-9]+: control byte 0x"

	kind="$file.tsv of 0 bytes"
	damage $((bad++))
	: >"$run/$file.tsv"
	report
	named "0001[^ ]*/$file.tsv: empty file"

	kind="$file.tsv is a link to itself"
	damage $((bad++))
	ln -sf "$file.tsv" "$run/$file.tsv"
	report
	named "0001[^ ]*/$file.tsv: .*(symbolic links|loop)"

	kind="a line of 10 MB in $file.tsv"
	damage $((bad++))
	head -c 10000000 /dev/zero | tr '\0' x >>"$run/$file.tsv"
	echo >>"$run/$file.tsv"
	report
	named "0001[^ ]*/$file.tsv:[0-9]+: 1 cells, the header has"

	kind="a header of 10 MB in $file.tsv"
	damage $((bad++))
	seq 1000000 2200000 | tr '\n' '\t' | sed 's/\t$/\n/' >"$run/$file.tsv"
	report
	named "0001[^ ]*/$file.tsv:1: more than [0-9]+ columns"
done
for file in metrics idle; do
	kind="$file.tsv is missing"
	damage $((bad++))
	rm "$run/$file.tsv"
	report
	named "0001[^ ]*/$file.tsv: No such file"
done

# run.ini
while IFS='~' read -r kind command reason; do
	damage $((bad++))
	eval "$command"
	report
	named "0001[^ ]*: [^ ]*run.ini.*$reason"
done <<'END'
run.ini cut in a line~truncate -s 300 "$run/run.ini"~not 'key = value': 'rehear'
run.ini of 0 bytes~: >"$run/run.ini"~no usable 'format'
run.ini is missing~rm "$run/run.ini"~No such file
run.ini of a later format~sed -i 's/^format = 1/format = 9/' "$run/run.ini"~format 9 is newer than this program reads \(1\)
run.ini of no format~sed -i '/^format = 1/d' "$run/run.ini"~no usable 'format'
run.ini with binary noise~head -c 3000 "$build/analysis" >"$run/run.ini"~(NUL|control) byte
a line of 10 MB in run.ini~head -c 10000000 /dev/zero | tr '\0' x >>"$run/run.ini"~line of [0-9]+ bytes
a number that is none in run.ini~sed -i 's/^repeat = .*/repeat = twice/' "$run/run.ini"~no usable 'repeat'
END
kind="a run directory that is a link to itself"
damage $((bad++))
rm -r "$run" && ln -s "${run##*/}" "$run"
report
named "0001[^ ]*: [^ ]*run.ini: .*(symbolic links|loop)"
kind="a run directory that links to its parent"
damage $((bad++))
rm -r "$run" && ln -s .. "$run"
report
named "0001[^ ]*: [^ ]*run.ini: No such file"

# Counters.
kind="P-20: a counter that goes back"
damage $((bad++))
awk -F'\t' -v OFS='\t' 'NR == 2 { $6 = $5 - 1 } { print }' "$run/idle.tsv" >"$run/new" && mv "$run/new" "$run/idle.tsv"
report
named "idle counters of CPU 0 went backwards; this CPU is left out" 0
kind="time that goes back"
damage $((bad++))
awk -F'\t' -v OFS='\t' 'NR == 2 { $4 = $3 - 1 } { print }' "$run/idle.tsv" >"$run/new" && mv "$run/new" "$run/idle.tsv"
report
named "0001[^ ]*/idle.tsv: row 1 has no usable cpu, state or times"

# The same cell twice.
kind="a duplicate cell"
damage $((bad++))
cp -r "$run" "${run/0001./0099.}"
report
named "skipped 1 duplicate run: 0099[^ ]*: the same cell as 0001" 0
kind="a run of another campaign"
damage $((bad++))
cp -r "$run" "${run/0001.two-cores/0099.six-cores}"
sed -i 's/^section = .*/section = six-cores/' "${run/0001.two-cores/0099.six-cores}/run.ini"
report
named "skipped 1 damaged run: 0099[^ ]*: not of this campaign: its suite has no \[run six-cores\]" 0

# The boot's files take its runs with them; another boot's are there.
for how in 'cut|truncate -s -5|no newline' '0 bytes|truncate -s 0|empty file' 'noise|cp "$build/analysis"|control byte' 'missing|rm|No such file'; do
	kind="states.tsv: ${how%%|*}"
	damage $((bad++))
	cp -r "$boot" "${boot%+*}+00000000"
	rm -r "${boot%+*}+00000000"/runs/000[2-9]* "${boot%+*}+00000000"/runs/001*
	command=${how#*|}
	eval "${command%|*} \"\$boot/states.tsv\""
	report
	named "skipped 12 damaged runs: its boot's files are damaged: [^ ]*/states.tsv:.*${how##*|}" 11
done
for how in 'cut|truncate -s -60|' '0 bytes|truncate -s 0|nothing in it' 'noise|cp "$build/analysis"|byte' 'missing|rm|No such file'; do
	[ "${how%%|*}" != cut ] || continue # what remains of a cut host.ini is a host.ini
	kind="host.ini: ${how%%|*}"
	damage $((bad++))
	cp -r "$boot" "${boot%+*}+00000000"
	rm -r "${boot%+*}+00000000"/runs/000[2-9]* "${boot%+*}+00000000"/runs/001*
	command=${how#*|}
	eval "${command%|*} \"\$boot/host.ini\""
	report
	named "skipped 12 damaged runs: its boot's files are damaged: [^ ]*/host.ini.*${how##*|}" 11
done

# campaign.ini: the runs can be read without it.
while IFS='~' read -r kind command reason; do
	damage $((bad++))
	eval "$command"
	report
	named "campaign.ini: damaged: .*$reason" 0
	says 'governors: menu \(reference\), teo ' "... governors as the runs have them"
done <<'END'
campaign.ini is missing~rm "$dir/campaign.ini"~No such file
campaign.ini of 0 bytes~: >"$dir/campaign.ini"~not a campaign
campaign.ini cut~truncate -s -20 "$dir/campaign.ini"; sed -i '/^cells/a suite_bytes = 999' "$dir/campaign.ini"~cut or changed
campaign.ini with binary noise~head -c 3000 "$build/analysis" >"$dir/campaign.ini"~not a campaign
campaign.ini is a link to itself~ln -sf campaign.ini "$dir/campaign.ini"~(symbolic links|loop)
campaign.ini with a line of 10 MB~{ echo '[campaign]'; head -c 10000000 /dev/zero | tr '\0' x; echo; cat "$tmp/good/campaign.ini"; } >"$dir/campaign.ini"~line of 10000000 bytes
campaign.ini of another campaign~sed -i 's/^\[run .*/[run something-else]/' "$dir/campaign.ini"~of another campaign: its suite has no section of any run
END
damage $((bad++))
sed -i 's/^format = 1/format = 9/' "$dir/campaign.ini"
report
[ "$status" -eq 2 ] && said 'campaign.ini: format 9 is newer than this program reads \(1\)'
ok $? "a campaign of a later format is refused"
[ ! -e "$dir/report" ]
ok $? "... without a report"

# Of several results, one corrupt.
damage mixed
: >"$run/idle.tsv"
"$top/tests/make-result" "$tmp/second" points=2 repeat=2 governors=menu,teo begin=7000 kernel=6.19
try timeout 60 "$build/analysis" report "$dir" "$tmp/second" -o "$tmp/both"
[ "$status" -eq 3 ]
ok $? "of two results one is corrupt: exit 3"
says 'skipped 1 damaged run: mixed/0001[^ ]*: ' "... the run is named with its result"
done_testing
