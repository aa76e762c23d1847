/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean": finds the existing name nearest to a typed one. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

typedef struct suggestion {
    const char *typed;
    int typed_length, distance;
    char best[64]; /* "" if no name is similar */
} suggestion;

suggestion suggest_for(const char *typed, int length);

/* Tries a name of `length` characters. */
void suggest_try(suggestion *s, const char *name, int length);

/* Returns "; did you mean --NAME?" with `before` in front of the name, or "". Valid until the next call. */
const char *suggest_text(const suggestion *s, const char *before);

#endif
