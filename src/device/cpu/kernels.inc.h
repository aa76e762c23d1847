/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the kernel texts as C for one precision. Define before: REAL, OTHER, KERNEL_TABLE, KEY_REAL and
 * KEY_OTHER (strings). */
#include "device/cpu/kernels.h"

#include <stddef.h>
#include "kernels/portable.h"
#include "kernels/params.h"
#include "kernels/array/rows.krn"
#include "kernels/array/axpby.krn"
#include "kernels/array/multiply.krn"
#include "kernels/array/part.krn"
#include "kernels/array/convert.krn"
#include "kernels/access/types.h"
#include "kernels/access/elements.h"
#include "kernels/array/convert_storage.krn"
#include "kernels/array/dot_product.krn"
#include "kernels/array/sum.krn"
#include "kernels/array/extent.krn"
#include "kernels/array/fill.krn"
#include "kernels/array/collect.krn"
#include "kernels/array/axpby_ratio.krn"
#include "kernels/array/basis_params.h"
#include "kernels/array/basis_keep.krn"
#include "kernels/operator/coils_apply.krn"
#include "kernels/operator/coils_adjoint.krn"
#include "kernels/operator/segments_spread.krn"
#include "kernels/operator/segments_gather.krn"
#include "kernels/conv/params.h"
#include "kernels/conv/range.krn"
#include "kernels/conv/flush.krn"
#include "kernels/array/circular_shift.krn"
#include "kernels/fft/half_rows.krn"
#include "kernels/fft/half_pack.krn"
#include "kernels/fft/half_unpack.krn"
#include "kernels/penalty/params.h"
#include "kernels/penalty/gradient_apply.krn"
#include "kernels/penalty/gradient_adjoint.krn"
#include "kernels/penalty/shrink.krn"
#include "kernels/penalty/wavelet.krn"
#include "kernels/penalty/low_rank.krn"
#include "kernels/operator/toeplitz.krn"
#include "kernels/operator/toeplitz_mix.krn"

/* Defines a cpu_function that calls kernel(buffers..., params, group). */
#define THUNK2(name, T0, T1)                                                                           \
    static void name##_thunk(void *const *memory, const void *params, int64_t group)                   \
    {                                                                                                  \
        name((T0 *)memory[0], (const T1 *)memory[1], *(const struct pointwise_params *)params, group); \
    }
#define THUNK3(name, T0, T1, T2)                                                     \
    static void name##_thunk(void *const *memory, const void *params, int64_t group) \
    {                                                                                \
        name((T0 *)memory[0], (const T1 *)memory[1], (const T2 *)memory[2],          \
             *(const struct pointwise_params *)params, group);                       \
    }

THUNK2(axpby, REAL, REAL)
THUNK2(part, REAL, REAL)
THUNK2(sum, double, REAL)
THUNK2(extent, double, REAL)
THUNK2(convert, REAL, OTHER)
THUNK2(convert_storage, void, void)
THUNK3(multiply, REAL, REAL, REAL)
THUNK3(dot_product, double, REAL, REAL)

static void fill_thunk(void *const *memory, const void *params, int64_t group)
{
    fill((REAL *)memory[0], *(const struct pointwise_params *)params, group);
}

static void conv_range_thunk(void *const *memory, const void *params, int64_t group)
{
    conv_range((double *)memory[0], memory[1], *(const struct conv_range_params *)params, group);
}

static void conv_range_total_thunk(void *const *memory, const void *params, int64_t group)
{
    conv_range_total((double *)memory[0], (const double *)memory[1],
                     *(const struct conv_range_params *)params, group);
}

static void conv_flush_thunk(void *const *memory, const void *params, int64_t group)
{
    conv_flush((REAL *)memory[0], *(const struct pointwise_params *)params, group);
}

static void collect_thunk(void *const *memory, const void *params, int64_t group)
{
    collect((REAL *)memory[0], (const REAL *)memory[1], *(const struct collect_params *)params, group);
}

static void axpby_ratio_thunk(void *const *memory, const void *params, int64_t group)
{
    axpby_ratio((REAL *)memory[0], (const REAL *)memory[1], (const double *)memory[2],
                *(const struct ratio_params *)params, group);
}

static void basis_keep_thunk(void *const *memory, const void *params, int64_t group)
{
    basis_keep((REAL *)memory[0], (const REAL *)memory[1], (const double *)memory[2],
               *(const struct basis_params *)params, group);
}

#define COILS_THUNK(name)                                                            \
    static void name##_thunk(void *const *memory, const void *params, int64_t group) \
    {                                                                                \
        name((REAL *)memory[0], (const REAL *)memory[1], (const REAL *)memory[2],    \
             *(const struct coils_params *)params, group);                           \
    }

COILS_THUNK(coils_apply)
COILS_THUNK(coils_adjoint)

#define SEGMENTS_THUNK(name)                                                         \
    static void name##_thunk(void *const *memory, const void *params, int64_t group) \
    {                                                                                \
        name((REAL *)memory[0], (const REAL *)memory[1], (const REAL *)memory[2],    \
             *(const struct segments_params *)params, group);                        \
    }

