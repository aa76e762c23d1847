/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of a plan's blocks, from its device and its tuning. */
#include "fft/gpu/estimate/estimate.h"

#include <string.h>

/* Returns the shared memory of a block. If launches request it: whole units of 32 KiB, which leaves some
 * for the driver. If kernels declare it: an eighth is left for the compiler, and the size is limited to
 * what was tested. */
static int64_t shared_bytes(const device_traits *device)
{
    enum { UNIT = 32 << 10, MOST_DECLARED = 56 << 10 };
    const int64_t all = (int64_t)device->group_memory, declared = all / 8 * 7;
    if (device->group_memory_given) return all < 2 * UNIT ? all : all / UNIT * UNIT;
    return declared < MOST_DECLARED ? declared : MOST_DECLARED;
}

/* Returns the threads of a block: registers hold their points, and some addresses. */
static int block_threads(const device_traits *device, bool is_double)
{
    enum { REGISTERS = 64, UNKNOWN = 256 };
    const int most =
        device->registers ? device->registers / (is_double ? 2 * REGISTERS : REGISTERS) : UNKNOWN;
    return device->group_items < most ? device->group_items : most;
}

/* Returns the most work memory of a call: a sixteenth of the device's memory. */
static int64_t work_most(const device_traits *device)
{
    return (int64_t)(device->memory / 16);
}

static int64_t work_bytes(const device_traits *device, const gpu_tuning *tuning)
{
    const int64_t most = (int64_t)tuning->work_mib * 1024 * 1024, all = work_most(device);
    return all > 0 && all < most ? all : most;
}

argand_status limits_find(block_limits *l, const fft_problem *p, argand_device *device,
                          const char *variant_name)
{
    gpu_tuning tuning;
    const device_traits *t = device_traits_of(device);
    char guess[FFT_VARIANT_CHARS];
    guess_variant(guess, p, t);
    CHECK(tuning_parse(&tuning, *variant_name ? variant_name : guess), ARGAND_UNSUPPORTED,
          "argand_fft_create: our kernels have no variant \"%s\"", variant_name);
    const bool is_double = type_is_double(p->type);
    *l = (block_limits){.device = device,
                        .tuning = tuning,
                        .is_double = is_double,
                        .element_bytes = is_double ? 16 : 8,
                        .threads = block_threads(t, is_double),
                        .points_per_thread = 16,
                        .cluster = t->cluster < tuning.max_cluster ? t->cluster : tuning.max_cluster,
                        .units = t->units,
                        .unscaled = p->forward_factor == 1 && p->inverse_factor == 1,
                        .persistent = t->progresses,
                        .overlaps = t->overlaps && tuning.dependent_launch,
                        .out_of_place = true,
                        .shared_bytes = shared_bytes(t),
                        .work_bytes = work_bytes(t, &tuning),
                        .work_most = work_most(t)};
    return ARGAND_OK;
}
