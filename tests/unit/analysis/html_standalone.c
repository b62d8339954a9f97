/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of links and images when the page is made a single file, and the escaping of texts.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "analysis/html.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/html-standalone-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[64];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static int setup(void **state)
{
	char path[64];

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/plots", folder);
	return mkdir(path, 0700);
}

static int teardown(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	return system(command);
}

/* The result of html_standalone(); *ret_err its status. */
static char *standalone(const char *page, int *ret_err)
{
	struct pool pool = { 0 };
	const struct table table = { .pool = &pool };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	*ret_err = html_standalone(&table, folder, page, out);
	fclose(out);
	pool_free(&pool);
	return text;
}

static void becomes(const char *page, const char *want)
{
	int err;
	char *text = standalone(page, &err);

	assert_int_equal(err, 0);
	assert_string_equal(text, want);
	free(text);
}

static void links(void **state)
{
	(void)state;
	put("a.tsv", "x");
	put("b.json", "{}");
	put("c.txt", "abc");
	put("d.gp", "plot x");
	becomes("<a href=\"#here\">a</a>", "<a href=\"#here\">a</a>");
	becomes("<a href=\"a.tsv\">a</a>",
		"<a download=\"a.tsv\" href=\"data:text/tab-separated-values;charset=utf-8;base64,"
		"eA==\">a</a>");
	becomes("<a href=\"b.json\">b</a>",
		"<a download=\"b.json\" href=\"data:application/json;charset=utf-8;base64,e30=\">b"
		"</a>");
	becomes("<a href=\"c.txt\">c</a>",
		"<a download=\"c.txt\" href=\"data:text/plain;charset=utf-8;base64,YWJj\">c</a>");
	/* A script needs the common ones beside it; what is not there has no link either. */
	becomes("<a href=\"d.gp\">d</a>", "<a>d</a>");
	becomes("<a href=\"none.tsv\">n</a>", "<a>n</a>");
}

static void images(void **state)
{
	(void)state;
	put("plots/f.svg",
	    "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 1 1\" xmlns=\"http://www.w3.org/2000/svg\"\n"
	    " xmlns:xlink=\"http://www.w3.org/1999/xlink\">"
	    "<title>Gnuplot</title>\n<desc>Produced by GNUPLOT</desc>"
	    "<defs><path id='p'/></defs><g id=\"g\"><title>menu</title><use xlink:href='#p'/></g>"
	    "</svg>\n");
	becomes("<figure><img loading=lazy src=\"plots/f.svg\" width=1 height=1 alt=\"a &lt; b\">"
		"</figure>",
		"<figure><svg role=img aria-label=\"a &lt; b\" viewBox=\"0 0 1 1\"\n>"
		"<defs><path id='f-p'/></defs><g id=\"f-g\"><title>menu</title>"
		"<use xlink:href='#f-p'/></g></svg>\n</figure>");
}

static void missing_drawing_is_an_error(void **state)
{
	int err;
	char *text = standalone(
		"<img loading=lazy src=\"plots/no.svg\" width=1 height=1 alt=\"a\">", &err);

	(void)state;
	assert_int_equal(err, -ENOENT);
	free(text);
}

static void escaping(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	html_put(out, "<a href=\"x\">'&'</a>");
	fclose(out);
	assert_string_equal(text, "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links),
		cmocka_unit_test(images),
		cmocka_unit_test(missing_drawing_is_an_error),
		cmocka_unit_test(escaping),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
