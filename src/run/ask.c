/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer is collected in a memory file and not in a pipe: nobody has to read while the other
 * one writes, and a program that dies halfway leaves nothing half read.
 */
#include "run/ask.h"
#include "lib/error.h"
#include "run/interrupt.h"
#include "run/report.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_all(int fd, char **ret_text, size_t *ret_size)
{
	struct stat st;
	size_t size, done = 0;
	char *text;

	if (fstat(fd, &st))
		return error_set(-errno, "the analysis program's answer: %m");
	if (st.st_size > ASK_SIZE_MAX)
		return error_set(-EMSGSIZE, "the analysis program's answer has %lld bytes",
				 (long long)st.st_size);
	size = (size_t)st.st_size;
	text = malloc(size + 1);
	if (!text)
		return error_no_memory();
	while (done < size) {
		ssize_t n = pread(fd, text + done, size - done, (off_t)done);

		if (n <= 0) {
			free(text);
			return error_set(-EIO, "the analysis program's answer cannot be read");
		}
		done += (size_t)n;
	}
	text[size] = '\0';
	*ret_text = text;
	*ret_size = size;
	return 0;
}

int ask_analysis(char *const *arguments, char **ret_text, size_t *ret_size)
{
	int fd = memfd_create("answer", MFD_CLOEXEC), err, status;

	if (fd < 0)
		return error_set(-errno, "memfd_create: %m");
	status = report_program_to(arguments, fd);
	/* ^C goes to the whole foreground group: its death is then no fault of its own. */
	if (interrupt_pending())
		err = error_set(-EINTR, "interrupted");
	else if (status > 0)
		err = error_set(-EIO, "'analysis %s' ended with status %d", arguments[0], status);
	else
		err = status ? status : read_all(fd, ret_text, ret_size);
	close(fd);
	return err;
}
