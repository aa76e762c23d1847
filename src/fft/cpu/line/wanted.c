/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithms that were the fastest, as text: "256:simd_single/simd_batch r100:fftw/-", an entry for each kind
 * and length of lines: the algorithm for its rows, and for its columns ("-": there are none). */
#include "fft/cpu/line/algorithms.h"

#include <stdio.h>
#include <string.h>

/* Returns the text behind `beginning` in the entry that begins with it; NULL if there is none. */
static const char *find_name(const char *list, const char *beginning)
{
    const size_t length = strlen(beginning);
    for (const char *at = list; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (!strncmp(at, beginning, length)) return at + length;
    }
    return NULL;
}

static void print_beginning(char *word, size_t size, line_kind kind, int64_t n)
{
    snprintf(word, size, "%s%lld:", kind == LINE_REAL ? "r" : "", (long long)n);
}

bool line_wants(const line_request *r, const char *name)
{
    char beginning[32];
    if (!r->wanted) return false;
    if (!strchr(r->wanted, ':')) return !strcmp(r->wanted, name);
    print_beginning(beginning, sizeof beginning, r->kind, r->n);
    const char *at = find_name(r->wanted, beginning);
    if (at && r->layout == LINE_COLUMNS)
        at = at[strcspn(at, "/ ")] == '/' ? at + strcspn(at, "/ ") + 1 : NULL;
    return at && strcspn(at, "/ ") == strlen(name) && !strncmp(at, name, strlen(name));
}

void line_chosen(const fft_line *line, text *t)
{
    char beginning[32];
    const line_algorithm *rows = line->use[LINE_ROWS].algorithm, *columns = line->use[LINE_COLUMNS].algorithm;
    print_beginning(beginning, sizeof beginning, line->kind, line->n);
    text_add(t, "%s%s%s/%s", t->length ? " " : "", beginning, rows ? rows->name : "-",
             columns ? columns->name : "-");
}

/* Moves *at behind an algorithm's name; returns false if none is there. */
static bool pass_name(const char **at)
{
    const size_t length = strcspn(*at, "/ ");
    bool found = length == 1 && **at == '-';
    for (int i = 0; line_algorithms[i] && !found; i++)
        found = strlen(line_algorithms[i]->name) == length && !strncmp(*at, line_algorithms[i]->name, length);
    *at += length;
    return found;
}

/* Moves *at behind an entry, or behind a name alone; returns false if neither is there. */
static bool pass_entry(const char **at)
{
    const char *begin = *at + (**at == 'r');
    const size_t digits = strspn(begin, "0123456789");
    if (!digits || begin[digits] != ':') return pass_name(at) && (!**at || **at == ' ');
    *at = begin + digits + 1;
    if (!pass_name(at) || **at != '/') return false;
    ++*at;
    return pass_name(at) && (!**at || **at == ' ');
}

const char *line_unknown(const char *list)
{
    for (const char *at = list; *at; at += *at == ' ') {
        const char *entry = at;
        if (!pass_entry(&at)) return entry;
    }
    return NULL;
}
