/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT of devices that the host cannot address (gpu/), as plans call it. */
#ifndef NUFFT_ON_DEVICE_H
#define NUFFT_ON_DEVICE_H

#include "nufft/apply.h"

/* What plans say of it; bytes: held; set_bytes: besides, while points are set; vector_bytes: wanted for one
 * vector alone; batch_bytes: for each of `batch` vectors at a time, whose number was chosen by it */
typedef struct gpu_info {
    int64_t count;
    size_t bytes, set_bytes, vector_bytes, batch_bytes;
    int batch;
} gpu_info;

/* Of a layout and points on the plan's device; scale: of positions */
argand_status gpu_create(nufft_gpu **out, argand_device *device, const layout *l, argand_array *const k[],
                         const double scale[3]);
void gpu_destroy(nufft_gpu *g); /* NULL is allowed */
gpu_info gpu_describe(const nufft_gpu *g);
/* Arrays are checked, and on the device. */
argand_status gpu_run(const argand_nufft *plan, const transform *t, argand_array *out,
                      const argand_array *in);
argand_status gpu_blur(const argand_nufft *plan, argand_array *result, const argand_array *samples);

/* For tests: the memory that a batch of vectors may take, of points set from now on; 0: the default. */
void argand_test_nufft_batch_bytes(size_t bytes);
/* Likewise the bytes of samples up to which vectors are written directly; 0: the default. */
void argand_test_nufft_scattered_bytes(size_t bytes);
/* Likewise the points a tile from which many vectors are seen as matrix products; 0: the default. */
void argand_test_nufft_tensor_points(int least);

#endif
