/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes acquisitions of user arrays: one for each shot of each partition and volume. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "io/ismrmrd/scan.h"
#include "io/pack/pack.h"

/* Indices of one shot along all axes. */
typedef struct place {
    int64_t at[AXIS_KINDS];
} place;

static int64_t offset(const pack_array *a, const place *w)
{
    int64_t sum = 0;
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++)
        if (a->length[kind] > 1) sum += w->at[kind] * a->stride[kind];
    return sum;
}

/* ---- Cartesian lines that were not measured */

static bool is_zero(const packing *g, const place *w, int64_t sample)
{
    const pack_array *a = g->kspace;
    for (int64_t c = 0; c < a->length[AXIS_COIL]; c++) {
        const float *v =
            a->numbers + 2 * (offset(a, w) + c * a->stride[AXIS_COIL] + sample * a->stride[AXIS_SAMPLE]);
        if (v[0] != 0 || v[1] != 0) return false;
    }
    return true;
}

static bool is_measured(const packing *g, const place *w)
{
    for (int64_t i = 0; i < g->kspace->length[AXIS_SAMPLE]; i++)
        if (!is_zero(g, w, i)) return true;
    return false;
}

/* Moves to the next shot; the shots of a volume follow each other. Returns false after the last one. */
static bool step(place *w, const pack_array *a)
{
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++) {
        if (kind == AXIS_COIL) continue;
        if (++w->at[kind] < a->length[kind]) return true;
        w->at[kind] = 0;
    }
    return false;
}

/* Leaves out the zeros at the ends of all lines: asymmetric echoes do not measure them. */
static void find_ends(packing *g)
{
    place w = {0};
    int64_t low = g->kspace->length[AXIS_SAMPLE], high = -1;
    do {
        for (int64_t i = 0; i < low; i++)
            if (!is_zero(g, &w, i)) low = i;
        for (int64_t i = g->kspace->length[AXIS_SAMPLE] - 1; i > high; i--)
            if (!is_zero(g, &w, i)) high = i;
    } while (step(&w, g->kspace));
    if (high < low) return;
    g->first = low;
    g->samples = high - low + 1;
}

/* ---- one acquisition */

static void set_counters(argand_acquisition *a, const place *w)
{
    a->counters = (argand_counters){.shot = (uint16_t)w->at[AXIS_SHOT],
                                    .partition = (uint16_t)w->at[AXIS_PARTITION],
                                    .slice = (uint16_t)w->at[AXIS_SLICE],
                                    .repetition = (uint16_t)w->at[AXIS_REPETITION],
                                    .contrast = (uint16_t)w->at[AXIS_CONTRAST],
                                    .average = (uint16_t)w->at[AXIS_AVERAGE],
                                    .set = (uint16_t)w->at[AXIS_SET]};
}

/* Sets the pose. Slices are one thickness apart; the middle slice lies at the centre of options->place. */
static void set_pose(argand_acquisition *a, const packing *g, const place *w)
{
    const argand_geometry *like = g->options->place && g->options->place->valid ? g->options->place : NULL;
    const double middle = (double)(g->kspace->length[AXIS_SLICE] / 2);
    const double away = ((double)w->at[AXIS_SLICE] - middle) * g->owner->scan.encodings->field_of_view[2];
    for (int i = 0; i < 3; i++) {
        a->position[i] = (float)(like ? like->centre[i] + away * like->slice[i] : i == 2 ? away : 0);
        a->read_dir[i] = (float)(like ? like->read[i] : i == 0);
        a->phase_dir[i] = (float)(like ? like->phase[i] : i == 1);
        a->slice_dir[i] = (float)(like ? like->slice[i] : i == 2);
    }
}

static void fill_positions(const packing *g, const argand_acquisition *a, float *const k[3], const place *w)
{
    const pack_array *t = g->trajectory;
    const argand_encoding *e = g->owner->encodings;
    for (int64_t i = 0; i < g->samples; i++) {
        if (t) {
            const float *at = t->numbers + offset(t, w) + i * t->stride[AXIS_SAMPLE];
            for (int d = 0; d < 3; d++) k[d][i] = d < t->length[AXIS_K] ? at[d * t->stride[AXIS_K]] : 0;
        } else {
            k[0][i] = (float)(i - a->centre_sample);
            k[1][i] = (float)((int)w->at[AXIS_SHOT] - e->step1_centre);
            k[2][i] = (float)((int)w->at[AXIS_PARTITION] - e->step2_centre);
        }
    }
}

