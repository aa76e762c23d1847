/* SPDX-License-Identifier: BSD-3-Clause */
/* Tunings for plans with accessors, from the wisdom of these accessors or of the plain transform. */
#include <stdio.h>
#include <string.h>
#include "fft/access/access.h"
#include "fft/gpu/access/access.h"
#include "fft/gpu/estimate/estimate.h"
#include "fft/planner/wisdom.h"

/* Looks up the wisdom for these accessors with any user functions. */
bool access_variant_known(char variant_text[FFT_VARIANT_CHARS], const fft_problem *p, argand_device *device)
{
    struct fft_access any = *p->access;
    fft_problem same = *p;
    wisdom_answer known[2];
    gpu_tuning tuning;
    bool is_known;
    any.unnamed = true;
    same.access = &any;
    if (wisdom_ask(&is_known, known, device, &same) != ARGAND_OK || !is_known ||
        strcmp(known[0].engine, fft_engine_fused.name) || !tuning_parse(&tuning, known[0].variant))
        return false;
    snprintf(variant_text, FFT_VARIANT_CHARS, "%s", known[0].variant);
    return true;
}

/* Writes the fastest tuning of the plain transform, or of its inverse, if wisdom has one for the native
 * kernels; otherwise the tuning of ESTIMATE. Cropped layouts also use that of ESTIMATE: they make other
 * passes (256 x 256 cropped to half the size took 1.6 times as long with the plain plan's tuning, H200). */
void access_variant_plain(char variant_text[FFT_VARIANT_CHARS], const fft_problem *p, argand_device *device)
{
    enum { MANY = 1 << 20 };
    fft_problem plain = *p;
    wisdom_answer known[2];
    gpu_tuning tuning;
    bool is_known;
    plain.access = NULL;
    variant_text[0] = 0;
    if (wisdom_ask(&is_known, known, device, &plain) != ARGAND_OK) return;
    for (int back = 0; is_known && !access_cuts(p) && back < 2; back++)
        if (!strcmp(known[back].engine, fft_engine_native.name) &&
            tuning_parse(&tuning, known[back].variant)) {
            snprintf(variant_text, FFT_VARIANT_CHARS, "%s", known[back].variant);
            return;
        }
    /* a round trip is one launch if a block holds a line, however few lines there are */
    if (p->access->has_spectrum && p->rank == 1) plain.batch = MANY;
    guess_variant(variant_text, &plain, device_traits_of(device));
}
