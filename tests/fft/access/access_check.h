/* SPDX-License-Identifier: BSD-3-Clause */
/* A transform with accessors on arrays of the options' own shape, against access_reference.h. */
#ifndef TESTS_FFT_ACCESS_CHECK_H
#define TESTS_FFT_ACCESS_CHECK_H

#include "access_reference.h"

/* Spectra of padded arrays may be far smaller than the sums that they come from: a few times the tolerance.
 */
static inline double tolerance(argand_type type, double points)
{
    return 4 * fft_tolerance(type, points);
}

static inline int64_t points_of(const argand_fft_options *o)
{
    int64_t points = 1;
    for (int d = 0; d < o->rank; d++) points *= o->n[d];
    return points;
}

/* Arrays of the shape of the options' spans, and `loops` behind them. */
static inline argand_array *layout_array(const argand_fft_options *o, const argand_fft_layout *layout,
                                         int loops, const int64_t *loop)
{
    int64_t dims[ARGAND_MAX_RANK];
    const bool reals = o->type < ARGAND_C32;
    for (int d = 0; d < o->rank; d++) dims[d] = layout->window[d].count ? layout->window[d].count : o->n[d];
    if (reals && layout == &o->output && !o->access.spectrum[0].kind && !layout->window[0].count)
        dims[0] = o->n[0] / 2 + 1;
    for (int d = 0; d < loops; d++) dims[o->rank + d] = loop[d];
    const argand_type whole = o->type == ARGAND_R64 || o->type == ARGAND_C64 ? ARGAND_C64 : ARGAND_C32;
    const bool real_layout = reals && (layout == &o->input || o->access.spectrum[0].kind);
    return new_array(real_layout ? o->type : whole, o->rank + loops, dims);
}

static inline void check(const argand_fft_options *o, argand_direction direction, int loops,
                         const int64_t *in_loop, const int64_t *out_loop)
{
    argand_array *in = layout_array(o, &o->input, loops, in_loop),
                 *out = layout_array(o, &o->output, loops, out_loop);
    randomise(in, 3, 0, 0);
    CHECK_BELOW(access_error(o, out, in, direction), tolerance(o->type, (double)points_of(o)));
    argand_array_destroy(in);
    argand_array_destroy(out);
}

static const int64_t none[1] = {1};

static inline argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *a = new_array(type, rank, dims);
    randomise(a, seed, 0, 0);
    return a;
}

#endif
