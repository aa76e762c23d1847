/* SPDX-License-Identifier: BSD-3-Clause */
/* From a scan's samples to coil maps on the image's grid. Maps are smooth: they are found on a grid of at
 * most 64 pixels along an axis, from the samples that lie within its k-space, and their coefficients padded.
 */
#include "joint/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIXELS = 64, STEPS = 12 };
enum { QUICK = 2000000 }; /* unknowns: some minutes, as 50000 take some seconds */

typedef struct source {
    const argand_scan *scan;
    const argand_sense *session;
    bool keeps_zeros; /* the volume is 0 everywhere */
    int encoding;
    argand_counters volume;
    double to_grid[3]; /* cycles per encoded field of view to those per the grid's */
    int64_t n[3], small[3];
} source;

/* What stands for a volume: its first repetition, contrast and so on. */
static bool belongs(const source *s, const argand_acquisition *a)
{
    const argand_counters *c = &a->counters, *v = &s->volume;
    return a->encoding == s->encoding && a->k[0] && c->slice == v->slice && c->repetition == v->repetition &&
           c->average == v->average && c->contrast == v->contrast && c->phase == v->phase && c->set == v->set;
}

static bool is_inside(const source *s, const argand_acquisition *a, int64_t i, double k[3])
{
    for (int d = 0; d < 3; d++) {
        k[d] = a->k[d] ? (double)a->k[d][i] * s->to_grid[d] : 0;
        if (s->small[d] == 1) k[d] = 0;
        if (!(fabs(k[d]) <= 0.5 * (double)s->small[d])) return false;
    }
    return true;
}

/* With p's memory: filled; without: counted. From the point `at` on; where it ends. */
static int64_t gather_list(joint_problem *p, const source *s, const argand_acquisition *list, int64_t count,
                           int64_t at)
{
    double k[3];
    for (int64_t r = 0; r < count; r++) {
        const argand_acquisition *a = &list[r];
        for (int64_t i = 0; belongs(s, a) && i < a->samples; i++) {
            if (!is_inside(s, a, i, k)) continue;
            if (!s->keeps_zeros && !argand_sense_is_measured(s->session, a, i)) continue;
            for (int d = 0; d < 3 && p->samples; d++) p->k[d][at] = k[d];
            for (int c = 0; c < a->channels && p->samples; c++) {
                const float *v = a->data + 2 * (a->samples * c + i);
                p->samples[p->points * c + at] = (double)v[0] + (double)v[1] * I;
            }
            at++;
        }
    }
    return at;
}

/* Image and calibration lines alike. */
static int64_t gather(joint_problem *p, const source *s)
{
    const int64_t images = gather_list(p, s, s->scan->acquisitions, s->scan->acquisition_count, 0);
    return gather_list(p, s, s->scan->calibrations, s->scan->calibration_count, images);
}

static argand_status make_problem(joint_problem *p, source *s)
{
    p->coils = s->scan->channels;
    p->steps = STEPS;
    memcpy(p->n, s->small, sizeof p->n);
    s->keeps_zeros = false;
    p->points = gather(p, s);
    s->keeps_zeros = !p->points;
    if (!p->points) p->points = gather(p, s);
    if (!p->points)
        return report_error(ARGAND_FORMAT, "%s: --coils joint: no samples near the middle of k-space",
                            s->scan->path);
    double complex *samples = malloc((size_t)(p->points * p->coils) * sizeof *samples);
    for (int d = 0; d < 3; d++) p->k[d] = malloc((size_t)p->points * sizeof *p->k[d]);
    if (!samples || !p->k[0] || !p->k[1] || !p->k[2])
        return free(samples), report_error(ARGAND_MEMORY, "no memory for --coils joint");
    p->samples = samples;
    gather(p, s);
    return ARGAND_OK;
}

static void free_problem(joint_problem *p)
{
    for (int d = 0; d < 3; d++) free(p->k[d]);
    free(p->samples);
}

/* Coefficients of the small grid in the middle of the large one's. */
static void pad(double complex *to, const double complex *from, const source *s, int coils)
{
    const int64_t *n = s->n, *m = s->small, pixels = n[0] * n[1] * n[2], few = m[0] * m[1] * m[2];
    memset(to, 0, (size_t)(pixels * coils) * sizeof *to);
    for (int64_t i = 0; i < few * coils; i++) {
        const int64_t x = i % m[0] - m[0] / 2 + n[0] / 2, y = i / m[0] % m[1] - m[1] / 2 + n[1] / 2,
                      z = i / (m[0] * m[1]) % m[2] - m[2] / 2 + n[2] / 2;
        to[x + n[0] * (y + n[1] * z) + pixels * (i / few)] = from[i];
    }
}

static void normalise(double complex *maps, int64_t pixels, int coils)
{
    for (int64_t i = 0; i < pixels; i++) {
        double energy = 0;
        for (int c = 0; c < coils; c++) {
            const double size = cabs(maps[i + pixels * c]);
            energy += size * size;
        }
        for (int c = 0; c < coils && energy > 0; c++) maps[i + pixels * c] /= sqrt(energy);
    }
}