/* Copies the times. Without them, counts from the echo time, as readers of files without times do. */
static void fill_times(const packing *g, const argand_acquisition *a, float *t, const place *w)
{
    const pack_array *times = g->times;
    for (int64_t i = 0; i < g->samples; i++)
        t[i] = times && g->trajectory
                   ? times->numbers[offset(times, w) + i * times->stride[AXIS_SAMPLE]]
                   : (float)(g->owner->scan.echo_time + (double)(i - a->centre_sample) * a->sample_time);
}

static void fill_samples(const packing *g, float *to, const place *w)
{
    const pack_array *a = g->kspace;
    for (int64_t c = 0; c < a->length[AXIS_COIL]; c++)
        for (int64_t i = 0; i < g->samples; i++) {
            const float *from = a->numbers + 2 * (offset(a, w) + c * a->stride[AXIS_COIL] +
                                                  (i + g->first) * a->stride[AXIS_SAMPLE]);
            *to++ = from[0];
            *to++ = from[1];
        }
}

/* Returns the sample nearest to k = 0; on Cartesian lines, the sample with kx = 0. */
static int centre_of(const packing *g, const place *w)
{
    const pack_array *t = g->trajectory;
    int64_t nearest = 0;
    float least = INFINITY;
    if (!t) return (int)(g->kspace->length[AXIS_SAMPLE] / 2 - g->first);
    for (int64_t i = 0; i < g->samples; i++) {
        const float *at = t->numbers + offset(t, w) + i * t->stride[AXIS_SAMPLE];
        const float x = at[0], y = at[t->stride[AXIS_K]], r = x * x + y * y;
        if (r < least * (1 - 1e-6f)) least = r, nearest = i;
    }
    return (int)nearest;
}

static void fill(const packing *g, const place *w)
{
    scan_owner *o = g->owner;
    const int64_t row = o->scan.acquisition_count++;
    argand_acquisition *a = &o->acquisitions[row];
    float *coordinates = o->coordinates + 4 * row * g->samples, *k[3];
    for (int d = 0; d < 3; d++) k[d] = coordinates + d * g->samples;
    float *t = coordinates + 3 * g->samples, *data = o->samples + 2 * row * g->samples * o->scan.channels;
    *a = (argand_acquisition){.samples = g->samples,
                              .channels = o->scan.channels,
                              .centre_sample = centre_of(g, w),
                              .sample_time = g->sample_time,
                              .data = data,
                              .k = {k[0], k[1], k[2]},
                              .t = t,
                              .row = row};
    set_counters(a, w);
    set_pose(a, g, w);
    fill_positions(g, a, k, w);
    fill_times(g, a, t, w);
    fill_samples(g, data, w);
}

/* ---- the whole */

static int64_t count_shots(const packing *g)
{
    place w = {0};
    int64_t count = 0;
    do count += g->trajectory || is_measured(g, &w);
    while (step(&w, g->kspace));
    return count;
}

static void note_lines(const packing *g)
{
    const pack_array *a = g->kspace;
    int64_t all = 1;
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++)
        if (kind != AXIS_COIL) all *= a->length[kind];
    const int64_t left_out = all - count_shots(g), ends = a->length[AXIS_SAMPLE] - g->samples;
    if (left_out && left_out < all)
        pack_note(g, "%s: %lld of %lld lines are exactly 0 in all coils: they count as not measured.",
                  a->name, (long long)left_out, (long long)all);
    if (ends && left_out < all)
        pack_note(g,
                  "%s: %lld of %lld samples at the ends of every line are exactly 0 in all coils: they "
                  "count as not measured.",
                  a->name, (long long)ends, (long long)a->length[AXIS_SAMPLE]);
}

static argand_status check_counters(const packing *g)
{
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++)
        if (g->kspace->length[kind] > (kind == AXIS_COIL ? 1024 : 65535))
            return status_set(ARGAND_UNSUPPORTED,
                              "%s: %lld along one of its axes is too much: at "
                              "most 1024 coils, and 65535 of all else but samples",
                              g->kspace->title, (long long)g->kspace->length[kind]);
    if (g->samples > 1 << 30)
        return status_set(ARGAND_UNSUPPORTED, "%s: %lld samples of a shot are too many", g->kspace->title,
                          (long long)g->samples);
    return ARGAND_OK;
}

