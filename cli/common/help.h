/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints help of a command from its table of options in four forms: as text (--help), as a manual page
 * (--help=man), as a list of the options for completion (--help=options), and as JSON (--help=json). */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "common/command.h"

typedef enum help_form { HELP_NONE, HELP_TEXT, HELP_MAN, HELP_OPTIONS, HELP_JSON } help_form;

/* Returns the form that an argument asks for. */
help_form help_form_of(const char *argument);

/* Prints help to standard output. */
void help_print(const command_line *line, help_form form);

/* Prints a text for a manual page, between .nf and .fi or within a line. */
void help_roff(const char *text, size_t length);

#endif
