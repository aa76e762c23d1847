/* SPDX-License-Identifier: BSD-3-Clause */
/* access.h: functions that a transform applies to elements while it reads and writes them, so that moving,
 * padding, weighting and converting need no pass of their own. Elements go through
 *   array -> window -> load chain -> border -> transform -> store chain -> window -> array
 * A plan with a chain at the spectrum transforms forward, applies the chain, and transforms back.
 *
 *     layout    type of the elements in memory (also half, bfloat16 and bytes); real and imaginary parts
 *               split or interleaved
 *     window    position of the array on each axis: crop, pad with a border rule, shift by any integer,
 *               centre. Known zeros are not read, and points outside an output window are not computed
 *     accessor  function of each element: times a scalar, times an array, or a user function
 *
 * Windows of signal processing, density weights, signs (-1)^n, coil maps and deapodisation are arrays that
 * repeat along some axes.
 *
 * Limits: ARGAND_MAX_ACCESSORS in a chain, ARGAND_ACCESS_PARAMETERS numbers each; axes and loops: see
 * argand_fft_access. Threads: user functions are called from several threads at once; plans with accessors
 * may be applied by several threads, as other plans (fft.h). Refused by argand_fft_create: with
 * ARGAND_ARGUMENT windows longer than their axis, gaps in a chain, unknown kinds, borders and types, arrays
 * of another device or precision, texts without the named function; with ARGAND_UNSUPPORTED: requests that no
 * engine can serve (the message has the reason of each engine). Refused by calls: arrays whose shape, and
 * chains whose kinds are not the plan's. NULL: only the array of a CALL may be NULL; a function or text may
 * be NULL if the device does not need it. */
#ifndef ARGAND_ACCESS_H
#define ARGAND_ACCESS_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ARGAND_MAX_ACCESSORS = 4,                /* in one chain */
    ARGAND_ACCESS_PARAMETERS = 8,            /* numbers for a user function */
    ARGAND_ACCESS_DIMS = 2 * ARGAND_MAX_RANK /* coordinates: transformed axes, then loops */
};

/* Values on the points of an axis outside the array. Half of these points lie before the array's first
 * element and half after its last (the odd one after). At the output, ZERO means that these points are not
 * computed. The other rules act as the adjoint of the same rule at the input: each point outside is added to
 * the element that the rule would have copied. */
typedef enum argand_border {
    ARGAND_BORDER_ZERO = 0,
    ARGAND_BORDER_CONSTANT =
        1, /* `constant` of the layout, on all axes that the array does not fill; input only */
    ARGAND_BORDER_WRAP = 2,  /* c d | a b c d | a b */
    ARGAND_BORDER_CLAMP = 3, /* a a | a b c d | d d */
    ARGAND_BORDER_MIRROR = 4 /* b a | a b c d | d c */
} argand_border;

/* Position of an array on an axis of N points: its elements 0 .. count-1 are the points first, first + 1, ...
 * modulo N. On axis 0 of a half spectrum (complex array of a real transform) first must be 0. */
typedef struct argand_window {
    int64_t count; /* 0: the whole axis */
    int64_t first; /* any integer. With `centred`, first = 0 puts element count/2 at point 0 */
    argand_border border;
} argand_window;

typedef struct argand_fft_layout {
    /* type of the array; 0: the type of the transform. Storage types are converted at load and store; the
     * transform computes in its own precision */
    argand_type type;
    /* real types in complex transforms: distance, in elements, from a real part to its imaginary part (split
     * arrays, or two real images as one complex image). 0: imaginary parts are read as 0 and not written */
    int64_t imaginary;
    argand_scalar constant; /* for ARGAND_BORDER_CONSTANT */
    argand_window window[ARGAND_MAX_RANK];
} argand_fft_layout;

typedef enum argand_access_kind {
    ARGAND_ACCESS_NONE = 0,     /* the end of a chain */
    ARGAND_ACCESS_SCALE = 1,    /* v = scalar v */
    ARGAND_ACCESS_MULTIPLY = 2, /* v = a v, a: element of the array at these coordinates */
    ARGAND_ACCESS_CALL = 3      /* v = f(v, coordinates), f: user function */
} argand_access_kind;

/* A run of consecutive elements along one axis: argument of user functions on the CPU. */
typedef struct argand_access_run {
    int64_t count;
    int axis;                               /* coordinate[axis] increases by one from element to element */
    int64_t coordinate[ARGAND_ACCESS_DIMS]; /* of the first element: position in the array (load, store) or
                                               frequency (spectrum) on each axis, then on each loop */
    const double *parameters;
    const void *data; /* the accessor's array, contiguous */
} argand_access_run;

/* Replaces values, run->count elements of the transform's precision (complex as (re, im); real on the real
 * array of a real transform), in place. mirror: X[-k] for each X[k] if the accessor asks for it, otherwise
 * NULL. The function is called from several threads at once; its result may depend on its arguments only. */
typedef void (*argand_access_function)(void *values, const void *mirror, const argand_access_run *run);

/* Scalars, arrays and parameters may change from call to call; all else belongs to the plan. */
typedef struct argand_accessor {
    argand_access_kind kind;
    bool conjugate;            /* SCALE, MULTIPLY: by the conjugate */
    bool mirror;               /* CALL at the spectrum of a complex transform: pass X[-k] as well */
    argand_scalar scalar;      /* SCALE; real for real numbers */
    const argand_array *array; /* MULTIPLY: real or complex, of the transform's precision; each dimension
                                  equals the axis or loop, or is 1 or missing, and then repeats. CALL: any
                                  contiguous array of that precision, or NULL */
    double parameters[ARGAND_ACCESS_PARAMETERS]; /* CALL */
    argand_access_function function;             /* CALL on the CPU */
    /* CALL on other devices: kernel text of a function and its name (docs/how-to/fft-programs.md):
     *   struct pair name(struct pair v, struct pair mirror, struct access_point at)
     * The function may call other functions of the text. Compiler messages give line numbers of this text and
     * the accessor, such as access.load[0]. Unbalanced brackets, open comments, and a text without the named
     * function are reported before compilation. */
    const char *source, *name;
} argand_accessor;

/* Three chains, each applied in order up to the first ARGAND_ACCESS_NONE; entries after it are refused. On
 * the CPU, plans with accessors have up to 8 axes and 8 loops. On other devices they have up to 6 axes and
 * loops together; more are ARGAND_UNSUPPORTED when the plan is made, or in calls with such arrays. */
typedef struct argand_fft_access {
    argand_accessor load[ARGAND_MAX_ACCESSORS]; /* on elements of the input, before borders are added */
    argand_accessor
        spectrum[ARGAND_MAX_ACCESSORS]; /* not empty: the plan transforms, applies this, transforms back */
    argand_accessor store[ARGAND_MAX_ACCESSORS]; /* on elements of the output */
} argand_fft_access;

#ifdef __cplusplus
}
#endif
#endif
