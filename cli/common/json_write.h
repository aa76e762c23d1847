/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes JSON text one value at a time, for sidecars. */
#ifndef CLI_JSON_WRITE_H
#define CLI_JSON_WRITE_H

#include "common/report.h"

#include <stdio.h>

typedef struct json_writer {
    FILE *to;
    char *text;
    size_t size;
    int depth;
    bool first; /* no value has been written to this object yet */
} json_writer;

/* Begin and end a document. json_end writes the file completely or not at all, and frees the text in both
 * cases. */
argand_status json_begin(json_writer *j);
argand_status json_end(json_writer *j, const char *path);
/* Ends a document without writing it: its text is then j->text, which the caller frees, also on failure. */
argand_status json_finish(json_writer *j);

/* Opens an object; name NULL: the outermost one. */
void json_open(json_writer *j, const char *name);
void json_close(json_writer *j);
/* Writes the name of a value; the caller writes the value to j->to. */
void json_key(json_writer *j, const char *name);
/* Writes a string with its quotes. */
void json_put_string(json_writer *j, const char *text);
/* Writes a text; nothing if it is NULL or "". */
void json_text(json_writer *j, const char *name, const char *text);
/* Writes a number; nothing if it is 0 or not finite, which means unknown. */
void json_number(json_writer *j, const char *name, double value);
/* Writes a list of texts. */
void json_list(json_writer *j, const char *name, int count, const char *const *texts);
/* Adds the lines of a text, without empty ones, to a list that has been opened by '['. *first: it is empty
 * so far. */
void json_lines(json_writer *j, const char *lines, bool *first);
void json_sizes(json_writer *j, const char *name, int rank, const int64_t *n);

#endif
