/* SPDX-License-Identifier: BSD-3-Clause */
/* conv.h: convolution and correlation of signals, images and volumes with a kernel (a point spread function).
 *   convolution  y[i] = sum_j h[j] x[i + c - j]      correlation  y[i] = sum_j conj(h[j]) x[i - c + j]
 * on every axis. c is the centre of the kernel; the border rules continue x beyond the image. Results are
 * exact up to the rounding of `type`, for every border and also for kernels larger than the image.
 *
 * Make a plan for given sizes, set a kernel (any number of times), and convolve images:
 *
 *     argand_conv *conv;
 *     const argand_conv_options options = {
 *         .type = ARGAND_R32, .rank = 2, .n = {1920, 1080}, .kernel = {256, 256}, .channels = 3};
 *
 *     if (argand_conv_create(&conv, device, &options) ||
 *         argand_conv_set_kernel(conv, psf) ||
 *         argand_conv_apply(conv, out, image))
 *         fprintf(stderr, "%s\n", argand_message());
 *
 * Images are arrays {n..., channels, batch} or, interleaved, {channels, n..., batch}, with any strides;
 * trailing dimensions of 1 may be left out. Kernels have the layout of images, without a batch. Long kernels
 * are convolved by transforms (fft.h) of about n + kernel/2 points per axis, whose passes also do padding,
 * borders, product and conversions. Short kernels are summed directly.
 *
 * Limits: 1 to 3 axes, and those of fft.h. Threads: several threads may apply, query and print a plan at once
 * while its kernel does not change; setting kernel or sharpness is for one thread. Refused with
 * ARGAND_ARGUMENT: unknown types, modes and borders, sizes below 1, a centre outside the kernel, `valid` with
 * a kernel larger than the image, arrays of other shapes, types or devices, output and input that share
 * memory, an image before a kernel is set; with ARGAND_NUMERIC: kernels that are not finite, and, with
 * normalisation, kernels of sum 0; with ARGAND_UNSUPPORTED: requests that no engine can serve. NULL: see
 * argand.h; options are required. */
#ifndef ARGAND_CONV_H
#define ARGAND_CONV_H

#include "fft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_conv argand_conv;

/* Number of results along an axis of n elements with a kernel of k. */
typedef enum argand_conv_mode {
    ARGAND_CONV_SAME = 0, /* n: one for each element of the image */
    ARGAND_CONV_FULL = 1, /* n + k - 1: all that the kernel reaches */
    ARGAND_CONV_VALID = 2 /* n - k + 1: those that no border reaches */
} argand_conv_mode;

/* Divisor of a kernel when it is set. */
typedef enum argand_conv_normalise {
    ARGAND_CONV_AS_IT_IS = 0,
    ARGAND_CONV_PER_CHANNEL = 1, /* each channel by its own sum */
    ARGAND_CONV_LUMINANCE = 2 /* all channels by the luminance of their sums, which keeps the hue; 1, 3 or 4
                                    channels, the first three being red, green, blue */
} argand_conv_normalise;

typedef enum argand_conv_method {
    ARGAND_CONV_AUTO =
        0, /* the faster one by predicted time (argand_conv_explain), or measured with ARGAND_MEASURE */
    ARGAND_CONV_DIRECT =
        1, /* sums; ARGAND_UNSUPPORTED: storage types on CPUs, and on other devices kernels with
                               a plane too large for shared memory (about 40 x 40 taps) */
    ARGAND_CONV_FFT = 2
} argand_conv_method;

/* Chooses how a plan handles images of a high dynamic range. Transforms round relative to the whole image,
 * direct sums relative to what the kernel meets. For example, one light of 1e6 makes rounding errors that
 * exceed a background of 1e-3 everywhere. Therefore plans by transforms read an image before they transform
 * it. A second plan, in double precision, convolves the image in two cases: the rounding error may exceed
 * 3e-5 of the darkest mean of 8 neighbours (double precision: 7e-12), or 8 neighbours are 0 (single precision
 * only). The second plan is made for the first such image. It works tile by tile and takes 2 to 3 times as
 * long. If the range is beyond 1e9, layers of brightness are added one by one: by direct sums if a layer has
 * few elements, otherwise by transforms that count where the kernel reaches the layer.
 * The error is then below 4e-5 of (|h| * |x|), and below 1e-11 in double precision, for taps above 1e-6 of
 * the kernel's sum. Fainter taps that meet only zeros elsewhere keep fewer digits. Results that the kernel
 * computes from zeros alone are 0 (double precision: 0 to rounding). Images with NaN or infinity give the
 * results of direct sums: NaN within the kernel's reach (taps of 0 count), and nowhere else. */
