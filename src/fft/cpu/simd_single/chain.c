/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of one dimension of a line's matrix: radices, twiddles, and where results lie. */
#include "base/memory.h"
#include "fft/engine/roots.h"
#include "fft/cpu/simd_single/plan.h"

/* Makes the table of exp(-2 pi i p k step / n), p from 1 to radix - 1, k < done: cos, and sin times
 * `sign`. */
static argand_status make_twiddles(void **twiddles, const roots *r, bool is_double, int64_t radix,
                                   int64_t done, double sign)
{
    const int64_t step = r->n / (done * radix);
    TRY(memory_new(twiddles, (size_t)(done * (radix - 1)), is_double ? 16 : 8));
    for (int64_t k = 0, at = 0; k < done; k++)
        for (int64_t p = 1; p < radix; p++, at += 2) {
            double cosine, sine;
            roots_at(r, p * k * step, &cosine, &sine);
            roots_put(*twiddles, is_double, at, cosine);
            roots_put(*twiddles, is_double, at + 1, sign * sine);
        }
    return ARGAND_OK;
}

/* Returns the place of a point in the order of the stages. The last stage's radix sorts points by their
 * index modulo it, the stage before by the quotient, and so on down to the first. */
static int64_t reversed(const simd_single_factors *f, int64_t point, int64_t length, int first)
{
    int64_t place = 0;
    for (int i = f->count - 1; i >= first; i--) {
        length /= f->radix[i];
        place += point % f->radix[i] * length;
        point /= f->radix[i];
    }
    return place;
}

static argand_status make_places(simd_single_chain *c, int64_t cells)
{
    const int64_t groups = c->length / c->factors.radix[0];
    TRY(NEW(c->places, cells));
    TRY(NEW(c->groups, groups));
    for (int64_t i = 0; i < cells; i++)
        c->places[i] = (int32_t)(i < c->length ? reversed(&c->factors, i, c->length, 0) : i);
    for (int64_t i = 0; i < groups; i++) c->groups[i] = (int32_t)reversed(&c->factors, i, groups, 1);
    return ARGAND_OK;
}

argand_status simd_single_chain_make(simd_single_chain *c, int64_t length, int64_t least_cells,
                                     bool is_double)
{
    roots r;
    argand_status status;
    c->length = length;
    simd_single_factor(length, &c->factors);
    TRY(make_places(c, simd_single_larger(length, least_cells)));
    TRY(roots_make(&r, length));
    const int last = c->factors.count - 1;
    int64_t done = c->factors.radix[0];
    for (int i = 1; i <= last; done *= c->factors.radix[i++])
        TRY_OR_DONE(make_twiddles(&c->twiddles[i], &r, is_double, c->factors.radix[i], done, 1));
    if (last > 0)
        status = make_twiddles(&c->conjugate, &r, is_double, c->factors.radix[last],
                               done / c->factors.radix[last], -1);
    else
        status = ARGAND_OK;
done:
    roots_release(&r);
    return status;
}

void simd_single_chain_release(simd_single_chain *c)
{
    memory_free(c->places);
    memory_free(c->groups);
    memory_free(c->conjugate);
    for (int i = 0; i < SIMD_SINGLE_MOST_FACTORS; i++) memory_free(c->twiddles[i]);
    *c = (simd_single_chain){0};
}
