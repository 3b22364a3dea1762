/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - good, bad or cannot tell, from the values of some boots
 *
 * The rule of docs/judge.md, without input or output.  All values are
 * oriented: larger is worse (the reader of runs multiplies by -1 where higher
 * is better).  A kernel is a list of boots and the boot is the unit of
 * evidence.  The order of use:
 *
 *	struct judge_refs refs = { 0 };
 *
 *	judge_rule_default(&rule, sequential);
 *	judge_refs_learn(&refs, &good, &bad, &rule);
 *	if (refs.state == JUDGE_REFS_DIFFER || refs.state == JUDGE_REFS_EXACT)
 *		judge_runs(&refs, &candidate, &verdict);
 *	judge_refs_free(&refs);
 */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "evidence.h"

/* S must reach this for two references to be told apart. */
#define JUDGE_DISTINGUISHABLE 100.0

struct judge_boot {
	double *value;
	size_t values; /* at least 1 */
};

struct judge_runs {
	struct judge_boot *boot;
	size_t boots;
};

struct judge_rule {
	double bound;	  /* on the error each way, 0..1 */
	double tolerance; /* how far a kernel of a class may stray, 0..0.4 */
	double kappa;	  /* how much likelier than half-way a side must be */
	double disturbed; /* chance of a disturbed boot */
	bool sequential;  /* look after each boot, else once */
	size_t first;	  /* boots of the first look; 0: all there are */
	size_t budget;	  /* boots at most; 0: all there are */
	size_t boots_min; /* that each reference must have, 2 at least */
};

/* A cut lies in the middle of a gap between two neighbouring values. */
enum judge_cut_kind { JUDGE_CUT_MODE, JUDGE_CUT_SHIFT };

struct judge_cut {
	double at, gap_low, gap_high;
	double t; /* mean difference of the boot shares / its error */
};

enum judge_refs_state {
	JUDGE_REFS_DIFFER,
	JUDGE_REFS_EXACT,    /* constant, too few boots: no error bound */
	JUDGE_REFS_FEW,	     /* too few boots to ask */
	JUDGE_REFS_SAME,     /* cannot be told apart */
	JUDGE_REFS_REVERSED, /* constant, and good is the worse one */
};

/* One reference as the report shows it. */
struct judge_ref {
	struct evidence_count *count; /* honest: the cut chosen without it */
	size_t boots, values, beyond; /* beyond: with the cut of all boots */
	double median, low, high;     /* of all values */
	double weight[EVIDENCE_CELLS];
	double share, share_low, share_high; /* mean, 95 % interval */
	double correlation, correlation_low, correlation_high;
};

/* Values that neither reference shows. */
struct judge_neither {
	bool middle_used; /* no reference has values in the middle third */
	double middle_low, middle_high;
	double outside_low, outside_high;
};

struct judge_refs {
	struct judge_rule rule;
	enum judge_refs_state state;
	enum judge_cut_kind kind;
	struct judge_cut cut;
	struct judge_ref good, bad;
	double log_s; /* log of the Bayes factor for two kernels */
	struct judge_neither neither;
	double correlation[EVIDENCE_CORRELATIONS]; /* of a new kernel */
	double above[EVIDENCE_CELLS];		   /* weights of F+ */
	double below[EVIDENCE_CELLS];		   /* weights of F- */
	struct evidence_table *plain, *like_good, *like_bad;
	struct judge_first *first; /* first-look tails, one a set of sizes */
	size_t first_count;
};

/* A candidate's boot as the judge sees it. */
struct judge_count {
	size_t beyond, neither, values;
};

/* What is known after some boots of the candidate. */
struct judge_look {
	double log_e_good, log_e_bad;	  /* evidence against each */
	double tail_good, tail_bad;	  /* first look; 1 where not spent */
	bool not_good, not_bad;		  /* rejected */
	double near_good, half, near_bad; /* where the share lies, sums to 1 */
	double neither; /* P(more than a quarter of the values are new) */
	double share, share_low, share_high;
};

