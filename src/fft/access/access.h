/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessors inside the library: a plan's layouts and chains, after checks, and those of one call, with
 * addresses and strides. */
#ifndef FFT_ACCESS_ACCESS_H
#define FFT_ACCESS_ACCESS_H

#include "base/text.h"
#include "fft/problem/problem.h"

enum { ACCESS_DIMS = ARGAND_ACCESS_DIMS };

/* Windows have count >= 1 and 0 <= first < n. */
typedef struct access_array_layout {
    argand_type type; /* element type of the array */
    bool reals;       /* the array has the reals of a real transform */
    int64_t imaginary;
    bool has_constant;
    argand_scalar constant;
    argand_window window[ARGAND_MAX_RANK];
} access_array_layout;

/* The accessors of a plan, which owns the texts and array views in `chains`. */
struct fft_access {
    /* in real plans without a spectrum: `in` has the reals, `out` the complex elements */
    access_array_layout in, out;
    unsigned sum;
    bool has_spectrum, has_mirror;
    bool unnamed; /* the wisdom key names no user function, and stands for any */
    argand_fft_access chains;
};

/* Makes the accessors of a plan; NULL if the options have none. */
argand_status access_make(struct fft_access **access, const fft_problem *problem,
                          const argand_fft_options *options);
/* Refuses chains with an accessor after an empty entry. */
argand_status access_check_gaps(const argand_fft_access *access, const char *who);
void access_release(struct fft_access *access); /* NULL is allowed */

/* One accessor of a call. */
typedef struct access_link {
    argand_access_kind kind;
    bool conjugate, mirror, real_array;
    argand_scalar scalar;
    const argand_array *array;   /* or NULL */
    int64_t stride[ACCESS_DIMS]; /* strides of the array, in elements; 0 along dimensions that repeat */
    const double *parameters;
    argand_access_function function;
    const char *source, *name;
} access_link;

typedef struct access_chain {
    int count;
    access_link link[ARGAND_MAX_ACCESSORS];
} access_chain;

/* One call. Dimensions are axes, then loops; strides count elements of the layout's type. */
typedef struct access_call {
    int rank, dims;
    int64_t loop[ACCESS_DIMS]; /* [d]: length of loop d - rank */
    const access_array_layout *in_layout, *out_layout;
    const argand_array *in;
    argand_array *out;
    int64_t in_stride[ACCESS_DIMS], out_stride[ACCESS_DIMS];
    unsigned sum; /* bit d: dimension d is summed at the store */
    access_chain load, spectrum, store;
} access_call;

/* Refuses strides of the plan's axes that exceed any memory, before any array is given. */
argand_status access_check_axes(const fft_problem *problem);
/* Binds a call to these arrays. `now` replaces scalars and arrays of the accessors; NULL: the plan's own. */
argand_status access_bind(access_call *call, const fft_problem *problem, argand_array *out,
                          const argand_array *in, argand_direction direction, const argand_fft_access *now);

/* Returns the first and the last element that the input or output uses, imaginary parts included. */
extent access_reach(const access_call *call, bool is_output);
/* Returns true if two arrays overlap in memory, or have the same storage. */
bool access_shares_memory(const argand_array *a, const argand_array *b);

/* Sets a call before arrays are given: contiguous arrays with one loop over the batch, or the plan's axes.
 * in and out are NULL. */
void access_plan_call(access_call *call, const fft_problem *problem, argand_direction direction);

/* key.c: access_key appends the accessors to the transform's wisdom key. access_is_free returns true if
 * all of them cost nothing; such plans are fastest with the plain plan's tuning. */
#define ACCESS_KEY " access"
void access_key(text *key, const fft_problem *problem);
bool access_is_free(const fft_problem *problem);
/* Returns true if a layout has fewer points than the transform (padding or cropping). */
bool access_cuts(const fft_problem *problem);

/* own.c: returns the plan's chain 0 (load), 1 (spectrum), 2 (store). */
const argand_accessor *access_chain_of(const struct fft_access *access, int number);
/* Keeps the user functions of the chains whose bits are set, each text once, under a hash of at most
 * SOURCE_OWN_NAME characters ("": none). The caller releases it (device/source.h). */
#define ACCESS_OWN "access_own_" /* followed by the function's name: the function that kernels call */
argand_status access_keep_own(char *name, const struct fft_access *access, unsigned chains);
/* text.c: returns ARGAND_BUILD if brackets or comments are not closed, or the function's name is missing. */
argand_status access_check_text(const argand_accessor *accessor, const char *chain, int i);
/* Returns true if every user function is given as text. */
bool access_has_texts(const struct fft_access *access);

/* Returns the factor of the results. */
static inline double access_factor(const fft_problem *p, argand_direction direction)
{
    const double forward = p->forward_factor, inverse = p->inverse_factor;
    return p->access->has_spectrum ? forward * inverse : direction == ARGAND_FORWARD ? forward : inverse;
}

/* Returns the points of the whole axis: n, or n/2 + 1 for axis 0 of a half spectrum. */
static inline int64_t access_points(const fft_problem *p, int axis, bool half)
{
    return axis == 0 && half ? p->n[0] / 2 + 1 : p->n[axis];
}

#endif
