/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of penalties, for this folder and the solvers: kernels over contiguous arrays, and proximal
 * maps. */
#ifndef PENALTY_PENALTY_H
#define PENALTY_PENALTY_H

#include <argand/penalty.h>
#include "array/array.h"
#include "array/scalars.h"
#include "base/status.h"

/* launch.c */
/* Where a kernel's sum goes: numbers[at] (+)= factor sum. numbers NULL: nowhere. */
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
/* The same for a kernel whose first buffer takes two numbers of each group: memory[0] is set here. */
argand_status penalty_start_tally(argand_device *device, penalty_launch *launch, storage **memory,
                                  const tally *t);
int64_t penalty_share(const argand_array *x); /* reals for a group */
int penalty_lanes(int64_t n);                 /* items side by side in a row of n */
int64_t penalty_groups(int64_t count, int64_t share);
int penalty_width(argand_type type); /* reals per element */

/* shrink.c; the last axis holds the components where there are more than one */
typedef enum shrink_mode { SHRINK_SOFT, SHRINK_HYPERBOLA, SHRINK_WEIGHTS } shrink_mode;
argand_status shrink(shrink_mode mode, argand_array *y, const argand_array *x, int components,
                     double threshold, double delta, const tally *t);

/* wavelet.c */
enum { WAVELET_LEVELS = 16 };
typedef struct wavelet_plan {
    int64_t n[3], batch,
        box[WAVELET_LEVELS + 1][3]; /* the coarse block before each level, and after the last */
    int levels, width, least;       /* an axis is halved from `least` on */
    double low[4], high[4];
} wavelet_plan;
argand_status wavelet_plan_make(wavelet_plan *w, const argand_shape *shape, int space, argand_wavelet kind,
                                int levels);
argand_status wavelet_forward(const wavelet_plan *w, argand_array *y, const argand_array *x);
argand_status wavelet_inverse(const wavelet_plan *w, argand_array *y, const argand_array *x);
/* The part of coefficients that is coarse, as a view. */
argand_status wavelet_coarse(const wavelet_plan *w, argand_array **view, const argand_array *coefficients);

/* prox.c: y = the minimiser of |y - x|^2 / 2 + t R(y); R(y) goes to the tally. y is not x. */
typedef struct prox prox;
struct prox {
    argand_status (*run)(prox *p, argand_array *y, const argand_array *x, double t, const tally *sum);
    void (*move)(prox *p);    /* (optional) the next place of the grid */
    void (*destroy)(prox *p); /* (optional) before p itself is freed */
    double delta;             /* of a hyperbola, in the image's units */
    int components;
};
argand_status prox_make(prox **p, const argand_regularizer *r, argand_device *device,
                        const argand_shape *shape, int space);
void prox_destroy(prox *p);
argand_status prox_wavelet_make(prox **p, const argand_regularizer *r, const argand_shape *shape, int space);
argand_status prox_low_rank_make(prox **p, const argand_regularizer *r, argand_device *device,
                                 const argand_shape *shape, int space);

/* names.c */
bool regularizer_is_quadratic(const argand_regularizer *r);
bool regularizer_has_gradient(const argand_regularizer *r); /* it is of C x */
argand_status regularizer_check(const argand_regularizer *r, const argand_shape *shape, int space);
int gradient_directions(const argand_shape *shape, int space);

#endif
