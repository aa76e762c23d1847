/* SPDX-License-Identifier: BSD-3-Clause */
/* fft.h: discrete Fourier transforms of any size, with strides and batches.
 *   forward  X[k] = scale * sum_n x[n] exp(-2 pi i k n / N)      inverse with exp(+2 pi i k n / N)
 * See also fft_info.h (what a plan will do, the order of frequencies) and wisdom.h (measurements for later
 * plans).
 *
 * Scaling: none by default. With `centred`, element n has index n - floor(N/2) in input and output and on
 * every axis, for odd and even N, so that the centre of image and k-space is element floor(N/2).
 *
 * Engines: on a CUDA device a plan uses Argand's own kernels, or cuFFT. cuFFT is used if its library is found
 * and was measured to be faster, or if Argand's kernels were never measured on such a chip. Some devices and
 * transforms have no engine: then the host transforms copies of the arrays. argand_fft_print names the engine
 * ("on cpu" for the host).
 *
 * Limits: 1 to 8 axes, 2^57 elements in all. On CPUs a length with a prime factor above 13 must be below
 * 2^27; otherwise the plan fails with ARGAND_UNSUPPORTED and the reason of each algorithm. A plan fails with
 * ARGAND_MEMORY, before it takes any memory, if one transform is larger than the device's memory, or its
 * tables are larger than the free memory of the host. Refused with ARGAND_ARGUMENT, before anything is
 * computed: arrays whose type or shape is not the plan's, arrays of another device, overlapping arrays. NULL:
 * see argand.h; options must not be NULL.
 *
 * Cold plans: on CUDA devices, compiling the kernels of a new size takes 0.2 to 1.5 s, unless they are in the
 * cache or the archive of compiled kernels. A plan of ESTIMATE without scrambled orders does not wait,
 * unless it is real and wisdom has another engine for each direction: a slower kernel of the archive, for any
 * size, or else cuFFT serves its calls while a thread compiles, and the first call after that takes the
 * plan's own kernels. Error bounds are the same before and after. Bits may differ: two calls with the same
 * input may differ in their last digits. wait_for_kernels, or ARGAND_FFT_WAIT=1 in the environment, makes
 * argand_fft_create wait, and all calls give the same bits.
 * The change happens within a call, never during a graph capture: graphs keep the kernels that they were
 * captured with. If compiling fails, the first engine stays, and argand_fft_print says why. What it says is
 * true until the change. argand_fft_destroy does not wait for the compiler; closing the device and the
 * program's end do.
 *
 * Threads: a plan is immutable for its callers. Several threads may apply, query and print the same plan at
 * once, and may create plans and use wisdom at once.
 *
 * Calls: the first call of a plan for a direction and layout may compile kernels and allocate memory. Later
 * calls do neither and may be captured into a CUDA graph. Work memory belongs to the device handle and serves
 * all its calls in order. A handle has one stream, which all its plans use. For several streams, open several
 * handles (argand_device_open_stream) and make plans for each; handles share compiled kernels through the
 * cache. Launch a captured graph in the handle's stream, while handle, plan and arrays exist, and not
 * concurrently with other work of the handle. The graph becomes invalid if the device runs out of memory
 * later, because the handle then frees its work memory. */
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
/* How a plan is chosen among the candidates (argand_fft_candidate_describe). If wisdom has an entry for the
 * problem, ESTIMATE and MEASURE use that entry. */
typedef enum argand_effort {
    ARGAND_ESTIMATE = 0, /* take the candidate with the shortest predicted time */
    ARGAND_MEASURE = 1,  /* time all candidates on temporary arrays; the fastest becomes wisdom */
    ARGAND_REMEASURE = 2 /* MEASURE, ignoring wisdom */
} argand_effort;

/* Order of the frequencies along an axis (or of the signal's elements). SCRAMBLED lets the engine choose the
 * cheapest order, which may be the natural one. argand_fft_frequency and argand_fft_position convert between
 * frequencies and positions for both orders. */
typedef enum argand_fft_order { ARGAND_ORDER_NATURAL = 0, ARGAND_ORDER_SCRAMBLED = 1 } argand_fft_order;

