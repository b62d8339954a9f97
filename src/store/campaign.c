/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * campaign.ini: the [campaign] section is made of the table below; the suite's own text follows a
 * marker line.
 */
#include "store/campaign.h"
#include "lib/error.h"
#include "lib/file.h"
#include "store/format.h"
#include "store/looks.h"
#include "store/record.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKER "\n# The suite file, verbatim:\n"

enum kind { TEXT, INTEGER, U64, REAL };

struct field {
	const char *key;
	enum kind kind;
	size_t offset;
	bool identity; /* differs = another campaign */
	const char *option; /* what the user would change */
	bool optional; /* 0 where the file does not have it */
};

#define FIELD(name, kind, identity, option)                                                        \
	{                                                                                          \
#name, kind, offsetof(struct store_campaign, name), identity, option, false        \
	}
#define OPTIONAL(name, kind)                                                                       \
	{                                                                                          \
#name, kind, offsetof(struct store_campaign, name), false, NULL, true              \
	}
static const struct field fields[] = {
	FIELD(suite, TEXT, true, "--suite"),
	FIELD(governors_asked, TEXT, true, "--governors"),
	FIELD(governors, TEXT, false, NULL),
	FIELD(reference, TEXT, false, "--reference"),
	FIELD(cpus, TEXT, true, "--cpus"),
	FIELD(set, TEXT, true, "--set"),
	FIELD(cpufreq_governors, TEXT, true, "--cpufreq-governors"),
	FIELD(events, TEXT, true, "--event"),
	FIELD(order, TEXT, true, "--order"),
	FIELD(seed, U64, true, "--seed"),
	FIELD(repeat, INTEGER, true, "--repeat"),
	FIELD(rehearsal, INTEGER, true, "--root"),
	FIELD(warmup_ns, REAL, true, "--warmup"),
	FIELD(window_ns, REAL, true, "--window"),
	FIELD(interval_ns, REAL, true, "--interval"),
	FIELD(ns_per_unit, REAL, false, NULL),
	FIELD(cells, INTEGER, false, NULL),
	OPTIONAL(disable_each, INTEGER),
	{ "repeat_min", INTEGER, offsetof(struct store_campaign, repeat_min), true,
	  "--repeat and --until-decided", true },
	{ "modelled", TEXT, offsetof(struct store_campaign, modelled), true, "--machine and --set",
	  true },
	FIELD(version, TEXT, false, NULL),
	FIELD(created, TEXT, false, NULL),
};
#undef FIELD
#undef OPTIONAL
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static void *at(const struct store_campaign *c, const struct field *f)
{
	return (char *)c + f->offset;
}

/* The value as text; doubles with all their digits, so that reading gives the same number back.
 * malloc'ed. */
static char *field_text(const struct store_campaign *c, const struct field *f)
{
	const char *text;
	char *out = NULL;
	int n = 0;

	switch (f->kind) {
	case TEXT:
		text = *(char **)at(c, f);
		return strdup(text ? text : "");
	case INTEGER:
		n = asprintf(&out, "%d", *(int *)at(c, f));
		break;
	case U64:
		n = asprintf(&out, "%llu", (unsigned long long)*(uint64_t *)at(c, f));
		break;
	case REAL:
		n = asprintf(&out, "%.17g", *(double *)at(c, f));
		break;
	}
	return n < 0 ? NULL : out;
}

static int write_text(const struct store_campaign *c, FILE *out)
{
	fprintf(out, "[campaign]\nformat = %d\n", STORE_FORMAT);
	for (size_t i = 0; i < FIELDS; i++) {
		char *text = field_text(c, &fields[i]);

		if (!text)
			return -ENOMEM;
		record_put(out, fields[i].key, text);
		free(text);
	}
	record_put_u64(out, "suite_bytes", strlen(c->suite_text));
	fprintf(out, "%s%s", MARKER, c->suite_text);
	return 0;
}

int store_campaign_create(const char *dir, const struct store_campaign *campaign)
{
	char path[PATH_MAX], *text = NULL;
	size_t size = 0;
	FILE *out;
	int err = file_make_dirs(dir);

	if (err)
		return err;
	snprintf(path, sizeof(path), "%s/" STORE_CAMPAIGN, dir);
	if (!access(path, F_OK))
		return error_set(-EEXIST, "%s is there already", path);
	out = open_memstream(&text, &size);
	if (!out)
		return error_set(-ENOMEM, "%s: %m", path);
	err = write_text(campaign, out);
	if (fclose(out) && !err)
		err = -ENOMEM;
	if (!err)
		err = file_write_atomic(path, text, size);
	free(text);
	return err;
}

