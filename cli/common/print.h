/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints all text of the tool: for people, with terminal controls made visible; for programs, as valid
 * JSON. Names and texts from files may hold anything: escape sequences that set a window's title or hide
 * lines, invalid UTF-8, marks that change the reading direction. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints a line or a part of one to standard output, for people. A final newline passes; other controls
 * become \x1b or \u202e. */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a text, which may have several lines, to a stream in the same way. */
void print_text(FILE *to, const char *from);

/* Returns the plural ending for n things. */
static inline const char *plural_s(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* Prints prefix and text with controls made visible. Further lines of the text are indented, so that a
 * foreign text cannot imitate a line of the program. */
void print_whole(FILE *to, const char *prefix, const char *text);
/* Makes a foreign text a part of one line: newlines become visible, too. Cuts it at the end of the buffer.
 * Returns `text`. */
const char *visible_text(char *text, size_t size, const char *from);

/* For servers: from now on, never waits for a reader. Lines that do not fit into a pipe are dropped and
 * counted; the next line that fits reports the count. */
void print_never_wait(void);

/* Prints one line of JSON to standard output, with a newline, and flushes. Numbers that are not finite,
 * which JSON cannot express, become null. */
void print_json_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Writes a text as a JSON string with its quotes, cut at the end of the buffer. Any bytes are allowed.
 * Returns `text`. */
const char *json_string(char *text, size_t size, const char *from);

#endif
