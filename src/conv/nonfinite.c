/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles elements that are not finite. A transform would spread them over all results. Therefore they are
 * removed from a box, and their effect on the results is computed as direct sums define it: NaN where the
 * kernel reaches a NaN (also with taps of 0), and the products where it reaches an infinity (0 times
 * infinity is NaN). */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "conv/wide.h"

/* An infinite number of the box: position, channel, and part (0 real, 1 imaginary). */
typedef struct infinite {
    int64_t at[3], channel;
    int part;
    double value;
} infinite;

struct conv_nonfinite {
    int parts;
    int64_t n[3], channels;
    unsigned char *nan; /* a mark for each number {part, axes..., channels}; NULL: no NaN */
    infinite *infinite;
    int64_t infinities;
};

void conv_nonfinite_free(conv_nonfinite *s)
{
    if (!s) return;
    memory_free(s->nan);
    memory_free(s->infinite);
    memory_free(s);
}

/* ---- out of the box ---- */

static infinite infinite_at(const conv_nonfinite *s, int64_t number, double value)
{
    infinite f = {.part = (int)(number % s->parts), .value = value};
    int64_t rest = number / s->parts;
    for (int d = 0; d < 3; rest /= s->n[d++]) f.at[d] = rest % s->n[d];
    f.channel = rest;
    return f;
}

static argand_status take(conv_nonfinite *s, double *x, int64_t numbers)
{
    int64_t nans = 0, kept = 0;
    for (int64_t i = 0; i < numbers; i++) {
        nans += isnan(x[i]) != 0;
        s->infinities += isinf(x[i]) != 0;
    }
    if (nans) TRY(NEW(s->nan, numbers));
    if (s->infinities) TRY(NEW(s->infinite, s->infinities));
    for (int64_t i = 0; i < numbers; i++) {
        if (isfinite(x[i])) continue;
        if (isnan(x[i]))
            s->nan[i] = 1;
        else
            s->infinite[kept++] = infinite_at(s, i, x[i]);
        x[i] = 0;
    }
    return ARGAND_OK;
}

argand_status conv_nonfinite_take(conv_nonfinite **nonfinite, argand_array *x, int axes)
{
    conv_nonfinite *s;
    *nonfinite = NULL;
    TRY(NEW(s, 1));
    s->parts = type_is_complex(x->type) ? 2 : 1;
    s->channels = x->dims[axes];
    for (int d = 0; d < 3; d++) s->n[d] = d < axes ? x->dims[d] : 1;
    const argand_status status = take(s, argand_array_data(x), argand_array_count(x) * s->parts);
    if (status == ARGAND_OK)
        *nonfinite = s;
    else
        conv_nonfinite_free(s);
    return status;
}

/* ---- into the results ---- */

/* The results of a box and the taps of one channel. */
typedef struct put {
    const conv_nonfinite *s;
    const double *taps;
    bool complex_taps;
    int64_t k[3], out[3];
    double *y;
} put;

/* Marks position i along an axis of n if any of the k positions from i on is marked. before: elements of
 * the axes before it. */
static void spread(unsigned char *to, const unsigned char *from, int64_t before, int64_t n, int64_t k)
{
    for (int64_t b = 0; b < before; b++) {
        int64_t marked = 0;
        for (int64_t i = 0; i < n; i++) {
            marked += from[i * before + b];
            if (i >= k) marked -= from[(i - k) * before + b];
            if (i >= k - 1) to[(i - k + 1) * before + b] = marked > 0;
        }
    }
}

/* Turns the marks of a channel's box into marks of its results, in place. */
static void spread_all(unsigned char *marks, unsigned char *other, const put *p)
{
    int64_t n[3] = {p->s->n[0], p->s->n[1], p->s->n[2]};
    for (int d = 0; d < 3; d++) {
        int64_t before = 1, after = 1;
        for (int e = 0; e < 3; e++) {
            before *= e < d ? n[e] : 1;
            after *= e > d ? n[e] : 1;
        }
        for (int64_t a = 0; a < after; a++)
            spread(other + a * before * p->out[d], marks + a * before * n[d], before, n[d], p->k[d]);
        n[d] = p->out[d];
        memcpy(marks, other, (size_t)(n[0] * n[1] * n[2]));
    }
}

static argand_status put_nans(const put *p, int64_t channel)
{
    const conv_nonfinite *s = p->s;
    const int64_t count = s->n[0] * s->n[1] * s->n[2], results = p->out[0] * p->out[1] * p->out[2];
    const unsigned char *nan = s->nan + channel * count * s->parts;
    unsigned char *marks;
    TRY(NEW(marks, 2 * count));
    for (int part = 0; part < s->parts; part++) {
        for (int64_t i = 0; i < count; i++)
            marks[i] = nan[i * s->parts + part] || (p->complex_taps && nan[i * s->parts + 1 - part]);
        spread_all(marks, marks + count, p);
        for (int64_t i = 0; i < results; i++)
            if (marks[i]) p->y[(channel * results + i) * s->parts + part] = NAN;
    }
    memory_free(marks);
    return ARGAND_OK;
}

/* Adds one infinity to all results that it reaches: tap u contributes to result at[d] - (k - 1) + u. */
static void put_infinity(const put *p, const infinite *f)
{
    const int64_t count = p->k[0] * p->k[1] * p->k[2];
    const int parts = p->s->parts;
    for (int64_t i = 0; i < count; i++) {
        const int64_t u[3] = {i % p->k[0], i / p->k[0] % p->k[1], i / p->k[0] / p->k[1]};
        int64_t at = f->channel;
        bool inside = true;
        for (int d = 2; d >= 0; d--) {
            const int64_t result = f->at[d] - (p->k[d] - 1) + u[d];
            inside = inside && result >= 0 && result < p->out[d];
            at = at * p->out[d] + result;
        }
        if (!inside) continue;
        p->y[parts * at + f->part] += p->taps[parts * i] * f->value;
        if (!p->complex_taps) continue;
        const double im = p->taps[2 * i + 1];
        p->y[2 * at + 1 - f->part] += (f->part ? -im : im) * f->value;
    }
}

static bool any_imaginary(const argand_array *taps)
{
    const double *at = argand_array_data(taps);
    for (int64_t i = 0; i < argand_array_count(taps) && type_is_complex(taps->type); i++)
        if (at[2 * i + 1] != 0) return true;
    return false;
}

argand_status conv_nonfinite_put(const conv_nonfinite *s, argand_array *y, const argand_array *taps, int axes)
{
    const double *all = argand_array_data(taps);
    const int64_t kernels = taps->dims[axes], step = argand_array_count(taps) / kernels * s->parts;
    put p = {.s = s, .taps = all, .y = argand_array_data(y)};
    p.complex_taps = any_imaginary(taps);
    for (int d = 0; d < 3; d++) {
        p.k[d] = d < axes ? taps->dims[d] : 1;
        p.out[d] = d < axes ? y->dims[d] : 1;
    }
    for (int64_t c = 0; c < s->channels && s->nan; c++) TRY(put_nans(&p, c));
    for (int64_t i = 0; i < s->infinities; i++) {
        p.taps = all + (kernels > 1 ? s->infinite[i].channel : 0) * step;
        put_infinity(&p, &s->infinite[i]);
    }
    return ARGAND_OK;
}
