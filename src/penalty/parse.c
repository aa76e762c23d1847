/* SPDX-License-Identifier: BSD-3-Clause */
/* "wavelet:0.01,tv:0.002" as a list of regularizers. */
#include "penalty/penalty.h"

#include <math.h>
#include <string.h>
#include "base/plain.h"

static const struct {
    const char *name;
    argand_regularizer_kind kind;
    const char *form;
} kinds[] = {
    {"tikhonov", ARGAND_TIKHONOV, "tikhonov:WEIGHT"},
    {"l2", ARGAND_TIKHONOV, "l2:WEIGHT"},
    {"quadratic", ARGAND_QUADRATIC, "quadratic:WEIGHT"},
    {"roughness", ARGAND_QUADRATIC, "roughness:WEIGHT"},
    {"hyperbola", ARGAND_HYPERBOLA, "hyperbola:WEIGHT[:DELTA]"},
    {"tv", ARGAND_TV, "tv:WEIGHT"},
    {"tv-anisotropic", ARGAND_TV_ANISOTROPIC, "tv-anisotropic:WEIGHT"},
    {"wavelet", ARGAND_WAVELET, "wavelet:WEIGHT[:haar|daubechies4][:LEVELS][:fixed]"},
    {"llr", ARGAND_LOW_RANK, "llr:WEIGHT[:BLOCK][:fixed]"},
    {"low-rank", ARGAND_LOW_RANK, "low-rank:WEIGHT[:BLOCK][:fixed]"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], LONGEST = 64 };

/* The piece up to the next separator, into `piece`; *text moves behind it. */
static argand_status take(const char **text, char separator, char piece[LONGEST])
{
    const char *end = strchr(*text, separator);
    const size_t length = end ? (size_t)(end - *text) : strlen(*text);
    CHECK(length < LONGEST, ARGAND_ARGUMENT, "regularizer \"%.20s...\" is too long", *text);
    memcpy(piece, *text, length);
    piece[length] = 0;
    *text += length + (end != NULL);
    return ARGAND_OK;
}

static bool number(const char *text, double *value)
{
    char *end;
    *value = plain_number(text, &end);
    return end != text && !*end && isfinite(*value);
}

static bool whole(const char *text, int most, int *value)
{
    double v;
    if (!number(text, &v) || v < 1 || v > most || v != floor(v)) return false;
    *value = (int)v;
    return true;
}

/* What may follow the weight. */
static bool take_option(argand_regularizer *r, const char *piece)
{
    const bool moves = r->kind == ARGAND_WAVELET || r->kind == ARGAND_LOW_RANK;
    if (moves && !strcmp(piece, "fixed")) {
        r->seed = 0;
        return true;
    }
    if (r->kind == ARGAND_HYPERBOLA) return number(piece, &r->delta) && r->delta > 0;
    if (r->kind == ARGAND_LOW_RANK) return whole(piece, 64, &r->block);
    if (r->kind != ARGAND_WAVELET) return false;
    if (!strcmp(piece, "haar"))
        r->wavelet = ARGAND_HAAR;
    else if (!strcmp(piece, "daubechies4"))
        r->wavelet = ARGAND_DAUBECHIES_4;
    else
        return whole(piece, WAVELET_LEVELS, &r->levels);
    return true;
}

static argand_status find_kind(const char *piece, int *name)
{
    for (*name = 0; *name < KINDS; ++*name)
        if (!strcmp(piece, kinds[*name].name)) return ARGAND_OK;
    return status_set(
        ARGAND_ARGUMENT,
        "regularizer \"%s\" is not known; give KIND:WEIGHT with tikhonov, quadratic, hyperbola, tv, "
        "tv-anisotropic, wavelet or llr, for example wavelet:0.01",
        piece);
}

static argand_status parse_one(const char *item, argand_regularizer *r)
{
    char piece[LONGEST];
    const char *rest = item;
    int name;
    *r = (argand_regularizer){.kind = ARGAND_QUADRATIC};
    TRY(take(&rest, ':', piece));
    if (number(piece, &r->weight) && r->weight >= 0 && !*rest) return ARGAND_OK;
    if (!strcmp(item, "auto")) {
        *r = (argand_regularizer){.kind = ARGAND_TV, .weight = 1, .automatic = true};
        return ARGAND_OK;
    }
    TRY(find_kind(piece, &name));
    r->kind = kinds[name].kind;
    r->seed = r->kind == ARGAND_WAVELET || r->kind == ARGAND_LOW_RANK;
    CHECK(*rest, ARGAND_ARGUMENT, "regularizer \"%s\" lacks its weight; write %s, for example %s:0.01", item,
          kinds[name].form, piece);
    TRY(take(&rest, ':', piece));
    r->automatic = !strcmp(piece, "auto");
    if (r->automatic) r->weight = 1;
    CHECK(r->automatic || (number(piece, &r->weight) && r->weight >= 0), ARGAND_ARGUMENT,
          "regularizer \"%s\": the weight \"%s\" is neither auto nor a number of 0 or more; write %s", item,
          piece, kinds[name].form);
    while (*rest) {
        TRY(take(&rest, ':', piece));
        CHECK(take_option(r, piece), ARGAND_ARGUMENT,
              "regularizer \"%s\": \"%s\" is not understood; write %s", item, piece, kinds[name].form);
    }
    return ARGAND_OK;
}

argand_status argand_regularizers_parse(const char *text, argand_regularizer list[ARGAND_MAX_REGULARIZERS],
                                        int *count)
{
    CHECK(text && list && count, ARGAND_ARGUMENT, "argand_regularizers_parse: a pointer is NULL");
    CHECK(*text, ARGAND_ARGUMENT, "no regularizer given; write KIND:WEIGHT, for example wavelet:0.01");
    *count = 0;
    bool automatic = false;
    do {
        char item[LONGEST];
        argand_regularizer r;
        TRY(take(&text, ',', item));
        TRY(parse_one(item, &r));
        if (r.weight == 0) continue;
        CHECK(!automatic || !r.automatic, ARGAND_ARGUMENT,
              "regularizer \"%s\": only one weight can be auto; give this one as a number", item);
        automatic = automatic || r.automatic;
        CHECK(*count < ARGAND_MAX_REGULARIZERS, ARGAND_ARGUMENT, "more than %d regularizers",
              ARGAND_MAX_REGULARIZERS);
        list[(*count)++] = r;
    } while (*text);
    return ARGAND_OK;
}
