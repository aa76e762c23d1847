/* SPDX-License-Identifier: BSD-3-Clause */
/* nufft.h: nonuniform FFT, between an image on a regular grid and samples at any k-space positions.
 *   type 2 (apply):   s_j = sum_n m_n exp(-2 pi i k_j . r_n)       image -> samples
 *   type 1 (adjoint): m_n = sum_j s_j exp(+2 pi i k_j . r_n)       samples -> image, the exact adjoint
 * r = (n - floor(N/2)) / N on each axis, k in cycles per field of view. k outside [-N/2, N/2) is wrapped, as
 * the exact sum is periodic in k. Nothing is scaled. Options select the other sign of the exponents,
 * positions in radians, and pixels in FFT order.
 *
 * The tolerance holds for every input, even if terms cancel. With N input and M output values and l2 norms:
 *   |output - exact sum| <= tolerance sqrt(M N) |input|
 * sqrt(M N) |input| is the largest possible norm of the output. Independent random inputs have an output of
 * about sqrt(M) |input|, and an error that seldom exceeds the tolerance times this value. The tolerance is
 * therefore the relative l2 error, unless terms cancel: then the output is smaller, but the error is not.
 * Inputs with few nonzero values have a smaller error: in types 1 and 3, and in type 2 with every_pixel,
 *   |output - exact sum| <= tolerance sqrt(M) (sum of |input_n|)
 * so that the tolerance holds for a single pixel or sample relative to its own output. Without every_pixel,
 * the error of type 2 is at most 6 times this value, largest for pixels at the edge; every_pixel uses a
 * larger grid or window. A tolerance below the precision is not refused: rounding then limits the error
 * (argand_nufft_info.expected_error).
 *
 * Results have the same bits in every run, on CPUs for any number of threads, on CUDA devices once all
 * kernels are compiled ("Cold plans"). Devices compute where their arrays are. On a device without double
 * precision the host locates the points when they are set, and C64 plans are refused (ARGAND_UNSUPPORTED).
 * Up to 32 vectors are transformed together if they fit in three eighths of the device's memory, up to 16
 * times 32 if these fit in a 32nd (argand_nufft_info.batch), and fewer if memory runs out. The first call
 * with a number of vectors may compile kernels and allocate memory. Later calls do neither, and may be
 * captured into a CUDA graph.
 *
 * Cold plans: on CUDA devices, a kernel that is neither in the cache nor in the archive takes 0.2 to 1.5 s to
 * compile. If slower kernels of the archive, which serve any size, can take its place, calls do not wait: a
 * thread compiles meanwhile, for FFTs (fft.h) and for the window alike. Error bounds are the same before and
 * after, but the last digits of two calls with the same input may differ. wait_for_kernels, or
 * ARGAND_FFT_WAIT=1 in the environment, makes calls wait, and all calls give the same bits.
 *
 * If the positions of all points along an axis are integers (within a tenth of the tolerance), that axis is
 * transformed by an FFT alone: stacks of spirals and stars, Cartesian lines. If all planes across such axes
 * have the same points, these are sorted once; samples may be ordered shot by shot or plane by plane. In
 * volumes the planes may differ (stars rotated from plane to plane, planes with few points or none), with
 * samples in any order; then the last such axis alone is used.
 *
 * Apply and adjoint agree to 1e-12 (C64) and 1e-5 (C32) of |Ax| |y| for all options. Images of a single
 * corner pixel with one or two samples reached 1.2 times that.
 *
 * Real images (real_image): apply takes real pixels, and adjoint returns the real part of the sum, so that Re
 * <A x, y> = <x, A^H y>. Only half of the grid, which is Hermitian, is computed and stored; stacks of equal
 * planes convert the pixels to complex numbers. Functions other than apply and adjoint refuse such a plan
 * (ARGAND_UNSUPPORTED).
 *
 * Limits: 2^28 - 1 pixels on an axis; 2^32 - 1 points (2^31 - 1 for real images and on devices other than
 * CPUs, and there 2^32 grid cells). An image larger than the device's memory is refused before any memory is
 * taken (ARGAND_MEMORY). Threads: several threads may apply a plan at once; argand_nufft_set_points is for
 * one thread while no other applies the plan. Refused with ARGAND_ARGUMENT: types that are not complex,
 * tolerances and oversampling out of range, applying a plan without points, arrays whose shape, type or
 * device is not the plan's; with ARGAND_NUMERIC: positions that are not finite. NULL: see argand.h; options
 * and every k[axis] are required. */
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
    ARGAND_NUFFT_FFT_ORDER = 1 /* r = 0 first, then positive, then negative r: the order of FFT frequencies */
} argand_nufft_order;

