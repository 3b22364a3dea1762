// SPDX-License-Identifier: GPL-2.0-or-later
// sources: host/stream.c host/take.c host/flat.c host/slurp.c host/units.c host/series.c host/die.c tests/unit/boots.c
/*
 * test_stream.c - which streams are taken, which are refused and where
 */
#include "boots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"
#include "series.h"
#include "stream.h"

#define DATA "tests/data/streams/"

#define RUN                                                               \
	"{\"type\":\"run\",\"record_version\":1,\"kernel\":\"6.1\","      \
	"\"scenario\":\"s\",\"mode\":\"realtime\",\"seed\":1,\"cpus\":1," \
	"\"mem_kib\":1,\"clocksource\":\"tsc\",\"steps\":1,"              \
	"\"may_skip\":0,\"disk\":1,\"cmdline\":\"\"}\n"

static void read_good(struct stream *s, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), DATA "%s", name);
	assert_int_equal(stream_read(s, path), 0);
	if (s->problem)
		print_error("%s: %s\n", name, s->problem);
	assert_true(s->complete);
	assert_null(s->problem);
}

static void stream_read__takes_every_kind_of_record(void **state)
{
	struct stream s;

	(void)state;
	read_good(&s, "good.jsonl");
	assert_int_equal(s.records, 34);
	assert_int_equal(s.bytes, 4834);
	assert_string_equal(s.run.kernel, "6.12.117");
	assert_int_equal(s.run.mode, MODE_DETERMINISTIC);
	assert_int_equal(s.run.mem_kib, 987654);
	assert_true(s.run.may_skip);
	assert_int_equal(s.step_count, 5);
	assert_int_equal(s.metric_count, 3);
	assert_int_equal(s.sample_count, 17);
	assert_int_equal(s.note_count, 2);
	assert_null(s.notes[1].step);
	stream_free(&s);
}

static void stream_read__takes_a_stream_without_steps(void **state)
{
	struct stream s;

	(void)state;
	read_good(&s, "only-run.jsonl");
	assert_int_equal(s.records, 2);
	assert_int_equal(s.step_count, 0);
	stream_free(&s);
}

static void stream_read__takes_the_run_of_a_command(void **state)
{
	struct stream s;

	(void)state;
	read_good(&s, "command.jsonl");
	assert_int_equal(s.output_count, 1);
	assert_int_equal(s.steps[0].verb, VERB_COMMAND);
	assert_string_equal(s.steps[0].probe, "");
	assert_int_equal(s.steps[0].exit_status, 3);
	stream_free(&s);
}

static void stream_read__keeps_what_a_step_says(void **state)
{
	const struct stream_step *step;
	struct stream s;

	(void)state;
	read_good(&s, "good.jsonl");
	step = &s.steps[2];
	assert_string_equal(step->name, "rt6_probe");
	assert_int_equal(step->result, RESULT_SKIP);
	assert_int_equal(step->cause, CAUSE_OPTION);
	assert_string_equal(step->reason, "CONFIG_IPV6_ROUTER_PREF is off");
	assert_string_equal(step->params, "senders=40 seconds=1");
	assert_int_equal(step->duration_ns, 4000000);
	assert_int_equal(step->exit_status, -1);
	assert_int_equal(s.steps[1].verb, VERB_START);
	assert_int_equal(s.steps[4].verb, VERB_STOP);
	assert_string_equal(s.steps[4].name, "hog");
	stream_free(&s);
}

static void stream_read__takes_a_trace(void **state)
{
	const struct stream_trace *trace;
	struct stream s;

	(void)state;
	read_good(&s, "traces.jsonl");
	assert_int_equal(s.trace_count, 5);
	trace = &s.traces[2];
	assert_int_equal(trace->step, 0);
	assert_string_equal(trace->workqueue, "ipv6_addrconf");
	assert_string_equal(trace->function, "addrconf_dad_work");
	assert_int_equal(trace->cpu, 0);
	assert_int_equal(trace->req_cpu, -1);
	assert_int_equal(trace->executed, 12);
	assert_int_equal(trace->p90_ns, 174000000);
	assert_int_equal(trace->max_ns, 175000000);
	trace = &s.traces[3];
	assert_int_equal(trace->executed, 0);
	assert_int_equal(trace->waiting, 1);
	assert_int_equal(trace->ran_cpu, -1);
	stream_free(&s);
}

