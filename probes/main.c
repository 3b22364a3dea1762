// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - the one program that holds every probe
 *
 * /init runs it once a step.  It is an ordinary program too: on a developer's
 * machine `probe NAME KEY=VALUE...` prints the samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctx.h"
#include "sched.h"

#define STATUS_USAGE 129

#define PROBE(name)	 extern const struct probe probe_##name;
#define ANTAGONIST(name) PROBE(name)
#define TRACER(name)	 PROBE(name)
#define TEST_PROBE(name) PROBE(name)
#include "probes.def"
#undef PROBE
#undef ANTAGONIST
#undef TRACER
#undef TEST_PROBE

static const struct entry {
	const struct probe *probe;
	enum probe_kind kind;
} entries[] = {
#define PROBE(name)	 { &probe_##name, KIND_PROBE },
#define ANTAGONIST(name) { &probe_##name, KIND_ANTAGONIST },
#define TRACER(name)	 { &probe_##name, KIND_TRACER },
#define TEST_PROBE(name) { &probe_##name, KIND_TEST },
#include "probes.def"
#undef PROBE
#undef ANTAGONIST
#undef TRACER
#undef TEST_PROBE
};

static const size_t entry_count = sizeof(entries) / sizeof(entries[0]);

static const struct entry *find(const char *name)
{
	for (size_t i = 0; i < entry_count; i++)
		if (!strcmp(entries[i].probe->name, name))
			return &entries[i];
	fprintf(stderr, "no probe is named %s: see `probe list`\n", name);
	return NULL;
}

static int list(void)
{
	static const char *const headings[] = {
		[KIND_PROBE] = "Probes",
		[KIND_ANTAGONIST] =
			"\nAntagonists, for `start` and `stop` in a scenario",
		[KIND_TRACER] = "\nTracers, run by trace= of a step",
		[KIND_TEST] = "\nProbes that misbehave to test the harness",
	};

	for (int kind = KIND_PROBE; kind <= KIND_TEST; kind++) {
		puts(headings[kind]);
		for (size_t i = 0; i < entry_count; i++)
			if (entries[i].kind == (enum probe_kind)kind)
				ctx_list(entries[i].probe);
	}
	puts("\nEvery probe also takes seed=N (0..2^63-1, default 1).");
	return 0;
}

static int check(const char *name, int count, char **words)
{
	struct probe_ctx ctx = { 0 };
	const struct entry *entry = find(name);

	if (!entry)
		return STATUS_USAGE;
	if (entry->kind == KIND_TRACER) {
		fprintf(stderr, "%s is no step: give one trace=\n", name);
		return STATUS_USAGE;
	}
	ctx.probe = entry->probe;
	return ctx_parse(&ctx, count, words) ? 0 : STATUS_USAGE;
}

/* Pin to the CPU asked for, or say why that cannot be. */
static enum probe_result pin(struct probe_ctx *ctx)
{
	int err;

	if (ctx->cpu == PROBE_ANY_CPU)
		return PROBE_PASS;
	if (!sched_cpu_usable(ctx->cpu))
		return probe_skip(ctx, CAUSE_OTHER,
				  "CPU %d is not there: %d can be used, give "
				  "the guest more with --smp",
				  ctx->cpu, ctx->cpus);
	err = sched_pin(ctx->cpu);
	if (err)
		return probe_fail(ctx, CAUSE_KERNEL, "pin to CPU %d: %s",
				  ctx->cpu, strerror(-err));
	return PROBE_PASS;
}

static int run(const struct entry *entry, int count, char **words)
{
	static struct probe_ctx ctx;
	enum probe_result result = PROBE_PASS;

	ctx.probe = entry->probe;
	if (!ctx_parse(&ctx, count, words))
		return STATUS_USAGE;

	/* The CPU of /init is inherited; a probe starts with all of them. */
	ctx.cpus = sched_use_all_cpus();
	if (entry->kind != KIND_ANTAGONIST)
		result = pin(&ctx);
	if (result == PROBE_PASS)
		result = ctx.probe->run(&ctx);
	if (ctx_write(&ctx))
		return (int)result;

	perror("write the samples");
	return PROBE_FAIL;
}

static int usage(void)
{
	fputs("Usage: probe NAME [KEY=VALUE...]        run a probe\n"
	      "       probe check NAME [KEY=VALUE...]  only check the words\n"
	      "       probe list                       show all probes\n",
	      stderr);
	return STATUS_USAGE;
}

int main(int argc, char **argv)
{
	const struct entry *entry;

	if (argc == 2 && !strcmp(argv[1], "list"))
		return list();
	if (argc >= 3 && !strcmp(argv[1], "check"))
		return check(argv[2], argc - 3, argv + 3);
	if (argc < 2)
		return usage();

	entry = find(argv[1]);
	if (!entry)
		return STATUS_USAGE;
	if (argc >= 3 && !strcmp(argv[2], "child") && entry->probe->child)
		return entry->probe->child(argc - 3, argv + 3);
	return run(entry, argc - 2, argv + 2);
}
