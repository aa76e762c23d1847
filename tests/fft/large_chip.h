/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans for a large chip (capability 9.0) are made with, on machines without one: which shapes, tables
 * and keys they get can be looked at, though nothing runs. */
#ifndef TESTS_FFT_LARGE_CHIP_H
#define TESTS_FFT_LARGE_CHIP_H

#include "harness.h"
#include "fft/gpu/build.h"
#include "fft/gpu/codegen/pass.h"
#include "fft/gpu/estimate/estimate.h"
#include "fft/gpu/schedule/program.h"

static inline block_limits limits_of(const char *variant, bool is_double, int cluster)
{
    block_limits l = {.device = device,
                      .is_double = is_double,
                      .element_bytes = is_double ? 16 : 8,
                      .threads = is_double ? 512 : 1024,
                      .points_per_thread = 16,
                      .cluster = cluster,
                      .shared_bytes = 224 * 1024};
    assert_true(tuning_parse(&l.tuning, variant));
    return l;
}

#endif
