/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT of devices that the host cannot address (gpu/), as plans call it. */
#ifndef NUFFT_ON_DEVICE_H
#define NUFFT_ON_DEVICE_H

#include "nufft/apply.h"

/* Memory, for a plan's description. bytes: held; set_bytes: also taken while points are set; vector_bytes:
 * for one vector; batch_bytes: for each of the `batch` vectors that are computed at a time */
typedef struct gpu_info {
    int64_t count;
    size_t bytes, set_bytes, vector_bytes, batch_bytes;
    int batch;
} gpu_info;

/* Finds where the device takes positions: its own memory, or the host's if it has no
 * doubles to locate points. */
argand_status gpu_positions_device(argand_device **where, argand_device *device);
/* Makes the GPU's part of a plan from its layout l and from points whose positions lie there. before: the
 * part of the same layout with other points (NULL: none), to be destroyed on success, as its transforms are
 * taken from it. */
argand_status gpu_create(nufft_gpu **out, const argand_nufft *plan, const layout *l, argand_array *const k[],
                         nufft_gpu *before);
/* Sets as many other points in their place. Allocates nothing if this was done before, and waits for
 * nothing. */
argand_status gpu_set_again(nufft_gpu *g, argand_array *const k[]);
void gpu_destroy(nufft_gpu *g); /* NULL is allowed */
gpu_info gpu_describe(const nufft_gpu *g);
/* Writes why kernels of its own cannot be built, so that general ones serve for good; "": none failed. */
void gpu_failure(nufft_gpu *g, char *reason, size_t size);
/* Arrays are checked, and on the device. */
argand_status gpu_run(const argand_nufft *plan, const transform *t, argand_array *out,
                      const argand_array *in);
argand_status gpu_blur(const argand_nufft *plan, argand_array *result, const argand_array *samples);

/* For tests: sets the memory that a batch of vectors may take, for points set from now on; 0: the default. */
void argand_test_nufft_batch_bytes(size_t bytes);
/* For tests: sets the bytes of samples up to which vectors are written directly; 0: the default. */
void argand_test_nufft_scattered_bytes(size_t bytes);
/* For tests: sets the points a tile from which many vectors are interpolated by matrix products; 0: the
 * default. */
void argand_test_nufft_tensor_points(int least);

#endif
