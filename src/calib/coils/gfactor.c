/* SPDX-License-Identifier: BSD-3-Clause */
/* The g-factor of SENSE for regular undersampling, pixel group by pixel group (Pruessmann et al., MRM
 * 42:952, 1999). */
#include <math.h>
#include <string.h>
#include "calib/calib.h"
#include "calib/hermitian.h"
#include "calib/undersampling.h"
#include "mri/host.h"

enum { MOST = UNDERSAMPLING_MOST };

typedef struct aliasing {
    undersampling u;
    int64_t n[3], coils;
    const double *maps; /* complex {n..., coils} */
} aliasing;

/* ---- pixels that alias */

/* A position along an axis between two pixels. */
typedef struct between {
    int64_t low, high;
    double part; /* of the pixel `high` */
} between;

/* Finds a position, in pixels from the centre, in the encoded field of view of `extent` pixels. False: it
 * lies outside the image, where there is no signal. */
static bool locate(between *b, double x, double extent, int64_t n)
{
    const double near = 1e-6;
    x -= extent * floor((x + (double)(n / 2) + near) / extent); /* from the first pixel on */
    x += (double)(n / 2);
    const bool periodic = extent < (double)n + near;
    if (!periodic && x > extent - 0.5) x -= extent;
    if (!periodic && x > (double)n - 0.5) return false;
    const double first = floor(x + near);
    *b = (between){(int64_t)first, (int64_t)first + 1, fmax(0, x - first)};
    if (b->part < 2 * near) b->part = 0;
    if (b->low < 0) b->low = 0;
    if (b->low >= n) b->low = periodic ? 0 : n - 1;
    if (b->high >= n) b->high = periodic ? 0 : n - 1;
    return true;
}

/* Writes the coils at a position, interpolated; returns their energy. */
static double read_coils(double *to, const aliasing *a, int64_t x, const between *y, const between *z)
{
    const int64_t *n = a->n, pixels = n[0] * n[1] * n[2];
    const double weight[4] = {(1 - y->part) * (1 - z->part), y->part * (1 - z->part), (1 - y->part) * z->part,
                              y->part * z->part};
    const int64_t at[4] = {(z->low * n[1] + y->low) * n[0] + x, (z->low * n[1] + y->high) * n[0] + x,
                           (z->high * n[1] + y->low) * n[0] + x, (z->high * n[1] + y->high) * n[0] + x};
    double energy = 0;
    memset(to, 0, (size_t)(2 * a->coils) * sizeof *to);
    for (int corner = 0; corner < 4; corner++)
        for (int64_t c = 0; c < a->coils && weight[corner] > 0; c++) {
            to[2 * c] += weight[corner] * a->maps[2 * (c * pixels + at[corner])];
            to[2 * c + 1] += weight[corner] * a->maps[2 * (c * pixels + at[corner]) + 1];
        }
    for (int64_t c = 0; c < 2 * a->coils; c++) energy += to[c] * to[c];
    return energy;
}

/* Lists the coils of the pixels that alias onto (x, y, z), itself first; positions without signal are left
 * out. Returns their number; 0: there is no signal at (x, y, z). */
static int64_t find_group(double *group, const aliasing *a, int64_t x, int64_t y, int64_t z)
{
    const undersampling *u = &a->u;
    const double ey = u->extent[1] * (double)a->n[1], ez = u->extent[2] * (double)a->n[2];
    int64_t count = 0;
    for (int64_t i = 0; i < u->factor[0]; i++)
        for (int64_t j = 0; j < u->factor[1]; j++) {
            between at_y, at_z;
            const double step_y = (double)i / u->factor[0] * ey,
                         step_z = ((double)j - (double)(u->shift * i) / u->factor[0]) / u->factor[1] * ez;
            const bool inside = locate(&at_y, (double)(y - a->n[1] / 2) + step_y, ey, a->n[1]) &&
                                locate(&at_z, (double)(z - a->n[2] / 2) + step_z, ez, a->n[2]);
            const double energy = inside ? read_coils(group + 2 * count * a->coils, a, x, &at_y, &at_z) : 0;
            count += energy > 0;
            if (!count) return 0;
        }
    return count;
}

/* ---- g-factors */

/* Returns the g-factor of the first pixel of a group; 0: others see the same. */
static double of_group(const aliasing *a, const double *group, int64_t size)
{
    double re[MOST * MOST], im[MOST * MOST], x_re[MOST] = {1}, x_im[MOST] = {0};
    if (!size) return 0;
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) {
            const double *p = group + 2 * i * a->coils, *q = group + 2 * j * a->coils;
            double sum_re = 0, sum_im = 0;
            for (int64_t c = 0; c < 2 * a->coils; c += 2) {
                sum_re += p[c] * q[c] + p[c + 1] * q[c + 1];
                sum_im += p[c] * q[c + 1] - p[c + 1] * q[c];
            }
            re[i * size + j] = sum_re;
            im[i * size + j] = sum_im;
        }
    const double own = re[0];
    if (hermitian_solve((hermitian_planes){re, im}, size, (hermitian_planes){x_re, x_im}, 1)) return 0;
    return sqrt(x_re[0] * own);
}

/* Computes the g-factors of all pixels; work: memory for a group of each thread. */
static void compute(double *values, const aliasing *a, int workers, double *work)
{
    const int64_t lines = a->n[1] * a->n[2], size = 2 * MOST * a->coils;
#pragma omp parallel for schedule(static) num_threads(workers)
    for (int worker = 0; worker < workers; worker++)
        for (int64_t line = worker; line < lines; line += workers)
            for (int64_t x = 0; x < a->n[0]; x++) {
                double *group = work + worker * size;
                const int64_t count = find_group(group, a, x, line % a->n[1], line / a->n[1]);
                values[line * a->n[0] + x] = of_group(a, group, count);
            }
}

argand_status argand_coils_gfactor(argand_array *gfactor, const argand_array *maps,
                                   const argand_undersampling *given)
{
    aliasing a;
    double *values = NULL, *read = NULL, *work = NULL;
    argand_status status;
    CHECK_ARRAY(gfactor);
    CHECK_ARRAY(maps);
    TRY(undersampling_take(&a.u, given));
    TRY(calib_coil_shape(maps, "g-factor: the maps", a.n, &a.coils));
    TRY(undersampling_check_map(gfactor, a.n));
    TRY(calib_check_finite(maps, "g-factor: the maps"));
    const int workers = argand_device_threads(argand_array_device(maps));
    TRY_OR_DONE(host_read(&read, maps));
    TRY_OR_DONE(NEW(values, argand_array_count(gfactor)));
    TRY_OR_DONE(NEW(work, workers * 2 * MOST * a.coils));
    a.maps = read;
    compute(values, &a, workers, work);
    status = host_write_real(gfactor, values);
done:
    memory_free(work);
    memory_free(values);
    memory_free(read);
    return status;
}
