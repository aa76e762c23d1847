/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator A^H A of simultaneous slices whose samples lie on complete Cartesian lines
 * (aliasing.c): each pixel is a sum over the few or many pixels that alias with it, without transforms and
 * coil images. Pruessmann et al., Magn. Reson. Med. 42:952, 1999, section "sensitivity encoding with
 * Cartesian sampling". */
#include "mri/aliased.h"

#include <stdio.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "device/device.h"
#include "kernels/operator/aliased.h"

typedef struct aliased {
    argand_array *products;
    storage *table;
    int64_t pixels;
    int images;
} aliased;

static argand_status start(const char *kernel, const argand_array *like, int64_t groups,
                           storage *const *memory, int memory_count, const struct aliased_params *p)
{
    char key[64];
    snprintf(key, sizeof key, "%s REAL=%s", kernel, type_is_double(like->type) ? "double" : "float");
    const kernel_run launch = {.key = key,
                               .groups = groups,
                               .memory = memory,
                               .memory_count = memory_count,
                               .params = p,
                               .params_bytes = sizeof *p};
    return kernel_start(argand_array_device(like), &launch);
}

/* Chunks of pixels: a multiple of ALIASED_BLOCK. */
static struct aliased_params describe(const aliased *a, const argand_array *x)
{
    enum { CHUNK = 1024, GPU_CHUNK = 256 };
    struct aliased_params p = {
        .pixels = a->pixels, .images = a->images, .chunk = storage_address(x->storage) ? CHUNK : GPU_CHUNK};
    p.chunks = (p.pixels + p.chunk - 1) / p.chunk;
    return p;
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const aliased *a = context;
    struct aliased_params p = describe(a, x);
    storage *const memory[] = {y->storage, a->products->storage, x->storage, a->table};
    p.out = 2 * y->offset;
    p.in = 2 * x->offset;
    return start("aliased_apply", x, p.chunks * p.images, memory, 4, &p);
}

static void destroy(void *context)
{
    aliased *a = context;
    if (!a) return;
    storage_release(a->table);
    argand_array_destroy(a->products);
    memory_free(a);
}

/* Makes the table of kernels/operator/aliased.h. */
static argand_status make_table(aliased *to, argand_device *device, const aliasing *a)
{
    const size_t count = (size_t)(a->images + 1 + 2 * a->count);
    int64_t *table;
    TRY(NEW(table, count));
    for (int64_t i = 0; i < a->count; i++) {
        const aliased_pair *pair = &a->pairs[i];
        table[pair->image + 1] = i + 1;
        table[a->images + 1 + 2 * i] = pair->other;
        table[a->images + 1 + 2 * i + 1] = pair->shift * a->n[0];
    }
    argand_status status = storage_new(&to->table, device, count * sizeof *table);
    if (!status) status = storage_upload(to->table, 0, table, count * sizeof *table);
    memory_free(table);
    return status;
}

/* Makes the factors of all pairs, plain and wrapped, in the precision of the maps. */
static argand_status make_factors(argand_array **factors, const aliasing *a, const argand_array *maps)
{
    const bool is_double = type_is_double(maps->type);
    double *wide;
    TRY(NEW(wide, 4 * a->count));
    for (int64_t i = 0; i < a->count; i++) {
        const aliased_pair *pair = &a->pairs[i];
        const double values[4] = {pair->plain[0], pair->plain[1], pair->wrapped[0], pair->wrapped[1]};
        for (int j = 0; j < 4; j++) {
            const float narrow = (float)values[j];
            if (is_double)
                wide[4 * i + j] = values[j];
            else
                memcpy((float *)wide + 4 * i + j, &narrow, sizeof narrow);
        }
    }
    argand_status status =
        argand_array_create(factors, argand_array_device(maps), is_double ? ARGAND_R64 : ARGAND_R32, 1,
                            (int64_t[]){4 * a->count});
    if (!status) status = argand_array_upload(*factors, wide);
    memory_free(wide);
    return status;
}

/* Computes the products of `count` pairs of the same two images. */
static argand_status multiply(const aliased *a, const argand_array *factors, const aliased_pair *first,
                              int64_t pair, int64_t count, argand_array *const maps[])
{
    enum { GPU_TOGETHER = 4 };
    const argand_array *own = maps[first->image], *other = maps[first->other];
    struct aliased_params p = describe(a, own);
    storage *const memory[] = {a->products->storage, own->storage, other->storage, a->table,
                               factors->storage};
    p.out = 2 * own->offset;
    p.in = 2 * other->offset;
    p.coils = argand_array_dim(own, 1);
    p.image = first->image;
    p.pair = pair;
    p.count = count;
    p.together = storage_address(own->storage) ? count : GPU_TOGETHER;
    return start("aliased_products", own, p.chunks * ((count + p.together - 1) / p.together), memory, 5, &p);
}

static argand_status make_products(aliased *to, const aliasing *a, argand_array *const maps[])
{
    const int64_t blocks = (to->pixels + ALIASED_BLOCK - 1) / ALIASED_BLOCK;
    argand_array *factors = NULL;
    int64_t next;
    TRY(argand_array_create(&to->products, argand_array_device(maps[0]), maps[0]->type, 2,
                            (int64_t[]){blocks * ALIASED_BLOCK, a->count}));
    argand_status status = make_factors(&factors, a, maps[0]);
    for (int64_t i = 0; i < a->count && !status; i = next) {
        const aliased_pair *first = &a->pairs[i];
        for (next = i + 1; next < a->count; next++)
            if (a->pairs[next].image != first->image || a->pairs[next].other != first->other) break;
        status = multiply(to, factors, first, i, next - i, maps);
    }
    argand_array_destroy(factors);
    return status;
}

argand_status aliased_op(argand_op **op, const aliasing *a, argand_array *const maps[])
{
    const argand_shape shape = {maps[0]->type, 3, {a->n[0], a->n[1], a->images}};
    aliased *made;
    *op = NULL;
    TRY(NEW(made, 1));
    made->pixels = a->n[0] * a->n[1];
    made->images = a->images;
    argand_status status = make_table(made, argand_array_device(maps[0]), a);
    if (!status) status = make_products(made, a, maps);
    const argand_op_definition definition = {.name = "aliased",
                                             .domain = shape,
                                             .range = shape,
                                             .apply = apply,
                                             .adjoint = apply, /* Hermitian */
                                             .destroy = destroy,
                                             .context = made};
    if (!status) status = argand_op_create(op, argand_array_device(maps[0]), &definition);
    if (status) destroy(made);
    return status;
}
