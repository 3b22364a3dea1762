// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plot.c - gnuplot draws, and its picture goes into a page
 */
#include "plot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "markup.h"
#include "process.h"
#include "slurp.h"
#include "units.h"

#define SVG_MAX	   (8u << 20)
#define TIMEOUT_MS 60000
#define ERROR_MAX  400

/* Where an id stands, or is meant; each begins with its quote or bracket. */
static const char *const id_places[] = {
	"id='", "id=\"", "href='#", "href=\"#", "url(#",
};

static int memory_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		die_errno(STATUS_HOST, "make a file in memory for gnuplot");
	return fd;
}

static int script_file(const char *script)
{
	int fd = memory_file("plot");
	FILE *file = fdopen(dup(fd), "w");

	if (!file || fputs(script, file) == EOF || fclose(file) != 0 ||
	    lseek(fd, 0, SEEK_SET) < 0)
		die_errno(STATUS_HOST, "write the commands for gnuplot");
	return fd;
}

/* Return: whether it ended well; else stderr tells. */
static bool run_gnuplot(int in, int out, int err)
{
	/* -d: no start-up file of a user's changes what is drawn. */
	char *const argv[] = { (char *)"gnuplot", (char *)"-d", NULL };
	const struct process_setup setup = { .argv = argv,
					     .in = in,
					     .out = out,
					     .err = err,
					     .pass_fd = -1,
					     .own_group = true };
	char text[ERROR_MAX];
	int status, error;
	pid_t pid;

	error = process_start(&setup, &pid);
	if (error) {
		warn("draw a plot: gnuplot: %s: `make deps` installs it",
		     strerror(-error));
		return false;
	}
	if (!process_wait(pid, TIMEOUT_MS, &status)) {
		process_end(pid, 0, &status);
		warn("draw a plot: gnuplot did not end within %d s",
		     TIMEOUT_MS / 1000);
		return false;
	}
	if (status == 0) /* what it only warns of is in the picture */
		return true;
	process_tail(err, text, sizeof(text));
	text_clean(text);
	warn("draw a plot: gnuplot failed: %s", text);
	return false;
}

/* The end of the place of an id that begins at @c, or NULL. */
static const char *id_place(const char *c)
{
	for (size_t i = 0; i < sizeof(id_places) / sizeof(id_places[0]); i++) {
		size_t len = strlen(id_places[i]);

		if (!strncmp(c, id_places[i], len))
			return c + len;
	}
	return NULL;
}

/* Of all that gnuplot writes, the element alone, with a title of ours. */
static void put_svg(FILE *out, const char *svg, const char *id,
		    const char *title)
{
	const char *head = strchr(svg, '>') + 1;
	const char *body = strstr(svg, "<g ");

	fprintf(out, "%.*s<title>", (int)(head - svg), svg);
	markup_text(out, title);
	fputs("</title>", out);
	for (const char *c = body; *c;) {
		const char *after = id_place(c);

		if (!after) {
			fputc(*c++, out);
			continue;
		}
		fprintf(out, "%.*s%s-", (int)(after - c), c, id);
		c = after;
	}
}

static char *take_svg(int fd, const char *id, const char *title)
{
	char *bytes, *text = NULL, *svg;
	size_t len;
	FILE *out;
	int err = slurp_fd(fd, SVG_MAX, &bytes, &len);

	if (err) {
		warn("read the plot of gnuplot: %s", slurp_reason(err));
		return NULL;
	}
	svg = strstr(bytes, "<svg");
	if (!svg || !strchr(svg, '>') || !strstr(svg, "<g ")) {
		warn("read the plot of gnuplot: there is no picture in it");
	} else {
		out = open_memstream(&text, &len);
		if (!out)
			die_errno(STATUS_HOST, "keep a plot");
		put_svg(out, svg, id, title);
		fclose(out);
	}
	free(bytes);
	return text;
}

char *plot_svg(const char *script, const char *id, const char *title)
{
	int in = script_file(script), out = memory_file("picture");
	int err = memory_file("messages");
	char *svg = NULL;

	if (run_gnuplot(in, out, err) && lseek(out, 0, SEEK_SET) == 0)
		svg = take_svg(out, id, title);
	close(in);
	close(out);
	close(err);
	return svg;
}
