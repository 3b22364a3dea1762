// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/stats.c host/units.c host/die.c
/*
 * test_stats.c - quantiles against R's, and numbers as people read them
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "stats.h"
#include "units.h"
#include "words.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/*
 * From the definition of type 7 (Hyndman and Fan 1996): h = (n - 1) q, and
 * between the values at floor(h) and floor(h) + 1 in a straight line.  For
 * {1, 2, 4, 8, 16} and q = 0.9: h = 3.6, 8 + 0.6 * 8 = 12.8.
 */
static void stats_quantile__is_type_7(void **state)
{
	static const double five[] = { 1, 2, 4, 8, 16 };
	static const struct {
		size_t count;
		double q, expected;
	} rows[] = {
		{ 5, 0, 1 },	    { 5, 1, 16 },      { 5, 0.5, 4 },
		{ 5, 0.25, 2 },	    { 5, 0.1, 1.4 },   { 5, 0.9, 12.8 },
		{ 5, 0.99, 15.68 }, { 4, 0.5, 3 },     { 4, 0.9, 6.8 },
		{ 2, 0.5, 1.5 },    { 2, 0.99, 1.99 }, { 1, 0, 1 },
		{ 1, 0.5, 1 },	    { 1, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_float_equal(
			stats_quantile(five, rows[i].count, rows[i].q),
			rows[i].expected, 1e-12);
}

static void stats_of__describes_and_sorts(void **state)
{
	double values[] = { 16, 2, 8, 1, 4 };
	struct stats stats;

	(void)state;
	assert_true(stats_of(values, COUNT(values), &stats));
	assert_true(values[0] == 1 && values[4] == 16);
	assert_int_equal(stats.count, 5);
	assert_float_equal(stats.min, 1, 0);
	assert_float_equal(stats.p10, 1.4, 1e-12);
	assert_float_equal(stats.max, 16, 0);
	assert_float_equal(stats.mean, 6.2, 1e-12);
	/* sqrt(148.8 / 4) */
	assert_float_equal(stats.sd, 6.0991803, 1e-6);
}

static void stats_of__has_no_spread_for_one_value(void **state)
{
	double value = 7;
	struct stats stats;

	(void)state;
	assert_true(stats_of(&value, 1, &stats));
	assert_true(stats.p99 == 7 && stats.mean == 7 && stats.sd == 0);
}

static void stats_of__says_that_there_is_nothing(void **state)
{
	struct stats stats;

	(void)state;
	assert_false(stats_of(NULL, 0, &stats));
	assert_int_equal(stats.count, 0);
}

/* A cap on tries can be reached in less time than a slow success took. */
static void stats_rank_capped__puts_them_behind_all_others(void **state)
{
	static const bool capped[] = { true, false, false, true };
	double values[] = { 2, 3, 1, 9 };
	double worst;

	(void)state;
	worst = stats_rank_capped(values, capped, 4, true);
	assert_true(worst == 3);
	assert_true(values[0] > 3 && values[0] < 3.0001);
	assert_true(values[3] == 9);
	assert_true(values[1] == 3 && values[2] == 1);
}

static void stats_rank_capped__ranks_low_where_higher_is_better(void **state)
{
	static const bool capped[] = { true, false, false };
	double values[] = { 5, 3, 4 };

	(void)state;
	assert_true(stats_rank_capped(values, capped, 3, false) == 3);
	assert_true(values[0] < 3 && values[0] > 2.9999);
}

static void stats_rank_capped__knows_all_and_none(void **state)
{
	static const bool all[] = { true, true }, none[] = { false, false };
	double values[] = { 5, 3 };
	double worst;

	(void)state;
	worst = stats_rank_capped(values, none, 2, true);
	assert_true(worst == 5 && values[0] == 5 && values[1] == 3);
	worst = stats_rank_capped(values, all, 2, true);
	assert_true(stats_worse(3, worst, true));
	assert_true(values[0] == 5 && values[1] == 3);
	worst = stats_rank_capped(values, all, 2, false);
	assert_true(stats_worse(5, worst, false));
}

/* Each word that a metric may declare is a unit of ours, in this order. */
static void units_declared__knows_every_word(void **state)
{
	static const char *const shown[] = {
		"12",	"12 ns",  "12 us",  "12 ms",  "12 s",
		"12 B", "12 KiB", "0.00 %", "12.0/s", NULL,
	};
	size_t i;

	(void)state;
	for (i = 0; record_units[i]; i++) {
		char text[UNITS_SIZE];

		assert_non_null(shown[i]);
		units_format(text, 12, units_declared(record_units[i], "x"));
		assert_string_equal(
			units_name(units_declared(record_units[i], "x")),
			record_units[i]);
		assert_string_equal(text, shown[i]);
	}
	assert_null(shown[i]);
	assert_int_equal(units_declared(NULL, "x_kib"), UNIT_KIB);
	assert_int_equal(units_declared("count", "x_kib"), UNIT_COUNT);
}

static void units_of__reads_the_end_of_a_name(void **state)
{
	(void)state;
	assert_int_equal(units_of("ready_ns"), UNIT_NS);
	assert_int_equal(units_of("mem_kib"), UNIT_KIB);
	assert_int_equal(units_of("share_ppm"), UNIT_PPM);
	assert_int_equal(units_of("sends_per_s"), UNIT_PER_S);
	assert_int_equal(units_of("tries"), UNIT_COUNT);
	assert_int_equal(units_of("_ns"), UNIT_COUNT);
}

static void units_format__keeps_three_digits(void **state)
{
	static const struct {
		double value;
		enum unit unit;
		const char *text;
	} rows[] = {
		{ 0, UNIT_NS, "0 ns" },
		{ 7, UNIT_NS, "7 ns" },
		{ 71.5, UNIT_NS, "71.5 ns" },
		{ 999, UNIT_NS, "999 ns" },
		{ 999.6, UNIT_NS, "1.00 us" },
		{ 71000, UNIT_NS, "71.0 us" },
		{ 999400, UNIT_NS, "999 us" },
		{ 999700, UNIT_NS, "1.00 ms" },
		{ 9992000, UNIT_NS, "9.99 ms" },
		{ 175000000, UNIT_NS, "175 ms" },
		{ 60e9, UNIT_NS, "60.0 s" },
		{ 1234e9, UNIT_NS, "1230 s" },
		{ -71000, UNIT_NS, "-71.0 us" },
		{ 22.4, UNIT_PER_S, "22.4/s" },
		{ 2, UNIT_PER_S, "2.00/s" },
		{ 243.902439, UNIT_PER_S, "244/s" },
		{ 39382, UNIT_PER_S, "39.4k/s" },
		{ 1e6, UNIT_PER_S, "1.00M/s" },
		{ 0, UNIT_PER_S, "0.00/s" },
		{ 1, UNIT_COUNT, "1" },
		{ 2847, UNIT_COUNT, "2847" },
		{ 99999, UNIT_COUNT, "99999" },
		{ 100000, UNIT_COUNT, "100k" },
		{ 812.5, UNIT_COUNT, "812" },
		{ 2.4, UNIT_COUNT, "2.40" },
		{ -1, UNIT_COUNT, "-1" },
		{ 987654, UNIT_PPM, "98.8 %" },
		{ 13000, UNIT_PPM, "1.30 %" },
		{ 987654, UNIT_KIB, "965 MiB" },
		{ 9.3e18, UNIT_NS, "9300000000 s" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[UNITS_SIZE];

		units_format(text, rows[i].value, rows[i].unit);
		assert_string_equal(text, rows[i].text);
	}
}

static void units_digits__tells_neighbours_apart(void **state)
{
	static const struct {
		double one, other;
		enum unit unit;
		const char *text;
	} rows[] = {
		{ 29300, 29200, UNIT_PER_S, "29.3k/s" },
		{ 29318, 29287, UNIT_PER_S, "29.32k/s" },
		{ 29301.2, 29301.4, UNIT_PER_S, "29.3012k/s" },
		{ 15743, 15738, UNIT_NS, "15.743 us" },
		{ 71000, 71000, UNIT_NS, "71.0 us" },
		{ 1, 1 + 1e-12, UNIT_PER_S, "1.00000000/s" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[UNITS_SIZE];

		units_format_digits(
			text, rows[i].one, rows[i].unit,
			units_digits(rows[i].one, rows[i].other, rows[i].unit));
		assert_string_equal(text, rows[i].text);
	}
}

static void text_clean__takes_a_terminal_its_commands(void **state)
{
	char text[] = "a\x1b[31mb\nc\x7f\xc2\x9b"
		      "d\xc3\xa9\xe2\x82\xac";

	(void)state;
	text_clean(text);
	assert_string_equal(text, "a?[31mb?c??d\xc3\xa9\xe2\x82\xac");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stats_quantile__is_type_7),
		cmocka_unit_test(stats_of__describes_and_sorts),
		cmocka_unit_test(stats_of__has_no_spread_for_one_value),
		cmocka_unit_test(stats_of__says_that_there_is_nothing),
		cmocka_unit_test(
			stats_rank_capped__puts_them_behind_all_others),
		cmocka_unit_test(
			stats_rank_capped__ranks_low_where_higher_is_better),
		cmocka_unit_test(stats_rank_capped__knows_all_and_none),
		cmocka_unit_test(units_of__reads_the_end_of_a_name),
		cmocka_unit_test(units_declared__knows_every_word),
		cmocka_unit_test(units_format__keeps_three_digits),
		cmocka_unit_test(units_digits__tells_neighbours_apart),
		cmocka_unit_test(text_clean__takes_a_terminal_its_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