SEGMENTS_THUNK(segments_spread)
SEGMENTS_THUNK(segments_gather)

static void circular_shift_thunk(void *const *memory, const void *params, int64_t group)
{
    circular_shift((REAL *)memory[0], (const REAL *)memory[1], *(const struct circular_shift_params *)params,
                   group);
}

#define HALF_THUNK(name)                                                                              \
    static void name##_thunk(void *const *memory, const void *params, int64_t group)                  \
    {                                                                                                 \
        name((REAL *)memory[0], (const REAL *)memory[1], *(const struct half_params *)params, group); \
    }

HALF_THUNK(half_pack)
HALF_THUNK(half_unpack)

#define PENALTY_THUNK(name, params_type)                                                              \
    static void name##_thunk(void *const *memory, const void *params, int64_t group)                  \
    {                                                                                                 \
        name((REAL *)memory[0], (const REAL *)memory[1], *(const struct params_type *)params, group); \
    }

PENALTY_THUNK(gradient_apply, gradient_params)
PENALTY_THUNK(gradient_adjoint, gradient_params)
PENALTY_THUNK(wavelet, wavelet_params)

static void shrink_thunk(void *const *memory, const void *params, int64_t group)
{
    shrink((double *)memory[0], (REAL *)memory[1], (const REAL *)memory[2],
           *(const struct shrink_params *)params, group);
}

static void low_rank_thunk(void *const *memory, const void *params, int64_t group)
{
    low_rank((double *)memory[0], (REAL *)memory[1], (const REAL *)memory[2], (double *)memory[3],
             *(const struct low_rank_params *)params, group);
}
#define TOEPLITZ_THUNK(name)                                                                               \
    static void name##_thunk(void *const *memory, const void *params, int64_t group)                       \
    {                                                                                                      \
        name((REAL *)memory[0], (const REAL *)memory[1], (const REAL *)memory[2], (const REAL *)memory[3], \
             (const REAL *)memory[4], *(const struct toeplitz_params *)params, group);                     \
    }

TOEPLITZ_THUNK(toeplitz_load)
TOEPLITZ_THUNK(toeplitz_store)

static void toeplitz_mix_thunk(void *const *memory, const void *params, int64_t group)
{
    toeplitz_mix((REAL *)memory[0], (const REAL *)memory[1], *(const struct toeplitz_mix_params *)params,
                 group);
}

const cpu_kernel KERNEL_TABLE[] = {
    {"axpby REAL=" KEY_REAL, axpby_thunk},
    {"multiply REAL=" KEY_REAL, multiply_thunk},
    {"part REAL=" KEY_REAL, part_thunk},
    {"dot_product REAL=" KEY_REAL, dot_product_thunk},
    {"sum REAL=" KEY_REAL, sum_thunk},
    {"extent REAL=" KEY_REAL, extent_thunk},
    {"convert REAL=" KEY_REAL " OTHER=" KEY_OTHER, convert_thunk},
    {"convert_storage REAL=" KEY_REAL, convert_storage_thunk},
    {"fill REAL=" KEY_REAL, fill_thunk},
    {"collect REAL=" KEY_REAL, collect_thunk},
    {"axpby_ratio REAL=" KEY_REAL, axpby_ratio_thunk},
    {"basis_keep REAL=" KEY_REAL, basis_keep_thunk},
    {"coils_apply REAL=" KEY_REAL, coils_apply_thunk},
    {"coils_adjoint REAL=" KEY_REAL, coils_adjoint_thunk},
    {"segments_spread REAL=" KEY_REAL, segments_spread_thunk},
    {"segments_gather REAL=" KEY_REAL, segments_gather_thunk},
    {"conv_range REAL=" KEY_REAL, conv_range_thunk},
    {"conv_range_total REAL=" KEY_REAL, conv_range_total_thunk},
    {"conv_flush REAL=" KEY_REAL, conv_flush_thunk},
    {"circular_shift REAL=" KEY_REAL, circular_shift_thunk},
    {"half_pack REAL=" KEY_REAL " FOR=packing", half_pack_thunk},
    {"half_unpack REAL=" KEY_REAL " FOR=packing", half_unpack_thunk},
    {"gradient_apply REAL=" KEY_REAL " FOR=penalties", gradient_apply_thunk},
    {"gradient_adjoint REAL=" KEY_REAL " FOR=penalties", gradient_adjoint_thunk},
    {"shrink REAL=" KEY_REAL " FOR=penalties", shrink_thunk},
    {"wavelet REAL=" KEY_REAL " FOR=penalties", wavelet_thunk},
    {"low_rank REAL=" KEY_REAL " FOR=penalties", low_rank_thunk},
    {"toeplitz_load REAL=" KEY_REAL, toeplitz_load_thunk},
    {"toeplitz_store REAL=" KEY_REAL, toeplitz_store_thunk},
    {"toeplitz_mix REAL=" KEY_REAL, toeplitz_mix_thunk},
    {NULL, NULL},
};
