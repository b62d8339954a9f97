#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What root starts is not led astray by the environment: a library to be loaded first, a folder of false programs in
# PATH, and the variables that shells, libraries and interpreters read code from. Who is not root keeps the own PATH.

. tests/cli/sudo.sh

cc=$(command -v "${CC:-cc}" || command -v gcc || command -v clang) || { echo '1..0 # SKIP needs a compiler'; exit 0; }
if grep -q fsanitize "${BUILD:-build}/flags"; then
	echo '1..0 # SKIP a program with AddressSanitizer does not start under LD_PRELOAD'
	exit 0
fi
command -v gnuplot >/dev/null || { echo '1..0 # SKIP needs gnuplot'; exit 0; }

suite one '[run a]' 'workload = ping-pong' 'work = 0'
sed -i 's/^window = .*/window = 1s/' "$tmp/one.ini"

# Every program that loads it leaves its name and user.
mkdir -m 1777 "$tmp/seen"
cat >"$tmp/hostile.c" <<'EOF'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
extern char *program_invocation_short_name;
__attribute__((constructor)) static void seen(void)
{
	char path[4096];
	snprintf(path, sizeof(path), SEEN "/%s.%d", program_invocation_short_name, (int)getuid());
	close(open(path, O_WRONLY | O_CREAT, 0666));
}
EOF
"$cc" -shared -fPIC -D_GNU_SOURCE -DSEEN="\"$tmp/seen\"" -o "$tmp/hostile.so" "$tmp/hostile.c" 2>"$tmp/err" ||
	{ echo '1..0 # SKIP the compiler makes no shared library'; exit 0; }
chmod 644 "$tmp/hostile.so"

# False programs: each leaves a mark.
mkdir "$tmp/bin"
for name in gnuplot ps sh bash env python3 xdg-open ping-pong analysis; do
	printf '#!/bin/sh -p\n: >"%s/false-%s"\nexit 0\n' "$tmp/seen" "$name" >"$tmp/bin/$name"
	chmod 755 "$tmp/bin/$name"
done
printf ': >"%s/bash-env"\n' "$tmp/seen" >"$tmp/bash-env"

hostile=(PATH="$tmp/bin:$PATH" BASH_ENV="$tmp/bash-env" ENV="$tmp/bash-env" GCONV_PATH="$tmp/bin" PYTHONPATH="$tmp/bin"
	PYTHONSTARTUP="$tmp/bash-env" HWLOC_PLUGINS_PATH="$tmp/bin" HWLOC_XMLFILE="$tmp/none.xml" LD_LIBRARY_PATH="$tmp/bin"
	GNUPLOT_DRIVER_DIR="$tmp/bin" GNUPLOT_LIB="$tmp/bin" ASAN_OPTIONS="log_path=$tmp/seen/asan" IFS=x
	LC_CTYPE=C.UTF-8 LC_MESSAGES="$tmp/bin" TERM=dumb TZ="$tmp/bash-env" GDFONTPATH=/usr/share/fonts)

# attacked VARIABLE.. -- ARGUMENT..: the runner is started by its path with all of that set.
attacked() {
	local extra=()

	while [ "$1" != -- ]; do
		extra+=("$1")
		shift
	done
	shift
	rm -f "$tmp"/seen/*
	env "${hostile[@]}" "${extra[@]}" LD_PRELOAD="$tmp/hostile.so" "$runner" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	workload=$(workload_pid)
	: >"$tmp/environ"
	[ -z "$workload" ] || tr '\0' '\n' <"/proc/$workload/environ" >"$tmp/environ"
	wait $pid
	status=$?
}

# The runner's own process cannot refuse what its caller preloads (sudo itself does that); its children must not have it.
nothing_seen() {
	[ "$(ls "$tmp/seen")" = "env.0
idle-runner.0" ] || [ "$(ls "$tmp/seen")" = idle-runner.0 ] || { ls "$tmp/seen" >>"$tmp/err"; return 1; }
}

only_allowed() {
	local bad

	bad=$(grep -vE '^(HOME|TMPDIR|TERM|TZ|LANG|LANGUAGE|LC_[A-Z]+|GDFONTPATH|GNUPLOT_FONTPATH|GNUPLOT_DEFAULT_GDFONT|PATH)=' \
		"$tmp/environ")
	echo "$bad" >>"$tmp/err"
	[ -s "$tmp/environ" ] && [ -z "$bad" ]
}

drawn() {
	[ -n "$(find "$1/report/plots" -name '*.svg' -size +0)" ]
}

mkdir "$tmp/home"
chown 65534:65534 "$tmp/home"
machine_of_nobody --governors menu
attacked "${sudo_is[@]}" -- --root "$tmp/m" --suite "$tmp/one.ini" --governors menu --quiet --results "$tmp/home/r"
ok 'under sudo: the campaign runs' ended 0
ok 'no child loads the hostile library or a false program' nothing_seen
ok 'gnuplot is the real one' drawn "$tmp/home/r"
ok 'the workload sees allowed variables only' only_allowed
ok 'a safe PATH' grep -qx 'PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin' "$tmp/environ"
ok 'HOME of its user' grep -qx "HOME=$(getent passwd 65534 | cut -d: -f6)" "$tmp/environ"
ok 'the locale' grep -qx 'LC_CTYPE=C.UTF-8' "$tmp/environ"
ok 'no locale and no time zone out of a file' sh -c "! grep -qE '^(LC_MESSAGES|TZ)=' '$tmp/environ'"
ok 'font paths' grep -qx 'GDFONTPATH=/usr/share/fonts' "$tmp/environ"

machine --governors menu
attacked HOME=/root -- --root "$tmp/m" --suite "$tmp/one.ini" --governors menu --quiet --results "$tmp/root"
ok 'as root without sudo: the campaign runs' ended 0
ok 'no child loads the hostile library or a false program' nothing_seen
ok 'gnuplot is the real one' drawn "$tmp/root"
ok 'the workload sees allowed variables only' only_allowed
ok 'HOME stays' grep -qx 'HOME=/root' "$tmp/environ"

# Not root: nothing to be gained, so one's own programs are used.
machine_of_nobody --governors menu
rm -f "$tmp"/seen/*
setpriv --reuid=65534 --regid=65534 --clear-groups env PATH="$tmp/bin:$PATH" BASH_ENV="$tmp/bash-env" "$runner" \
	--root "$tmp/m" --suite "$tmp/one.ini" --governors menu --results "$tmp/home/own" >"$tmp/out" 2>"$tmp/err" </dev/null
status=$?
ok 'not root: the campaign runs' test "$status" = 0 -o "$status" = 3
ok 'with the user'\''s own gnuplot' test -e "$tmp/seen/false-gnuplot"
ok 'and nothing else of it' test "$(ls "$tmp/seen")" = false-gnuplot

done_testing