static const struct {
	const char *file, *why;
	size_t records; /* valid ones before the bad line */
} refused[] = {
	{ "empty.jsonl", "no record arrived", 0 },
	{ "truncated.jsonl", "it stops after line 9, without an end", 9 },
	{ "torn-last-line.jsonl", "line 34: is torn", 33 },
	{ "wrong-crc.jsonl", "line 34: the CRC-32 is", 33 },
	{ "wrong-count.jsonl", "34 records are promised and 33 are", 33 },
	{ "second-end.jsonl", "line 34: is an end, and more follows", 33 },
	{ "after-end.jsonl", "line 34: is an end, and more follows", 33 },
	{ "nul-byte.jsonl", "line 6: has a NUL byte", 5 },
	{ "bad-utf8.jsonl", "line 33: is not valid JSON", 32 },
	{ "long-line.jsonl", "line 33: has more than 4096 bytes", 32 },
	{ "out-of-range.jsonl", "line 5: is not valid JSON: too big", 4 },
	{ "nested-object.jsonl", "more is neither a text nor", 32 },
	{ "array.jsonl", "more is neither a text nor an integer", 32 },
	{ "float.jsonl", "ready_ns is neither a text nor an integer", 4 },
	{ "null.jsonl", "step is neither a text nor an integer", 32 },
	{ "duplicate-key.jsonl", "line 5: is not valid JSON: dupl", 4 },
	{ "end-in-step.jsonl", "the stream ends within step readiness", 9 },
	{ "empty-line.jsonl", "line 4: is not one JSON object", 3 },
	{ "blank-before.jsonl", "line 33: is not one JSON object", 32 },
	{ "cr-lf.jsonl", "line 1: is not one JSON object", 0 },
	{ "no-run.jsonl", "line 1: the first is no run record", 0 },
	{ "second-run.jsonl", "line 2: a second run record", 1 },
	{ "newer-version.jsonl", "record_version is 2", 0 },
	{ "steps-nest.jsonl", "step readiness has not ended yet", 2 },
	{ "step-twice.jsonl", "a second step is named readiness", 33 },
	{ "stop-unstarted.jsonl", "stops other, which was not started", 33 },
	{ "sample-outside.jsonl", "its step is not the one that runs", 33 },
	{ "late-metric.jsonl", "late_ns comes after the step's first", 5 },
	{ "metric-twice.jsonl", "metric ready_ns is declared twice", 3 },
	{ "half-rate.jsonl", "count and window need each other", 3 },
	{ "skip-without-cause.jsonl", "line 21: cause is missing", 20 },
	{ "unknown-type.jsonl", "its type or event is not known", 33 },
	{ "bad-name.jsonl", "a key is not a valid name", 4 },
	{ "text-in-sample.jsonl", "errno is not an integer", 4 },
	{ "output-without-command.jsonl", "no command runs that", 33 },
	{ "negative-time.jsonl", "line 5: time_ns is out of range", 4 },
	{ "trace-without-delay.jsonl", "line 7: delay_max_ns is missing", 6 },
	{ "trace-more-executed.jsonl", "executed is more than queued", 6 },
	{ "trace-outside.jsonl", "its step is not the one that runs", 7 },
	{ "too-many-keys.jsonl", "a sample has more than 64 keys", 4 },
};

static void stream_read__refuses_and_says_where_and_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char path[256];
		struct stream s;

		snprintf(path, sizeof(path), DATA "%s", refused[i].file);
		assert_int_equal(stream_read(&s, path), 0);
		assert_false(s.complete);
		assert_non_null(s.problem);
		if (!strstr(s.problem, refused[i].why) ||
		    s.records != refused[i].records)
			fail_msg("%s: %zu records, %s", refused[i].file,
				 s.records, s.problem);
		stream_free(&s);
	}
}

