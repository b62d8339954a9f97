#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Planted symbolic links and folders that everybody may write to: what a link points at stays as it is, whether root
# works for a user or for itself.

. tests/cli/sudo.sh

suite one '[run a]' 'workload = ping-pong' 'work = 0'
boot=6.12.0+3f2a9c1e
run_name=0001.a.menu.r1

# victim OWNER: a folder with files, which that user may write to.
victim() {
	rm -rf "$tmp/victim"
	mkdir "$tmp/victim"
	echo precious >"$tmp/victim/file"
	mkdir "$tmp/victim/data"
	echo precious >"$tmp/victim/data/other"
	chown -R "$1" "$tmp/victim"
	whole=$(cd "$tmp/victim" && find . -printf '%p %y %m %U %s %T@\n' | sort; cat "$tmp/victim/file")
}

unharmed() {
	[ "$(cd "$tmp/victim" && find . -printf '%p %y %m %U %s %T@\n' | sort; cat "$tmp/victim/file")" = "$whole" ]
}

# start: the campaign, by sudo or by root; $by and $owner are set.
start() {
	if [ "$by" = sudo ]; then
		as_sudo --root "$tmp/m" --suite "$tmp/one.ini" --governors menu --seed 1 --quiet --results "$tmp/home/r" "$@"
	else
		run --root "$tmp/m" --suite "$tmp/one.ini" --governors menu --seed 1 --quiet --results "$tmp/home/r" "$@"
	fi
}

# planted PLACE TARGET: in a campaign that is to be continued, PLACE is replaced by a link to TARGET.
planted() {
	rm -rf "$tmp/home/r"
	cp -a "$tmp/home/begun" "$tmp/home/r"
	rm -rf "${tmp:?}/home/r/$1"
	mkdir -p "$(dirname "$tmp/home/r/$1")"
	ln -s "$2" "$tmp/home/r/$1"
	chown -hR "$owner" "$tmp/home/r"
	victim "$owner"
	start
}

for by in sudo root; do
	owner=65534:65534
	[ "$by" = sudo ] || owner=0:0
	rm -rf "${tmp:?}/home"
	mkdir "$tmp/home"
	chown "$owner" "$tmp/home"
	machine --governors menu
	chown -R "$owner" "$tmp/m"

	start --no-report
	ok "$by: a campaign" ended 0
	mv "$tmp/home/r" "$tmp/home/begun"
	ok "$by: with the run" test -d "$tmp/home/begun/boots/$boot/runs/$run_name"
	rm -rf "$tmp/home/begun/boots/$boot/runs/$run_name"

	# Where a folder is expected.
	for place in boots "boots/$boot" "boots/$boot/runs"; do
		planted "$place" "$tmp/victim"
		ok "$by: a link at $place is refused" ended 1 "/$place is a symbolic link: it is not followed"
		ok "$by: what it points at is unharmed" unharmed
		planted "$place" "$tmp/victim/missing"
		ok "$by: a link into nothing at $place" ended 1 "/$place is a symbolic link: it is not followed"
		ok "$by: nothing is made there" unharmed
	done

	# Where a file is expected.
	for target in file missing; do
		planted campaign.ini "$tmp/victim/$target"
		ok "$by: a link to a $target at campaign.ini" ended 1 'campaign.ini is a symbolic link: it is not followed'
		ok "$by: it is unharmed" unharmed
		planted "boots/$boot/host.ini" "$tmp/victim/$target"
		ok "$by: a link to a $target at host.ini is replaced" ended 0
		ok "$by: it is unharmed" unharmed
		ok "$by: host.ini is a file" test -f "$tmp/home/r/boots/$boot/host.ini" -a ! -L "$tmp/home/r/boots/$boot/host.ini"
		planted "boots/$boot/topology.xml" "$tmp/victim/$target"
		ok "$by: a link to a $target at topology.xml" ended 0
		ok "$by: it is unharmed" unharmed
	done
	planted "boots/$boot/states.tsv" "$tmp/victim/file"
	ok "$by: a link at states.tsv" ended 1 'states.tsv: the idle states or their disable bits have changed'
	ok "$by: it is unharmed" unharmed
	planted "boots/$boot/states.tsv" "$tmp/victim/missing"
	ok "$by: into nothing" ended 0
	ok "$by: nothing is made there" unharmed

	# Where the run is built, and where it goes.
	for place in ".tmp-$run_name" .tmp-other; do
		planted "boots/$boot/runs/$place" "$tmp/victim"
		ok "$by: a link at runs/$place is removed" ended 0
		ok "$by: what it points at is unharmed" unharmed
		ok "$by: the link is gone" test ! -L "$tmp/home/r/boots/$boot/runs/$place"
		ok "$by: the run is there" test -f "$tmp/home/r/boots/$boot/runs/$run_name/run.ini"
	done
	planted "boots/$boot/runs/$run_name.void-1" "$tmp/victim"
	ok "$by: what a link among the runs points at is unharmed" unharmed

	# The report.
	for place in report report.tmp-1 report.tmp-999999999; do
		planted "$place" "$tmp/victim"
		ok "$by: a link at $place" ended 0
		ok "$by: what it points at is unharmed" unharmed
		ok "$by: the report is a folder" test -d "$tmp/home/r/report" -a ! -L "$tmp/home/r/report"
	done
