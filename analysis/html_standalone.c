/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page as a single file. It is made from the finished page, whoever wrote its parts: drawings
 * become inline SVG (their ids get the figure's name in front, because all figures of gnuplot have
 * the same ones), tables become data: addresses, and what cannot be inside loses its link.
 */
#include "analysis/html.h"
#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define IMAGE "<img loading=lazy src=\"plots/"
#define LINK "<a href=\""
#define GENERATOR "<title>Gnuplot</title>" /* says nothing, and would be a tool tip */

static void put_base64(FILE *out, const char *text, size_t size)
{
	static const char digit[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *at = (const unsigned char *)text;
	size_t i;

	for (i = 0; i < size; i += 3) {
		size_t left = size - i;
		uint32_t bits = (uint32_t)at[i] << 16 | (left > 1 ? (uint32_t)at[i + 1] << 8 : 0) |
				(left > 2 ? at[i + 2] : 0);

		fputc(digit[bits >> 18], out);
		fputc(digit[bits >> 12 & 63], out);
		fputc(left > 1 ? digit[bits >> 6 & 63] : '=', out);
		fputc(left > 2 ? digit[bits & 63] : '=', out);
	}
}

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Copies an SVG's text from its <svg on; names of name spaces mean nothing inside of HTML. */
static void put_svg(FILE *out, const char *svg, const char *name, const char *title)
{
	static const char *const id[] = { " id='", " id=\"", "href='#", "href=\"#", "url(#" };
	size_t i;

	svg = strstr(svg, "<svg");
	if (!svg)
		return;
	fputs("<svg role=img aria-label=\"", out);
	fputs(title, out); /* escaped already */
	fputc('"', out);
	for (svg += strlen("<svg"); *svg; svg++) {
		if (starts(svg, " xmlns")) {
			svg = strchr(svg, '"');
			svg = svg ? strchr(svg + 1, '"') : NULL;
			if (!svg)
				return;
			continue;
		}
		if (starts(svg, GENERATOR) && strstr(svg, "</desc>")) {
			svg = strstr(svg, "</desc>") + strlen("</desc>") - 1;
			continue;
		}
		for (i = 0; i < sizeof(id) / sizeof(*id) && !starts(svg, id[i]); i++)
			;
		if (i == sizeof(id) / sizeof(*id)) {
			fputc(*svg, out);
			continue;
		}
		fprintf(out, "%s%s-", id[i], name);
		svg += strlen(id[i]) - 1;
	}
}

/* The text up to @end; NULL when there is none. Moves *at behind the end. */
static const char *part(struct pool *pool, const char **at, const char *end)
{
	const char *to = strstr(*at, end);
	const char *text = to ? pool_text(pool, "%.*s", (int)(to - *at), *at) : NULL;

	if (to)
		*at = to + strlen(end);
	return text;
}

/* @at is behind IMAGE: NAME.svg" width=W height=H alt="TITLE">. */
static int put_image(const struct table *t, const char *folder, const char **at, FILE *out)
{
	const char *name = part(t->pool, at, ".svg\""), *title;
	char *svg;
	size_t size;
	int err;

	if (!name || !part(t->pool, at, "alt=\"") || !(title = part(t->pool, at, "\">")))
		return error_set(-EBADMSG, "index.html: an image that is cut");
	err = file_read(pool_text(t->pool, "%s/plots/%s.svg", folder, name), &svg, &size);
	if (err)
		return err;
	put_svg(out, svg, name, title);
	free(svg);
	return 0;
}

static const char *type_of(const char *file)
{
	const char *dot = strrchr(file, '.');

	if (dot && !strcmp(dot, ".tsv"))
		return "text/tab-separated-values";
	if (dot && !strcmp(dot, ".json"))
		return "application/json";
	return dot && !strcmp(dot, ".txt") ? "text/plain" : NULL;
}

/* @at is behind LINK. */
static void put_link(const struct table *t, const char *folder, const char **at, FILE *out)
{
	const char *file = part(t->pool, at, "\""), *type;
	char *text;
	size_t size;

	if (file && *file == '#') {
		fprintf(out, LINK "%s\"", file);
		return;
	}
	type = file ? type_of(file) : NULL;
	if (type && !file_read(pool_text(t->pool, "%s/%s", folder, file), &text, &size)) {
		if (size <= HTML_INLINE_MAX) {
			fprintf(out, "<a download=\"%s\" href=\"data:%s;charset=utf-8;base64,",
				strrchr(file, '/') ? strrchr(file, '/') + 1 : file, type);
			put_base64(out, text, size);
			fputc('"', out);
			type = NULL;
			file = NULL;
		}
		free(text);
		if (!file)
			return;
	}
	error_clear();
	fputs("<a", out);
}

int html_standalone(const struct table *table, const char *folder, const char *page, FILE *out)
{
	int err = 0;

	while (*page && !err) {
		if (starts(page, IMAGE)) {
			page += strlen(IMAGE);
			err = put_image(table, folder, &page, out);
		} else if (starts(page, LINK)) {
			page += strlen(LINK);
			put_link(table, folder, &page, out);
		} else {
			fputc(*page++, out);
		}
	}
	return err;
}
