// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/summary.c host/summary_pool.c host/summary_steps.c host/metrics.c host/rundir.c host/compare.c host/table.c host/series.c host/stats.c host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/die.c
/*
 * test_summary.c - what is shown of runs, and which of them belong together
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare.h"
#include "crc32.h"
#include "jsonw.h"
#include "summary.h"
#include "table.h"

#define VALUES 4

/* One boot with one step of one metric. */
struct boot {
	const char *name; /* its folder */
	uint64_t seed;
	const char *kernel, *mode;
	uint64_t mem_mib;
	uint64_t ready_ns[VALUES];
	const char *result;
	bool torn;
};

static char dir[] = "/tmp/kverdict-test.XXXXXX";
static char *shown;
static size_t shown_len;

static FILE *open_in(const char *folder, const char *name)
{
	char *path = xprintf("%s/%s/%s", dir, folder, name);
	FILE *file = fopen(path, "w");

	free(path);
	assert_non_null(file);
	return file;
}

static void add(FILE *file, struct jsonw *w, uint32_t *crc)
{
	assert_true(jsonw_end(w));
	*crc = record_crc32(*crc, w->line, w->len);
	fputs(w->line, file);
}

static void write_run_record(FILE *file, const struct boot *b, uint32_t *crc)
{
	struct jsonw w;
	char *cmdline = xprintf("quiet kv.seed=%" PRIu64 " kv.disk=1", b->seed);

	jsonw_begin(&w, "run");
	jsonw_u64(&w, "record_version", 1);
	jsonw_str(&w, "kernel", "6.12.117");
	jsonw_str(&w, "scenario", "r1-readiness");
	jsonw_str(&w, "mode", b->mode);
	jsonw_u64(&w, "seed", b->seed);
	jsonw_u64(&w, "cpus", 2);
	jsonw_u64(&w, "mem_kib", 987654);
	jsonw_str(&w, "clocksource", "tsc");
	jsonw_u64(&w, "steps", 1);
	jsonw_u64(&w, "may_skip", 0);
	jsonw_u64(&w, "disk", 1);
	jsonw_str(&w, "cmdline", cmdline);
	add(file, &w, crc);
	free(cmdline);
}

static void write_step(FILE *file, const char *event, const char *result,
		       uint32_t *crc)
{
	struct jsonw w;

	jsonw_begin(&w, "step");
	jsonw_str(&w, "event", event);
	jsonw_str(&w, "step", "ready");
	jsonw_str(&w, "verb", "probe");
	jsonw_str(&w, "probe", "readiness");
	jsonw_str(&w, "params", "cpu=0");
	jsonw_u64(&w, "timeout_s", 60);
	jsonw_u64(&w, "time_ns", 1);
	jsonw_u64(&w, "duration_ns", 1);
	jsonw_str(&w, "result", result);
	jsonw_str(&w, "cause", "other");
	jsonw_str(&w, "reason", "it \x1b[31mbroke");
	add(file, &w, crc);
}

static void write_samples(FILE *file, const struct boot *b, uint32_t *crc)
{
	struct jsonw w;

	jsonw_begin(&w, "metric");
	jsonw_str(&w, "step", "ready");
	jsonw_str(&w, "probe", "readiness");
	jsonw_str(&w, "metric", "ready_ns");
	jsonw_str(&w, "better", "lower");
	add(file, &w, crc);
	for (uint64_t i = 0; i < VALUES; i++) {
		jsonw_begin(&w, "sample");
		jsonw_str(&w, "step", "ready");
		jsonw_str(&w, "probe", "readiness");
		jsonw_u64(&w, "repetition", i);
		jsonw_u64(&w, "time_ns", i);
		jsonw_u64(&w, "ready_ns", b->ready_ns[i]);
		add(file, &w, crc);
	}
}

