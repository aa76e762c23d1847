/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON text, value after value, for sidecars. */
#ifndef CLI_JSON_WRITE_H
#define CLI_JSON_WRITE_H

#include "common/report.h"

#include <stdio.h>

typedef struct json_writer {
    FILE *to;
    char *text;
    size_t size;
    int depth;
    bool first; /* nothing stands in this object yet */
} json_writer;

/* Between them: values. json_end writes the file, complete or not at all, and frees the text in any case. */
argand_status json_begin(json_writer *j);
argand_status json_end(json_writer *j, const char *path);

/* NULL as a name: the outermost object. */
void json_open(json_writer *j, const char *name);
void json_close(json_writer *j);
/* The name of a value that follows, written to j->to. */
void json_key(json_writer *j, const char *name);
/* A string by itself, with its quotes. */
void json_put_string(json_writer *j, const char *text);
/* Nothing where the text is NULL or "". */
void json_text(json_writer *j, const char *name, const char *text);
/* Nothing where the number is 0 or none: unknown. */
void json_number(json_writer *j, const char *name, double value);
void json_sizes(json_writer *j, const char *name, int rank, const int64_t *n);

#endif
