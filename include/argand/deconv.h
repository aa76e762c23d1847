/* SPDX-License-Identifier: BSD-3-Clause */
/* deconv.h: deconvolution of images that were blurred by a known kernel (conv.h).
 *   Wiener           X = conj(H) Y / (|H|^2 + noise), by one forward and one inverse transform
 *   Richardson-Lucy  iterates x = x / w H^T(y / (H x + background)), for counts (Poisson noise)
 * For Richardson-Lucy, values outside the image are unknown, not zero: the estimate x extends as far as the
 * kernel, and w = H^T 1 is the contribution of each element of x to the image (Bertero and Boccacci, Astron.
 * Astrophys. 437:369, 2005), so that borders do not ring. With total variation, w is multiplied by 1 - tv
 * div(grad x / |grad x|) (Dey et al., Microsc. Res. Tech. 69:260, 2006).
 *
 *     argand_deconv *deconv;
 *     const argand_deconv_options options = {
 *         .conv = {.type = ARGAND_R32, .rank = 3, .n = {512, 512, 64}, .kernel = {33, 33, 17}},
 *         .method = ARGAND_DECONV_RICHARDSON_LUCY, .iterations = 30};
 *
 *     if (argand_deconv_create(&deconv, device, &options) ||
 *         argand_deconv_set_kernel(deconv, psf) ||
 *         argand_deconv_apply(deconv, out, image))
 *         fprintf(stderr, "%s\n", argand_message());
 *
 * Wiener's filter is longer than the kernel. Transforms therefore have 2n points per axis, n for wrap
 * borders; this is exact for mirror and wrap borders. With a limit of memory (conv.memory), the significant
 * taps of the filter are the kernel of a convolution in tiles. The result is the same up to rounding, and
 * images may pass box by box. The limit also holds in argand_deconv_set_kernel (ARGAND_MEMORY states the
 * required memory): with noise 1e-3 the filter reaches 5 to 10 kernel sizes to each side, farther with less
 * noise, and 50 for a disc, whose spectrum has zeros.
 *
 * Wiener's filter raises its noise to a floor, because it magnifies errors of the blurred image up to 1 / (2
 * sqrt(noise)) times. Two kinds of errors set the floor. Rounding: a floor of 6e-11 (double precision: 2e-28)
 * keeps its effect below 1 % of the image. Borders: with zeros, a constant and clamp, the image beyond the
 * border differs from the scene that was blurred. The power of this error is about p times the image's for
 * zeros and a constant, and p / 8 for clamp. p is the sum over both sides of each axis of sum_j (sum_{d > j}
 * h[d])^2 / n. A floor of p / 8 (clamp: p / 64), at most 1e-3, keeps the magnified error below 1.4 times the
 * image's rms. Wrap and mirror borders have no such floor. exact_noise uses the noise as given, without a
 * floor.
 *
 * Limits: those of conv.h. Richardson-Lucy needs device memory for four images of n + kernel - 1 elements per
 * axis and the spectra. With a limit of memory, these four images (five with total variation) are on the
 * host, images may be on any device, tiles are as large as the limit allows, and the result is the same.
 * Threads: as for plans of conv.h. Refused with ARGAND_ARGUMENT: all that conv.h refuses, modes other than
 * `same`, complex types for Richardson-Lucy, noise, background and total variation that are negative or not
 * finite, negative iterations; with ARGAND_NUMERIC: kernels as in conv.h, kernels with negative elements for
 * Richardson-Lucy, images that are not finite; with ARGAND_UNSUPPORTED: storage types, the direct method.
 * NULL: see argand.h; options are required. */
#ifndef ARGAND_DECONV_H
#define ARGAND_DECONV_H

#include "conv.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_deconv argand_deconv;

typedef enum argand_deconv_method {
    ARGAND_DECONV_WIENER = 0,
    ARGAND_DECONV_RICHARDSON_LUCY = 1
} argand_deconv_method;

/* Zero means default. */
typedef struct argand_deconv_options {
    argand_conv_options conv; /* the blur; borders are used by Wiener alone */
    argand_deconv_method method;
    double noise;      /* Wiener: power of the noise relative to the image, for a kernel of sum 1; 0: 1e-3 */
    bool exact_noise;  /* Wiener: use `noise` without the floor */
    int iterations;    /* Richardson-Lucy; 0 means 30 */
    double background; /* Richardson-Lucy: constant background counts */
    double total_variation; /* Richardson-Lucy: weight, 0.001 to 0.05; 0: none */
} argand_deconv_options;

ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_create(argand_deconv **deconv, argand_device *device,
                                                              const argand_deconv_options *options);
/* Sets the kernel, as argand_conv_set_kernel does. After a failure the plan has no kernel. */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_set_kernel(argand_deconv *deconv,
                                                                  const argand_array *kernel);
/* Deconvolves `in`. Both arrays have the shape of the image and must not share memory. Richardson-Lucy takes
 * negative elements as 0. An observer (observer.h) is called between iterations. */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_apply(const argand_deconv *deconv, argand_array *out,
                                                             const argand_array *in);
/* Works as argand_conv_apply_boxes, for Wiener with a limit of memory. Richardson-Lucy: ARGAND_UNSUPPORTED.
 */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_apply_boxes(const argand_deconv *deconv,
                                                                   argand_conv_write write,
                                                                   argand_conv_read read, void *context);
/* Computes Wiener's filter as a kernel for conv.h, for images of size options->conv.n with its borders: a new
 * array of conv.type on `device`, in the layout of kernels, and its centre (0 on missing axes). The taps that
 * are left out have at most 1e-16 of the filter's power (double precision: 1e-28). Only these options are
 * used: noise, and in `conv` types, sizes, borders, centre, correlation, normalisation and memory. */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_filter(argand_array **filter, int64_t centre[3],
                                                              argand_device *device,
                                                              const argand_array *kernel,
                                                              const argand_deconv_options *options);
/* Sets *noise to what Wiener's filter of this kernel uses: options->noise, or its floor if that is more. */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_noise(double *noise, argand_device *device,
                                                             const argand_array *kernel,
                                                             const argand_deconv_options *options);
/* Writes a description such as "(deconv richardson-lucy 64 30 iterations)" into text, at most size bytes with
 * the NUL. */
ARGAND_API void argand_deconv_print(const argand_deconv *deconv, char *text, size_t size);
ARGAND_API void argand_deconv_destroy(argand_deconv *deconv); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