static void write_records(const struct boot *b)
{
	FILE *file = open_in(b->name, "records.jsonl");
	uint32_t crc = 0;

	write_run_record(file, b, &crc);
	write_step(file, "begin", b->result, &crc);
	write_samples(file, b, &crc);
	write_step(file, "end", b->result, &crc);
	if (!b->torn)
		fprintf(file,
			"{\"type\":\"end\",\"records\":%d,"
			"\"crc32\":\"%08" PRIx32 "\"}\n",
			VALUES + 4, crc);
	fclose(file);
}

static void write_info(const struct boot *b)
{
	FILE *file = open_in(b->name, "run.json");

	fprintf(file,
		"{\"kernel_path\": \"/boot/vmlinuz\", \"kernel_sha256\": "
		"\"%s\", \"image_sha256\": \"1234\", \"qemu_version\": "
		"\"10.0.2\", \"accelerator\": \"tcg\", \"mode\": \"%s\", "
		"\"scenario_text\": \"probe readiness\", \"smp\": 2, "
		"\"mem_mib\": %" PRIu64 "}\n",
		b->kernel, b->mode, b->mem_mib);
	fclose(file);
}

static const struct boot common = {
	.kernel = "abcdef",
	.mode = "deterministic",
	.mem_mib = 1024,
	.ready_ns = { 1000, 2000, 3000, 4000 },
	.result = "pass",
};

static void make_boot(struct boot b)
{
	char *path = xprintf("%s/%s", dir, b.name);

	mkdir(path, 0755);
	free(path);
	write_records(&b);
	write_info(&b);
}

/* The boots a and b, seeds 1 and 2, b twice as slow, and what differs in b. */
static struct boot make_a(void)
{
	struct boot b = common;

	b.name = "a";
	b.seed = 1;
	make_boot(b);
	b.name = "b";
	b.seed = 2;
	for (size_t i = 0; i < VALUES; i++)
		b.ready_ns[i] *= 2;
	return b;
}

static int summarize(const char *first, const char *second, bool force)
{
	char *a = xprintf("%s/%s", dir, first);
	char *b = second ? xprintf("%s/%s", dir, second) : NULL;
	const char *dirs[] = { a, b };
	FILE *out;
	int status;

	free(shown);
	out = open_memstream(&shown, &shown_len);
	status = summary_write(out, dirs, second ? 2 : 1, force);
	fclose(out);
	free(a);
	free(b);
	return status;
}

static int compare(const char *first, const char *second)
{
	char *a = xprintf("%s/%s", dir, first);
	char *b = xprintf("%s/%s", dir, second);
	FILE *out;
	int status;

	free(shown);
	out = open_memstream(&shown, &shown_len);
	status = (int)compare_exact(out, a, b);
	fclose(out);
	free(a);
	free(b);
	return status;
}

static void assert_shows(const char *part)
{
	if (!strstr(shown, part))
		fail_msg("\"%s\" is not in:\n%s", part, shown);
}

static int new_dir(void **state)
{
	(void)state;
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char *line = xprintf("rm -r %s", dir);
	int status = system(line);

	(void)state;
	free(line);
	free(shown);
	shown = NULL;
	return status;
}

/* The table is pinned to the blank: people read columns. */
static void summary_write__shows_one_run(void **state)
{
	char *line = xprintf("mkdir %s/run && cp tests/data/streams/good.jsonl "
			     "%s/run/records.jsonl",
			     dir, dir);

	(void)state;
	assert_int_equal(system(line), 0);
	free(line);
	assert_int_equal(summarize("run", NULL, false), STATUS_GOOD);
	assert_shows(
		"step          metric      better   n      min      p50     p90"
		"      p99      max\n"
		"readiness     ready_ns    lower   11  70.9 us  90.0 us  815 us"
		"  >158 ms  >175 ms\n"
		"readiness     tries       lower   11        1        1      12"
		"   >2.56k    >2847\n"
		"netns_churn*  rate_per_s  higher   3    208/s    238/s   243/s"
		"    244/s    244/s\n");
	assert_shows("kernel     6.12.117\n");
	assert_shows("guest      2 CPUs, 965 MiB, clocksource tsc\n");
	assert_shows("capped     readiness: 1 of 11;");
	assert_shows("warm-up    readiness: 1, not counted\n");
	assert_shows("skipped    rt6_probe (option): CONFIG_IPV6_ROUTER_PREF "
		     "is off\n");
	assert_shows("timed out  netns_churn (other): its deadline");
	assert_shows("antagonist hog: 98.8 % of a CPU (antagonist_cpu "
		     "policy=other nice=-20 cpu=0)\n");
	assert_shows("note       netns_churn: 37 namespaces were not drained");
}

