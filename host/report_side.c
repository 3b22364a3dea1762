// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_side.c - what booted on one side, where, and how to do it again
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "report.h"

static void put_fact(FILE *out, const char *name, const char *text)
{
	if (!text || !text[0])
		return;
	fputs("<dt>", out);
	markup_text(out, name);
	fputs("</dt><dd>", out);
	markup_text(out, text);
	fputs("</dd>\n", out);
}

static void put_guest(FILE *out, const struct stream_run *r)
{
	char mem[UNITS_SIZE];
	char *text;

	units_format(mem, (double)r->mem_kib, UNIT_KIB);
	text = xprintf("%" PRId64 " CPU%s, %s, clocksource %s", r->cpus,
		       r->cpus == 1 ? "" : "s", mem, r->clocksource);
	put_fact(out, "guest", text);
	put_fact(out, "kernel parameters", r->cmdline);
	free(text);
}

static void put_host(FILE *out, const struct rundir *run)
{
	const char *cpu = rundir_text(run, "host_cpu");
	char *text =
		xprintf("%.0f CPUs, %s", rundir_number(run, "host_cpus", 0),
			cpu ? cpu : "unknown");

	put_fact(out, "host", text);
	free(text);
}

static void put_environment(FILE *out, const struct rundir *run)
{
	static const struct {
		const char *name, *key;
	} facts[] = {
		{ "kernel", "kernel_release" },
		{ "kernel file", "kernel_path" },
		{ "sha256", "kernel_sha256" },
		{ "modules", "modules" },
		{ "scenario", "scenario" },
		{ "mode", "mode" },
		{ "QEMU", "qemu_version" },
		{ "accelerator", "accelerator" },
		{ "image's sha256", "image_sha256" },
		{ "commit of kverdict", "commit" },
		{ "begun", "begin" },
	};

	fputs("<dl>\n", out);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		put_fact(out, facts[i].name, rundir_text(run, facts[i].key));
	if (run->stream.has_run)
		put_guest(out, &run->stream.run);
	put_host(out, run);
	fputs("</dl>\n", out);
}

static const char *result_of(const struct stream_step *step)
{
	return step->result == RESULT_NONE ? "did not end"
					   : record_results[step->result];
}

static void put_trouble(FILE *out, const struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct stream *s = &runs->run[i].stream;

		if (!s->complete) {
			fputs("<li>", out);
			markup_printf(out, "%s is incomplete and left out: %s",
				      runs->run[i].path, s->problem);
			fputs("</li>\n", out);
			continue;
		}
		for (size_t k = 0; k < s->step_count; k++) {
			if (s->steps[k].result == RESULT_PASS)
				continue;
			fputs("<li>", out);
			markup_printf(out, "seed %" PRId64 ": %s: %s: %s",
				      s->run.seed, s->steps[k].name,
				      result_of(&s->steps[k]),
				      s->steps[k].reason);
			fputs("</li>\n", out);
		}
	}
}

/* A word as a shell reads it back. */
static char *quoted(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=./,:@%";
	char *text = xprintf("'"), *longer;

	if (word[0] && !word[strspn(word, plain)]) {
		free(text);
		return xprintf("%s", word);
	}
	for (const char *c = word; *c; c++) {
		longer = *c == '\'' ? xprintf("%s'\\''", text)
				    : xprintf("%s%c", text, *c);
		free(text);
		text = longer;
	}
	longer = xprintf("%s'", text);
	free(text);
	return longer;
}

static void put_word(FILE *out, const char *option, const char *word)
{
	char *text;

	if (!word || !word[0])
		return;
	text = quoted(word);
	markup_printf(out, "%s%s%s", option, option[0] ? " " : "", text);
	fputc(' ', out);
	free(text);
}

/* What run-qemu.sh puts behind the seed is what --append gave it. */
static const char *appended(const struct rundir *run)
{
	const json_t *argv = json_object_get(run->info, "qemu_argv");
	const char *line = NULL, *seed, *rest;

	for (size_t i = 0; i + 1 < json_array_size(argv); i++) {
		const char *word = json_string_value(json_array_get(argv, i));

		if (word && !strcmp(word, "-append"))
			line = json_string_value(json_array_get(argv, i + 1));
	}
	seed = line ? strstr(line, " kv.seed=") : NULL;
	rest = seed ? strchr(seed + 1, ' ') : NULL;
	return rest ? rest + 1 : NULL;
}

