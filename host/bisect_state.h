/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bisect_state.h - state.json, the notes of one bisect
 *
 * One object of texts and whole numbers; its "kernels" has an object for each
 * commit, in the order in which they came up.
 */
#ifndef BISECT_STATE_H
#define BISECT_STATE_H

#include <jansson.h>
#include <stdbool.h>

#define BISECT_STATE_VERSION 1

/**
 * bisect_state_read() - read the notes, or end the program
 * @path:	the file; one that is not there yet is empty
 * Return: the notes; the caller frees them with json_decref().
 */
json_t *bisect_state_read(const char *path);

/**
 * bisect_state_write() - replace the notes as a whole, or end the program
 * @state:	the notes
 * @path:	the file
 */
void bisect_state_write(const json_t *state, const char *path);

/**
 * bisect_state_kernel() - the notes about one kernel
 * @state:	the notes
 * @commit:	its name, or "-" for the bisect itself
 * @make:	add it if it is not there
 * Return: an object of @state, or NULL if there is none.
 */
json_t *bisect_state_kernel(json_t *state, const char *commit, bool make);

/**
 * bisect_state_set() - note something
 * @object:	from bisect_state_kernel()
 * @pair:	KEY=VALUE; digits alone become a number, unless
 *		they begin with 0; an empty VALUE removes
 *		the key; bytes that are no UTF-8 become '?'
 * Return: whether @pair is one.
 */
bool bisect_state_set(json_t *object, const char *pair);

#endif
