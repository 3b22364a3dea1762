// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/summary.c host/summary_pool.c host/summary_steps.c host/summary_why.c host/summary_kernel.c host/run_console.c host/follow.c host/metrics.c host/rundir.c host/rundir_repeat.c host/table.c host/series.c host/stats.c host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/die.c tests/unit/boots.c tests/unit/summarize.c
/*
 * test_rundir.c - which runs belong together, and which are no evidence
 */
#include "boots.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "rundir.h"
#include "summarize.h"

static char *difference(enum runs_use use)
{
	char *a = boots_path("a"), *b = boots_path("b"), *text;
	const char *const dirs[] = { a, b };
	struct runs runs;

	assert_int_equal(runs_open(&runs, dirs, 2), STATUS_GOOD);
	text = runs_difference(&runs, use);
	runs_free(&runs);
	free(a);
	free(b);
	return text;
}

static void assert_differs(enum runs_use use, const char *part)
{
	char *text = difference(use);

	if (!text || !strstr(text, part))
		fail_msg("\"%s\" instead of \"%s\"", text ? text : "none",
			 part);
	free(text);
}

static void write_index(const char *text)
{
	FILE *file = boots_open(".", "index.json");

	fputs(text, file);
	fclose(file);
}

static void summary_write__refuses_another_condition(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	b.mem_mib = 2048;
	boots_make(b);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
	assert_int_equal(summarize("a", "b", true), STATUS_GOOD);
	assert_shows("FORCED     the memory in MiB differs: 1024 in ");
}

static void summary_write__refuses_another_kernel(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	b.kernel = "fedcba";
	boots_make(b);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
}

static void summary_write__refuses_what_has_no_run_json(void **state)
{
	char *path = boots_path("b/run.json");

	(void)state;
	boots_make(boots_make_a());
	unlink(path);
	free(path);
	assert_int_equal(summarize("b", NULL, false), STATUS_GOOD);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
}

static void summary_write__refuses_a_boot_that_is_none(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	b.seed = 1; /* other records, but the same kernel and seed */
	boots_make(b);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
	assert_int_equal(summarize("a", "b", true), STATUS_HOST);
	assert_int_equal(summarize("a", "a", false), STATUS_HOST);
}

/* In real time a seed decides little, but a copy is still a copy. */
static void summary_write__takes_a_seed_twice_in_real_time(void **state)
{
	struct boot b = boot_common;

	(void)state;
	b.mode = "realtime";
	b.name = "a";
	boots_make(b);
	b.name = "b";
	boots_make(b);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
	b.ready_ns[0]++;
	boots_make(b);
	assert_int_equal(summarize("a", "b", false), STATUS_GOOD);
}

static void runs_difference__compares_two_kernels(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	b.kernel = "fedcba";
	boots_make(b);
	assert_null(difference(RUNS_COMPARE));
	assert_differs(RUNS_POOL, "the kernel differs");
	b.image = "4321";
	boots_make(b);
	assert_differs(RUNS_COMPARE, "the image differs");
}

/* Each has its own modules in its image; the probes must be the same. */
static void runs_difference__compares_kernels_with_modules(void **state)
{
	struct boot a = boots_make_a(), b = a;

	(void)state;
	a.name = "a";
	a.modules = "/lib/modules/a";
	boots_make(a);
	b.modules = "/lib/modules/b";
	b.image = "4321";
	boots_make(b);
	assert_differs(RUNS_COMPARE, "the image differs");
	b.kernel = "fedcba";
	boots_make(b);
	assert_null(difference(RUNS_COMPARE));
	b.commit = "fccedd2";
	boots_make(b);
	assert_differs(RUNS_COMPARE, "the commit that made the image differs");
}

static void summary_write__reads_an_ensemble(void **state)
{
	(void)state;
	boots_make(boots_make_a());
	write_index("{\"runs\": [{\"dir\": \"b\"}, {\"dir\": \"a\"}]}");
	assert_int_equal(summarize(".", NULL, false), STATUS_GOOD);
	assert_shows("boots      2 pooled, seeds 1-2; 0 left out\n");
}

