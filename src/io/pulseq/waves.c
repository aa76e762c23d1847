/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients as polygons; centres and uses of RF pulses. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/pi.h"
#include "io/pulseq/pulseq.h"

/* ---- gradients */

static argand_status new_wave(pulseq_wave *wave, int64_t count)
{
    TRY(NEW(wave->t, 3 * count));
    wave->v = wave->t + count;
    wave->moment = wave->v + count;
    wave->count = count;
    return ARGAND_OK;
}

static argand_status integrate(pulseq_wave *wave, const pulseq_file *file, double id)
{
    for (int64_t i = 1; i < wave->count; i++) {
        CHECK(wave->t[i] >= wave->t[i - 1], ARGAND_FORMAT, "%s: the times of gradient %.9g do not rise",
              file->path, id);
        wave->moment[i] =
            wave->moment[i - 1] + 0.5 * (wave->v[i] + wave->v[i - 1]) * (wave->t[i] - wave->t[i - 1]);
    }
    return ARGAND_OK;
}

static argand_status make_trapezoid(pulseq_wave *wave, const pulseq_row *row)
{
    TRY(new_wave(wave, 4));
    wave->t[0] = row->v[5] * 1e-6;
    for (int i = 1; i < 4; i++) wave->t[i] = wave->t[i - 1] + row->v[1 + i] * 1e-6;
    wave->v[1] = wave->v[2] = row->v[1];
    return ARGAND_OK;
}

/* Makes the polygon of a gradient on the raster: samples in the middle of each interval (or, oversampled,
 * also at the borders), and the values at both ends. */
static argand_status make_raster(pulseq_wave *wave, const pulseq_file *file, const pulseq_shape *shape,
                                 double amplitude, const double ends[2], double delay, bool oversampled)
{
    const double step = file->gradient_raster * (oversampled ? 0.5 : 1), first = file->gradient_raster * 0.5;
    const int64_t n = shape->count;
    TRY(new_wave(wave, n + 2));
    for (int64_t i = 0; i < n; i++) {
        wave->t[i + 1] = delay + first + (double)i * step;
        wave->v[i + 1] = amplitude * shape->values[i];
    }
    wave->t[0] = delay;
    wave->v[0] = ends[0];
    wave->t[n + 1] = wave->t[n] + first;
    wave->v[n + 1] = wave->last = ends[1];
    return ARGAND_OK;
}

static argand_status make_polygon(pulseq_wave *wave, const pulseq_file *file, const pulseq_shape *shape,
                                  double amplitude, double time_id, double delay)
{
    const pulseq_shape *times;
    TRY(pulseq_find_shape(&times, file, time_id, "a gradient's time"));
    CHECK(times->count == shape->count, ARGAND_FORMAT, "%s: a gradient has %lld samples at %lld times",
          file->path, (long long)shape->count, (long long)times->count);
    TRY(new_wave(wave, shape->count));
    for (int64_t i = 0; i < shape->count; i++) {
        wave->t[i] = delay + times->values[i] * file->gradient_raster;
        wave->v[i] = amplitude * shape->values[i];
    }
    wave->last = wave->v[shape->count - 1];
    return ARGAND_OK;
}

static argand_status make_gradient(pulseq_wave *wave, const pulseq_file *file, const pulseq_row *row,
                                   double before)
{
    const bool five = file->minor >= 5;
    const double *v = row->v + (five ? 4 : 2), amplitude = row->v[1], delay = v[2] * 1e-6;
    const pulseq_shape *shape;
    TRY(pulseq_find_shape(&shape, file, v[0], "a gradient"));
    if (v[1] != 0 && v[1] != -1) return make_polygon(wave, file, shape, amplitude, v[1], delay);
    double ends[2] = {row->v[2], row->v[3]};
    if (!five) { /* 1.4 does not say what lies at both ends */
        const int64_t n = shape->count;
        ends[0] = delay > 0 ? 0 : before;
        ends[1] =
            amplitude * (n > 1 ? 1.5 * shape->values[n - 1] - 0.5 * shape->values[n - 2] : shape->values[0]);
    }
    return make_raster(wave, file, shape, amplitude, ends, delay, v[1] == -1);
}

argand_status pulseq_make_wave(pulseq_wave **wave, pulseq_file *file, double id, double before)
{
    const int64_t trapezoid = pulseq_find(&file->trapezoids, id), other = pulseq_find(&file->gradients, id);
    CHECK(trapezoid >= 0 || other >= 0, ARGAND_FORMAT, "%s: a block has the gradient %.9g, which is missing",
          file->path, id);
    *wave = &file->waves[other >= 0 ? other : file->gradients.count + trapezoid];
    if ((*wave)->count) return ARGAND_OK;
    if (other >= 0)
        TRY(make_gradient(*wave, file, &file->gradients.rows[other], before));
    else
        TRY(make_trapezoid(*wave, &file->trapezoids.rows[trapezoid]));
    return integrate(*wave, file, id);
}

