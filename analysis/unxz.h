/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file as it is, or what is in it when it is compressed by xz: told by its first bytes. */
#ifndef ANALYSIS_UNXZ_H
#define ANALYSIS_UNXZ_H

#include <stddef.h>

#define UNXZ_MAX (256u << 20) /* bytes; what would grow larger is refused with -EFBIG */

/* NUL-terminated behind *@ret_size bytes, malloc'ed. -EBADMSG for damage, each with the path. */
int unxz_read(const char *path, char **ret_text, size_t *ret_size);

#endif
