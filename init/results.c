// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * results.c - the record stream: in memory, on the mirror, on the disk
 *
 * The buffer is a static array: the kernel hands its pages out as they are
 * first written, and there is no allocation that could fail half way.
 */
#include "results.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "crc32.h"
#include "jsonw.h"
#include "record.h"
#include "tty.h"

#define MIRROR "/dev/ttyS1"

/* Two `step` records for each step, `run`, `end`, and a few to spare. */
#define NEEDED_MAX ((2 * RECORD_STEPS_MAX + 8) * RECORD_LINE_MAX)

/* Apart from the rest: zeroed data costs no byte of the program's file. */
static char bytes[RECORD_STREAM_MAX];

static struct {
	size_t len;
	size_t mirrored; /* how many of @len the mirror has */
	uint64_t records;
	uint32_t crc;
	int mirror; /* negative: there is none */
} stream = { .mirror = -1 };

bool results_open(void)
{
	stream.mirror = tty_open_raw(MIRROR);
	return stream.mirror >= 0;
}

static bool add(const char *line, size_t len, size_t max)
{
	if (len > max - stream.len)
		return false;
	memcpy(bytes + stream.len, line, len);
	stream.len += len;
	stream.crc = record_crc32(stream.crc, line, len);
	stream.records++;
	return true;
}

bool results_add(const char *line, size_t len)
{
	if (stream.len >= RECORD_STREAM_MAX - NEEDED_MAX)
		return false;
	return add(line, len, RECORD_STREAM_MAX - NEEDED_MAX);
}

void results_add_needed(const char *line, size_t len)
{
	/* Cannot fail: NEEDED_MAX is kept free for these. */
	add(line, len, RECORD_STREAM_MAX);
}

void results_flush(void)
{
	size_t len = stream.len - stream.mirrored;

	if (stream.mirror < 0 || !len)
		return;
	if (!tty_write(stream.mirror, bytes + stream.mirrored, len) ||
	    !tty_drain(stream.mirror))
		stream.mirror = -1;
	stream.mirrored = stream.len;
}

void results_end(void)
{
	struct jsonw w;
	char crc[9];

	snprintf(crc, sizeof(crc), "%08x", (unsigned int)stream.crc);
	jsonw_begin(&w, "end");
	jsonw_u64(&w, "records", stream.records);
	jsonw_str(&w, "crc32", crc);
	jsonw_end(&w);
	results_add_needed(w.line, w.len);
}

const char *results_stream(size_t *len)
{
	*len = stream.len;
	return bytes;
}
