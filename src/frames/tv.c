/* SPDX-License-Identifier: BSD-3-Clause */
/* Total variation over time: the sum over earlier frames of psi(|x - earlier|), psi the hyperbola that is
 * quadratic for small differences and linear for large ones, so that what moves is held less than what stays.
 * A quadratic that touches psi from above takes its place (half-quadratic: Geman and Yang, IEEE Trans. Image
 * Process. 4:932, 1995; temporal TV: Feng et al., Magn. Reson. Med. 72:707, 2014). The earlier frames are not
 * changed, so that a frame needs no more transforms. */
#include "frames/frames.h"

#include <float.h>
#include <math.h>
#include "penalty/penalty.h"

/* Differences of this part of the root mean square of an image are where psi becomes linear. */
static const double CORNER = 0.2;

argand_status tv_create(argand_frames *f)
{
    frames_tv *t = &f->tv;
    const int64_t *n = f->options.n;
    t->corner = 1;
    if (!(f->options.temporal_tv > 0)) return ARGAND_OK;
    for (int i = 0; i < f->options.tv_frames; i++)
        TRY(argand_array_create(&t->earlier[i], f->device, ARGAND_C32, 2, n));
    TRY(argand_array_create(&t->difference, f->device, ARGAND_C32, 2, n));
    TRY(argand_array_create(&t->target, f->device, ARGAND_C32, 2, n));
    TRY(argand_array_create(&t->share, f->device, ARGAND_R32, 2, n));
    return argand_array_create(&t->weight, f->device, ARGAND_R32, 2, n);
}

void tv_free(frames_tv *t)
{
    for (int i = 0; i < FRAMES_MOST_EARLIER; i++) argand_array_destroy(t->earlier[i]);
    argand_array_destroy(t->difference);
    argand_array_destroy(t->target);
    argand_array_destroy(t->share);
    argand_array_destroy(t->weight);
    *t = (frames_tv){0};
}

argand_status tv_measure(argand_frames *f)
{
    frames_tv *t = &f->tv;
    double norm;
    if (!t->weight) return ARGAND_OK;
    TRY(argand_array_norm(&norm, f->image));
    t->corner = CORNER * norm / sqrt((double)argand_array_count(f->image));
    if (!(t->corner > FLT_MIN)) t->corner = FLT_MIN;
    for (int i = 0; i < f->options.tv_frames; i++) TRY(argand_array_copy(t->earlier[i], f->image));
    return ARGAND_OK;
}

argand_status tv_remember(argand_frames *f)
{
    frames_tv *t = &f->tv;
    if (!t->weight) return ARGAND_OK;
    for (int i = f->options.tv_frames - 1; i > 0; i--)
        TRY(argand_array_copy(t->earlier[i], t->earlier[i - 1]));
    return argand_array_copy(t->earlier[0], f->image);
}

argand_status tv_weigh(argand_frames *f, double diagonal)
{
    frames_tv *t = &f->tv;
    const argand_scalar one = {1, 0}, minus_one = {-1, 0},
                        each = {diagonal * f->options.temporal_tv / f->options.tv_frames, 0};
    for (int i = 0; i < f->options.tv_frames; i++) {
        const argand_scalar kept = {i > 0, 0};
        TRY(argand_array_copy(t->difference, f->image));
        TRY(argand_array_axpby(t->difference, minus_one, t->earlier[i], one));
        TRY(shrink(SHRINK_WEIGHTS, t->share, t->difference, 1, 0, t->corner, NULL));
        TRY(argand_array_axpby(t->weight, each, t->share, kept));
        TRY(argand_array_multiply(t->difference, t->share, t->earlier[i], ARGAND_PRODUCT));
        TRY(argand_array_axpby(t->target, each, t->difference, kept));
    }
    return ARGAND_OK;
}