static void summary_write__refuses_a_bad_index(void **state)
{
	static const char *const bad[] = {
		"",
		"[]",
		"{}",
		"{\"runs\": []}",
		"{\"runs\": [1]}",
		"{\"runs\": [{\"dir\": \"a\"}, {\"dir\": \"gone\"}]}",
		"{\"runs\": [{\"dir\": \"../a\"}]}",
		"{\"runs\": [{\"dir\": \"/etc\"}]}",
		"{\"runs\": [{\"dir\": \"\"}]}",
		"{\"runs\": [{\"dir\": \".\"}]}",
		"{\"index_version\": 99, \"runs\": [{\"dir\": \"a\"}]}",
		"{\"runs\": [{\"dir\": \"a\", \"repeats\": \"a\"}]}",
	};

	(void)state;
	boots_make(boots_make_a());
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_index(bad[i]);
		if (summarize(".", NULL, false) != STATUS_USAGE)
			fail_msg("taken: %s", bad[i]);
	}
}

static void write_info_text(const char *text)
{
	FILE *file = boots_open("b", "run.json");

	fputs(text, file);
	fclose(file);
}

static void summary_write__refuses_a_bad_run_json(void **state)
{
	static const char *const bad[] = {
		"",
		"{\"seed\": 1",
		"[]",
		"{\"run_version\": 99}",
		"{\"run_version\": -1}",
	};

	(void)state;
	boots_make(boots_make_a());
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_info_text(bad[i]);
		if (summarize("b", NULL, false) != STATUS_USAGE)
			fail_msg("taken: %s", bad[i]);
	}
	write_info_text("{\"run_version\": 1}");
	assert_int_equal(summarize("b", NULL, false), STATUS_GOOD);
}

/* The folder of --verify: twice the same boot, which counts once. */
static void summary_write__leaves_out_what_repeats(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	b.seed = 1;
	boots_make(b);
	write_index("{\"index_version\": 1, \"runs\": [{\"dir\": \"a\"}, "
		    "{\"dir\": \"b\", \"repeats\": \"a\"}]}");
	assert_int_equal(summarize(".", NULL, false), STATUS_GOOD);
	assert_shows("seed       1\n");
}

static void runs_repetition__names_the_first_two(void **state)
{
	static const char *const names[] = { "c", "a", "b" };
	struct boot b = boots_make_a();
	const char *dirs[3];
	struct runs runs;
	char *text;

	(void)state;
	boots_make(b);
	b.name = "c";
	b.seed = 7;
	boots_make(b);
	for (size_t i = 0; i < 3; i++)
		dirs[i] = boots_path(names[i]);
	assert_int_equal(runs_open(&runs, dirs, 3), STATUS_GOOD);
	assert_null(runs_repetition(&runs));
	runs_free(&runs);

	b.seed = 2;
	b.ready_ns[0]++;
	boots_make(b);
	assert_int_equal(runs_open(&runs, dirs, 3), STATUS_GOOD);
	text = runs_repetition(&runs);
	if (!text || !strstr(text, "/c and ") || !strstr(text, "/b are the"))
		fail_msg("\"%s\"", text ? text : "none");
	free(text);
	runs_free(&runs);
	for (size_t i = 0; i < 3; i++)
		free((char *)(uintptr_t)dirs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOOT_CASE(summary_write__refuses_another_condition),
		BOOT_CASE(summary_write__refuses_another_kernel),
		BOOT_CASE(summary_write__refuses_what_has_no_run_json),
		BOOT_CASE(summary_write__refuses_a_boot_that_is_none),
		BOOT_CASE(summary_write__takes_a_seed_twice_in_real_time),
		BOOT_CASE(runs_difference__compares_two_kernels),
		BOOT_CASE(runs_difference__compares_kernels_with_modules),
		BOOT_CASE(summary_write__reads_an_ensemble),
		BOOT_CASE(summary_write__refuses_a_bad_index),
		BOOT_CASE(summary_write__refuses_a_bad_run_json),
		BOOT_CASE(summary_write__leaves_out_what_repeats),
		BOOT_CASE(runs_repetition__names_the_first_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
