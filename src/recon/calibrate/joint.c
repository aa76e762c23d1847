/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil maps together with an image, from a volume's samples. Maps are smooth: they are found on a grid of at
 * most 64 pixels along an axis, from the samples that lie within its k-space, and their coefficients padded.
 */
#include "recon/calibrate/calibrate.h"

#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "calib/joint/joint.h"
#include "device/device.h"
#include "recon/maps/maps.h"

enum { MOST_PIXELS = 64, STEPS = 12 };
enum { QUICK = 2000000 }; /* unknowns: some minutes, as 50000 take some seconds */

static int64_t small_size(int64_t n)
{
    return n < MOST_PIXELS ? n : MOST_PIXELS;
}

bool joint_is_quick(const argand_sense *s)
{
    double unknowns = (double)s->coils * s->slices;
    for (int axis = 0; axis < 3; axis++) unknowns *= (double)small_size(s->grid.n[axis]);
    return unknowns <= QUICK;
}

/* ---- samples */

/* Appends the samples within the small grid's k-space to the problem, whose memory holds them. */
static argand_status gather(joint_problem *p, const recon_samples *data, double complex *to, int64_t capacity)
{
    double *k[3] = {NULL}, *y = NULL;
    const int64_t count = data->at.count;
    argand_status status;
    for (int axis = 0; axis < 3; axis++) TRY_OR_DONE(numbers_of_array(data->at.k[axis], &k[axis]));
    TRY_OR_DONE(numbers_of_array(data->y, &y));
    for (int64_t i = 0; i < count; i++) {
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            const double at = p->n[axis] > 1 ? k[axis][i] : 0;
            inside &= fabs(at) <= 0.5 * (double)p->n[axis];
            p->k[axis][p->points] = at;
        }
        for (int c = 0; c < p->coils && inside; c++)
            to[p->points + capacity * c] = y[2 * (i + count * c)] + I * y[2 * (i + count * c) + 1];
        p->points += inside;
    }
    status = ARGAND_OK;
done:
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(y);
    return status;
}

static void close_gaps(double complex *samples, int64_t capacity, int64_t points, int coils)
{
    for (int c = 1; c < coils; c++)
        memmove(samples + points * c, samples + capacity * c, (size_t)points * sizeof *samples);
}

/* The samples of both; `more` may be NULL. */
static argand_status make_problem(joint_problem *p, const recon_samples *data, const recon_samples *more,
                                  double complex **samples)
{
    const int64_t capacity = data->at.count + (more ? more->at.count : 0);
    TRY(NEW(*samples, capacity * p->coils));
    for (int axis = 0; axis < 3; axis++) TRY(NEW(p->k[axis], capacity + 1));
    TRY(gather(p, data, *samples, capacity));
    if (more) TRY(gather(p, more, *samples, capacity));
    CHECK(p->points > 0, ARGAND_FORMAT,
          "coil maps together with an image: there are no samples near the middle of k-space");
    close_gaps(*samples, capacity, p->points, p->coils);
    p->samples = *samples;
    return ARGAND_OK;
}

/* ---- maps */

/* Coefficients of the small grid in the middle of the large one's. */
static void pad(double complex *to, const double complex *from, const int64_t n[3], const int64_t m[3],
                int coils)
{
    const int64_t pixels = n[0] * n[1] * n[2], few = m[0] * m[1] * m[2];
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

/* Coefficients on the small grid become maps in the session's shape and precision. */
static argand_status finish(const argand_sense *s, const joint_problem *p, const double complex *coefficients,
                            argand_array **maps)
{
    const argand_shape shape = sets_shape(s);
    const int64_t *n = s->grid.n, dims[4] = {n[0], n[1], n[2], s->coils}, pixels = n[0] * n[1] * n[2];
    const argand_fft_options options = {
        .type = ARGAND_C64, .rank = 3, .n = {n[0], n[1], n[2]}, .batch = s->coils, .centred = true};
    argand_array *full = NULL, *flat = NULL;
    argand_fft *plan = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&full, p->host, ARGAND_C64, 4, dims));
    pad(argand_array_data(full), coefficients, n, p->n, s->coils);
    TRY_OR_DONE(argand_fft_create(&plan, p->host, &options));
    TRY_OR_DONE(argand_fft_apply(plan, full, full, ARGAND_INVERSE));
    normalise(argand_array_data(full), pixels, s->coils);
    TRY_OR_DONE(complex_of_numbers(s, argand_array_data(full), pixels * s->coils, &flat));
    status = argand_array_reshape(maps, flat, shape.rank, shape.dims);
done:
    argand_fft_destroy(plan);
    argand_array_destroy(flat);
    argand_array_destroy(full);
    return status;
}

static void note(argand_sense *s, const joint_problem *p)
{
    note_once(s,
              "Coil maps are estimated together with the image (nonlinear inversion), from the samples of "
              "%lld x %lld x %lld cells around the middle of k-space.",
              (long long)p->n[0], (long long)p->n[1], (long long)p->n[2]);
    if (p->host != s->device)
        note_once(s, "The coil maps are computed on the CPU, in double precision; what follows on the "
                     "device.");
}

/* Notes what the model of nonlinear inversion leaves out. */
static void note_left_out(argand_sense *s)
{
    const char *left_out[4], *between[4] = {"", ", ", ", ", ", "};
    char list[160] = "";
    size_t used = 0;
    int count = 0;
    if (s->maps.field.array) left_out[count++] = "the field map";
    if (s->terms) left_out[count++] = "the measured phase";
    if (s->maps.r2star.array) left_out[count++] = "R2*";
    if (s->options.phases != ARGAND_PHASES_NONE) left_out[count++] = "the shots' phases";
    if (count > 1) between[count - 1] = " and ";
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", between[i], left_out[i]);
    if (count) note_once(s, "The coil maps are estimated without %s.", list);
}

argand_status joint_maps(argand_sense *s, const recon_samples *data, const recon_samples *more,
                         argand_array **maps)
{
    joint_problem p = {.coils = s->coils, .steps = STEPS};
    double complex *samples = NULL, *coefficients = NULL;
    argand_status status;
    for (int axis = 0; axis < 3; axis++) p.n[axis] = small_size(s->grid.n[axis]);
    TRY(device_host(&p.host, s->device));
    note_left_out(s);
    note(s, &p);
    TRY_OR_DONE(make_problem(&p, data, more, &samples));
    TRY_OR_DONE(NEW(coefficients, p.n[0] * p.n[1] * p.n[2] * p.coils));
    TRY_OR_DONE(joint_solve(coefficients, &p));
    status = finish(s, &p, coefficients, maps);
done:
    for (int axis = 0; axis < 3; axis++) memory_free(p.k[axis]);
    memory_free(coefficients);
    memory_free(samples);
    return status;
}
