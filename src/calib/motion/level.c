/* SPDX-License-Identifier: BSD-3-Clause */
/* A level of the fit of rigid motion: the samples of a moved object with coils that move with it, as a
 * function of the image and of the position of the object. A sample at k of an object that was turned by R
 * and then shifted by t is exp(-2 pi i k t) M(R^T k), where M is the transform of the object before. The
 * image has 1.3 times as many pixels as the samples need: so it can hold an object whose detail is finer. */
#include "calib/motion/motion.h"

#include <math.h>
#include <string.h>
#include "base/pi.h"
#include "mri/host.h"

static const double FINER = 1.3, NUFFT_TOLERANCE = 1e-5;
enum { FEWEST_PIXELS = 8, DENSITY_STEPS = 30 };

static bool is_inside(const motion_source *from, int64_t j, double per_mm)
{
    double square = 0;
    for (int d = 0; d < from->rank; d++) square += pow(from->k[d][j] / from->fov[d], 2);
    return square <= per_mm * per_mm;
}

static void choose_size(motion_level *l, const motion_source *from, double per_mm)
{
    l->pixels = 1;
    for (int d = 0; d < 3; d++) {
        double reach = 0;
        for (int64_t j = 0; d < l->rank && j < from->points; j++)
            if (is_inside(from, j, per_mm)) reach = fmax(reach, fabs(from->k[d][j]));
        l->n[d] = d < l->rank ? 2 * (int64_t)ceil(FINER * reach) : 1;
        if (d < l->rank && l->n[d] < FEWEST_PIXELS) l->n[d] = FEWEST_PIXELS;
        l->pixels *= l->n[d];
    }
}

static argand_status take_samples(motion_level *l, const motion_source *from, double per_mm)
{
    l->points = 0;
    for (int64_t j = 0; j < from->points; j++) l->points += is_inside(from, j, per_mm);
    CHECK(l->points > 0, ARGAND_ARGUMENT, "motion: no samples near the centre of k-space");
    for (int d = 0; d < 3; d++) TRY(NEW(l->k[d], l->points));
    TRY(NEW(l->row, l->points));
    TRY(NEW(l->filled, l->rows));
    TRY(NEW(l->w, l->points));
    TRY(NEW(l->phase, l->points));
    TRY(NEW(l->y, l->points * l->coils));
    for (int64_t j = 0, i = 0; j < from->points; j++) {
        if (!is_inside(from, j, per_mm)) continue;
        for (int d = 0; d < l->rank; d++) l->k[d][i] = from->k[d][j] / from->fov[d];
        l->row[i] = from->row[j];
        l->filled[l->row[i]]++;
        for (int64_t c = 0; c < l->coils; c++) l->y[i + l->points * c] = from->y[j + from->points * c];
        i++;
    }
    return ARGAND_OK;
}

/* The value of a map between its pixels, linear along each axis, at a place in fields of view. */
static double complex map_at(const motion_source *from, int64_t coil, const double r[3])
{
    const double complex *map = from->maps + coil * from->n[0] * from->n[1] * from->n[2];
    int64_t low[3];
    double part[3];
    for (int d = 0; d < 3; d++) {
        const double at =
            fmin(fmax(r[d] * (double)from->n[d] + (double)(from->n[d] / 2), 0), (double)(from->n[d] - 1));
        low[d] = (int64_t)at;
        if (low[d] > from->n[d] - 2) low[d] = from->n[d] > 1 ? from->n[d] - 2 : 0;
        part[d] = at - (double)low[d];
    }
    double complex sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int64_t at = 0, stride = 1;
        for (int d = 0; d < 3; d++) {
            const int up = corner >> d & 1;
            weight *= up ? part[d] : 1 - part[d];
            at += (low[d] + (weight > 0 ? up : 0)) * stride;
            stride *= from->n[d];
        }
        if (weight > 0) sum += weight * map[at];
    }
    return sum;
}

