// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contrast_differ.c - what differs between two sides beside the values
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contrast.h"

#define SHA_SHOWN 12

/* Texts of run.json that may differ; rundir.c knows those that may not. */
static const struct {
	const char *key, *name;
} texts[] = {
	{ "kernel_release", "kernel" },
	{ "kernel_sha256", "kernel's sha256" },
	{ "kernel_path", "kernel file" },
	{ "modules", "modules" },
	{ "mode", "mode" },
	{ "accelerator", "accelerator" },
	{ "qemu_version", "QEMU" },
	{ "firmware_sha256", "firmware's sha256" },
	{ "image_sha256", "image's sha256" },
	{ "commit", "commit" },
	{ "scenario", "scenario" },
	{ "host_cpu", "host's CPU" },
};

static const struct {
	const char *key, *name;
} numbers[] = {
	{ "smp", "CPUs" },
	{ "mem_mib", "MiB of memory" },
	{ "host_cpus", "host's CPUs" },
};

/* Takes over both texts. */
static void add(struct contrast *c, const char *what, char *a, char *b)
{
	struct contrast_difference *d;

	text_clean(a);
	text_clean(b);
	if (!strcmp(a, b)) {
		free(a);
		free(b);
		return;
	}
	c->difference = xgrow(c->difference, c->differences + 1,
			      sizeof(*c->difference));
	d = &c->difference[c->differences++];
	*d = (struct contrast_difference){ .what = what, .a = a, .b = b };
}

static char *text_of(const struct rundir *run, const char *key)
{
	const char *text = rundir_text(run, key);
	bool sha = strstr(key, "sha256") != NULL;

	if (!text || !text[0])
		return xprintf("none");
	return xprintf("%.*s", sha ? SHA_SHOWN : (int)strlen(text), text);
}

static bool has_word(const char *line, const char *word)
{
	char *between = xprintf(" %s ", word);
	bool there = strstr(line, between) != NULL;

	free(between);
	return there;
}

/* The words of a command line that another has not. */
static char *own_words(const char *line, const char *other)
{
	char *copy = xprintf("%s", line), *rest = copy, *word;
	char *own = xprintf("%s", "");

	while ((word = strsep(&rest, " "))) {
		char *longer;

		if (!word[0] || has_word(other, word))
			continue;
		longer = xprintf("%s%s%s", own, own[0] ? " " : "", word);
		free(own);
		own = longer;
	}
	free(copy);
	if (own[0])
		return own;
	free(own);
	return xprintf("nothing more");
}

static void cmdline(struct contrast *c, const struct rundir *a,
		    const struct rundir *b)
{
	char *of_a = rundir_cmdline(a), *of_b = rundir_cmdline(b);

	if (a->stream.has_run && b->stream.has_run)
		add(c, "kernel parameters", own_words(of_a, of_b),
		    own_words(of_b, of_a));
	free(of_a);
	free(of_b);
}

static void guest(struct contrast *c, const struct stream_run *a,
		  const struct stream_run *b)
{
	add(c, "clocksource", xprintf("%s", a->clocksource),
	    xprintf("%s", b->clocksource));
	add(c, "KiB the guest has", xprintf("%" PRId64, a->mem_kib),
	    xprintf("%" PRId64, b->mem_kib));
}

void contrast_list_differences(struct contrast *c)
{
	const struct rundir *a = &c->a->runs.run[0], *b = &c->b->runs.run[0];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add(c, texts[i].name, text_of(a, texts[i].key),
		    text_of(b, texts[i].key));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		add(c, numbers[i].name,
		    xprintf("%.0f", rundir_number(a, numbers[i].key, 0)),
		    xprintf("%.0f", rundir_number(b, numbers[i].key, 0)));
	cmdline(c, a, b);
	if (a->stream.has_run && b->stream.has_run)
		guest(c, &a->stream.run, &b->stream.run);
	add(c, "seeds", runs_seeds(&c->a->runs), runs_seeds(&c->b->runs));
}
