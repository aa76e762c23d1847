/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean": of names that there are, the one nearest to what was typed. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

typedef struct suggestion {
    const char *typed;
    int typed_length, distance;
    char best[64]; /* "" while no name is near */
} suggestion;

suggestion suggest_for(const char *typed, int length);

/* One more name, of so many characters. */
void suggest_try(suggestion *s, const char *name, int length);

/* "; did you mean --NAME?" with `before` in front of the name, or "". Valid until the next call. */
const char *suggest_text(const suggestion *s, const char *before);
/* The same of a list that NULL ends. */
const char *suggest_among(const char *typed, const char *const *names);

#endif
