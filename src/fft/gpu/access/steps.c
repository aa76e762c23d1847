/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the passes of a problem with accessors: axes one by one, planes, volumes. With a chain at the
 * spectrum, the last forward pass and the first inverse one are a single pass if a tile holds all that it
 * needs. */
#include "fft/gpu/access/maker.h"

/* Returns true if the axes are a plane of one pass. Clusters that load X[-k] along with X[k] are excluded:
 * the compiler spills points in so long a kernel (256 x 256 forward and inverse 1.59 ms, with two inverse
 * passes 0.88). */
static bool is_plane(const maker *m, int a, int b, bool reverses)
{
    const job_axis first = {.n = m->problem->n[a],
                            .in = m->g->axes[a].in_stride,
                            .out = m->g->axes[a].out_stride},
                   second = {.n = m->problem->n[b]};
    if (is_real(m) || m->one_by_one || (m->persistent && b >= m->persistent->axes)) return false;
    return a == 0 && plane_fits(&first, &second, m->limits) &&
           !(reverses && m->problem->access->has_mirror && !fits_block(&first, &second, m->limits));
}

int64_t access_volume_of(const maker *m, const int *order, int count)
{
    const fft_geometry *g = m->g;
    const access_array_layout *out = array_layout(m, true);
    job_axis axes[3];
    if (count != 3 || g->rank != 3 || order[0] != 0 || order[1] != 1 || m->persistent || is_real(m) ||
        m->one_by_one || m->problem->access->has_spectrum ||
        argand_type_size(out->type) < (size_t)m->limits->element_bytes) /* tiles are narrow already */
        return 0;
    for (int d = 0; d < 3; d++)
        axes[d] = (job_axis){.n = m->problem->n[d], .in = g->axes[d].in_stride, .out = g->axes[d].out_stride};
    return volume_part(axes, m->limits);
}

/* Returns true if an array of a chain is part of the call's output. */
static bool has_arrays_in_output(const maker *m)
{
    for (int i = 0; i < 3 * ARGAND_MAX_ACCESSORS; i++)
        if (m->plan->reals[i / ARGAND_MAX_ACCESSORS] >> ACCESS_KIND_BITS * (i % ARGAND_MAX_ACCESSORS) &
            ACCESS_SHARED_ARRAY)
            return true;
    return false;
}

/* Returns true if the output can hold the elements between passes: it is large enough, and no chain still
 * reads from it. */
static bool holds_spectrum(const maker *m)
{
    const access_array_layout *out = array_layout(m, true);
    for (int axis = 0; axis < m->g->rank; axis++)
        if (out->window[axis].count < points_of(m, axis, true)) return false;
    return !out->reals && out->type == whole_type(m) && !has_arrays_in_output(m);
}

/* Adds the two passes of a volume, and returns true if the problem has them. If they leave elements in the
 * output, the first pass must have its input elsewhere, and the blocks of the second one work in place. A
 * window that moves points of the middle axis to another block's positions prevents that. */
static bool add_volume(maker *m, const int *order, int count)
{
    const int64_t part = access_volume_of(m, order, count);
    if (!part) return false;
    const bool moves = array_layout(m, true)->window[1].first % part != 0, in_output = m->in_output && !moves;
    if (in_output && !m->limits->out_of_place) return false;
    m->in_output = in_output;
    m->program->out_of_place = in_output;
    m->list[m->steps++] = (step){.axis = 0, .second = 1, .volume = VOLUME_ROWS};
    m->list[m->steps++] = (step){.axis = 2, .second = 1, .volume = VOLUME_COLUMNS};
    return true;
}

/* Adds the steps of the axes; the two axes of a plane may be in either order. with_last: a plane may
 * include the last forward axis, or the first inverse one. */
static void add_axes(maker *m, const int *order, int count, bool back, bool with_last)
{
    if (!back && add_volume(m, order, count)) return;
    for (int i = 0; i < count; i++) {
        const int a = order[i], b = i + 1 < count ? order[i + 1] : -1;
        const int low = a < b ? a : b, high = a < b ? b : a;
        const bool reverses = back ? i == 0 : i + 2 == count;
        step s = {.axis = a, .second = -1, .back = back};
        if (b >= 0 && (with_last || !reverses) && is_plane(m, low, high, back && reverses)) {
            s = (step){.axis = low, .second = high, .back = back};
            i++;
        }
        m->list[m->steps++] = s;
    }
    if (!count) m->list[m->steps++] = (step){.second = -1, .back = back}; /* one point: a copy */
}

/* ---- round trips ---- */

static int last_forward(const maker *m)
{
    int last = 0;
    while (last + 1 < m->steps && !m->list[last + 1].back) last++;
    return last;
}

/* Joins the last forward step and the first inverse one; returns false if they have different axes. */
static bool join(maker *m)
{
    const int last = last_forward(m);
    step *s = &m->list[last];
    if (last + 1 == m->steps || s[0].axis != s[1].axis || s[0].second != s[1].second) return false;
    s->both = true;
    m->steps--;
    for (int i = last + 1; i < m->steps; i++) m->list[i] = m->list[i + 1];
    return true;
}

