// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * boots.c - a folder for each test, and run directories of one step in it
 */
#include "boots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32.h"
#include "die.h"
#include "jsonw.h"

char boots_dir[] = "/tmp/kverdict-test.XXXXXX";
char *boots_shown;
static size_t shown_len;

const struct boot boot_common = {
	.kernel = "abcdef",
	.mode = "deterministic",
	.image = "1234",
	.modules = "",
	.commit = "c46489b",
	.qemu = "10.0.2",
	.mem_mib = 1024,
	.values = BOOT_VALUES,
	.ready_ns = { 1000, 2000, 3000, 4000 },
	.result = "pass",
};

FILE *boots_open(const char *folder, const char *name)
{
	char *path = xprintf("%s/%s/%s", boots_dir, folder, name);
	FILE *file = fopen(path, "w");

	free(path);
	assert_non_null(file);
	return file;
}

static void add(FILE *file, struct jsonw *w, uint32_t *crc)
{
	assert_true(jsonw_end(w));
	*crc = record_crc32(*crc, w->line, w->len);
	fputs(w->line, file);
}

static void write_run_record(FILE *file, const struct boot *b, uint32_t *crc)
{
	struct jsonw w;
	char *cmdline = xprintf("quiet kv.seed=%" PRIu64 " kv.disk=1", b->seed);

	jsonw_begin(&w, "run");
	jsonw_u64(&w, "record_version", 1);
	jsonw_str(&w, "kernel", "6.12.117");
	jsonw_str(&w, "scenario", "r1-readiness");
	jsonw_str(&w, "mode", b->mode);
	jsonw_u64(&w, "seed", b->seed);
	jsonw_u64(&w, "cpus", 2);
	jsonw_u64(&w, "mem_kib", 987654);
	jsonw_str(&w, "clocksource", "tsc");
	jsonw_u64(&w, "steps", 1);
	jsonw_u64(&w, "may_skip", 0);
	jsonw_u64(&w, "disk", 1);
	jsonw_str(&w, "cmdline", cmdline);
	add(file, &w, crc);
	free(cmdline);
}

static void write_step(FILE *file, const char *event, const char *result,
		       uint32_t *crc)
{
	struct jsonw w;

	jsonw_begin(&w, "step");
	jsonw_str(&w, "event", event);
	jsonw_str(&w, "step", "ready");
	jsonw_str(&w, "verb", "probe");
	jsonw_str(&w, "probe", "readiness");
	jsonw_str(&w, "params", "cpu=0");
	jsonw_u64(&w, "timeout_s", 60);
	jsonw_u64(&w, "time_ns", 1);
	jsonw_u64(&w, "duration_ns", 1);
	jsonw_str(&w, "result", result);
	jsonw_str(&w, "cause", "other");
	jsonw_str(&w, "reason", "it \x1b[31mbroke");
	add(file, &w, crc);
}

static void write_samples(FILE *file, const struct boot *b, uint32_t *crc)
{
	struct jsonw w;

	jsonw_begin(&w, "metric");
	jsonw_str(&w, "step", "ready");
	jsonw_str(&w, "probe", "readiness");
	jsonw_str(&w, "metric", "ready_ns");
	jsonw_str(&w, "better", "lower");
	add(file, &w, crc);
	for (size_t i = 0; i < b->values; i++) {
		jsonw_begin(&w, "sample");
		jsonw_str(&w, "step", "ready");
		jsonw_str(&w, "probe", "readiness");
		jsonw_u64(&w, "repetition", i);
		jsonw_u64(&w, "time_ns", i);
		if (i < b->warmups)
			jsonw_u64(&w, "warmup", 1);
		if (b->capped[i])
			jsonw_u64(&w, "capped", 1);
		jsonw_u64(&w, "ready_ns", b->ready_ns[i]);
		add(file, &w, crc);
	}
}

static void write_records(const struct boot *b)
{
	FILE *file = boots_open(b->name, "records.jsonl");
	uint32_t crc = 0;

	write_run_record(file, b, &crc);
	write_step(file, "begin", b->result, &crc);
	write_samples(file, b, &crc);
	write_step(file, "end", b->result, &crc);
	if (!b->torn)
		fprintf(file,
			"{\"type\":\"end\",\"records\":%zu,"
			"\"crc32\":\"%08" PRIx32 "\"}\n",
			b->values + 4, crc);
	fclose(file);
}

static void write_info(const struct boot *b)
{
	FILE *file = boots_open(b->name, "run.json");

	fprintf(file,
		"{\"kernel_path\": \"/boot/vmlinuz\", \"kernel_sha256\": "
		"\"%s\", \"image_sha256\": \"%s\", \"modules\": \"%s\", "
		"\"commit\": \"%s\", \"qemu_version\": \"%s\", "
		"\"accelerator\": \"tcg\", \"mode\": \"%s\", "
		"\"scenario_text\": \"probe readiness\", \"smp\": 2, "
		"\"mem_mib\": %" PRIu64 "}\n",
		b->kernel, b->image, b->modules, b->commit, b->qemu, b->mode,
		b->mem_mib);
	fclose(file);
}

char *boots_path(const char *name)
{
	return xprintf("%s/%s", boots_dir, name);
}

void boots_make(struct boot b)
{
	char *path = boots_path(b.name);

	mkdir(path, 0755);
	free(path);
	write_records(&b);
	write_info(&b);
}

struct boot boots_make_a(void)
{
	struct boot b = boot_common;

	b.name = "a";
	b.seed = 1;
	boots_make(b);
	b.name = "b";
	b.seed = 2;
	for (size_t i = 0; i < BOOT_VALUES; i++)
		b.ready_ns[i] *= 2;
	return b;
}

void boots_copy(const char *name, const char *stream)
{
	char *line = xprintf("mkdir %s/%s && cp tests/data/streams/%s "
			     "%s/%s/records.jsonl",
			     boots_dir, name, stream, boots_dir, name);

	assert_int_equal(system(line), 0);
	free(line);
}

FILE *boots_show(void)
{
	FILE *file;

	free(boots_shown);
	file = open_memstream(&boots_shown, &shown_len);
	assert_non_null(file);
	return file;
}

void assert_shows(const char *part)
{
	if (!strstr(boots_shown, part))
		fail_msg("\"%s\" is not in:\n%s", part, boots_shown);
}

int boots_begin(void **state)
{
	(void)state;
	strcpy(boots_dir + strlen(boots_dir) - 6, "XXXXXX");
	return mkdtemp(boots_dir) ? 0 : -1;
}

int boots_end(void **state)
{
	char *line = xprintf("rm -r %s", boots_dir);
	int status = system(line);

	(void)state;
	free(line);
	free(boots_shown);
	boots_shown = NULL;
	return status;
}