/* One axis of a transform or of a batch: n elements, strides in elements of the respective array. */
typedef struct argand_axis {
    int64_t n, in_stride, out_stride;
} argand_axis;

/* Zero means default. Real transforms: along axis 0 the real array has n[0] elements and the complex array
 * floor(n[0]/2)+1, or n[0]/2 with half_packed (see "half spectra in the memory of the reals" below). */
typedef struct argand_fft_options {
    argand_type type; /* C32, C64: complex; R32, R64: forward real to complex, inverse complex to real */
    int rank;         /* 1 to 8 */
    int64_t n[ARGAND_MAX_RANK]; /* lengths, first axis fastest; contiguous unless axes_given */
    int64_t batch;              /* number of consecutive transforms; 0 means 1 */
    bool centred;               /* complex transforms only; for real ones use windows (access.h) */
    argand_fft_scale scale;
    argand_effort effort;
    double measure_seconds; /* MEASURE starts no further candidate after this time; 0 means 10 */
    bool
        preserve_input; /* keep the input of complex-to-real transforms, which may be overwritten otherwise */
    bool half_packed;   /* real types, n[0] even: pack the half spectrum into the memory of the reals */
    argand_fft_order signal_order, spectrum_order; /* complex transforms, in both directions */
    bool wait_for_kernels; /* CUDA: compile all kernels in argand_fft_create (see "Cold plans" above) */
    /* The general form, in place of n and batch, if axes_given is true. Strides count elements in memory from
     * the array's first element; output elements must not overlap. If an array has gaps (strides of its own),
     * each axis must have the stride of one of its dimensions. For real transforms in_stride belongs to the
     * real array in both directions. */
    bool axes_given;
    argand_axis axes[ARGAND_MAX_RANK]; /* `rank` transformed axes */
    int loops;                         /* number of batch axes */
    argand_axis loop[ARGAND_MAX_RANK];
    /* Accessors: functions applied to elements at load and store (access.h). Dimensions and strides of an
     * array are then those of its windows. An input dimension of 1 is repeated if the output is longer
     * (stride 0 with axes_given). */
    argand_fft_layout input, output;
    unsigned sum; /* bit i: sum over loop i (dimension rank + i) at the store; the output has size 1 there */
    argand_fft_access access;
} argand_fft_options;

ARGAND_API ARGAND_MUST_USE argand_status argand_fft_create(argand_fft **plan, argand_device *device,
                                                           const argand_fft_options *options);
/* Transforms in to out. Complex plans work in place: out may be the same array as in if both have the same
 * strides.
 *
 * Real plans: forward reads the real and writes the complex array; inverse reads the complex and writes the
 * real array. They work in place on two arrays of both types (wraps of one piece of memory) if the arrays and
 * all rows along axis 0 begin at the same byte and no row overlaps another: rows of 2 (n[0]/2 + 1) reals, as
 * in FFTW, or longer ones, that hold n[0]/2 + 1 complex numbers; with argand_fft_options.axes the real stride
 * is twice the complex one on every axis but the first. Elements between the rows keep their values; after an
 * inverse so do those behind the n[0] reals.
 *
 * Other overlapping arrays are refused on every device, also two wraps of one piece of memory (on OpenCL: of
 * one cl_mem; sub-buffers of a cl_mem are not recognised). */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_apply(const argand_fft *plan, argand_array *out,
                                                          const argand_array *in, argand_direction direction);
