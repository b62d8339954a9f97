/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choosing the source and reading it. A zone is one kept descriptor: a pread() of a decimal number,
 * or of the 8 bytes of a perf counter. Where each source's zones come from is in energy_*.c.
 */
#include "hw/energy.h"

#include "hw/energy_math.h"
#include "hw/energy_private.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const energy_source_name[ENERGY_SOURCES] = {
	[ENERGY_AUTO] = "auto",	      [ENERGY_POWERCAP] = "powercap", [ENERGY_PERF] = "perf",
	[ENERGY_BATTERY] = "battery", [ENERGY_HWMON] = "hwmon",	      [ENERGY_NONE] = "none",
};

int energy_source_parse(const char *text, enum energy_source *ret)
{
	char quoted[ERROR_QUOTE_SIZE], hint[64];

	for (int i = 0; i < ENERGY_SOURCES; i++) {
		if (!strcmp(text, energy_source_name[i])) {
			*ret = (enum energy_source)i;
			return 0;
		}
	}
	return error_usage(
		"unknown power source '%s': auto, powercap, perf, battery, hwmon or none%s",
		error_quote(text, quoted),
		suggest_text(text, energy_source_name, ENERGY_SOURCES, hint, sizeof(hint)));
}

static void take_over(struct energy *energy, struct energy *from)
{
	while (energy->n)
		energy_drop(energy, energy->n - 1);
	free(energy->item);
	free(energy->reason);
	free(energy->note);
	*energy = *from;
}

/*
 * Powercap, unless no package can be read there: then perf if it has one. What neither has is told
 * with both reasons; zones other than packages are kept from the first that has any.
 */
static int find_best(struct energy *energy)
{
	struct energy perf = { .root = energy->root, .source = ENERGY_PERF };
	int r;

	energy->source = ENERGY_POWERCAP;
	r = energy_find_powercap(energy);
	if (r || energy_has_package(energy))
		return r;
	r = energy_find_perf(&perf);
	if (r) {
		take_over(energy, &perf);
		return r;
	}
	if (energy_has_package(&perf)) {
		r = energy_add_note(&perf, "powercap is not used: %s", energy->reason);
		take_over(energy, &perf);
		return r;
	}
	r = energy_set_reason(energy, "%s; %s", energy->reason, perf.reason);
	if (!r && !energy->n && perf.n) {
		r = energy_set_reason(&perf, "%s", energy->reason);
		take_over(energy, &perf);
		return r;
	}
	take_over(&perf, &(struct energy){ 0 });
	return r;
}

static int find(struct energy *energy)
{
	switch (energy->source) {
	case ENERGY_AUTO:
		return find_best(energy);
	case ENERGY_POWERCAP:
		return energy_find_powercap(energy);
	case ENERGY_PERF:
		return energy_find_perf(energy);
	case ENERGY_BATTERY:
		return energy_find_battery(energy);
	case ENERGY_HWMON:
		return energy_find_hwmon(energy);
	default:
		return energy_set_reason(energy, "power is not asked for");
	}
}

int energy_open(const struct root *root, enum energy_source source, struct energy **ret)
{
	struct energy *energy = calloc(1, sizeof(*energy));
	int r;

	if (!energy)
		return error_no_memory();
	energy->root = root;
	energy->source = source;
	r = find(energy);
	if (r) {
		energy_close(energy);
		return r;
	}
	if (!energy->n)
		energy->source = ENERGY_NONE;
	*ret = energy;
	return 0;
}

void energy_close(struct energy *energy)
{
	if (!energy)
		return;
	take_over(energy, &(struct energy){ 0 });
	free(energy);
}

enum energy_source energy_source(const struct energy *energy)
{
	return energy->source;
}

size_t energy_zones(const struct energy *energy)
{
	return energy->n;
}

const struct energy_zone *energy_zone(const struct energy *energy, size_t i)
{
	return &energy->item[i].zone;
}

const char *energy_reason(const struct energy *energy)
{
	return energy->reason;
}

const char *energy_note(const struct energy *energy)
{
	return energy->note ? energy->note : "";
}

