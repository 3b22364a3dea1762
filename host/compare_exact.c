// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare_exact.c - are the records of two runs the same, to the byte?
 */
#include "compare_exact.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "slurp.h"
#include "stream.h"
#include "units.h"

struct side {
	const char *dir;
	char *bytes;
	size_t len;
	struct stream stream;
};

static enum status open_side(struct side *side, const char *dir)
{
	char *path = xprintf("%s/%s", dir, RESULTS_FILE);
	enum status status = STATUS_GOOD;
	int err;

	*side = (struct side){ .dir = dir };
	err = slurp(path, RECORD_STREAM_MAX, &side->bytes, &side->len);
	if (err) {
		warn("compare %s: %s", path, slurp_reason(err));
		status = STATUS_USAGE;
	} else if (!stream_parse(&side->stream, side->bytes, side->len)) {
		warn("compare %s: it is incomplete: %s", path,
		     side->stream.problem);
		status = STATUS_CANNOT_TELL;
	}
	free(path);
	return status;
}

static void close_side(struct side *side)
{
	free(side->bytes);
	stream_free(&side->stream);
}

static size_t line_length(const char *line)
{
	return strcspn(line, "\n");
}

static void show_line(FILE *out, const struct side *side, const char *line)
{
	char *text = xprintf("%.*s", (int)line_length(line), line);

	text_clean(text);
	fprintf(out, "%s:\n  %s\n", side->dir, text);
	free(text);
}

/* Both are complete, so neither is a part of the other. */
static void show_difference(FILE *out, const struct side *a,
			    const struct side *b)
{
	const char *in_a = a->bytes, *in_b = b->bytes;
	size_t record = 1;

	for (;; record++) {
		size_t len = line_length(in_a);

		if (len != line_length(in_b) || memcmp(in_a, in_b, len))
			break;
		in_a += len + 1;
		in_b += len + 1;
	}
	fprintf(out, "the records differ from record %zu on\n", record);
	show_line(out, a, in_a);
	show_line(out, b, in_b);
}

static enum status compare_sides(FILE *out, const struct side *a,
				 const struct side *b)
{
	if (a->len == b->len && !memcmp(a->bytes, b->bytes, a->len)) {
		fprintf(out,
			"identical: %zu records, %zu bytes, crc32 %08" PRIx32
			"\n",
			a->stream.records, a->len, a->stream.crc);
		return STATUS_GOOD;
	}
	show_difference(out, a, b);
	return STATUS_BAD;
}

enum status compare_exact(FILE *out, const char *a, const char *b)
{
	struct side side_a, side_b;
	enum status of_a = open_side(&side_a, a), of_b = open_side(&side_b, b);
	enum status status = of_a > of_b ? of_a : of_b;

	if (status == STATUS_GOOD)
		status = compare_sides(out, &side_a, &side_b);
	close_side(&side_a);
	close_side(&side_b);
	return status;
}
