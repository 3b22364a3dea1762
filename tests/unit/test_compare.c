// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/compare.c host/compare_exact.c host/compare_print.c host/compare_json.c host/contrast.c host/contrast_differ.c host/shift.c host/sides.c host/summary.c host/summary_pool.c host/summary_steps.c host/summary_why.c host/summary_kernel.c host/run_console.c host/follow.c host/metrics.c host/rundir.c host/rundir_repeat.c host/table.c host/series.c host/stats.c host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/die.c tests/unit/boots.c
/*
 * test_compare.c - what changed between two sides?
 */
#include "boots.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "compare.h"

#define BOOTS 4

/* BOOTS boots of a kernel, a's or b's, whose values are @factor x 1 to 4 us. */
static void make_side(char name, double factor, struct boot like)
{
	for (uint64_t seed = 1; seed <= BOOTS; seed++) {
		char *folder = xprintf("%c%d", name, (int)seed);

		like.name = folder;
		like.seed = seed;
		like.kernel = name == 'a' ? "aaaa" : "bbbb";
		for (size_t i = 0; i < BOOT_VALUES; i++)
			like.ready_ns[i] =
				(uint64_t)((double)boot_common.ready_ns[i] *
						   factor +
					   (double)(seed * 10 + i));
		boots_make(like);
		free(folder);
	}
}

static void make_sides(double factor)
{
	make_side('a', 1, boot_common);
	make_side('b', factor, boot_common);
}

/* kverdict compare WORDS, where @a1 is a run and "--" itself. */
static int compare(const char *words)
{
	char *copy = xprintf("compare %s", words), *rest = copy, *word;
	char *path = boots_path("shown"), *argv[32];
	int argc = 0, status, saved = dup(STDOUT_FILENO);
	FILE *file = fopen(path, "w+"), *out = boots_show();

	while ((word = strsep(&rest, " ")))
		argv[argc++] = word[0] == '@' ? boots_path(word + 1)
					      : xprintf("%s", word);
	assert_non_null(file);
	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	status = compare_main(argc, argv);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	rewind(file);
	for (int c = fgetc(file); c != EOF; c = fgetc(file))
		fputc(c, out);
	fclose(file);
	fclose(out);
	for (int i = 0; i < argc; i++)
		free(argv[i]);
	free(path);
	free(copy);
	return status;
}

#define ALL_A "@a1 @a2 @a3 @a4"
#define ALL_B "@b1 @b2 @b3 @b4"

/* Medians: 2,527.5 us on the average of A, and 30 times that. */
static void compare__marks_what_is_worse(void **state)
{
	(void)state;
	make_sides(30);
	assert_int_equal(compare(ALL_A " -- " ALL_B), STATUS_BAD);
	assert_shows("A          6.12.117 a1: 4 boots, seeds 1-4\n");
	assert_shows("differ     kernel's sha256: aaaa | bbbb\n");
	assert_shows("ready  ready_ns  lower   A      4  16  2.53 us");
	assert_shows("                         B      4  16  75.0 us");
	assert_shows("ready.ready_ns  p50  +72.5 us  +");
	assert_shows(" x 29.7 ");
	assert_shows("  worse\n");
	assert_shows("verdict    worse: 1 of 1 quantiles, 0 better\n");
}

static void compare__is_the_mirror_where_sides_are_swapped(void **state)
{
	(void)state;
	make_sides(30);
	assert_int_equal(compare(ALL_B " -- " ALL_A), STATUS_GOOD);
	assert_shows("  better\n");
	assert_shows("verdict    better: 1 of 1 quantiles, none worse\n");
}

static void compare__shows_nothing_within_noise(void **state)
{
	(void)state;
	make_sides(1.2);
	assert_int_equal(compare(ALL_A " -- " ALL_B), STATUS_GOOD);
	assert_shows("verdict    no difference shown in 1 quantiles\n");
}

static void compare__wants_three_boots_a_side(void **state)
{
	(void)state;
	make_sides(30);
	assert_int_equal(compare("@a1 @a2 -- " ALL_B), STATUS_CANNOT_TELL);
	assert_shows("too few boots\n");
	assert_shows("verdict    cannot tell: an interval needs 3 boots a "
		     "side");
	assert_null(strstr(boots_shown, " .. "));
	assert_shows("p50  +72.5 us ");
	assert_int_equal(compare("@a1 @b1"), STATUS_CANNOT_TELL);
	assert_int_equal(compare("@a1 @a2 @a3 -- @b1 @b2 @b3"), STATUS_BAD);
}

static void compare__takes_a_folder_of_seeds(void **state)
{
	static const char *const sides[] = { "a", "b" };

	(void)state;
	make_sides(30);
	for (size_t s = 0; s < 2; s++) {
		char *line = xprintf("cd %s && mkdir %s && for n in 1 2 3 4; "
				     "do mv %s$n %s/seed-$n; done",
				     boots_dir, sides[s], sides[s], sides[s]);

		assert_int_equal(system(line), 0);
		free(line);
	}
	assert_int_equal(compare("@a @b"), STATUS_BAD);
	assert_shows("A          6.12.117 a: 4 boots, seeds 1-4\n");
}