static void stream_read__keeps_what_came_before_the_bad_line(void **state)
{
	struct stream s;

	(void)state;
	assert_int_equal(stream_read(&s, DATA "truncated.jsonl"), 0);
	assert_true(s.has_run);
	assert_int_equal(s.step_count, 1);
	assert_int_equal(s.steps[0].result, RESULT_NONE);
	assert_int_equal(s.sample_count, 5);
	stream_free(&s);
}

/* What is kept of a stream with a forged end must not look complete. */
static void stream_parse__does_not_call_its_own_prefix_complete(void **state)
{
	char bytes[8192];
	struct stream s, kept;
	FILE *file = fopen(DATA "second-end.jsonl", "r");
	size_t len;

	(void)state;
	assert_non_null(file);
	len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_false(stream_parse(&s, bytes, len));
	assert_false(stream_parse(&kept, bytes, s.bytes));
	assert_int_equal(kept.records, s.records);
	stream_free(&s);
	stream_free(&kept);
}

static void stream_parse__takes_a_line_of_exactly_the_limit(void **state)
{
	char line[RECORD_LINE_MAX + 1], bytes[2 * RECORD_LINE_MAX];
	struct stream s;

	(void)state;
	for (int extra = 0; extra <= 1; extra++) {
		static const char head[] = "{\"type\":\"note\",\"text\":\"";
		size_t len = RECORD_LINE_MAX + (size_t)extra;

		memset(line, 'x', sizeof(line));
		memcpy(line, head, strlen(head));
		memcpy(line + len - 3, "\"}\n", 3);
		memcpy(bytes, RUN, strlen(RUN));
		memcpy(bytes + strlen(RUN), line, len);
		stream_parse(&s, bytes, strlen(RUN) + len);
		assert_int_equal(s.note_count, extra ? 0 : 1);
		stream_free(&s);
	}
}

static void stream_parse__takes_both_ends_of_the_integer_range(void **state)
{
	static const char text[] =
		RUN "{\"type\":\"step\",\"event\":\"begin\",\"step\":\"a\","
		    "\"verb\":\"probe\",\"probe\":\"a\",\"params\":\"\","
		    "\"timeout_s\":1,\"time_ns\":0}\n"
		    "{\"type\":\"sample\",\"step\":\"a\",\"probe\":\"a\","
		    "\"repetition\":0,\"time_ns\":0,"
		    "\"low\":-9223372036854775808,"
		    "\"high\":9223372036854775807}\n";
	struct stream s;
	int64_t value = 0;

	(void)state;
	stream_parse(&s, text, strlen(text));
	assert_int_equal(s.sample_count, 1);
	assert_true(stream_value(&s, &s.samples[0], "low", &value));
	assert_true(value == INT64_MIN);
	assert_true(stream_value(&s, &s.samples[0], "high", &value));
	assert_true(value == INT64_MAX);
	assert_false(stream_value(&s, &s.samples[0], "none", &value));
	assert_true(value == INT64_MAX);
	stream_free(&s);
}

static void stream_parse__makes_its_message_harmless(void **state)
{
	static const char text[] = "{\"\x1b]0;title\x07\"\x1b:1}\n";
	struct stream s;

	(void)state;
	assert_false(stream_parse(&s, text, strlen(text)));
	assert_null(strchr(s.problem, '\x1b'));
	assert_null(strchr(s.problem, '\x07'));
	stream_free(&s);
}

static void stream_parse__survives_deep_nesting(void **state)
{
	char text[4000];
	struct stream s;

	(void)state;
	memset(text, '[', sizeof(text));
	memcpy(text, "{\"a\":", 5);
	memcpy(text + sizeof(text) - 2, "}\n", 2);
	assert_false(stream_parse(&s, text, sizeof(text)));
	stream_free(&s);
}

