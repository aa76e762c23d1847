/* SPDX-License-Identifier: BSD-3-Clause */
/* conv.h: convolution and correlation of signals, images and volumes with a kernel (a point spread function).
 *   convolution  y[i] = sum_j h[j] x[i + c - j]      correlation  y[i] = sum_j conj(h[j]) x[i - c + j]
 * on every axis, c being the kernel's centre, x continued beyond the image by the rules of its borders. Both
 * are exact for every border, kernels larger than the image too, to the rounding of `type`.
 *
 * A plan is made for sizes, a kernel is set (as often as one likes), images are convolved:
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
 * Images are arrays {n..., channels, batch} or, interleaved, {channels, n..., batch}; dimensions of 1 at the
 * end may be left out, strides may be anything. Kernels are laid out as images are, without a batch.
 * Long kernels go through transforms (fft.h) of n + kernel/2 points an axis or little more, whose padding,
 * borders, product and conversions are fused into their passes; short ones are summed directly.
 *
 * Limits: 1 to 3 axes, and those of fft.h. Threads: a plan whose kernel is not changed may be applied, asked
 * and printed by several threads at once; what sets kernel or sharpness is for one thread.
 * Refused with ARGAND_ARGUMENT: unknown types, modes and borders, sizes below 1, a centre outside the
 * kernel, `valid` with a kernel larger than the image, arrays of other shapes, types or devices, output and
 * input that share memory, an image before a kernel was set; with ARGAND_NUMERIC: kernels that are all zero
 * or not finite, and, to be normalised, those whose sum is 0; with ARGAND_UNSUPPORTED: what no engine does.
 * NULL: see argand.h; options are needed. */
#ifndef ARGAND_CONV_H
#define ARGAND_CONV_H

#include "fft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct argand_conv argand_conv;

/* Which outputs there are along each axis of n elements, with a kernel of k. */
typedef enum argand_conv_mode {
    ARGAND_CONV_SAME = 0, /* n: one for each element */
    ARGAND_CONV_FULL = 1, /* n + k - 1: all that the kernel touches */
    ARGAND_CONV_VALID = 2 /* n - k + 1: those that no border touches */
} argand_conv_mode;

/* What a kernel is divided by when it is set. */
typedef enum argand_conv_normalise {
    ARGAND_CONV_AS_IT_IS = 0,
    ARGAND_CONV_PER_CHANNEL = 1, /* each channel by its own sum */
    ARGAND_CONV_LUMINANCE = 2    /* all by the luminance of their sums, so that their hue is kept; 1, 3 or 4
                                    channels, of which the first three are red, green, blue */
} argand_conv_normalise;

