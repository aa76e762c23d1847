/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies the matrix of samples/channels.c, which turns the receiver's channels into the model's coils. */
#include "recon/session/session.h"

argand_status channels_mix(const argand_sense *s, argand_array **array)
{
    int64_t dims[ARGAND_MAX_RANK];
    argand_array *mixed;
    const int rank = argand_array_rank(*array);
    if (!s->mix || !*array) return ARGAND_OK;
    for (int d = 0; d < rank; d++) dims[d] = argand_array_dim(*array, d);
    dims[rank - 1] = s->coils;
    TRY(argand_array_create(&mixed, s->device, argand_array_type(*array), rank, dims));
    const argand_status status = argand_coils_mix(mixed, s->mix, *array);
    if (status) {
        argand_array_destroy(mixed);
        return status;
    }
    argand_array_destroy(*array);
    *array = mixed;
    return ARGAND_OK;
}
