/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the kernel texts that gain from wide registers, for each instruction set. They read many arrays
 * from the cache, while other kernels wait for memory. Define before: REAL. */
#include "base/cpu.h"
#include "device/cpu/kernels.h"

#include <stddef.h>
#include "kernels/portable.h"
#include "kernels/params.h"
#include "kernels/array/basis_params.h"
#include "kernels/array/basis_run.krn"
#include "kernels/array/basis_dot.krn"
#include "kernels/array/basis_subtract.krn"
#include "kernels/array/four_dots.krn"
#include "kernels/operator/aliased.h"
#include "kernels/operator/aliased_apply.krn"
#include "kernels/operator/aliased_products.krn"

#define TEXT(word) #word
#define KEY_OF(real) " REAL=" TEXT(real)

static void basis_dot_thunk(void *const *memory, const void *params, int64_t group)
{
    basis_dot((double *)memory[0], (const REAL *)memory[1], (const REAL *)memory[2],
              *(const struct basis_params *)params, group);
}

static void basis_subtract_thunk(void *const *memory, const void *params, int64_t group)
{
    basis_subtract((REAL *)memory[0], (const REAL *)memory[1], (const double *)memory[2],
                   *(const struct basis_params *)params, group);
}

static void four_dots_thunk(void *const *memory, const void *params, int64_t group)
{
    four_dots((double *)memory[0], (const REAL *)memory[1], (const REAL *)memory[2], (const REAL *)memory[3],
              *(const struct four_dots_params *)params, group);
}

static void aliased_apply_thunk(void *const *memory, const void *params, int64_t group)
{
    aliased_apply((REAL *)memory[0], (const REAL *)memory[1], (const REAL *)memory[2],
                  (const INDEX *)memory[3], *(const struct aliased_params *)params, group);
}

static void aliased_products_thunk(void *const *memory, const void *params, int64_t group)
{
    aliased_products((REAL *)memory[0], (const REAL *)memory[1], (const REAL *)memory[2],
                     (const INDEX *)memory[3], (const REAL *)memory[4],
                     *(const struct aliased_params *)params, group);
}

const cpu_kernel VARIANT(cpu_kernels_wide)[] = {{"basis_dot" KEY_OF(REAL), basis_dot_thunk},
                                                {"basis_subtract" KEY_OF(REAL), basis_subtract_thunk},
                                                {"four_dots" KEY_OF(REAL), four_dots_thunk},
                                                {"aliased_apply" KEY_OF(REAL), aliased_apply_thunk},
                                                {"aliased_products" KEY_OF(REAL), aliased_products_thunk},
                                                {NULL, NULL}};
