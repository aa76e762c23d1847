/* SPDX-License-Identifier: BSD-3-Clause */
/* penalty.h: regularizers, which ask that an image be smooth, piecewise constant, sparse in wavelets, of low
 * rank over time, or what a denoiser leaves unchanged. argand_solve (solve.h) takes a list of regularizers
 * and chooses a solver for it:
 *
 *     argand_regularizer list[ARGAND_MAX_REGULARIZERS];
 *     int count;
 *     argand_regularizers_parse("wavelet:0.01,tv:0.002", list, &count);
 *
 * Limits: ARGAND_MAX_REGULARIZERS in a list, 1 to 3 axes of space, blocks of up to 64 pixels an axis.
 * Threads: parsing has no state; operators are for one thread at a time (op.h). Refused with ARGAND_ARGUMENT:
 * names, weights and options that are not understood (the message says which, and what to write), more than
 * one automatic weight, blocks without an axis behind space, a denoiser without a function. NULL: see
 * argand.h; no argument may be NULL. */
#ifndef ARGAND_PENALTY_H
#define ARGAND_PENALTY_H

#include "op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ARGAND_MAX_REGULARIZERS = 8 };

/* C_d are first differences along axis d, inside the image only; sums over n go over all pixels, and over all
 * images where axes follow those of space. */
typedef enum argand_regularizer_kind {
    ARGAND_TIKHONOV = 1,       /* sum_n |x_n|^2 / 2 */
    ARGAND_QUADRATIC = 2,      /* sum_d sum_n |(C_d x)_n|^2 / 2: roughness */
    ARGAND_HYPERBOLA = 3,      /* sum_d sum_n delta^2 (sqrt(1 + |(C_d x)_n / delta|^2) - 1) */
    ARGAND_TV = 4,             /* sum_n sqrt(sum_d |(C_d x)_n|^2): isotropic total variation */
    ARGAND_TV_ANISOTROPIC = 5, /* sum_d sum_n |(C_d x)_n| */
    ARGAND_WAVELET = 6,        /* sum of |detail coefficients| of an orthogonal wavelet transform */
    /* locally low rank over the last axis (T long): sum over blocks of B pixels of (sqrt(B) + sqrt(T))
     * |B x T matrix|_*, the sum of its singular values. The factor is the size of the largest singular value
     * of noise, so that a weight does not depend on the block. */
    ARGAND_LOW_RANK = 7,
    /* no sum: argand_regularizer.denoise is its proximal map (below). It has no text, and is not one of
     * argand_regularizer_count() kinds */
    ARGAND_DENOISER = 100
} argand_regularizer_kind;

/* Denoises images: y = x without noise whose real and imaginary parts have the standard deviation `level`.
 * x and y have the shape and type of the solver's image, are contiguous, distinct, and on the host whatever
 * the solver's device; axes behind the first `space` count images. The image is divided by its scale s
 * (solve.h), so that its bright parts are near 1; `level` has the same unit. Called by the thread that calls
 * the solver, once an iteration. A status other than ARGAND_OK ends the solve, which returns it.
 *
 * Plug-and-play ADMM (Venkatakrishnan, Bouman, Wohlberg, GlobalSIP 2013) takes the function for the proximal
 * map of an unknown R. With its step fixed at 1 / (weight d), an image x at which it comes to rest satisfies
 *
 *     x = s D((x - grad f(x) / (weight d)) / s)
 *
 * for f the data's term of solve.h and D the function with `level`. FISTA has the step 1 / L, L the largest
 * eigenvalue of A^H W A. It is told `level` times sqrt(weight d / L), which leaves the same solution if D is
 * the map of level^2 R0 for one R0. A function that ignores `level` acts in FISTA as with the weight L / d.
 *
 * Guaranteed: if D is the proximal map of a convex function, the iteration converges to the minimum. If D is
 * averaged, such as (1 + N) / 2 with N of Lipschitz constant 1, and image updates are exact (enough `inner`
 * steps), ADMM converges to an x as above (Buzzard et al., SIAM J. Imaging Sci. 11:2001, 2018). A trained
 * network promises neither: look at argand_progress.gradient, which is 0 only at such an x, and stop by the
 * number of iterations. */
typedef argand_status (*argand_denoise)(void *context, argand_array *y, const argand_array *x, int space,
                                        double level);

