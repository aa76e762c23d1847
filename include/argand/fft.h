/* SPDX-License-Identifier: BSD-3-Clause */
/* fft.h: discrete Fourier transforms of any size, with strides and batches. See also fft_info.h (what a
 * plan will do, the order of frequencies) and wisdom.h (what was measured, kept for later plans).
 *   forward  X[k] = scale * sum_n x[n] exp(-2 pi i k n / N)      inverse with exp(+2 pi i k n / N)
 * Nothing is scaled unless asked. With `centred`, index n stands for n - floor(N/2) in input and output and
 * on every axis, for odd and even N alike, so that the centre of the image and of k-space is element
 * floor(N/2). A plan is immutable. On CUDA devices our own kernels compute, or cuFFT, where its library is
 * found and was measured to be faster, or ours were not measured at all on such a chip (argand_fft_print says
 * which); for devices and transforms without an engine of their own, arrays are fetched, transformed on the
 * host and brought back, and argand_fft_print says "on cpu".
 *
 * Limits: 1 to 8 axes, 2^57 elements in all; lengths with a prime factor above 13 below 2^27 on processors
 * (others ARGAND_UNSUPPORTED, with the reason of each algorithm). A transform that is larger than the
 * device's memory, without its batch, and tables that do not fit in what is left of the host's, are refused
 * before any memory is taken (ARGAND_MEMORY). Refused with ARGAND_ARGUMENT, before
 * anything is computed: types and shapes that are not the plan's, arrays of other devices, memory that
 * overlaps. NULL: see argand.h; options are needed. Threads: a plan may be applied, asked and printed by
 * several threads at once, and the planner and wisdom used by several.
 *
 * Calls: the first one of a plan in a direction and layout may build kernels and take memory; later ones do
 * neither, and may be captured into a CUDA graph. Work memory is the device handle's, kept for all that is
 * done on it, in order: a handle has one stream, and so have its plans. Several streams are several handles
 * (argand_device_open_stream), each with plans of its own; kernels that one has built another finds in the
 * cache. A graph is to be launched in the handle's stream, while handle, plan and arrays live, and not
 * next to other work of the handle. It no longer holds when memory of the device ran out since, as what the
 * handle keeps then goes back. */
#ifndef ARGAND_FFT_H
#define ARGAND_FFT_H

#include "access.h"
#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_fft argand_fft;

typedef enum argand_direction { ARGAND_FORWARD = -1, ARGAND_INVERSE = +1 } argand_direction;
typedef enum argand_fft_scale {
    ARGAND_SCALE_NONE = 0,    /* unscaled in both directions: inverse(forward(x)) = N x */
    ARGAND_SCALE_INVERSE = 1, /* 1/N on the inverse */
    ARGAND_SCALE_UNITARY = 2  /* 1/sqrt(N) in both directions */
} argand_fft_scale;
/* How a plan is chosen among those that could do it (argand_fft_candidate_describe). All of them take what
 * wisdom knows about the problem, if it knows it; REMEASURE does not ask it. */
typedef enum argand_effort {
    ARGAND_ESTIMATE = 0, /* the one with the least predicted time */
    ARGAND_MEASURE = 1,  /* all are timed on arrays of its own; the fastest becomes wisdom */
    ARGAND_REMEASURE = 2
} argand_effort;

/* In which order the frequencies of an axis lie (or the signal's elements, where their order is given up
 * too). SCRAMBLED allows the engine the order that it finds cheapest, which may be the natural one: ask
 * argand_fft_frequency and argand_fft_position, which are right for both. */
typedef enum argand_fft_order { ARGAND_ORDER_NATURAL = 0, ARGAND_ORDER_SCRAMBLED = 1 } argand_fft_order;

/* One axis of a transform or of a batch: n elements, strides in elements of the respective array. */
typedef struct argand_axis {
    int64_t n, in_stride, out_stride;
} argand_axis;

/* Zero means default. Real transforms: the real array has n[0] reals, the complex one floor(n[0]/2)+1
 * elements along axis 0, or n[0]/2 where half_packed (see "half spectra in the memory of the reals"
 * below). */
typedef struct argand_fft_options {
    argand_type
        type; /* the transform's precision and kind: C32, C64 complex; R32, R64 real to complex and inverse */
    int rank; /* 1 to 8 */
    int64_t
        n[ARGAND_MAX_RANK]; /* lengths, first axis fastest (contiguous data unless `axes` says otherwise) */
    int64_t batch;          /* transforms one behind the other; 0 means 1 */
    bool centred;           /* complex transforms; real ones are shifted by their windows */
    argand_fft_scale scale;
    argand_effort effort;
    double measure_seconds; /* MEASURE begins no further candidate after so long; 0 means 10 */
    bool preserve_input;    /* complex-to-real may overwrite its input unless this is set */
    bool half_packed; /* real types, n[0] even: the half spectrum is packed into the memory of the reals */
    argand_fft_order signal_order,
        spectrum_order; /* of input and output of a complex transform, in both directions */
    /* The general form: used where axes_given is true, instead of n and batch. Strides may be anything that
     * does not make output elements overlap. They count from an array's first element through its memory; an
     * array with gaps, which has strides of its own, must have a dimension of that stride for each axis. For
     * real transforms in_ is the real array of axis 0 in both directions. */
    bool axes_given;
    argand_axis axes[ARGAND_MAX_RANK]; /* `rank` transformed axes */
    int loops;                         /* number of batch axes */
    argand_axis loop[ARGAND_MAX_RANK];
    /* What happens to elements on their way (access.h). Dimensions and strides of an array are then those of
     * its windows; a dimension of 1 in the input where the output is longer repeats (stride 0 where axes are
     * given). */
    argand_fft_layout input, output;
    unsigned sum; /* bit i: loop i (dimension rank + i) is summed at the store: the output has 1 there */
    argand_fft_access access;
} argand_fft_options;

