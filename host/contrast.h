/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contrast.h - two sides, metric by metric: what changed, beyond noise?
 */
#ifndef CONTRAST_H
#define CONTRAST_H

#include "metrics.h"
#include "shift.h"
#include "sides.h"

#define CONTRAST_QUANTILES 2 /* p50 and p90 */

enum contrast_word {
	CONTRAST_NONE, /* nothing is shown beyond noise */
	CONTRAST_BETTER,
	CONTRAST_WORSE,
	CONTRAST_FEW, /* too few boots for an interval, or for a mark */
};

extern const char *const contrast_words[]; /* by enum contrast_word */

/* What became of one quantile. */
struct contrast_change {
	const char *of;	    /* "p50" or "p90" */
	double a, b;	    /* the mean over the boots */
	bool known;	    /* there is a @shift */
	struct shift shift; /* from A to B */
	double corrected;   /* its p, by Holm */
	enum contrast_word word;
};

struct contrast_metric {
	const struct metric *a, *b; /* NULL where a side does not have it */
	const struct metric *any;   /* one of them */
	struct contrast_change change[CONTRAST_QUANTILES];
	size_t changes;
	bool left_out; /* a complete boot says nothing of it */
};

/* A condition that differs, and may. */
struct contrast_difference {
	const char *what;
	char *a, *b; /* made harmless */
};

struct contrast {
	const struct side *a, *b;
	struct metrics of_a, of_b;
	struct contrast_metric *metric; /* those that some boot has */
	size_t count;
	struct contrast_difference *difference;
	size_t differences;
	size_t tests;	    /* among which the marks are corrected */
	size_t incomplete;  /* runs */
	enum status status; /* GOOD, BAD or CANNOT_TELL */
};

/**
 * contrast_refuse() - why two sides must not be compared
 * @a:		a side
 * @b:		the other
 * @forcible:	where to store whether a user may insist
 * Return: the reason, which the caller frees, or NULL.
 */
char *contrast_refuse(const struct side *a, const struct side *b,
		      bool *forcible);

/**
 * contrast_make() - compare two sides
 * @c:		needs no initialisation; free with contrast_free()
 * @a:		a side, which must live as long as @c
 * @b:		the other
 */
void contrast_make(struct contrast *c, const struct side *a,
		   const struct side *b);

/**
 * contrast_free() - free what contrast_make() made
 * @c:		from contrast_make()
 */
void contrast_free(struct contrast *c);

/**
 * contrast_list_differences() - what differs beside the values
 * @c:		its sides are set; its differences are added
 */
void contrast_list_differences(struct contrast *c);

/**
 * contrast_shown() - a change with its sign, unit and interval, for people
 * @m:		its metric
 * @change:	what became of one of its quantiles
 * @interval:	where to store the interval; the caller frees it
 * Return: the change; the caller frees it.
 */
char *contrast_shown(const struct contrast_metric *m,
		     const struct contrast_change *change, char **interval);

/**
 * contrast_part() - a change in percent, or as a factor where that says more
 * @change:	any
 * Return: the text, "-" where A is not above 0; the caller frees it.
 */
char *contrast_part(const struct contrast_change *change);

#endif