char *energy_describe(const struct energy *energy)
{
	const char *source = energy_source_name[energy->source];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (!energy->n) {
		fprintf(out, "%s: %s", source, energy->reason);
	} else {
		for (size_t i = 0; i < energy->n; i++)
			fprintf(out, "%s%s (%s)", i ? ", " : "", energy->item[i].zone.label,
				energy->item[i].zone.place);
		fprintf(out, " by %s", source);
		if (energy->reason)
			fprintf(out, "; no package power: %s", energy->reason);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

int energy_cpus(const struct energy *energy, struct cpulist *ret)
{
	struct cpulist list = { 0 };

	for (size_t i = 0; i < energy->n; i++) {
		int cpu = energy->item[i].zone.cpu;

		if (cpu < 0 || cpulist_has(&list, cpu))
			continue;
		if (cpulist_add(&list, cpu)) {
			cpulist_free(&list);
			return error_no_memory();
		}
	}
	cpulist_sort(&list);
	*ret = list;
	return 0;
}

/* The number that @text of @length bytes begins with; -EINVAL when it is anything else. */
static int parse_u64(const char *text, ssize_t length, uint64_t *ret)
{
	uint64_t value = 0;
	ssize_t i;

	for (i = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (unsigned int)(text[i] - '0'), &value))
			return -EINVAL;
	if (!i || (i < length && text[i] != '\n'))
		return -EINVAL;
	*ret = value;
	return 0;
}

static int read_number(int fd, uint64_t *ret)
{
	char text[ENERGY_SYSFS_MAX];
	ssize_t length = pread(fd, text, sizeof(text), 0);

	return length < 0 ? -errno : parse_u64(text, length, ret);
}

static int read_counter(int fd, uint64_t *ret)
{
	uint64_t value;
	ssize_t length = read(fd, &value, sizeof(value));

	if (length < 0)
		return -errno;
	if (length != sizeof(value))
		return -EIO; /* 0 bytes: the event could not be scheduled (CPU gone) */
	*ret = value;
	return 0;
}

/* A battery counts what it gives only while it does. */
static int check_discharging(int fd)
{
	static const char word[] = "Discharging";
	char text[ENERGY_SYSFS_MAX];
	ssize_t length = pread(fd, text, sizeof(text), 0);

	if (length < 0)
		return -errno;
	if (length < (ssize_t)strlen(word) || memcmp(text, word, strlen(word)))
		return -ENODATA;
	return 0;
}

static int read_item(const struct energy_item *item, uint64_t *ret_uj)
{
	uint64_t value = 0;
	int r;

	if (item->fd < 0)
		return item->err;
	if (item->status_fd >= 0) {
		r = check_discharging(item->status_fd);
		if (r)
			return r;
	}
	r = item->binary ? read_counter(item->fd, &value) : read_number(item->fd, &value);
	if (r)
		return r;
	if (item->full) {
		if (value > item->full)
			return -ERANGE;
		value = item->full - value;
	}
	*ret_uj = (uint64_t)((long double)value * item->uj_per_unit);
	return 0;
}

void energy_read_zone(const struct energy *energy, size_t i, struct energy_reading *ret)
{
	struct energy_reading reading = { 0 };
	uint64_t before = clock_now_ns(), after;

	reading.err = read_item(&energy->item[i], &reading.uj);
	after = clock_now_ns();
	reading.known = !reading.err;
	reading.width_ns = after - before;
	reading.t_ns = before + reading.width_ns / 2;
	*ret = reading;
}

void energy_read(const struct energy *energy, struct energy_reading *ret)
{
	for (size_t i = 0; i < energy->n; i++)
		energy_read_zone(energy, i, &ret[i]);
}

static int disable(struct energy *energy, struct energy_item *item)
{
	int r = energy_add_note(energy, "%s", error_text());

	if (item->fd >= 0)
		close(item->fd);
	item->fd = -1;
	item->err = -ENODEV;
	if (!r && item->zone.in_package)
		r = energy_set_reason(energy, "%s", error_text());
	return r;
}

int energy_vet(struct energy *energy, const struct energy_reading *first,
	       const struct energy_reading *last)
{
	int out = 0, r;

	for (size_t i = 0; i < energy->n; i++) {
		r = energy_plausible(&energy->item[i].zone, &first[i], &last[i]);
		if (r == -EAGAIN)
			return r;
		if (r != -ENODEV || energy->item[i].fd < 0)
			continue;
		r = disable(energy, &energy->item[i]);
		if (r)
			return r;
		out++;
	}
	return out;
}
