// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/series.c host/die.c
/*
 * fuzz_stream.c - no bytes may make the reader of record streams misbehave
 *
 * An input is read as it is, and once more with a true `end` appended, because
 * a fuzzer does not guess a CRC.  What holds for every input is asserted.
 * Seeds: tests/data/streams/.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crc32.h"
#include "series.h"
#include "stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_stream(const struct stream *s, size_t size)
{
	check(s->complete == !s->problem);
	check(s->bytes <= size);
	check(!s->complete || s->bytes == size);
	check(s->has_run || !s->records);
	for (size_t i = 0; i < s->metric_count; i++) {
		struct series series;

		series_read(s, &s->metrics[i], true, &series);
		check(series.warmup_count <= series.count);
		check(series.count <=
		      s->steps[s->metrics[i].step].sample_count);
		for (size_t k = 0; k < series.count; k++)
			check(series.value[k] == series.value[k]);
		series_free(&series);
	}
}

/* What is valid of a stream is valid by itself, and not complete. */
static void check_prefix(const struct stream *s, const char *bytes)
{
	struct stream prefix;

	stream_parse(&prefix, bytes, s->bytes);
	check(prefix.records == s->records);
	check(prefix.bytes == s->bytes);
	check(prefix.complete == s->complete);
	stream_free(&prefix);
}

static void check_sealed(const char *bytes, size_t size)
{
	char *sealed = malloc(size + 128);
	size_t lines = 0, len;
	struct stream s;

	check(sealed != NULL);
	memcpy(sealed, bytes, size);
	for (size_t i = 0; i < size; i++)
		lines += bytes[i] == '\n';
	len = size + (size_t)snprintf(sealed + size, 128,
				      "{\"type\":\"end\",\"records\":%zu,"
				      "\"crc32\":\"%08" PRIx32 "\"}\n",
				      lines, record_crc32(0, bytes, size));
	stream_parse(&s, sealed, len);
	check_stream(&s, len);
	check_prefix(&s, sealed);
	stream_free(&s);
	free(sealed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stream s;

	stream_parse(&s, (const char *)data, size);
	check_stream(&s, size);
	check_prefix(&s, (const char *)data);
	stream_free(&s);
	check_sealed((const char *)data, size);
	return 0;
}
