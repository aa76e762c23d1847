/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans a problem with accessors. Its passes differ from plain passes in four ways. The first pass
 * loads through the load chain, and the last one stores through the store chain. Each pass pads and crops
 * the axes that it transforms: before it an axis has only the points that may be nonzero, and after it
 * only those that are wanted. The order of axes is the one that moves the fewest bytes. With a chain at
 * the spectrum all axes go forward, the last of these passes stores through the chain, and all axes go
 * back. Elements between passes are in the output if they all fit there, else in work memory.
 *
 * Real transforms have reals along axis 0 before its pass (after it in an inverse), half a spectrum after
 * it; that pass is the first one forward, and the last one inverse. */
#include "fft/gpu/access/maker.h"

#include "array/array.h"

/* ---- persistent passes ---- */

/* Returns true if axes are in the problem's order, and the kernel of persistent passes has all that the
 * chains need. */
static bool may_persist(const maker *m, const int *order, int count)
{
    for (int i = 0; i < count; i++)
        if (i && order[i] < order[i - 1]) return false;
    return m->limits->persistent && m->plan->part < 0 && !m->problem->access->has_spectrum && count > 0;
}

/* Returns true if the last persistent pass multiplies its results by an array as large as a chunk. Both
 * would not fit in the second-level cache with the chunks that the first pass runs ahead: 1024 x 1024 took
 * 1.25 of the plain time, and 1.08 without running ahead. */
static bool must_not_run_ahead(const maker *m, const chunk_choice *w)
{
    enum { LARGE = 6 << 20 }; /* bytes */
    const argand_accessor *chain = m->problem->access->chains.store;
    if (w->axes < m->g->rank) return false;
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++)
        if (chain[i].array && chain[i].array->count * m->limits->element_bytes >= LARGE) return true;
    return false;
}

/* First plans every pass by itself, which shows whether persistent passes gain. */
static argand_status make(maker *m, const int *order, int count, bool dry)
{
    const fft_geometry *g = m->g;
    const block_limits *l = m->limits;
    job_axis axes[MOST_DIMS];
    chunk_choice persistent;
    if (!may_persist(m, order, count)) return access_make_with(m, order, count, dry, NULL);
    for (int d = 0; d < m->dims; d++)
        axes[d] = (job_axis){.n = d == g->rank - 1 ? wanted(m, d, false) : dimension(m, d)->n,
                             .in = dimension(m, d)->in_stride,
                             .out = dimension(m, d)->out_stride};
    TRY(access_make_with(m, order, count, true, NULL));
    const bool found = persistent_choose(&persistent, m->program, axes, g->rank, m->dims, l);
    program_release(m->program);
    if (found) {
        block_limits chosen = *l;
        chosen.tuning.threads = persistent.threads;
        chosen.tuning.persistent_blocks = chosen.tuning.bulk_copy = 0;
        if (!chosen.tuning.chunk_lag && must_not_run_ahead(m, &persistent)) chosen.tuning.chunk_lag = 1;
        m->limits = &chosen;
        const argand_status status = access_make_with(m, order, count, dry, &persistent);
        m->limits = l;
        if (status == ARGAND_OK) return ARGAND_OK;
    }
    return access_make_with(m, order, count, dry, NULL);
}

argand_status program_access(pass_program *p, const access_plan *a, const fft_geometry *g,
                             const block_limits *l, bool dry)
{
    maker m = {
        .program = p, .plan = a, .problem = a->problem, .g = g, .limits = l, .dims = g->rank + g->loops};
    CHECK(m.dims <= PASS_ACCESS_DIMS, ARGAND_UNSUPPORTED,
          "argand_fft_apply: there are %d axes and loops; on GPUs, plans with accessors support up to %d",
          m.dims, (int)PASS_ACCESS_DIMS);
    for (int axis = 0; axis < g->rank && a->swapped; axis++)
        CHECK(array_layout(&m, true)->window[axis].border == ARGAND_BORDER_ZERO, ARGAND_UNSUPPORTED,
              "argand_fft_apply: the border of axis %d adds outside points to inside ones, which another "
              "thread block writes",
              axis);
    const axis_order order = access_order(&m);
    return make(&m, order.axis, order.count, dry);
}
