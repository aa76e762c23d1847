/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums whose result stays on the device, and operations with such results. A reduction is one launch that
 * writes a scalar per group, and one launch of a single group that adds them in order. */
#include "array/scalars.h"

#include <stdio.h>
#include <string.h>
#include "array/array.h"
#include "array/layout.h"

static const char *real_name(argand_type type)
{
    return type_is_double(type) ? "double" : "float";
}

argand_status scalars_create(argand_array **numbers, argand_device *device, int count)
{
    const argand_type type = device_has_double(device) ? ARGAND_R64 : ARGAND_R32;
    return argand_array_create(numbers, device, type, 1, (int64_t[]){count});
}

static argand_status collect(argand_array *numbers, int count, storage *partial,
                             const struct collect_params *params)
{
    char key[64];
    storage *const memory[2] = {numbers->storage, partial};
    snprintf(key, sizeof key, "collect REAL=%s", real_name(numbers->type));
    const kernel_run run = {.key = key,
                            .groups = count,
                            .memory = memory,
                            .memory_count = 2,
                            .params = params,
                            .params_bytes = sizeof *params};
    return kernel_start(argand_array_device(numbers), &run);
}

argand_status scalars_collect(argand_array *numbers, int at, double factor, storage *partial, int64_t groups,
                              bool add)
{
    const struct collect_params params = {
        .count = groups, .at = numbers->offset + at, .factor = layout_scalar(factor, 0), .add = add};
    return collect(numbers, 1, partial, &params);
}

argand_status scalars_collect_many(argand_array *numbers, int at, int count, storage *partial, int64_t groups)
{
    const struct collect_params params = {
        .count = groups, .at = numbers->offset + at, .factor = layout_scalar(1, 0)};
    return collect(numbers, count, partial, &params);
}

argand_status scalars_dot(argand_array *numbers, int at, double factor, const argand_array *x,
                          const argand_array *y, bool add)
{
    int64_t groups;
    char key[64];
    storage *partial;
    struct pointwise_params params = {0};
    TRY(layout_make(&params.at, &groups, __func__, 1, 2, (const argand_array *const[]){x, y}));
    TRY(storage_scratch(&partial, argand_array_device(x),
                        (size_t)groups * 2 * argand_type_size(numbers->type)));
    storage *const memory[3] = {partial, x->storage, y->storage};
    snprintf(key, sizeof key, "dot_product REAL=%s", real_name(x->type));
    const kernel_run run = {.key = key,
                            .groups = groups,
                            .memory = memory,
                            .memory_count = 3,
                            .params = &params,
                            .params_bytes = sizeof params};
    argand_status status = kernel_start(argand_array_device(x), &run);
    if (status == ARGAND_OK) status = scalars_collect(numbers, at, factor, partial, groups, add);
    storage_release(partial);
    return status;
}

argand_status scalars_four_dots(argand_array *numbers, int at, const argand_array *r, const argand_array *x,
                                const argand_array *b)
{
    enum { CHUNK = 32768, GPU_CHUNK = 2048 };
    const int64_t width = type_is_complex(x->type) ? 2 : 1;
    struct four_dots_params p = {.count = argand_array_count(x) * width,
                                 .chunk = storage_address(x->storage) ? CHUNK : GPU_CHUNK,
                                 .r = r->offset * width,
                                 .x = x->offset * width,
                                 .b = b->offset * width};
    char key[64];
    storage *partial;
    p.chunks = (p.count + p.chunk - 1) / p.chunk;
    TRY(storage_scratch(&partial, argand_array_device(x),
                        (size_t)p.chunks * 8 * argand_type_size(numbers->type)));
    snprintf(key, sizeof key, "four_dots REAL=%s", real_name(x->type));
    const kernel_run run = {.key = key,
                            .groups = p.chunks,
                            .memory = (storage *const[]){partial, r->storage, x->storage, b->storage},
                            .memory_count = 4,
                            .params = &p,
                            .params_bytes = sizeof p};
    argand_status status = kernel_start(argand_array_device(x), &run);
    if (status == ARGAND_OK) status = scalars_collect_many(numbers, at, 4, partial, p.chunks);
    storage_release(partial);
    return status;
}

static argand_status axpby_ratio(argand_array *y, const argand_array *x, const argand_array *numbers,
                                 struct ratio_params *params)
{
    int64_t groups;
    char key[64];
    storage *const memory[3] = {y->storage, x->storage, numbers->storage};
    CHECK(x->type == y->type, ARGAND_INTERNAL, "%s: %s and %s", __func__, argand_type_name(y->type),
          argand_type_name(x->type));
    TRY(layout_make(&params->at, &groups, __func__, 0, 2, (const argand_array *const[]){y, x}));
    params->numerator += numbers->offset;
    params->denominator += numbers->offset;
    snprintf(key, sizeof key, "axpby_ratio REAL=%s", real_name(y->type));
    const kernel_run run = {.key = key,
                            .groups = groups,
                            .memory = memory,
                            .memory_count = 3,
                            .params = params,
                            .params_bytes = sizeof *params};
    return kernel_start(argand_array_device(y), &run);
}

argand_status scalars_add_ratio(argand_array *y, double a, const argand_array *numbers, int above, int below,
                                const argand_array *x)
{
    struct ratio_params params = {
        .a = layout_scalar(a, 0), .b = layout_scalar(1, 0), .numerator = above, .denominator = below};
    return axpby_ratio(y, x, numbers, &params);
}

argand_status scalars_scale_ratio(argand_array *y, const argand_array *numbers, int above, int below,
                                  const argand_array *x)
{
    struct ratio_params params = {.a = layout_scalar(1, 0),
                                  .b = layout_scalar(1, 0),
                                  .numerator = above,
                                  .denominator = below,
                                  .scale = true};
    return axpby_ratio(y, x, numbers, &params);
}

argand_status scalars_read(double *values, const argand_array *numbers)
{
    if (type_is_double(numbers->type)) return argand_array_download(numbers, values);
    TRY(argand_array_download(numbers, values));
    const float *floats = (const float *)(const void *)values;
    for (int64_t i = numbers->count; i-- > 0;) { /* from the end, because doubles overwrite the floats */
        float value;
        memcpy(&value, floats + i, sizeof value);
        values[i] = (double)value;
    }
    return ARGAND_OK;
}
