/* SPDX-License-Identifier: BSD-3-Clause */
/* Views coordinates of trajectories {samples, shots} as points {samples * shots}. */
#ifndef BENCH_FLATTEN_H
#define BENCH_FLATTEN_H

#include "common/command.h"

static inline argand_status flatten(argand_array **array)
{
    argand_array *view;
    TRY(argand_array_reshape(&view, *array, 1, (const int64_t[1]){argand_array_count(*array)}));
    argand_array_destroy(*array);
    *array = view;
    return ARGAND_OK;
}

#endif
