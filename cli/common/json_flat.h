/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads JSON one value at a time, for sidecars. */
#ifndef CLI_JSON_FLAT_H
#define CLI_JSON_FLAT_H

#include <stdbool.h>
#include <stddef.h>

enum { JSON_NAME = 64, JSON_VALUE = 4352 };

/* Receives a value. `group`: the name of the enclosing object, "" at the top. `name`: the value's name; an
 * element of a list has the list's. The value is the text of a string, or a number, true, false or null as
 * written; long values are cut. Returns false to stop. */
typedef bool (*json_visit)(void *context, const char *group, const char *name, const char *value);

/* Calls `visit` for each string, number, true, false and null of a text. Returns false if the text is not
 * valid JSON, or is nested deeper than 16 levels; values before the error were visited. */
bool json_walk(const char *text, json_visit visit, void *context);

#endif
