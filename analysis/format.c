/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of formats, and the files that come of it. */
#include "analysis/format.h"
#include "analysis/csv.h"
#include "analysis/json.h"
#include "analysis/markdown.h"
#include "analysis/output.h"
#include "analysis/text.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <string.h>

static const struct format formats[] = {
#define FORMAT(name, extension, write) { #name, #extension, write },
#include "analysis/formats.def"
#undef FORMAT
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct format *format_find(const char *name)
{
	const char *names[FORMATS];
	char near[64], quoted[ERROR_QUOTE_SIZE], known[128] = "";
	size_t i, used = 0;

	for (i = 0; i < FORMATS; i++) {
		names[i] = formats[i].name;
		if (!strcmp(name, names[i]))
			return &formats[i];
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
					 names[i]);
	}
	error_usage("--format: unknown format '%s' (%s)%s", error_quote(name, quoted), known,
		    suggest_text(name, names, FORMATS, near, sizeof(near)));
	return NULL;
}

int format_write_all(const struct table *table, const char *folder)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < FORMATS; i++) {
		struct output out;

		output_open(&out);
		formats[i].write(table, out.stream);
		err = output_write(&out, pool_text(table->pool, "%s/summary.%s", folder,
						   formats[i].extension));
	}
	return err;
}
