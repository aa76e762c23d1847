/* SPDX-License-Identifier: BSD-3-Clause */
/* Which passes a problem with accessors takes: axes one by one, planes, volumes; with a chain at the spectrum
 * forward and inverse, the last pass there and the first one back as one where a tile has all that it
 * needs. */
#include "fft/gpu/access/maker.h"

/* Clusters that load X[-k] along with X[k] have a text so long that the compiler leaves points on the stack
 * (256 x 256 forward and inverse 1.59 ms, with two passes back 0.88). */
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
        argand_type_size(out->type) < (size_t)m->limits->element_bytes) /* tiles are narrow as it is */
        return 0;
    for (int d = 0; d < 3; d++)
        axes[d] = (job_axis){.n = m->problem->n[d], .in = g->axes[d].in_stride, .out = g->axes[d].out_stride};
    return volume_part(axes, m->limits);
}

/* Whether an array of a chain lies in the output of the call. */
static bool has_arrays_in_output(const maker *m)
{
    for (int i = 0; i < 3 * ARGAND_MAX_ACCESSORS; i++)
        if (m->plan->reals[i / ARGAND_MAX_ACCESSORS] >> ACCESS_KIND_BITS * (i % ARGAND_MAX_ACCESSORS) &
            ACCESS_SHARED_ARRAY)
            return true;
    return false;
}

/* The output, for elements between passes: not where a chain still wants what lies there. */
static bool holds_spectrum(const maker *m)
{
    const access_array_layout *out = array_layout(m, true);
    for (int axis = 0; axis < m->g->rank; axis++)
        if (out->window[axis].count < points_of(m, axis, true)) return false;
    return !out->reals && out->type == whole_type(m) && !has_arrays_in_output(m);
}

/* Whether there are such passes. Where they leave elements in the output, the first one's input lies
 * elsewhere, and the blocks of the second one store where they have loaded: unless a window moves what one
 * block has of the middle axis to another one's places. */
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

/* Two axes of a plane in either order of the list. with_last: that may have the last axis there, or the first
 * one back. */
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

/* ---- forward and inverse ---- */

static int last_forward(const maker *m)
{
    int last = 0;
    while (last + 1 < m->steps && !m->list[last + 1].back) last++;
    return last;
}

/* The last step forward and the first one back, which has the same axes, as one; false: it has others. */
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

/* Whether one tile holds all that the step transforms: lines with radices, a plane of a block. */
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

/* Whether the step can go forward and inverse. */
static bool is_round_trip(const maker *m, int i)
{
    const line_job job = access_job(m, i);
    return fits_tile(m, i) || (is_line(m, i) && round_trip_fits(&job, false, m->limits));
}

/* With X[-k] of tiles that have lines and their images. */
static bool has_images(const maker *m, int i)
{
    const line_job job = access_job(m, i);
    return is_line(m, i) && m->in_output && !m->limits->tuning.load_mirror &&
           (images_fit(&job, m->g->rank, m->limits) || round_trip_fits(&job, true, m->limits));
}

/* Where several passes share X[-k], the first one back loads it with X[k] from work memory, so that its
 * results must lie elsewhere: in the output, where it is not the last one. */
static argand_status load_images(maker *m)
{
    m->mirror = last_forward(m) + 1;
    CHECK(m->mirror == m->steps - 1 || m->in_output, ARGAND_UNSUPPORTED,
          "argand_fft_create: X[-k] of several passes wants an output that holds the spectrum");
    return ARGAND_OK;
}

/* Axes come back in reverse order. But X[-k] that is loaded lies in whole rows where whole rows are loaded,
 * of tiles of columns it begins between sectors: then two come as they have gone. */
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

/* X[-k] of lines along the last axis there, which are the first one back, too: tiles have lines and those at
 * -k, so that the spectrum never goes to memory. What they store lies elsewhere than what they load, as some
 * lines are in two tiles. */
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

/* The same where the axis is the only one, a long line. */
static bool has_line_with_images(maker *m, const int *order, int count)
{
    add_forward_and_inverse(m, order, count, false);
    m->images = true;
    if (join(m) && has_images(m, last_forward(m))) return true;
    add_forward_and_inverse(m, order, count, false);
    return false;
}

/* Of two axes rows come last, if they may: their images are whole rows. */
static bool find_images(maker *m, const int *order, int count)
{
    const int reversed[2] = {order[1], order[0]};
    if (count < 2) return false;
    return (count == 2 && add_with_images(m, reversed, count)) || add_with_images(m, order, count);
}

/* Where the axes of one tile are all, X[-k] is in it. */
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
