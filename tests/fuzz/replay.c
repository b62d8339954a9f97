/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main() of a fuzz target without libFuzzer: runs it on every file of the named folders, in the
 * order of their names. TAP: one line a folder; an input that fails ends the program as a crash
 * does, and the comment before it names the file.
 */
#include "fuzz.h"
#include "lib/file.h"
#include <dirent.h>
#include <errno.h>

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay_file(const char *folder, const char *name)
{
	char path[4096], *text;
	uint8_t *data;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (file_read(path, &text, &size)) {
		printf("# %s\n", error_text());
		return -1;
	}
	/* Said before and not after: that is what is left of a crash. */
	printf("# %s\n", path);
	fflush(stdout);
	data = fuzz_need(malloc(size ? size : 1));
	memcpy(data, text, size);
	free(text);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

/* How many inputs went through; -1 when one could not be read, or there is none. */
static int replay_folder(const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, visible, alphasort), bad = 0;

	if (n < 0) {
		printf("# %s: %s\n", folder, strerror(errno));
		return -1;
	}
	for (int i = 0; i < n; i++) {
		bad |= replay_file(folder, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return bad || !n ? -1 : n;
}

int main(int argc, char **argv)
{
	int status = EXIT_SUCCESS;

	if (argc < 2) {
		fprintf(stderr, "usage: %s FOLDER...\n", argv[0]);
		return 2;
	}
	printf("1..%d\n", argc - 1);
	for (int i = 1; i < argc; i++) {
		int n = replay_folder(argv[i]);

		printf("%sok %d - %d inputs of %s\n", n < 0 ? "not " : "", i, n < 0 ? 0 : n,
		       argv[i]);
		if (n < 0)
			status = EXIT_FAILURE;
	}
	return status;
}
