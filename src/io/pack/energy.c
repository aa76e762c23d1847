/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds by the data which axes of a grid belong to k-space. Along these, energy falls off from the middle.
 * Along coils, slices or the spokes of a radial scan it does not. */
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "io/pack/pack.h"

/* Ratios of the energy near a place to the energy far from it. PEAKED and FAR_PEAK: the least of an axis
 * of k-space. FLAT_PART and IMAGE_PART: the most of another axis, as a fraction of the largest ratio of
 * all axes. */
static const double PEAKED = 3, FAR_PEAK = 10, FLAT_PART = 0.15, IMAGE_PART = 0.05;

/* Adds the energy of `count` samples to *sum, and the number of those that are not 0 to *measured. */
static void add_energy(double *sum, int64_t *measured, const float *at, int64_t count)
{
    for (int64_t i = 0; i < count; i++, at += 2) {
        const double energy = (double)at[0] * (double)at[0] + (double)at[1] * (double)at[1];
        *sum += energy;
        *measured += energy > 0;
    }
}

/* Returns the mean energy of the measured samples at each index of an axis; NULL without memory. It is not
 * the sum: where more lines were measured, there is not more energy. */
static double *profile_of(const pack_array *a, int axis)
{
    const int64_t n = a->dims[axis];
    int64_t stride = 1, count = 1, *measured;
    double *sum = NULL;
    if (NEW(measured, n)) return NULL;
    if (NEW(sum, n)) goto done;
    for (int i = 0; i < a->rank; i++) count *= a->dims[i];
    for (int i = 0; i < axis; i++) stride *= a->dims[i];
    for (int64_t line = 0; line < count / stride; line++)
        add_energy(&sum[line % n], &measured[line % n], a->numbers + 2 * line * stride, stride);
    for (int64_t i = 0; i < n; i++)
        if (measured[i]) sum[i] /= (double)measured[i];
done:
    memory_free(measured);
    return sum;
}

/* Returns the mean within n / 16 of a place divided by the mean between from / 8 and to / 8 of n away.
 * `around`: the axis is periodic. */
static double contrast_to(const double *sum, int64_t n, int64_t at, bool around, int from, int to)
{
    double near = 0, far = 0;
    int64_t near_count = 0, far_count = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t away = llabs(i - at);
        if (!(sum[i] > 0)) continue; /* not measured */
        if (around && away > n - away) away = n - away;
        if (away <= n / 16) near += sum[i], near_count++;
        if (8 * away > from * n && 8 * away <= to * n) far += sum[i], far_count++;
    }
    if (!(near > 0) || !far_count) return 0;
    return fmin(near / (double)near_count * (double)far_count / fmax(far, 1e-300), 1e9);
}

/* Returns the same with the mean beyond n / 4. */
static double contrast(const double *sum, int64_t n, int64_t at, bool around)
{
    return contrast_to(sum, n, at, around, 2, 8);
}

/* Returns true if energy falls off steeply from both ends, or if the axis is too short to tell or is not
 * measured there. */
static bool falls_from_ends(const double *sum, int64_t n)
{
    const double ratio = n >= 16 ? contrast_to(sum, n, 0, true, 1, 2) : 0;
    return ratio == 0 || ratio >= PEAKED;
}

static int64_t peak_of(const double *sum, int64_t n)
{
    int64_t most = 0;
    for (int64_t i = 0; i < n; i++)
        if (sum[i] > sum[most]) most = i;
    return most;
}

/* Returns true if energy falls off on both sides: from the nearest n / 8 to the next n / 8, and from there
 * to the rest. */
static bool is_hill(const double *sum, int64_t n)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        double bands[3] = {0};
        int64_t counts[3] = {0};
        for (int64_t away = 1; away < n / 2; away++) {
            const int band = 8 * away <= n ? 0 : 4 * away <= n ? 1 : 2;
            bands[band] += sum[n / 2 + sign * away];
            counts[band]++;
        }
        for (int band = 0; band < 3; band++) bands[band] /= counts[band] ? (double)counts[band] : 1;
        if (!(bands[0] > 2 * bands[1] && bands[1] > bands[2])) return false;
    }
    return true;
}

/* Returns the mean energy next to a place divided by the energy there; places without samples are skipped. */
static double nearby(const double *sum, int64_t n, int64_t at)
{
    double near = 0;
    int count = 0;
    for (int64_t i = at - 1; i <= at + 1; i += 2)
        if (i >= 0 && i < n && sum[i] > 0) near += sum[i], count++;
    return count && sum[at] > 0 ? near / count / sum[at] : 0;
}

/* Returns true if a short axis has a steep peak inside, from which energy falls on. */
static bool is_steep(const double *sum, int64_t n, int64_t peak)
{
    double far = 0;
    if (n < 4 || n > 32 || 4 * llabs(peak - n / 2) > n || peak < 1 || peak > n - 2) return false;
    const double next = (sum[peak - 1] + sum[peak + 1]) / 2;
    for (int64_t i = 0; i < n; i++)
        if (llabs(i - peak) > 1) far += sum[i] / (double)(n - 3);
    return sum[peak] > 2.5 * next && next > 1.5 * far;
}

argand_status pack_energy_of(pack_energy *e, const pack_array *a, int axis)
{
    const int64_t n = a->dims[axis];
    *e = (pack_energy){.short_axis = n < 4, .long_axis = n >= 32};
    if (n < 2) return ARGAND_OK;
    double *sum = profile_of(a, axis);
    if (!sum) return status_set(ARGAND_MEMORY, "%s: no memory to measure its energy", a->title);
    const int64_t peak = peak_of(sum, n), rim = n / 25;
    e->peak = peak;
    e->near_peak = nearby(sum, n, peak);
    e->steep = is_steep(sum, n, peak);
    if (n >= 4) e->middle = contrast(sum, n, n / 2, false);
    if (n >= 4) e->at_ends = contrast(sum, n, 0, true);
    e->falls = falls_from_ends(sum, n);
    e->elsewhere = n >= 32 ? contrast(sum, n, peak, false) : 0;
    e->peak_is_inside = peak > rim && peak < n - 1 - rim;
    e->hill = n >= 8 && is_hill(sum, n);
    memory_free(sum);
    return ARGAND_OK;
}

bool pack_energy_is_peaked(const pack_energy *e)
{
    return e->middle >= PEAKED || e->steep || (e->elsewhere >= FAR_PEAK && e->peak_is_inside);
}

/* Returns true if the axis does not belong to k-space. `most` is the largest `middle` of all axes: noise
 * makes all axes of k-space less peaked alike. Slices show as a low peak compared with k-space's axes. */
bool pack_energy_is_flat(const pack_energy *e, double most)
{
    const bool low =
        e->middle < (e->long_axis ? FAR_PEAK : 5) && e->elsewhere < FAR_PEAK && e->middle < IMAGE_PART * most;
    return !e->short_axis && !e->steep &&
           (low || (!pack_energy_is_peaked(e) && e->middle - 1 < FLAT_PART * (most - 1)));
}

bool pack_energy_says_anything(const pack_energy *e)
{
    return e->middle >= PEAKED || e->elsewhere >= FAR_PEAK || e->at_ends >= PEAKED;
}