/* suite_bytes is how a file that was cut is told; one made by hand may do without. */
static int check_suite_text(const struct ini *ini, const struct store_campaign *c)
{
	uint64_t size;
	int got = record_get_u64(ini, "campaign", "suite_bytes", &size);

	if (got <= 0 || size == strlen(c->suite_text))
		return got < 0 ? got : 0;
	return error_set(-EBADMSG, "%s: the suite's text was cut or changed: %zu bytes, not %llu",
			 ini->path, strlen(c->suite_text), (unsigned long long)size);
}

static int read_integer(const char *text, char **end)
{
	long value = strtol(text, end, 10);

	if (value < INT_MIN || value > INT_MAX)
		errno = ERANGE;
	return (int)value;
}

static int read_field(const struct ini *ini, const struct field *f, struct store_campaign *c)
{
	char *text = record_get(ini, "campaign", f->key), *end;
	int err = 0;

	if (!text && f->optional)
		return 0;
	if (!text)
		return error_set(-EBADMSG, "%s: no '%s' in [campaign]", ini->path, f->key);
	errno = 0;
	end = text;
	switch (f->kind) {
	case TEXT:
		*(char **)at(c, f) = text;
		return 0;
	case INTEGER:
		*(int *)at(c, f) = read_integer(text, &end);
		break;
	case U64:
		*(uint64_t *)at(c, f) = strtoull(text, &end, 10);
		break;
	case REAL:
		*(double *)at(c, f) = strtod(text, &end);
		break;
	}
	if (errno || end == text || *end)
		err = error_set(-EBADMSG, "%s: '%s' in [campaign] is not a number: '%s'", ini->path,
				f->key, text);
	free(text);
	return err;
}

static int read_ini(const struct ini *ini, struct store_campaign *c)
{
	uint64_t format;
	int err = record_get_u64(ini, "campaign", "format", &format);

	if (err <= 0)
		return err ? err : error_set(-EBADMSG, "%s: no 'format' in [campaign]", ini->path);
	if (format > STORE_FORMAT) {
		error_usage("%s: format %llu is newer than this program reads (%d)", ini->path,
			    (unsigned long long)format, STORE_FORMAT);
		return -EPROTO;
	}
	for (size_t i = 0; i < FIELDS; i++) {
		err = read_field(ini, &fields[i], c);
		if (err)
			return err;
	}
	if (c->repeat_min &&
	    (c->repeat_min < 1 || c->repeat_min >= c->repeat || c->repeat > STORE_LOOKS_MAX))
		return error_set(-EBADMSG,
				 "%s: no campaign has repeats from repeat_min = %d to repeat = %d",
				 ini->path, c->repeat_min, c->repeat);
	return check_suite_text(ini, c);
}

int store_campaign_read(const char *dir, struct store_campaign *ret)
{
	struct store_campaign c = { 0 };
	char path[PATH_MAX], *text, *marker;
	struct ini ini;
	size_t size;
	int err;

	snprintf(path, sizeof(path), "%s/" STORE_CAMPAIGN, dir);
	err = file_read(path, &text, &size);
	if (err)
		return err;
	marker = memmem(text, size, MARKER, strlen(MARKER));
	if (!marker) {
		free(text);
		return error_set(-EBADMSG, "%s: not a campaign (no suite text in it)", path);
	}
	c.suite_text = strdup(marker + strlen(MARKER));
	err = ini_load_text(path, text, (size_t)(marker - text) + 1, &ini);
	free(text);
	if (!err) {
		err = c.suite_text ? read_ini(&ini, &c) : -ENOMEM;
		ini_free(&ini);
	} else if (err == -EINVAL) {
		err = -EBADMSG;
	}
	if (err)
		store_campaign_free(&c);
	else
		*ret = c;
	return err;
}

static int compare_field(const char *dir, const struct field *f, const char *have,
			 const char *asked)
{
	if (!strcmp(have, asked))
		return 0;
	return error_usage(
		"%s is another campaign: it has %s = %s, this command asks for %s (see %s; or give a new "
		"--results folder)",
		dir, f->key, *have ? have : "nothing", *asked ? asked : "nothing", f->option);
}

int store_campaign_compare(const char *dir, const struct store_campaign *have,
			   const struct store_campaign *asked)
{
	for (size_t i = 0; i < FIELDS; i++) {
		char *a, *b;
		int err;

		if (!fields[i].identity)
			continue;
		a = field_text(have, &fields[i]);
		b = field_text(asked, &fields[i]);
		err = a && b ? compare_field(dir, &fields[i], a, b) : -ENOMEM;
		free(a);
		free(b);
		if (err)
			return err;
	}
	if (strcmp(have->suite_text, asked->suite_text))
		return error_usage("%s is another campaign: its suite file %s has another text now",
				   dir, have->suite);
	return 0;
}

void store_campaign_free(struct store_campaign *campaign)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (fields[i].kind == TEXT)
			free(*(char **)at(campaign, &fields[i]));
	free(campaign->suite_text);
	memset(campaign, 0, sizeof(*campaign));
}