enum judge_word {
	JUDGE_GOOD,
	JUDGE_BAD,
	JUDGE_THIRD,
	JUDGE_MORE, /* sequential, and the budget is not used up */
	JUDGE_UNDECIDED,
};

enum judge_why {
	JUDGE_WHY_NONE,
	JUDGE_WHY_VALUES,  /* third: values like neither reference */
	JUDGE_WHY_BETWEEN, /* third: the share lies between */
};

struct judge_verdict {
	enum judge_word word;
	enum judge_why why;
	size_t boots;			/* looked at; later ones are not */
	size_t beyond, neither, values; /* in these boots */
	bool exact;			/* no error bound applies */
	struct judge_look look;
};

/**
 * judge_rule_default() - the defaults of `judge` and of the bisect
 * @rule:	where to store them
 * @sequential:	the bisect's, which can buy boots
 */
void judge_rule_default(struct judge_rule *rule, bool sequential);

/**
 * judge_refs_learn() - learn from the references
 * @refs:	zeroed, or what an earlier call filled: to learn anew, by a rule
 *		with the same chance of a disturbed boot; judge_refs_free()
 *		frees it
 * @good:	oriented values
 * @bad:	oriented values
 * @rule:	is copied
 *
 * Sets refs->state; of a state other than DIFFER and EXACT only log_s and the
 * descriptions of the values are of use.
 */
void judge_refs_learn(struct judge_refs *refs, const struct judge_runs *good,
		      const struct judge_runs *bad,
		      const struct judge_rule *rule);
void judge_refs_free(struct judge_refs *refs);

/**
 * judge_refs_reversed() - would the other direction tell them apart?
 * @good:	oriented values
 * @bad:	oriented values
 * @rule:	as for judge_refs_learn()
 * Return: whether the good reference is the worse one by this rule.
 */
bool judge_refs_reversed(const struct judge_runs *good,
			 const struct judge_runs *bad,
			 const struct judge_rule *rule);

/**
 * judge_count_boot() - reduce a boot to the counts that are judged
 * @refs:	references in state DIFFER
 * @boot:	oriented values
 * Return: the counts.
 */
struct judge_count judge_count_boot(const struct judge_refs *refs,
				    const struct judge_boot *boot);

/**
 * judge_counts() - judge a candidate by its counts
 * @refs:	references in state DIFFER; its caches grow
 * @count:	one a boot, in boot order
 * @boots:	how many
 * @verdict:	where to store the verdict
 *
 * A sequential rule looks after each boot from the first look on, and the
 * earliest verdict stands whatever follows.
 */
void judge_counts(struct judge_refs *refs, const struct judge_count *count,
		  size_t boots, struct judge_verdict *verdict);

/**
 * judge_runs() - judge a candidate by its values
 * @refs:	references in state DIFFER or EXACT
 * @candidate:	oriented values, boots in order
 * @verdict:	where to store the verdict
 */
void judge_runs(struct judge_refs *refs, const struct judge_runs *candidate,
		struct judge_verdict *verdict);

/**
 * judge_position() - where a share lies between the references
 * @refs:	references in state DIFFER
 * @share:	a share beyond the cut
 * Return: 0 at the good reference's share, 1 at the bad one's.
 */
double judge_position(const struct judge_refs *refs, double share);

/**
 * judge_first_tails() - the tails of the first look
 * @refs:	references in state DIFFER; its cache grows
 * @count:	the boots of the first look
 * @boots:	how many
 * @tail_good:	where to store P(at least that many beyond) of a good kernel
 * @tail_bad:	where to store P(at most that many beyond) of a bad kernel
 */
void judge_first_tails(struct judge_refs *refs, const struct judge_count *count,
		       size_t boots, double *tail_good, double *tail_bad);
void judge_first_free(struct judge_refs *refs);

/**
 * judge_exact() - judge by single values, where the references are constant
 * @refs:	references in state EXACT
 * @candidate:	oriented values
 * @verdict:	where to store the verdict
 */
void judge_exact(const struct judge_refs *refs,
		 const struct judge_runs *candidate,
		 struct judge_verdict *verdict);

#endif
