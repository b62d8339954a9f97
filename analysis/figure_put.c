/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How texts, lists and numbers are written for gnuplot, and which colour a governor has. */
#include "analysis/figure_put.h"
#include "analysis/robust.h"
#include <ctype.h>
#include <math.h>

/* Okabe and Ito's colours, told apart by the colour blind too, without the yellow that white paper
 * swallows. */
static const char *const palette[] = { "#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7",
				       "#E69F00", "#56B4E9", "#7F7F7F", "#8C510A", "#5E3C99" };

const char *figure_colour(size_t colour)
{
	return palette[colour % (sizeof(palette) / sizeof(*palette))];
}

static void put_string(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
	}
	fputc('\'', out);
}

void figure_put_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, "%s = ", name);
	put_string(out, text);
	fputc('\n', out);
}

void figure_put_list(FILE *out, const char *name, const char *const *text, size_t n)
{
	size_t i;

	fprintf(out, "array %s[%zu] = [", name, n);
	for (i = 0; i < n; i++) {
		fputs(i ? ", " : "", out);
		put_string(out, text[i]);
	}
	fputs("]\n", out);
}

void figure_put_numbers(FILE *out, const char *name, const double *value, size_t n)
{
	size_t i;

	fprintf(out, "array %s[%zu] = [", name, n);
	for (i = 0; i < n; i++)
		fprintf(out, "%s%.10g", i ? ", " : "", value[i]);
	fputs("]\n", out);
}

bool figure_put_cell(FILE *out, double value)
{
	fputc('\t', out);
	if (isfinite(value))
		fprintf(out, "%.10g", value);
	return isfinite(value);
}

void figure_put_median(FILE *out, double *value, size_t n)
{
	size_t i, known = 0;
	double lo = INFINITY, hi = -INFINITY;

	for (i = 0; i < n; i++) {
		if (isnan(value[i]))
			continue;
		lo = fmin(lo, value[i]);
		hi = fmax(hi, value[i]);
		value[known++] = value[i];
	}
	figure_put_cell(out, known ? robust_median(value, known) : NAN);
	figure_put_cell(out, known ? lo : NAN);
	figure_put_cell(out, known ? hi : NAN);
}
