/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for this folder and the solvers: kernels over contiguous arrays, and proximal maps. */
#ifndef PENALTY_PENALTY_H
#define PENALTY_PENALTY_H

#include <argand/penalty.h>
#include "array/array.h"
#include "array/scalars.h"
#include "base/status.h"
#include "penalty/kind.h"

/* launch.c */
/* Destination of a kernel's sum: numbers[at] (+)= factor sum. numbers NULL: none. */
typedef struct tally {
    argand_array *numbers;
    int at;
    double factor;
    bool add;
} tally;
typedef struct penalty_launch {
    const char *kernel;
    argand_type type;
    int64_t groups;
    storage *const *memory;
    int memory_count;
    const void *params;
    size_t bytes;
} penalty_launch;
argand_status penalty_start(argand_device *device, const penalty_launch *launch);
/* The same for a kernel whose first buffer receives two numbers per group. Sets memory[0]. */
argand_status penalty_start_tally(argand_device *device, penalty_launch *launch, storage **memory,
                                  const tally *t);
int64_t penalty_share(const argand_array *x); /* reals per group */
int penalty_lanes(int64_t n);                 /* items that share a row of n */
int64_t penalty_groups(int64_t count, int64_t share);
int penalty_width(argand_type type); /* reals per element */

/* shrink.c. If there are several components, they lie along the last axis. */
typedef enum shrink_mode { SHRINK_SOFT, SHRINK_HYPERBOLA, SHRINK_WEIGHTS } shrink_mode;
argand_status shrink(shrink_mode mode, argand_array *y, const argand_array *x, int components,
                     double threshold, double delta, const tally *t);

/* wavelet.c */
enum { WAVELET_LEVELS = 16 };
typedef struct wavelet_plan {
    int64_t n[3], batch,
        box[WAVELET_LEVELS + 1][3]; /* size of the coarse block before each level and after the last */
    int levels, width, least;       /* least: axes shorter than this are not halved */
    double low[4], high[4];
} wavelet_plan;
argand_status wavelet_plan_make(wavelet_plan *w, const argand_shape *shape, int space, argand_wavelet kind,
                                int levels);
argand_status wavelet_forward(const wavelet_plan *w, argand_array *y, const argand_array *x);
argand_status wavelet_inverse(const wavelet_plan *w, argand_array *y, const argand_array *x);
/* Returns a view of the coarse coefficients. */
argand_status wavelet_coarse(const wavelet_plan *w, argand_array **view, const argand_array *coefficients);

/* prox.c: sets y to the minimiser of |y - x|^2 / 2 + t R(y), and adds R(y) to the tally. y must not be x. */
typedef argand_status prox_run(prox *p, argand_array *y, const argand_array *x, double t, const tally *sum);
struct prox {
    prox_run *run;
    void (*move)(prox *p);    /* (optional) moves the grid to its next position */
    void (*destroy)(prox *p); /* (optional) called before p itself is freed */
    double delta;             /* delta of a hyperbola, in the image's units */
    double scale;             /* the image's scale s (solve.h) */
    int components;
};
argand_status prox_make(prox **p, const argand_regularizer *r, argand_device *device,
                        const argand_shape *shape, int space);
void prox_destroy(prox *p);
/* Makes a map without a state, which consists of `run`, for vectors of that many components. prox_run_soft
 * soft-thresholds their lengths. */
argand_status prox_make_pointwise(prox **p, prox_run *run, int components);
prox_run prox_run_soft;

/* kinds.c: queries of the solvers about an entry of a list. */
bool regularizer_is_quadratic(const argand_regularizer *r);
bool regularizer_is_half_quadratic(const argand_regularizer *r);
bool regularizer_has_gradient(const argand_regularizer *r); /* R is a function of C x */
bool regularizer_is_map(const argand_regularizer *r);       /* R is given by its proximal map alone */
bool regularizer_has_series(const argand_regularizer *r);   /* R couples the images along the last axis */
argand_status regularizer_check(const argand_regularizer *r, const argand_shape *shape, int space);
/* Makes C of a quadratic regularizer 1/2 |C x|^2: first differences or the identity. */
argand_status regularizer_op(argand_op **op, const argand_regularizer *r, argand_device *device,
                             const argand_shape *shape, int space);
int gradient_directions(const argand_shape *shape, int space); /* gradient.c */

#endif