static void summary_write__says_first_that_a_run_is_incomplete(void **state)
{
	struct boot b = common;

	(void)state;
	b.name = "a";
	b.torn = true;
	make_boot(b);
	assert_int_equal(summarize("a", NULL, false), STATUS_CANNOT_TELL);
	assert_int_equal(strncmp(shown, "INCOMPLETE it stops after line 8", 32),
			 0);
	assert_shows("ready_ns");
}

static void summary_write__makes_a_guests_texts_harmless(void **state)
{
	struct boot b = common;

	(void)state;
	b.name = "a";
	b.result = "fail";
	make_boot(b);
	assert_int_equal(summarize("a", NULL, false), STATUS_GOOD);
	assert_shows("failed     ready (other): it ?[31mbroke\n");
	assert_null(strchr(shown, '\x1b'));
}

static void summary_write__knows_no_such_run(void **state)
{
	(void)state;
	assert_int_equal(summarize("a", NULL, false), STATUS_USAGE);
	mkdir(dir, 0755);
	assert_int_equal(summarize(".", NULL, false), STATUS_USAGE);
}

static void summary_write__pools_two_boots(void **state)
{
	(void)state;
	make_boot(make_a());
	assert_int_equal(summarize("a", "b", false), STATUS_GOOD);
	assert_shows("boots      2 pooled, seeds 1-2; 0 left out\n");
	/* {1 2 2 3 4 4 6 8}: p50 3.5, p90 6.6, p99 7.86 us */
	assert_shows(" 2  8  1.00 us  3.50 us  6.60 us  7.86 us  8.00 us\n");
	/* p10..p90 is 2.4 and 4.8 us: in the middle 3.6; medians 2.5 and 5 */
	assert_shows("ready  ready_ns  3.60 us  2.50 us     2.50 us     1"
		     "      5.00 us     2\n");
}

static void summary_write__leaves_an_incomplete_boot_out(void **state)
{
	struct boot b = make_a();

	(void)state;
	b.torn = true;
	make_boot(b);
	assert_int_equal(summarize("a", "b", false), STATUS_CANNOT_TELL);
	assert_int_equal(strncmp(shown, "INCOMPLETE", 10), 0);
	assert_shows("boots      1 pooled, seeds 1; 1 left out\n");
	assert_shows(" 1  4  1.00 us");
}

static void summary_write__leaves_out_what_did_not_pass(void **state)
{
	struct boot b = make_a();

	(void)state;
	b.result = "timeout";
	make_boot(b);
	assert_int_equal(summarize("a", "b", false), STATUS_GOOD);
	assert_shows("ready*  ready_ns  lower       1  4  1.00 us");
	assert_shows("not passed seed 2: ready: timeout (other)");
}

static void summary_write__refuses_another_condition(void **state)
{
	struct boot b = make_a();

	(void)state;
	b.mem_mib = 2048;
	make_boot(b);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
	assert_int_equal(summarize("a", "b", true), STATUS_GOOD);
	assert_shows("FORCED     the memory in MiB differs: 1024 in ");
}

static void summary_write__refuses_another_kernel(void **state)
{
	struct boot b = make_a();

	(void)state;
	b.kernel = "fedcba";
	make_boot(b);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
}

static void summary_write__refuses_what_has_no_run_json(void **state)
{
	char *path = xprintf("%s/b/run.json", dir);

	(void)state;
	make_boot(make_a());
	unlink(path);
	free(path);
	assert_int_equal(summarize("b", NULL, false), STATUS_GOOD);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
}