static bool seeds_follow(const struct runs *runs)
{
	for (size_t i = 1; i < runs->count; i++)
		if (runs->run[i].stream.run.seed !=
		    runs->run[i - 1].stream.run.seed + 1)
			return false;
	return true;
}

/* One line for all seeds where they follow one another, else one for each. */
static void put_boot(FILE *out, const struct runs *runs, size_t from, size_t to)
{
	const struct rundir *run = &runs->run[from];
	const char *mode = rundir_text(run, "mode");
	bool deterministic = mode && !strcmp(mode, "deterministic");
	char *number;

	fputs("./run-qemu.sh ", out);
	if (deterministic)
		fputs("--deterministic ", out);
	else
		put_word(out, "--accel", rundir_text(run, "accelerator"));
	put_word(out, "--scenario", rundir_text(run, "scenario"));
	number = xprintf("%.0f", rundir_number(run, "smp", 2));
	put_word(out, "--smp", number);
	free(number);
	number = xprintf("%.0f", rundir_number(run, "mem_mib", 1024));
	put_word(out, "--mem", number);
	free(number);
	put_word(out, "--append", appended(run));
	put_word(out, "--modules", rundir_text(run, "modules"));
	if (from == to)
		fprintf(out, "--seed %" PRId64 " ", run->stream.run.seed);
	else
		fprintf(out, "--seeds %" PRId64 "-%" PRId64 " ",
			run->stream.run.seed, runs->run[to].stream.run.seed);
	put_word(out, "", rundir_text(run, "kernel_path"));
	fputc('\n', out);
}

static void put_scenario(FILE *out, const struct rundir *run)
{
	const char *text = rundir_text(run, "scenario_text");
	char *copy, *rest, *line;

	if (!text)
		return;
	fputs("<details open=\"\"><summary>The scenario</summary><pre>", out);
	rest = copy = xprintf("%s", text);
	while ((line = strsep(&rest, "\n"))) {
		markup_text(out, line);
		fputc('\n', out);
	}
	fputs("</pre></details>\n", out);
	free(copy);
}

static void put_qemu(FILE *out, const struct rundir *run)
{
	const json_t *argv = json_object_get(run->info, "qemu_argv");

	if (!json_array_size(argv))
		return;
	fputs("<details><summary>QEMU's words in the first boot</summary>"
	      "<pre>",
	      out);
	for (size_t i = 0; i < json_array_size(argv); i++)
		put_word(out, "", json_string_value(json_array_get(argv, i)));
	fputs("</pre></details>\n", out);
}

static void put_repeat(FILE *out, const struct runs *runs)
{
	const struct rundir *run = &runs->run[0];
	char path[PATH_MAX], *script;

	if (!run->info)
		return;
	fputs("<h4>To repeat it</h4>\n<pre>", out);
	if (rundir_text(run, "command"))
		fputs("# a command ran in the guest, see the scenario\n", out);
	else if (runs->count > 1 && seeds_follow(runs) &&
		 run->stream.run.mode == MODE_DETERMINISTIC)
		put_boot(out, runs, 0, runs->count - 1);
	else
		for (size_t i = 0; i < runs->count; i++)
			put_boot(out, runs, i, i);
	fputs("</pre>\n<p class=\"note\">Or one boot without this project, to "
	      "the byte in deterministic mode: <code>sh ",
	      out);
	script = xprintf("%s/qemu-cmd",
			 realpath(run->path, path) ? path : run->path);
	put_word(out, "", script);
	free(script);
	fputs("</code></p>\n", out);
	put_scenario(out, run);
	put_qemu(out, run);
}

void report_side(FILE *out, const struct side *side, size_t number)
{
	char *seeds = runs_seeds(&side->runs);

	fprintf(out,
		"<section class=\"env\"><h3><span class=\"side "
		"s%zu\">%c</span> ",
		number, report_letter(number));
	markup_text(out, side->label);
	fputs("</h3>\n<p>", out);
	markup_printf(out, "%zu boot%s, seeds %s", side->runs.count,
		      side->runs.count == 1 ? "" : "s",
		      seeds[0] ? seeds : "none complete");
	fputs("</p>\n<ul class=\"trouble\">\n", out);
	put_trouble(out, &side->runs);
	fputs("</ul>\n", out);
	put_environment(out, &side->runs.run[0]);
	put_repeat(out, &side->runs);
	fputs("</section>\n", out);
	free(seeds);
}
