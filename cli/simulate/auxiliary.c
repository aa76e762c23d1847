/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a complete scan as a scanner would measure it: noise acquisitions before it, omitted lines
 * (partial Fourier, acceleration with central calibration lines), sums of slices that are excited
 * together. */
#include "simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/report.h"

static bool is_cartesian(const simulate_settings *s)
{
    return s->kind == ARGAND_CARTESIAN;
}

argand_status simulate_auxiliary_check(const simulate_settings *s)
{
    if ((s->partial_fourier < 1 || s->calibration) && !is_cartesian(s))
        return report_error(
            ARGAND_ARGUMENT,
            "--partial-fourier and --calibration leave lines out: take --trajectory cartesian");
    if (s->calibration > s->matrix.n[1])
        return report_error(ARGAND_ARGUMENT, "--calibration %d: the matrix has %lld lines", s->calibration,
                            (long long)s->matrix.n[1]);
    if (s->calibration && s->acceleration != floor(s->acceleration))
        return report_error(ARGAND_ARGUMENT, "--calibration needs a whole --acceleration, not %g",
                            s->acceleration);
    if (s->calibration_flags && (!s->calibration || s->bands > 1))
        return report_error(ARGAND_ARGUMENT,
                            "--calibration-flags are of the lines that --calibration adds to "
                            "a scan without --bands");
    if (s->bands > 1 && simulate_is_volume(s))
        return report_error(ARGAND_ARGUMENT,
                            "--bands needs 2-D slices, but --matrix has three sizes: give two");
    if (s->slices % s->bands)
        return report_error(ARGAND_ARGUMENT, "--bands %d does not divide --slices %d", s->bands, s->slices);
    if (s->bands > 1 && s->phase_range > 0)
        return report_error(ARGAND_ARGUMENT, "--bands and --phase-range exclude each other; leave one out");
    return ARGAND_OK;
}

double simulate_acceleration(const simulate_settings *s)
{
    return s->calibration ? 1 : s->acceleration; /* with calibration lines, other lines are removed later */
}

static int line_of(const simulate_file *f, const argand_acquisition *a)
{
    return (int)a->counters.shot - f->encoding.step1_centre;
}

/* Returns true if a line of a Cartesian scan is measured for the image or calibrates. */
static bool is_measured(const simulate_file *f, const simulate_settings *s, const argand_acquisition *a)
{
    const int n = (int)s->matrix.n[1], line = line_of(f, a);
    const int first = n - n / 2 - (int)lround(s->partial_fourier * n);
    const int step = s->calibration ? (int)lround(s->acceleration) : 1;
    return line >= first && (line + n) % step == 0;
}

static bool calibrates(const simulate_file *f, const simulate_settings *s, const argand_acquisition *a)
{
    const int line = line_of(f, a);
    return s->calibration && line >= -(s->calibration / 2) && line < s->calibration - s->calibration / 2;
}

/* Use of a line: in the image data, with which flags, and in the calibration acquisitions. */
typedef struct line_fate {
    bool image, aside;
    uint64_t flags;
} line_fate;

static line_fate fate_of(const simulate_settings *s, bool measured, bool calibration)
{
    const uint64_t both = ARGAND_FLAG_CALIBRATION_AND_IMAGING;
    if (!calibration) return (line_fate){.image = measured};
    switch (s->calibration_flags) {
    case FLAGS_IMAGING:
        return (line_fate){.image = true, .flags = both};
    case FLAGS_NONE:
        return (line_fate){.image = true};
    case FLAGS_SEPARATE:
        return (line_fate){.image = measured, .aside = true};
    case FLAGS_CALIBRATION:
        return (line_fate){.image = measured, .aside = !measured};
    default:
        return (line_fate){.image = measured, .aside = !measured, .flags = both};
    }
}

/* Finds the use of a line of simultaneous slices: single slices of the first echo and repetition calibrate
 * them. */
static line_fate fate_of_band(bool measured, bool calibration, const argand_counters *c)
{
    return (line_fate){.image = measured, .aside = calibration && c->contrast == 0 && c->repetition == 0};
}

static void set_lines_aside(simulate_file *f, const simulate_settings *s)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < f->scan.acquisition_count; i++) {
        argand_acquisition a = f->acquisitions[i];
        const bool measured = is_measured(f, s, &a), calibration = calibrates(f, s, &a);
        const line_fate fate = s->bands > 1 ? fate_of_band(measured, calibration, &a.counters)
                                            : fate_of(s, measured, calibration);
        if (fate.aside) {
            f->calibrations[f->scan.calibration_count] = a;
            f->calibrations[f->scan.calibration_count++].flags = ARGAND_FLAG_CALIBRATION;
        }
        if (!fate.image) continue;
        a.flags |= fate.flags;
        f->acquisitions[kept++] = a;
    }
    f->scan.acquisition_count = kept;
}

/* Returns the header's calibrationMode. */
static const char *mode_of(const simulate_settings *s)
{
    return s->bands > 1 || s->calibration_flags == FLAGS_SEPARATE ? "separate" : "embedded";
}

/* Adds from exp(-2 pi i turns) to `to`. */
static void add_with_phase(float *to, const float *from, int64_t count, double turns)
{
    const double re = cos(-6.283185307179586476925 * turns), im = sin(-6.283185307179586476925 * turns);
    for (int64_t i = 0; i < count; i++) {
        to[2 * i] += (float)(re * (double)from[2 * i] - im * (double)from[2 * i + 1]);
        to[2 * i + 1] += (float)(re * (double)from[2 * i + 1] + im * (double)from[2 * i]);
    }
}

