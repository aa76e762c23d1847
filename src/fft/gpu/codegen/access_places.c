/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which coordinates grow along the tile and the loops of a pass with accessors, and which strides
 * its windows supply instead of its addresses. */
#include "array/array.h"
#include "fft/gpu/codegen/access.h"

/* Returns true if a point along the coordinate consists of two elements (a pair of reals). */
static bool has_pairs(const tile_shape *s, bool out, int dim)
{
    return dim == 1 && (out ? s->out_kind == OUT_PAIRS : s->in_kind == IN_PAIRS);
}

/* Clears the stride of addresses along a dimension for which a window supplies its own. */
static bool leave_out(int64_t *stride, tile_shape *s, const job_axis *dims, bool out)
{
    pass_access *access = &s->access[out];
    bool left = false;
    for (int i = 0; i < access->windows && access->on; i++) {
        if (dims->dim != access->window[i].dim + 1) continue;
        access->window[i].stride =
            (out ? dims->out : dims->in) / dims->step / (has_pairs(s, out, dims->dim) ? 2 : 1);
        *stride = 0;
        left = true;
    }
    return left;
}

/* Returns the line at which tiles begin, so that stores fill whole cache lines although a window shifts
 * them. Applies to the part of a long line that is stored contiguously; its loads may begin anywhere. */
static int next_line(const tile_pass *pass, const line_job *job)
{
    const tile_shape *s = &pass->shape;
    const pass_access *a = &s->access[1];
    const int tile = s->size[0];
    if (!job->any_lines || s->chirp || s->out_kind != OUT_COMPLEX || s->lines != 0 || s->ragged ||
        s->size[2] > 1 || pass->params.stride[0][0] == 1 || a->windows != 1 ||
        a->window[0].count != a->window[0].points || s->at_dim[0] != a->window[0].dim + 1 ||
        s->at_step[0] != 1 || a->window[0].stride != 1)
        return 0;
    return a->window[0].first % tile;
}

/* Returns the butterfly of thread 0 in the first or last stage, so that threads access whole cache lines
 * although a window shifts the input or output. */
static int rotated_thread(const tile_shape *s, bool out)
{
    const pass_access *a = &s->access[out];
    const tile_stage *stage = &s->stage[out ? s->stages - 1 : 0];
    const int axis = stage->axis, butterflies = s->size[axis] / stage->radix;
    const bool plain = s->in_kind == IN_COMPLEX && s->out_kind == OUT_COMPLEX && !tile_convolves(s) &&
                       !s->chirp && !s->access[2].on;
    if (!plain || (out ? s->out_fast : s->in_fast) != axis || axis > 1 || s->at_step[axis] != 1 ||
        tile_points(s) / stage->radix % s->threads != 0)
        return 0;
    for (int i = 0; i < a->windows; i++)
        if (a->window[i].dim + 1 == s->at_dim[axis] && a->window[i].stride == 1 &&
            a->window[i].count == a->window[i].points)
            return a->window[i].first % butterflies;
    return 0;
}

/* Returns true if an array of at least that many elements repeats its elements along a dimension. */
static bool repeats_along(const argand_array *a, int dim, int64_t least)
{
    return a && a->count >= least && dim >= 0 && (dim >= a->rank || a->dims[dim] == 1);
}

/* Returns how many consecutive tiles along loop k should be launched together, because they share the
 * elements of all arrays, which are larger than a cache. */
static int tiles_alike(const tile_shape *s, int64_t tiles, int k)
{
    enum { LARGE = 1 << 21, MOST = 8 };
    const int dim = s->at_dim[3 + k] - 1;
    bool same = false, all = dim != s->at_part && dim != s->at_with;
    int count = MOST;
    for (int operand = 0; operand < 3; operand++)
        for (int i = 0; i < s->access[operand].links; i++) {
            const pass_access *a = &s->access[operand];
            const argand_accessor *l = &a->chain[a->place[i]];
            if (l->kind == ARGAND_ACCESS_SCALE) continue;
            const bool repeats = repeats_along(l->array, dim, LARGE);
            same |= repeats;
            all &= repeats;
        }
    while (tiles % count != 0) count--;
    return same && all ? count : 1;
}

/* Chooses the first loop with such tiles, other than loop 0, which counts the lines of a tile. */
static void choose_first(tile_shape *s, const struct tile_params *q)
{
    s->first_loop = 0;
    for (int k = 1; k < s->loops && !s->first_loop; k++) {
        s->first_count = tiles_alike(s, q->n[k], k);
        if (s->first_count > 1) s->first_loop = k;
    }
}

/* Returns true if several tiles read the same large array, so that caches should keep it. */
static bool has_kept_arrays(const tile_shape *s)
{
    enum { SMALL = 1 << 18 };
    for (int operand = 0; operand < 3; operand++)
        for (int i = 0; i < s->access[operand].links; i++) {
            const pass_access *from = &s->access[operand];
            const argand_array *a = from->chain[from->place[i]].array;
            for (int k = 0; k < s->loops; k++)
                if (repeats_along(a, s->at_dim[3 + k] - 1, SMALL)) return true;
        }
    return false;
}

/* Makes loop counts constants of the kernel, with two exceptions: the last loop, whose index is never
 * divided, and the loop along which a call is done in parts. Does not apply if windows pad or crop, or
 * with a chain at the spectrum: the compiler then moved array loads later (1024 x 1024 cropped, and
 * forward and inverse: 9 % slower). */
static void know_tiles(tile_shape *s, const struct tile_params *q)
{
    if (s->access[2].on) return;
    for (int operand = 0; operand < 2; operand++)
        for (int i = 0; i < s->access[operand].windows; i++)
            if (s->access[operand].window[i].count < s->access[operand].window[i].points) return;
    for (int k = 0; k + 1 < s->loops; k++)
        if (s->at_dim[3 + k] - 1 != s->at_part || s->at_part < 0) s->tiles[k] = (int)q->n[k];
}

/* Sets the coordinate that grows along each dimension and loop, and the strides that windows replace. */
void access_places(tile_pass *pass, const line_job *job, const job_axis dims[3])
{
    tile_shape *s = &pass->shape;
    struct tile_params *q = &pass->params;
    for (int k = 0; k < 3 + job->loops; k++) {
        const job_axis *from = k < 3 ? &dims[k] : &job->loop[k - 3];
        const bool is_there = k >= 3 || s->size[k] > 1 || s->stage[0].axis == k;
        if (!is_there || !from->dim) continue;
        s->at_dim[k] = from->dim;
        s->at_step[k] = from->step * (k < 3                    ? 1
                                      : k == 3 && s->lines < 3 ? s->size[s->lines] / tile_fold(s)
                                      : k == 4 && s->lines < 2 && !tile_has_stages(s, 2) ? s->size[2]
                                                                                         : 1);
        for (int operand = 0; operand < 2; operand++)
            if (leave_out(k < 3 ? &q->stride[operand][k] : &q->loop[operand][k - 3], s, from, operand) &&
                k < 3)
                s->still |= 1 << (3 * operand + k);
    }
    s->next_line = next_line(pass, job);
    choose_first(s, q);
    know_tiles(s, q);
    s->kept_arrays = has_kept_arrays(s);
    for (int operand = 0; operand < 2; operand++) s->rotated[operand] = rotated_thread(s, operand);
    access_layout(s);
}
