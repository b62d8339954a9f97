#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the Makefile, the launcher and tools/deps promise. Works on a copy of the tree with a compiler that only
# notes what it was asked, so that nothing in the real object folder is touched and a "build" takes a second.

. "$(dirname "$0")/../tap.sh"
cd "$top" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES O CC CFLAGS CPPFLAGS LDFLAGS DEVELOPER SANITIZE V PREFIX DESTDIR
export LC_ALL=C

fails_saying() {
	[ $status != 0 ] && said "$1"
}

compiled() {
	grep -c -- ' -c ' "$tmp/cc.log"
}

mkdir "$tmp/tree" "$tmp/bin"
cp -r Makefile LICENSE runner .clang-format configs docs src workloads analysis tools "$tmp/tree"
[ ! -e README.md ] || cp README.md "$tmp/tree"
cat >"$tmp/bin/fake-cc" <<EOF
#!/bin/sh
echo "\$(cat "$tmp/deps-done" 2>/dev/null) \$*" >>"$tmp/cc.log"
while [ \$# -gt 1 ]; do
	[ "\$1" != -o ] || { echo "made" >"\$2"; chmod +x "\$2"; }
	shift
done
exit 0
EOF
chmod +x "$tmp/bin/fake-cc"
PATH=$tmp/bin:$PATH
cd "$tmp/tree" || exit 1
: >"$tmp/cc.log"
sources=$(find src workloads analysis -name '*.c' ! -path workloads/main.c | wc -l)
workloads=$(grep -c '^WORKLOAD(' workloads/workloads.def)

try make help
said 'make deps ' && said 'make check ' && said 'make uninstall ' && said 'DEVELOPER=1'
ok $? "help names the targets and the variables"

try make -j2 CC=fake-cc
[ $status = 0 ] && [ -x build/runner ] && [ -x build/analysis ] && [ -x build/workloads/ping-pong ]
ok $? "make builds the programs"
[ "$(compiled)" = $((sources + workloads)) ]
ok $? "each source is compiled once, main of the workloads once for each of them"

: >"$tmp/cc.log"
try make CC=fake-cc
[ $status = 0 ] && [ ! -s "$tmp/cc.log" ]
ok $? "a second make calls no compiler"

try make CC=fake-cc DEVELOPER=1
[ "$(compiled)" = $((sources + workloads)) ] && grep -q -- '-Werror' "$tmp/cc.log"
ok $? "other flags (DEVELOPER=1) rebuild everything"

try make CC=fake-cc DEVELOPER=1 SANITIZE=address,undefined O=elsewhere
[ $status = 0 ] && [ -x elsewhere/runner ] && grep -q -- '-fsanitize=address,undefined' "$tmp/cc.log"
ok $? "O=DIR builds there, with the sanitizers asked for"
[ -z "$(find src workloads analysis -name '*.[od]')" ]
ok $? "no object lies among the sources"

for o in . src / ''; do
	try make -n O="$o" clean
	fails_saying 'objects'
	ok $? "O='$o' is refused"
done
mkdir "$tmp/a blank" && cp -r Makefile workloads "$tmp/a blank"
try make -C "$tmp/a blank" -n
fails_saying "path has a blank in it"
ok $? "a source path with a blank is refused, with the reason"

echo 'int short_lived;' >src/lib/short_lived.c
try make CC=fake-cc build/liblib.a
ar t build/liblib.a | grep -q short_lived.o
first=$?
rm src/lib/short_lived.c
try make CC=fake-cc build/liblib.a
[ $first = 0 ] && ! ar t build/liblib.a | grep -q short_lived.o
ok $? "a deleted source leaves its archive"

try make CC=no-such-cc O=none
fails_saying "^no-such-cc is missing: run 'make deps'" && [ "$(grep -c missing "$tmp/out")" = 1 ]
ok $? "without a compiler: one line that names make deps"
if command -v gcc >/dev/null; then
	try make -k -j2 CC='gcc -nostdinc' O=none
	fails_saying "^missing headers: .*hwloc.h.*run 'make deps'" && ! said 'error:'
	ok $? "without headers: one line that names them and make deps"
fi

cp tools/deps "$tmp/deps"
printf '#!/bin/sh\nsleep 1\necho deps-were-first >"%s/deps-done"\n' "$tmp" >tools/deps
: >"$tmp/cc.log"
try make -j4 CC=fake-cc O=ordered deps all
[ $status = 0 ] && [ -s "$tmp/cc.log" ] && ! grep -v '^deps-were-first' "$tmp/cc.log"
ok $? "make -j deps all: nothing is compiled before deps is done"
cp "$tmp/deps" tools/deps

if command -v scdoc >/dev/null; then
	try make CC=fake-cc install DESTDIR="$tmp/dest" PREFIX=/opt/it
	top=$tmp/dest/opt/it
	[ $status = 0 ] && [ -x "$top/bin/idle-runner" ] && [ -x "$top/libexec/idle-runner/analysis" ] &&
		[ -x "$top/libexec/idle-runner/workloads/ping-pong" ] && [ -f "$top/share/man/man1/idle-runner.1" ] &&
		cmp -s configs/smoke.ini "$top/share/idle-runner/configs/smoke.ini" &&
		[ -f "$top/share/doc/idle-runner/LICENSE" ]
	ok $? "install puts everything below DESTDIR and PREFIX"
	[ -f "$top/share/idle-runner/configs/smoke.ini" ] && [ ! -x "$top/share/idle-runner/configs/smoke.ini" ]
	ok $? "a data file is not executable"
	echo mine >"$top/share/idle-runner/configs/mine.ini"
	try make CC=fake-cc uninstall DESTDIR="$tmp/dest" PREFIX=/opt/it
	[ "$(find "$tmp/dest" -type f)" = "$top/share/idle-runner/configs/mine.ini" ]
	ok $? "uninstall removes every file it put there, and no other"
	rm "$top/share/idle-runner/configs/mine.ini"
	try make CC=fake-cc uninstall DESTDIR="$tmp/dest" PREFIX=/opt/it
	[ $status = 0 ] && [ -z "$(find "$tmp/dest" -type f)" ] && [ -z "$(find "$tmp/dest" -name idle-runner)" ]
	ok $? "uninstall removes its own folders and may be repeated"
fi

echo precious >elsewhere/other
try make clean O=elsewhere
[ $status = 0 ] && [ "$(find elsewhere)" = "elsewhere
elsewhere/other" ]
ok $? "clean O=DIR removes what was built and nothing else"
try make clean
[ $status = 0 ] && [ ! -e build ] && [ -d src/lib ] && [ -d workloads ]
ok $? "clean removes build/"
try make clean
ok $status "clean twice is no error"

# The launcher.
try ./runner list
fails_saying "run 'make' first"
ok $? "the launcher without a build says so"
mkdir build
printf '#!/bin/sh\necho "built runner:" "$@"\nexit 3\n' >build/runner
chmod +x build/runner
ln -s "$tmp/tree/runner" "$tmp/bin/linked"
cd /
try linked --suite 'a b'
cd "$tmp/tree" || exit 1
[ $status = 3 ] && said '^built runner: --suite a b$'
ok $? "the launcher works through a link from another folder, passing arguments and status"

# tools/deps, on a machine that has nothing but a shell and apt-get.
mkdir "$tmp/bare"
for tool in sh sort tr env; do
	ln -s "$(command -v $tool)" "$tmp/bare"
done
printf '#!/bin/sh\necho "$@" >>"%s/apt.log"\n' "$tmp" >"$tmp/bare/apt-get"
printf '#!/bin/sh\nexit 1\n' >"$tmp/bare/sudo"
printf '#!/bin/sh\necho 1000\n' >"$tmp/bare/id"
chmod +x "$tmp"/bare/apt-get "$tmp/bare/sudo" "$tmp/bare/id"
: >"$tmp/apt.log"
try env PATH="$tmp/bare" sh tools/deps
fails_saying '^  sudo apt-get update && sudo apt-get install .*gcc' && [ ! -s "$tmp/apt.log" ] &&
	[ "$(grep -c apt-get "$tmp/out")" = 1 ]
ok $? "deps without rights prints one command and runs none"
printf '#!/bin/sh\necho 0\n' >"$tmp/bare/id"
try env PATH="$tmp/bare" sh tools/deps
grep -q '^install -y --no-install-recommends .*gcc' "$tmp/apt.log" && fails_saying 'installed, and yet not found: .*gcc'
ok $? "deps as root installs what is missing and checks that it came"
try tools/deps --frobnicate
fails_saying 'usage: tools/deps'
ok $? "deps refuses an unknown option"

done_testing
