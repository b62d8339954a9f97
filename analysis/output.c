/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No fsync: a report is derived, and made again when a power cut takes it.
 */
#include "analysis/output.h"
#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void output_open(struct output *ret)
{
	*ret = (struct output){ 0 };
	ret->stream = open_memstream(&ret->text, &ret->size);
	if (!ret->stream)
		abort();
}

void output_end(struct output *output)
{
	/* The only thing that goes wrong in memory is that there is no more of it. */
	if (ferror(output->stream) | fclose(output->stream))
		abort();
	output->stream = NULL;
}

void output_drop(struct output *output)
{
	output_end(output);
	free(output->text);
}

int output_write_table(struct output *output, const char *mark, const char *path)
{
	struct output marked;
	const char *at, *end, *last = "mark";

	if (!*mark)
		return output_write(output, path);
	output_end(output);
	output_open(&marked);
	for (at = output->text; *at; at = end + (*end == '\n')) {
		end = strchrnul(at, '\n');
		fprintf(marked.stream, "%.*s\t%s\n", (int)(end - at), at, last);
		last = mark;
	}
	free(output->text);
	return output_write(&marked, path);
}

int output_write(struct output *output, const char *path)
{
	int fd, err;

	output_end(output);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	err = fd < 0 ? -errno : file_write_all(fd, output->text, output->size);
	/* Network file systems report a full disk here. */
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	free(output->text);
	return err ? error_set(err, "%s: %s", path, strerror(-err)) : 0;
}
