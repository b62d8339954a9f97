#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# report --format: each form has the same numbers, keeps to its own syntax whatever the names are, and is what the
# report's file of that form holds. summary.json keeps to docs/summary-schema.json, which allows nothing else.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
. tests/cli/report.sh

# report NAME ARGUMENT...: stdout in $tmp/out, stderr in $tmp/err, exit status in $status
report() {
	local name=$1
	shift
	"$build/analysis" report "$@" "$tmp/$name" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# validate FILE: by our own check, and by python3-jsonschema where that is installed
validate() {
	tests/validate-json docs/summary-schema.json "$1" >"$tmp/out" 2>&1 || return
	python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || return 0
	python3 - docs/summary-schema.json "$1" >"$tmp/out" 2>&1 <<-'END'
		import json, sys, jsonschema
		schema = json.load(open(sys.argv[1]))
		jsonschema.Draft202012Validator.check_schema(schema)
		errors = list(jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(sys.argv[2]))))
		for e in errors[:20]:
		    print(e.json_path, e.message[:200])
		sys.exit(bool(errors))
	END
}

# json FILE EXPRESSION: perl over the decoded $j
json() {
	perl -MJSON::PP -e 'local $/; open my $in, "<", shift or die; my $j = JSON::PP->new->utf8->decode(<$in>);
		my $e = shift; my $r = eval $e; die $@ if $@; print defined $r ? $r : "null"' "$@"
}

perl -MJSON::PP -e1 2>/dev/null || skip_all "perl has no JSON::PP"
tests/make-result "$tmp/r" points=5 events=1 doubts=1 failed=1 repeat=7 || skip_all "make-result failed"

## what is printed is the file
for format in text:txt json:json csv:csv markdown:md; do
	report r --format "${format%:*}"
	cmp -s "$tmp/out" "$tmp/r/report/summary.${format#*:}" && [ -s "$tmp/out" ] && [ $status = 3 ]
	ok $? "--format ${format%:*} prints what summary.${format#*:} holds, and the exit status is the report's (3: a run failed)"
	report r --quiet --format "${format%:*}"
	cmp -s "$tmp/out" "$tmp/r/report/summary.${format#*:}"
	ok $? "... with --quiet as well"
done
cp "$tmp/r/report/summary.csv" "$tmp/r.csv"
report r
tail -n 1 "$tmp/out" | grep -q "^report: .*/r/report/index.html$"
ok $? "without --format the summary and the report's path"
head -n -2 "$tmp/out" | cmp -s - "$tmp/r/report/summary.txt"
ok $? "... and the summary is the same"
report r --format jsno
[ $status = 2 ] && grep -q "unknown format 'jsno' (text, json, csv, markdown) (did you mean 'json'?)" "$tmp/err" && [ ! -s "$tmp/out" ]
ok $? "an unknown format is refused by name, with the nearest"
"$build/runner" report --format csv "$tmp/r" >"$tmp/out" 2>"$tmp/err"
cmp -s "$tmp/out" "$tmp/r.csv"
ok $? "runner report --format csv is the same"
"$build/runner" report --format tsv "$tmp/r" >"$tmp/out" 2>"$tmp/err"
[ $? = 2 ] && grep -q "unknown format 'tsv'" "$tmp/err"
ok $? "... and refuses the same"

## csv: rows and fields
header=section,point,column,measure,unit,better,n,median,lo,hi,diff_pct,diff_lo_pct,diff_hi_pct,p,verdict,reference,p_holm
[ "$(head -n 1 "$tmp/r.csv")" = "$header,mean,sd,min,max,mean_diff_pct,points,shift,shift_lo,shift_hi,mean_over_points,mark" ]
ok $? "csv: the fields"
[ "$(awk -F, '{ print NF }' "$tmp/r.csv" | sort -u)" = 28 ]
ok $? "csv: every row has them all"
[ "$(awk -F, '$4 == "loop_us" && $1 == "two-cores" && $23 == 1 { print $2 "," $3 }' "$tmp/r.csv" | sort -u | wc -l)" = 15 ] &&
	[ "$(awk -F, '$4 == "loop_us" && $1 == "two-cores" && $23 == 1' "$tmp/r.csv" | wc -l)" = 15 ]
