/* SPDX-License-Identifier: BSD-3-Clause */
/* What the engine that sums holds. */
#ifndef CONV_DIRECT_H
#define CONV_DIRECT_H

#include "conv/plan.h"

struct conv_direct {
    int64_t *element[3];
    void *taps;
    int64_t kernel_step;
    bool complex_taps;
    argand_array *device_taps; /* on devices alone */
};

/* Results of a group on a device: columns, rows of an item, rows of all; rows: 0 where there is no space. */
typedef struct conv_shape {
    int64_t wide, rows, tall;
    int items;
} conv_shape;

/* direct_device.c: what direct.c asks for where the device is not the host. */
conv_shape conv_direct_device_shape(const argand_conv *c);
argand_status conv_direct_device_can(const argand_conv *c);
argand_status conv_direct_device_make(argand_conv *c);
argand_status conv_direct_device_kernel(argand_conv *c);
argand_status conv_direct_device_apply(const argand_conv *c, argand_array *out, const argand_array *in);

#endif