/* full: complex doubles {nx, ny, nz, coils} of one slice. */
static argand_status finish(argand_array *full, const double complex *coefficients, const source *s,
                            int coils)
{
    argand_fft *plan;
    double complex *values = argand_array_data(full);
    pad(values, coefficients, s, coils);
    TRY(argand_fft_create(&plan, argand_array_device(full),
                          &(argand_fft_options){.type = ARGAND_C64,
                                                .rank = 3,
                                                .n = {s->n[0], s->n[1], s->n[2]},
                                                .batch = coils,
                                                .centred = true}));
    const argand_status status = argand_fft_apply(plan, full, full, ARGAND_INVERSE);
    argand_fft_destroy(plan);
    if (!status) normalise(values, s->n[0] * s->n[1] * s->n[2], coils);
    return status;
}

static bool is_empty(const joint_problem *p)
{
    for (int64_t i = 0; i < p->points * p->coils; i++)
        if (p->samples[i] != 0) return false;
    return true;
}

/* A slice that was not measured has an image of zeros by any maps. */
static argand_status one_slice(argand_array *full, source *s)
{
    joint_problem p = {.host = argand_array_device(full)};
    double complex *coefficients = NULL;
    argand_status status = make_problem(&p, s);
    if (!status && is_empty(&p)) {
        free_problem(&p);
        return argand_array_fill(full, (argand_scalar){1 / sqrt(p.coils), 0});
    }
    if (!status) {
        coefficients = malloc((size_t)(p.n[0] * p.n[1] * p.n[2] * p.coils) * sizeof *coefficients);
        status = coefficients ? joint_solve(coefficients, &p)
                              : report_error(ARGAND_MEMORY, "no memory for --coils joint");
    }
    if (!status) status = finish(full, coefficients, s, p.coils);
    free(coefficients);
    free_problem(&p);
    return status;
}

static void place(source *s, const argand_sense *session)
{
    const argand_encoding *e = &s->scan->encodings[s->encoding];
    const argand_geometry g = argand_sense_geometry(session, 0);
    argand_sense_grid(session, s->n);
    for (int d = 0; d < 3; d++) {
        const double grid = g.voxel[d] * (double)s->n[d];
        s->to_grid[d] = grid > 0 && e->field_of_view[d] > 0 ? grid / e->field_of_view[d] : 1;
        s->small[d] = s->n[d] < MOST_PIXELS ? s->n[d] : MOST_PIXELS;
    }
}

/* The slice's maps go to their place in those of all. */
static argand_status put(argand_array *all, const argand_array *full, int64_t slice)
{
    argand_array *to = NULL, *from = NULL;
    const int64_t count = argand_array_count(full);
    argand_status status = argand_array_view(&to, all, 1, &count, NULL, slice * count);
    if (!status) status = argand_array_reshape(&from, full, 1, &count);
    if (!status) status = argand_array_copy(to, from);
    argand_array_destroy(from);
    argand_array_destroy(to);
    return status;
}

static int64_t slices_of(const argand_sense *session)
{
    int64_t slices = 1;
    for (int v = 0; v < argand_sense_volumes(session); v++)
        if (argand_sense_counters(session, v)->slice >= slices)
            slices = argand_sense_counters(session, v)->slice + 1;
    return slices;
}

bool joint_is_quick(const argand_scan *scan, const argand_sense *session)
{
    int64_t n[3];
    double unknowns = scan->channels * (double)slices_of(session);
    argand_sense_grid(session, n);
    for (int d = 0; d < 3; d++) unknowns *= (double)(n[d] < MOST_PIXELS ? n[d] : MOST_PIXELS);
    return unknowns <= QUICK;
}

argand_status joint_maps(argand_array **maps, argand_device *device, const argand_scan *scan,
                         const argand_sense *session, int encoding, report *out)
{
    source s = {.scan = scan, .session = session, .encoding = encoding};
    argand_device *host;
    argand_device_info info;
    argand_array *full = NULL;
    const int64_t slices = slices_of(session);
    const int volumes = argand_sense_volumes(session);
    if (scan->encodings[encoding].bands.count > 1)
        return report_error(
            ARGAND_UNSUPPORTED,
            "--coils joint: not of simultaneous slices; give a map for each slice (--coil-maps)");
    place(&s, session);
    const int64_t dims[5] = {s.n[0], s.n[1], s.n[2], scan->channels, slices};
    report_note(out,
                "Coil maps are estimated together with the image (nonlinear inversion), from the samples of "
                "%lld x %lld x %lld cells around the middle of k-space.",
                (long long)s.small[0], (long long)s.small[1], (long long)s.small[2]);
    TRY(argand_device_open(&host, "cpu"));
    if (argand_device_describe(device, &info) || strcmp(info.backend, "cpu"))
        report_note(out, "The coil maps are computed on the CPU, in double precision; what follows on the "
                         "device. --save-maps keeps them for --coil-maps.");
    argand_status status = argand_array_create(&full, host, ARGAND_C64, 4, dims);
    if (!status) status = argand_array_create(maps, device, ARGAND_C32, slices > 1 ? 5 : 4, dims);
    bool done[65536] = {false};
    for (int v = 0; v < volumes && !status; v++) {
        s.volume = *argand_sense_counters(session, v);
        if (done[s.volume.slice]) continue;
        done[s.volume.slice] = true;
        status = one_slice(full, &s);
        if (!status) status = put(*maps, full, s.volume.slice);
    }
    argand_array_destroy(full);
    argand_device_close(host);
    return status;
}
