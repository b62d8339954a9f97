/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The RAPL PMU of perf ("power"): counts in 64 bits, in units of the event's .scale, one counter a
 * package. It is opened on the CPUs of its cpumask and on no other, or a sum would count a package
 * once for every CPU (P-09). AMD's power_core is left alone: each of its reads wakes a core.
 */
#include "hw/energy_private.h"

#include "lib/error.h"
#include "lib/units.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEVICES "sys/bus/event_source/devices"
#define PMU DEVICES "/power"
#define PARANOID "proc/sys/kernel/perf_event_paranoid"

/* The kernel's name of an event, the zone's, and libpfm4's. */
static const struct known {
	const char *event, *zone, *pfm;
} known[] = {
	{ "energy-pkg", "package", "RAPL_ENERGY_PKG" },
	{ "energy-ram", "dram", "RAPL_ENERGY_DRAM" },
	{ "energy-cores", "core", "RAPL_ENERGY_CORES" },
	{ "energy-gpu", "uncore", "RAPL_ENERGY_GPU" },
	{ "energy-psys", "psys", "RAPL_ENERGY_PSYS" },
};
#define KNOWN (sizeof(known) / sizeof(known[0]))

/* One CPU of the cpumask. */
struct place {
	int cpu, package, die; /* die -1: it stands for the whole package */
};

struct scan {
	struct energy *energy;
	struct energy_event *event; /* by zone */
	uint32_t type;
	struct place *place;
	size_t places;
};

static int event_error(const char *path, const char *text, const char *what)
{
	char quoted[ERROR_QUOTE_SIZE];

	return error_set(-EBADMSG, "%s: '%s' %s", path, error_quote(text, quoted), what);
}

/* "event=0x02" of format config:0-7. */
static int read_config(const struct root *root, const char *event, uint64_t *ret)
{
	char path[ENERGY_PATH_MAX], text[ENERGY_SYSFS_MAX], *end;
	int r;

	snprintf(path, sizeof(path), PMU "/events/%s", event);
	r = root_read(root, path, text, sizeof(text));
	if (r < 0)
		return r;
	if (strncmp(text, "event=", 6) ||
	    strspn(text + 6, "0123456789abcdefxABCDEF") != strlen(text + 6))
		return event_error(path, text, "is not an event of the RAPL PMU");
	errno = 0;
	*ret = strtoull(text + 6, &end, 0);
	if (errno || *end || end == text + 6 || *ret > 0xff)
		return event_error(path, text, "is not an event of the RAPL PMU");
	return 0;
}

/* uJ a count. */
static int read_scale(const struct root *root, const char *event, long double *ret)
{
	char path[ENERGY_PATH_MAX], text[ENERGY_SYSFS_MAX];
	double scale;
	int r;

	snprintf(path, sizeof(path), PMU "/events/%s.unit", event);
	r = root_read(root, path, text, sizeof(text));
	if (r < 0)
		return r;
	if (strcmp(text, "Joules"))
		return event_error(path, text, "is not Joules");
	snprintf(path, sizeof(path), PMU "/events/%s.scale", event);
	r = root_read(root, path, text, sizeof(text));
	if (r < 0)
		return r;
	if (units_parse_number(text, &scale) || !(scale > 0))
		return event_error(path, text, "is not a scale");
	*ret = (long double)scale * 1e6L;
	return 0;
}