static argand_status take_maps(motion_level *l, const motion_source *from)
{
    double energy = 0;
    TRY(NEW(l->maps, l->pixels * l->coils));
    for (int64_t i = 0; i < l->pixels; i++) {
        const double r[3] = {pixel_centre(i % l->n[0], l->n[0]), pixel_centre(i / l->n[0] % l->n[1], l->n[1]),
                             pixel_centre(i / l->n[0] / l->n[1], l->n[2])};
        for (int64_t c = 0; c < l->coils; c++) {
            const double complex s = l->maps[i + l->pixels * c] = map_at(from, c, r);
            energy += creal(s) * creal(s) + cimag(s) * cimag(s);
        }
    }
    CHECK(energy > 0 && isfinite(energy), ARGAND_NUMERIC, "motion: the coil maps are 0 or not finite");
    l->diagonal = energy / (double)l->pixels * (double)l->points;
    return ARGAND_OK;
}

static argand_status make_arrays(motion_level *l, argand_device *host)
{
    int64_t dims[4] = {l->n[0], l->n[1], l->n[2], l->coils};
    argand_nufft_options o = {.type = ARGAND_C64, .rank = l->rank, .tolerance = NUFFT_TOLERANCE};
    dims[l->rank] = l->coils;
    for (int d = 0; d < l->rank; d++) {
        o.n[d] = l->n[d];
        TRY(argand_array_create(&l->at[d], host, ARGAND_R64, 1, &l->points));
    }
    TRY(argand_array_create(&l->images, host, ARGAND_C64, l->rank + 1, dims));
    TRY(argand_array_create(&l->samples, host, ARGAND_C64, 2, (int64_t[]){l->points, l->coils}));
    return argand_nufft_create(&l->plan, host, &o);
}

/* Weights the samples by the root of their inverse density, so that few CG steps suffice. */
static argand_status make_weights(motion_level *l, argand_device *host)
{
    argand_nufft *plan = NULL;
    argand_array *weights = NULL;
    double sum = 0;
    argand_status status;
    TRY_OR_DONE(argand_density_plan(&plan, host, ARGAND_C64, l->at, l->rank, l->n));
    TRY_OR_DONE(argand_array_create(&weights, host, ARGAND_R64, 1, &l->points));
    TRY_OR_DONE(argand_density_pipe(weights, plan, DENSITY_STEPS, 0, NULL));
    const double *from = argand_array_data(weights);
    for (int64_t j = 0; j < l->points; j++) sum += l->w[j] = sqrt(from[j]);
    for (int64_t j = 0; j < l->points; j++) l->w[j] *= (double)l->points / sum;
done:
    argand_array_destroy(weights);
    argand_nufft_destroy(plan);
    return status;
}

argand_status level_make(motion_level *l, const motion_source *from, double cycles)
{
    double longest = 0;
    argand_device *host = NULL;
    *l = (motion_level){.rank = from->rank, .params = from->rank == 2 ? 3 : 6, .coils = from->coils};
    l->rows = from->rows;
    for (int d = 0; d < from->rank; d++) longest = fmax(longest, l->fov[d] = from->fov[d]);
    choose_size(l, from, cycles / longest);
    TRY(argand_device_open(&host, "cpu"));
    argand_rigid *still = NULL;
    argand_status status = take_samples(l, from, cycles / longest);
    if (!status) status = take_maps(l, from);
    if (!status) status = make_arrays(l, host);
    if (!status) status = NEW(still, l->rows);
    if (!status) status = level_place(l, still);
    if (!status) status = make_weights(l, host);
    memory_free(still);
    argand_device_close(host);
    if (status) level_free(l);
    return status;
}

void level_free(motion_level *l)
{
    for (int d = 0; d < 3; d++) {
        memory_free(l->k[d]);
        argand_array_destroy(l->at[d]);
    }
    memory_free(l->row);
    memory_free(l->filled);
    memory_free(l->w);
    memory_free(l->y);
    memory_free(l->maps);
    memory_free(l->phase);
    argand_array_destroy(l->images);
    argand_array_destroy(l->samples);
    argand_nufft_destroy(l->plan);
    *l = (motion_level){0};
}

/* Computes M^T k in cycles per field of view. */
static void rotate_back(const motion_level *l, double m[3][3], int64_t j, double to[3])
{
    for (int d = 0; d < 3; d++)
        to[d] = l->fov[d] * (m[0][d] * l->k[0][j] + m[1][d] * l->k[1][j] + m[2][d] * l->k[2][j]);
}

