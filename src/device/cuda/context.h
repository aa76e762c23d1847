/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for the files of the cuda backend. */
#ifndef DEVICE_CUDA_CONTEXT_H
#define DEVICE_CUDA_CONTEXT_H

#include "device/drivers/chips.h"
#include "device/cuda/driver.h"
#include "device/gpu/context.h"

typedef struct cuda_context {
    gpu_context common;
    int capability;
    CUcontext primary; /* the device's primary context, which the CUDA runtime uses too */
} cuda_context;

extern const gpu_vendor cuda_vendor;

/* Describe a present device; a chip without a device (traits.c). */
void cuda_traits(void *context, device_traits *traits);
void cuda_traits_absent(const device_chip *chip, device_traits *traits);

argand_status cuda_replay_new(void *context, const kernel_launch *launches, int count, void **replay);
argand_status cuda_replay_start(void *context, void *replay, const kernel_launch *launches, bool *started);
void cuda_replay_free(void *context, void *replay);
argand_status cuda_capture_begin(void *context);
argand_status cuda_capture_end(void *context, void **graph);
argand_status cuda_graph_start(void *context, void *graph);
void cuda_graph_free(void *context, void *graph);

#endif
