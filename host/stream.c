// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream.c - a record stream, read and checked as a whole
 *
 * Cuts the bytes into lines and hands them on: to flat.c, which checks each by
 * itself, and to take.c, which knows what may follow what.
 */
#include "stream.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "die.h"
#include "record.h"
#include "slurp.h"
#include "take.h"
#include "units.h"

/* The length of the line at @bytes without its LF, or a fault. */
static char *line_fault(const char *bytes, size_t left, size_t *len)
{
	size_t most = left < RECORD_LINE_MAX ? left : RECORD_LINE_MAX;
	const char *lf = memchr(bytes, '\n', most);

	if (!lf && left >= RECORD_LINE_MAX)
		return xprintf("has more than %u bytes", RECORD_LINE_MAX);
	if (!lf)
		return xprintf("is torn: it has no line end");
	*len = (size_t)(lf - bytes);
	if (memchr(bytes, '\0', *len))
		return xprintf("has a NUL byte");
	return NULL;
}

static char *take_line(struct take *r, const char *line, size_t len)
{
	enum flat_kind kind;
	json_t *record;
	char *fault;

	record = flat_parse(line, len, &kind, &fault);
	if (!record)
		return fault;
	fault = take_record(r, record, kind);
	json_decref(record);
	if (!fault && !r->s->complete)
		r->s->crc = (uint32_t)crc32(r->s->crc, (const Bytef *)line,
					    (uInt)len + 1);
	return fault;
}

/* Read up to the first bad line, and say what is wrong with it. */
static char *first_fault(struct take *r, const char *bytes, size_t len)
{
	struct stream *s = r->s;
	size_t end_at = 0;

	while (s->bytes < len) {
		size_t line_len = 0;
		char *fault;

		if (s->complete) {
			/* That was no end; without it what is kept cannot be
			 * taken for a whole stream.
			 */
			s->bytes = end_at;
			s->records--;
			return xprintf("is an end, and more follows it");
		}
		fault = line_fault(bytes + s->bytes, len - s->bytes, &line_len);
		if (!fault && s->bytes + line_len >= RECORD_STREAM_MAX)
			fault = xprintf("the stream has more than %u MiB",
					RECORD_STREAM_MAX >> 20);
		if (!fault)
			fault = take_line(r, bytes + s->bytes, line_len);
		if (fault)
			return fault;
		end_at = s->bytes;
		s->bytes += line_len + 1;
		s->records++;
	}
	return NULL;
}

static char *describe(const struct stream *s, char *fault)
{
	char *text;

	if (fault)
		text = xprintf("line %zu: %s", s->records + 1, fault);
	else if (!s->records)
		text = xprintf("no record arrived");
	else
		text = xprintf("it stops after line %zu, without an end",
			       s->records);
	free(fault);
	text_clean(text);
	return text;
}

bool stream_parse(struct stream *s, const char *bytes, size_t len)
{
	struct take r = { .s = s, .key_index = json_object() };
	char *fault;

	*s = (struct stream){ .problem = NULL };
	fault = first_fault(&r, bytes, len);
	if (fault || !s->complete) {
		s->problem = describe(s, fault);
		s->complete = false;
	}
	json_decref(r.key_index);
	return s->complete;
}

int stream_read(struct stream *s, const char *path)
{
	char *bytes;
	size_t len;
	int err = slurp(path, RECORD_STREAM_MAX, &bytes, &len);

	if (err) {
		*s = (struct stream){ .problem = xprintf("%s %s", path,
							 slurp_reason(err)) };
		return err;
	}
	stream_parse(s, bytes, len);
	free(bytes);
	return 0;
}

void stream_free(struct stream *s)
{
	for (size_t i = 0; i < s->step_count; i++) {
		free(s->steps[i].name);
		free(s->steps[i].probe);
		free(s->steps[i].params);
		free(s->steps[i].reason);
	}
	for (size_t i = 0; i < s->metric_count; i++) {
		free(s->metrics[i].name);
		free(s->metrics[i].count);
		free(s->metrics[i].window);
		free(s->metrics[i].unit);
	}
	for (size_t i = 0; i < s->note_count; i++) {
		free(s->notes[i].step);
		free(s->notes[i].text);
	}
	for (size_t i = 0; i < s->trace_count; i++) {
		free(s->traces[i].workqueue);
		free(s->traces[i].function);
	}
	for (size_t i = 0; i < s->key_count; i++)
		free(s->keys[i]);
	free(s->run.kernel);
	free(s->run.scenario);
	free(s->run.clocksource);
	free(s->run.cmdline);
	free(s->steps);
	free(s->metrics);
	free(s->samples);
	free(s->values);
	free(s->traces);
	free(s->notes);
	free(s->keys);
	free(s->problem);
	*s = (struct stream){ .problem = NULL };
}

bool stream_value(const struct stream *s, const struct stream_sample *sample,
		  const char *key, int64_t *value)
{
	for (uint32_t i = 0; i < sample->count; i++) {
		const struct stream_value *v = &s->values[sample->first + i];

		if (strcmp(v->key, key))
			continue;
		*value = v->value;
		return true;
	}
	return false;
}
