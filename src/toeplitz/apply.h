/* SPDX-License-Identifier: BSD-3-Clause */
/* A Toeplitz normal operator applied to several vectors, or to one image under coil maps. */
#ifndef TOEPLITZ_APPLY_H
#define TOEPLITZ_APPLY_H

#include "fft/cpu/bundle/bundle.h"
#include "toeplitz/plan.h"

/* Without maps: out_v = T in_v for each of `vectors` images. With maps, one per vector: out = sum_v
 * conj(S_v) T (S_v in) for one image. Holds work memory: one call at a time. */
typedef struct toeplitz_apply {
    argand_toeplitz *t;
    int64_t vectors;
    argand_array *maps; /* complex {pixels, vectors}, contiguous, shared; or NULL */
    /* engine "cpu": vectors in a cell; FFTs along each axis for cells of one vector and of many */
    int lanes;
    fft_bundle *lines[2][3];
    /* engines "fft" and "whole": a batch takes `vectors_at_once` vectors through `kernels_at_once`
     * parities of kernels */
    int64_t vectors_at_once, kernels_at_once;
    argand_fft *whole, *rest;           /* FFT of full batches, and of the last, smaller one; NULL: none */
    argand_fft *inverse, *inverse_rest; /* engine "subspace", whose FFTs above are forward only */
} toeplitz_apply;

/* Checks coil maps {n..., coils}: contiguous, with the type, device and size of T. */
argand_status toeplitz_check_maps(const argand_toeplitz *t, const argand_array *maps, const char *who);
/* maps: {pixels, vectors}, whose storage is shared, or NULL. */
argand_status toeplitz_apply_create(toeplitz_apply **out, argand_toeplitz *t, int64_t vectors,
                                    const argand_array *maps);
argand_status toeplitz_apply_run(const toeplitz_apply *a, argand_array *out, const argand_array *in);
void toeplitz_apply_destroy(toeplitz_apply *a);

/* cpu_engine.c */
argand_status cpu_engine_open(toeplitz_apply *a);
argand_status cpu_engine_run(const toeplitz_apply *a, argand_array *out, const argand_array *in);
void cpu_engine_close(toeplitz_apply *a);
/* device_engine.c */
typedef struct toeplitz_batch {
    int64_t vector, vectors; /* first vector; number of vectors */
    int64_t kernel, kernels; /* first parity of a kernel; number of them */
    argand_array *work;      /* {half..., vectors, kernels} */
} toeplitz_batch;

/* Stores the work memory of a batch in images. add: adds to the images. */
argand_status toeplitz_store(const toeplitz_apply *a, const toeplitz_batch *b, const argand_array *image,
                             bool add);
argand_status device_engine_open(toeplitz_apply *a);
argand_status device_engine_run(const toeplitz_apply *a, argand_array *out, const argand_array *in);
void device_engine_close(toeplitz_apply *a); /* also closes the engine "whole" */
/* whole_engine.c */
argand_status whole_engine_open(toeplitz_apply *a);
argand_status whole_engine_run(const toeplitz_apply *a, argand_array *out, const argand_array *in);
/* Makes a view {n..., vectors} of `vectors` consecutive images from image number `first` on. */
argand_status toeplitz_images(argand_array **view, const toeplitz_apply *a, const argand_array *images,
                              int64_t first, int64_t vectors);
/* subspace_engine.c: images are {n..., K} with maps, and {n..., K, vectors} without */
argand_status subspace_engine_open(toeplitz_apply *a);
argand_status subspace_engine_run(const toeplitz_apply *a, argand_array *out, const argand_array *in);
void subspace_engine_close(toeplitz_apply *a);

#endif
