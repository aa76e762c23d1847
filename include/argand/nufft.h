/* SPDX-License-Identifier: BSD-3-Clause */
/* nufft.h: nonuniform FFT, between an image on a regular grid and samples at any k-space positions.
 *   type 2 (apply):   s_j = sum_n m_n exp(-2 pi i k_j . r_n)       image -> samples
 *   type 1 (adjoint): m_n = sum_j s_j exp(+2 pi i k_j . r_n)       samples -> image, the exact adjoint
 * r = (n - floor(N/2)) / N on each axis, k in cycles per field of view; k outside [-N/2, N/2) is wrapped
 * periodically, as the exact sum is periodic in it. Nothing is scaled. Options choose the other sign of the
 * exponents, positions in radians and pixels in the FFT's order.
 *
 * The tolerance holds for every input, even if terms cancel. With N numbers of input, M of output, l2 norms:
 *   |output - exact sum| <= tolerance sqrt(M N) |input|
 * Here sqrt(M N) |input| is the largest norm that the output can have. Independent random inputs have an
 * output of about sqrt(M) |input|, and their error seldom exceeds the tolerance times this. So the tolerance
 * is the relative l2 error if terms do not cancel. If terms cancel, the output is smaller but the error is
 * not. Inputs with few nonzero numbers have a smaller error: in types 1 and 3, and in type 2 with
 * every_pixel,
 *   |output - exact sum| <= tolerance sqrt(M) (sum of |input_n|)
 * so that a single pixel or sample has the tolerance relative to its own output. Type 2 without every_pixel
 * has at most 6 times this error, most at the image's edge; every_pixel uses a larger grid or window.
 * A tolerance below the precision is not refused: rounding then limits the error, and
 * argand_nufft_info.expected_error says how far.
 *
 * Results are the same bits every time, on CPUs for any number of threads. On other
 * devices everything stays there; those without double precision, in which points are located, have none of
 * their own: plans for them fetch the arrays, compute on the host and bring the result back. Up to 32 vectors
 * go through at a time as they fit in three eighths of the device's memory, and up to 16 times 32 where these
 * fit in a 32nd (argand_nufft_info.batch), fewer when it runs out. A first call with so many vectors may
 * build kernels and take memory; later ones do neither, and may be captured into a CUDA graph.
 * Axes along which all points lie on the Cartesian grid (k a whole number, within a tenth of the tolerance)
 * are found, and done by an FFT: stacks of spirals and stars, Cartesian lines. Where every plane across them
 * has the same points these are sorted once; samples may go through the planes shot by shot or plane by
 * plane. In volumes planes may differ (stars rotated from plane to plane, planes with few points or none),
 * in any order of the samples; one such axis is found, the last one.
 * Apply and adjoint are each other's to 1e-12 (C64) and 1e-5 (C32) of |Ax| |y| whatever the options.
 * Images of one corner pixel with one or two samples have had up to 1.2 times that.
 * Real images (real_image): apply takes real pixels, adjoint gives the real part of the sum, so that
 * Re <A x, y> = <x, A^H y>. Half of the grid, which is Hermitian then, is computed and kept; stacks whose
 * planes are alike widen the pixels to complex numbers. Apply and adjoint are all there is: the other
 * functions refuse such a plan (ARGAND_UNSUPPORTED).
 *
 * Limits: 2^28 - 1 pixels on an axis, 2^32 - 1 points (of real images and on devices other than CPUs
 * 2^31 - 1), and on those 2^32 cells of the grid. An image larger than the device's memory is refused before
 * any memory is taken (ARGAND_MEMORY).
 * Threads: a plan may be applied from several threads at once; argand_nufft_set_points is for one thread, and
 * not while others apply it. Refused: types that are not
 * complex, tolerances and oversampling out of range, a plan without points that is applied, arrays of other
 * shapes, types or devices than the plan's (ARGAND_ARGUMENT); positions that are not finite (ARGAND_NUMERIC).
 * NULL: see argand.h; options and every k[axis] are needed. */
#ifndef ARGAND_NUFFT_H
#define ARGAND_NUFFT_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_nufft argand_nufft;

typedef enum argand_nufft_units {
    ARGAND_NUFFT_CYCLES = 0, /* k: cycles per field of view, from -N/2 to N/2 */
    ARGAND_NUFFT_RADIANS = 1 /* 2 pi k / N: radians per pixel, from -pi to pi */
} argand_nufft_units;

typedef enum argand_nufft_order {
    ARGAND_NUFFT_CENTRED = 0,  /* pixel i lies at r = (i - floor(N/2)) / N */
    ARGAND_NUFFT_FFT_ORDER = 1 /* r = 0 first, upwards, then the negative ones: as an FFT's frequencies */
} argand_nufft_order;

