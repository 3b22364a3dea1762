/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario_check.h - what a scenario must not say; for scenario.c alone
 */
#ifndef SCENARIO_CHECK_H
#define SCENARIO_CHECK_H

#include "scenario.h"

/* A scenario as far as it is read, and where an error goes. */
struct parser {
	struct scenario *scenario;
	struct scenario_error *error;
	unsigned int line;
};

/**
 * refuse() - say why a scenario is none
 * @p:		the parser; its line is said too
 * @fmt:	as for printf(); too long a text is cut
 * Return: false, so that a caller can refuse and return at once.
 */
__attribute__((format(printf, 2, 3))) bool refuse(const struct parser *p,
						  const char *fmt, ...);

/**
 * scenario_check_bytes() - may a line have these bytes?
 * @p:		the parser
 * @line:	the line, without its LF
 * @len:	bytes of @line
 * Return: whether it may; else it is refused.
 */
bool scenario_check_bytes(const struct parser *p, const char *line, size_t len);

/**
 * scenario_check_trace() - may a step have this trace=?
 * @p:		the parser
 * @step:	the step, as far as it is read
 * @value:	what is to be traced
 * Return: whether it may; else it is refused.
 */
bool scenario_check_trace(const struct parser *p, const struct step *step,
			  const char *value);

/**
 * scenario_check_step() - does a step fit its verb and the steps before it?
 * @p:		the parser, whose scenario does not count @step yet
 * @step:	the whole step; a stop learns which start is its own
 * Return: whether it does; else it is refused.
 */
bool scenario_check_step(const struct parser *p, struct step *step);

/**
 * scenario_is_stopped() - has a start its stop?
 * @s:		a scenario, as far as it is read
 * @start:	the index of a start
 * Return: whether it has.
 */
bool scenario_is_stopped(const struct scenario *s, size_t start);

#endif
