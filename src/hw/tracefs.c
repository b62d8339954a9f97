/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats are parsed by libtraceevent, since offsets and sizes differ between kernels and word
 * sizes. A file system that is attached nowhere is made with fsopen() and fsmount() (Linux 5.2).
 */
#include "hw/tracefs.h"
#include "lib/error.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <traceevent/event-parse.h>
#include <unistd.h>

#define FORMAT_MAX 16384 /* bytes of a format file; the longest of Linux 6.18 has 4 KiB */

struct tracefs {
	struct root root; /* its path is for messages */
	struct tep_handle *tep;
};

static int mount_detached(void)
{
	int fs = fsopen("tracefs", FSOPEN_CLOEXEC), fd = -1;

	if (fs < 0)
		return -errno;
	if (!fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		fd = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	if (fd < 0)
		fd = -errno;
	close(fs);
	return fd;
}

/* The folder that has "events", as an O_PATH descriptor. */
static int find(const struct root *root, const char **ret_path)
{
	static const char *const known[] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };
	int err = -ENOENT;
	char events[64];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		int fd;

		snprintf(events, sizeof(events), "%s/events", known[i]);
		*ret_path = known[i];
		fd = root_open_file(root, events, O_PATH | O_DIRECTORY);
		if (fd >= 0) {
			close(fd);
			return root_open_file(root, known[i], O_PATH | O_DIRECTORY);
		}
		err = fd == -EACCES ? fd : err;
	}
	*ret_path = "tracefs";
	return root->live && err != -EACCES ? mount_detached() : err;
}

bool tracefs_is_locked(const struct root *root)
{
	char text[128];

	return root_read(root, "sys/kernel/security/lockdown", text, sizeof(text)) > 0 &&
	       strstr(text, "[confidentiality]");
}

/* Why there is nothing to be read, and the way out. */
static int refuse(const struct root *root, int err)
{
	if (tracefs_is_locked(root))
		return error_set(
			-EACCES,
			"the kernel is locked down (confidentiality) and shows no tracepoint; where "
			"the same kernel is not: cp -r /sys/kernel/tracing/events /proc/version DIR; "
			"here then: --formats DIR");
	if (err == -EACCES || err == -EPERM)
		return error_set(-EACCES,
				 "the tracepoints' numbers are in tracefs, which only root "
				 "may read: run as root (sudo)");
	if (err == -ENODEV)
		return error_set(err, "this kernel has no tracepoints: it was built without "
				      "CONFIG_TRACING");
	return error_set(-ENODEV,
			 "no tracepoints: tracefs is not mounted below %s/sys/kernel, or has no "
			 "events (%s); as root: mount -t tracefs none /sys/kernel/tracing",
			 root->path, strerror(-err));
}

/* A copy of tracefs' events: numbers are the same at each boot of one kernel, and only there. */
static int open_copy(const struct root *root, const char *dir)
{
	char here[512], there[512];
	struct root copy;
	int fd, err = root_open(dir, &copy);

	if (err)
		return err;
	err = root_read(&copy, "version", there, sizeof(there));
	if (err >= 0)
		err = root_read(root, "proc/version", here, sizeof(here));
	if (err >= 0 && strcmp(here, there))
		err = error_set(-EINVAL, "%s: of another kernel: %.80s", dir, there);
	fd = err < 0 ? err : root_open_file(&copy, ".", O_PATH | O_DIRECTORY);
	if (err >= 0 && fd < 0)
		error_set(fd, "%s: %s", dir, strerror(-fd));
	root_close(&copy);
	return fd;
}

int tracefs_open(const struct root *root, const char *formats, struct tracefs **ret)
{
	struct tracefs *t = calloc(1, sizeof(*t));
	const char *path = formats, *of = formats ? "" : root->path;
	int fd;

	if (!t)
		return error_no_memory();
	fd = formats ? open_copy(root, formats) : find(root, &path);
	if (fd < 0) {
		free(t);
		return formats ? fd : refuse(root, fd);
	}
	t->root = (struct root){ .fd = fd, .path = NULL };
	t->tep = tep_alloc();
	if (!t->tep || asprintf(&t->root.path, formats ? "%s%s" : "%s/%s", of, path) < 0) {
		tracefs_close(t);
		return error_no_memory();
	}
	if (!formats && !root_exists(&t->root, "events")) {
		tracefs_close(t);
		return refuse(root, -ENOENT);
	}
	tep_set_loglevel(TEP_LOG_NONE);
	*ret = t;
	return 0;
}

static int place(struct tep_event *event, const char *path, struct tracefs_field *field)
{
	struct tep_format_field *f = tep_find_any_field(event, field->name);

	if (!f)
		return error_set(-ENOENT, "%s: no field '%s'", path, field->name);
	if (f->offset < 0 || f->size < 0 || f->offset > UINT16_MAX || f->size > UINT16_MAX)
		return error_set(-EBADMSG, "%s: field '%s' has no place", path, field->name);
	field->offset = (uint16_t)f->offset;
	field->size = (uint16_t)f->size;
	return 0;
}

int tracefs_event(struct tracefs *t, const char *system, const char *name, uint64_t *ret_id,
		  struct tracefs_field *field, size_t n)
{
	char path[160], *text = malloc(FORMAT_MAX);
	struct tep_event *event = NULL;
	int length, err = 0;

	if (!text)
		return error_no_memory();
	snprintf(path, sizeof(path), "events/%s/%s/format", system, name);
	length = root_read(&t->root, path, text, FORMAT_MAX);
	/* libtraceevent keeps the event in its handle; a print format it cannot read does not
	 * matter. */
	if (length >= 0)
		tep_parse_format(t->tep, &event, text, (unsigned long)length, system);
	free(text);
	if (length < 0)
		return length;
	if (!event || event->id <= 0)
		return error_set(-EBADMSG, "%s/%s: not an event's format", t->root.path, path);
	for (size_t i = 0; i < n && !err; i++)
		err = place(event, path, &field[i]);
	if (!err)
		*ret_id = (uint64_t)event->id;
	return err;
}

void tracefs_close(struct tracefs *t)
{
	if (!t)
		return;
	if (t->tep)
		tep_free(t->tep);
	close(t->root.fd);
	free(t->root.path);
	free(t);
}

uint64_t tracefs_value(const struct tracefs_field *field, const uint8_t *raw, size_t size)
{
	uint64_t value64;
	uint32_t value32;
	uint16_t value16;

	if ((size_t)field->offset + field->size > size)
		return 0;
	raw += field->offset;
	switch (field->size) {
	case 8:
		memcpy(&value64, raw, sizeof(value64));
		return value64;
	case 4:
		memcpy(&value32, raw, sizeof(value32));
		return value32;
	case 2:
		memcpy(&value16, raw, sizeof(value16));
		return value16;
	case 1:
		return *raw;
	}
	return 0;
}
