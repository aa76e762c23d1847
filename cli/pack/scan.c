/* SPDX-License-Identifier: BSD-3-Clause */
/* The acquisitions of own arrays: one for each shot of each partition and volume. */
#include "pack/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is read of the arrays, and where it goes. */
typedef struct packing {
    pack_scan *p;
    const pack_array *kspace, *trajectory, *times; /* the last two NULL: none */
    const pack_settings *s;
    int64_t samples, first; /* of a shot: those between the zeros at both ends of a Cartesian grid */
    argand_geometry like;
} packing;

/* One shot. */
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

static argand_status take(void *to, size_t bytes)
{
    float **memory = to;
    *memory = calloc(1, bytes);
    return *memory ? ARGAND_OK : report_error(ARGAND_MEMORY, "no memory for %zu bytes of the scan", bytes);
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

/* The next shot, the shots of a volume one after the other. */
static bool step(place *w, const pack_array *a)
{
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++) {
        if (kind == AXIS_COIL) continue;
        if (++w->at[kind] < a->length[kind]) return true;
        w->at[kind] = 0;
    }
    return false;
}

/* Zeros at the ends of all lines were not measured either (asymmetric echoes). */
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

/* Slices are spaced by a thickness, their middle where the place in the patient has it. */
static void set_pose(argand_acquisition *a, const packing *g, const place *w)
{
    const argand_geometry *like = &g->like;
    const double middle = (double)(g->kspace->length[AXIS_SLICE] / 2);
    const double away = ((double)w->at[AXIS_SLICE] - middle) * g->p->encoding.field_of_view[2];
    for (int i = 0; i < 3; i++) {
        a->position[i] = (float)(like->valid ? like->centre[i] + away * like->slice[i] : i == 2 ? away : 0);
        a->read_dir[i] = (float)(like->valid ? like->read[i] : i == 0);
        a->phase_dir[i] = (float)(like->valid ? like->phase[i] : i == 1);
        a->slice_dir[i] = (float)(like->valid ? like->slice[i] : i == 2);
    }
}

