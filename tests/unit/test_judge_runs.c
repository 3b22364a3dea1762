// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/judge*.c host/evidence*.c host/simulate.c host/simulate_family.c host/rundir.c host/rundir_repeat.c host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/series.c host/stats.c host/die.c tests/unit/boots.c
/*
 * test_judge_runs.c - `kverdict judge` on run directories, as a script sees it
 *
 * Each case writes run directories, runs the command in a child, and looks at
 * the exit status, at the first line and at verdict.json.
 */
#include "boots.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "die.h"

#define VALUES	  (BOOT_VALUES_MAX - 1) /* besides the warm-up */
#define WORDS_MAX 64

/* What one run directory holds. */
struct made {
	const char *kernel, *qemu;
	int seed;
	int slow;   /* of its VALUES values, 175 ms; the others 0.2 ms */
	int capped; /* of its VALUES values, with a time of 1 ms */
	const char *result; /* of the step */
	bool realtime, cut_off;
};

static int made_count;

/* The warm-up is slow: whoever judges it is wrong about every boot. */
static void set_values(struct boot *boot, const struct made *made)
{
	for (int i = 0; i <= VALUES; i++) {
		boot->ready_ns[i] =
			200000 + 100 * (uint64_t)((i * 7 + made->seed) % 11);
		if (i == 0 || i > VALUES - made->slow)
			boot->ready_ns[i] = 175000000 + (uint64_t)i;
		boot->capped[i] = i > 0 && i <= made->capped;
		if (boot->capped[i])
			boot->ready_ns[i] = 1000000;
	}
	boot->values = VALUES + 1;
	boot->warmups = 1;
}

/* Return: the path of a new run directory; the caller frees it. */
static char *make_run(const struct made *made)
{
	char *name = xprintf("run-%d", made_count++), *path = boots_path(name);
	struct boot boot = boot_common;

	boot.name = name;
	boot.seed = (uint64_t)made->seed;
	boot.kernel = made->kernel;
	if (made->qemu)
		boot.qemu = made->qemu;
	if (made->result)
		boot.result = made->result;
	if (made->realtime)
		boot.mode = "realtime";
	boot.torn = made->cut_off;
	set_values(&boot, made);
	boots_make(boot);
	free(name);
	return path;
}

/* A command line under construction. */
struct words {
	char *word[WORDS_MAX];
	int count;
};

static void add_word(struct words *words, char *word)
{
	assert_true(words->count < WORDS_MAX - 1);
	words->word[words->count++] = word;
	words->word[words->count] = NULL;
}

static void add_copy(struct words *words, const char *word)
{
	add_word(words, xprintf("%s", word));
}

/* @boots runs of one kernel, seeds 1 and up, after @option or bare. */
static void add_runs(struct words *words, const char *option, int boots,
		     struct made made)
{
	int slow = made.slow;

	for (int i = 0; i < boots; i++) {
		if (option)
			add_copy(words, option);
		if (!made.seed || i)
			made.seed++;
		made.slow = slow + (slow > 1 && i % 2);
		add_word(words, make_run(&made));
	}
}

static void add_references(struct words *words, int boots)
{
	add_copy(words, "judge");
	add_runs(words, "--good", boots, (struct made){ .kernel = "g" });
	add_runs(words, "--bad", boots,
		 (struct made){ .kernel = "b", .slow = 7 });
}

