// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run_console.c - what the kernel says about its own failure
 *
 * Nothing but failure marks is ever read out of the console: it is the one
 * channel that everybody in the guest writes to, and it has no checksum.
 */
#include "run_console.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"

#define KEEP_BYTES (1 << 20)

/*
 * The texts are those of Linux 4.19 to 7.x: kernel/panic.c, arch/x86/kernel/
 * (dumpstack.c, traps.c), arch/x86/mm/fault.c, lib/bug.c, kernel/rcu/
 * tree_stall.h, kernel/watchdog.c, kernel/hung_task.c, mm/oom_kill.c,
 * init/initramfs.c.  A line counts for the first that fits.
 */
static const struct {
	enum console_mark mark;
	const char *begin; /* how the message begins */
	const char *part;  /* what else is in it, or NULL */
} texts[] = {
	{ MARK_MEMORY, "Kernel panic - not syncing: ", "deadlocked on memory" },
	{ MARK_MEMORY, "Kernel panic - not syncing: ", "Out of memory" },
	{ MARK_PANIC, "Kernel panic - not syncing", NULL },
	{ MARK_STALL, "watchdog: BUG: soft lockup", NULL },
	{ MARK_STALL, "NMI watchdog: Watchdog detected hard LOCKUP", NULL },
	{ MARK_STALL, "watchdog: Watchdog detected hard LOCKUP", NULL },
	{ MARK_STALL, "INFO: task ", "blocked for more than" },
	{ MARK_STALL, "rcu: INFO: ", "detected" },
	{ MARK_STALL, "INFO: rcu_", "detected" },
	{ MARK_STALL, "BUG: workqueue lockup", NULL },
	{ MARK_OOPS, "BUG: unable to handle", NULL },
	{ MARK_OOPS, "BUG: kernel NULL pointer dereference", NULL },
	{ MARK_OOPS, "kernel BUG at ", NULL },
	{ MARK_OOPS, "general protection fault", "[#" },
	{ MARK_OOPS, "invalid opcode: ", "[#" },
	{ MARK_OOPS, "divide error: ", "[#" },
	{ MARK_OOPS, "stack segment: ", "[#" },
	{ MARK_OOPS, "int3: ", "[#" },
	{ MARK_OOPS, "Oops: ", NULL },
	{ MARK_OOM, "Out of memory: Kill", NULL },
	{ MARK_OOM, "Memory cgroup out of memory: Kill", NULL },
	{ MARK_UNPACK, "Initramfs unpacking failed", NULL },
	{ MARK_CLOCK, "clocksource: timekeeping watchdog", "unstable" },
	{ MARK_CLOCK, "tsc: Marking TSC unstable", NULL },
	{ MARK_WARN, "WARNING: ", NULL },
	{ MARK_WARN, "BUG: ", NULL },
};

/*
 * A message follows an optional time "[    1.234567]", with CONFIG_PRINTK_CALLER
 * also "[    T1]", and blanks.  Text further to the right is somebody's quote.
 */
const char *console_text(const char *line)
{
	for (int i = 0; i < 2 && *line == '['; i++) {
		const char *end = strchr(line, ']');

		if (!end)
			break;
		line = end + 1;
		line += strspn(line, " ");
	}
	return line;
}

static void store(char *to, const char *line)
{
	size_t len = strcspn(line, "\r");

	if (len >= CONSOLE_TEXT_MAX)
		len = CONSOLE_TEXT_MAX - 1;
	for (size_t i = 0; i < len; i++)
		to[i] = (char)((unsigned char)line[i] < ' ' ? ' ' : line[i]);
	to[len] = '\0';
}

void console_line(struct console *c, const char *line, size_t len)
{
	const char *text = console_text(line);

	c->lines++;
	if (len > 0 && text[strspn(text, " \r\t")])
		store(c->last, text);
	c->init |= !strncmp(text, RECORD_INIT_TEXT, strlen(RECORD_INIT_TEXT));
	c->plug |= !strncmp(text, RECORD_PLUG_TEXT, strlen(RECORD_PLUG_TEXT));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		enum console_mark mark = texts[i].mark;

		if (strncmp(text, texts[i].begin, strlen(texts[i].begin)) != 0)
			continue;
		if (texts[i].part && !strstr(text, texts[i].part))
			continue;
		if (c->count[mark]++ == 0)
			store(c->first[mark], text);
		return;
	}
}

static int copy_part(int to, int from, off_t offset, size_t count)
{
	while (count > 0) {
		ssize_t len = sendfile(to, from, &offset, count);

		if (len <= 0)
			return len < 0 ? -errno : -EIO;
		count -= (size_t)len;
	}
	return 0;
}

static int write_trimmed(int to, int from, off_t size)
{
	off_t cut = size - 2 * KEEP_BYTES;
	int err = copy_part(to, from, 0, KEEP_BYTES);

	if (err)
		return err;
	if (dprintf(to, "\n[... %lld bytes left out ...]\n", (long long)cut) <
	    0)
		return -errno;
	return copy_part(to, from, size - KEEP_BYTES, KEEP_BYTES);
}

int console_trim(int dir_fd, const char *name)
{
	struct stat st;
	char part[64];
	int from, to, err = 0;

	from = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (from < 0)
		return -errno;
	if (fstat(from, &st) < 0 || st.st_size <= 2 * KEEP_BYTES) {
		close(from);
		return 0;
	}
	snprintf(part, sizeof(part), "%s.part", name);
	to = openat(dir_fd, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0666);
	if (to < 0) {
		err = -errno;
		close(from);
		return err;
	}
	err = write_trimmed(to, from, st.st_size);
	close(from);
	if (close(to) < 0 && !err)
		err = -errno;
	if (!err && renameat(dir_fd, part, dir_fd, name) < 0)
		err = -errno;
	if (err)
		unlinkat(dir_fd, part, 0);
	return err;
}
