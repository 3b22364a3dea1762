// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/compare_exact.c host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/die.c tests/unit/boots.c
/*
 * test_compare_exact.c - the same records, to the byte?
 */
#include "boots.h"

#include <stdlib.h>
#include <string.h>

#include "compare_exact.h"
#include "die.h"

static int compare(const char *first, const char *second)
{
	char *a = boots_path(first), *b = boots_path(second);
	FILE *out = boots_show();
	int status = (int)compare_exact(out, a, b);

	fclose(out);
	free(a);
	free(b);
	return status;
}

static void compare_exact__knows_the_same_and_the_first_other(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	assert_int_equal(compare("a", "a"), STATUS_GOOD);
	assert_shows("identical: 9 records, ");

	b.seed = 1;
	memcpy(b.ready_ns, boot_common.ready_ns, sizeof(b.ready_ns));
	b.ready_ns[2]++;
	boots_make(b);
	assert_int_equal(compare("a", "b"), STATUS_BAD);
	assert_shows("differ from record 6 on\n");
	assert_shows("\"ready_ns\":3000}\n");
	assert_shows("\"ready_ns\":3001}\n");
}

static void compare_exact__compares_only_what_is_complete(void **state)
{
	struct boot b = boots_make_a();

	(void)state;
	b.torn = true;
	boots_make(b);
	assert_int_equal(compare("a", "b"), STATUS_CANNOT_TELL);
	assert_int_equal(compare("b", "b"), STATUS_CANNOT_TELL);
	assert_int_equal(compare("a", "none"), STATUS_USAGE);
	assert_int_equal(compare("none", "b"), STATUS_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOOT_CASE(compare_exact__knows_the_same_and_the_first_other),
		BOOT_CASE(compare_exact__compares_only_what_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
