/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessors inside the library: a plan's layouts and chains, checked; and those of one call, with addresses
 * and strides. */
#ifndef FFT_ACCESS_ACCESS_H
#define FFT_ACCESS_ACCESS_H

#include "base/text.h"
#include "fft/problem/problem.h"

enum { ACCESS_DIMS = ARGAND_ACCESS_DIMS };

/* Windows have count >= 1 and 0 <= first < n. */
typedef struct access_array_layout {
    argand_type type; /* of the array */
    bool reals;       /* the real layout of a real transform */
    int64_t imaginary;
    bool has_constant;
    argand_scalar constant;
    argand_window window[ARGAND_MAX_RANK];
} access_array_layout;

/* Of a plan. Texts and views of arrays in `chains` are its own. */
struct fft_access {
    access_array_layout in, out; /* of real plans without a spectrum: the real layout, the complex one */
    unsigned sum;
    bool has_spectrum, has_mirror;
    bool unnamed; /* what wisdom calls it names no text of the user's own: a name for any */
    argand_fft_access chains;
};

/* NULL where the options ask for nothing of the kind. */
argand_status access_make(struct fft_access **access, const fft_problem *problem,
                          const argand_fft_options *options);
/* Refuses chains that go on behind an empty place. */
argand_status access_check_gaps(const argand_fft_access *access, const char *who);
void access_release(struct fft_access *access); /* NULL is allowed */

/* One accessor of a call. */
typedef struct access_link {
    argand_access_kind kind;
    bool conjugate, mirror, real_array;
    argand_scalar scalar;
    const argand_array *array;   /* or NULL */
    int64_t stride[ACCESS_DIMS]; /* of the array, in its elements; 0 where it repeats */
    const double *parameters;
    argand_access_function function;
    const char *source, *name;
} access_link;

typedef struct access_chain {
    int count;
    access_link link[ARGAND_MAX_ACCESSORS];
} access_chain;

/* One call. Dimensions are axes, then loops; strides in elements of the layout's type. */
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

/* Refuses strides of the plan's axes that reach beyond any memory, whatever the arrays. */
argand_status access_check_axes(const fft_problem *problem);
/* The call for these arrays; `now` replaces what may change, NULL: the plan's own. */
argand_status access_bind(access_call *call, const fft_problem *problem, argand_array *out,
                          const argand_array *in, argand_direction direction, const argand_fft_access *now);

/* The first and the last element that a layout of a call reaches, its imaginary parts too. */
extent access_reach(const access_call *call, bool is_output);
/* Whether two arrays lie in memory that overlaps, or are of one storage. */
bool access_shares_memory(const argand_array *a, const argand_array *b);

/* A call before there are arrays: contiguous ones, one loop over the batch, or the plan's axes. in and out
 * are NULL. */
void access_plan_call(access_call *call, const fft_problem *problem, argand_direction direction);

/* key.c: what wisdom knows the plan's accessors by, behind the key of the transform; and whether
 * they are none but such as cost nothing, whose plans are fastest with the plain plan's tuning. */
#define ACCESS_KEY " access"
void access_key(text *key, const fft_problem *problem);
bool access_is_free(const fft_problem *problem);
/* Whether a layout has fewer points than the transform: padding or cropping. */
bool access_cuts(const fft_problem *problem);

/* own.c: the plan's chain 0 (load), 1 (spectrum), 2 (store). */
const argand_accessor *access_chain_of(const struct fft_access *access, int number);
/* The texts of the user's own in the chains whose bits are set, each once, kept under a hash ("": none) of at
 * most SOURCE_OWN_NAME characters, to be released (device/source.h). */
#define ACCESS_OWN "access_own_" /* and a function's name: what kernels' chains call */
argand_status access_keep_own(char *name, const struct fft_access *access, unsigned chains);
/* text.c: whether its brackets and comments end, and its function's name is there; else ARGAND_BUILD.
 */
argand_status access_check_text(const argand_accessor *accessor, const char *chain, int i);
/* Whether every accessor of the user's own is a text. */
bool access_has_texts(const struct fft_access *access);

/* What results are multiplied by. */
static inline double access_factor(const fft_problem *p, argand_direction direction)
{
    const double forward = p->forward_factor, inverse = p->inverse_factor;
    return p->access->has_spectrum ? forward * inverse : direction == ARGAND_FORWARD ? forward : inverse;
}

/* Points of axis i where it is whole: n, or n/2 + 1 for axis 0 of a half spectrum. */
static inline int64_t access_points(const fft_problem *p, int axis, bool half)
{
    return axis == 0 && half ? p->n[0] / 2 + 1 : p->n[axis];
}

#endif