static argand_status pack_times_check(packing *g, pack_array *times)
{
    const pack_array *k = g->kspace;
    float most = 0;
    static const pack_axis order[] = {AXIS_SAMPLE, AXIS_SHOT, AXIS_PARTITION};
    int64_t stride = 1;
    char shape[256];
    if (times->is_complex)
        return status_set(ARGAND_ARGUMENT, "%s: holds complex numbers; times are real, in seconds",
                          times->title);
    for (int i = 0, kind = 0; i < times->rank; i++) {
        if (times->dims[i] == 1) continue;
        if (kind == 3 || times->dims[i] != k->length[order[kind]])
            return status_set(
                ARGAND_ARGUMENT,
                "%s: has the shape %s; give a time for each of %lld samples, or for each sample "
                "of each of %lld shots",
                times->title, pack_shape_text(shape, sizeof shape, times), (long long)k->length[AXIS_SAMPLE],
                (long long)k->length[AXIS_SHOT]);
        times->length[order[kind]] = times->dims[i];
        times->stride[order[kind++]] = stride;
        stride *= times->dims[i];
    }
    if (k->length[AXIS_SAMPLE] > 1 && times->length[AXIS_SAMPLE] != k->length[AXIS_SAMPLE])
        return status_set(ARGAND_ARGUMENT, "%s: has one time for %lld samples; give a time for each of them",
                          times->title, (long long)k->length[AXIS_SAMPLE]);
    for (int64_t i = 0; i < stride; i++) most = fmaxf(most, fabsf(times->numbers[i]));
    if (most > 10)
        return status_set(ARGAND_ARGUMENT, "%s: reach %g; they are in seconds", times->title, (double)most);
    return ARGAND_OK;
}

/* Divides one long list of samples into equal shots, because an ISMRMRD acquisition holds at most 65535
 * samples. */
static void split(pack_array *kspace, pack_array *trajectory)
{
    enum { MOST_SAMPLES = 65535 };
    const int64_t all = kspace->length[AXIS_SAMPLE];
    int64_t parts = (all + MOST_SAMPLES - 1) / MOST_SAMPLES;
    if (!trajectory || all <= MOST_SAMPLES || kspace->length[AXIS_SHOT] > 1) return;
    while (parts < MOST_SAMPLES && all % parts) parts++;
    if (all % parts) return;
    pack_array *const both[] = {kspace, trajectory};
    for (int i = 0; i < 2; i++) {
        both[i]->length[AXIS_SAMPLE] = all / parts;
        both[i]->length[AXIS_SHOT] = parts;
        both[i]->stride[AXIS_SHOT] = all / parts * both[i]->stride[AXIS_SAMPLE];
    }
}

/* Sets sample time and echo time from the first and last time. Cartesian files do not store times; their
 * readers compute them from these two values. */
static void count_times(packing *g)
{
    const pack_array *times = g->times;
    const int64_t n = g->kspace->length[AXIS_SAMPLE];
    if (!times || g->trajectory || n < 2) return;
    const float *t = times->numbers;
    g->sample_time = (double)(t[n - 1] - t[0]) / (double)(n - 1);
    g->owner->scan.echo_time = (double)t[0] + (double)(n / 2) * g->sample_time;
}

static argand_status make_acquisitions(packing *g)
{
    scan_owner *o = g->owner;
    const int64_t count = count_shots(g), points = count * g->samples;
    place w = {0};
    CHECK(count, ARGAND_ARGUMENT, "%s: all of it is 0", g->kspace->title);
    o->scan.channels = (int)g->kspace->length[AXIS_COIL];
    TRY(NEW(o->acquisitions, count));
    TRY(memory_new(&o->samples, (size_t)points, (size_t)o->scan.channels * 2 * sizeof(float)));
    TRY(memory_new(&o->coordinates, (size_t)points, 4 * sizeof(float)));
    do
        if (g->trajectory || is_measured(g, &w)) fill(g, &w);
    while (step(&w, g->kspace));
    return ARGAND_OK;
}

/* Fills the fields that readers of ISMRMRD files expect. Nothing here depends on them. */
static argand_status publish(const packing *g)
{
    scan_owner *o = g->owner;
    argand_encoding *e = o->encodings;
    TRY(NEW(o->echo_times, 1));
    o->echo_times[0] = o->scan.echo_time;
    snprintf(e->trajectory, sizeof e->trajectory, "%s", g->trajectory ? "other" : "cartesian");
    e->k_unit = ARGAND_K_CYCLES;
    e->bands.count = 1;
    e->bands.calibration_encoding = -1;
    o->scan.encoding_count = 1;
    o->scan.acquisitions = o->acquisitions;
    o->scan.k_unit = ARGAND_K_CYCLES;
    o->scan.system = "";
    o->scan.notes = text_chars(&o->notes);
    o->scan.echo_times = o->echo_times;
    o->scan.echo_count = o->scan.echo_time > 0;
    snprintf(o->scan.path, sizeof o->scan.path, "%s", g->kspace->name);
    return o->notes.status;
}

