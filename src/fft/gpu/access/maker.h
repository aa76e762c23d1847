/* SPDX-License-Identifier: BSD-3-Clause */
/* What passes with accessors are made from (program.c), which there are (steps.c), and the order of their
 * axes (order.c). */
#ifndef FFT_GPU_ACCESS_MAKER_H
#define FFT_GPU_ACCESS_MAKER_H

#include "fft/gpu/access/access.h"
#include "fft/gpu/schedule/passes.h"
#include "fft/gpu/schedule/persistent_passes.h"
#include "fft/gpu/schedule/program.h"

enum { MOST_STEPS = 2 * ARGAND_MAX_RANK, MOST_DIMS = 2 * ARGAND_MAX_RANK };

/* One pass, or a line's several: an axis, or two of a plane (second: -1: one). Of a volume two: the first
 * axis and a part of the middle one, its other part and the last axis (passes/volume.c). */
typedef enum volume_pass { NO_VOLUME, VOLUME_ROWS, VOLUME_COLUMNS } volume_pass;
typedef struct step {
    int axis, second;
    bool back;
    bool both; /* forward, through the chain at the spectrum, and back */
    volume_pass volume;
} step;

typedef struct maker {
    pass_program *program;
    const access_plan *plan;
    const fft_problem *problem;
    const fft_geometry *g;
    const block_limits *limits;
    int dims, steps;
    step list[MOST_STEPS];
    bool one_by_one; /* axes have passes of their own, as where most of a plane is zero */
    bool in_output;  /* elements between passes lie in the output */
    /* the first step back, where it loads X[k] and X[-k], or that which goes forward and inverse with lines
     * and their images (`images`); 0: there is none. What comes before it lies in work memory, what comes
     * after it in the output */
    int mirror;
    bool images;
    int64_t now[MOST_DIMS];         /* points along each dimension */
    int64_t work[MOST_DIMS];        /* distances in work memory */
    const chunk_choice *persistent; /* NULL: every pass goes over all of the data */
} maker;

static inline const argand_axis *dimension(const maker *m, int d)
{
    return d < m->g->rank ? &m->g->axes[d] : &m->g->loop[d - m->g->rank];
}

/* What the arrays of a call are. */
static inline const access_array_layout *array_layout(const maker *m, bool out)
{
    const struct fft_access *a = m->problem->access;
    return out != m->plan->swapped ? &a->out : &a->in;
}

static inline int64_t wanted(const maker *m, int axis, bool out)
{
    return array_layout(m, out)->window[axis].count;
}

static inline bool is_real(const maker *m)
{
    return problem_is_real(m->problem);
}

/* Points of an axis where it is whole, in a layout of the call. */
static inline int64_t points_of(const maker *m, int axis, bool out)
{
    return access_points(m->problem, axis, is_real(m) && !array_layout(m, out)->reals);
}

static inline argand_type whole_type(const maker *m)
{
    return m->limits->is_double ? ARGAND_C64 : ARGAND_C32;
}

/* An order of the axes, and what it costs. */
typedef struct axis_order {
    int count, axis[ARGAND_MAX_RANK];
    bool one_by_one;
    double cost;
} axis_order;
/* order.c: as axes are numbered, unless something is padded or cropped: then the cheapest. */
axis_order access_order(maker *m);

/* program.c: the job of pass i, before any are made; */
line_job access_job(const maker *m, int i);

/* and where elements lie between all of them. */
void access_place(maker *m);

/* steps.c: which passes there are, for axes in that order. */
argand_status access_steps(maker *m, const int *order, int count);

/* program.c: the passes of all axes in that order; dry: only to know them. persistent: that they go over
 * chunks. */
argand_status access_make_with(maker *m, const int *order, int count, bool dry,
                               const chunk_choice *persistent);
/* steps.c: how many points of the middle axis the first of two passes has, where plain transforms of three
 * axes, which come as they are numbered, have such; 0: they have not. */
int64_t access_volume_of(const maker *m, const int *order, int count);

#endif