/* Run the command; its first line goes to @first.  Frees the words. */
static int judge(struct words *words, char first[64])
{
	char *out = boots_path("stdout"), *err = boots_path("stderr");
	int status;
	FILE *file;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (!freopen(out, "w", stdout) || !freopen(err, "w", stderr))
			_exit(99);
		status = judge_main(words->count, words->word);
		fflush(NULL);
		_exit(status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	for (int i = 0; i < words->count; i++)
		free(words->word[i]);
	file = fopen(out, "r");
	assert_non_null(file);
	if (!fgets(first, 64, file))
		first[0] = '\0';
	first[strcspn(first, "\n")] = '\0';
	fclose(file);
	free(out);
	free(err);
	return WEXITSTATUS(status);
}

static void judge__tells_a_good_and_a_bad_kernel(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_runs(&words, NULL, 6, (struct made){ .kernel = "c", .slow = 7 });
	assert_int_equal(judge(&words, first), STATUS_BAD);
	assert_string_equal(first, "bad");

	words = (struct words){ .count = 0 };
	add_references(&words, 8);
	add_runs(&words, NULL, 6, (struct made){ .kernel = "c" });
	assert_int_equal(judge(&words, first), STATUS_GOOD);
	assert_string_equal(first, "good");
}

static void judge__writes_the_verdict_beside_the_last_run(void **state)
{
	struct words words = { .count = 0 };
	char first[64], *path;
	json_t *verdict;

	(void)state;
	add_references(&words, 8);
	add_runs(&words, NULL, 6, (struct made){ .kernel = "c", .slow = 7 });
	path = xprintf("%s/verdict.json", words.word[words.count - 1]);
	judge(&words, first);
	verdict = json_load_file(path, 0, NULL);
	assert_non_null(verdict);
	assert_string_equal(
		json_string_value(json_object_get(verdict, "verdict")), "bad");
	assert_int_equal(
		json_integer_value(json_object_get(verdict, "exit_status")), 1);
	assert_string_equal(
		json_string_value(json_object_get(verdict, "metric")),
		"ready.ready_ns");
	json_decref(verdict);
	free(path);
}

static void judge__looks_twice_at_first_in_virtual_time(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_copy(&words, "--sequential");
	add_runs(&words, NULL, 1, (struct made){ .kernel = "c", .slow = 7 });
	assert_int_equal(judge(&words, first), STATUS_CANNOT_TELL);
	assert_string_equal(first, "more 1");
}

static void judge__asks_for_three_boots_in_real_time(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_copy(&words, "judge");
	add_runs(&words, "--good", 8,
		 (struct made){ .kernel = "g", .realtime = true });
	add_runs(&words, "--bad", 8,
		 (struct made){ .kernel = "b", .slow = 7, .realtime = true });
	add_copy(&words, "--sequential");
	add_runs(&words, NULL, 1,
		 (struct made){ .kernel = "c", .realtime = true, .seed = 3 });
	assert_int_equal(judge(&words, first), STATUS_CANNOT_TELL);
	assert_string_equal(first, "more 2");
}

/* 8 of 20 at their cap, with 1 ms: below the cut by their time alone. */
static void judge__counts_capped_values_as_beyond(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_runs(&words, NULL, 6, (struct made){ .kernel = "c", .capped = 8 });
	assert_int_equal(judge(&words, first), STATUS_BAD);
}

static void judge__refuses_references_of_one_kernel(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_copy(&words, "judge");
	add_runs(&words, "--good", 8,
		 (struct made){ .kernel = "g", .slow = 7 });
	add_runs(&words, "--bad", 8, (struct made){ .kernel = "g", .slow = 7 });
	add_runs(&words, NULL, 3, (struct made){ .kernel = "c" });
	assert_int_equal(judge(&words, first), STATUS_HOST);
	assert_string_equal(first, "refused");
}

static void judge__looks_at_references_alone(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	assert_int_equal(judge(&words, first), STATUS_GOOD);
	assert_string_equal(first, "apart");
}

static void judge__refuses_the_same_seed_twice(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_runs(&words, NULL, 2, (struct made){ .kernel = "c" });
	add_runs(&words, NULL, 1, (struct made){ .kernel = "c", .seed = 2 });
	assert_int_equal(judge(&words, first), STATUS_HOST);
	assert_string_equal(first, "");
}

static void judge__refuses_an_incomplete_run(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_runs(&words, NULL, 3,
		 (struct made){ .kernel = "c", .cut_off = true });
	assert_int_equal(judge(&words, first), STATUS_HOST);
}

static void judge__refuses_another_qemu_unless_forced(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_runs(&words, NULL, 6,
		 (struct made){ .kernel = "c", .qemu = "9.2.0" });
	assert_int_equal(judge(&words, first), STATUS_HOST);

	words = (struct words){ .count = 0 };
	add_references(&words, 8);
	add_copy(&words, "--force");
	add_runs(&words, NULL, 6,
		 (struct made){ .kernel = "c", .qemu = "9.2.0" });
	assert_int_equal(judge(&words, first), STATUS_GOOD);
}

static void judge__takes_no_values_of_a_failed_step(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_runs(&words, NULL, 6,
		 (struct made){ .kernel = "c", .slow = 7, .result = "fail" });
	assert_int_equal(judge(&words, first), STATUS_CANNOT_TELL);
	assert_string_equal(first, "undecided");
}

static void judge__names_an_unknown_metric(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_copy(&words, "--metric");
	add_copy(&words, "ready.sends_per_s");
	assert_int_equal(judge(&words, first), STATUS_USAGE);
}

static void judge__says_when_the_direction_is_wrong(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_references(&words, 8);
	add_copy(&words, "--direction");
	add_copy(&words, "higher");
	assert_int_equal(judge(&words, first), STATUS_HOST);
	assert_string_equal(first, "refused");
}

static void judge__compares_with_a_limit(void **state)
{
	struct words words = { .count = 0 };
	char first[64];

	(void)state;
	add_copy(&words, "judge");
	add_copy(&words, "--bad-above");
	add_copy(&words, "1000000");
	add_runs(&words, NULL, 8, (struct made){ .kernel = "c", .slow = 12 });
	assert_int_equal(judge(&words, first), STATUS_BAD);
}

/* One kernel of the public report as a file, one value a line. */
static char *report_file(const char *series)
{
	char *path = xprintf("%s/%s.values", boots_dir, series), line[256];
	FILE *report = fopen("tests/data/readiness-report.csv", "r");
	FILE *file = fopen(path, "w");
	size_t len = strlen(series);

	assert_non_null(report);
	assert_non_null(file);
	while (fgets(line, sizeof(line), report))
		if (!strncmp(line, series, len) && line[len] == ',')
			fputs(strrchr(line, ',') + 1, file);
	fclose(report);
	assert_int_equal(fclose(file), 0);
	return path;
}

static void judge__gives_the_verdicts_of_the_public_report(void **state)
{
	static const struct {
		const char *series;
		int status;
	} rows[] = {
		{ "before-lag-placement", STATUS_GOOD },
		{ "lag-placement", STATUS_BAD },
		{ "lag-placement-plus-fix", STATUS_GOOD },
		{ "6.6.98-plus-fix", STATUS_GOOD },
		{ "6.6.98", STATUS_BAD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct words words = { .count = 0 };
		char first[64];

		add_copy(&words, "judge");
		add_copy(&words, "--independent");
		add_copy(&words, "--good");
		add_word(&words, report_file("before-lag-placement"));
		add_copy(&words, "--bad");
		add_word(&words, report_file("lag-placement"));
		add_word(&words, report_file(rows[i].series));
		assert_int_equal(judge(&words, first), rows[i].status);
		assert_string_equal(first, rows[i].status ? "bad" : "good");
	}
}

static void judge__never_ends_wrong_usage_below_128(void **state)
{
	static const char *const lines[][3] = {
		{ "--good", NULL, NULL },
		{ "--budget", "x", NULL },
		{ "--budget", "4", NULL },
		{ "--quantile", "0.9", NULL },
		{ "--bad-above", "1e", NULL },
		{ "--frobnicate", NULL, NULL },
		{ "--good", "/nowhere", NULL },
		{ "--metric", "a.b", "/nowhere" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct words words = { .count = 0 };
		char first[64];

		add_copy(&words, "judge");
		for (size_t w = 0; w < 3 && lines[i][w]; w++)
			add_copy(&words, lines[i][w]);
		assert_int_equal(judge(&words, first), STATUS_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOOT_CASE(judge__tells_a_good_and_a_bad_kernel),
		BOOT_CASE(judge__writes_the_verdict_beside_the_last_run),
		BOOT_CASE(judge__looks_twice_at_first_in_virtual_time),
		BOOT_CASE(judge__asks_for_three_boots_in_real_time),
		BOOT_CASE(judge__counts_capped_values_as_beyond),
		BOOT_CASE(judge__refuses_references_of_one_kernel),
		BOOT_CASE(judge__looks_at_references_alone),
		BOOT_CASE(judge__refuses_the_same_seed_twice),
		BOOT_CASE(judge__refuses_an_incomplete_run),
		BOOT_CASE(judge__refuses_another_qemu_unless_forced),
		BOOT_CASE(judge__takes_no_values_of_a_failed_step),
		BOOT_CASE(judge__names_an_unknown_metric),
		BOOT_CASE(judge__says_when_the_direction_is_wrong),
		BOOT_CASE(judge__compares_with_a_limit),
		BOOT_CASE(judge__gives_the_verdicts_of_the_public_report),
		BOOT_CASE(judge__never_ends_wrong_usage_below_128),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