typedef enum argand_wavelet {
    ARGAND_DAUBECHIES_4 = 0, /* four taps, two vanishing moments */
    ARGAND_HAAR = 1
} argand_wavelet;

/* Zero means the default of every field but kind and weight. */
typedef struct argand_regularizer {
    argand_regularizer_kind kind;
    double weight;  /* >= 0, independent of scale: see argand_solve_options */
    bool automatic; /* let argand_solve_weight or argand_sense choose the weight; argand_solve refuses it */
    double delta;   /* hyperbola: relative to the image's scale; 0 means 0.1 */
    argand_wavelet wavelet; /* kind of wavelet */
    int levels;             /* levels of the wavelet transform; 0 means 4; short axes have fewer */
    int block;              /* ARGAND_LOW_RANK: pixels of a block along each spatial axis; 0 means 8 */
    uint64_t
        seed; /* wavelet, low rank. Not 0: shift the grid of wavelets or blocks at random in each iteration
                      (cycle spinning), reproducibly for a seed. The image has no block edges, but the
                      iteration has no fixed point and may never reach a tolerance. 0: no shift. */
    argand_denoise denoise; /* ARGAND_DENOISER: its function, */
    void *denoise_context;  /* the first argument of each call, */
    double level;           /* and the level of noise that it is told; 0 means 0.05 */
} argand_regularizer;

/* "wavelet:0.01", "tv:0.005,quadratic:0.001": one or more, separated by commas, each KIND:WEIGHT and what may
 * follow:
 *
 *     tikhonov:WEIGHT (or l2)             quadratic:WEIGHT (or roughness)
 *     hyperbola:WEIGHT[:DELTA]            tv:WEIGHT
 *     tv-anisotropic:WEIGHT
 *     wavelet:WEIGHT[:haar|daubechies4][:LEVELS][:fixed]
 *     llr:WEIGHT[:BLOCK][:fixed] (or low-rank)
 *
 * WEIGHT is a number or, for one of them, auto: `automatic` is then set and the weight 1. "auto" alone is
 * tv:auto. A bare number, alone, is quadratic:NUMBER. Wavelets and blocks are shifted (seed 1) unless
 * `fixed` is given. Weights of 0 are left out of the list. On ARGAND_ARGUMENT the message names the text
 * that is wrong and says what to write. */
ARGAND_API ARGAND_MUST_USE argand_status
argand_regularizers_parse(const char *text, argand_regularizer list[ARGAND_MAX_REGULARIZERS], int *count);
ARGAND_API const char *
argand_regularizer_name(argand_regularizer_kind kind); /* "wavelet", as the parser takes it */

/* Describes a kind, for help texts and reports. Kinds are numbered from 1 to argand_regularizer_count().
 * Texts belong to the library and are valid for ever. ARGAND_ARGUMENT for a kind that is not known. */
typedef struct argand_regularizer_info {
    const char *name;       /* "llr" */
    const char *other_name; /* a second name that the parser accepts, "low-rank"; NULL: none */
    const char *form;       /* "llr:WEIGHT[:BLOCK][:fixed]" */
    const char *summary;    /* in a few words: "locally low rank" */
    const char *formula;    /* R(x), with C_d as above */
    const char *paper;      /* where the method comes from; NULL: a textbook */
    double weight;          /* a weight to begin with, for noise of 3 % of the image's brightness */
} argand_regularizer_info;
ARGAND_API int argand_regularizer_count(void);
ARGAND_API ARGAND_MUST_USE argand_status argand_regularizer_describe(argand_regularizer_kind kind,
                                                                     argand_regularizer_info *info);

/* Describes one of several methods, for help, reports and other languages (argand_solver_describe,
 * argand_coils_describe, argand_density_describe). The texts are static. */
typedef struct argand_kind_info {
    const char *name;    /* as options take it: "half-quadratic" */
    const char *summary; /* for a sentence: "half-quadratic steps of conjugate gradients"; NULL: none */
    const char *paper;   /* reference of the method; NULL: a textbook method */
} argand_kind_info;

/* The linear operators inside regularizers, for your own solvers. space: number of leading, spatial axes, 1
 * to 3. */

