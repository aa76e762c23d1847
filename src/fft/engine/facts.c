/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what a pass along an axis reads, writes and calculates, for the planner's model. */
#include "fft/engine/facts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include "base/plain.h"

argand_fft_pass *facts_add(fft_passes *list, const char *format, ...)
{
    if (list->count < FFT_MOST_PASSES) list->count++;
    argand_fft_pass *pass = &list->pass[list->count - 1];
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(pass->what, sizeof pass->what, format, arguments);
    va_end(arguments);
    return pass;
}

/* Returns true if that array of a call holds reals. */
static bool is_reals(const fft_problem *p, bool output, argand_direction direction)
{
    return problem_is_real(p) && output == (direction == ARGAND_INVERSE);
}

int64_t facts_element(const fft_problem *p, bool output, argand_direction direction)
{
    const int64_t size = (int64_t)argand_type_size(p->type);
    return problem_is_real(p) && !is_reals(p, output, direction) ? 2 * size : size;
}

/* Returns the elements along axis 0. */
static int64_t first_length(const fft_problem *p, bool reals)
{
    return problem_is_real(p) && !reals ? p->n[0] / 2 + 1 : p->n[0];
}

int64_t facts_bytes(const fft_problem *p, bool output, argand_direction direction)
{
    const int64_t n_0 = first_length(p, is_reals(p, output, direction));
    return p->points / p->n[0] * n_0 * p->batch * facts_element(p, output, direction);
}

/* Returns the stride of axis or loop i in input or output, in elements; given axes have the reals' strides
 * as input strides. */
static int64_t stride_of(const fft_geometry *g, const fft_problem *p, int i, bool output,
                         argand_direction direction)
{
    const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
    const bool as_out =
        problem_is_real(p) && p->axes_given ? output == (direction == ARGAND_FORWARD) : output;
    return as_out ? axis->out_stride : axis->in_stride;
}

/* Returns the contiguous elements when `neighbours` lines along the axis are moved together: whole lines,
 * or a piece of what is contiguous across them. */
static int64_t contiguous_run(const fft_problem *p, int axis, bool output, argand_direction direction,
                              int64_t neighbours)
{
    fft_geometry g;
    problem_contiguous(&g, p, direction);
    if (p->axes_given) g = p->geometry;
    int64_t run = 1;
    if (stride_of(&g, p, axis, output, direction) == 1) return 0;
    for (int i = 0; i < g.rank + g.loops; i++) {
        const int64_t n = i == 0       ? first_length(p, is_reals(p, output, direction))
                          : i < g.rank ? g.axes[i].n
                                       : g.loop[i - g.rank].n;
        if (i != axis && stride_of(&g, p, i, output, direction) == run) run *= n;
    }
    return run < neighbours ? run : neighbours;
}

static int64_t segment(const fft_problem *p, int axis, bool output, argand_direction direction,
                       int64_t neighbours, bool users, int64_t element)
{
    if (!users) return axis == 0 ? 0 : neighbours * element; /* contiguous work memory */
    return contiguous_run(p, axis, output, direction, neighbours) * element;
}

/* Butterflies of 7 to 13 points need more operations a point than those of 2 to 5; longer primes are done
 * by convolutions. */
double facts_operations(int64_t n)
{
    double log = 0;
    int64_t rest = n;
    for (int64_t p = 2; rest > 1; p++) {
        if (p * p > rest) p = rest;
        for (; rest % p == 0; rest /= p)
            log += log2((double)p) * (p <= 5 ? 1 : p == 7 ? 1.15 : p <= 13 ? 1.5 : 4);
    }
    return 5 * (double)n * log;
}

void facts_axis(argand_fft_pass *pass, const fft_problem *p, int axis, argand_direction direction,
                int64_t neighbours, bool from_input, bool to_output)
{
    const bool real_line = axis == 0 && problem_is_real(p);
    const int64_t complex_size = (int64_t)argand_type_size(p->type) * (problem_is_real(p) ? 2 : 1);
    const int64_t width = axis == 0 ? 1 : first_length(p, false);
    pass->axis = axis;
    pass->length = p->n[axis];
    pass->lines = p->points / p->n[axis] / (axis == 0 ? 1 : p->n[0]) * width * p->batch;
    const bool reads_reals = real_line && direction == ARGAND_FORWARD,
               writes_reals = real_line && direction == ARGAND_INVERSE;
    const int64_t in_line = axis == 0 ? first_length(p, reads_reals) : p->n[axis];
    const int64_t out_line = axis == 0 ? first_length(p, writes_reals) : p->n[axis];
    const int64_t in_size = reads_reals ? complex_size / 2 : complex_size,
                  out_size = writes_reals ? complex_size / 2 : complex_size;
    pass->read_bytes = pass->lines * in_line * in_size;
    pass->write_bytes = pass->lines * out_line * out_size;
    pass->read_segment = segment(p, axis, false, direction, neighbours, from_input, in_size);
    pass->write_segment = segment(p, axis, true, direction, neighbours, to_output, out_size);
    pass->operations = (real_line ? 0.5 : 1) * facts_operations(p->n[axis]) * (double)pass->lines;
}

void facts_radices(argand_fft_pass *pass, const int *radices, int count)
{
    size_t used = 0;
    pass->radices[0] = 0;
    for (int i = 0; i < count && used < sizeof pass->radices; i++)
        used += (size_t)snprintf(pass->radices + used, sizeof pass->radices - used, "%s%d", i ? "x" : "",
                                 radices[i]);
}