ok $? "csv: one row a point and column: 5 points, 3 governors"
overall=$(json "$tmp/r/report/summary.json" '(grep { $_->{name} eq "two-cores" } @{$j->{sections}})[0]{measures}[0]{overall_points}')
[ "$(field "$tmp/r.csv" points section=two-cores point= column=teo measure=loop_us)" = "$overall" ] && [ "$overall" -ge 4 ]
ok $? "csv: the whole sweep is a row without a point, with the number of points"
same=$(json "$tmp/r/report/summary.json" 'my ($s) = grep { $_->{name} eq "two-cores" } @{$j->{sections}};
	my ($m) = grep { $_->{name} eq "package_w" } @{$s->{measures}}; my $c = $m->{points}[3]{"teo-ng"};
	join " ", map { defined $_ && /[0-9]/ ? sprintf("%.6g", $_) : $_ // "" } @{$c}{qw(n median lo hi diff_pct diff_lo_pct diff_hi_pct p verdict p_holm mean sd)}')
point=$(json "$tmp/r/report/summary.json" '(grep { $_->{name} eq "two-cores" } @{$j->{sections}})[0]{points}[3]{name}')
got=
for name in n median lo hi diff_pct diff_lo_pct diff_hi_pct p verdict p_holm mean sd; do
	value=$(field "$tmp/r.csv" $name section=two-cores "point=$point" column=teo-ng measure=package_w)
	got="$got $(case $value in *[0-9]*) printf %.6g "$value" ;; *) printf %s "$value" ;; esac)"
done
echo "json $same, csv$got" >"$tmp/out"
[ "$same" = "${got# }" ] && [ "${same%% *}" = 7 ]
ok $? "csv and json have the same numbers"
[ "$(field "$tmp/r.csv" diff_pct section=slow-dwell column=menu measure=loop_us)$(field "$tmp/r.csv" verdict section=slow-dwell \
	column=menu measure=loop_us)" = "" ]
ok $? "csv: the reference has no difference: empty, not 0"
[ "$(field "$tmp/r.csv" better section=slow-dwell column=teo measure=loops_per_s)" = higher ] &&
	[ "$(field "$tmp/r.csv" unit section=slow-dwell column=teo measure=loops_per_s)" = 1/s ]
ok $? "csv: unit and direction"
grep -q '^slow-dwell,,teo,residency\.workload\.2:C1E,%,none,7,' "$tmp/r.csv"
ok $? "csv: idle measures name their state"
grep -q 'nan\|inf' "$tmp/r.csv" "$tmp/r/report/summary.json" "$tmp/r/report/summary.txt" "$tmp/r/report/summary.md"
ok $((! $?)) "no nan or inf anywhere"

## names that break tables
tests/make-result "$tmp/names" points=2 repeat=6 grid=1 'governors=menu,a|b' shift= watts= kernel=6.18-rc4_x >/dev/null
report names --format csv
grep -q '^grid,"work=1us,cores=2",a|b,loop_us' "$tmp/out"
ok $? "csv: a name with a comma is quoted"
report names --format markdown
grep -qE '^\| a\\\|b \|' "$tmp/out"
ok $? "markdown: a bar in a name ends no cell"
awk '/^\|/ { line = $0; gsub(/\\\|/, "", line); n = gsub(/\|/, "", line); if (!block) want = n; block = 1
	if (n != want) { print NR ": " n " bars, not " want ": " $0; bad = 1 } next } { block = 0 } END { exit bad }' "$tmp/out" >"$tmp/bad"
ok $? "markdown: all rows of a table have as many cells as its head"
grep -qF 'Synthetic CPU \<test\> \& Co' "$tmp/out"
ok $? "markdown: no markup from a machine's name"
[ "$(awk '/<details>/ { d++ } /<\/details>/ { d-- } d < 0 || d > 1 { exit 1 } END { print d }' "$tmp/out")" = 0 ]
ok $? "markdown: what is folded is folded whole"

## json: the schema
validate "$tmp/r/report/summary.json"
ok $? "summary.json keeps to its schema: sweep, events, doubts, a failed run"
number=0
for options in 'points=0 repeat=1 idle=0 power=0' 'points=3 repeat=3 cpus= rehearsal=1' 'governors=menu,menu points=4' \
	'governors=menu,ladder missing=ladder points=2 hybrid=1 absent=1 void=1' 'points=0 dwell=0 grid=1 words=1 damaged=1' \
	'seed=18446744073709551615 points=2'; do
	number=$((number + 1))
	# shellcheck disable=SC2086
	tests/make-result "$tmp/s$number" $options >/dev/null
	report s$number --quiet
	validate "$tmp/s$number/report/summary.json"
	ok $? "... $options"
done
[ "$(json "$tmp/s$number/report/summary.json" '$j->{seed}')" = 18446744073709551615 ]
ok $? "a seed of 64 bits is not made negative"
cp -r "$tmp/s3" "$tmp/other"
sed -i 's/^created = .*/created = 2026-12-01T08:00:00+00:00/' "$tmp/other/campaign.ini"
for run in "$tmp"/other/boots/*/runs/*/run.ini; do sed -i 's/^\(t[01]_ns = \)/\19/' "$run"; done
"$build/analysis" report --quiet --force -o "$tmp/both" "$tmp/s3" "$tmp/other" >"$tmp/out" 2>&1
validate "$tmp/both/summary.json" && grep -q '"comparison"' "$tmp/both/summary.json"
ok $? "... two result directories"

# faulty NAME EXPRESSION: a summary that perl has changed must not pass
faulty() {
	perl -MJSON::PP -e 'local $/; open my $in, "<", shift or die; my $j = JSON::PP->new->utf8->decode(<$in>); eval shift;
		die $@ if $@; print JSON::PP->new->utf8->encode($j)' "$tmp/r/report/summary.json" "$2" >"$tmp/faulty.json" || return
	if validate "$tmp/faulty.json"; then ok 1 "the schema refuses $1"; else ok 0 "the schema refuses $1"; fi
}
faulty 'a missing key' 'delete $j->{reference}'
faulty 'a key that it does not describe' '$j->{sections}[0]{measures}[0]{beter} = "lower"'
faulty 'a text for a number' '$j->{sections}[0]{measures}[0]{points}[0]{menu}{median} = "3.0"'
faulty 'null where a list is' '$j->{doubts} = undef'
faulty 'a word that is no verdict' '$j->{sections}[0]{measures}[0]{points}[0]{teo}{verdict} = "good"'
faulty 'a p above 1' '$j->{sections}[0]{measures}[0]{points}[0]{teo}{p} = 1.5'
faulty 'another format number' '$j->{format} = 2'
faulty '103 % of entries too deep' '$j->{sections}[0]{idle_all}{menu}[1]{too_deep_pct} = 103'

## texts that are not UTF-8, and those that are
tests/make-result "$tmp/bytes" points=0 repeat=6 idle=1 'governors=menu,tée-ünïcode' shift= watts= >/dev/null
sed -i "s/Synthetic CPU <test> & Co/CPU \xff\xfe\xe2\x82 \xed\xa0\x80 end/" "$tmp"/bytes/boots/*/host.ini
report bytes --quiet
validate "$tmp/bytes/report/summary.json"
ok $? "bytes that are not UTF-8 do not spoil summary.json"
[ "$(json "$tmp/bytes/report/summary.json" '$j->{machine} =~ /^CPU \x{fffd}{4,7} \x{fffd}{3} end$/ ? "yes" : $j->{machine}')" = yes ]
ok $? "... each is shown as U+FFFD"
[ "$(json "$tmp/bytes/report/summary.json" 'join ",", sort keys %{$j->{sections}[0]{measures}[0]{overall}}' | wc -m)" -gt 8 ]
ok $? "... and a name in UTF-8 is a key"

done_testing
