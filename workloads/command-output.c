/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of a command in a fixed room: its beginning and its end, however much it prints. The
 * middle is counted and dropped.
 */
#include "workloads/command-output.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_to_line(struct command_line *line, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n' || text[i] == '\r') {
			line->ended = true;
			continue;
		}
		if (line->ended) {
			line->ended = false;
			line->n = 0;
		}
		if (line->n + 1 < sizeof(line->text))
			line->text[line->n++] = text[i];
		line->text[line->n] = '\0';
	}
}

void command_output_add(struct command_output *output, int stream, const char *text, size_t n)
{
	add_to_line(&output->last[stream], text, n);
	while (n) {
		uint64_t at = output->total;
		size_t room;

		if (at >= 2 * COMMAND_KEPT)
			at = COMMAND_KEPT + (at - COMMAND_KEPT) % COMMAND_KEPT;
		room = 2 * COMMAND_KEPT - at < n ? 2 * COMMAND_KEPT - at : n;
		memcpy(output->kept + at, text, room);
		output->total += room;
		text += room;
		n -= room;
	}
}

const char *command_output_last(const struct command_output *output)
{
	return output->last[*output->last[1].text ? 1 : 0].text;
}

static bool was_cut(const struct command_output *output)
{
	return output->total > 2 * COMMAND_KEPT;
}

int command_output_tail(const struct command_output *output, char **ret, size_t *ret_size)
{
	bool cut = was_cut(output);
	size_t size = cut ? COMMAND_KEPT : output->total, seam;
	char *text = malloc(size + 1);

	if (!text)
		return error_no_memory();
	if (cut) {
		seam = (output->total - COMMAND_KEPT) % COMMAND_KEPT;
		memcpy(text, output->kept + COMMAND_KEPT + seam, COMMAND_KEPT - seam);
		memcpy(text + COMMAND_KEPT - seam, output->kept + COMMAND_KEPT, seam);
	} else {
		memcpy(text, output->kept, size);
	}
	text[size] = '\0';
	*ret = text;
	*ret_size = size;
	return 0;
}

static int write_parts(const struct command_output *output, int fd, const char *tail, size_t size)
{
	char mark[96];
	int rc = 0;

	if (was_cut(output)) {
		snprintf(mark, sizeof(mark), "\n[... %" PRIu64 " bytes are not kept ...]\n",
			 output->total - 2 * COMMAND_KEPT);
		rc = file_write_all(fd, output->kept, COMMAND_KEPT);
		if (!rc)
			rc = file_write_all(fd, mark, strlen(mark));
	}
	return rc ? rc : file_write_all(fd, tail, size);
}

int command_output_write(const struct command_output *output, const char *folder)
{
	char *path = NULL, *tail;
	int fd = STDERR_FILENO, rc;
	size_t size;

	if (folder) {
		if (asprintf(&path, "%s/output.txt", folder) < 0)
			return error_no_memory();
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0)
			rc = error_set(-errno, "%s: %s", path, strerror(errno));
	}
	rc = fd < 0 ? -EIO : command_output_tail(output, &tail, &size);
	if (!rc) {
		rc = write_parts(output, fd, tail, size);
		if (rc)
			error_set(rc, "%s: %s", folder ? path : "stderr", strerror(-rc));
		free(tail);
	}
	if (folder && fd >= 0 && close(fd) && !rc)
		rc = error_set(-errno, "%s: %s", path, strerror(errno));
	free(path);
	return rc;
}

/* What matched in the beginning need not be the last match when the middle is gone. */
static int find_uncertain(const struct command_output *output, struct command_picks *picks,
			  bool uncertain[COMMAND_PICKS_MAX])
{
	char *head = malloc(COMMAND_KEPT + 1);

	if (!head)
		return error_no_memory();
	memcpy(head, output->kept, COMMAND_KEPT);
	command_picks_scan(picks, head, COMMAND_KEPT);
	for (size_t i = 0; i < picks->n; i++)
		uncertain[i] = picks->pick[i].found;
	command_picks_reset(picks);
	free(head);
	return 0;
}

static void complain(const struct command_pick *pick, bool uncertain)
{
	if (pick->found && isnan(pick->value))
		log_warn("metric %s: '%s' is not a number", pick->name, pick->text);
	else if (!pick->found && uncertain)
		log_warn("metric %s: it was printed, but not in the last %u KiB, and what came "
			 "before those was not kept",
			 pick->name, COMMAND_KEPT >> 10);
	else if (!pick->found)
		log_warn("metric %s: nothing in the output matches", pick->name);
}

int command_output_pick(const struct command_output *output, struct command_picks *picks)
{
	bool uncertain[COMMAND_PICKS_MAX] = { false };
	char *text, *start;
	size_t size;
	int rc = was_cut(output) ? find_uncertain(output, picks, uncertain) : 0;

	if (!rc)
		rc = command_output_tail(output, &text, &size);
	if (rc)
		return rc;
	start = was_cut(output) ? memchr(text, '\n', size) : text; /* half a line is none */
	if (start)
		command_picks_scan(picks, start, size - (size_t)(start - text));
	free(text);
	for (size_t i = 0; i < picks->n; i++)
		complain(&picks->pick[i], uncertain[i]);
	return 0;
}
