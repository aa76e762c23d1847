/* SPDX-License-Identifier: BSD-3-Clause */
/* deconv.h: from a blurred image back to the sharp one, the kernel being known (conv.h).
 *   Wiener           one transform forward and inverse: X = conj(H) Y / (|H|^2 + noise)
 *   Richardson-Lucy  x = x / w H^T(y / (H x + background)), again and again: for counts (Poisson noise)
 * What lies beyond the image is unknown to Richardson-Lucy, not zero: x reaches as far as the kernel does;
 * w = H^T 1 is what each of its elements adds to the image (Bertero and Boccacci, Astron. Astrophys. 437:369,
 * 2005), so that borders do not ring. With total variation w is times 1 - tv div(grad x / |grad x|) (Dey et
 * al., Microsc. Res. Tech. 69:260, 2006).
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
 * Wiener's filter is longer than the kernel: transforms have 2n points an axis, n where the border wraps
 * around, which is exact for mirror and wrap borders. With a limit of memory (conv.memory) the filter's taps,
 * as far as they count, are the kernel of a convolution in tiles: the same to rounding, and images may come
 * box by box. The limit holds for argand_deconv_set_kernel, too (ARGAND_MEMORY says what it would take): the
 * filter reaches some 5 to 10 kernels to each side with noise 1e-3, farther with less; of a disc, whose
 * spectrum has zeros, 50.
 *
 * Wiener's filter raises its noise to a floor, because it magnifies errors of the blurred image up to
 * 1 / (2 sqrt(noise)) times. Two kinds of errors set the floor. Rounding: a floor of 6e-11 (double
 * precision: 2e-28) keeps its effect below 1 % of the image. Borders: with zeros, a constant and clamp, the
 * image beyond the border differs from the scene that was blurred. The power of this error is about p times
 * the image's for zeros and a constant, and p / 8 for clamp. p is the sum over both sides of each axis of
 * sum_j (sum_{d > j} h[d])^2 / n. A floor of p / 8 (clamp: p / 64), at most 1e-3, keeps the magnified error
 * below 1.4 times the image's rms. Wrap and mirror borders have no such floor. exact_noise uses the noise as
 * given, without a floor.
 *
 * Limits: those of conv.h; on a device, memory for four images of n + kernel - 1 elements an axis
 * (Richardson-Lucy), besides the spectra; with a limit of memory these four, five with total variation, are
 * on the host, images are on any device, and tiles are as large as the limit allows; the result is the same.
 * Threads: as plans of conv.h. Refused with ARGAND_ARGUMENT: what conv.h refuses, modes but `same`, complex
 * types for Richardson-Lucy, noise, background and total variation below 0 or not finite, iterations below 0;
 * with ARGAND_NUMERIC: kernels as in conv.h, those with elements below 0 for Richardson-Lucy, images that are
 * not finite; with ARGAND_UNSUPPORTED: storage types, the direct method. NULL: see argand.h; options are
 * needed. */
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
    argand_conv_options conv; /* how the image was blurred; its borders are Wiener's alone */
    argand_deconv_method method;
    double noise; /* Wiener: power of the noise over that of the image, the kernel's sum being 1; 0: 1e-3 */
    bool exact_noise;       /* Wiener: use `noise` without the floor */
    int iterations;         /* Richardson-Lucy; 0 means 30 */
    double background;      /* Richardson-Lucy: counts that are not of the image, everywhere */
    double total_variation; /* Richardson-Lucy: its weight, some thousandths to hundredths; 0: none */
} argand_deconv_options;

ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_create(argand_deconv **deconv, argand_device *device,
                                                              const argand_deconv_options *options);
/* As argand_conv_set_kernel. After a failure there is no kernel. */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_set_kernel(argand_deconv *deconv,
                                                                  const argand_array *kernel);
/* Both of the image's shape; they must not share memory. Elements below 0 count as 0 for Richardson-Lucy. An
 * observer (observer.h) is asked between iterations. */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_apply(const argand_deconv *deconv, argand_array *out,
                                                             const argand_array *in);
/* As argand_conv_apply_boxes, for Wiener within a limit of memory (Richardson-Lucy: ARGAND_UNSUPPORTED). */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_apply_boxes(const argand_deconv *deconv,
                                                                   argand_conv_write write,
                                                                   argand_conv_read read, void *context);
/* Wiener's filter of a kernel for images of options->conv.n and its borders, as a kernel for conv.h: a new
 * array of conv.type on `device`, laid out as kernels are, and its centre (0 on axes that there are not).
 * Taps that are left out have at most 1e-16 of its power (double precision 1e-28). Of the options noise and
 * what `conv` says of types, sizes, borders, centre, correlation, normalisation and memory count. */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_filter(argand_array **filter, int64_t centre[3],
                                                              argand_device *device,
                                                              const argand_array *kernel,
                                                              const argand_deconv_options *options);
/* Sets *noise to what Wiener's filter of this kernel uses: options->noise, or its floor if that is more. */
ARGAND_API ARGAND_MUST_USE argand_status argand_deconv_noise(double *noise, argand_device *device,
                                                             const argand_array *kernel,
                                                             const argand_deconv_options *options);
/* "(deconv richardson-lucy 64 30 iterations)", at most size bytes with its NUL. */
ARGAND_API void argand_deconv_print(const argand_deconv *deconv, char *text, size_t size);
ARGAND_API void argand_deconv_destroy(argand_deconv *deconv); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