/* Packages of the cpumask's CPUs; dies where one package has several of them. */
static int read_places(struct scan *s)
{
	const struct root *root = s->energy->root;
	struct cpulist mask;
	char text[4096];
	int r = root_read(root, PMU "/cpumask", text, sizeof(text));

	if (r < 0)
		return r;
	r = cpulist_parse(text, &mask);
	if (r)
		return error_prefix(-EBADMSG, "%s/" PMU "/cpumask", root->path);
	s->place = calloc(mask.n + 1, sizeof(*s->place));
	if (!s->place) {
		cpulist_free(&mask);
		return error_no_memory();
	}
	for (size_t i = 0; i < mask.n; i++) {
		struct place *p = &s->place[i];

		p->cpu = mask.cpu[i];
		energy_where(root, p->cpu, &p->package, &p->die);
		if (p->package < 0) /* without topology, the order is what there is */
			p->package = (int)i;
	}
	s->places = mask.n;
	cpulist_free(&mask);
	for (size_t i = 0; i < s->places; i++) {
		bool alone = true;

		for (size_t j = 0; j < s->places; j++)
			alone &= j == i || s->place[j].package != s->place[i].package;
		if (alone)
			s->place[i].die = -1;
		else if (s->place[i].die < 0)
			s->place[i].die = (int)i;
	}
	return 0;
}

static void write_label(const struct scan *s, const struct known *k, const struct place *p,
			char label[ENERGY_LABEL_MAX])
{
	char package[ENERGY_LABEL_MAX / 2];

	if (p->die < 0)
		snprintf(package, sizeof(package), "package-%d", p->package);
	else
		snprintf(package, sizeof(package), "package-%d-die-%d", p->package, p->die);
	if (!strcmp(k->zone, "package"))
		snprintf(label, ENERGY_LABEL_MAX, "%s", package);
	else if (s->places == 1 || !strcmp(k->zone, "psys"))
		snprintf(label, ENERGY_LABEL_MAX, "%s", k->zone);
	else
		snprintf(label, ENERGY_LABEL_MAX, "%s/%s", package, k->zone);
}

static int add_event(struct scan *s, const struct known *k)
{
	/* There is one platform, whichever CPU is asked. */
	size_t places = !strcmp(k->zone, "psys") && s->places ? 1 : s->places;
	long double uj_per_unit = 0;
	uint64_t config = 0;
	int r = read_config(s->energy->root, k->event, &config);

	if (!r)
		r = read_scale(s->energy->root, k->event, &uj_per_unit);
	if (r == -ENOMEM)
		return r;
	if (r)
		return energy_add_note(s->energy, "power/%s is not read: %s", k->event,
				       error_text());
	for (size_t i = 0; i < places; i++) {
		struct energy_event *event =
			reallocarray(s->event, s->energy->n + 1, sizeof(*event));
		struct energy_item *item = event ? energy_add(s->energy) : NULL;

		if (event)
			s->event = event;
		if (!item)
			return error_no_memory();
		event[s->energy->n - 1] = (struct energy_event){ s->type, config };
		item->binary = true;
		item->uj_per_unit = uj_per_unit;
		item->zone.endless = true;
		item->zone.cpu = s->place[i].cpu;
		snprintf(item->zone.place, ENERGY_PLACE_MAX, "power/%s@cpu%d", k->event,
			 s->place[i].cpu);
		write_label(s, k, &s->place[i], item->zone.label);
		if (asprintf(&item->zone.path, PMU "/events/%s", k->event) < 0) {
			item->zone.path = NULL;
			return error_no_memory();
		}
	}
	return 0;
}

static int scan_events(struct scan *s)
{
	char path[ENERGY_PATH_MAX];
	int r = 0;

	for (size_t i = 0; i < KNOWN && !r; i++) {
		snprintf(path, sizeof(path), PMU "/events/%s", known[i].event);
		if (root_exists(s->energy->root, path))
			r = add_event(s, &known[i]);
	}
	if (!r && root_exists(s->energy->root, DEVICES "/power_core"))
		r = energy_add_note(s->energy, "power_core is not read: that would wake each core");
	return r ? r : energy_classify(s->energy);
}

int energy_perf_discover(struct energy *energy, struct energy_event **ret_event)
{
	struct scan s = { .energy = energy };
	uint64_t type;
	int r;

	*ret_event = NULL;
	if (!root_exists(energy->root, PMU "/type"))
		return energy_set_reason(energy, "no RAPL PMU on this machine");
	r = root_read_u64(energy->root, PMU "/type", &type);
	if (!r)
		r = read_places(&s);
	if (r == -ENOMEM)
		return r;
	if (r)
		return energy_set_reason(energy, "the RAPL PMU cannot be used: %s", error_text());
	s.type = (uint32_t)type;
	r = scan_events(&s);
	free(s.place);
	if (r) {
		free(s.event);
		return r;
	}
	*ret_event = s.event;
	return 0;
}

