/* SPDX-License-Identifier: BSD-3-Clause */
/* The window alone, between samples and the oversampled grid: what density compensation and transforms of
 * one's own are made of. */
#include "nufft/apply.h"

#include <string.h>

typedef struct double_complex {
    double re, im;
} double_complex;

/* A row of the plan's grid, at a stride of `lanes` elements, from or to one of the caller's. */
static void copy_row(void *to, int64_t to_stride, const void *from, int64_t from_stride, int64_t count,
                     bool is_double)
{
    if (to_stride == 1 && from_stride == 1) {
        memcpy(to, from, (size_t)count * (is_double ? 16 : 8));
    } else if (is_double) {
        const double_complex *in = from;
        double_complex *out = to;
        for (int64_t i = 0; i < count; i++) out[i * to_stride] = in[i * from_stride];
    } else {
        const uint64_t *in = from;
        uint64_t *out = to;
        for (int64_t i = 0; i < count; i++) out[i * to_stride] = in[i * from_stride];
    }
}

/* Cell `at` of the caller's axis on the plan's grid, whose cell 0 is k = 0 */
static int64_t cell_place(const layout *l, const pass_job *job, int axis, int64_t at)
{
    const int64_t size = l->grid[axis], origin = job->image.first[axis] ? 0 : size / 2;
    return at < origin ? at - origin + size : at - origin;
}

/* One row of one vector: its cells from the origin on, and those before. */
static void move_row(const pass_job *job, int64_t y, int64_t z, int vector, bool to_grid)
{
    const layout *l = job->l;
    const image_view *v = &job->image;
    const int64_t bytes = l->is_double ? 16 : 8, lanes = layout_lanes(l, job->mode), size = l->grid[0],
                  origin = job->image.first[0] ? 0 : size / 2;
    char *grid = (char *)job->grid + bytes * (lanes * (cell_place(l, job, 2, z) * layout_plane(l, job->mode) +
                                                       cell_place(l, job, 1, y) * layout_row(l, job->mode)) +
                                              vector);
    char *row = v->data + bytes * (v->vectors[vector] + y * v->stride[1] + z * v->stride[2]);
    char *parts[2][2] = {{grid, row + bytes * origin * v->stride[0]},
                         {grid + bytes * lanes * (size - origin), row}};
    const int64_t counts[2] = {size - origin, origin};
    for (int part = 0; part < 2; part++)
        if (to_grid)
            copy_row(parts[part][0], lanes, parts[part][1], v->stride[0], counts[part], l->is_double);
        else
            copy_row(parts[part][1], v->stride[0], parts[part][0], lanes, counts[part], l->is_double);
}

static void move_grid(const pass_job *job, bool to_grid)
{
    const int64_t ny = job->l->grid[1], rows = ny * job->l->grid[2];
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < rows; i++)
        for (int vector = 0; vector < job->image.vector_count; vector++)
            move_row(job, i % ny, i / ny, vector, to_grid);
}

static void spread_group(const argand_nufft *plan, workspace *s, const pass_job *job,
                         const sample_view *samples)
{
    gridding_spread(plan, job->mode, s, samples);
    move_grid(job, false);
}

static void interpolate_group(const argand_nufft *plan, workspace *s, const pass_job *job,
                              const sample_view *samples)
{
    move_grid(job, true);
    gridding_interpolate(plan, job->mode, s, samples);
}

argand_status argand_nufft_spread(const argand_nufft *plan, argand_array *grid, const argand_array *samples)
{
    const argand_nufft *whole;
    TRY(plan_with_window(&whole, plan));
    const transform t = {"grid", whole->layout->grid, true, spread_group, true};
    return transform_run(whole, &t, grid, samples);
}

argand_status argand_nufft_interpolate(const argand_nufft *plan, argand_array *samples,
                                       const argand_array *grid)
{
    const argand_nufft *whole;
    TRY(plan_with_window(&whole, plan));
    const transform t = {"grid", whole->layout->grid, false, interpolate_group, true};
    return transform_run(whole, &t, samples, grid);
}
