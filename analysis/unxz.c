/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes in memory, the buffer doubled as needed; a truncated file is damage and not a short one.
 */
#include "analysis/unxz.h"
#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char magic[6] = { 0xfd, '7', 'z', 'X', 'Z', 0 };

/* Room for one byte more than @size is kept. */
static int grow(char **text, size_t *size)
{
	size_t larger = *size ? 2 * *size : 1u << 16;
	char *moved = larger > UNXZ_MAX ? NULL : realloc(*text, larger + 1);

	if (!moved)
		return larger > UNXZ_MAX ? -EFBIG : -ENOMEM;
	*text = moved;
	*size = larger;
	return 0;
}

static int decode(lzma_stream *stream, char **text, size_t *ret_size)
{
	size_t size = 0;
	int err;

	for (;;) {
		lzma_ret code;

		if (!stream->avail_out) {
			size_t used = size;

			err = grow(text, &size);
			if (err)
				return err;
			stream->next_out = (uint8_t *)*text + used;
			stream->avail_out = size - used;
		}
		code = lzma_code(stream, LZMA_FINISH);
		if (code == LZMA_STREAM_END)
			break;
		if (code != LZMA_OK)
			return code == LZMA_MEM_ERROR ? -ENOMEM : -EBADMSG;
	}
	*ret_size = (size_t)stream->total_out;
	(*text)[*ret_size] = '\0';
	return 0;
}

static int unpack(const char *packed, size_t packed_size, char **ret_text, size_t *ret_size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	char *text = NULL;
	int err = 0;

	if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
		return -ENOMEM;
	stream.next_in = (const uint8_t *)packed;
	stream.avail_in = packed_size;
	err = decode(&stream, &text, ret_size);
	lzma_end(&stream);
	if (err)
		free(text);
	else
		*ret_text = text;
	return err;
}

int unxz_read(const char *path, char **ret_text, size_t *ret_size)
{
	char *text, *packed;
	size_t size;
	int err = file_read(path, &packed, &size);

	if (err)
		return err;
	if (size < sizeof(magic) || memcmp(packed, magic, sizeof(magic))) {
		*ret_text = packed;
		*ret_size = size;
		return 0;
	}
	err = unpack(packed, size, &text, ret_size);
	free(packed);
	if (err == -EBADMSG)
		return error_set(err, "%s: damaged xz file", path);
	if (err)
		return error_set(err, "%s: %s", path, strerror(-err));
	*ret_text = text;
	return 0;
}
