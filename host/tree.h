/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - where the project lies that this program was built in
 */
#ifndef TREE_H
#define TREE_H

/**
 * tree_source() - a file of the project
 * @name:	its path in it, such as docs/judge.md
 * Return: its path on this host; the caller frees it.
 */
char *tree_source(const char *name);

/**
 * tree_built() - a file that make or make deps made
 * @name:	its path in BUILD, such as images/results-disk.img
 * Return: its path on this host; the caller frees it.
 */
char *tree_built(const char *name);

#endif