static void fill_positions(const packing *g, argand_acquisition *a, float *k[3], const place *w)
{
    const pack_array *t = g->trajectory;
    const argand_encoding *e = &g->p->encoding;
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

/* As stored, or counted as readers of a file without times do. */
static void fill_times(const packing *g, const argand_acquisition *a, float *t, const place *w)
{
    const pack_array *times = g->times;
    for (int64_t i = 0; i < g->samples; i++)
        t[i] = times && g->trajectory
                   ? times->numbers[offset(times, w) + i * times->stride[AXIS_SAMPLE]]
                   : (float)(g->p->echo_time + (double)(i - a->centre_sample) * a->sample_time);
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

/* The sample nearest to the middle of k-space; of Cartesian lines the one that kx counts from. */
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

static void fill(packing *g, const place *w)
{
    pack_scan *p = g->p;
    const int64_t row = p->scan.acquisition_count++;
    argand_acquisition *a = &p->acquisitions[row];
    float *k[3];
    for (int d = 0; d < 3; d++) k[d] = p->k + (3 * row + d) * g->samples;
    float *t = p->t + row * g->samples, *data = p->data + 2 * row * g->samples * p->scan.channels;
    *a = (argand_acquisition){.samples = g->samples,
                              .channels = p->scan.channels,
                              .centre_sample = centre_of(g, w),
                              .sample_time = g->s->sample_time,
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

static void note_lines(const packing *g, report *out)
{
    const pack_array *a = g->kspace;
    int64_t all = 1;
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++)
        if (kind != AXIS_COIL) all *= a->length[kind];
    const int64_t left_out = all - count_shots(g), ends = a->length[AXIS_SAMPLE] - g->samples;
    if (left_out && left_out < all)
        report_note(out, "%s: %lld of %lld lines are exactly 0 in all coils: they count as not measured.",
                    a->path, (long long)left_out, (long long)all);
    if (ends && left_out < all)
        report_note(out,
                    "%s: %lld of %lld samples at the ends of every line are exactly 0 in all coils: they "
                    "count as not measured.",
                    a->path, (long long)ends, (long long)a->length[AXIS_SAMPLE]);
}

static argand_status check_counters(const packing *g)
{
    for (int kind = AXIS_SHOT; kind < AXIS_KINDS; kind++)
        if (g->kspace->length[kind] > (kind == AXIS_COIL ? 1024 : 65535))
            return report_error(ARGAND_UNSUPPORTED,
                                "--kspace %s: %lld along one of its axes is too much: at "
                                "most 1024 coils, and 65535 of all else but samples",
                                g->kspace->path, (long long)g->kspace->length[kind]);
    if (g->samples > 1 << 30)
        return report_error(ARGAND_UNSUPPORTED, "--kspace %s: %lld samples of a shot are too many",
                            g->kspace->path, (long long)g->samples);
    return ARGAND_OK;
}

static argand_status make_acquisitions(packing *g)
{
    pack_scan *p = g->p;
    const int64_t count = count_shots(g), points = count * g->samples;
    place w = {0};
    if (!count) return report_error(ARGAND_ARGUMENT, "--kspace %s: all of it is 0", g->kspace->path);
    p->scan.channels = (int)g->kspace->length[AXIS_COIL];
    TRY(take(&p->acquisitions, (size_t)count * sizeof *p->acquisitions));
    TRY(take(&p->data, (size_t)points * (size_t)p->scan.channels * 2 * sizeof(float)));
    TRY(take(&p->k, (size_t)points * 3 * sizeof(float)));
    TRY(take(&p->t, (size_t)points * sizeof(float)));
    do
        if (g->trajectory || is_measured(g, &w)) fill(g, &w);
    while (step(&w, g->kspace));
    p->scan.acquisitions = p->acquisitions;
    return ARGAND_OK;
}

/* Names that ISMRMRD has, for readers; nothing here depends on it. */
static void finish_scan(packing *g)
{
    pack_scan *p = g->p;
    argand_encoding *e = &p->encoding;
    snprintf(e->trajectory, sizeof e->trajectory, "%s", g->trajectory ? "other" : "cartesian");
    e->k_unit = ARGAND_K_CYCLES;
    e->bands.count = 1;
    e->bands.calibration_encoding = -1;
    p->scan.encoding_count = 1;
    p->scan.encodings = e;
    p->scan.arrays = p->arrays;
    p->scan.k_unit = ARGAND_K_CYCLES;
    p->scan.system = "";
    p->scan.notes = "";
    p->scan.echo_time = p->echo_time;
    p->scan.echo_times = &p->echo_time;
    p->scan.echo_count = p->echo_time > 0;
    snprintf(p->scan.path, sizeof p->scan.path, "%s", g->kspace->path);
}

static argand_status pack_times_check(packing *g, pack_array *times)
{
    const pack_array *k = g->kspace;
    float most = 0;
    static const pack_axis order[] = {AXIS_SAMPLE, AXIS_SHOT, AXIS_PARTITION};
    int64_t stride = 1;
    if (times->is_complex)
        return report_error(ARGAND_ARGUMENT, "--times %s: holds complex numbers; times are real, in seconds",
                            times->path);
    for (int i = 0, kind = 0; i < times->rank; i++) {
        if (times->dims[i] == 1) continue;
        if (kind == 3 || times->dims[i] != k->length[order[kind]])
            return report_error(ARGAND_ARGUMENT,
                                "--times %s: dimension %d (0 is the fastest) has %lld elements; give a time "
                                "for each of %lld samples, or for each sample of each of %lld shots",
                                times->path, i, (long long)times->dims[i], (long long)k->length[AXIS_SAMPLE],
                                (long long)k->length[AXIS_SHOT]);
        times->length[order[kind]] = times->dims[i];
        times->stride[order[kind++]] = stride;
        stride *= times->dims[i];
    }
    for (int64_t i = 0; i < stride; i++) most = fmaxf(most, fabsf(times->numbers[i]));
    if (most > 10)
        return report_error(ARGAND_ARGUMENT, "--times %s: reach %g; they are in seconds", times->path,
                            (double)most);
    return ARGAND_OK;
}

/* A Cartesian file has no place for times: what its readers count is made of the first and last of them. */
static void count_times(packing *g, pack_settings *s)
{
    const pack_array *times = g->times;
    const int64_t n = g->kspace->length[AXIS_SAMPLE];
    if (!times || g->trajectory || n < 2) return;
    const float *t = times->numbers;
    s->sample_time = (double)(t[n - 1] - t[0]) / (double)(n - 1);
    g->p->echo_time = (double)t[0] + (double)(n / 2) * s->sample_time;
}

static argand_status read_like(packing *g, pack_settings *s, argand_device *device, report *out)
{
    argand_array *image;
    if (!s->like) return ARGAND_OK;
    const argand_status status = argand_nifti_read(&image, s->like, device, &g->like);
    if (status) return report_error(status, "--like %s", argand_message());
    report_place(out, s->like, &g->like);
    if (!s->matrix.rank) {
        s->matrix.rank = argand_array_dim(image, 2) > 1 ? 3 : 2;
        for (int d = 0; d < s->matrix.rank; d++) s->matrix.n[d] = argand_array_dim(image, d);
    }
    argand_array_destroy(image);
    return ARGAND_OK;
}

/* A list of all samples, which ISMRMRD could not hold as one acquisition, becomes several. */
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

/* Components in the order of an image's NumPy axes, [z, y, x]: reversed. */
static void reverse_k(pack_array *t)
{
    const int64_t n = t->length[AXIS_K], stride = t->stride[AXIS_K], parts = t->is_complex ? 2 : 1;
    int64_t count = 1;
    for (int i = 0; i < t->rank; i++) count *= t->dims[i];
    for (int64_t i = 0; i < count; i++) {
        if (i / stride % n) continue;
        for (int64_t part = 0; part < parts; part++) {
            float *low = t->numbers + parts * i + part, *high = low + parts * stride * (n - 1), kept = *low;
            *low = *high;
            *high = kept;
        }
    }
}

static argand_status make(packing *g, pack_settings *s, pack_array *kspace, pack_array *trajectory,
                          argand_device *device, report *out)
{
    char text[256];
    TRY(read_like(g, s, device, out));
    TRY(pack_axes_find(kspace, trajectory, s));
    report_note(out, "%s: %s.", kspace->path, pack_axes_text(text, sizeof text, kspace));
    if (kspace->by_energy)
        report_note(out,
                    "%s: its energy lies in the middle of all axes but one, which is taken for the coils "
                    "(--axes overrides this).",
                    kspace->path);
    if (trajectory)
        report_note(out, "%s: %s.", trajectory->path, pack_axes_text(text, sizeof text, trajectory));
    if (trajectory && s->k_order) reverse_k(trajectory);
    split(kspace, trajectory);
    g->samples = kspace->length[AXIS_SAMPLE];
    TRY(check_counters(g));
    TRY(pack_matrix_find(&g->p->encoding, kspace, trajectory, s, &g->like, out));
    g->p->encoding.step1_centre = trajectory ? 0 : (int)(g->p->encoding.matrix[1] / 2);
    g->p->encoding.step2_centre = trajectory ? 0 : (int)(g->p->encoding.matrix[2] / 2);
    if (!trajectory) {
        find_ends(g);
        note_lines(g, out);
    }
    return ARGAND_OK;
}

argand_status pack_scan_make(pack_scan *p, const pack_settings *settings, argand_device *device, report *out)
{
    pack_settings s = *settings;
    pack_array kspace = {0}, trajectory = {0}, times = {0};
    *p = (pack_scan){.echo_time = s.echo_time, .cartesian = !s.trajectory};
    packing g = {.p = p, .kspace = &kspace, .s = &s};
    argand_status status = pack_array_read(&kspace, "--kspace", s.kspace, device);
    if (!status && s.trajectory) {
        status = pack_array_read(&trajectory, "--trajectory", s.trajectory, device);
        g.trajectory = &trajectory;
    }
    if (!status) status = make(&g, &s, &kspace, s.trajectory ? &trajectory : NULL, device, out);
    if (!status && s.times) {
        status = pack_array_read(&times, "--times", s.times, device);
        if (!status) status = pack_times_check(&g, &times);
        g.times = &times;
    }
    if (!status) count_times(&g, &s);
    if (!status) status = make_acquisitions(&g);
    if (!status) finish_scan(&g);
    pack_array_free(&kspace);
    pack_array_free(&trajectory);
    pack_array_free(&times);
    if (status) pack_scan_free(p);
    return status;
}

void pack_scan_free(pack_scan *p)
{
    for (size_t i = 0; i < sizeof p->array_data / sizeof *p->array_data; i++) free(p->array_data[i]);
    free(p->acquisitions);
    free(p->noise);
    free(p->data);
    free(p->k);
    free(p->t);
    free(p->noise_data);
    *p = (pack_scan){0};
}
