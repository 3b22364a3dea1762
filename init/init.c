// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * init.c - PID 1 of the guest: runs a scenario, and ends the guest
 *
 * main() is the table of contents.  The process that must not die holds the
 * least code: whatever may hang or crash runs in a child with a deadline.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "cmdline.h"
#include "command.h"
#include "console.h"
#include "cpus.h"
#include "disk.h"
#include "file.h"
#include "filesystems.h"
#include "modules.h"
#include "records.h"
#include "results.h"
#include "scenario.h"
#include "step.h"

#define SYNC_TIMEOUT_S	 10
#define REBOOT_TIMEOUT_S 20

static struct options options;
static struct scenario scenario;
static char cmdline[RECORD_LINE_MAX]; /* empty until it was read */
static bool disk, mirror;

static int do_sync(const void *arg)
{
	(void)arg;
	sync();
	return 0;
}

/* Not RB_POWER_OFF: without a power-off driver the kernel turns it into a halt
 * (kernel/reboot.c), and QEMU never ends.
 */
static int do_reboot(const void *arg)
{
	(void)arg;
	reboot(RB_AUTOBOOT);
	return errno;
}

static noreturn void end_guest(void)
{
	children_kill_all();
	child_call(do_sync, NULL, SYNC_TIMEOUT_S);
	console_drain();
	child_call(do_reboot, NULL, REBOOT_TIMEOUT_S);
	/* A driver's shutdown hangs: this one asks none of them. */
	file_write("/proc/sysrq-trigger", "b");
	/* No child could be had, and there is no /proc. */
	do_reboot(NULL);
	for (;;)
		pause();
}

static const char *run_name(void)
{
	return options.task == TASK_COMMAND ? "command"
	       : options.task == TASK_SHELL ? "shell"
					    : options.scenario;
}

static void write_run_record(void)
{
	struct run_info info = {
		.kernel = "unknown",
		.scenario = run_name(),
		.mode = record_modes[options.mode],
		.seed = options.seed,
		.cpus = cpus_online(),
		.steps = options.task == TASK_COMMAND ? 1 : scenario.count,
		.may_skip = scenario.may_skip,
		.disk = disk,
		.cmdline = cmdline[0] ? cmdline : "(no /proc)",
	};
	char clocksource[64];
	struct utsname name;
	struct sysinfo memory;

	if (!uname(&name))
		info.kernel = name.release;
	if (!sysinfo(&memory))
		info.mem_kib =
			(uint64_t)memory.totalram * memory.mem_unit / 1024;
	if (!file_read_line("/sys/devices/system/clocksource/clocksource0/"
			    "current_clocksource",
			    clocksource, sizeof(clocksource)))
		strcpy(clocksource, "unknown");
	info.clocksource = clocksource;
	records_run(&info);
}

/**
 * fatal() - say why the guest cannot do what was asked, and end it
 * @fmt:	the action, its object and the reason, no newline
 *
 * The stream has a note then, and no `end`.
 */
__attribute__((format(printf, 1, 2))) static noreturn void fatal(
	const char *fmt, ...)
{
	char text[400];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);

	console_say("init: fatal: %s", text);
	records_note(NULL, "fatal: %s", text);
	if (!records_has_run())
		write_run_record();
	results_flush();
	end_guest();
}

/* The second archive has all but the seed, for a kernel without /proc. */
static void read_options(void)
{
	char text[RECORD_LINE_MAX], error[256];

	cmdline_defaults(&options);
	if (file_read("/kv/cmdline", text, sizeof(text)) > 0 &&
	    !cmdline_parse(&options, text, error, sizeof(error)))
		fatal("/kv/cmdline: %s", error);

	if (!file_read_line("/proc/cmdline", text, sizeof(text))) {
		records_note(NULL, "no /proc/cmdline: the seed is %llu",
			     (unsigned long long)options.seed);
		return;
	}
	strcpy(cmdline, text);
	if (!cmdline_parse(&options, cmdline, error, sizeof(error)))
		fatal("kernel command line: %s", error);
}

static void read_scenario(void)
{
	/* One byte more than allowed, so that too long a file is seen. */
	static char text[SCENARIO_SIZE_MAX + 2];
	struct scenario_error error;
	char path[SCENARIO_NAME_MAX + 32];
	ssize_t len;

	if (options.task != TASK_SCENARIO)
		return;
	snprintf(path, sizeof(path), "/scenarios/%s.scenario",
		 options.scenario);
	len = file_read(path, text, sizeof(text));
	if (len < 0)
		fatal("read %s: %s", path, strerror((int)-len));
	if (!scenario_parse(&scenario, text, (size_t)len, &error)) {
		memset(&scenario, 0, sizeof(scenario));
		fatal("%s:%u: %s", path, error.line, error.text);
	}
}

static void open_mirror(void)
{
	mirror = results_open();
	if (!mirror)
		records_note(NULL, "no second serial port: the records are on "
				   "the results disk alone");
}

static void begin_run(void)
{
	struct utsname name = { .release = "?" };

	/* A shell writes no record that is worth a disk. */
	disk = options.disk && options.task != TASK_SHELL && disk_possible();
	write_run_record();
	results_flush();
	/* Cannot fail: the address is valid. */
	uname(&name);
	console_say(RECORD_INIT_TEXT "%s, %s, seed %llu, %s", name.release,
		    run_name(), (unsigned long long)options.seed,
		    record_modes[options.mode]);
	console_say("KTAP version 1");
	console_say("1..%zu",
		    options.task == TASK_COMMAND ? (size_t)1 : scenario.count);
	results_flush();
}

static void run_task(void)
{
	switch (options.task) {
	case TASK_SCENARIO:
		steps_run(&scenario, options.seed);
		break;
	case TASK_COMMAND:
		command_run();
		break;
	case TASK_SHELL:
		shell_run();
		break;
	}
}

static void end_run(void)
{
	children_kill_all();
	results_end();
	results_flush();
	if (!disk)
		return;
	if (!mirror)
		console_say(RECORD_PLUG_TEXT);
	disk_write_results();
}

int main(int argc, char **argv)
{
	if (getpid() != 1 || (argc > 1 && !strcmp(argv[1], "--check")))
		return check_main(argc, argv);

	filesystems_mount();
	console_open();
	settings_write();
	cpus_pin_last();
	children_init();
	open_mirror();
	read_options();
	read_scenario();
	modules_load(options.task == TASK_SCENARIO ? &scenario : NULL);
	begin_run();
	run_task();
	end_run();
	end_guest();
}
