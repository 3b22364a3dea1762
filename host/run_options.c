// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_options.c - the command line of `kverdict run`
 *
 * run-qemu.sh is the interface for people; this one is for it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "parse.h"
#include "run.h"

#define TIMEOUT_S_MAX (30u * 86400)
#define JOBS_MAX      1024
#define SEEDS_MAX     10000
#define SEED_MAX      INT64_MAX /* it is a number in a record */

enum option_id {
	OPT_BOOT_TIMEOUT = 256,
	OPT_COMMAND,
	OPT_DETERMINISTIC,
	OPT_DIR,
	OPT_DISK_TEMPLATE,
	OPT_DRY_RUN,
	OPT_FACT,
	OPT_GDB,
	OPT_HELP,
	OPT_JOBS,
	OPT_KEEP_DISK,
	OPT_KVM,
	OPT_NUMBER,
	OPT_SCENARIO_FILE,
	OPT_SCENARIO_TIMEOUT,
	OPT_SEED,
	OPT_SEEDS,
	OPT_SHELL,
	OPT_SILENCE_TIMEOUT,
	OPT_TIMEOUT,
	OPT_UNIQUE,
	OPT_VERIFY,
};

static const struct {
	enum option_id id;
	const char *name, *value, *help;
} table[] = {
	{ OPT_DIR, "dir", "DIR", "the run directory to make" },
	{ OPT_UNIQUE, "unique", NULL,
	  "if DIR is taken, use DIR-2, DIR-3, ..." },
	{ OPT_DETERMINISTIC, "deterministic", NULL,
	  "QEMU runs on virtual time" },
	{ OPT_KVM, "kvm", NULL, "QEMU runs with KVM" },
	{ OPT_COMMAND, "command", NULL, "the guest runs a command" },
	{ OPT_DISK_TEMPLATE, "disk-template", "FILE",
	  "an empty results disk, copied for each boot" },
	{ OPT_SCENARIO_FILE, "scenario-file", "FILE",
	  "its text, for run.json" },
	{ OPT_SCENARIO_TIMEOUT, "scenario-timeout", "S",
	  "the sum of its deadlines" },
	{ OPT_SEED, "seed", "N", "what @SEED@ stands for (1)" },
	{ OPT_SEEDS, "seeds", "A-B", "one boot for each seed" },
	{ OPT_JOBS, "jobs", "N", "that many boots at once (1)" },
	{ OPT_VERIFY, "verify", NULL, "boot twice and compare the records" },
	{ OPT_TIMEOUT, "timeout", "S", "the whole run" },
	{ OPT_BOOT_TIMEOUT, "boot-timeout", "S", "until /init is reached" },
	{ OPT_SILENCE_TIMEOUT, "silence-timeout", "S",
	  "without anything new from the guest" },
	{ OPT_KEEP_DISK, "keep-disk", NULL, "keep results.img" },
	{ OPT_SHELL, "shell", NULL, "the console is this terminal" },
	{ OPT_GDB, "gdb", NULL, "QEMU waits for gdb: no timeouts" },
	{ OPT_DRY_RUN, "dry-run", NULL,
	  "check the options, print QEMU's command line, boot nothing" },
	{ OPT_FACT, "fact", "KEY=TEXT", "goes into run.json" },
	{ OPT_NUMBER, "number", "KEY=N", "goes into run.json" },
	{ OPT_HELP, "help", NULL, "show this" },
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

static void usage(FILE *out)
{
	fprintf(out, "Usage: kverdict run [option...] --dir DIR -- QEMU "
		     "[argument...]\n\n");
	for (size_t i = 0; i < TABLE_SIZE; i++)
		fprintf(out, "  --%-17s %-8s  %s\n", table[i].name,
			table[i].value ? table[i].value : "", table[i].help);
	fprintf(out,
		"\n@SEED@ in an argument stands for the seed.  For people: "
		"see run-qemu.sh --help.\n");
}

static uint64_t number(const char *option, const char *text, uint64_t min,
		       uint64_t max)
{
	uint64_t value;

	if (!parse_u64(&value, text, min, max))
		die(STATUS_USAGE, "--%s %s: not a number from %ju to %ju",
		    option, text, (uintmax_t)min, (uintmax_t)max);
	return value;
}

static void parse_seeds(struct run_options *o, char *text)
{
	char *last = strchr(text, '-');

	if (!last)
		die(STATUS_USAGE, "--seeds %s: give it as FIRST-LAST", text);
	*last++ = '\0';
	o->seed = number("seeds", text, 0, SEED_MAX);
	o->last_seed = number("seeds", last, 0, SEED_MAX);
	if (o->last_seed < o->seed || o->last_seed - o->seed >= SEEDS_MAX)
		die(STATUS_USAGE,
		    "--seeds %s-%s: give 1 to %d seeds, the lower one first",
		    text, last, SEEDS_MAX);
	o->ensemble = true;
}

static void parse_fact(struct run_options *o, char *text, bool is_number)
{
	char *value = strchr(text, '=');
	json_t *json;

	if (!value)
		die(STATUS_USAGE, "--fact %s: give it as KEY=VALUE", text);
	*value++ = '\0';
	if (is_number)
		json = json_integer(
			(json_int_t)number(text, value, 0, INT64_MAX));
	else
		json = json_string(value);
	/* No string: the value is not UTF-8, as a path may be. */
	if (!json)
		json = json_string("(not UTF-8)");
	if (json_object_set_new(o->facts, text, json) < 0)
		die(STATUS_USAGE, "--fact %s: the key is not UTF-8", text);
}

static void parse_one(struct run_options *o, enum option_id id, char *value)
{
	switch (id) {
	case OPT_DIR:
		o->dir = value;
		break;
	case OPT_DISK_TEMPLATE:
		o->disk_template = value;
		break;
	case OPT_DRY_RUN:
		o->dry_run = true;
		break;
	case OPT_UNIQUE:
		o->unique = true;
		break;
	case OPT_DETERMINISTIC:
		o->deterministic = true;
		break;
	case OPT_KVM:
		o->kvm = true;
		break;
	case OPT_COMMAND:
		o->command = true;
		break;
	case OPT_SCENARIO_FILE:
		o->scenario_file = value;
		break;
	case OPT_SCENARIO_TIMEOUT:
		o->scenario_timeout_s =
			number("scenario-timeout", value, 0, UINT32_MAX);
		break;
	case OPT_SEED:
		o->seed = o->last_seed = number("seed", value, 0, SEED_MAX);
		break;
	case OPT_SEEDS:
		parse_seeds(o, value);
		break;
	case OPT_JOBS:
		o->jobs = number("jobs", value, 1, JOBS_MAX);
		break;
	case OPT_VERIFY:
		o->verify = true;
		break;
	case OPT_TIMEOUT:
		o->total_s = number("timeout", value, 1, TIMEOUT_S_MAX);
		break;
	case OPT_BOOT_TIMEOUT:
		o->boot_s = number("boot-timeout", value, 1, TIMEOUT_S_MAX);
		break;
	case OPT_SILENCE_TIMEOUT:
		o->silence_s =
			number("silence-timeout", value, 1, TIMEOUT_S_MAX);
		break;
	case OPT_KEEP_DISK:
		o->keep_disk = true;
		break;
	case OPT_SHELL:
		o->shell = true;
		break;
	case OPT_GDB:
		o->gdb = true;
		break;
	case OPT_FACT:
	case OPT_NUMBER:
		parse_fact(o, value, id == OPT_NUMBER);
		break;
	case OPT_HELP:
		usage(stdout);
		exit(STATUS_GOOD);
	}
}

/*
 * How much slower than KVM a guest may be before a timeout says something about
 * it: plain TCG needed up to 3 times, virtual time up to 6 times as long.
 */
static void default_timeouts(struct run_options *o)
{
	uint64_t factor = o->kvm ? 1 : o->deterministic ? 6 : 3;
	uint64_t total_s = 60 + o->scenario_timeout_s;

	o->factor = factor;
	if (total_s < 600)
		total_s = 600;
	if (!o->boot_s)
		o->boot_s = 60 * factor;
	if (!o->silence_s)
		o->silence_s = 120 * factor;
	if (!o->total_s)
		o->total_s = total_s * factor;
}

void run_parse(struct run_options *o, int argc, char **argv)
{
	struct option options[TABLE_SIZE + 1] = { 0 };
	int id;

	memset(o, 0, sizeof(*o));
	o->seed = o->last_seed = 1;
	o->facts = json_object();
	for (size_t i = 0; i < TABLE_SIZE; i++) {
		options[i].name = table[i].name;
		options[i].has_arg = table[i].value != NULL;
		options[i].val = (int)table[i].id;
	}
	while ((id = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (id == '?')
			die(STATUS_USAGE, "see kverdict run --help");
		parse_one(o, (enum option_id)id, optarg);
	}
	o->qemu = argv + optind;
	if (!o->dir || optind == argc)
		die(STATUS_USAGE, "give --dir DIR, and QEMU's command line "
				  "after --: see kverdict run --help");
	if ((o->ensemble || o->verify) && !o->deterministic)
		die(STATUS_USAGE, "--seeds and --verify need --deterministic: "
				  "in real time no two boots are equal");
	if ((o->ensemble || o->verify) && (o->shell || o->gdb || o->command))
		die(STATUS_USAGE, "--seeds and --verify boot a scenario, not "
				  "a shell, a command or for gdb");
	if (o->ensemble && o->verify)
		die(STATUS_USAGE, "give either --seeds or --verify");
	if (o->jobs && !o->ensemble && !o->verify)
		die(STATUS_USAGE, "--jobs needs --seeds or --verify: one boot "
				  "is one job");
	if (!o->jobs)
		o->jobs = 1;
	default_timeouts(o);
}