static void stream_read__refuses_what_is_no_regular_file(void **state)
{
	char *path = boots_path("link");
	struct stream s;

	(void)state;
	assert_int_equal(stream_read(&s, boots_dir), -EISDIR);
	stream_free(&s);

	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_int_equal(stream_read(&s, path), -ELOOP);
	assert_non_null(strstr(s.problem, "is a link"));
	stream_free(&s);
	unlink(path);

	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(stream_read(&s, path), -EINVAL);
	stream_free(&s);
	unlink(path);

	assert_int_equal(stream_read(&s, path), -ENOENT);
	stream_free(&s);
	free(path);
}

static void stream_read__refuses_a_file_that_is_too_large(void **state)
{
	char *path = boots_path("large");
	struct stream s;

	(void)state;
	fclose(boots_open(".", "large"));
	assert_int_equal(truncate(path, RECORD_STREAM_MAX + 1), 0);
	assert_int_equal(stream_read(&s, path), -EFBIG);
	stream_free(&s);
	free(path);
}

static void series_read__leaves_warm_ups_out_and_marks_the_capped(void **state)
{
	struct series series;
	struct stream s;

	(void)state;
	read_good(&s, "good.jsonl");
	series_read(&s, series_find(&s, "readiness", "ready_ns"), false,
		    &series);
	assert_int_equal(series.count, 11);
	assert_int_equal(series.warmup_count, 1);
	assert_int_equal(series.capped_count, 1);
	assert_true(series.value[0] == 71000);
	assert_true(series.value[8] == 175000000 && series.capped[8]);
	assert_false(series.capped[7]);
	series_free(&series);

	series_read(&s, series_find(&s, "readiness", "ready_ns"), true,
		    &series);
	assert_int_equal(series.count, 12);
	assert_true(series.value[0] == 9992000);
	series_free(&series);
	stream_free(&s);
}

/* 50 in 205, 210 and 240 ms; a window of 0 gives no value. */
static void series_read__divides_a_rate(void **state)
{
	struct series series;
	struct stream s;

	(void)state;
	read_good(&s, "good.jsonl");
	series_read(&s, series_find(&s, "netns_churn", "rate_per_s"), false,
		    &series);
	assert_int_equal(series.count, 3);
	assert_float_equal(series.value[0], 243.9024390, 1e-6);
	assert_float_equal(series.value[1], 238.0952381, 1e-6);
	assert_float_equal(series.value[2], 208.3333333, 1e-6);
	series_free(&series);
	stream_free(&s);
}

static void series_find__knows_only_what_was_declared(void **state)
{
	struct stream s;

	(void)state;
	read_good(&s, "good.jsonl");
	assert_non_null(series_find(&s, "readiness", "tries"));
	assert_null(series_find(&s, "readiness", "errno"));
	assert_null(series_find(&s, "rt6_probe", "tries"));
	stream_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stream_read__takes_every_kind_of_record),
		cmocka_unit_test(stream_read__takes_a_stream_without_steps),
		cmocka_unit_test(stream_read__takes_the_run_of_a_command),
		cmocka_unit_test(stream_read__keeps_what_a_step_says),
		cmocka_unit_test(stream_read__takes_a_trace),
		cmocka_unit_test(stream_read__refuses_and_says_where_and_why),
		cmocka_unit_test(
			stream_read__keeps_what_came_before_the_bad_line),
		cmocka_unit_test(
			stream_parse__does_not_call_its_own_prefix_complete),
		cmocka_unit_test(
			stream_parse__takes_a_line_of_exactly_the_limit),
		cmocka_unit_test(
			stream_parse__takes_both_ends_of_the_integer_range),
		cmocka_unit_test(stream_parse__makes_its_message_harmless),
		cmocka_unit_test(stream_parse__survives_deep_nesting),
		BOOT_CASE(stream_read__refuses_what_is_no_regular_file),
		BOOT_CASE(stream_read__refuses_a_file_that_is_too_large),
		cmocka_unit_test(
			series_read__leaves_warm_ups_out_and_marks_the_capped),
		cmocka_unit_test(series_read__divides_a_rate),
		cmocka_unit_test(series_find__knows_only_what_was_declared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
