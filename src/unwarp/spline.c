/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpolation in a volume: cubic B-splines (Unser, IEEE Signal Process. Mag. 16(6):22, 1999), linear,
 * nearest. */
#include "unwarp/unwarp.h"

#include <math.h>
#include "base/memory.h"
#include "base/status.h"

/* Filters a line in place: the inverse of (1 4 1) / 6 with mirrored ends. */
static void filter(double complex *v, int64_t n)
{
    const double pole = sqrt(3) - 2;
    double power = 1, last = pow(pole, (double)(2 * n - 2));
    double complex first = 0;
    for (int64_t k = 0; k < n; k++, power *= pole) {
        const double mirrored = k > 0 && k < n - 1 && power != 0 ? last / power : 0;
        first += (power + mirrored) * v[k];
    }
    v[0] = 6 * first / (1 - last);
    for (int64_t k = 1; k < n; k++) v[k] = 6 * v[k] + pole * v[k - 1];
    v[n - 1] = pole / (pole * pole - 1) * (v[n - 1] + pole * v[n - 2]);
    for (int64_t k = n - 2; k >= 0; k--) v[k] = pole * (v[k + 1] - v[k]);
}

/* Filters line i of an axis: copies it to contiguous memory and back. */
static void filter_line(double complex *volume, double complex *line, int64_t i, int64_t n, int64_t stride)
{
    double complex *start = volume + i % stride + i / stride * stride * n;
    for (int64_t k = 0; k < n; k++) line[k] = start[k * stride];
    filter(line, n);
    for (int64_t k = 0; k < n; k++) start[k * stride] = line[k];
}

argand_status spline_prefilter(double complex *volume, const int64_t n[3], int threads)
{
    const int64_t count = n[0] * n[1] * n[2];
    int64_t longest = 1, stride = 1;
    double complex *lines;
    for (int axis = 0; axis < 3; axis++)
        if (n[axis] > longest) longest = n[axis];
    TRY(NEW(lines, longest * threads));
    for (int axis = 0; axis < 3; stride *= n[axis++]) {
        if (n[axis] < 2) continue;
        const int64_t all = count / n[axis], share = (all + threads - 1) / threads;
#pragma omp parallel for num_threads(threads)
        for (int t = 0; t < threads; t++)
            for (int64_t i = t * share; i < all && i < (t + 1) * share; i++)
                filter_line(volume, lines + t * longest, i, n[axis], stride);
    }
    memory_free(lines);
    return ARGAND_OK;
}

/* Reflects an index at the first and last elements. */
static int64_t mirror(int64_t k, int64_t n)
{
    if (n == 1) return 0;
    const int64_t period = 2 * (n - 1);
    k = (k % period + period) % period;
    return k < n ? k : period - k;
}

double complex spline_value(const double complex *c, const int64_t n[3], const double at[3])
{
    int64_t place[3][4];
    double weight[3][4];
    int64_t stride = 1;
    for (int d = 0; d < 3; d++) {
        const double low = floor(at[d]), t = at[d] - low, u = 1 - t;
        const double w[4] = {u * u * u / 6, 2.0 / 3 - t * t * (2 - t) / 2, 2.0 / 3 - u * u * (2 - u) / 2,
                             t * t * t / 6};
        for (int k = 0; k < 4; k++) {
            place[d][k] = mirror((int64_t)low - 1 + k, n[d]) * stride;
            weight[d][k] = n[d] > 1 ? w[k] : k == 1;
        }
        stride *= n[d];
    }
    double complex sum = 0;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++) {
            const double complex *row = c + place[2][k] + place[1][j];
            double complex part = 0;
            for (int i = 0; i < 4; i++) part += weight[0][i] * row[place[0][i]];
            sum += weight[2][k] * weight[1][j] * part;
        }
    return sum;
}

double complex linear_value(const double complex *v, const int64_t n[3], const double at[3])
{
    double complex sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int64_t place = 0, stride = 1;
        for (int d = 0; d < 3; stride *= n[d++]) {
            const int up = corner >> d & 1;
            const double low = floor(at[d]), part = at[d] - low;
            weight *= up ? part : 1 - part;
            place += ((int64_t)low + up) * stride;
        }
        if (weight > 0) sum += weight * v[place];
    }
    return sum;
}

double complex nearest_value(const double complex *v, const int64_t n[3], const double at[3])
{
    return v[(int64_t)floor(at[0] + 0.5) +
             n[0] * ((int64_t)floor(at[1] + 0.5) + n[1] * (int64_t)floor(at[2] + 0.5))];
}