typedef struct argand_nufft_options {
    argand_type type;    /* ARGAND_C32 or ARGAND_C64 */
    int rank;            /* 1, 2 or 3 */
    int64_t n[3];        /* image size, x first; any sizes */
    double tolerance;    /* 0 means 1e-5 for C32 and 1e-9 for C64 */
    double oversampling; /* grid size over image size, > 1; raised if the tolerance needs it; 0: automatic */
    int sign;            /* of the exponent of apply, -1 or 1; adjoint has the other; 0 means -1 */
    argand_nufft_units units; /* of positions, on every axis */
    argand_nufft_order order; /* of the pixels on every axis, and of the cells of the window's grid */
    bool window_only;         /* use the window on every axis, also on Cartesian ones */
    bool real_image;          /* images are R32 or R64; half the FFT and half the grid (see above) */
    bool every_pixel;         /* keep the tolerance for each single pixel (see above) */
    bool wait_for_kernels;    /* CUDA: compile all kernels before the first result (see "Cold plans" above) */
} argand_nufft_options;

typedef struct argand_nufft_info {
    double tolerance;      /* as requested */
    double expected_error; /* error of window and rounding, defined like the tolerance */
    double oversampling;   /* grid size over image size on the first axis */
    int width;             /* window width in grid cells */
    int64_t grid[3];
    size_t bytes;         /* memory of the plan and its points */
    size_t points_bytes;  /* additional memory while points are set */
    size_t scratch_bytes; /* additional memory during a call with one vector */
    argand_type type;     /* type, rank, n: from the options */
    int rank;
    int64_t n[3];
    int64_t points; /* 0 before argand_nufft_set_points */
    int batch;      /* largest number of vectors at a time; on GPUs each takes scratch_bytes */
    int cartesian; /* bit i: axis i is transformed by an FFT alone; width and grid belong to the other axes */
    bool real_image; /* images are real */
} argand_nufft_info;

ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_create(argand_nufft **plan, argand_device *device,
                                                             const argand_nufft_options *options);
/* Sets the points. k[axis], for rank axes: real arrays (R32 or R64) with one position per sample, contiguous
 * or of one dimension, on any device, as argand_trajectory_make returns them. The plan sorts and copies the
 * positions; the caller may free the arrays. If a position is not finite, the call fails and the plan keeps
 * its former points. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_set_points(argand_nufft *plan, argand_array *const k[]);

/* Compute the transform (type 2) and its adjoint (type 1). image: dims {nx[, ny[, nz]], vectors}; samples:
 * dims {points, vectors}. Trailing dimensions of 1 may be left out; further dimensions count as vectors. The
 * window weights of a point are computed once for all vectors. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_apply(const argand_nufft *plan, argand_array *samples,
                                                            const argand_array *image);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_adjoint(const argand_nufft *plan, argand_array *image,
                                                              const argand_array *samples);
/* Apply the window alone, without FFT and deapodisation; each function is the adjoint of the other.
 * spread: grid = sum over points of sample times window. interpolate: samples = sum over cells of cell
 * times window. The window is real, 1 at its centre, and covers info.width cells. grid: dims
 * {info.grid[0], ... for rank axes, vectors}; cell g of G lies at k = (g - floor(G/2)) N / G cycles per
 * field of view (at -k if sign is 1). Setting points may change info.grid. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_spread(const argand_nufft *plan, argand_array *grid,
                                                             const argand_array *samples);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_interpolate(const argand_nufft *plan,
                                                                  argand_array *samples,
                                                                  const argand_array *grid);

/* Compute the derivative of apply with respect to the position on one axis, in the units of the plan:
 *   samples_j = d s_j / d k_j = sum_n -2 pi i r_n m_n exp(-2 pi i k_j . r_n)
 * and its adjoint. Shapes are those of apply and adjoint. Needs memory for one more image. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_derivative(const argand_nufft *plan, int axis,
                                                                 argand_array *samples,
                                                                 const argand_array *image);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_derivative_adjoint(const argand_nufft *plan, int axis,
                                                                         argand_array *image,
                                                                         const argand_array *samples);
/* Computes the gradient of Re <samples, A image>, summed over vectors, with respect to all positions:
 * gradient[axis], real arrays of the plan's precision, dims {points}. For a loss L of s = A image, this is
 * the gradient of L if samples are 2 dL/d conj(s) (for |s - y|^2 / 2: s - y). For a loss of m = A^H samples,
 * image takes this role for m. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_gradient(const argand_nufft *plan,
                                                               argand_array *const gradient[],
                                                               const argand_array *samples,
                                                               const argand_array *image);
/* Computes result = C C^T samples, where C is the interpolation by the window: the step of iterative
 * density compensation (Pipe and Menon, MRM 41:179, 1999). samples: real or complex of the plan's
 * precision, one vector. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_blur(const argand_nufft *plan, argand_array *result,
                                                           const argand_array *samples);
/* ---- in one call ---- */

