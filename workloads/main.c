/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program of each workload: compiled once per row of workloads.def with WORKLOAD set to its
 * descriptor.
 */
#include "lib/error.h"
#include "workloads/options.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct workload WORKLOAD;

static struct driver driver = { .workload = &WORKLOAD };

int main(int argc, char **argv)
{
	int rc;

	if (WORKLOAD.child && argc > 1 && !strcmp(argv[1], WORKLOAD_CHILD))
		return WORKLOAD.child(argc, argv);
	rc = options_parse(&driver, argc, argv);

	if (!rc && driver.options.help) {
		options_help(driver.workload);
		return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	if (!rc)
		rc = driver_run(&driver);
	if (!rc)
		return EXIT_SUCCESS;
	fprintf(stderr, "%s: %s\n", driver.workload->name, error_text());
	if (driver.signal)
		return 128 + driver.signal;
	return error_is_usage() ? 2 : EXIT_FAILURE;
}
