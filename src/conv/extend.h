/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of an image, with what lies beyond its borders. */
#ifndef CONV_EXTEND_H
#define CONV_EXTEND_H

#include "conv/plan.h"

typedef struct conv_box {
    const argand_conv *c;
    int64_t first[3]; /* the element at position 0 of each axis, any integers */
    /* whence elements come: from an array {n..., channels, ...} on any device, or read box by box */
    const argand_array *image;
    argand_conv_read read;
    void *context;
    int64_t number;      /* of the image in the batch */
    argand_device *host; /* for what is read */
} conv_box;

/* box: {count..., then as the image}; of the plan's type. */
argand_status conv_box_fill(const conv_box *b, argand_array *box);
/* An array on the host, as the plan's images are laid out, for the time of a call. */
argand_status conv_box_array(argand_array **box, const conv_box *b, argand_type type, const int64_t *count);

#endif
