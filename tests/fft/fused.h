/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests of accessors in the passes of our kernels. */
#ifndef TESTS_FFT_FUSED_H
#define TESTS_FFT_FUSED_H

#include "access_truth.h"

static inline int use_ours(void **state)
{
    (void)state;
    setenv("ARGAND_FFT_ENGINE", "box", 1); /* processors, too, are to be given kernels for GPUs */
    return 0;
}

static inline bool is_host(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable;
}

static inline double tolerance(argand_type type, double points)
{
    return 4 * fft_tolerance(type, points);
}

/* The plan's engine; `reason`: what is said of the fused way. */
static inline void check_engine(const argand_fft *plan, const char *engine, const char *reason)
{
    argand_fft_candidate c;
    bool found = false;
    for (int i = 0; i < argand_fft_candidate_count(plan); i++) {
        OK(argand_fft_candidate_describe(plan, i, &c));
        if (c.taken) assert_string_equal(c.engine, engine);
        found |= strstr(c.reason, reason) != NULL;
    }
    if (!found) fail_msg("nobody says \"%s\"", reason);
}

static inline argand_array *random_array(argand_type type, int rank, const int64_t *dims, uint64_t seed)
{
    argand_array *a = new_array(type, rank, dims);
    randomise(a, seed, 0, 0);
    return a;
}

/* Dimensions of a side: spans, then the batch. */
static inline void side_dims(int64_t *dims, const argand_fft_options *o, const argand_fft_side *side)
{
    for (int d = 0; d < o->rank; d++) dims[d] = side->span[d].count ? side->span[d].count : o->n[d];
    dims[o->rank] = o->batch ? o->batch : 1;
}

#endif