/* Transforms with other scalars, arrays and parameters in the accessor chains. Kinds, functions and kernel
 * texts must be those of the plan. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_apply_access(const argand_fft *plan, argand_array *out,
                                                                 const argand_array *in,
                                                                 argand_direction direction,
                                                                 const argand_fft_access *access);
/* Transforms memory of the plan's device (argand_array_wrap), used as argand_fft_apply uses contiguous arrays
 * of the plan's lengths and batch, or of its windows; with axes_given, strides count from the first element.
 * If out equals in, a real plan without axes_given has rows of 2 (n[0]/2 + 1) reals, as in FFTW. Short
 * transforms on the host take less time than with arrays. Refused with ARGAND_ARGUMENT: strides that reach
 * before the first element, and real and imaginary parts that lie apart. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_apply_memory(const argand_fft *plan, void *out,
                                                                 const void *in, argand_direction direction);
/* Makes the options of the adjoint: input and output are exchanged, chains reversed and conjugated, repeated
 * loops become sums and sums become repeated loops. Apply the adjoint's plan in the opposite direction (with
 * a chain at the spectrum: in the same direction). ARGAND_UNSUPPORTED: user functions, constants and real
 * transforms, which have no adjoint here. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_adjoint(argand_fft_options *adjoint,
                                                            const argand_fft_options *options);
/* Writes a description of the plan into text, at most size bytes with the NUL. For example, on a CPU with
 * AVX2: "(fft c32 16 (passes (simd_single 4 x 4, 4 lanes)))". */
ARGAND_API void argand_fft_print(const argand_fft *plan, char *text, size_t size);
ARGAND_API void argand_fft_destroy(argand_fft *plan);

/* ---- half spectra in the memory of the reals ----
 * The spectrum of n[0] reals (n[0] even) has n[0]/2 + 1 elements along axis 0, X[0] to X[n[0]/2]. The packed
 * form has n[0]/2 elements, as many bytes as the reals; the other axes do not change. At each position of the
 * other axes
 *   packed[k0] = X[k0] for 0 < k0 < n[0]/2,   packed[0] = X[0] + i X[n[0]/2]
 * With one transformed axis X[0] and X[n[0]/2] are real, and packing loses nothing, to the bit. With more
 * axes they are spectra of reals along the other axes: with P = packed[0] and frequency k along these axes
 *   X[0](k) = (P(k) + conj P(-k)) / 2,   X[n[0]/2](k) = (P(k) - conj P(-k)) / 2i
 * Both rows are then rounded together: the weaker row gets the absolute error of the stronger one. Rows that
 * are not spectra of reals (such as a product with a factor that is not conjugate symmetric) cannot be
 * recovered: multiply before packing.
 *
 * Plans with half_packed read and write the packed form (one packed spectrum after the other in a batch).
 * They work in place if the rows of both arrays lie in the same bytes, as contiguous reals and their packed
 * spectrum do (argand_array_view_as makes one from the other). Internally such a plan makes half a spectrum
 * in temporary memory (counted by argand_fft_workspace) and needs one more pass. Refused: complex types and
 * odd n[0] (ARGAND_ARGUMENT); accessors, windows, sums, storage types, and more than ARGAND_MAX_RANK axes and
 * loops in all (ARGAND_UNSUPPORTED): use pack and unpack for these. Frequency n[0]/2 has no position of its
 * own: argand_fft_position returns -1. */

/* Packs n[0]/2 + 1 elements along dimension 0 into n[0]/2, or unpacks them. The arrays have one complex type
 * and device and any strides. The first `rank` dimensions were transformed, the others are a batch; the
 * shapes differ in dimension 0 only. Output and input must not share memory. */
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_half_pack(argand_array *out, const argand_array *in,
                                                              int rank);
ARGAND_API ARGAND_MUST_USE argand_status argand_fft_half_unpack(argand_array *out, const argand_array *in,
                                                                int rank);

/* ---- sizes ---- */

/* Returns the smallest length >= n of the form 2^a 3^b 5^c 7^d; 0 if it exceeds 63 bits. */
ARGAND_API int64_t argand_fft_next_size(int64_t n);

/* Returns the length >= n whose transforms take the least time on the device, among lengths with prime
 * factors up to 13; 0 if it exceeds 63 bits. The result never shrinks as n grows, and is at most 1.07 n for n
 * from 256 to 2^48 (beyond, the time is not considered). even: return an even length, as real transforms
 * need. On GPUs, without `even`, the length is chosen for columns in single precision that a convolution
 * transforms forward and back in one pass, as long as such a pass holds them. */
ARGAND_API int64_t argand_fft_fast_size(argand_device *device, int64_t n, bool even);

#ifdef __cplusplus
}
#endif
#endif