static void compare__takes_the_ends_of_a_bisect(void **state)
{
	FILE *file;
	char *line;

	(void)state;
	make_sides(30);
	line = xprintf("cd %s && mkdir aaaaaaaaaaaa bbbbbbbbbbbb && "
		       "for n in 1 2 3 4; do mv a$n aaaaaaaaaaaa/seed-$n; mv "
		       "b$n bbbbbbbbbbbb/seed-$n; done; mkdir "
		       "aaaaaaaaaaaa/batch",
		       boots_dir);
	assert_int_equal(system(line), 0);
	free(line);
	file = boots_open(".", "state.json");
	fputs("{\"old\": \"aaaaaaaaaaaaaaaa\", \"new\": \"bbbbbbbbbbbbbbbb\", "
	      "\"kernels\": {\"aaaaaaaaaaaaaaaa\": {\"role\": \"good "
	      "end\"}}}",
	      file);
	fclose(file);
	assert_int_equal(compare("@"), STATUS_BAD);
	assert_shows("A          good end aaaaaaaaaaaa: 4 boots, seeds 1-4\n");
	assert_shows("B          bbbbbbbbbbbb: 4 boots, seeds 1-4\n");
	file = boots_open(".", "state.json");
	fputs("{\"old\": \"../../../etc/passwd\", \"new\": 7}", file);
	fclose(file);
	assert_int_equal(compare("@"), STATUS_USAGE);
}

static void compare__refuses_other_conditions(void **state)
{
	struct boot b = boot_common;

	(void)state;
	make_side('a', 1, b);
	b.mem_mib = 2048;
	make_side('b', 30, b);
	assert_int_equal(compare(ALL_A " -- " ALL_B), STATUS_HOST);
	assert_int_equal(compare("--force " ALL_A " -- " ALL_B), STATUS_BAD);
	assert_shows("FORCED     the memory in MiB differs: 1024 in ");
	assert_shows("MiB of memory: 1024 | 2048\n");
}

static void compare__refuses_a_mixed_side_and_a_boot_twice(void **state)
{
	(void)state;
	make_sides(30);
	assert_int_equal(compare("@a1 @a2 @b3 -- " ALL_B), STATUS_HOST);
	assert_int_equal(compare("--force @a1 @a1 @a2 -- " ALL_B), STATUS_HOST);
	/* What cannot be forced is found behind what can. */
	assert_int_equal(compare("--force @a1 @b2 -- @b1 @b1"), STATUS_HOST);
}

static void compare__leaves_out_and_cannot_tell(void **state)
{
	struct boot b = boot_common;

	(void)state;
	make_sides(1);
	b.name = "b4";
	b.kernel = "bbbb";
	b.seed = BOOTS;
	b.torn = true;
	boots_make(b);
	assert_int_equal(compare(ALL_A " -- " ALL_B), STATUS_CANNOT_TELL);
	assert_shows("INCOMPLETE ");
	assert_shows("B          6.12.117 b1: 3 boots, seeds 1-3\n");
	b.torn = false;
	b.result = "timeout";
	boots_make(b);
	assert_int_equal(compare(ALL_A " -- " ALL_B), STATUS_CANNOT_TELL);
	assert_shows("left out   ready: 4 of 4 boots of A and 3 of 4 of B ");
}

static void compare__writes_json(void **state)
{
	const json_t *change;
	json_t *json;

	(void)state;
	make_sides(30);
	assert_int_equal(compare("--format json " ALL_A " -- " ALL_B),
			 STATUS_BAD);
	json = json_loads(boots_shown, 0, NULL);
	assert_non_null(json);
	assert_int_equal(json_integer_value(json_object_get(json, "status")),
			 1);
	change = json_array_get(
		json_object_get(
			json_array_get(json_object_get(json, "metrics"), 0),
			"changes"),
		0);
	assert_string_equal(json_string_value(json_object_get(change, "shown")),
			    "worse");
	/* The values of seed s: 1000 i + 10 s + i - 1; of B 30,000 i. */
	assert_float_equal(json_real_value(json_object_get(change, "change")),
			   72500, 1e-6);
	assert_true(json_real_value(json_object_get(change, "low")) < 72500);
	assert_true(json_real_value(json_object_get(change, "high")) > 72500);
	json_decref(json);
}

static void compare__knows_wrong_usage(void **state)
{
	static const char *const wrong[] = {
		"@a1 @a2 @b1",
		"-- @a1",
		"@a1 --",
		"@a1 @none",
		"@none",
		"--format xml @a1 @b1",
		"--unknown @a1 @b1",
		"--exact @a1",
		"--exact --format json @a1 @b1",
	};

	(void)state;
	make_sides(1);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (compare(wrong[i]) != STATUS_USAGE)
			fail_msg("taken: %s", wrong[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOOT_CASE(compare__marks_what_is_worse),
		BOOT_CASE(compare__is_the_mirror_where_sides_are_swapped),
		BOOT_CASE(compare__shows_nothing_within_noise),
		BOOT_CASE(compare__wants_three_boots_a_side),
		BOOT_CASE(compare__takes_a_folder_of_seeds),
		BOOT_CASE(compare__takes_the_ends_of_a_bisect),
		BOOT_CASE(compare__refuses_other_conditions),
		BOOT_CASE(compare__refuses_a_mixed_side_and_a_boot_twice),
		BOOT_CASE(compare__leaves_out_and_cannot_tell),
		BOOT_CASE(compare__writes_json),
		BOOT_CASE(compare__knows_wrong_usage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