typedef enum argand_conv_method {
    ARGAND_CONV_AUTO = 0,   /* by predicted time (argand_conv_explain), with ARGAND_MEASURE by measured */
    ARGAND_CONV_DIRECT = 1, /* sums; ARGAND_UNSUPPORTED for storage types on processors, and for kernels on
                               devices of which a group's memory does not hold a plane (some 40 x 40 taps) */
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

/* The rules before the first element and after the last one of an axis (access.h shows them). Where they are
 * not the same on both sides, each goes on as if it stood on both. */
typedef struct argand_conv_border {
    argand_border before, after;
} argand_conv_border;

/* Zero means default. */
typedef struct argand_conv_options {
    argand_type type;              /* what is computed in: R32, R64, C32, C64 */
    argand_type in_type, out_type; /* of the images: storage types too; 0: `type` */
    int rank;                      /* 1 to 3 */
    int64_t n[3];                  /* elements of an image along each axis */
    int64_t kernel[3];             /* of a kernel */
    int64_t channels;              /* of an image; 0 means 1 */
    int64_t kernel_channels;       /* 1: all channels share it; or as many as `channels`; 0 means 1 */
    int64_t batch;                 /* images one behind the other; 0 means 1 */
    bool interleaved;              /* the channels of an element lie together */
    argand_conv_mode mode;
    argand_conv_border border[3];
    argand_scalar constant; /* for ARGAND_BORDER_CONSTANT */
    bool centre_given;
    int64_t centre[3]; /* 0 to kernel - 1; else floor(kernel / 2) */
    bool correlate;
    argand_conv_normalise normalise;
    double luminance[3]; /* weights of red, green, blue; all 0: 0.2126, 0.7152, 0.0722 */
    argand_conv_method method;
    argand_conv_range range; /* for plans by transforms; no image is read during graph capture */
    size_t range_memory;     /* most bytes of the second plan; 0: 1 GiB, or one smallest tile */
    argand_effort effort;    /* fft.h */
    /* Most bytes that a call may take for its work, besides images: it goes tile by tile then (overlap-save),
     * with images on any device, and argand_conv_apply_boxes. 0: no limit, all at once. SIZE_MAX: one tile.
     * Tiles are as large as that allows, whole rows first. Boxes are of in_type and out_type. Half of this
     * memory is left for the second plan (range), if possible. If an image needs more, ARGAND_MEMORY says
     * so. */
    size_t memory;
} argand_conv_options;

ARGAND_API ARGAND_MUST_USE argand_status argand_conv_create(argand_conv **conv, argand_device *device,
                                                            const argand_conv_options *options);
/* kernel: {kernel..., kernel_channels}, interleaved {kernel_channels, kernel...}; real, or complex for
 * complex plans, of either precision, on any device. It is not kept. After a failure the plan has the kernel
 * that it had before. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_set_kernel(argand_conv *conv,
                                                                const argand_array *kernel);
/* From now on y = (1 - s) (h * x) + s x: 0 is the kernel alone (as after argand_conv_create), 1 the image
 * itself; beyond 1 the image is sharpened. Any finite number; it stays when another kernel is set. Calls that
 * were captured into a graph follow. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_set_sharpness(argand_conv *conv, double s);
/* out: as long along each axis as the mode says (argand_conv_info.out). The first call may build kernels and
 * take memory; later ones take no memory of the device. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_apply(const argand_conv *conv, argand_array *out,
                                                           const argand_array *in);

/* Convolves an image whose borders the caller has made. The dark elements (argand_conv_range) are looked for
 * only in elements first to first + count - 1 of each axis. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_apply_part(const argand_conv *conv, argand_array *out,
                                                                const argand_array *in,
                                                                const int64_t first[3],
                                                                const int64_t count[3]);

/* Images larger than memory, of plans with a limit of memory: elements are asked for box by box, and results
 * come box by box, each once, tile after tile with axis 0 the fastest. box: on the host (argand_array_data),
 * contiguous, {count..., channels}, interleaved {channels, count...}, of in_type or out_type; first: the
 * image's element, or the result, at its place 0; image: which one of the batch. What a function returns
 * but ARGAND_OK ends the call and is its status. An observer (observer.h) is asked between tiles. */
typedef argand_status (*argand_conv_read)(void *context, argand_array *box, const int64_t first[3],
                                          int64_t image);
typedef argand_status (*argand_conv_write)(void *context, const argand_array *box, const int64_t first[3],
                                           int64_t image);
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_apply_boxes(const argand_conv *conv,
                                                                 argand_conv_write write,
                                                                 argand_conv_read read, void *context);
ARGAND_API void argand_conv_destroy(argand_conv *conv); /* NULL is allowed */

/* ---- one kernel for plans of many sizes ----
 * A kernel's spectrum at its own size, from which plans take theirs: of the kernel as it is, or `scale`
 * times as wide (its sum stays), band-limited. Between the points of the spectrum values are interpolated,
 * linearly or by cubics, which weights the kernel down towards its ends; or they are computed from its
 * elements, which is exact (the same as argand_conv_set_kernel where all scales are 1) and takes longer. */
typedef struct argand_conv_spectrum argand_conv_spectrum;

typedef enum argand_conv_resample {
    ARGAND_CONV_LINEAR = 0,
    ARGAND_CONV_CUBIC = 1,
    ARGAND_CONV_EXACT = 2
} argand_conv_resample;

/* options: of those type, rank, kernel, kernel_channels, interleaved, centre, correlate and normalise count;
 * channels must be what kernel_channels allows. Does not change, for any number of plans and threads. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_spectrum_create(argand_conv_spectrum **spectrum,
                                                                     const argand_array *kernel,
                                                                     const argand_conv_options *options);
ARGAND_API void argand_conv_spectrum_destroy(argand_conv_spectrum *spectrum); /* NULL is allowed */
/* In the place of argand_conv_set_kernel, for plans by transforms (ARGAND_CONV_FFT, no limit of memory;
 * others ARGAND_UNSUPPORTED). The plan's `kernel` says how far the resampled kernel reaches: what is beyond
 * wraps around. The dynamic range of images is not looked at (argand_conv_range). scale: for each axis, more
 * than 0; NULL: 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_set_spectrum(argand_conv *conv,
                                                                  const argand_conv_spectrum *spectrum,
                                                                  const double *scale,
                                                                  argand_conv_resample how);

/* ---- signals that come block by block ----
 * y[t] = sum_j h[j] x[t - j], x being 0 before the first block (correlate: the kernel turned around). A
 * stream is for one thread. */
typedef struct argand_conv_stream argand_conv_stream;

/* options: rank 1, n[0] elements a block; mode, borders and centre do not count. Storage types and a limit of
 * memory are ARGAND_UNSUPPORTED. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_stream_create(argand_conv_stream **stream,
                                                                   argand_device *device,
                                                                   const argand_conv_options *options);
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_stream_set_kernel(argand_conv_stream *stream,
                                                                       const argand_array *kernel);
/* The next block to its results: both {n[0], channels}, interleaved {channels, n[0]}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_stream_push(argand_conv_stream *stream,
                                                                 argand_array *out, const argand_array *in);
ARGAND_API ARGAND_MUST_USE argand_status argand_conv_stream_reset(argand_conv_stream *stream);
ARGAND_API void argand_conv_stream_destroy(argand_conv_stream *stream); /* NULL is allowed */

typedef struct argand_conv_info {
    argand_type type, in_type, out_type;
    int rank;
    int64_t n[3], kernel[3], centre[3]; /* 1 and 0 along axes that there are not */
    int64_t channels, kernel_channels, batch;
    int64_t out[3];     /* elements of a result along each axis */
    int64_t first[3];   /* which element of the image result 0 stands on (negative: before the image) */
    int64_t padded[3];  /* points of the transforms; 0 with the direct method */
    int64_t tile[3];    /* results of a tile; all of them without tiles */
    const char *method; /* "direct", "fft" or "tiles" */
    size_t bytes;       /* that the plan holds on its device */
    int passes;         /* over memory, of "fft"; 0 where not known */
    int64_t moved;      /* bytes that they read and write in all */
    int64_t wide;       /* images, or tiles, that the second plan convolved so far (argand_conv_range) */
} argand_conv_info;

ARGAND_API void argand_conv_describe(const argand_conv *conv, argand_conv_info *info);
/* "(conv float 64 channels 1 kernel 3 direct)", at most size bytes with its NUL. */
ARGAND_API void argand_conv_print(const argand_conv *conv, char *text, size_t size);

/* Several lines: what each axis is padded to, predicted times of sums and transforms where the method was
 * chosen by them, passes and their bytes, and how many lines would be transformed with the axes in each order
 * (two real lines count as one). */
ARGAND_API void argand_conv_explain(const argand_conv *conv, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
