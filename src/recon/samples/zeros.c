/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds samples that were not measured: in Cartesian scans those that are exactly 0 in all channels.
 * Scanners and converters pad asymmetric echoes with zeros up to the matrix, and masks store 0 at points
 * that they leave out. Used as samples, such zeros would filter the image. In spirals and radial scans,
 * whole readouts of zeros are left out. */
#include "recon/samples/samples.h"

/* Returns the first channel's value that is not 0 at a sample, or NULL if there is none. */
static const float *value_at(const argand_acquisition *a, int64_t i)
{
    for (int c = 0; c < a->channels; c++) {
        const float *at = a->data + 2 * (i + a->samples * c);
        if (at[0] != 0 || at[1] != 0) return at;
    }
    return NULL;
}

static bool is_zero(const argand_acquisition *a, int64_t i)
{
    return !value_at(a, i);
}

bool zeros_are_all(const recon_row *rows, int64_t count)
{
    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < rows[q].acquisition->samples; i++)
            if (!is_zero(rows[q].acquisition, i)) return false;
    return true;
}

/* Reduces the numbers of zeros at both ends to those of this readout, if they are smaller. A readout of
 * only zeros is ignored. */
static void narrow(argand_sense *s, const argand_acquisition *a)
{
    int64_t first = 0, last = 0;
    while (first < a->samples && is_zero(a, first)) first++;
    if (first == a->samples) return;
    while (is_zero(a, a->samples - 1 - last)) last++;
    if (!s->zeros.samples) s->zeros = (recon_zeros){a->samples, a->samples, a->samples, false};
    const bool same = a->samples == s->zeros.samples;
    if (!same || first < s->zeros.first) s->zeros.first = same ? first : 0;
    if (!same || last < s->zeros.last) s->zeros.last = same ? last : 0;
}

static void note_ends(argand_sense *s)
{
    const recon_zeros *z = &s->zeros;
    const char *const more = s->options.partial_fourier > 0 || s->options.pocs || s->options.homodyne
                                 ? ""
                                 : " --partial-fourier 0.3 fills in the rest.";
    for (int end = 0; end < 2; end++)
        if (end ? z->last : z->first)
            note_once(s,
                      "The %s %lld of %lld samples of every readout are 0 in all channels, an echo that was "
                      "filled up with zeros: they count as not measured.%s",
                      end ? "last" : "first", (long long)(end ? z->last : z->first), (long long)z->samples,
                      more);
}

static bool is_end(const recon_zeros *z, const argand_acquisition *a, int64_t i)
{
    return z->samples && a->samples == z->samples && (i < z->first || i >= z->samples - z->last);
}

/* Counts of samples between the ends: all; those that are 0; others with only a zero real part, or
 * imaginary part. */
typedef struct tally {
    int64_t samples, zeros, real, imaginary;
} tally;

static void count(tally *t, const recon_zeros *z, const argand_acquisition *a)
{
    for (int64_t i = 0; i < a->samples; i++) {
        if (is_end(z, a, i)) continue;
        const float *at = value_at(a, i);
        t->samples++;
        t->zeros += !at;
        t->real += at && at[0] == 0;
        t->imaginary += at && at[1] == 0;
    }
}

/* Returns true if the zeros were left out of the scan. Receivers that count in whole numbers also give
 * zeros for weak signals, but then real or imaginary parts alone are 0 far more often. */
static bool are_left_out(const tally *t)
{
    const int64_t parts = t->real < t->imaginary ? t->real : t->imaginary;
    return t->zeros < t->samples && t->zeros > 20 * parts;
}

/* Marks acquisitions of zeros as not measured, unless shots have phase maps, which count shots of zeros as
 * well. */
static void find_empty_shots(argand_sense *s, int64_t rows)
{
    int64_t empty = 0;
    for (int64_t i = 0; i < rows; i++) empty += zeros_are_all(&s->rows[i], 1);
    s->zeros.points = empty && empty < rows && s->options.phases == ARGAND_PHASES_NONE;
    if (s->zeros.points)
        note_once(s, "%lld of %lld acquisitions are exactly 0 in all channels: they count as not measured.",
                  (long long)empty, (long long)rows);
}

void zeros_find(argand_sense *s, int64_t rows)
{
    tally t = {0};
    s->zeros = (recon_zeros){0};
    if (!s->cartesian) return find_empty_shots(s, rows);
    for (int64_t i = 0; i < rows; i++)
        if (!s->rows[i].calibration) narrow(s, s->rows[i].acquisition);
    note_ends(s);
    for (int64_t i = 0; i < rows; i++) count(&t, &s->zeros, s->rows[i].acquisition);
    s->zeros.points = are_left_out(&t);
    if (s->zeros.points)
        note_once(s,
                  "%.3g %% of the samples on the Cartesian grid are exactly 0 in all channels: they count as "
                  "not measured.",
                  100 * (double)t.zeros / (double)t.samples);
}

/* Returns true if all samples are 0. The search ends at the first sample that is not. */
static bool is_empty(const argand_acquisition *a)
{
    return zeros_are_all(&(recon_row){.acquisition = a}, 1);
}

bool zeros_hold(const argand_sense *s, const argand_acquisition *a, int64_t i)
{
    const recon_zeros *z = &s->zeros;
    const bool single = s->cartesian;
    return a->encoding == s->options.encoding &&
           (is_end(z, a, i) || (z->points && is_zero(a, i) && (single || is_empty(a))));
}

bool argand_sense_is_measured(const argand_sense *session, const argand_acquisition *acquisition,
                              int64_t sample)
{
    return session && acquisition && sample >= 0 && sample < acquisition->samples &&
           !zeros_hold(session, acquisition, sample);
}
