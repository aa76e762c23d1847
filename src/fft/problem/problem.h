/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be transformed, checked and in one form: the geometry that engines see. */
#ifndef FFT_PROBLEM_PROBLEM_H
#define FFT_PROBLEM_PROBLEM_H

#include <argand/fft_info.h>
#include "array/array.h"
#include "base/status.h"

/* Transformed axes and loops of one call. Strides count elements of the array read (in) and written (out);
 * for real plans axis 0 has n reals in one layout and n/2 + 1 complex elements in the other. */
typedef struct fft_geometry {
    int rank, loops;
    argand_axis axes[ARGAND_MAX_RANK];
    argand_axis loop[ARGAND_MAX_RANK];
} fft_geometry;

/* What the choice of an engine depends on is also told by wisdom_key (wisdom.c). */
typedef struct fft_problem {
    argand_type type; /* as asked for: R32 and R64 mean real to complex and back */
    int rank;
    int64_t n[ARGAND_MAX_RANK];
    int64_t points; /* of one transform */
    int64_t batch;  /* transforms in one call */
    bool centred;
    bool half_packed; /* the complex layout has n[0]/2 elements along axis 0: for binding, engines never
                         see it (half.h) */
    bool scrambled_signal, scrambled_spectrum; /* the engine may choose the order of that layout */
    double forward_factor, inverse_factor;
    argand_effort effort; /* ESTIMATE or MEASURE */
    bool again;           /* REMEASURE: wisdom is not asked */
    int only; /* the direction that a state of the engine will serve, where another state has the other; 0:
                 both */
    double measure_seconds;
    bool axes_given;
    fft_geometry geometry;     /* where axes_given; in is the real layout of real plans */
    struct fft_access *access; /* what happens to elements on their way (access.h); NULL: nothing */
} fft_problem;

static inline bool problem_is_real(const fft_problem *p)
{
    return !type_is_complex(p->type);
}

/* Elements along axis 0 of the complex layout of a real problem. */
static inline int64_t problem_half(const fft_problem *p)
{
    return p->half_packed ? p->n[0] / 2 : p->n[0] / 2 + 1;
}

/* The geometry for these two arrays, or why they do not fit the problem. */
argand_status problem_bind(fft_geometry *geometry, const fft_problem *problem, const argand_array *out,
                           const argand_array *in, argand_direction direction);

/* Where the first elements of a call's arrays are in host memory. */
typedef struct fft_places {
    void *out;
    const void *in;
} fft_places;

/* Whether these are two contiguous arrays of the problem's shape in host memory, disjoint or, complex ones,
 * the same, and where: then they have the geometry of problem_contiguous, and nothing else is to be asked. */
bool problem_is_plain(fft_places *places, const fft_problem *problem, const argand_array *out,
                      const argand_array *in, argand_direction direction);
/* That of contiguous arrays: the problem's axes, and one loop over the batch. */
void problem_contiguous(fft_geometry *geometry, const fft_problem *problem, argand_direction direction);
/* That of a problem with axes of its own. */
void problem_given(fft_geometry *geometry, const fft_problem *problem, argand_direction direction);
bool geometry_is(const fft_geometry *a, const fft_geometry *b);

/* The least and the greatest offset that one layout of a geometry reaches. real_layout: axis 0 counts reals
 * there. */
typedef struct extent {
    int64_t low, high;
} extent;
/* Whether they have no byte in common: a, of elements of size_a, begins `behind` bytes behind b. */
bool extents_disjoint(const extent *a, int64_t size_a, const extent *b, int64_t size_b, int64_t behind);
argand_status geometry_extent(extent *e, const fft_geometry *g, bool is_output, int64_t axis_0_count);
/* Refuses output elements that coincide. */
argand_status geometry_check_output(const fft_geometry *g, bool is_output, int64_t axis_0_count);

#endif