ARGAND_API ARGAND_MUST_USE argand_status argand_fft_create(argand_fft **plan, argand_device *device,
                                                           const argand_fft_options *options);
/* out may be in (the same array) where both have the same strides. Real plans: forward takes the real
 * array to the complex one, inverse the complex to the real; then in is the array read and out the one
 * written. They work in place where two arrays of both types begin at the same byte, their rows along axis 0
 * too, and no row reaches into another: rows of 2 (n[0]/2 + 1) reals, as in FFTW, or more, which are n[0]/2 +
 * 1 complex numbers (wraps of one piece of memory, or argand_fft_options.axes with a real stride of twice the
 * complex one on every axis but the first). Elements between the rows are left as they are, and so are those
 * behind the n[0] reals after an inverse. Other arrays that overlap are refused on every device, two wraps of
 * one piece of memory too (of OpenCL: of one cl_mem; its sub-buffers are not known to be parts of it). */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_apply(const argand_fft *plan, argand_array *out,
                                                          const argand_array *in, argand_direction direction);
/* The same with other scalars, arrays and parameters in the chains; kinds, functions and texts must be the
 * plan's. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_apply_access(const argand_fft *plan, argand_array *out,
                                                                 const argand_array *in,
                                                                 argand_direction direction,
                                                                 const argand_fft_access *access);
/* Options of the adjoint: input and output exchanged, chains reversed and conjugated, loops that repeat
 * summed and the other way round. Its plan is to be applied in the opposite direction (with a chain at the
 * spectrum in the same one). Functions of the user's own, constants and real transforms have no adjoint here:
 * ARGAND_UNSUPPORTED. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_adjoint(argand_fft_options *adjoint,
                                                            const argand_fft_options *options);
/* "(fft c32 16 (passes (simd_single 4 x 4, 4 lanes)))", on a processor with AVX2, written into text, at most
 * size bytes with its NUL. */
ARGAND_API void argand_fft_print(const argand_fft *plan, char *text, size_t size);
ARGAND_API void argand_fft_destroy(argand_fft *plan);

/* ---- half spectra in the memory of the reals ----
 * The spectrum of n[0] reals (n[0] even) has n[0]/2 + 1 elements along axis 0, X[0] to X[n[0]/2]. Packed it
 * has n[0]/2, as many bytes as the reals, with the other axes as they are:
 *   packed[k0] = X[k0] for 0 < k0 < n[0]/2,   packed[0] = X[0] + i X[n[0]/2]
 * at each place of the other axes. With one transformed axis both of
 * these are real, so that packed[0] is the two of them. With more, X[0] and X[n[0]/2] are spectra of reals
 * along the others, and with P = packed[0] and k the frequencies there X[0](k) = (P(k) + conj P(-k)) / 2,
 * X[n[0]/2](k) = (P(k) - conj P(-k)) / 2i. With one axis nothing is lost, to the bit. With more these two
 * rows are rounded together: where one of them is much the weaker, it has errors as large as the other one's.
 * Rows that are no spectra of reals (a product with something that is not conjugate symmetric) cannot be
 * recovered: multiply before packing.
 *
 * Plans with half_packed read and write that layout (the batch behind it as ever). They work in place where
 * the rows of both arrays lie in the same bytes, which contiguous reals and their packed spectrum do
 * (argand_array_view_as makes one of the other). Inside they go by the plan without it, by way of half a
 * spectrum in temporary memory of the device (argand_fft_workspace counts it) and one more pass over it.
 * Refused: complex types and odd n[0] (ARGAND_ARGUMENT); accessors, windows, sums and storage types, and axes
 * with more than ARGAND_MAX_RANK axes and loops in all (ARGAND_UNSUPPORTED): pack and unpack for these. The
 * frequency n[0]/2 has no position of its own: argand_fft_position says -1. */

/* From n[0]/2 + 1 elements along dimension 0 to n[0]/2 and back: arrays of one complex type and device, any
 * strides. The first `rank` dimensions were transformed, the others are a batch; only dimension 0 differs.
 * Output and input must not share memory. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_half_pack(argand_array *out, const argand_array *in,
                                                              int rank);
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_half_unpack(argand_array *out, const argand_array *in,
                                                                int rank);

/* ---- sizes ---- */

/* The smallest length >= n of the form 2^a 3^b 5^c 7^d; 0 where none fits 63 bits. */
ARGAND_API int64_t argand_fft_next_size(int64_t n);

/* The length >= n whose transforms take the least time on that device, n's prime factors being 2 to 13 at
 * most; never shrinks as n grows. At most 1.07 n from n = 256 to 2^48, where
 * the time no longer counts; 0 where none fits 63 bits. even: the length is to be even, as real
 * transforms want it. On GPUs a length that need not be even is one of columns in single precision that go
 * forward and back in one pass, as those of convolutions do, where such a pass holds it. */
ARGAND_API int64_t argand_fft_fast_size(argand_device *device, int64_t n, bool even);

#ifdef __cplusplus
}
#endif
#endif