typedef enum argand_conv_range {
    ARGAND_CONV_RANGE_AUTO = 0,   /* reads each image: one pass; on a GPU two launches and one wait */
    ARGAND_CONV_RANGE_NARROW = 1, /* reads no image: fastest; one NaN makes all results NaN */
    ARGAND_CONV_RANGE_WIDE = 2    /* uses the second plan for all images; ARGAND_UNSUPPORTED while a graph
                                     is captured, and after argand_conv_set_spectrum */
} argand_conv_range;

/* The rules before the first and after the last element of an axis (see access.h). If the rules differ, each
 * continues the image as if it applied on both sides. */
typedef struct argand_conv_border {
    argand_border before, after;
} argand_conv_border;
ARGAND_API const char *argand_border_name(argand_border border); /* "mirror"; or "unknown" */

/* Zero means default. */
typedef struct argand_conv_options {
    argand_type type;              /* type of the computation: R32, R64, C32, C64 */
    argand_type in_type, out_type; /* types of the images, also storage types; 0: `type` */
    int rank;                      /* 1 to 3 */
    int64_t n[3];                  /* elements of an image along each axis */
    int64_t kernel[3];             /* elements of a kernel along each axis */
    int64_t channels;              /* channels of an image; 0 means 1 */
    int64_t kernel_channels;       /* 1 (shared by all channels) or `channels`; 0 means 1 */
    int64_t batch;                 /* number of images in one call; 0 means 1 */
    bool interleaved;              /* channels are the fastest dimension */
    argand_conv_mode mode;
    argand_conv_border border[3];
    argand_scalar constant; /* for ARGAND_BORDER_CONSTANT */
    bool centre_given;
    int64_t centre[3]; /* if centre_given: 0 to kernel - 1; default floor(kernel / 2) */
    bool correlate;
    argand_conv_normalise normalise;
    double luminance[3]; /* weights of red, green, blue; all 0: 0.2126, 0.7152, 0.0722 */
    argand_conv_method method;
    argand_conv_range range; /* for plans by transforms; no image is read during graph capture */
    size_t range_memory;     /* limit of the second plan in bytes; 0: 1 GiB, or one smallest tile */
    argand_effort effort;    /* fft.h */
    /* Limit of the work memory of a call in bytes, without the images. With a limit, images are convolved
     * tile by tile (overlap-save); they may be on any device, or pass box by box through
     * argand_conv_apply_boxes. 0: no limit, the image is convolved at once. SIZE_MAX: one tile. Tiles are as
     * large as the limit allows, whole rows first. Boxes have in_type and out_type. Half of the memory is
     * left for the second plan (range) if possible. If an image needs more, the call fails with
     * ARGAND_MEMORY. */
    size_t memory;
} argand_conv_options;

ARGAND_API ARGAND_MUST_USE argand_status argand_conv_create(argand_conv **conv, argand_device *device,
                                                            const argand_conv_options *options);
/* Sets the kernel: {kernel..., kernel_channels}, interleaved {kernel_channels, kernel...}; real, or complex
 * for complex plans, of either precision, on any device. The plan copies the kernel. After a failure the plan
 * keeps its former kernel. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_set_kernel(argand_conv *conv,
                                                                const argand_array *kernel);
/* Sets the sharpness s: y = (1 - s) (h * x) + s x. 0 gives the convolution (the state after
 * argand_conv_create), 1 the image itself; above 1 the image is sharpened. s is any finite number and stays
 * when another kernel is set. Calls captured into a graph use the new value. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_set_sharpness(argand_conv *conv, double s);
/* Convolves `in`. The size of out depends on the mode (argand_conv_info.out). The first call may compile
 * kernels and allocate memory; later calls allocate no device memory. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_apply(const argand_conv *conv, argand_array *out,
                                                           const argand_array *in);

/* Convolves an image that includes borders made by the caller. The dynamic range (argand_conv_range) is
 * measured in elements first to first + count - 1 of each axis alone. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_apply_part(const argand_conv *conv, argand_array *out,
                                                                const argand_array *in,
                                                                const int64_t first[3],
                                                                const int64_t count[3]);

/* Convolves images larger than memory, with a plan that has a limit of memory. The read function supplies
 * elements box by box; the write function receives every result once, tile after tile, axis 0 fastest. box:
 * on the host (argand_array_data), contiguous, {count..., channels}, interleaved {channels, count...}, of
 * in_type or out_type. first: index of the box's first element in the image or result. image: index in the
 * batch. If a function returns another status than ARGAND_OK, the call ends and returns this status. An
 * observer (observer.h) is called between tiles. */