argand_status level_place(motion_level *l, const argand_rigid *motion)
{
    double *to[3] = {NULL};
    int32_t row = -1;
    double r[3][3], at[3];
    for (int d = 0; d < l->rank; d++) to[d] = argand_array_data(l->at[d]);
    for (int64_t j = 0; j < l->points; j++) {
        const argand_rigid *m = &motion[l->row[j]];
        double cycles = 0;
        if (l->row[j] != row) rigid_matrix(r, m->rotation);
        row = l->row[j];
        rotate_back(l, r, j, at);
        for (int d = 0; d < l->rank; d++) {
            to[d][j] = at[d];
            cycles += l->k[d][j] * m->shift[d];
        }
        l->phase[j] = cexp(-I * TWO_PI * cycles);
    }
    return argand_nufft_set_points(l->plan, l->at);
}

static void coil_images(const motion_level *l, const double complex *image)
{
    double complex *to = argand_array_data(l->images);
    for (int64_t c = 0; c < l->coils; c++)
        for (int64_t i = 0; i < l->pixels; i++) to[i + l->pixels * c] = l->maps[i + l->pixels * c] * image[i];
}

argand_status level_apply(const motion_level *l, double complex *samples, const double complex *image)
{
    coil_images(l, image);
    TRY(argand_nufft_apply(l->plan, l->samples, l->images));
    const double complex *from = argand_array_data(l->samples);
    for (int64_t c = 0; c < l->coils; c++)
        for (int64_t j = 0; j < l->points; j++)
            samples[j + l->points * c] = l->phase[j] * from[j + l->points * c];
    return ARGAND_OK;
}

argand_status level_adjoint(const motion_level *l, double complex *image, const double complex *samples)
{
    double complex *to = argand_array_data(l->samples);
    for (int64_t c = 0; c < l->coils; c++)
        for (int64_t j = 0; j < l->points; j++)
            to[j + l->points * c] = conj(l->phase[j]) * samples[j + l->points * c];
    TRY(argand_nufft_adjoint(l->plan, l->images, l->samples));
    const double complex *from = argand_array_data(l->images);
    for (int64_t i = 0; i < l->pixels; i++) image[i] = 0;
    for (int64_t c = 0; c < l->coils; c++)
        for (int64_t i = 0; i < l->pixels; i++)
            image[i] += conj(l->maps[i + l->pixels * c]) * from[i + l->pixels * c];
    return ARGAND_OK;
}

/* Adds the derivative by the position along an axis times that of the position by the angles. */
static void add_slopes(const motion_level *l, double complex *jacobian, int axis, const argand_rigid *motion)
{
    const double complex *slope = argand_array_data(l->samples);
    const int64_t size = l->points * l->coils;
    for (int p = l->rank; p < l->params; p++) {
        int32_t row = -1;
        double m[3][3], at[3];
        for (int64_t j = 0; j < l->points; j++) {
            if (l->row[j] != row)
                rigid_derivative(m, motion[l->row[j]].rotation, l->rank == 2 ? 2 : p - l->rank);
            row = l->row[j];
            rotate_back(l, m, j, at);
            for (int64_t c = 0; c < l->coils; c++)
                jacobian[j + l->points * c + size * p] += at[axis] * l->phase[j] * slope[j + l->points * c];
        }
    }
}

argand_status level_jacobian(const motion_level *l, double complex *jacobian, const double complex *image,
                             const argand_rigid *motion)
{
    const int64_t size = l->points * l->coils;
    TRY(level_apply(l, jacobian, image));
    for (int p = l->rank - 1; p >= 0; p--)
        for (int64_t c = 0; c < l->coils; c++)
            for (int64_t j = 0; j < l->points; j++)
                jacobian[j + l->points * c + size * p] =
                    -I * TWO_PI * l->k[p][j] * jacobian[j + l->points * c];
    memset(jacobian + size * l->rank, 0, (size_t)(size * (l->params - l->rank)) * sizeof *jacobian);
    for (int axis = 0; axis < l->rank; axis++) {
        coil_images(l, image);
        TRY(argand_nufft_derivative(l->plan, axis, l->samples, l->images));
        add_slopes(l, jacobian, axis, motion);
    }
    return ARGAND_OK;
}
