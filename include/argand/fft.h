/* SPDX-License-Identifier: BSD-3-Clause */
/* fft.h: discrete Fourier transforms of any size, with strides and batches.
 *   forward  X[k] = scale * sum_n x[n] exp(-2 pi i k n / N)      inverse with exp(+2 pi i k n / N)
 * Nothing is scaled unless asked. With `centred`, index n stands for n - floor(N/2) on both sides and on
 * every axis, for odd and even N alike, so that the centre of the image and of k-space is element floor(N/2).
 * A plan is immutable and may be applied from several threads at once. On CUDA devices cuFFT computes where
 * its library is found; for devices and transforms without an engine of their own, arrays are fetched,
 * transformed on the host and brought back, and argand_fft_print says "on cpu". */
#ifndef ARGAND_FFT_H
#define ARGAND_FFT_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_fft argand_fft;

typedef enum argand_direction { ARGAND_FORWARD = -1, ARGAND_INVERSE = +1 } argand_direction;
typedef enum argand_fft_scale {
    ARGAND_SCALE_NONE = 0,    /* unscaled both ways: inverse(forward(x)) = N x */
    ARGAND_SCALE_INVERSE = 1, /* 1/N on the inverse */
    ARGAND_SCALE_UNITARY = 2  /* 1/sqrt(N) both ways */
} argand_fft_scale;
typedef enum argand_effort { ARGAND_ESTIMATE = 0, ARGAND_MEASURE = 1 } argand_effort;

/* In which order the frequencies of an axis lie (or the signal's elements, where their order is given up
 * too). SCRAMBLED allows the engine the order that it finds cheapest, which may be the natural one: ask
 * argand_fft_frequency and argand_fft_position, which are right for both. */
typedef enum argand_fft_order { ARGAND_ORDER_NATURAL = 0, ARGAND_ORDER_SCRAMBLED = 1 } argand_fft_order;

/* One axis of a transform or of a batch: n elements, strides in elements of the respective side. */
typedef struct argand_axis {
    int64_t n, in_stride, out_stride;
} argand_axis;

/* Zero means default. Real transforms: the real side has n[0] reals, the complex side floor(n[0]/2)+1 along
 * axis 0. */
typedef struct argand_fft_options {
    argand_type
        type; /* the transform's precision and kind: C32, C64 complex; R32, R64 real to complex and back */
    int rank; /* 1 to 8 */
    int64_t
        n[ARGAND_MAX_RANK]; /* lengths, first axis fastest (contiguous data unless `axes` says otherwise) */
    int64_t batch;          /* transforms one behind the other; 0 means 1 */
    bool centred;
    argand_fft_scale scale;
    argand_effort effort;
    bool preserve_input; /* complex-to-real may overwrite its input unless this is set */
    argand_fft_order signal_order,
        spectrum_order; /* of the two sides of a complex transform, in both directions */
    /* The general form: used where axes_given is true, instead of n and batch. Strides may be anything that
     * does not make output elements overlap. For real transforms in_ is the real side of axis 0 in both
     * directions. */
    bool axes_given;
    argand_axis axes[ARGAND_MAX_RANK]; /* `rank` transformed axes */
    int loops;                         /* number of batch axes */
    argand_axis loop[ARGAND_MAX_RANK];
} argand_fft_options;

ARGAND_API ARGAND_MUST_USE argand_status argand_fft_create(argand_fft **plan, argand_device *device,
                                                           const argand_fft_options *options);
/* out may be in (the same array) where both sides have the same strides. Real plans: forward takes the real
 * array to the complex one, inverse the complex to the real; then in is the array read and out the one
 * written. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_apply(const argand_fft *plan, argand_array *out,
                                                          const argand_array *in, argand_direction direction);
/* "(fft c32 256x256 batch 8 (fftw measure))" written into text, at most size bytes with its NUL. */
ARGAND_API void argand_fft_print(const argand_fft *plan, char *text, size_t size);
ARGAND_API void argand_fft_destroy(argand_fft *plan);

/* One way through memory that a plan takes: so many lines of one length are read, transformed and written. */
typedef struct argand_fft_pass {
    char what[48];                       /* "rows", "columns in tiles of 8", "cuFFT" */
    int axis;                            /* whose lines; -1 where it is several, or not known */
    int64_t length, lines;               /* 0 where not known */
    char radices[64];                    /* "16x16x4", "" where not known */
    int64_t read_bytes, write_bytes;     /* all that goes over memory, tables included where they count */
    int64_t read_segment, write_segment; /* bytes that lie together; 0: all do */
    double operations;                   /* floating point */
    int launches;                        /* of kernels on a GPU; 0 means 1 */
    double seconds;                      /* predicted */
} argand_fft_pass;

/* The smallest length >= n of the form 2^a 3^b 5^c 7^d. */
ARGAND_API int64_t argand_fft_next_size(int64_t n);

#ifdef __cplusplus
}
#endif
#endif
