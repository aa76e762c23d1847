/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator of SENSE with Toeplitz kernels: sum_c conj(S_c) T (S_c x). T multiplies by the coil
 * maps where it reads and writes its images, so that the maps need no passes of their own. */
#include <argand/mri.h>

#include "mri/host.h"
#include "op/toeplitz.h"

argand_status argand_op_sense_normal(argand_op **op, argand_toeplitz *toeplitz, const argand_array *maps)
{
    if (op) *op = NULL;
    CHECK_ARRAY(maps);
    CHECK(op && toeplitz, ARGAND_ARGUMENT, "sense normal: no %s given", op ? "Toeplitz kernels" : "place");
    TRY(toeplitz_check_maps(toeplitz, maps, "sense normal"));
    const argand_shape shape = toeplitz_shape(toeplitz);
    return toeplitz_op(op, "sense normal", toeplitz, &shape, argand_array_dim(maps, toeplitz->rank), maps);
}
