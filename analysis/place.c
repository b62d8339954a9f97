/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program lies in TOP/build, in an object folder anywhere, or in PREFIX/libexec/idle-runner. */
#include "analysis/place.h"
#include "lib/error.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int place_find(const char *in_source, const char *installed, char path[PATH_MAX])
{
	const struct {
		const char *way, *folder;
	} below[] = { { "source", in_source },
		      { "..", in_source },
		      { "../..", in_source },
		      { "../../share/idle-runner", installed } };
	char self[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		return error_set(-errno, "/proc/self/exe: %m (is /proc mounted?)");
	self[n] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < sizeof(below) / sizeof(*below); i++)
		if (snprintf(path, PATH_MAX, "%s/%s/%s", self, below[i].way, below[i].folder) <
			    PATH_MAX &&
		    !access(path, R_OK | X_OK))
			return 0;
	return error_set(-ENOENT, "no folder %s beside %s: run 'make' first", in_source, self);
}
