/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the caller's arrays, of any strides, and the planes that the sums read and write (direct.h). */
#ifndef FIELD_VECTORS_H
#define FIELD_VECTORS_H

#include "field/plan.h"

/* A caller's array: element (i, ..., coil) is at data + sum of index times stride, complex elements. */
typedef struct field_view {
    void *data;
    bool is_double;
    int64_t stride[3], coil_stride, coils;
} field_view;

/* Views an image in host memory, whose shape is checked, after waiting for work on it. */
argand_status field_view_image(field_view *view, const argand_field *plan, const argand_array *image);
argand_status field_view_samples(field_view *view, const argand_field *plan, const argand_array *samples);

void field_gather_image(void *planes, const argand_field *plan, const field_view *image, int64_t coil);
/* Adds the `parts` partial images in order, at a stride of part_size reals, and writes all pixels (masked
 * ones as 0).
 */
void field_scatter_image(const argand_field *plan, const field_view *image, const void *planes, int parts,
                         int64_t part_size, int64_t coil);
void field_gather_samples(void *planes, const argand_field *plan, const field_view *samples, int64_t coil);
/* The block's sums: `parts` of [coil][re, im][per_block], one after the other. */
void field_scatter_block(const argand_field *plan, const field_view *samples, const void *sums, int parts,
                         int64_t block);

#endif
