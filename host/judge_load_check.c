// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_load_check.c - runs that must not be judged, or not together
 */
#include <stdlib.h>

#include "die.h"
#include "judge_load.h"
#include "rundir.h"

static const char *const group_names[GROUPS] = {
	[GROUP_GOOD] = "good reference",
	[GROUP_BAD] = "bad reference",
	[GROUP_CANDIDATE] = "candidate",
};

static void refuse_incomplete(const struct runs *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct rundir *run = &all->run[i];

		if (!run->stream.complete)
			die(STATUS_HOST,
			    "judge %s: its records are incomplete (%s): leave "
			    "the run out or boot it again",
			    run->path, run->stream.problem);
	}
}

static void refuse_difference(const struct runs *all, const struct runs *group,
			      bool force)
{
	char *text = runs_difference(all, RUNS_COMPARE);

	for (size_t g = 0; g < GROUPS && !text; g++)
		text = runs_difference(&group[g], RUNS_POOL);
	if (text && !force)
		die(STATUS_HOST,
		    "judge the runs: %s: boot them alike, or pass --force",
		    text);
	if (text)
		warn("judge the runs all the same: %s", text);
	free(text);
}

static void refuse_repetition(const struct runs *group)
{
	for (size_t g = 0; g < GROUPS; g++) {
		char *text = runs_repetition(&group[g]);

		if (text)
			die(STATUS_HOST,
			    "judge the %s: %s: leave one out, or boot "
			    "another seed",
			    group_names[g], text);
	}
}

void judge_check_runs(const struct runs *all, const struct runs *group,
		      bool force)
{
	refuse_incomplete(all);
	refuse_repetition(group);
	refuse_difference(all, group, force);
}
