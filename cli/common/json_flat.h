/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON, one value after the other: enough for sidecars. */
#ifndef CLI_JSON_FLAT_H
#define CLI_JSON_FLAT_H

#include <stdbool.h>
#include <stddef.h>

enum { JSON_NAME = 64, JSON_VALUE = 1024 };

/* `group`: the name of the object that holds it, "" at the top; `name`: its own (an element of a list has the
 * list's). The value is a string's text, or a number, true, false or null as it stands; cut where it is too
 * long. Returns false to stop. */
typedef bool (*json_visit)(void *context, const char *group, const char *name, const char *value);

/* Visits each string, number, true, false and null of a text. Returns false if the text is no JSON (what was
 * visited before that may be good). Deeper than 16 levels is refused. */
bool json_walk(const char *text, json_visit visit, void *context);

#endif
