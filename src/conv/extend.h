/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of an image that may reach beyond its borders. */
#ifndef CONV_EXTEND_H
#define CONV_EXTEND_H

#include "conv/plan.h"

typedef struct conv_box {
    const argand_conv *c;
    int64_t first[3]; /* element of the image at the box's first position of each axis, any integers */
    /* source of the elements: an array {n..., channels, ...} on any device, or a function that reads box
     * by box */
    const argand_array *image;
    argand_conv_read read;
    void *context;
    int64_t number;      /* index of the image in the batch */
    argand_device *host; /* device of the boxes that are read */
} conv_box;

/* Fills box, an array {count..., further dimensions as the image} of the plan's type. */
argand_status conv_box_fill(const conv_box *b, argand_array *box);
/* Creates a temporary array on the host with the layout of the plan's images. */
argand_status conv_box_array(argand_array **box, const conv_box *b, argand_type type, const int64_t *count);

#endif
