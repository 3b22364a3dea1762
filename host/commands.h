/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands.h - the subcommands of kverdict, from commands.def
 *
 * Each takes its own words, argv[0] being the subcommand, and returns the
 * exit status of the program.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#define COMMAND(word, function, summary) int function(int argc, char **argv);
#include "commands.def"
#undef COMMAND

#endif
