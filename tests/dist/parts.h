/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of arrays in boxes, and random boxes, for the tests of distributed arrays. */
#ifndef TESTS_DIST_PARTS_H
#define TESTS_DIST_PARTS_H

#include "dist/ranks.h"

/* A rank's part of an array: memory with the box's strides. */
typedef struct part {
    argand_array *memory, *array; /* array NULL: the box is empty */
    argand_box box;
    int axes;
} part;

static inline argand_status make_part(part *p, argand_device *own, argand_type type, const argand_box *box,
                                      int axes)
{
    int64_t dims[4], span = 1;
    *p = (part){.box = *box, .axes = axes};
    if (!argand_box_count(box, axes)) return ARGAND_OK;
    for (int d = 0; d < axes; d++) {
        dims[d] = box->upper[d] - box->lower[d];
        span += (dims[d] - 1) * box->strides[d];
    }
    TRY(argand_array_create(&p->memory, own, type, 1, &span));
    return argand_array_view(&p->array, p->memory, axes, dims, box->strides, 0);
}

static inline void free_part(part *p)
{
    argand_array_destroy(p->array);
    argand_array_destroy(p->memory);
}

/* Copies the box out of the whole array, or compares with it (*error: largest difference). */
static inline argand_status each_element(part *p, const argand_array *all, double *error)
{
    argand_array *view, *other;
    int64_t at = 0, dims[4];
    if (!p->array) return ARGAND_OK;
    for (int d = 0; d < p->axes; d++) {
        dims[d] = argand_array_dim(p->array, d);
        at += p->box.lower[d] * argand_array_stride(all, d);
    }
    int64_t strides[4];
    for (int d = 0; d < p->axes; d++) strides[d] = argand_array_stride(all, d);
    TRY(argand_array_view(&view, all, p->axes, dims, strides, at));
    if (!error) {
        TRY(argand_array_copy(p->array, view));
    } else {
        double most;
        bool is_finite; /* max_abs takes no notice of NaN */
        TRY(argand_array_create(&other, argand_array_device(all), argand_array_type(all), p->axes, dims));
        TRY(argand_array_copy(other, p->array));
        TRY(argand_array_axpby(other, (argand_scalar){-1, 0}, view, (argand_scalar){1, 0}));
        TRY(argand_array_max_abs(&most, other));
        TRY(argand_array_is_finite(&is_finite, other));
        *error = is_finite ? fmax(*error, most) : INFINITY;
        argand_array_destroy(other);
    }
    argand_array_destroy(view);
    return ARGAND_OK;
}

/* Halves boxes at random places until each rank has one; all ranks draw the same. Memory has a random order
 * of axes, and gaps. */
static inline void random_box(argand_box *box, int axes, const int64_t *n, uint64_t seed, int ranks, int rank)
{
    random_state state = {seed};
    int first = 0, count = ranks, order[4] = {0, 1, 2, 3};
    *box = (argand_box){0};
    for (int d = 0; d < axes; d++) box->upper[d] = n[d];
    while (count > 1) {
        const int left = count / 2, d = (int)(random_uniform(&state) * axes);
        const int64_t extent = box->upper[d] - box->lower[d];
        const int64_t cut = box->lower[d] + (int64_t)(random_uniform(&state) * (double)(extent + 1));
        if (rank < first + left) {
            box->upper[d] = cut;
            count = left;
        } else {
            box->lower[d] = cut;
            first += left;
            count -= left;
        }
        state = (random_state){seed * 31 + (uint64_t)(first * 97 + count)};
    }
    for (int d = axes - 1; d > 0; d--) {
        const int other = (int)(random_uniform(&state) * (d + 1)), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    int64_t stride = 1 + (int64_t)(random_uniform(&state) * 2);
    for (int i = 0; i < axes; i++) {
        const int64_t extent = box->upper[order[i]] - box->lower[order[i]];
        box->strides[order[i]] = stride;
        stride *= extent > 0 ? extent : 1;
        if (random_uniform(&state) < 0.3) stride++;
    }
}

#endif
