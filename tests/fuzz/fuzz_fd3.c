// SPDX-License-Identifier: GPL-2.0-or-later
// sources: init/fd3.c init/outcome.c
/*
 * fuzz_fd3.c - whatever a probe writes, /init makes valid records of it, or
 * says what is wrong
 *
 * The bytes are what is on a probe's descriptor 3.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fd3.h"
#include "record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static bool take(void *arg, const char *line, size_t len)
{
	size_t *room = arg;
	json_t *record, *value;
	json_error_t error;
	const char *key;

	check(len > 0 && len <= RECORD_LINE_MAX && line[len - 1] == '\n');
	record = json_loadb(line, len - 1, JSON_REJECT_DUPLICATES, &error);
	check(json_is_object(record));
	json_object_foreach(record, key, value)
		check(record_name_valid(key) &&
		      (json_is_string(value) || json_is_integer(value)));
	json_decref(record);
	return (*room)-- > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct statement said;
	size_t room = 1000;
	const struct fd3_step step = { .step = "step",
				       .probe = "probe",
				       .begin_ns = 1,
				       .sink = take,
				       .arg = &room };

	said = (struct statement){ .result = RESULT_PASS };
	fd3_parse(&step, (const char *)data, size, &said);
	check(memchr(said.reason, '\0', sizeof(said.reason)));
	check(memchr(said.protocol, '\0', sizeof(said.protocol)));
	return 0;
}
