/* SPDX-License-Identifier: BSD-3-Clause */
/* What is needed to do the same again: the command line, the commit, the environment, the input files. */
#ifndef CLI_ORIGIN_H
#define CLI_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

enum { ORIGIN_PATH = 4200 };

/* Arguments of main, which stay where they are. */
void origin_keep(int argc, char **argv);
/* The command line for a shell, quoted where it has to be; to be freed, NULL without memory. */
char *origin_command(void);
/* The commit that the tool was built from, with "-modified" where files differed; "" if not known. */
const char *origin_commit(void);
extern const char origin_commit_text[]; /* of a file that cmake/Commit.cmake writes at each build */
/* Variables of Argand's that are set, NAME=value with blanks between; to be freed. */
char *origin_environment(void);
/* The next argument that is a file, or is next to one (BART's .hdr, a sidecar .json); *at begins with 0. */
bool origin_next_file(int *at, char path[ORIGIN_PATH]);

#endif
