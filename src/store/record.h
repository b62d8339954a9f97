/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "key = value" lines whose value may be any text: long values go on in key.2, key.3, ...; bytes
 * that INI would take for something else (control bytes, ';', '%', outer blanks) are written %XX.
 * Ordinary text stays readable.
 */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include "lib/ini.h"
#include <stdint.h>
#include <stdio.h>

#define RECORD_KEY_MAX 40 /* bytes: what remains of a line is for the value */

/* Writes the line or lines; a NULL @text writes nothing (not available). */
void record_put(FILE *out, const char *key, const char *text);
void record_put_u64(FILE *out, const char *key, uint64_t value);

/* The decoded value, malloc'ed; NULL when the key is absent (or memory is). */
char *record_get(const struct ini *ini, const char *section, const char *key);

/* 1 = read, 0 = absent, -EBADMSG = not a number of 0 to 2^64-1, with the file's name and the key.
 */
int record_get_u64(const struct ini *ini, const char *section, const char *key, uint64_t *ret);

#endif
