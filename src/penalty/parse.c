/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses "wavelet:0.01,tv:0.002" as a list of regularizers. */
#include "penalty/penalty.h"

#include <math.h>
#include <string.h>
#include "base/plain.h"
#include "base/text.h"

enum { LONGEST = 64 };

/* Copies the text up to the next separator to `piece`, and moves *rest behind the separator. */
static argand_status take(const char **rest, char separator, char piece[LONGEST])
{
    const char *end = strchr(*rest, separator);
    const size_t length = end ? (size_t)(end - *rest) : strlen(*rest);
    CHECK(length < LONGEST, ARGAND_ARGUMENT, "regularizer \"%.20s...\" is too long", *rest);
    memcpy(piece, *rest, length);
    piece[length] = 0;
    *rest += length + (end != NULL);
    return ARGAND_OK;
}

bool penalty_number(const char *chars, double *value)
{
    char *end;
    *value = plain_number(chars, &end);
    return end != chars && !*end && isfinite(*value);
}

bool penalty_whole(const char *chars, int most, int *value)
{
    double v;
    if (!penalty_number(chars, &v) || v < 1 || v > most || v != floor(v)) return false;
    *value = (int)v;
    return true;
}

static bool take_option(const penalty_kind *kind, argand_regularizer *r, const char *option)
{
    if (kind->is_moving && !strcmp(option, "fixed")) {
        r->seed = 0;
        return true;
    }
    return kind->parse && kind->parse(r, option);
}

static argand_status find_kind(const char *name, const penalty_kind **kind)
{
    text known = {0};
    *kind = penalty_kind_named(name);
    if (*kind) return ARGAND_OK;
    for (int i = 0; penalty_kind_at(i); i++)
        text_add(&known, "%s%s",
                 i == 0                   ? ""
                 : penalty_kind_at(i + 1) ? ", "
                                          : " or ",
                 penalty_kind_at(i)->name);
    const argand_status status =
        status_set(ARGAND_ARGUMENT,
                   "regularizer \"%s\" is not known; give KIND:WEIGHT with %s, for example wavelet:0.01",
                   name, text_chars(&known));
    text_free(&known);
    return status;
}

/* Takes "WEIGHT" or "auto" from the rest of an item. */
static argand_status take_weight(const char **rest, const char *item, const penalty_kind *kind,
                                 argand_regularizer *r)
{
    char piece[LONGEST];
    CHECK(**rest, ARGAND_ARGUMENT, "regularizer \"%s\" lacks its weight; write %s, for example %s:%g", item,
          kind->form, kind->name, kind->usual);
    TRY(take(rest, ':', piece));
    r->automatic = !strcmp(piece, "auto");
    if (r->automatic) {
        r->weight = 1;
        return ARGAND_OK;
    }
    CHECK(penalty_number(piece, &r->weight) && r->weight >= 0, ARGAND_ARGUMENT,
          "regularizer \"%s\": the weight \"%s\" is neither auto nor a number of 0 or more; write %s", item,
          piece, kind->form);
    return ARGAND_OK;
}

/* Parses KIND:WEIGHT[:OPTION...]. `name` is the first piece, `rest` what follows. */
static argand_status parse_kind(const char *item, const char *name, const char *rest, argand_regularizer *r)
{
    char piece[LONGEST];
    const penalty_kind *kind;
    TRY(find_kind(name, &kind));
    *r = (argand_regularizer){.kind = kind->id, .seed = kind->is_moving};
    TRY(take_weight(&rest, item, kind, r));
    while (*rest) {
        TRY(take(&rest, ':', piece));
        CHECK(take_option(kind, r, piece), ARGAND_ARGUMENT,
              "regularizer \"%s\": \"%s\" is not understood; write %s", item, piece, kind->form);
    }
    return ARGAND_OK;
}

/* Parses one regularizer: a number (quadratic), "auto" (total variation), or a kind. */
static argand_status parse_one(const char *item, bool alone, argand_regularizer *r)
{
    char first[LONGEST];
    const char *rest = item;
    *r = (argand_regularizer){.kind = ARGAND_QUADRATIC};
    TRY(take(&rest, ':', first));
    if (penalty_number(first, &r->weight) && r->weight >= 0 && !*rest) {
        CHECK(alone, ARGAND_ARGUMENT,
              "regularizer \"%s\": a number without a kind stands alone, and a comma begins another "
              "regularizer; write quadratic:%s, or a point in a decimal number",
              item, item);
        return ARGAND_OK;
    }
    if (!strcmp(item, "auto")) {
        *r = (argand_regularizer){.kind = ARGAND_TV, .weight = 1, .automatic = true};
        return ARGAND_OK;
    }
    return parse_kind(item, first, rest, r);
}

argand_status argand_regularizers_parse(const char *given, argand_regularizer list[ARGAND_MAX_REGULARIZERS],
                                        int *count)
{
    CHECK(given && list && count, ARGAND_ARGUMENT, "argand_regularizers_parse: a pointer is NULL");
    CHECK(*given, ARGAND_ARGUMENT, "no regularizer given; write KIND:WEIGHT, for example wavelet:0.01");
    *count = 0;
    bool automatic = false;
    const bool alone = !strchr(given, ',');
    do {
        char item[LONGEST];
        argand_regularizer r;
        TRY(take(&given, ',', item));
        TRY(parse_one(item, alone, &r));
        if (r.weight == 0) continue;
        CHECK(!automatic || !r.automatic, ARGAND_ARGUMENT,
              "regularizer \"%s\": only one weight can be auto; give this one as a number", item);
        automatic = automatic || r.automatic;
        CHECK(*count < ARGAND_MAX_REGULARIZERS, ARGAND_ARGUMENT, "more than %d regularizers",
              ARGAND_MAX_REGULARIZERS);
        list[(*count)++] = r;
    } while (*given);
    return ARGAND_OK;
}
