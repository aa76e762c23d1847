/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for the files of the hip backend. */
#ifndef DEVICE_HIP_CONTEXT_H
#define DEVICE_HIP_CONTEXT_H

#include "device/gpu/context.h"
#include "device/hip/driver.h"

typedef struct hip_context {
    gpu_context common;
    char chip[64]; /* as compilers name it: "gfx90a:sramecc+:xnack-" */
} hip_context;

extern const gpu_vendor hip_vendor;

#endif
