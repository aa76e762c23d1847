/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores an orthonormal set of arrays on the device and removes its components from another array, for
 * conjugate gradients (solve/conjugacy.h). */
#include "array/basis.h"

#include <stdio.h>
#include "array/array.h"
#include "kernels/array/basis_params.h"

/* Elements for each work group. The kind of device alone decides, so that sums are reproducible bit for
 * bit. The subtraction reads every vector: short chunks keep its sums in registers and in a CPU's first
 * cache. */
enum { CPU_DOT = 16384, CPU_SUBTRACT = 4096, GPU_DOT = 2048, GPU_SUBTRACT = 256 };
/* Vectors for each group of inner products: BASIS_VECTORS of kernels/basis_run.krn. */
enum { CPU_VECTORS = 4, GPU_VECTORS = 1 };

argand_status basis_make(basis *b, argand_device *device, argand_type type, int64_t elements, int capacity,
                         bool reals)
{
    *b = (basis){.capacity = capacity, .reals = reals || !type_is_complex(type)};
    if (!capacity) return ARGAND_OK;
    TRY(argand_array_create(&b->vectors, device, type, 2, (int64_t[]){elements, capacity}));
    return scalars_create(&b->sums, device, 2 * capacity);
}

void basis_release(basis *b)
{
    argand_array_destroy(b->sums);
    argand_array_destroy(b->vectors);
    *b = (basis){0};
}

static struct basis_params describe(const basis *b, const argand_array *x, int64_t cpu, int64_t gpu)
{
    struct basis_params p = {.count = b->vectors->dims[0],
                             .vectors = b->count,
                             .chunk = storage_address(x->storage) ? cpu : gpu,
                             .width = type_is_complex(x->type) ? 2 : 1,
                             .reals = b->reals};
    p.chunks = (p.count + p.chunk - 1) / p.chunk;
    p.basis = b->vectors->offset * p.width;
    p.x = x->offset * p.width;
    return p;
}

static argand_status start(const char *kernel, const argand_array *x, int64_t groups,
                           storage *const memory[3], const struct basis_params *p)
{
    char key[64];
    snprintf(key, sizeof key, "%s REAL=%s", kernel, type_is_double(x->type) ? "double" : "float");
    const kernel_run run = {.key = key,
                            .groups = groups,
                            .memory = memory,
                            .memory_count = 3,
                            .params = p,
                            .params_bytes = sizeof *p};
    return kernel_start(argand_array_device(x), &run);
}

argand_status basis_keep(basis *b, const argand_array *x, const argand_array *numbers, int at)
{
    if (b->count == b->capacity) return ARGAND_OK;
    struct basis_params p = describe(b, x, CPU_DOT, GPU_DOT);
    p.basis += b->count++ * p.count * p.width;
    p.number = numbers->offset + at;
    return start("basis_keep", x, p.chunks,
                 (storage *const[]){b->vectors->storage, x->storage, numbers->storage}, &p);
}

argand_status basis_dot(basis *b, const argand_array *x)
{
    if (!b->count) return ARGAND_OK;
    const struct basis_params p = describe(b, x, CPU_DOT, GPU_DOT);
    const int64_t together = storage_address(x->storage) ? CPU_VECTORS : GPU_VECTORS;
    const int64_t groups = p.chunks * ((p.vectors + together - 1) / together);
    storage *partial;
    TRY(storage_scratch(&partial, argand_array_device(x),
                        (size_t)(p.chunks * p.vectors) * 4 * argand_type_size(b->sums->type)));
    argand_status status =
        start("basis_dot", x, groups, (storage *const[]){partial, b->vectors->storage, x->storage}, &p);
    if (status == ARGAND_OK) status = scalars_collect_many(b->sums, 0, 2 * b->count, partial, p.chunks);
    storage_release(partial);
    return status;
}

argand_status basis_subtract(const basis *b, argand_array *x)
{
    if (!b->count) return ARGAND_OK;
    const struct basis_params p = describe(b, x, CPU_SUBTRACT, GPU_SUBTRACT);
    return start("basis_subtract", x, p.chunks,
                 (storage *const[]){x->storage, b->vectors->storage, b->sums->storage}, &p);
}