/* Creates all first differences C_d: {dims...} -> {dims..., D}. D is the number of spatial axes longer
 * than 1, but at least 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_gradient(argand_op **op, argand_device *device,
                                                            const argand_shape *shape, int space);
/* Creates the orthogonal periodic wavelet transform of each image: {dims...} -> the same shape. Along each
 * axis the coarse coefficients come first. An axis of odd length copies its last element to the coarse
 * ones, so that the transform is orthogonal for any size. An axis is halved as long as it has at least
 * twice the length of the filter. levels 0 means 4. Mallat 1989; Daubechies, Comm. Pure Appl. Math.
 * 41:909, 1988. */
ARGAND_API ARGAND_MUST_USE argand_status argand_op_wavelet(argand_op **op, argand_device *device,
                                                           const argand_shape *shape, int space,
                                                           argand_wavelet wavelet, int levels);

/* ---- denoisers that are ONNX files, run by ONNX Runtime on the host's processor:
 *
 *     argand_denoiser *denoiser;
 *     argand_regularizer list[1];
 *     argand_denoiser_open(&denoiser, "denoiser.onnx", NULL);
 *     argand_denoiser_regularizer(denoiser, &list[0]);
 *     argand_sense_create(&session, device, scan,
 *                         &(argand_sense_options){.regularizers = list, .regularizer_count = 1});
 *     argand_sense_run(session, 0, image, NULL, NULL);
 *     argand_sense_destroy(session);
 *     argand_denoiser_destroy(denoiser);
 *
 * ONNX Runtime is opened at run time: the library that ARGAND_ONNXRUNTIME names, otherwise one that the
 * process has loaded, one of Python's package onnxruntime (next to Argand's, in VIRTUAL_ENV, CONDA_PREFIX,
 * the user's folder, of a Python in PATH, or of the system), otherwise the loader's. It reads the file in
 * this process: open only models that you trust as you trust a program.
 *
 * Limits: models of 32-bit floats with one output. Threads: a denoiser may be used by several threads at
 * once. Refused: no ONNX Runtime, models that take something else than images (ARGAND_UNSUPPORTED), files
 * that cannot be read (ARGAND_FILE) or that ONNX Runtime refuses (ARGAND_FORMAT), images of another size than
 * the model's (ARGAND_ARGUMENT). Options may be NULL. */
typedef struct argand_denoiser argand_denoiser;

/* Zero means the default. */
typedef struct argand_denoiser_options {
    double level;      /* argand_regularizer.level; 0 means 0.05 */
    double weight;     /* argand_regularizer.weight; 0 means 1 */
    double brightness; /* value of the image's bright parts in the model's input; 0 means 0.5, as for models
                          that were trained on images from 0 to 1 */
    int threads;       /* of ONNX Runtime; 0: as many as it takes */
} argand_denoiser_options;

/* Opens a model and runs it once on zeros. Its first input is {N, C, H, W}, or {N, C, D, H, W} for volumes:
 *
 *   C = 1    the real and the imaginary part are two images
 *   C = 2    they are the two channels of one image
 *   C + 1    (one more than the output has) the last channel is a map of the level of noise
 *
 * A second input gets the level of noise: a scalar, a value for each image, or a map. All levels are
 * multiplied by `brightness`, as the image is. A model with neither is used as it is. If N is not fixed,
 * several images are run at once. If the model only takes sizes that 2, 4 ... or 64 divides, the image is
 * continued by reflection. */
ARGAND_API ARGAND_MUST_USE argand_status argand_denoiser_open(argand_denoiser **denoiser, const char *path,
                                                              const argand_denoiser_options *options);
/* Returns sentences for people, one per line: how the model is used. Valid as long as the denoiser. */
ARGAND_API const char *argand_denoiser_notes(const argand_denoiser *denoiser);
/* Sets a regularizer, which uses the denoiser as long as a solver uses the regularizer. */
ARGAND_API ARGAND_MUST_USE argand_status argand_denoiser_regularizer(argand_denoiser *denoiser,
                                                                     argand_regularizer *regularizer);
/* Runs the model: an argand_denoise whose context is the denoiser. */
ARGAND_API ARGAND_MUST_USE argand_status argand_denoiser_run(void *denoiser, argand_array *y,
                                                             const argand_array *x, int space, double level);
ARGAND_API void argand_denoiser_destroy(argand_denoiser *denoiser);

#ifdef __cplusplus
}
#endif
#endif