/* Asks libpfm4, where it knows this CPU: should it mean another event, the kernel counts. */
static int encode(struct energy *energy, size_t i, struct energy_event *event)
{
	static const char *const pmu[] = { "rapl", "amd64_rapl" };
	const char *path = energy->item[i].zone.path, *name = strrchr(path, '/') + 1;

	if (pfm_initialize() != PFM_SUCCESS)
		return 0;
	for (size_t k = 0; k < KNOWN * 2; k++) {
		struct perf_event_attr attr = { 0 };
		pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
		char text[64];

		if (strcmp(known[k / 2].event, name))
			continue;
		snprintf(text, sizeof(text), "%s::%s", pmu[k % 2], known[k / 2].pfm);
		if (pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT,
					      &arg) != PFM_SUCCESS ||
		    attr.type != event->type)
			continue;
		if (attr.config == event->config)
			return 0;
		return energy_add_note(energy,
				       "libpfm4 encodes %s as %#llx, this kernel as %#llx: the "
				       "kernel's is used",
				       text, (unsigned long long)attr.config,
				       (unsigned long long)event->config);
	}
	return 0;
}

static int open_event(const struct energy_event *event, int cpu)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->config,
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* Opens all that was found; *@ret_err is the first refusal. */
static int open_all(struct energy *energy, struct energy_event *event, int *ret_err)
{
	int r;

	*ret_err = 0;
	for (size_t i = 0; i < energy->n; i++) {
		struct energy_item *item = &energy->item[i];

		if (!energy->root->live) { /* a dump's PMU is not this machine's */
			item->err = -ENODEV;
			*ret_err = -ENODEV;
			continue;
		}
		r = encode(energy, i, &event[i]);
		if (r)
			return r;
		item->fd = open_event(&event[i], item->zone.cpu);
		if (item->fd < 0) {
			item->err = item->fd;
			item->fd = -1;
			*ret_err = *ret_err ? *ret_err : item->err;
		}
	}
	return 0;
}

int energy_perf_explain(struct energy *energy, bool package, int err)
{
	char paranoid[ENERGY_SYSFS_MAX];

	if (!energy->root->live && package)
		return energy_set_reason(energy, "a dumped machine's RAPL PMU cannot be read");
	if (!package)
		return energy_set_reason(energy, "the RAPL PMU has no package event (energy-pkg)");
	if (err != -EACCES && err != -EPERM)
		return energy_set_reason(energy, "the RAPL PMU: %s", strerror(-err));
	if (root_read(energy->root, PARANOID, paranoid, sizeof(paranoid)) <= 0)
		snprintf(paranoid, sizeof(paranoid), "unknown");
	return energy_set_reason(energy,
				 "the RAPL PMU: %s: run as root, or set "
				 "kernel.perf_event_paranoid (now %s) to 0 or less, or have "
				 "CAP_PERFMON",
				 strerror(-err), paranoid);
}

int energy_find_perf(struct energy *energy)
{
	bool package = false, lacking = false, readable = false;
	struct energy_event *event;
	int err = 0, r = energy_perf_discover(energy, &event);

	if (r || energy->reason)
		return r;
	r = open_all(energy, event, &err);
	free(event);
	if (r)
		return r;
	for (size_t i = 0; i < energy->n; i++) {
		const struct energy_item *item = &energy->item[i];

		package |= item->zone.in_package;
		lacking |= item->zone.in_package && item->fd < 0;
		readable |= item->fd >= 0;
	}
	if (!package || lacking)
		r = energy_perf_explain(energy, package, err);
	while (!readable && energy->n)
		energy_drop(energy, energy->n - 1);
	return r;
}
