/* SPDX-License-Identifier: BSD-3-Clause */
/* access.h: what a transform does with elements as it reads and writes them, so that moving, padding,
 * weighting and converting cost no pass of their own. A transform goes array -> window -> load chain ->
 * border -> transform -> store chain -> window -> array or, with a chain at the spectrum, forward, spectrum,
 * inverse in between. Three things are enough for all of it:
 *
 *     layout    how elements lie in memory: their type (half, bfloat16 and bytes too), and the two parts
 *               split or interleaved
 *     window    where the array stands on each axis: crop, pad with a border rule, shift by any integer,
 *               centre; what is known to be zero is not read, what is not wanted is not computed
 *     accessor  what happens to each element: times a scalar, times an array, or a function of the user's own
 *
 * A window, weights, signs (-1)^n, coil maps and deapodisation are arrays that repeat along some axes.
 *
 * Limits: ARGAND_MAX_ACCESSORS in a chain, ARGAND_ACCESS_PARAMETERS numbers each; axes and loops as
 * argand_fft_access says. Threads: functions of the user's own are called from several threads at once; a
 * plan with accessors may be applied by several threads as any other (fft.h). Refused by argand_fft_create:
 * windows longer than their axis, gaps in a chain, kinds, borders and types that there are not, arrays of
 * other devices or precisions, texts without the named function (ARGAND_ARGUMENT); what no engine does
 * (ARGAND_UNSUPPORTED, with each one's reason). Refused by calls: arrays that do not have the plan's shape,
 * chains of other kinds than the plan's. NULL: an accessor's array may be NULL where a function is called,
 * else not; a function or text may be NULL where the device does not need it. */
#ifndef ARGAND_ACCESS_H
#define ARGAND_ACCESS_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ARGAND_MAX_ACCESSORS = 4,                /* in one chain */
    ARGAND_ACCESS_PARAMETERS = 8,            /* numbers that a function of the user's own is given */
    ARGAND_ACCESS_DIMS = 2 * ARGAND_MAX_RANK /* coordinates: transformed axes, then loops */
};

/* What stands on the points of an axis that the array does not cover. Half of them lie before the array's
 * first element and half after its last (the odd one after). At the output ZERO means that these points are
 * not computed; the other rules are the adjoints of those at the input: each such point is added to the
 * element that it would have been copied from. */
typedef enum argand_border {
    ARGAND_BORDER_ZERO = 0,
    ARGAND_BORDER_CONSTANT =
        1, /* the layout's `constant`; on all axes that the array does not fill; input only */
    ARGAND_BORDER_WRAP = 2,  /* c d | a b c d | a b */
    ARGAND_BORDER_CLAMP = 3, /* a a | a b c d | d d */
    ARGAND_BORDER_MIRROR = 4 /* b a | a b c d | d c */
} argand_border;

/* An array on an axis of N points: its elements 0 .. count-1 are the points first, first + 1, ... modulo N.
 * Of a half spectrum (axis 0 of the complex array of a real transform) only the first `count` elements can be
 * taken. */
typedef struct argand_window {
    int64_t count; /* 0: the whole axis */
    int64_t first; /* any integer. With `centred` it counts from -(count / 2), so that element count/2 is
                      point 0 */
    argand_border border;
} argand_window;

typedef struct argand_fft_layout {
    /* of the array; 0: as the transform has it. A storage type: converted on the way, computed in the
     * transform's precision */
    argand_type type;
    /* for real types at complex transforms: elements from an element's real part to its imaginary part (split
     * arrays; two real images as one complex one); 0: there is none, it is read as 0 and not written */
    int64_t imaginary;
    argand_scalar constant; /* for ARGAND_BORDER_CONSTANT */
    argand_window window[ARGAND_MAX_RANK];
} argand_fft_layout;

typedef enum argand_access_kind {
    ARGAND_ACCESS_NONE = 0,     /* the end of a chain */
    ARGAND_ACCESS_SCALE = 1,    /* v = scalar v */
    ARGAND_ACCESS_MULTIPLY = 2, /* v = a v, a the array's element at these coordinates */
    ARGAND_ACCESS_CALL = 3      /* v = f(v, coordinates), f the user's own */
} argand_access_kind;

/* Elements that are contiguous along one axis, as functions on the cpu are given them. */
typedef struct argand_access_run {
    int64_t count;
    int axis;                               /* coordinate[axis] grows by one from element to element */
    int64_t coordinate[ARGAND_ACCESS_DIMS]; /* of the first one: place in the array (load, store) or frequency
                                               (spectrum) on each transformed axis, then each loop */
    const double *parameters;
    const void *data; /* the accessor's array, contiguous */
} argand_access_run;

/* values: run->count elements of the transform's precision, complex ones as (re, im), real ones on the real
 * array of a real transform; replaced in place. mirror: where the accessor asks for it, X[-k] for each X[k],
 * else NULL. Called from several threads at once; must be a pure function of what it is given. */
typedef void (*argand_access_function)(void *values, const void *mirror, const argand_access_run *run);

/* Scalars, arrays and parameters may be others at each call; the rest belongs to the plan. */
typedef struct argand_accessor {
    argand_access_kind kind;
    bool conjugate;            /* SCALE, MULTIPLY: by the conjugate */
    bool mirror;               /* CALL at the spectrum of a complex transform: give X[-k] too */
    argand_scalar scalar;      /* SCALE; real for real numbers */
    const argand_array *array; /* MULTIPLY: real or complex, of the transform's precision; each dimension as
                                  long as the axis or loop, or 1, which repeats (as a missing one does). CALL:
                                  any contiguous one of that precision, or NULL */
    double parameters[ARGAND_ACCESS_PARAMETERS]; /* CALL */
    argand_access_function function;             /* CALL on the cpu */
    /* CALL on other devices: the text of a function in the language of the kernels
     * (docs/how-to/fft-programs.md), and its name. struct pair name(struct pair v, struct pair mirror, struct
     * access_point at) It may call others that the text defines. Messages have its own lines and say whose it
     * is, as access.load[0] and the name; brackets and comments without an end, and a name that the text does
     * not have, are reported before it is compiled. */
    const char *source, *name;
} argand_accessor;

/* Three chains, applied in order, each ended by ARGAND_ACCESS_NONE where it is not full; one that goes on
 * behind an empty place is refused. On hosts plans with accessors have up to 8 axes and 8 loops; on devices
 * that the host cannot reach 6 axes and loops (dimensions of the arrays) together, more are
 * ARGAND_UNSUPPORTED when the plan is made, or in calls with arrays that have them. */
typedef struct argand_fft_access {
    argand_accessor load[ARGAND_MAX_ACCESSORS];     /* at the array's elements, before any border */
    argand_accessor spectrum[ARGAND_MAX_ACCESSORS]; /* any: the plan is transform, spectrum, transform back */
    argand_accessor store[ARGAND_MAX_ACCESSORS];    /* at the array's elements */
} argand_fft_access;

#ifdef __cplusplus
}
#endif
#endif
