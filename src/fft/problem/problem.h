/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of a plan, after checks, and the geometry of a call that engines get. */
#ifndef FFT_PROBLEM_PROBLEM_H
#define FFT_PROBLEM_PROBLEM_H

#include <argand/fft_info.h>
#include "array/array.h"
#include "base/status.h"

/* Transformed axes and loops of one call. Strides count elements of the array read (in) and written (out).
 * In real plans axis 0 has n reals in one array and n/2 + 1 complex elements in the other. */
typedef struct fft_geometry {
    int rank, loops;
    argand_axis axes[ARGAND_MAX_RANK];
    argand_axis loop[ARGAND_MAX_RANK];
} fft_geometry;

/* A transform. Members that influence the choice of an engine are also part of wisdom_key (wisdom.c). */
typedef struct fft_problem {
    argand_type type; /* as given: R32 and R64 mean real to complex and back */
    int rank;
    int64_t n[ARGAND_MAX_RANK];
    int64_t points; /* points of one transform */
    int64_t batch;  /* transforms in one call */
    bool centred;
    /* the complex array has n[0]/2 elements along axis 0; used for binding, engines never see it (half.h) */
    bool half_packed;
    bool scrambled_signal, scrambled_spectrum; /* the engine may choose the order there */
    double forward_factor, inverse_factor;
    argand_effort effort; /* ESTIMATE or MEASURE */
    bool again;           /* REMEASURE: ignore wisdom */
    bool waits;           /* the plan has its own kernels from its first call on */
    bool at_once;         /* the plan takes an engine that compiles nothing, for good */
    /* makes a plan of this kind within an engine's */
    argand_status (*create_at_once)(argand_fft **plan, argand_device *device,
                                    const argand_fft_options *options);
    /* the direction that a state of the engine serves, if another state has the other one; 0: both */
    int only;
    double measure_seconds;
    bool axes_given;
    fft_geometry geometry;     /* if axes_given; in real plans, in has the reals */
    struct fft_access *access; /* accessors (access.h); NULL: none */
} fft_problem;

static inline bool problem_is_real(const fft_problem *p)
{
    return !type_is_complex(p->type);
}

/* Returns the elements along axis 0 of the complex array of a real problem. */
static inline int64_t problem_half(const fft_problem *p)
{
    return p->half_packed ? p->n[0] / 2 : p->n[0] / 2 + 1;
}

/* Sets the geometry for these two arrays, or returns an error if they do not fit the problem. */
argand_status problem_bind(fft_geometry *geometry, const fft_problem *problem, const argand_array *out,
                           const argand_array *in, argand_direction direction);

/* Addresses of the first elements of a call's arrays in host memory. */
typedef struct fft_places {
    void *out;
    const void *in;
} fft_places;

/* Returns true for two contiguous arrays of the problem's shape in host memory, disjoint or (complex ones)
 * the same, and stores their addresses. Their geometry is that of problem_contiguous, and no other check
 * is needed. */
bool problem_is_plain(fft_places *places, const fft_problem *problem, const argand_array *out,
                      const argand_array *in, argand_direction direction);
/* Sets the geometry of contiguous arrays: the problem's axes, and one loop over the batch. */
void problem_contiguous(fft_geometry *geometry, const fft_problem *problem, argand_direction direction);
/* Sets the geometry of a problem with given axes. */
void problem_given(fft_geometry *geometry, const fft_problem *problem, argand_direction direction);
bool geometry_is(const fft_geometry *a, const fft_geometry *b);

/* The smallest and the largest offset that a geometry uses in input or output. axis_0_count: elements
 * along axis 0 there. */
typedef struct extent {
    int64_t low, high;
} extent;
/* Returns true if they have no byte in common: a, of elements of size_a, begins `behind` bytes after b. */
bool extents_disjoint(const extent *a, int64_t size_a, const extent *b, int64_t size_b, int64_t behind);
argand_status geometry_extent(extent *e, const fft_geometry *g, bool is_output, int64_t axis_0_count);
/* Refuses output elements that coincide. */
argand_status geometry_check_output(const fft_geometry *g, bool is_output, int64_t axis_0_count);

#endif
