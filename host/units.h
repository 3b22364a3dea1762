/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - numbers and texts of a guest, for people
 */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>

enum unit {
	UNIT_COUNT, /* 812, 39.4k */
	UNIT_NS,    /* 815 ns, 71.0 us, 2.60 ms, 1.20 s */
	UNIT_US,
	UNIT_MS,
	UNIT_S,
	UNIT_BYTES, /* 512 B, 12.0 KiB, 964 MiB */
	UNIT_KIB,
	UNIT_PPM,   /* 98.7 % */
	UNIT_PER_S, /* 22.4/s, 39.4k/s */
};

#define UNITS_SIZE   32 /* of the buffer of units_format() */
#define UNITS_DIGITS 9

/**
 * units_of() - the unit of a key or a metric by the end of its name
 * @name:	such as ready_ns, mem_kib, share_ppm, sends_per_s, tries
 * Return: the unit.
 */
enum unit units_of(const char *name);

/**
 * units_name() - what a program reads as the unit of plain numbers
 * @unit:	any
 * Return: the word of record_units for it.
 */
const char *units_name(enum unit unit);

/**
 * units_declared() - the unit that a metric has
 * @unit:	the word that it declares, of record_units, or NULL
 * @name:	its name, whose end counts without a word
 * Return: the unit.
 */
enum unit units_declared(const char *unit, const char *name);

/**
 * units_format() - a number with its unit in three significant digits
 * @text:	where to store it
 * @value:	in the unit that @unit stands for
 * @unit:	how to show it; whole counts below 100,000 keep all digits
 */
void units_format(char text[UNITS_SIZE], double value, enum unit unit);

/**
 * units_format_digits() - the same in more digits
 * @text:	where to store it
 * @value:	in the unit that @unit stands for
 * @unit:	how to show it
 * @digits:	how many are significant: 3 to UNITS_DIGITS
 */
void units_format_digits(char text[UNITS_SIZE], double value, enum unit unit,
			 int digits);

/**
 * units_digits() - how many digits tell two numbers apart
 * @one:	in the unit that @unit stands for
 * @other:	likewise
 * @unit:	how they are shown
 * Return: 3, or more where both would look the same, UNITS_DIGITS at most.
 */
int units_digits(double one, double other, enum unit unit);

/**
 * text_clean() - make a text harmless for a terminal
 * @text:	valid UTF-8, changed in place
 *
 * Control characters become '?', those of C1 and line breaks too: a guest must
 * not colour, move or retitle the terminal of the one who reads its results.
 */
void text_clean(char *text);

#endif
