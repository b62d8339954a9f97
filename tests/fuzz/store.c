/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Readers of campaign.ini and run.ini. The input is both files; what is read and written again is
 * read as the same.
 */
#include "fuzz.h"
#include "store/campaign.h"
#include "store/format.h"
#include "store/run.h"
#include "tree.h"

static void put_file(const char *name, const uint8_t *data, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", tree_place(), name);
	file = fuzz_need(fopen(path, "we"));
	fwrite(data, 1, size, file);
	fclose(file);
}

static void remove_file(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", tree_place(), name);
	unlink(path);
}

static void check_run(const char *dir)
{
	struct store_run run, again;
	int err = store_run_read(dir, &run);

	if (err) {
		fuzz_check_error(err);
		FUZZ_CHECK(err == -EBADMSG || err == -EPROTO);
		return;
	}
	FUZZ_CHECK(run.section && run.point && run.governor && run.label && run.workload);
	FUZZ_CHECK(run.state <= STORE_VOID && run.number >= 0 && run.repeat >= 0);
	FUZZ_CHECK(!store_run_write(dir, &run));
	FUZZ_CHECK(!store_run_read(dir, &again));
	FUZZ_CHECK(!strcmp(run.section, again.section) && !strcmp(run.point, again.point) &&
		   !strcmp(run.label, again.label) && run.number == again.number &&
		   run.state == again.state && run.t1_ns == again.t1_ns);
	FUZZ_CHECK(run.axes == again.axes && run.params == again.params &&
		   run.doubts == again.doubts && run.cpus.n == again.cpus.n);
	for (size_t i = 0; i < run.doubts; i++)
		FUZZ_CHECK(!strcmp(run.doubt[i], again.doubt[i]));
	for (size_t i = 0; i < run.axes; i++)
		FUZZ_CHECK(!strcmp(run.axis[i].key, again.axis[i].key) &&
			   !strcmp(run.axis[i].value, again.axis[i].value));
	store_run_free(&run);
	store_run_free(&again);
}

static void check_campaign(const char *dir)
{
	struct store_campaign campaign, again;
	int err = store_campaign_read(dir, &campaign);

	if (err) {
		fuzz_check_error(err);
		FUZZ_CHECK(err == -EBADMSG || err == -EPROTO);
		return;
	}
	remove_file(STORE_CAMPAIGN);
	FUZZ_CHECK(!store_campaign_create(dir, &campaign));
	FUZZ_CHECK(!store_campaign_read(dir, &again));
	FUZZ_CHECK(!store_campaign_compare(dir, &campaign, &again));
	store_campaign_free(&campaign);
	store_campaign_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	put_file(STORE_RUN, data, size);
	put_file(STORE_CAMPAIGN, data, size);
	check_run(tree_place());
	check_campaign(tree_place());
	return 0;
}
