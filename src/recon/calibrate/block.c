/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the fully sampled block of k-space for the estimation of coil maps. For each cell of the sampling
 * theorem (one cycle per field of view wide) it records whether the cell holds samples, and their energy.
 * The block lies around the centre. If another block of its size holds clearly more energy, because the
 * object has a linear phase, the block moves there. */
#include "recon/calibrate/calibrate.h"

#include <math.h>
#include "base/memory.h"
#include "mri/host.h"
#include "recon/samples/samples.h"

/* The central block is kept if it holds this part of the best block's energy. */
static const double ENOUGH = 0.9;

/* Inclusive prefix sums, from which block sums follow: mean energy of each cell, and cells that hold
 * samples. */
typedef struct cell_map {
    int64_t n[3];
    double *energy, *held;
} cell_map;

static int64_t cells_of(const int64_t n[3])
{
    return n[0] * n[1] * n[2];
}

/* Returns the cell of a sample, or -1 outside the grid. */
static int64_t cell_at(const argand_sense *s, double *const k[3], int64_t i)
{
    int64_t at = 0;
    for (int axis = s->grid.rank - 1; axis >= 0; axis--) {
        const int64_t n = s->grid.n[axis];
        const double cell = floor(k[axis][i] + 0.5) + (double)(n / 2);
        if (!(cell >= 0 && cell < (double)n)) return -1;
        at = at * n + (int64_t)cell;
    }
    return at;
}

static void accumulate(double *sums, const int64_t n[3])
{
    const int64_t stride[3] = {1, n[0], n[0] * n[1]};
    for (int axis = 0; axis < 3; axis++)
        for (int64_t i = 0; i < cells_of(n); i++)
            if (i / stride[axis] % n[axis]) sums[i] += sums[i - stride[axis]];
}

/* Returns the sum over the block [first, first + size). */
static double box_sum(const double *sums, const int64_t n[3], const int64_t first[3], const int64_t size[3])
{
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int64_t at = 0;
        double sign = 1;
        bool outside = false;
        for (int axis = 2; axis >= 0; axis--) {
            const int64_t end = corner >> axis & 1 ? first[axis] - 1 : first[axis] + size[axis] - 1;
            if (corner >> axis & 1) sign = -sign;
            outside |= end < 0;
            at = at * n[axis] + end;
        }
        if (!outside) sum += sign * sums[at];
    }
    return sum;
}

static argand_status fill_cells(const argand_sense *s, const recon_samples *data, cell_map *m)
{
    double *k[3] = {NULL}, *energy = NULL;
    argand_status status;
    for (int axis = 0; axis < s->grid.rank; axis++) TRY_OR_DONE(numbers_of_array(data->at.k[axis], &k[axis]));
    TRY_OR_DONE(samples_energies(data, &energy));
    for (int64_t i = 0; i < data->at.count; i++) {
        const int64_t at = cell_at(s, k, i);
        if (at < 0) continue;
        m->held[at]++;
        m->energy[at] += energy[i];
    }
    for (int64_t i = 0; i < cells_of(m->n); i++) {
        if (m->held[i] > 0) m->energy[i] /= m->held[i];
        m->held[i] = m->held[i] > 0;
    }
    accumulate(m->held, m->n);
    accumulate(m->energy, m->n);
done:
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(energy);
    return status;
}

static double filled(const cell_map *m, const int64_t first[3], const int64_t size[3])
{
    return box_sum(m->held, m->n, first, size) / (double)cells_of(size);
}

static void centre(const int64_t n[3], const int64_t size[3], int64_t first[3])
{
    for (int axis = 0; axis < 3; axis++) first[axis] = n[axis] / 2 - size[axis] / 2;
}

/* Extends the central block by one cell along an axis. Returns false if the block would be too large or
 * not filled. */
static bool grow(const cell_map *m, double need, int64_t most, int axis, int64_t size[3])
{
    int64_t first[3];
    if (size[axis] >= m->n[axis] || (most > 0 && size[axis] >= most)) return false;
    size[axis]++;
    centre(m->n, size, first);
    if (filled(m, first, size) >= need) return true;
    size[axis]--;
    return false;
}

/* Finds the position at which a block of this size, equally filled, holds the most energy. */
static void place(const cell_map *m, double need, const int64_t size[3], int64_t first[3])
{
    int64_t best[3], at[3];
    double most;
    centre(m->n, size, first);
    memcpy(best, first, sizeof best);
    const double here = most = box_sum(m->energy, m->n, first, size);
    for (at[2] = 0; at[2] + size[2] <= m->n[2]; at[2]++)
        for (at[1] = 0; at[1] + size[1] <= m->n[1]; at[1]++)
            for (at[0] = 0; at[0] + size[0] <= m->n[0]; at[0]++) {
                if (filled(m, at, size) < need) continue;
                const double energy = box_sum(m->energy, m->n, at, size);
                if (energy <= most) continue;
                most = energy;
                memcpy(best, at, sizeof best);
            }
    if (here < ENOUGH * most) memcpy(first, best, sizeof best);
}

argand_status block_find(const argand_sense *s, const recon_samples *data, const int64_t most[3],
                         recon_block *block)
{
    /* A curve whose turns are one cycle apart crosses nearly every cell, but passes some corners between
     * two samples. Lines of a grid meet every cell. */
    const double need = s->cartesian ? 1 : 0.9;
    cell_map m = {.n = {s->grid.n[0], s->grid.n[1], s->grid.n[2]}};
    argand_status status;
    *block = (recon_block){.size = {1, 1, 1}};
    TRY_OR_DONE(NEW(m.energy, cells_of(m.n)));
    TRY_OR_DONE(NEW(m.held, cells_of(m.n)));
    TRY_OR_DONE(fill_cells(s, data, &m));
    for (bool grew = true; grew;) {
        grew = false;
        for (int axis = 0; axis < 3; axis++) grew |= grow(&m, need, most[axis], axis, block->size);
    }
    place(&m, need, block->size, block->first);
    const int64_t origin[3] = {0};
    block->all = box_sum(m.held, m.n, origin, m.n) / (double)cells_of(m.n);
done:
    memory_free(m.held);
    memory_free(m.energy);
    return status;
}
