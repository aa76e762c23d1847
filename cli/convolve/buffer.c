/* SPDX-License-Identifier: BSD-3-Clause */
#include "convolve/filter.h"

#include <stdlib.h>

argand_status filter_buffer_open(filter_buffer *b, argand_device *device, const int64_t dims[3])
{
    TRY(argand_array_create(&b->array, device, ARGAND_R32, 3, dims));
    b->samples = argand_array_data(b->array);
    b->copy = !b->samples;
    if (b->copy) b->samples = malloc((size_t)argand_array_count(b->array) * sizeof *b->samples);
    return b->samples ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for the picture on the host");
}

void filter_buffer_close(filter_buffer *b)
{
    if (b->copy) free(b->samples);
    argand_array_destroy(b->array);
    *b = (filter_buffer){0};
}

argand_status filter_buffer_convolve(const filter_engine *engine, filter_buffer *out, filter_buffer *in,
                                     const int64_t *first, const int64_t *count)
{
    const int64_t all[3] = {argand_array_dim(in->array, 0), argand_array_dim(in->array, 1), 1},
                  start[3] = {0};
    if (in->copy) TRY(argand_array_upload(in->array, in->samples));
    TRY(engine_apply_part(engine, out->array, in->array, first ? first : start, first ? count : all));
    if (out->copy) return argand_array_download(out->array, out->samples);
    return argand_device_wait(argand_array_device(out->array));
}
