// SPDX-License-Identifier: GPL-2.0-or-later
// sources: init/outcome.c init/base64.c
/*
 * test_outcome.c - how a step ended; and bytes as text
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base64.h"
#include "outcome.h"

/* A wait status, as Linux encodes it. */
#define EXITED(code)	 ((code) << 8)
#define SIGNALED(signal) (signal)

static struct outcome outcome;

static const struct statement nothing = { .result = RESULT_PASS };
static const struct statement skipped = { .result = RESULT_SKIP,
					  .cause = CAUSE_OPTION,
					  .reason = "CONFIG_X is off" };
static const struct statement failed = { .result = RESULT_FAIL,
					 .cause = CAUSE_KERNEL,
					 .reason = "a broken promise" };
static const struct statement illegible = { .result = RESULT_PASS,
					    .protocol = "line 1" };

static void outcome_decide__takes_the_status_of_kselftest(void **state)
{
	(void)state;
	outcome_decide(&outcome, EXITED(0), &nothing);
	assert_int_equal(outcome.result, RESULT_PASS);
	assert_string_equal(outcome.reason, "");
	outcome_decide(&outcome, EXITED(1), &failed);
	assert_int_equal(outcome.result, RESULT_FAIL);
	assert_int_equal(outcome.cause, CAUSE_KERNEL);
	assert_string_equal(outcome.reason, "a broken promise");
	outcome_decide(&outcome, EXITED(4), &skipped);
	assert_int_equal(outcome.result, RESULT_SKIP);
	assert_int_equal(outcome.cause, CAUSE_OPTION);
	assert_string_equal(outcome.reason, "CONFIG_X is off");
}

static void outcome_decide__has_a_reason_where_none_was_given(void **state)
{
	(void)state;
	outcome_decide(&outcome, EXITED(4), &nothing);
	assert_int_equal(outcome.result, RESULT_SKIP);
	assert_int_equal(outcome.cause, CAUSE_OTHER);
	assert_string_not_equal(outcome.reason, "");
}

static void outcome_decide_program__takes_any_status(void **state)
{
	static const struct statement sampled = { .result = RESULT_PASS,
						  .samples = true };

	(void)state;
	outcome_decide_program(&outcome, EXITED(0), &nothing, false);
	assert_int_equal(outcome.result, RESULT_PASS);
	outcome_decide_program(&outcome, EXITED(0), &sampled, true);
	assert_int_equal(outcome.result, RESULT_PASS);
	outcome_decide_program(&outcome, EXITED(0), &nothing, true);
	assert_int_equal(outcome.result, RESULT_SKIP);
	assert_int_equal(outcome.cause, CAUSE_OTHER);
	outcome_decide_program(&outcome, EXITED(1), &sampled, true);
	assert_int_equal(outcome.result, RESULT_FAIL);
	outcome_decide_program(&outcome, EXITED(3), &nothing, false);
	assert_int_equal(outcome.result, RESULT_FAIL);
	assert_string_equal(outcome.reason, "ended with status 3");
	outcome_decide_program(&outcome, EXITED(255), &failed, false);
	assert_int_equal(outcome.result, RESULT_FAIL);
	assert_string_equal(outcome.reason, "a broken promise");
	outcome_decide_program(&outcome, EXITED(4), &nothing, true);
	assert_int_equal(outcome.result, RESULT_SKIP);
	assert_int_equal(outcome.cause, CAUSE_OPTION);
	outcome_decide_program(&outcome, EXITED(4), &skipped, false);
	assert_string_equal(outcome.reason, "CONFIG_X is off");
	outcome_decide_program(&outcome, EXITED(127), &nothing, false);
	assert_int_equal(outcome.result, RESULT_SKIP);
	outcome_decide_program(&outcome, EXITED(0), &illegible, false);
	assert_int_equal(outcome.result, RESULT_FAIL);
	assert_int_equal(outcome.cause, CAUSE_PROTOCOL);
	outcome_decide_program(&outcome, EXITED(0), &failed, false);
	assert_int_equal(outcome.cause, CAUSE_PROTOCOL);
	outcome_decide_program(&outcome, SIGNALED(11), &sampled, true);
	assert_int_equal(outcome.result, RESULT_CRASH);
}

static void outcome_decide__calls_all_else_a_crash(void **state)
{
	(void)state;
	outcome_decide(&outcome, EXITED(2), &nothing);
	assert_int_equal(outcome.result, RESULT_CRASH);
	outcome_decide(&outcome, EXITED(127), &skipped);
	assert_int_equal(outcome.result, RESULT_CRASH);
	outcome_decide(&outcome, SIGNALED(11), &illegible);
	assert_int_equal(outcome.result, RESULT_CRASH);
	assert_non_null(strstr(outcome.reason, "signal 11"));
}

static void outcome_decide__fails_what_it_cannot_read(void **state)
{
	(void)state;
	outcome_decide(&outcome, EXITED(0), &illegible);
	assert_int_equal(outcome.result, RESULT_FAIL);
	assert_int_equal(outcome.cause, CAUSE_PROTOCOL);
	assert_string_equal(outcome.reason, "line 1");
}

static void outcome_decide__fails_a_status_that_contradicts(void **state)
{
	(void)state;
	outcome_decide(&outcome, EXITED(0), &failed);
	assert_int_equal(outcome.cause, CAUSE_PROTOCOL);
	outcome_decide(&outcome, EXITED(1), &skipped);
	assert_int_equal(outcome.cause, CAUSE_PROTOCOL);
	outcome_decide(&outcome, EXITED(4), &failed);
	assert_int_equal(outcome.result, RESULT_FAIL);
	assert_int_equal(outcome.cause, CAUSE_PROTOCOL);
}

/* RFC 4648, section 10. */
static void base64_encode__makes_the_text_of_the_rfc(void **state)
{
	static const char *const vectors[] = {
		"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
	};
	char text[BASE64_SIZE(6)];

	(void)state;
	for (size_t len = 0; len <= 6; len++) {
		base64_encode(text, (const unsigned char *)"foobar", len);
		assert_string_equal(text, vectors[len]);
	}
	base64_encode(text, (const unsigned char *)"\xff\xfe\0", 3);
	assert_string_equal(text, "//4A");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outcome_decide__takes_the_status_of_kselftest),
		cmocka_unit_test(
			outcome_decide__has_a_reason_where_none_was_given),
		cmocka_unit_test(outcome_decide__calls_all_else_a_crash),
		cmocka_unit_test(outcome_decide_program__takes_any_status),
		cmocka_unit_test(outcome_decide__fails_what_it_cannot_read),
		cmocka_unit_test(
			outcome_decide__fails_a_status_that_contradicts),
		cmocka_unit_test(base64_encode__makes_the_text_of_the_rfc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
