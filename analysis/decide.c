/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verb "decide", which the runner calls and users have no need of: it is not in the help. It
 * builds what a report would be made from, so that both say the same.
 */
#include "analysis/decide.h"
#include "analysis/sequential.h"
#include "lib/error.h"
#include <stdlib.h>

static int decide(const char *dir)
{
	struct result result;
	struct table table;
	int err = load_result(dir, &result);

	if (err)
		return err;
	err = section_build(&result, &table);
	if (!err && !sequential_is(&table))
		err = error_usage("%s is no sequential campaign", dir);
	if (!err)
		sequential_write(&table, stdout);
	load_free(&result);
	return err;
}

int decide_main(int argc, char **argv)
{
	return argc == 2 ? decide(argv[1]) : error_usage("decide takes one result directory");
}
