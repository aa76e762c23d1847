/* SPDX-License-Identifier: BSD-3-Clause */
/* Soft-thresholds the details of an orthogonal wavelet transform. Coarse coefficients stay, so that
 * regions keep their brightness. The image is first shifted circularly by a random amount and afterwards
 * shifted back (cycle spinning: Coifman and Donoho 1995; one shift per iteration: Figueiredo and Nowak
 * 2003). */
#include "penalty/penalty.h"

#include <string.h>
#include "base/memory.h"
#include "base/random.h"

typedef struct wavelet_prox {
    prox base;
    wavelet_plan plan;
    bool moves;
    random_state random;
    int64_t shift[3];
} wavelet_prox;

static void move(prox *p)
{
    wavelet_prox *w = (wavelet_prox *)p;
    for (int axis = 0; axis < 3; axis++)
        w->shift[axis] = w->plan.box[w->plan.levels][axis] < w->plan.n[axis]
                             ? (int64_t)(random_bits(&w->random) % (uint64_t)w->plan.n[axis])
                             : 0;
}

/* Copies one of the parts into which a circular shift divides an image. Per axis, part 0 stays inside and
 * part 1 wraps around. */
static argand_status shift_part(const wavelet_plan *w, const int64_t shift[3], int which, argand_array *y,
                                const argand_array *x)
{
    int64_t dims[4] = {1, 1, 1, w->batch}, from = 0, to = 0;
    const int64_t strides[4] = {1, w->n[0], w->n[0] * w->n[1], w->n[0] * w->n[1] * w->n[2]};
    for (int axis = 0; axis < 3; axis++) {
        const bool round = which >> axis & 1;
        dims[axis] = round ? shift[axis] : w->n[axis] - shift[axis];
        if (dims[axis] == 0) return ARGAND_OK;
        from += strides[axis] * (round ? w->n[axis] - shift[axis] : 0);
        to += strides[axis] * (round ? 0 : shift[axis]);
    }
    argand_array *a, *b;
    TRY(argand_array_view(&a, y, 4, dims, strides, to));
    argand_status status = argand_array_view(&b, x, 4, dims, strides, from);
    if (status == ARGAND_OK) {
        status = argand_array_copy(a, b);
        argand_array_destroy(b);
    }
    argand_array_destroy(a);
    return status;
}

/* Sets y[(i + shift) mod n] = x[i]. */
static argand_status circular_shift(const wavelet_plan *w, const int64_t shift[3], argand_array *y,
                                    const argand_array *x)
{
    for (int which = 0; which < 8; which++) TRY(shift_part(w, shift, which, y, x));
    return ARGAND_OK;
}

/* Thresholds only the details: keeps a copy of the coarse coefficients in `kept` meanwhile. */
static argand_status threshold(const wavelet_plan *w, argand_array *coefficients, double t, const tally *sum)
{
    argand_array *coarse, *kept = NULL;
    argand_status status;
    TRY(wavelet_coarse(w, &coarse, coefficients));
    TRY_OR_DONE(array_scratch(&kept, argand_array_device(coarse), coarse->type, coarse->rank, coarse->dims));
    TRY_OR_DONE(argand_array_copy(kept, coarse));
    TRY_OR_DONE(argand_array_fill(coarse, (argand_scalar){0, 0}));
    TRY_OR_DONE(shrink(SHRINK_SOFT, coefficients, coefficients, 1, t, 1, sum));
    status = argand_array_copy(coarse, kept);
done:
    argand_array_destroy(kept);
    argand_array_destroy(coarse);
    return status;
}

static argand_status run(prox *p, argand_array *y, const argand_array *x, double t, const tally *sum)
{
    wavelet_prox *w = (wavelet_prox *)p;
    argand_array *coefficients;
    int64_t back[3];
    argand_status status;
    TRY(array_scratch(&coefficients, argand_array_device(x), x->type, x->rank, x->dims));
    if (w->moves) TRY_OR_DONE(circular_shift(&w->plan, w->shift, y, x));
    TRY_OR_DONE(wavelet_forward(&w->plan, coefficients, w->moves ? y : x));
    TRY_OR_DONE(threshold(&w->plan, coefficients, t, sum));
    TRY_OR_DONE(wavelet_inverse(&w->plan, y, coefficients));
    if (!w->moves) goto done;
    for (int axis = 0; axis < 3; axis++) back[axis] = w->shift[axis] ? w->plan.n[axis] - w->shift[axis] : 0;
    TRY_OR_DONE(circular_shift(&w->plan, back, coefficients, y));
    status = argand_array_copy(y, coefficients);
done:
    argand_array_destroy(coefficients);
    return status;
}

static argand_status make(prox **out, const argand_regularizer *r, argand_device *device,
                          const argand_shape *shape, int space)
{
    (void)device;
    wavelet_prox *w;
    TRY(NEW(w, 1));
    *w = (wavelet_prox){.base = {.run = run, .move = r->seed ? move : NULL, .components = 1},
                        .moves = r->seed != 0,
                        .random = {r->seed}};
    *out = &w->base;
    const argand_status status = wavelet_plan_make(&w->plan, shape, space, r->wavelet, r->levels);
    if (status == ARGAND_OK && w->moves) move(*out);
    return status;
}

static bool parse(argand_regularizer *r, const char *option)
{
    const bool haar = !strcmp(option, "haar");
    if (!haar && strcmp(option, "daubechies4")) return penalty_whole(option, WAVELET_LEVELS, &r->levels);
    r->wavelet = haar ? ARGAND_HAAR : ARGAND_DAUBECHIES_4;
    return true;
}

const penalty_kind penalty_wavelet = {
    .id = ARGAND_WAVELET,
    .name = "wavelet",
    .form = "wavelet:WEIGHT[:haar|daubechies4][:LEVELS][:fixed]",
    .summary = "sparsity in wavelets",
    .formula = "sum of |coefficients| of an orthogonal transform, without the coarsest ones",
    .paper = "Lustig, Donoho, Pauly: Sparse MRI: the application of compressed sensing for rapid MR imaging. "
             "Magn. Reson. Med. 58:1182, 2007.",
    .usual = 0.02,
    .is_moving = true,
    .degree = 1,
    .threshold = 1,
    .keeps_to_noise = true,
    .parse = parse,
    .prox = make,
};
