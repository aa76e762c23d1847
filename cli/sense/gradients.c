/* SPDX-License-Identifier: BSD-3-Clause */
/* A readout's gradient waveform, the differences of its positions, through the response H: G'(f) = H(f) G(f),
 * a delay being exp(-2 pi i f t). Before the first sample the gradients are taken to be at rest. */
#include "common/whole.h"
#include "files/maps.h"
#include "sense/gradients.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sense/inputs.h"

static const double two_pi = 2 * 3.14159265358979323846;

/* H at even steps of frequency, element floor(count/2) at 0 Hz, for each axis of k. */
typedef struct response {
    int64_t count, axes;
    double step; /* Hz */
    double complex *values;
    double delay[3]; /* s */
} response;

static double complex response_at(const response *r, int axis, double frequency)
{
    const double complex phase_factor = cexp(-I * two_pi * frequency * r->delay[axis]);
    if (!r->count) return phase_factor;
    const double at = frequency / r->step + (double)(r->count / 2);
    if (!(at > -1 && at < (double)r->count)) return 0; /* beyond what was measured */
    const int64_t below = whole(floor(at), -1, r->count - 1);
    const double part = at - (double)below;
    const double complex *v = r->values + r->count * (axis < r->axes ? axis : r->axes - 1);
    const double complex low = below >= 0 && below < r->count ? v[below] : 0,
                         high = below + 1 >= 0 && below + 1 < r->count ? v[below + 1] : 0;
    return phase_factor * (low * (1 - part) + high * part);
}

static bool read_delays(response *r, const char *list)
{
    const char *at = list;
    for (int i = 0; i < 3; i++, at++) {
        char *end;
        const double us = strtod(at, &end);
        if (end == at || !(fabs(us) < 1e5)) return false;
        for (int axis = i; axis < 3; axis++) r->delay[axis] = us * 1e-6;
        at = end;
        if (!*at) return true;
        if (*at != ',') return false;
    }
    return false;
}

/* {frequencies, axes}, in NumPy [axis, frequency]; one axis is for all. */
static argand_status read_response(response *r, const sense_settings *s, argand_device *host)
{
    argand_array *file = NULL, *wide = NULL;
    TRY(array_file_read("--girf", s->girf, host, &file));
    const int64_t dims[2] = {argand_array_dim(file, 0), argand_array_dim(file, 1)};
    argand_status status = ARGAND_OK;
    if (argand_array_rank(file) > 2 || dims[0] < 3 || dims[1] > 3)
        status = report_error(ARGAND_ARGUMENT,
                              "--girf %s: wanted is a response [axis, frequency] of 1 to 3 axes", s->girf);
    r->values = malloc((size_t)(dims[0] * dims[1]) * sizeof *r->values);
    if (!status && !r->values) status = report_error(ARGAND_MEMORY, "out of memory");
    if (!status) status = argand_array_create(&wide, host, ARGAND_C64, argand_array_rank(file), dims);
    if (!status) status = argand_array_copy(wide, file);
    if (!status) status = argand_array_download(wide, r->values);
    argand_array_destroy(wide);
    argand_array_destroy(file);
    r->count = dims[0];
    r->axes = dims[1];
    r->step = s->girf_step;
    const double complex at_rest = r->values && !status ? r->values[r->count / 2] : 1;
    if (!status && !(cabs(at_rest - 1) < 0.2))
        status = report_error(ARGAND_ARGUMENT,
                              "--girf %s: the response at 0 Hz, element %lld, is %.3g: it should "
                              "be near 1",
                              s->girf, (long long)(r->count / 2), cabs(at_rest));
    return status;
}

/* ---- one readout */

typedef struct filter {
    const response *r;
    argand_device *host;
    argand_fft *plan;
    argand_array *waves;
    int64_t n; /* padded length */
} filter;

static argand_status prepare(filter *f, int64_t samples)
{
    const int64_t n = argand_fft_next_size(2 * samples + 64);
    if (f->plan && f->n == n) return ARGAND_OK;
    argand_fft_destroy(f->plan);
    argand_array_destroy(f->waves);
    f->plan = NULL;
    f->waves = NULL;
    f->n = n;
    TRY(argand_fft_create(
        &f->plan, f->host,
        &(argand_fft_options){
            .type = ARGAND_C64, .rank = 1, .n = {n}, .batch = 3, .scale = ARGAND_SCALE_INVERSE}));
    return argand_array_create(&f->waves, f->host, ARGAND_C64, 2, (int64_t[]){n, 3});
}

static void multiply(const filter *f, double complex *waves, double sample_time)
{
    for (int axis = 0; axis < 3; axis++)
        for (int64_t i = 0; i < f->n; i++) {
            const double frequency = (double)(i <= f->n / 2 ? i : i - f->n) / ((double)f->n * sample_time);
            waves[f->n * axis + i] *= response_at(f->r, axis, frequency);
        }
}

/* The samples are in order of time, except in reversed readouts, which were turned: they are filtered from
 * their end. */
