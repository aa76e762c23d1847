/* SPDX-License-Identifier: BSD-3-Clause */
/* What ESTIMATE takes: the words that were fastest for most problems of a kind (docs/performance/fft-h200.md,
 * "Sizes drawn at random"). MEASURE begins with them. */
#include "fft/device/box.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One complex line after the other in single precision, short enough for one pass. */
static bool is_short_line(const fft_problem *p)
{
    enum { ONE_PASS = 16384 };
    return p->type == ARGAND_C32 && p->rank == 1 && !p->axes_given && p->n[0] <= ONE_PASS &&
           has_radices(p->n[0]);
}

/* Memory of boxes that come later is asked into the cache; turns of longer lines are products of few; the
 * longest have fewer stages of more points. */
static const char *of_short_lines(int64_t n)
{
    return n <= 2048    ? "ahead 1"
           : n <= 6144  ? "ahead 1 products 1"
           : n <= 11264 ? "large 1 ahead 1 products 1"
                        : "values 32 ahead 1 products 1";
}

void guess_variant(char name[FFT_VARIANT_CHARS], const fft_problem *p, const argand_device_info *info)
{
    const bool is_listed = getenv("ARGAND_FFT_BOX") == NULL, is_cuda = !strcmp(info->backend, "cuda");
    snprintf(name, FFT_VARIANT_CHARS, "%s",
             !is_listed || !is_cuda ? ""
             : is_short_line(p)     ? of_short_lines(p->n[0])
                                    : "wave 0");
}