/* Returns true if one tile holds all that the step transforms: lines with radices, or a plane in one
 * block. */
static bool fits_tile(const maker *m, int i)
{
    const step *s = &m->list[i];
    radix_list r;
    line_job job = access_job(m, i);
    if (is_real(m) && s->axis == 0) return real_round_trip_fits(&job, m->limits);
    if (s->second >= 0) {
        const job_axis second = {.n = m->problem->n[s->second]};
        return fits_block(&job.axis, &second, m->limits);
    }
    job_tidy(&job);
    return job.axis.n <= longest(&job, m->limits) && radices_choose(&r, (int)job.axis.n, m->limits, 1);
}

static bool is_line(const maker *m, int i)
{
    return m->list[i].second < 0 && !(is_real(m) && m->list[i].axis == 0);
}

/* Returns true if the step can go forward and inverse. */
static bool is_round_trip(const maker *m, int i)
{
    const line_job job = access_job(m, i);
    return fits_tile(m, i) || (is_line(m, i) && round_trip_fits(&job, false, m->limits));
}

/* Returns true if the step can have tiles of lines and their images, which hold X[-k]. */
static bool has_images(const maker *m, int i)
{
    const line_job job = access_job(m, i);
    return is_line(m, i) && m->in_output && !m->limits->tuning.load_mirror &&
           (images_fit(&job, m->g->rank, m->limits) || round_trip_fits(&job, true, m->limits));
}

/* Several passes share X[-k]: the first inverse pass loads it with X[k] from work memory. Its results must
 * be stored elsewhere: in the output, if it is not the last pass. */
static argand_status load_images(maker *m)
{
    m->mirror = last_forward(m) + 1;
    CHECK(m->mirror == m->steps - 1 || m->in_output, ARGAND_UNSUPPORTED,
          "argand_fft_create: X[-k] of several passes wants an output that holds the spectrum");
    return ARGAND_OK;
}

/* Adds forward steps, then inverse steps in reverse order. same: two axes go back in the same order,
 * because X[-k] should be loaded with whole rows: images of tiles of columns are not aligned to sectors. */
static void add_forward_and_inverse(maker *m, const int *order, int count, bool same)
{
    int back[ARGAND_MAX_RANK];
    m->steps = m->mirror = 0;
    m->images = false;
    for (int i = 0; i < count; i++) back[i] = order[same ? i : count - 1 - i];
    add_axes(m, order, count, false, true);
    add_axes(m, back, count, true, true);
    access_place(m);
}

/* Adds steps in which tiles of the last forward axis, which is the first inverse one, have lines together
 * with those at -k. The spectrum then never goes to memory. They store elsewhere than they load, because
 * some lines are in two tiles. */
static bool add_with_images(maker *m, const int *order, int count)
{
    int back[ARGAND_MAX_RANK];
    for (int i = 0; i < count; i++) back[i] = order[count - 1 - i];
    m->steps = 0;
    add_axes(m, order, count, false, false);
    add_axes(m, back, count, true, false);
    m->mirror = last_forward(m);
    m->images = true;
    if (!join(m)) return false;
    access_place(m);
    return has_images(m, m->mirror);
}

/* Does the same for a single axis, a long line. */
static bool has_line_with_images(maker *m, const int *order, int count)
{
    add_forward_and_inverse(m, order, count, false);
    m->images = true;
    if (join(m) && has_images(m, last_forward(m))) return true;
    add_forward_and_inverse(m, order, count, false);
    return false;
}

/* Tries images along rows first if there are two axes, because images of rows are whole rows. */
static bool find_images(maker *m, const int *order, int count)
{
    const int reversed[2] = {order[1], order[0]};
    if (count < 2) return false;
    return (count == 2 && add_with_images(m, reversed, count)) || add_with_images(m, order, count);
}

/* Adds the steps of a round trip. If one tile has all axes, it also has X[-k]. */
static argand_status add_round_trip(maker *m, const int *order, int count)
{
    const bool mirror = m->problem->access->has_mirror;
    add_forward_and_inverse(m, order, count, mirror && count == 2);
    if (mirror && m->steps > 2) {
        if (find_images(m, order, count)) return ARGAND_OK;
        add_forward_and_inverse(m, order, count, count == 2);
        return load_images(m);
    }
    const int last = last_forward(m);
    if (fits_tile(m, last) || (!mirror && is_round_trip(m, last)))
        join(m);
    else if (mirror && !has_line_with_images(m, order, count))
        return load_images(m);
    return ARGAND_OK;
}

argand_status access_steps(maker *m, const int *order, int count)
{
    m->steps = m->mirror = 0;
    m->images = false;
    m->in_output = holds_spectrum(m);
    if (!m->problem->access->has_spectrum) {
        add_axes(m, order, count, false, true);
    } else {
        TRY(add_round_trip(m, order, count));
    }
    access_place(m);
    return ARGAND_OK;
}