/* Finds the kinds of the axes, the grid and the samples. */
static argand_status find(packing *g, pack_array *kspace, pack_array *trajectory)
{
    char axes[256];
    argand_encoding *e = g->owner->encodings;
    TRY(pack_axes_find(kspace, trajectory));
    pack_note(g, "%s: %s.", kspace->name, pack_axes_text(axes, sizeof axes, kspace));
    if (kspace->by_energy)
        pack_note(g,
                  "%s: its energy lies in the middle of all axes but one, which is taken for the coils "
                  "(--axes overrides this).",
                  kspace->name);
    if (kspace->repeated)
        pack_note(g,
                  "%s: all its coils hold the same samples up to a factor: if they are repetitions, name the "
                  "axes (--axes).",
                  kspace->name);
    if (trajectory) pack_note(g, "%s: %s.", trajectory->name, pack_axes_text(axes, sizeof axes, trajectory));
    if (trajectory) TRY(pack_order_apply(trajectory, g));
    split(kspace, trajectory);
    g->samples = kspace->length[AXIS_SAMPLE];
    TRY(check_counters(g));
    TRY(pack_matrix_find(e, kspace, trajectory, g));
    e->step1_centre = trajectory ? 0 : (int)(e->matrix[1] / 2);
    e->step2_centre = trajectory ? 0 : (int)(e->matrix[2] / 2);
    if (!trajectory) {
        find_ends(g);
        note_lines(g);
    }
    return ARGAND_OK;
}

/* Makes the scan. arrays: space for k-space, trajectory, times. */
static argand_status pack(packing *g, pack_array arrays[3], const argand_pack_array *kspace)
{
    const argand_pack_options *o = g->options;
    pack_array *trajectory = o->trajectory.array ? &arrays[1] : NULL;
    TRY(pack_array_take(&arrays[0], kspace, "kspace", false));
    if (trajectory) TRY(pack_array_take(trajectory, &o->trajectory, "trajectory", true));
    g->kspace = &arrays[0];
    g->trajectory = trajectory;
    TRY(find(g, &arrays[0], trajectory));
    if (o->times.array) {
        TRY(pack_array_take(&arrays[2], &o->times, "times", false));
        TRY(pack_times_check(g, &arrays[2]));
        g->times = &arrays[2];
    }
    count_times(g);
    TRY(make_acquisitions(g));
    return publish(g);
}

static argand_status check_options(const argand_pack_options *o)
{
    CHECK(o->k_unit >= ARGAND_K_AUTO && o->k_unit <= ARGAND_K_RADIANS_PER_M, ARGAND_ARGUMENT,
          "unknown unit of k (%d)", (int)o->k_unit);
    CHECK(o->k_order >= ARGAND_K_ORDER_AUTO && o->k_order <= ARGAND_K_ORDER_ZYX, ARGAND_ARGUMENT,
          "unknown order of the components of k (%d)", (int)o->k_order);
    CHECK(o->sample_time >= 0 && isfinite(o->sample_time) && o->echo_time >= 0 && isfinite(o->echo_time),
          ARGAND_ARGUMENT, "a sample time of %g s and an echo time of %g s: give 0 or more", o->sample_time,
          o->echo_time);
    for (int d = 0; d < 3; d++) {
        CHECK(o->matrix[d] >= 0, ARGAND_ARGUMENT, "a matrix of %lld along %c", (long long)o->matrix[d],
              "xyz"[d]);
        CHECK(o->field_of_view[d] >= 0 && isfinite(o->field_of_view[d]), ARGAND_ARGUMENT,
              "a field of view of %g mm along %c", o->field_of_view[d], "xyz"[d]);
    }
    return ARGAND_OK;
}

argand_status argand_scan_pack(argand_scan **scan, const argand_pack_array *kspace,
                               const argand_pack_options *options)
{
    static const argand_pack_options defaults = {0};
    pack_array arrays[3] = {{0}};
    packing g = {.options = options ? options : &defaults};
    argand_status status;
    if (scan) *scan = NULL;
    CHECK(scan && kspace && kspace->array, ARGAND_ARGUMENT, "argand_scan_pack: a pointer is NULL");
    TRY(check_options(g.options));
    TRY(NEW(g.owner, 1));
    TRY_OR_DONE(NEW(g.owner->encodings, 1));
    g.owner->scan.encodings = g.owner->encodings;
    g.owner->scan.echo_time = g.options->echo_time;
    g.sample_time = g.options->sample_time;
    status = pack(&g, arrays, kspace);
done:
    for (int i = 0; i < 3; i++) pack_array_free(&arrays[i]);
    if (status)
        argand_scan_destroy(&g.owner->scan);
    else
        *scan = &g.owner->scan;
    return status;
}