static void summary_write__refuses_a_boot_that_is_none(void **state)
{
	struct boot b = make_a();

	(void)state;
	b.seed = 1; /* other records, but the same kernel and seed */
	make_boot(b);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
	assert_int_equal(summarize("a", "b", true), STATUS_HOST);
	assert_int_equal(summarize("a", "a", false), STATUS_HOST);
}

/* In real time a seed decides little, but a copy is still a copy. */
static void summary_write__takes_a_seed_twice_in_real_time(void **state)
{
	struct boot b = common;

	(void)state;
	b.mode = "realtime";
	b.name = "a";
	make_boot(b);
	b.name = "b";
	make_boot(b);
	assert_int_equal(summarize("a", "b", false), STATUS_HOST);
	b.ready_ns[0]++;
	make_boot(b);
	assert_int_equal(summarize("a", "b", false), STATUS_GOOD);
}

static void write_index(const char *text)
{
	FILE *file = open_in(".", "index.json");

	fputs(text, file);
	fclose(file);
}

static void summary_write__reads_an_ensemble(void **state)
{
	(void)state;
	make_boot(make_a());
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
	};

	(void)state;
	make_boot(make_a());
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_index(bad[i]);
		if (summarize(".", NULL, false) != STATUS_USAGE)
			fail_msg("taken: %s", bad[i]);
	}
}

static void compare_exact__knows_the_same_and_the_first_other(void **state)
{
	struct boot b = make_a();

	(void)state;
	assert_int_equal(compare("a", "a"), STATUS_GOOD);
	assert_shows("identical: 9 records, ");

	b.seed = 1;
	memcpy(b.ready_ns, common.ready_ns, sizeof(b.ready_ns));
	b.ready_ns[2]++;
	make_boot(b);
	assert_int_equal(compare("a", "b"), STATUS_BAD);
	assert_shows("differ from record 6 on\n");
	assert_shows("\"ready_ns\":3000}\n");
	assert_shows("\"ready_ns\":3001}\n");
}

static void compare_exact__compares_only_what_is_complete(void **state)
{
	struct boot b = make_a();

	(void)state;
	b.torn = true;
	make_boot(b);
	assert_int_equal(compare("a", "b"), STATUS_CANNOT_TELL);
	assert_int_equal(compare("b", "b"), STATUS_CANNOT_TELL);
	assert_int_equal(compare("a", "none"), STATUS_USAGE);
	assert_int_equal(compare("none", "b"), STATUS_USAGE);
}

static void table_print__cuts_names_to_fit(void **state)
{
	struct table t = { .align = "lr" };
	FILE *out;

	(void)state;
	table_add(&t, "step");
	table_add(&t, "n");
	table_add(&t, "%s", "a_name_that_is_much_too_long");
	table_add(&t, "%d", 12);
	free(shown);
	out = open_memstream(&shown, &shown_len);
	table_print(&t, out, 16);
	fclose(out);
	table_free(&t);
	assert_string_equal(shown, "step           n\n"
				   "a_name_tha..  12\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, new_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(summary_write__shows_one_run),
		CASE(summary_write__says_first_that_a_run_is_incomplete),
		CASE(summary_write__makes_a_guests_texts_harmless),
		CASE(summary_write__knows_no_such_run),
		CASE(summary_write__pools_two_boots),
		CASE(summary_write__leaves_an_incomplete_boot_out),
		CASE(summary_write__leaves_out_what_did_not_pass),
		CASE(summary_write__refuses_another_condition),
		CASE(summary_write__refuses_another_kernel),
		CASE(summary_write__refuses_what_has_no_run_json),
		CASE(summary_write__refuses_a_boot_that_is_none),
		CASE(summary_write__takes_a_seed_twice_in_real_time),
		CASE(summary_write__reads_an_ensemble),
		CASE(summary_write__refuses_a_bad_index),
		CASE(compare_exact__knows_the_same_and_the_first_other),
		CASE(compare_exact__compares_only_what_is_complete),
		CASE(table_print__cuts_names_to_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