double pulseq_moment(const pulseq_wave *wave, double t)
{
    int64_t low = 0, high = wave->count - 1;
    if (t <= wave->t[0]) return 0;
    if (t >= wave->t[high]) return wave->moment[high];
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        *(wave->t[middle] <= t ? &low : &high) = middle;
    }
    const double length = wave->t[high] - wave->t[low], part = t - wave->t[low];
    const double slope = length > 0 ? (wave->v[high] - wave->v[low]) / length : 0;
    return wave->moment[low] + part * (wave->v[low] + 0.5 * part * slope);
}

/* ---- RF pulses */

/* Before version 1.4 the samples of a pulse lie at the ends of the raster's intervals. */
static double time_of(const pulseq_file *file, const pulseq_shape *times, int64_t i)
{
    const double place = file->minor < 4 ? 1 : 0.5;
    return (times ? times->values[i] : (double)i + place) * file->pulse_raster;
}

/* Finds the middle of the plateau of the largest amplitude, and the flip angle in turns. */
static void measure(double *centre, double *flip, const pulseq_file *file, const pulseq_row *row,
                    const pulseq_shape *size, const pulseq_shape *phase, const pulseq_shape *times)
{
    double largest = 0;
    int64_t first = -1, last = -1;
    double complex sum = 0;
    for (int64_t i = 0; i < size->count; i++) largest = fmax(largest, fabs(size->values[i]));
    for (int64_t i = 0; i < size->count; i++) {
        if (fabs(size->values[i]) >= largest * 0.99999) {
            if (first < 0) first = i;
            last = i;
        }
        if (i + 1 < size->count)
            sum += row->v[1] * size->values[i] * cexp(TWO_PI * I * (phase ? phase->values[i] : 0)) *
                   (time_of(file, times, i + 1) - time_of(file, times, i));
    }
    *centre = (time_of(file, times, first) + time_of(file, times, last)) / 2;
    *flip = cabs(sum);
}

/* Returns true for an offset from -3.5 to -3.4 ppm, that of fat, at a usual field. */
static bool is_fat(double offset)
{
    static const double fields[] = {0.55, 1.5, 3, 7}; /* T */
    const double hertz_a_ppm = 42.576;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const double ppm = offset / (hertz_a_ppm * fields[i]);
        if (ppm >= -3.5 && ppm <= -3.4) return true;
    }
    return false;
}

/* Version 1.4 does not say what a pulse is for: up to 90 degrees it excites, otherwise it refocuses, but a
 * long one at the frequency of fat saturates (as pypulseq guesses). */
static argand_status guess_pulse(pulseq_pulse *pulse, const pulseq_file *file, const pulseq_row *row)
{
    const pulseq_shape *size, *phase = NULL, *times = NULL;
    double flip;
    TRY(pulseq_find_shape(&size, file, row->v[2], "an RF pulse"));
    if (row->v[3] != 0) TRY(pulseq_find_shape(&phase, file, row->v[3], "an RF pulse's phase"));
    if (row->v[4] > 0) TRY(pulseq_find_shape(&times, file, row->v[4], "an RF pulse's time"));
    CHECK((!phase || phase->count == size->count) && (!times || times->count == size->count), ARGAND_FORMAT,
          "%s: the shapes of the RF pulse %.9g have different lengths", file->path, row->v[0]);
    measure(&pulse->centre, &flip, file, row, size, phase, times);
    const double length =
        times ? time_of(file, times, size->count - 1) : (double)size->count * file->pulse_raster;
    const bool saturates = length > 6e-3 && is_fat(row->v[6]);
    pulse->centre += row->v[5] * 1e-6;
    pulse->use = flip * 360 < 90.01 ? 'e' : saturates ? 's' : 'r';
    return ARGAND_OK;
}

argand_status pulseq_make_pulses(pulseq_file *file)
{
    for (int64_t i = 0; i < file->pulses.count; i++) {
        const pulseq_row *row = &file->pulses.rows[i];
        pulseq_pulse *pulse = &file->centres[i];
        if (file->minor < 5) {
            TRY(guess_pulse(pulse, file, row));
            continue;
        }
        pulse->centre = (row->v[5] + row->v[6]) * 1e-6;
        pulse->use = row->use == 'u' || !row->use ? 'e' : row->use;
    }
    return ARGAND_OK;
}
