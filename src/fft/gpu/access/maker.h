/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared state of the files that make passes with accessors, each of which uses those before it: jobs.c says
 * what a pass does, steps.c lists the passes, passes.c makes them, order.c orders their axes, program.c
 * plans. */
#ifndef FFT_GPU_ACCESS_MAKER_H
#define FFT_GPU_ACCESS_MAKER_H

#include "fft/gpu/access/access.h"
#include "fft/gpu/schedule/passes.h"
#include "fft/gpu/schedule/persistent_passes.h"
#include "fft/gpu/schedule/program.h"

enum { MOST_STEPS = 2 * ARGAND_MAX_RANK, MOST_DIMS = 2 * ARGAND_MAX_RANK };

/* One pass, or the several passes of a line: an axis, or two of a plane (second: -1: one). A volume takes
 * two: the first axis with a part of the middle one, then its other part with the last axis
 * (schedule/volume.c). */
typedef enum volume_pass { NO_VOLUME, VOLUME_ROWS, VOLUME_COLUMNS } volume_pass;
typedef struct step {
    int axis, second;
    bool back;
    bool both; /* forward, through the chain at the spectrum, and inverse */
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
    bool one_by_one; /* axes have passes of their own, for example if most of a plane is zero */
    bool in_output;  /* elements between passes are stored in the output */
    /* the first inverse step, if it loads X[k] and X[-k], or the step that goes forward and inverse with
     * lines and their images (`images`); 0: none. Elements before it are in work memory, elements after it
     * in the output */
    int mirror;
    bool images;
    int64_t now[MOST_DIMS];         /* present points along each dimension */
    int64_t work[MOST_DIMS];        /* strides in work memory */
    const chunk_choice *persistent; /* NULL: every pass processes all data */
} maker;

static inline const argand_axis *dimension(const maker *m, int d)
{
    return d < m->g->rank ? &m->g->axes[d] : &m->g->loop[d - m->g->rank];
}

/* Returns the layout of the call's input or output. */
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

/* Returns the points of a whole axis in the call's input or output. */
static inline int64_t points_of(const maker *m, int axis, bool out)
{
    return access_points(m->problem, axis, is_real(m) && !array_layout(m, out)->reals);
}

static inline argand_type whole_type(const maker *m)
{
    return m->limits->is_double ? ARGAND_C64 : ARGAND_C32;
}

/* An order of the axes, and its cost. */
typedef struct axis_order {
    int count, axis[ARGAND_MAX_RANK];
    bool one_by_one;
    double cost;
} axis_order;
/* order.c: returns the order of the problem, or the cheapest order if something is padded or cropped. */
axis_order access_order(maker *m);

/* jobs.c: returns the job of pass i (its axis, the loops around it, the accessors of its input and output)
 * after the passes before it, and before any passes are made. */
line_job access_job_now(const maker *m, int i);
line_job access_job(const maker *m, int i);
/* Returns dimension d as pass i has it, and the points of an axis after a step. */
job_axis access_axis(const maker *m, int i, int d);
int64_t access_points_after(const maker *m, const step *s, int axis);
/* Sets where elements between passes are stored. */
void access_place(maker *m);

/* steps.c: lists the passes for axes in that order. */
argand_status access_steps(maker *m, const int *order, int count);

/* passes.c: makes the passes of all axes in that order. dry: without tables. persistent: the chunks of
 * persistent passes, NULL: none. */
argand_status access_make_with(maker *m, const int *order, int count, bool dry,
                               const chunk_choice *persistent);
/* steps.c: returns the points of the middle axis in the first of two passes, for plain transforms of three
 * axes in the order of the problem; 0: not in two passes. */
int64_t access_volume_of(const maker *m, const int *order, int count);

#endif