done

# Under sudo a link may lead only where the user may write anyway.
machine_of_nobody --governors menu
rm -rf "${tmp:?}/home"
mkdir "$tmp/home"
by=sudo
victim 0:0
ln -s "$tmp/victim" "$tmp/home/r"
chown -hR 65534:65534 "$tmp/home"
rm -rf "$tmp/victim/data" "$tmp/victim/file"
start
ok 'sudo: --results that is a link to a folder of root'\''s' ended 1 'as user nobody' 'Permission denied'
ok 'nothing is in it' test -z "$(ls -A "$tmp/victim")"

# Folders that others may write to. daemon (1) is somebody else.
folder() {
	rm -rf "${tmp:?}/home"
	mkdir "$tmp/home"
	chown 65534:65534 "$tmp/home"
	mkdir "$tmp/home/r"
	chmod "$1" "$tmp/home/r"
	chown "$2" "$tmp/home/r"
}
folder 777 1:1
start
ok 'sudo: a folder for everybody that is another user'\''s' ended 1 'everybody may write to this folder and it belongs to'
ok 'nothing is in it' test -z "$(ls -A "$tmp/home/r")"
folder 1777 1:1
start
ok 'sudo: with the sticky bit its owner can still do anything' ended 1 'everybody may write to this folder and it belongs to'
folder 777 0:0
start
ok 'sudo: a folder of root'\''s for everybody' ended 1 'everybody may write to this folder: chmod o-w it'
folder 1777 0:0
start --no-report
ok 'sudo: with the sticky bit' ended 0
folder 700 65534:65534
start --no-report
ok 'sudo: the user'\''s own' ended 0

by=root
machine --governors menu
for owner in 1:1 65534:65534; do
	folder 777 $owner
	start
	ok "root: a folder for everybody of $owner" ended 1 'everybody may write to this folder and it belongs to'
	ok 'nothing is in it' test -z "$(ls -A "$tmp/home/r")"
done
folder 777 0:0
start
ok 'root: its own folder for everybody' ended 1 'everybody may write to this folder: chmod o-w it'
ok 'nothing is in it' test -z "$(ls -A "$tmp/home/r")"
folder 755 65534:65534
start
ok 'root: another user'\''s folder' ended 1 'belongs to nobody' 'give --run-as nobody'
ok 'nothing is in it' test -z "$(ls -A "$tmp/home/r")"
run report "$tmp/home/r"
ok 'root: a report in it' ended 1 'belongs to nobody' 'give --run-as nobody'
(umask 0 && run --root "$tmp/m" --suite "$tmp/one.ini" --governors menu --results "$tmp/open" --no-report)
ok 'no folder is made for everybody, whatever the umask' test -d "$tmp/open/boots" -a \
	-z "$(find "$tmp/open" -type d -perm -2)"

done_testing
