// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * units.c - numbers and texts of a guest, for people
 */
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

struct scale {
	double size; /* one of it, in the unit of the value */
	const char *name;
};

static const struct scale counts[] = {
	{ 1, "" }, { 1e3, "k" }, { 1e6, "M" }, { 1e9, "G" }, { 0, NULL },
};
static const struct scale times[] = {
	{ 1, " ns" },  { 1e3, " us" }, { 1e6, " ms" },
	{ 1e9, " s" }, { 0, NULL },
};
static const struct scale times_us[] = {
	{ 1, " us" },
	{ 1e3, " ms" },
	{ 1e6, " s" },
	{ 0, NULL },
};
static const struct scale times_ms[] = {
	{ 1, " ms" },
	{ 1e3, " s" },
	{ 0, NULL },
};
static const struct scale times_s[] = { { 1, " s" }, { 0, NULL } };
static const struct scale bytes[] = {
	{ 1, " B" },	     { 1024, " KiB" },
	{ 1048576, " MiB" }, { 1073741824, " GiB" },
	{ 0, NULL },
};
static const struct scale sizes[] = {
	{ 1, " KiB" },
	{ 1024, " MiB" },
	{ 1048576, " GiB" },
	{ 0, NULL },
};
static const struct scale shares[] = { { 1e4, " %" }, { 0, NULL } };
static const struct scale rates[] = {
	{ 1, "/s" },	{ 1e3, "k/s" }, { 1e6, "M/s" },
	{ 1e9, "G/s" }, { 0, NULL },
};

static const struct scale *const scales[] = {
	[UNIT_COUNT] = counts, [UNIT_NS] = times,   [UNIT_US] = times_us,
	[UNIT_MS] = times_ms,  [UNIT_S] = times_s,  [UNIT_BYTES] = bytes,
	[UNIT_KIB] = sizes,    [UNIT_PPM] = shares, [UNIT_PER_S] = rates,
};

enum unit units_of(const char *name)
{
	static const struct {
		const char *end;
		enum unit unit;
	} ends[] = {
		{ "_ns", UNIT_NS },
		{ "_kib", UNIT_KIB },
		{ "_ppm", UNIT_PPM },
		{ "_per_s", UNIT_PER_S },
	};
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t end = strlen(ends[i].end);

		if (len > end && !strcmp(name + len - end, ends[i].end))
			return ends[i].unit;
	}
	return UNIT_COUNT;
}

const char *units_name(enum unit unit)
{
	return record_units[unit];
}

enum unit units_declared(const char *unit, const char *name)
{
	int index = unit ? record_word(record_units, unit) : -1;

	return index < 0 ? units_of(name) : (enum unit)index;
}

/* Round first: 999,700 ns is 1.00 ms and not 1000 us. */
static double round_to(double value, int digits)
{
	char text[UNITS_SIZE];

	snprintf(text, sizeof(text), "%.*e", digits - 1, value);
	return strtod(text, NULL);
}

void units_format(char text[UNITS_SIZE], double value, enum unit unit)
{
	units_format_digits(text, value, unit, 3);
}

int units_digits(double one, double other, enum unit unit)
{
	char text[2][UNITS_SIZE];
	int digits = 3;

	while (one != other && digits < UNITS_DIGITS) {
		units_format_digits(text[0], one, unit, digits);
		units_format_digits(text[1], other, unit, digits);
		if (strcmp(text[0], text[1]) != 0)
			break;
		digits++;
	}
	return digits;
}

void units_format_digits(char text[UNITS_SIZE], double value, enum unit unit,
			 int digits)
{
	const struct scale *scale = scales[unit];
	double rounded = round_to(value, digits), size;
	int decimals;

	if (unit == UNIT_COUNT && fabs(value) < 1e5 && value == floor(value)) {
		snprintf(text, UNITS_SIZE, "%.0f", value);
		return;
	}
	while (scale[1].name && fabs(rounded) >= scale[1].size)
		scale++;
	size = fabs(rounded / scale->size);
	decimals = digits - (size < 10 ? 1 : size < 100 ? 2 : 3);
	/* A whole number of the smallest unit has nothing behind the point. */
	if (scale == scales[unit] && scale->size == 1 &&
	    value == floor(value) && unit != UNIT_PER_S)
		decimals = 0;
	snprintf(text, UNITS_SIZE, "%.*f%s", decimals, rounded / scale->size,
		 scale->name);
}

void text_clean(char *text)
{
	unsigned char *from = (unsigned char *)text, *to = from;

	for (; *from; from++) {
		bool c1 = from[0] == 0xc2 && from[1] >= 0x80 && from[1] < 0xa0;

		if (c1)
			from++;
		*to++ = *from < 0x20 || *from == 0x7f || c1 ? '?' : *from;
	}
	*to = '\0';
}
