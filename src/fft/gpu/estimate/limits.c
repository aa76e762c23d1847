/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan's blocks may use, by its device and by the tuning that it is given. */
#include "fft/gpu/estimate/estimate.h"

#include <string.h>

/* Shared memory that a block may have at most (CUDA programming guide, table of compute capabilities), some
 * left for the driver. */
static int64_t shared_bytes(const argand_device_info *info)
{
    const int c = info->capability;
    if (!c) return info->group_memory < 65536 ? (int64_t)info->group_memory / 8 * 7 : 57344;
    const int kib = c < 75 ? 48 : c < 80 ? 64 : c == 80 || c == 87 ? 160 : c >= 90 && c < 120 ? 224 : 96;
    return (int64_t)kib * 1024;
}

/* A sixteenth of the device's memory; not more than that. */
static int64_t work_most(const argand_device_info *info)
{
    return (int64_t)(info->memory / 16);
}

static int64_t work_bytes(const argand_device_info *info, const gpu_tuning *tuning)
{
    const int64_t most = (int64_t)tuning->work_mib * 1024 * 1024, all = work_most(info);
    return all > 0 && all < most ? all : most;
}

argand_status limits_find(block_limits *l, const fft_problem *p, argand_device *device,
                          const char *variant_name)
{
    gpu_tuning tuning;
    argand_device_info info;
    char guess[FFT_VARIANT_CHARS];
    TRY(argand_device_describe(device, &info));
    guess_variant(guess, p, &info);
    CHECK(tuning_parse(&tuning, *variant_name ? variant_name : guess), ARGAND_UNSUPPORTED,
          "argand_fft_create: our kernels have no variant \"%s\"", variant_name);
    const bool is_double = type_is_double(p->type), cuda = !strcmp(info.backend, "cuda");
    *l = (block_limits){.device = device,
                        .tuning = tuning,
                        .is_double = is_double,
                        .element_bytes = is_double ? 16 : 8,
                        .threads = !cuda       ? (info.group_items < 256 ? info.group_items : 256)
                                   : is_double ? 512
                                               : 1024,
                        .points_per_thread = 16,
                        .cluster =
                            cuda && info.capability >= 90 && info.capability < 120 ? tuning.max_cluster : 0,
                        .units = info.units,
                        .unscaled = p->forward_factor == 1 && p->inverse_factor == 1,
                        .persistent = info.capability >= 70,
                        .overlaps = cuda && info.capability >= 90 && tuning.dependent_launch,
                        .out_of_place = true,
                        .shared_bytes = shared_bytes(&info),
                        .work_bytes = work_bytes(&info, &tuning),
                        .work_most = work_most(&info)};
    return ARGAND_OK;
}
