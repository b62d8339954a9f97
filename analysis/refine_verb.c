/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verb "refine", which the runner calls and users have no need of: it is not in the help. What
 * it prints is the whole of points.tsv with one round more; it writes nothing.
 */
#include "analysis/refine.h"
#include "lib/error.h"
#include <stdlib.h>

static int refine(const char *dir)
{
	struct store_points points;
	struct result result;
	struct table table;
	int err = store_points_read(dir, &points);

	if (err)
		return err;
	err = points.n ? load_result(dir, &result) : error_usage("%s has no adaptive sweep", dir);
	if (err) {
		store_points_free(&points);
		return err;
	}
	err = section_build(&result, &table);
	if (!err) {
		refine_points(&table, &points);
		store_points_print(&points, stdout);
	}
	load_free(&result);
	store_points_free(&points);
	return err;
}

int refine_main(int argc, char **argv)
{
	return argc == 2 ? refine(argv[1]) : error_usage("refine takes one result directory");
}
