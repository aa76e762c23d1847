/* SPDX-License-Identifier: BSD-3-Clause */
/* What wisdom asks of the rest of the library where problems are planned, which its fuzzer does not do. */
#include <stdlib.h>
#include "device/cache.h"
#include "device/device.h"
#include "fft/access/access.h"
#include "fft/cpu/line/algorithms.h"
#include "fft/gpu/tuning/tuning.h"
#include "fft/planner/wisdom.h"

const wisdom_text wisdom_shipped[] = {{NULL, NULL}};

/* Engines and algorithms have a name and know their variants, no more. */
const fft_engine fft_engine_passes = {.name = "passes", .unknown = line_unknown},
                 fft_engine_native = {.name = "native", .unknown = tuning_unknown},
                 fft_engine_cufft = {.name = "cufft"}, fft_engine_access = {.name = "accessors"},
                 fft_engine_fused = {.name = "fused", .unknown = tuning_unknown},
                 fft_engine_staged = {.name = "staged"};
const fft_engine *const fft_engines[] = {&fft_engine_passes, &fft_engine_native, &fft_engine_cufft, NULL};
static const line_algorithm rows = {.name = "simd_single"}, columns = {.name = "simd_batch"},
                            reals = {.name = "real_batch"};
const line_algorithm *const line_algorithms[LINE_MOST_ALGORITHMS] = {&rows, &columns, &reals};

void access_key(text *key, const fft_problem *problem)
{
    (void)key, (void)problem;
    abort();
}

void problem_contiguous(fft_geometry *geometry, const fft_problem *problem, argand_direction direction)
{
    (void)geometry, (void)problem, (void)direction;
    abort();
}

bool geometry_is(const fft_geometry *a, const fft_geometry *b)
{
    (void)a, (void)b;
    abort();
}

bool cache_folder(char folder[CACHE_PATH])
{
    (void)folder;
    return false;
}

void cache_make_folders(const char *file)
{
    (void)file;
}

const device_traits *device_traits_of(const argand_device *device)
{
    (void)device;
    abort();
}

argand_status argand_device_describe(argand_device *device, argand_device_info *info)
{
    (void)device, (void)info;
    abort();
}