/* Positions in host memory */
typedef struct argand_nufft_points {
    argand_type type; /* of positions: ARGAND_R32 or ARGAND_R64 */
    int64_t count;    /* how many points there are, 1 or more */
    /* k[axis], for rank axes: where the first position lies, x first. Positions that lie side by side as x0
     * y0 x1 y1 ... are {p, p + 1} with a stride of 2. */
    const void *k[3];
    int64_t stride; /* elements from one position of an axis to the next; 0 means 1 */
} argand_nufft_points;

/* Transform memory of the host in one call: type 2 from images to samples, type 1 from samples to images. The
 * bits, errors and messages are those of argand_nufft_create, argand_nufft_set_points and argand_nufft_apply
 * or argand_nufft_adjoint. image: n[0] x n[1] x n[2] x vectors elements, x fastest, complex, or real with
 * real_image; samples: count x vectors complex elements. Both are of options->type, contiguous, and do not
 * overlap; vectors is 1 or more. The device keeps the last plans without their points until it is closed, at
 * most 8 of up to 1 MB each and 4 MB in all for each of up to 4 threads, so that a call with the same options
 * plans nothing. Several threads may call at once. Calls that are predicted to take less than half a
 * millisecond do not call the observer. Refused also: devices other than CPUs (ARGAND_UNSUPPORTED), points
 * and vectors fewer than 1, a negative stride, types of positions that are not real (ARGAND_ARGUMENT).
 *
 *     const argand_nufft_options options = {.type = ARGAND_C32, .rank = 2, .n = {nx, ny}, .tolerance = 1e-4};
 *     const argand_nufft_points points = {.type = ARGAND_R32, .count = m, .k = {kx, ky}};
 *     argand_status status = argand_nufft_type1(device, image, samples, 1, &points, &options); */
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_type2(argand_device *device, void *samples,
                                                            const void *image, int64_t vectors,
                                                            const argand_nufft_points *points,
                                                            const argand_nufft_options *options);
ARGAND_API ARGAND_MUST_USE argand_status argand_nufft_type1(argand_device *device, void *image,
                                                            const void *samples, int64_t vectors,
                                                            const argand_nufft_points *points,
                                                            const argand_nufft_options *options);

ARGAND_API void argand_nufft_describe(const argand_nufft *plan, argand_nufft_info *info);
/* Writes the plan as a text. If kernels of its own could not be compiled in the background, so that general
 * ones serve for good, "; own kernels failed: " and the reason follow. */
ARGAND_API void argand_nufft_print(const argand_nufft *plan, char *text, size_t size);
ARGAND_API void argand_nufft_destroy(argand_nufft *plan);

#ifdef __cplusplus
}
#endif
#endif
