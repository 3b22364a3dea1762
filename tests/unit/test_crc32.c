// SPDX-License-Identifier: GPL-2.0-or-later
// sources:
/*
 * test_crc32.c - the guest's CRC-32 against zlib's
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <zlib.h>

#include "crc32.h"

/* The check value that catalogues of CRCs give for CRC-32/ISO-HDLC. */
static void record_crc32__has_the_check_value(void **state)
{
	(void)state;
	assert_int_equal(record_crc32(0, "123456789", 9), 0xcbf43926);
	assert_int_equal(record_crc32(0, "", 0), 0);
}

static void record_crc32__is_zlibs_for_every_length(void **state)
{
	unsigned char bytes[300];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 167 + 13);
	for (size_t len = 0; len <= sizeof(bytes); len++)
		assert_int_equal(record_crc32(0, bytes, len),
				 crc32(0, bytes, (uInt)len));
}

static void record_crc32__goes_on_where_it_stopped(void **state)
{
	static const char text[] = "123456789";

	(void)state;
	for (size_t cut = 0; cut <= 9; cut++)
		assert_int_equal(record_crc32(record_crc32(0, text, cut),
					      text + cut, 9 - cut),
				 0xcbf43926);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(record_crc32__has_the_check_value),
		cmocka_unit_test(record_crc32__is_zlibs_for_every_length),
		cmocka_unit_test(record_crc32__goes_on_where_it_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
