/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A model knows some workloads, one at a time; what it does not know is left out and said. */
#include "lib/error.h"
#include "lib/log.h"
#include "run/section.h"
#include <errno.h>
#include <string.h>

static bool has_word(const char *words, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += size)
		if ((at == words || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
			return true;
	return false;
}

int suite_keep(struct suite *suite, const char *workloads)
{
	size_t kept = 0;

	for (size_t i = 0; i < suite->sections; i++) {
		struct suite_section *s = &suite->section[i];

		if (s->parts == 1 && has_word(workloads, s->workload->name)) {
			suite->section[kept++] = *s;
			continue;
		}
		log_warn("[run %s] is left out: %s", s->name,
			 s->parts > 1 ? "several workloads at a time are not modelled"
				      : "its workload is not modelled");
		section_free(s);
	}
	suite->sections = kept;
	return kept ? 0
		    : error_usage("%s: nothing of it is modelled (there is a model of %s)",
				  suite->path, workloads);
}
