/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of the engine of direct sums. */
#ifndef CONV_DIRECT_H
#define CONV_DIRECT_H

#include "conv/plan.h"

struct conv_direct {
    int64_t *element[3];
    void *taps;
    int64_t kernel_step;
    bool complex_taps;
    argand_array *device_taps; /* NULL on the CPU */
};

/* Results of a work group on a device: columns, rows of a work item, rows of the group; rows 0: no shape
 * fits. */
typedef struct conv_shape {
    int64_t wide, rows, tall;
    int items;
} conv_shape;

/* direct_device.c: the parts of direct.c for devices other than the CPU. */
conv_shape conv_direct_device_shape(const argand_conv *c);
argand_status conv_direct_device_can(const argand_conv *c);
argand_status conv_direct_device_make(argand_conv *c);
argand_status conv_direct_device_kernel(argand_conv *c);
argand_status conv_direct_device_apply(const argand_conv *c, argand_array *out, const argand_array *in);

#endif
