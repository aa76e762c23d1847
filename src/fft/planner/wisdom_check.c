/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks entries of wisdom: a problem as wisdom_key writes it, and an engine and a variant that exist. */
#include "fft/planner/wisdom.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "fft/access/access.h"
#include "fft/planner/candidate.h"

/* ---- words and numbers ---- */

typedef struct word {
    const char *at;
    int length;
} word;

/* Returns the next word, of length 0 at the end. Words stand one space apart: a second space is an empty
 * word, which nobody knows. */
static word next_word(const char **at)
{
    const word found = {*at, (int)strcspn(*at, " ")};
    *at += found.length;
    if (**at) ++*at;
    return found;
}

static bool is(word w, const char *name)
{
    return (size_t)w.length == strlen(name) && !strncmp(w.at, name, strlen(name));
}

/* Reads a whole number at *at, and moves *at behind it. Returns false if there is none below 2^63. */
static bool read_whole(const char **at, int64_t *value)
{
    const char *begin = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, **at - '0', value))
            return false;
    return *at > begin;
}

/* Reads a number of 1 or more, and multiplies *points by it. */
static bool read_size(const char **at, int64_t *points)
{
    int64_t n;
    return read_whole(at, &n) && n >= 1 && !__builtin_mul_overflow(*points, n, points);
}

static bool is_behind(const char *at, word w)
{
    return at == w.at + w.length;
}

/* Returns true for lengths like 128x64 whose product is below 2^63. */
static bool is_lengths(word w, int64_t *points)
{
    const char *at = w.at;
    int axes = 0;
    do
        if (++axes > ARGAND_MAX_RANK || !read_size(&at, points)) return false;
    while (*at++ == 'x');
    return is_behind(at - 1, w);
}

/* Returns true for an axis like 64:-1:4: length and strides. */
static bool is_axis(word w)
{
    int64_t number = 1;
    const char *at = w.at;
    if (!read_size(&at, &number)) return false;
    for (int i = 0; i < 2; i++) {
        if (*at++ != ':') return false;
        at += *at == '-';
        if (!read_whole(&at, &number)) return false;
    }
    return is_behind(at, w);
}

/* ---- problems ---- */

/* Says which word is wrong, and what should stand there. */
static bool wrong(text *why, word w, const char *should)
{
    enum { ENOUGH = 40 };
    text_add(why, "\"%.*s\" %s", w.length < ENOUGH ? w.length : ENOUGH, w.at, should);
    return false;
}

static bool check_batch(const char **at, int64_t *points, text *why)
{
    const word w = next_word(at);
    const char *number = w.at;
    return (read_size(&number, points) && is_behind(number, w)) ||
           wrong(why, w, "is no batch: give a whole number of 1 or more");
}

/* Of accessors only the characters are checked: letters, digits and colons. */
static bool check_access(const char *at, text *why)
{
    while (*at) {
        const word w = next_word(&at);
        for (int i = 0; i < w.length; i++)
            if (!isalnum((unsigned char)w.at[i]) && w.at[i] != ':')
                return wrong(why, w, "is no word of an accessor");
    }
    return true;
}

/* Checks what follows the lengths. */
static bool check_rest(const char *at, int64_t points, text *why)
{
    static const char *const flags[] = {"centred", "any-signal", "any-spectrum", "inverse", "axes", "loops"};
    bool axes = false; /* words may be axes */
    while (*at) {
        const word w = next_word(&at);
        bool known = false;
        if (is(w, "access")) return check_access(at, why);
        if (is(w, "batch")) {
            if (!check_batch(&at, &points, why)) return false;
            continue;
        }
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) known |= is(w, flags[i]);
        axes |= is(w, "axes") || is(w, "loops");
        if (!known && !(axes && is_axis(w)))
            return wrong(why, w, axes ? "is no axis: give LENGTH:STRIDE:STRIDE" : "is no word of a problem");
    }
    return true;
}

bool wisdom_has_problem(const char *problem, text *why)
{
    static const char *const types[] = {"r32", "r64", "c32", "c64"};
    int64_t points = 1;
    bool known = false;
    if (*problem == '!') return true; /* a figure of the device */
    const word type = next_word(&problem), lengths = next_word(&problem);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) known |= is(type, types[i]);
    if (!known) return wrong(why, type, "is no type: give r32, r64, c32 or c64");
    if (!is_lengths(lengths, &points))
        return wrong(why, lengths, "is no size: give whole numbers of 1 or more, like 256x256");
    return check_rest(problem, points, why);
}

/* ---- engines ---- */

static const fft_engine *find_engine(const char *name)
{
    static const fft_engine *const of_access[] = {&fft_engine_access, &fft_engine_fused, &fft_engine_staged};
    for (int i = 0; fft_engines[i]; i++)
        if (!strcmp(fft_engines[i]->name, name)) return fft_engines[i];
    for (size_t i = 0; i < sizeof of_access / sizeof *of_access; i++)
        if (!strcmp(of_access[i]->name, name)) return of_access[i];
    return NULL;
}

bool wisdom_has_engine(const wisdom_entry *e, text *why)
{
    if (*e->problem == '!') return true;
    const fft_engine *engine = find_engine(e->engine);
    if (!engine) return wrong(why, (word){e->engine, (int)strlen(e->engine)}, "is no engine of this version");
    const char *unknown = strlen(e->variant) >= FFT_VARIANT_CHARS ? e->variant
                          : engine->unknown                       ? engine->unknown(e->variant)
                          : *e->variant                           ? e->variant
                                                                  : NULL;
    return !unknown || wrong(why, (word){unknown, (int)strlen(unknown)}, "is no variant of its engine");
}
