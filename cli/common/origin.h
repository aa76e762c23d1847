/* SPDX-License-Identifier: BSD-3-Clause */
/* Records what is needed to repeat a run: the command line, the commit, the environment, the input files. */
#ifndef CLI_ORIGIN_H
#define CLI_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { ORIGIN_PATH = 4200 };

/* Keeps main's arguments, which must stay valid. */
void origin_keep(int argc, char **argv);
/* Returns their number and sets *all to them; [0] is the program. */
int origin_arguments(char ***all);
/* Prints a word as a shell reads it: unchanged, or between single quotes. */
void origin_quote(FILE *to, const char *word);
/* Returns the command line for a shell, quoted where necessary. The caller frees it; NULL without memory. */
char *origin_command(void);
/* Returns the commit that the tool was built from, with "-modified" if files differed; "" if unknown. */
const char *origin_commit(void);
extern const char origin_commit_text[]; /* in a file that cmake/Commit.cmake writes at each build */
/* Returns Argand's environment variables that are set, NAME=value separated by spaces. The caller frees
 * it. */
char *origin_environment(void);
/* Finds the next file that is an argument or belongs to one (BART's .hdr, a sidecar .json). *at starts at
 * 0. */
bool origin_next_file(int *at, char path[ORIGIN_PATH]);
/* Finds the file that an argument names: the argument itself, --option=FILE, a BART pair, or FILE:array. */
bool origin_file_of(const char *argument, char path[ORIGIN_PATH]);
/* Replaces the name of a file by that of its companion 1 or 2: the .hdr of a .cfl, the sidecar. Returns false
 * if there is none. */
bool origin_companion_of(char path[ORIGIN_PATH], int number);

#endif