static argand_status play(filter *f, float *to[3], const argand_acquisition *a, double sample_time)
{
    const bool reversed = a->flags & ARGAND_FLAG_REVERSE;
    const int64_t count = a->samples;
    TRY(prepare(f, count));
    double complex *waves = argand_array_data(f->waves);
    memset(waves, 0, (size_t)f->n * 3 * sizeof *waves);
    for (int axis = 0; axis < 3; axis++)
        for (int64_t i = 1; i < count; i++) {
            const int64_t now = reversed ? count - 1 - i : i, before = reversed ? now + 1 : now - 1;
            waves[f->n * axis + i] = (double)a->k[axis][now] - (double)a->k[axis][before];
        }
    TRY(argand_fft_apply(f->plan, f->waves, f->waves, ARGAND_FORWARD));
    multiply(f, waves, sample_time);
    TRY(argand_fft_apply(f->plan, f->waves, f->waves, ARGAND_INVERSE));
    for (int axis = 0; axis < 3; axis++) {
        double k = (double)a->k[axis][reversed ? count - 1 : 0];
        for (int64_t i = 0; i < count; i++)
            to[axis][reversed ? count - 1 - i : i] = (float)(k += creal(waves[f->n * axis + i]));
    }
    return ARGAND_OK;
}

/* The raster: of the head, else of the times. */
static argand_status raster(double *sample_time, const argand_acquisition *a, const argand_scan *scan)
{
    const int64_t last = a->samples - 1;
    *sample_time = a->sample_time;
    if (last > 0 && a->t && fabs((double)(a->t[last] - a->t[0])) > 0)
        *sample_time = fabs((double)a->t[last] - (double)a->t[0]) / (double)last;
    if (*sample_time > 0) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "%s: nothing says how far samples are apart in time, which --girf and --delay need: give "
        "--times or --sample-time",
        scan->path);
}

/* ---- the scan */

static argand_status play_list(filter *f, argand_acquisition *list, int64_t count, const argand_scan *scan,
                               float **at)
{
    for (int64_t i = 0; i < count; i++) {
        argand_acquisition *a = &list[i];
        double sample_time;
        float *to[3];
        if (!a->k[0] || !a->k[1] || !a->k[2] || a->samples < 2) continue;
        TRY(raster(&sample_time, a, scan));
        for (int d = 0; d < 3; d++, *at += a->samples) to[d] = *at;
        TRY(play(f, to, a, sample_time));
        for (int d = 0; d < 3; d++) a->k[d] = to[d];
    }
    return ARGAND_OK;
}

static argand_status copy_lists(sense_gradients *g, const argand_scan *scan)
{
    const argand_acquisition *const from[3] = {scan->acquisitions, scan->calibrations, scan->navigators};
    const int64_t counts[3] = {scan->acquisition_count, scan->calibration_count, scan->navigator_count};
    size_t floats = 1;
    for (int l = 0; l < 3; l++) {
        g->lists[l] = malloc((size_t)(counts[l] + 1) * sizeof **g->lists);
        if (!g->lists[l]) return report_error(ARGAND_MEMORY, "out of memory");
        for (int64_t i = 0; i < counts[l]; i++) {
            g->lists[l][i] = from[l][i];
            floats += 3 * (size_t)from[l][i].samples;
        }
    }
    g->positions = malloc(floats * sizeof *g->positions);
    if (!g->positions) return report_error(ARGAND_MEMORY, "no memory for other positions");
    g->scan.acquisitions = g->lists[0];
    g->scan.calibrations = g->lists[1];
    g->scan.navigators = g->lists[2];
    return ARGAND_OK;
}

bool sense_gradients_wanted(const sense_settings *s)
{
    return s->girf || s->delay;
}

argand_status sense_gradients_begin(sense_gradients *g, const sense_settings *s, const argand_scan *scan,
                                    report *out)
{
    response r = {0};
    filter f = {.r = &r};
    float *at;
    *g = (sense_gradients){.scan = *scan};
    if (s->delay && !read_delays(&r, s->delay))
        return report_error(ARGAND_ARGUMENT,
                            "--delay %s: give microseconds like 2.5 or, for x, y and z, 2,2.5,1", s->delay);
    if (s->girf && !(s->girf_step > 0))
        return report_error(ARGAND_ARGUMENT,
                            "--girf %s: give the step between its frequencies in Hz "
                            "(--girf-step)",
                            s->girf);
    TRY(argand_device_open(&f.host, "cpu"));
    argand_status status = s->girf ? read_response(&r, s, f.host) : ARGAND_OK;
    if (!status) status = copy_lists(g, scan);
    at = g->positions;
    const int64_t counts[3] = {scan->acquisition_count, scan->calibration_count, scan->navigator_count};
    for (int l = 0; l < 3 && !status; l++) status = play_list(&f, g->lists[l], counts[l], scan, &at);
    if (!status)
        report_note(out, "Positions are those that the gradients played%s%s%s%s.",
                    s->girf ? ", by the response " : "", s->girf ? s->girf : "",
                    s->delay ? ", late by us: " : "", s->delay ? s->delay : "");
    argand_fft_destroy(f.plan);
    argand_array_destroy(f.waves);
    argand_device_close(f.host);
    free(r.values);
    return status;
}

void sense_gradients_end(sense_gradients *g)
{
    for (int l = 0; l < 3; l++) free(g->lists[l]);
    free(g->positions);
    *g = (sense_gradients){0};
}