typedef struct argand_nufft_options {
    argand_type type;    /* ARGAND_C32 or ARGAND_C64 */
    int rank;            /* 1, 2 or 3 */
    int64_t n[3];        /* image size, x first; odd, even and non-square sizes alike */
    double tolerance;    /* 0 means 1e-5 for C32 and 1e-9 for C64 */
    double oversampling; /* grid size over image size, > 1; raised where the tolerance needs it; 0: chosen */
    int sign;            /* of the exponent of apply, -1 or 1; adjoint has the other; 0 means -1 */
    argand_nufft_units units; /* of positions, on every axis */
    argand_nufft_order order; /* of the pixels on every axis, and of the cells of the window's grid */
    bool window_only;         /* no axis is done by an FFT alone, Cartesian or not */
    bool real_image;          /* images are R32 or R64: half the FFT and half the grid (see above) */
    bool every_pixel;         /* each single pixel has the tolerance: see above */
} argand_nufft_options;

typedef struct argand_nufft_info {
    double tolerance;      /* asked for */
    double expected_error; /* error of window and rounding, defined like the tolerance */
    double oversampling;   /* in use, grid size over image size on the first axis */
    int width;             /* window width in grid cells */
    int64_t grid[3];
    size_t bytes;         /* held by the plan and its points */
    size_t points_bytes;  /* wanted besides while points are set, next to the plan's former ones */
    size_t scratch_bytes; /* wanted while it is applied, for one vector */
    argand_type type;     /* what it was made for */
    int rank;
    int64_t n[3];
    int64_t points;    /* 0 before argand_nufft_set_points */
    bool through_host; /* the device has no double precision: the CPU computes, on copies */
    int batch;         /* most vectors at a time; each takes scratch_bytes on devices other than CPUs */
    int cartesian;   /* bit i: axis i is done by an FFT; width and grid are then those of the window alone */
    bool real_image; /* images are real */
} argand_nufft_info;

ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_create(argand_nufft **plan, argand_device *device,
                                                             const argand_nufft_options *options);
/* The points: k[axis] for rank axes, real arrays (R32 or R64) with one position per sample, contiguous or of
 * one dimension, on any device; what argand_trajectory_make gives. They are sorted and copied: the caller may
 * free them. Fails and leaves the plan as it was if a position is not finite. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_set_points(argand_nufft *plan, argand_array *const k[]);

/* image: dims {nx[, ny[, nz]], vectors}; samples: dims {points, vectors}; trailing dimensions of 1 may be
 * left out, and further ones are folded into the vectors. Window weights are computed once per point for all
 * vectors. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_apply(const argand_nufft *plan, argand_array *samples,
                                                            const argand_array *image);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_adjoint(const argand_nufft *plan, argand_array *image,
                                                              const argand_array *samples);
/* The window alone, without FFT and without correction for it; adjoint to each other. spread: grid = sum over
 * points of sample times window; interpolate: samples = sum over cells of cell times window. The window is
 * real, 1 at its centre, and covers info.width cells.
 * grid: dims {info.grid[0], ... for rank axes, vectors}; cell g of G lies at k = (g - floor(G/2)) N / G
 * cycles per field of view (-k where sign is 1). info.grid is known once the points are set, which may
 * change it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_spread(const argand_nufft *plan, argand_array *grid,
                                                             const argand_array *samples);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_interpolate(const argand_nufft *plan,
                                                                  argand_array *samples,
                                                                  const argand_array *grid);

/* Derivatives of what apply gives by the points' position on one axis, in the units of the plan: samples_j =
 * d s_j / d k_j = sum_n -2 pi i r_n m_n exp(-2 pi i k_j . r_n), and the adjoint of that. Shapes are those of
 * apply and adjoint. Needs memory for another image. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_derivative(const argand_nufft *plan, int axis,
                                                                 argand_array *samples,
                                                                 const argand_array *image);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_derivative_adjoint(const argand_nufft *plan, int axis,
                                                                         argand_array *image,
                                                                         const argand_array *samples);
/* The gradient of Re <samples, A image>, summed over vectors, by all points: gradient[axis], real arrays of
 * the plan's precision, dims {points}. Of a loss L of s = A image it is the gradient by the points where
 * samples are 2 dL/d conj(s) (for |s - y|^2 / 2 that is s - y); of a loss of m = A^H samples where image is
 * that of m. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_gradient(const argand_nufft *plan,
                                                               argand_array *const gradient[],
                                                               const argand_array *samples,
                                                               const argand_array *image);
/* The window both ways: what density compensation iterates. result = C C^T samples, with C the interpolation
 * (Pipe and Menon, MRM 41:179, 1999). samples: real or complex of the plan's precision, one vector. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_blur(const argand_nufft *plan, argand_array *result,
                                                           const argand_array *samples);
ARGAND_API void argand_nufft_describe(const argand_nufft *plan, argand_nufft_info *info);
ARGAND_API void argand_nufft_print(const argand_nufft *plan, char *text, size_t size);
ARGAND_API void argand_nufft_destroy(argand_nufft *plan);

#ifdef __cplusplus
}
#endif
#endif
