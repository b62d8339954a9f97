/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of perf events, through libpfm4: its tables know each processor's events, and those that
 * the kernel counts by itself. Its names are in capitals and are compared without case.
 */
#include "hw/events.h"

#include "lib/error.h"
#include "lib/suggest.h"
#include <ctype.h>
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAREST_MAX 3

static int start_library(void)
{
	pfm_err_t r = pfm_initialize(); /* again and again is allowed */

	if (r == PFM_SUCCESS)
		return 0;
	return error_set(-ENOSYS, "libpfm4 does not work here: %s", pfm_strerror(r));
}

static void lower_case(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; from[i] && i < size - 1; i++)
		to[i] = (char)tolower((unsigned char)from[i]);
	to[i] = '\0';
}

/* The nearest names so far, nearest first. */
struct nearest {
	char word[EVENT_NAME_MAX];
	char name[NEAREST_MAX][EVENT_NAME_MAX];
	size_t distance[NEAREST_MAX];
	int n;
};

/* Those that have the word in them come behind those that a typo away. */
static size_t distance_of(const char *word, const char *name)
{
	size_t length = strlen(word), distance = suggest_distance(word, name);

	if (distance <= 2 && 2 * distance < length)
		return distance;
	return length >= 3 && strstr(name, word) ? 3 + strlen(name) - length : SIZE_MAX;
}

static int weigh(const struct event_info *info, void *data)
{
	struct nearest *nearest = data;
	char name[EVENT_NAME_MAX];
	size_t distance;
	int at;

	lower_case(name, sizeof(name), info->name);
	distance = distance_of(nearest->word, name);
	for (at = 0; at < nearest->n; at++)
		if (!strcmp(nearest->name[at], name))
			return 0;
	for (at = nearest->n; at > 0 && distance < nearest->distance[at - 1]; at--)
		;
	if (distance == SIZE_MAX || at == NEAREST_MAX)
		return 0;
	if (nearest->n < NEAREST_MAX)
		nearest->n++;
	for (int i = nearest->n - 1; i > at; i--) {
		nearest->distance[i] = nearest->distance[i - 1];
		memcpy(nearest->name[i], nearest->name[i - 1], EVENT_NAME_MAX);
	}
	nearest->distance[at] = distance;
	memcpy(nearest->name[at], name, EVENT_NAME_MAX);
	return 0;
}

static int unknown_event(const char *name)
{
	char text[NEAREST_MAX * (EVENT_NAME_MAX + 8) + 32] = "", quoted[ERROR_QUOTE_SIZE];
	struct nearest nearest = { .n = 0 };
	const char *plain = strstr(name, "::");
	size_t used = 0;

	lower_case(nearest.word, sizeof(nearest.word), plain ? plain + 2 : name);
	nearest.word[strcspn(nearest.word, ":")] = '\0'; /* modifiers */
	events_list(weigh, &nearest);
	for (int i = 0; i < nearest.n; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s'%s'",
					 i ? " or " : " (did you mean ", nearest.name[i]);
	return error_usage("unknown event '%s'%s%s: see list events", error_quote(name, quoted),
			   text, nearest.n ? "?)" : "");
}

int events_resolve(const char *name, struct event_code *ret)
{
	struct event_code code = { .attr = { .size = sizeof(code.attr) } };
	pfm_perf_encode_arg_t arg = { .attr = &code.attr, .size = sizeof(arg) };
	char quoted[ERROR_QUOTE_SIZE];
	pfm_err_t r;
	int err;

	if (strlen(name) >= sizeof(code.name))
		return error_usage("event '%s' is longer than %d bytes", error_quote(name, quoted),
				   EVENT_NAME_MAX - 1);
	for (const char *c = name; *c; c++)
		if (!isgraph((unsigned char)*c) || *c == ',')
			return error_usage("'%s' is not the name of one event",
					   error_quote(name, quoted));
	err = start_library();
	if (err)
		return err;
	r = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (r == PFM_ERR_NOTFOUND)
		return unknown_event(name);
	if (r != PFM_SUCCESS)
		return error_usage("event '%s': %s", error_quote(name, quoted), pfm_strerror(r));
	snprintf(code.name, sizeof(code.name), "%s", name);
	code.attr.size = sizeof(code.attr);
	*ret = code;
	return 0;
}

static bool is_software(const pfm_event_info_t *event)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	char name[EVENT_NAME_MAX + 8];

	if (event->pmu != PFM_PMU_PERF_EVENT)
		return false;
	snprintf(name, sizeof(name), "perf::%s", event->name);
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg) ==
		       PFM_SUCCESS &&
	       (attr.type == PERF_TYPE_SOFTWARE || attr.type == PERF_TYPE_TRACEPOINT);
}

static int list_pmu(const pfm_pmu_info_t *pmu,
		    int (*each)(const struct event_info *info, void *data), void *data)
{
	int r = 0;

	for (int i = pmu->first_event; i >= 0 && !r; i = pfm_get_event_next(i)) {
		pfm_event_info_t event = { .size = sizeof(event) };
		struct event_info info;

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &event) != PFM_SUCCESS)
			continue;
		info = (struct event_info){
			.pmu = pmu->name,
			.name = event.name,
			.same_as = event.equiv,
			.about = event.desc ? event.desc : "",
			.software = is_software(&event),
		};
		r = each(&info, data);
	}
	return r;
}

int events_list(int (*each)(const struct event_info *info, void *data), void *data)
{
	int r = start_library(), i;

	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (r)
			break;
		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) == PFM_SUCCESS && pmu.is_present &&
		    pmu.type != PFM_PMU_TYPE_UNKNOWN)
			r = list_pmu(&pmu, each, data);
	}
	return r;
}
