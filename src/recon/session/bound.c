/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the work that a header claims with the number of samples. A few bytes can claim a matrix of
 * which one image takes gigabytes and minutes. Undersampling is useful up to a few dozen pixels per
 * sample. Small images always pass, because they cost little. */
#include "recon/session/session.h"

#include <math.h>

enum { PIXELS_FOR_A_SAMPLE = 100, SMALL = 1 << 21 };

static double samples_of(const argand_acquisition *list, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (double)list[i].samples;
    return sum;
}

static argand_status check_claim(const argand_scan *scan, const int64_t n[3], int64_t images)
{
    const double pixels = (double)n[0] * (double)n[1] * (double)n[2] * (double)images,
                 samples = samples_of(scan->acquisitions, scan->acquisition_count) +
                           samples_of(scan->calibrations, scan->calibration_count);
    if (pixels * fmax(scan->channels, 1) <= SMALL || pixels <= PIXELS_FOR_A_SAMPLE * samples)
        return ARGAND_OK;
    return status_set(
        ARGAND_UNSUPPORTED,
        "%s: the header claims %lld image(s) of %lld x %lld x %lld pixels for %.0f samples of each channel, "
        "which can fill %.0f pixels at most (%d for each): if the matrix is right, give it yourself "
        "(--matrix)",
        scan->path, (long long)images, (long long)n[0], (long long)n[1], (long long)n[2], samples,
        PIXELS_FOR_A_SAMPLE * samples, PIXELS_FOR_A_SAMPLE);
}

argand_status bound_check(const argand_sense *s)
{
    bool claimed = false;
    for (int axis = 0; axis < 3; axis++)
        claimed = claimed || (s->grid.n[axis] > 1 && !s->options.matrix[axis]);
    return claimed ? check_claim(s->scan, s->grid.n, s->volume_count) : ARGAND_OK;
}