static const argand_acquisition *same_but_slice(const simulate_file *f, const argand_acquisition *like,
                                                int slice)
{
    argand_counters c = like->counters;
    c.slice = (uint16_t)slice;
    for (int64_t i = 0; i < f->scan.acquisition_count; i++)
        if (!memcmp(&f->acquisitions[i].counters, &c, sizeof c)) return &f->acquisitions[i];
    return like;
}

/* Sums the samples of a group's acquisition with the phase of each band. From shot to shot, kz steps
 * through the bands. */
static void add_bands_up(const simulate_file *f, const simulate_settings *s, const argand_acquisition *a,
                         float *sum)
{
    const int groups = s->slices / s->bands;
    const double kz = a->counters.shot % s->bands - s->bands / 2;
    for (int b = 0; b < s->bands; b++) {
        const argand_acquisition *part = same_but_slice(f, a, a->counters.slice + b * groups);
        add_with_phase(sum, part->data, a->samples * a->channels, kz * (b - s->bands / 2) / s->bands);
    }
}

static argand_status join_bands(simulate_file *f, const simulate_settings *s)
{
    const int groups = s->slices / s->bands;
    const double step = f->encoding.field_of_view[2] * groups;
    const int64_t length = 2 * f->samples * s->coils;
    int64_t kept = 0;
    f->sums = calloc((size_t)(length * f->scan.acquisition_count), sizeof *f->sums);
    f->kz = calloc((size_t)(f->samples * s->bands), sizeof *f->kz);
    if (!f->sums || !f->kz) return report_error(ARGAND_MEMORY, "no memory for simultaneous slices");
    for (int64_t i = 0; i < f->samples * s->bands; i++) f->kz[i] = (float)(i / f->samples - s->bands / 2);
    for (int64_t i = 0; i < f->scan.acquisition_count; i++)
        if (f->acquisitions[i].counters.slice < groups)
            add_bands_up(f, s, &f->acquisitions[i], f->sums + length * i);
    for (int64_t i = 0; i < f->scan.acquisition_count; i++) {
        argand_acquisition a = f->acquisitions[i];
        if (a.counters.slice >= groups) continue;
        a.data = f->sums + length * i;
        a.counters.partition = (uint16_t)(a.counters.shot % s->bands);
        a.k[2] = f->kz + f->samples * a.counters.partition;
        a.position[2] += (float)(step * (s->bands / 2));
        f->acquisitions[kept++] = a;
    }
    f->scan.acquisition_count = kept;
    f->encoding.matrix[2] = s->bands;
    f->encoding.step2_centre = s->bands / 2;
    f->encoding.bands = (argand_bands){.count = s->bands, .spacing = step, .calibration_encoding = -1};
    return ARGAND_OK;
}

/* Adds noise acquisitions with the standard deviation of the samples' noise. */
static argand_status add_noise(simulate_file *f, const simulate_settings *s, argand_device *device,
                               double sigma)
{
    const int64_t dims[3] = {f->samples, s->coils, s->noise_scan}, length = 2 * f->samples * s->coils;
    argand_array *noise = NULL;
    f->noise_data = calloc((size_t)(length * s->noise_scan), sizeof *f->noise_data);
    f->noise = calloc((size_t)s->noise_scan, sizeof *f->noise);
    if (!f->noise_data || !f->noise) return report_error(ARGAND_MEMORY, "no memory for the noise scan");
    argand_status status = argand_array_create(&noise, device, ARGAND_C32, 3, dims);
    if (!status) status = argand_noise_add(noise, sigma, ((uint64_t)s->seed << 32) + UINT32_MAX);
    if (!status) status = argand_array_download(noise, f->noise_data);
    argand_array_destroy(noise);
    for (int i = 0; i < s->noise_scan && !status; i++) {
        f->noise[i] = f->acquisitions[0];
        f->noise[i].counters = (argand_counters){.shot = (uint16_t)i};
        f->noise[i].flags = ARGAND_FLAG_NOISE;
        f->noise[i].data = f->noise_data + length * i;
        for (int d = 0; d < 3; d++) f->noise[i].k[d] = NULL;
        f->noise[i].t = NULL;
    }
    f->scan.noise = f->noise;
    f->scan.noise_count = s->noise_scan;
    return status;
}

argand_status simulate_auxiliary(simulate_file *f, const simulate_settings *s, argand_device *device,
                                 double sigma)
{
    argand_status status = ARGAND_OK;
    f->calibrations = calloc((size_t)f->scan.acquisition_count, sizeof *f->calibrations);
    if (!f->calibrations) return report_error(ARGAND_MEMORY, "no memory for calibration lines");
    f->scan.calibrations = f->calibrations;
    if (is_cartesian(s)) set_lines_aside(f, s);
    if (!f->scan.acquisition_count)
        return report_error(ARGAND_ARGUMENT, "--partial-fourier %g leaves no line", s->partial_fourier);
    if (s->bands > 1) status = join_bands(f, s);
    if (!status && s->noise_scan) status = add_noise(f, s, device, sigma);
    f->encoding.acceleration[0] = s->calibration ? (int)lround(s->acceleration) : 0;
    f->encoding.acceleration[1] = 1;
    if (s->calibration)
        snprintf(f->encoding.calibration_mode, sizeof f->encoding.calibration_mode, "%s", mode_of(s));
    return status;
}

void simulate_auxiliary_free(simulate_file *f)
{
    free(f->noise);
    free(f->noise_data);
    free(f->kz);
    free(f->sums);
    free(f->calibrations);
}
