/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints' numbers and the places of their fields, from tracefs. Nothing is switched on there:
 * the events themselves come through perf (hw/ring.h), which leaves a user's own tracing alone.
 *
 * Where no tracefs is mounted on the live machine, one that is attached nowhere is opened, and the
 * machine stays as it was. Needs root (the folder is mode 0700).
 */
#ifndef HW_TRACEFS_H
#define HW_TRACEFS_H

#include "lib/root.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tracefs;

/* A field of an event's raw record. */
struct tracefs_field {
	const char *name;
	uint16_t offset, size; /* bytes */
};

/*
 * @formats: NULL, or a folder with copies of tracefs' "events" and of /proc/version, since a locked
 * kernel shows none. -ENODEV with the way out when there is no tracefs, -EACCES when this user may
 * not read it or the kernel is locked, -EINVAL for copies of another kernel.
 */
int tracefs_open(const struct root *root, const char *formats, struct tracefs **ret);

/*
 * *@ret_id of the event, for perf_event_attr.config, and the places of the @n fields, by name.
 * -ENOENT when this kernel has no such event or field, -EBADMSG for a format that cannot be read,
 * each with a text.
 */
int tracefs_event(struct tracefs *tracefs, const char *system, const char *name, uint64_t *ret_id,
		  struct tracefs_field *field, size_t n);

/* lockdown=confidentiality takes every file out of tracefs; perf's rings still work. */
bool tracefs_is_locked(const struct root *root);

void tracefs_close(struct tracefs *tracefs); /* NULL is fine */

/* An integer field of a raw record of @size bytes, not sign extended; 0 when it lies outside. */
uint64_t tracefs_value(const struct tracefs_field *field, const uint8_t *raw, size_t size);

#endif