typedef argand_status (*argand_conv_read)(void *context, argand_array *box, const int64_t first[3],
                                          int64_t image);
typedef argand_status (*argand_conv_write)(void *context, const argand_array *box, const int64_t first[3],
                                           int64_t image);
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_apply_boxes(const argand_conv *conv,
                                                                 argand_conv_write write,
                                                                 argand_conv_read read, void *context);
ARGAND_API void argand_conv_destroy(argand_conv *conv); /* NULL is allowed */

/* ---- one kernel for plans of many sizes ----
 * The spectrum of a kernel at the kernel's own size, from which plans of any size compute theirs: for the
 * kernel as it is, or stretched by `scale` with the same sum, band-limited. Values between the points of the
 * spectrum are interpolated linearly or by cubics, which reduces the weight of the kernel's ends, or computed
 * exactly from the elements (slower; the same as argand_conv_set_kernel if all scales are 1). */
typedef struct argand_conv_spectrum argand_conv_spectrum;

typedef enum argand_conv_resample {
    ARGAND_CONV_LINEAR = 0,
    ARGAND_CONV_CUBIC = 1,
    ARGAND_CONV_EXACT = 2
} argand_conv_resample;

/* Computes a spectrum. Only these options are used: type, rank, kernel, kernel_channels, interleaved, centre,
 * correlate, normalise, and channels, which must fit kernel_channels. The spectrum is immutable and may be
 * used by any number of plans and threads. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_spectrum_create(argand_conv_spectrum **spectrum,
                                                                     const argand_array *kernel,
                                                                     const argand_conv_options *options);
ARGAND_API void argand_conv_spectrum_destroy(argand_conv_spectrum *spectrum); /* NULL is allowed */
/* Sets a spectrum in place of a kernel, for plans by transforms (ARGAND_CONV_FFT) without a limit of memory;
 * other plans: ARGAND_UNSUPPORTED. The size `kernel` of the plan must cover the resampled kernel: elements
 * beyond it wrap around. The dynamic range of images is not measured (argand_conv_range). scale: a positive
 * number for each axis; NULL: 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_set_spectrum(argand_conv *conv,
                                                                  const argand_conv_spectrum *spectrum,
                                                                  const double *scale,
                                                                  argand_conv_resample how);

/* ---- signals in blocks ----
 * y[t] = sum_j h[j] x[t - j], where x is 0 before the first block (correlate: with the reversed kernel). A
 * stream is for one thread. */
typedef struct argand_conv_stream argand_conv_stream;

/* Creates a stream. options: rank 1, n[0] elements per block; mode, borders and centre are ignored. Storage
 * types and a limit of memory are ARGAND_UNSUPPORTED. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_stream_create(argand_conv_stream **stream,
                                                                   argand_device *device,
                                                                   const argand_conv_options *options);
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_stream_set_kernel(argand_conv_stream *stream,
                                                                       const argand_array *kernel);
/* Convolves the next block: in and out {n[0], channels}, interleaved {channels, n[0]}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_stream_push(argand_conv_stream *stream,
                                                                 argand_array *out, const argand_array *in);
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_stream_reset(argand_conv_stream *stream);
ARGAND_API void argand_conv_stream_destroy(argand_conv_stream *stream); /* NULL is allowed */

typedef struct argand_conv_info {
    argand_type type, in_type, out_type;
    int rank;
    int64_t n[3], kernel[3], centre[3]; /* sizes 1 and centre 0 along missing axes */
    int64_t channels, kernel_channels, batch;
    int64_t out[3];     /* elements of a result along each axis */
    int64_t first[3];   /* element of the image at the position of result 0; negative: before the image */
    int64_t padded[3];  /* points of the transforms; 0 with the direct method */
    int64_t tile[3];    /* results of a tile; without tiles all results */
    const char *method; /* "direct", "fft" or "tiles" */
    size_t bytes;       /* device memory of the plan */
    int passes;         /* passes over memory of "fft"; 0: unknown */
    int64_t moved;      /* bytes that all passes read and write */
    int64_t wide;       /* images or tiles convolved by the second plan so far (argand_conv_range) */
} argand_conv_info;

ARGAND_API void argand_conv_describe(const argand_conv *conv, argand_conv_info *info);
/* Writes a description such as "(conv float 64 channels 1 kernel 3 direct)" into text, at most size bytes
 * with the NUL. */
ARGAND_API void argand_conv_print(const argand_conv *conv, char *text, size_t size);

/* Writes several lines: padding of each axis, predicted times of sums and transforms if they chose the
 * method, passes and their bytes, and the number of transformed lines for each order of the axes (two real
 * lines count as one). */
ARGAND_API void argand_conv_explain(const argand_conv *conv, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
