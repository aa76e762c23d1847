/* SPDX-License-Identifier: BSD-3-Clause */
/* Where text leaves the tool: for people with everything that would steer a terminal made visible, for
 * programs as valid JSON. Names and texts out of files may hold anything: escape sequences that set a
 * window's title or hide lines, bytes that are no UTF-8, marks that change the direction of reading. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* printf of a line or a part of one to standard output, for people. A line's end passes where it is the last
 * character, other controls become \x1b or \u202e. */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same to any stream, of text as it stands, which may have several lines. */
void print_text(FILE *to, const char *from);

/* The ending of a noun of which there are n. */
static inline const char *plural_s(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* prefix and text, with controls made visible. Further lines of the text are indented: a text of others
 * cannot begin a line as the program does. */
void print_whole(FILE *to, const char *prefix, const char *text);
/* Text of others as a part of one line: line ends are made visible, too. Cut where the buffer ends. Returns
 * `text`. */
const char *visible_text(char *text, size_t size, const char *from);

/* From now on, lines that a pipe has no place for are left out and counted, and the next one that fits says
 * how many: nothing waits for a reader. For servers. */
void print_never_wait(void);

/* printf of one line of JSON to standard output; adds the line's end and flushes. Numbers that are not
 * finite, which JSON cannot express, become null. */
void print_json_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Text as a JSON string, with its quotes, cut where the buffer ends. Any bytes will do. Returns `text`. */
const char *json_string(char *text, size_t size, const char *from);

#endif
