/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds similar names by the number of insertions, deletions, replacements and swaps of neighbours
 * (optimal string alignment; Damerau 1964, Levenshtein 1966). */
#include "common/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the number of edits from a to b, both at most LONGEST long. */
static int distance_of(const char *a, int m, const char *b, int n)
{
    int table[LONGEST + 1][LONGEST + 1];
    for (int i = 0; i <= m; i++) table[i][0] = i;
    for (int j = 0; j <= n; j++) table[0][j] = j;
    for (int i = 1; i <= m; i++)
        for (int j = 1; j <= n; j++) {
            const int replaced = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            table[i][j] = least(replaced, 1 + least(table[i - 1][j], table[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    return table[m][n];
}

suggestion suggest_for(const char *typed, int length)
{
    return (suggestion){.typed = typed, .typed_length = length, .distance = 1 + length / 3};
}

void suggest_try(suggestion *s, const char *name, int length)
{
    if (s->typed_length < 2 || s->typed_length > LONGEST || length < 1 || length > LONGEST) return;
    const bool begins =
        s->typed_length >= 3 && length > s->typed_length && !strncmp(name, s->typed, (size_t)s->typed_length);
    const int distance = begins ? 1 : distance_of(s->typed, s->typed_length, name, length);
    if (distance > s->distance || (s->best[0] && distance == s->distance)) return;
    s->distance = distance;
    snprintf(s->best, sizeof s->best, "%.*s", length, name);
}

const char *suggest_text(const suggestion *s, const char *before)
{
    static char text[128];
    if (!s->best[0]) return "";
    snprintf(text, sizeof text, "; did you mean %s%s?", before, s->best);
    return text;
}
