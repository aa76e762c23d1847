/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of a regularizer, and what it is called. */
#include "penalty/penalty.h"

#include <math.h>

const char *argand_regularizer_name(argand_regularizer_kind kind)
{
    static const char *const names[] = {"tikhonov",       "quadratic", "hyperbola", "tv",
                                        "tv-anisotropic", "wavelet",   "llr"};
    return kind >= ARGAND_TIKHONOV && kind <= ARGAND_LOW_RANK ? names[kind - 1] : "unknown";
}

bool regularizer_is_quadratic(const argand_regularizer *r)
{
    return r->kind == ARGAND_TIKHONOV || r->kind == ARGAND_QUADRATIC;
}

bool regularizer_has_gradient(const argand_regularizer *r)
{
    return r->kind >= ARGAND_QUADRATIC && r->kind <= ARGAND_TV_ANISOTROPIC;
}

static argand_status check_low_rank(const argand_regularizer *r, const argand_shape *shape, int space)
{
    CHECK(r->block >= 0 && r->block <= 64, ARGAND_ARGUMENT,
          "llr: blocks of %d pixels; give 1 to 64, or 0 for 8", r->block);
    CHECK(
        shape->rank == space + 1, ARGAND_ARGUMENT,
        "llr: it wants images of %d axes and one more of repetitions, but the image has %d axes; set `space`",
        space, shape->rank);
    CHECK(shape->dims[shape->rank - 1] <= 1024, ARGAND_ARGUMENT, "llr: %lld repetitions; 1024 at most",
          (long long)shape->dims[shape->rank - 1]);
    return ARGAND_OK;
}

argand_status regularizer_check(const argand_regularizer *r, const argand_shape *shape, int space)
{
    const char *name = argand_regularizer_name(r->kind);
    CHECK(r->kind >= ARGAND_TIKHONOV && r->kind <= ARGAND_LOW_RANK, ARGAND_ARGUMENT,
          "regularizer kind %d is not known; give one of argand_regularizer_kind", (int)r->kind);
    CHECK(r->weight >= 0 && isfinite(r->weight), ARGAND_ARGUMENT, "%s: weight %g; it must be 0 or more", name,
          r->weight);
    CHECK(space >= 1 && space <= 3 && space <= shape->rank, ARGAND_ARGUMENT,
          "%s: %d axes of space in an image of rank %d; give 1 to 3, not more than it has", name, space,
          shape->rank);
    CHECK(shape->rank < ARGAND_MAX_RANK, ARGAND_ARGUMENT, "%s: an image of rank %d; %d at most", name,
          shape->rank, ARGAND_MAX_RANK - 1);
    CHECK(r->delta >= 0 && isfinite(r->delta), ARGAND_ARGUMENT,
          "%s: delta %g; it must be above 0, or 0 for the default", name, r->delta);
    CHECK(r->levels >= 0 && r->levels <= WAVELET_LEVELS, ARGAND_ARGUMENT,
          "%s: %d levels; give 1 to %d, or 0 for the default", name, r->levels, WAVELET_LEVELS);
    CHECK(r->wavelet == ARGAND_DAUBECHIES_4 || r->wavelet == ARGAND_HAAR, ARGAND_ARGUMENT,
          "%s: wavelet %d is not known; give one of argand_wavelet", name, (int)r->wavelet);
    return r->kind == ARGAND_LOW_RANK ? check_low_rank(r, shape, space) : ARGAND_OK;
}
