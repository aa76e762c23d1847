/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests coil maps by a few iterations, on the samples and on the samples with noise added. The difference
 * measures how much of the noise an image with these maps follows, by the derivative along one random
 * vector (Ramani, Blu, Unser, IEEE TIP 17:1540, 2008). */
#include "recon/calibrate/trial.h"

#include <math.h>
#include "base/memory.h"
#include "base/random.h"
#include "recon/transform/transform.h"

/* Energy of the residual relative to white noise from which maps count as wrong. Good maps leave up to 1.8
 * between calibration lines, and up to 2.3 without noise. */
static const double WHITE = 2.5;

/* Amplitude of the added noise relative to the samples' root mean square: far above rounding, and below
 * the signal. */
static const double ADDED = 0.05;

/* Finds the shell of k-space of each sample. */
static argand_status find_shells(recon_trial *t)
{
    double *k = NULL, *radius = NULL, most = 0;
    const int64_t count = t->data->at.count;
    argand_status status;
    TRY_OR_DONE(NEW(radius, count));
    TRY_OR_DONE(NEW(t->shell, count));
    for (int axis = 0; axis < t->s->grid.rank; axis++) {
        TRY_OR_DONE(numbers_of_array(t->data->at.k[axis], &k));
        for (int64_t i = 0; i < count && t->s->grid.n[axis] > 1; i++) {
            const double part = k[i] / (double)t->s->grid.n[axis];
            radius[i] += part * part;
        }
        memory_free(k);
        k = NULL;
    }
    for (int64_t i = 0; i < count; i++) most = fmax(most, sqrt(radius[i]));
    for (int64_t i = 0; i < count; i++) {
        const int at = most > 0 ? (int)(TRIAL_SHELLS * sqrt(radius[i]) / most) : 0;
        t->shell[i] = (unsigned char)(at < TRIAL_SHELLS ? at : TRIAL_SHELLS - 1);
    }
    status = ARGAND_OK;
done:
    memory_free(radius);
    memory_free(k);
    return status;
}

argand_status trial_open(recon_trial *t, const argand_sense *s, const recon_source *from, int iterations)
{
    const recon_samples *data = from->data;
    const int64_t count = data->at.count * s->coils;
    const int64_t dims[2] = {data->at.count, s->coils};
    random_state random = {1};
    argand_array *flat = NULL;
    double *noise = NULL, norm;
    argand_status status;
    *t = (recon_trial){.s = s, .data = data, .transform = from->transforms[0], .iterations = iterations};
    TRY_OR_DONE(density_of_points(s, &data->at, &t->each));
    TRY_OR_DONE(argand_array_view(&t->weights, t->each, 2, dims, (int64_t[]){1, 0}, 0));
    TRY_OR_DONE(NEW(noise, 2 * count));
    for (int64_t i = 0; i < 2 * count; i++) noise[i] = random_normal(&random) * sqrt(0.5);
    TRY_OR_DONE(complex_of_numbers(s, noise, count, &flat));
    TRY_OR_DONE(argand_array_reshape(&t->noise, flat, 2, dims));
    TRY_OR_DONE(argand_array_norm(&norm, data->y));
    t->added = ADDED * norm / sqrt((double)count);
    TRY_OR_DONE(numbers_of_array(t->each, &t->w));
    TRY_OR_DONE(numbers_of_array(data->y, &t->y));
    TRY_OR_DONE(find_shells(t));
    t->n = noise;
    noise = NULL;
done:
    memory_free(noise);
    argand_array_destroy(flat);
    return status;
}

void trial_close(recon_trial *t)
{
    memory_free(t->shell);
    argand_array_destroy(t->each);
    argand_array_destroy(t->weights);
    argand_array_destroy(t->noise);
    memory_free(t->w);
    memory_free(t->y);
    memory_free(t->n);
}

/* Solves for the image from y by a few iterations; predicted: A image, on the host. */
static argand_status run(const recon_trial *t, const argand_op *sense, const argand_array *y, double **image,
                         double **predicted)
{
    const argand_shape *domain = argand_op_domain(sense);
    const argand_cg_options options = {.iterations = t->iterations, .weights = t->weights};
    argand_array *x = NULL, *ax = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&x, t->s->device, domain->type, domain->rank, domain->dims));
    TRY_OR_DONE(argand_array_create(&ax, t->s->device, domain->type, 2,
                                    (const int64_t[2]){t->data->at.count, t->s->coils}));
    TRY_OR_DONE(argand_solve_cg(x, sense, y, &options));
    TRY_OR_DONE(argand_op_apply(sense, ax, x));
    TRY_OR_DONE(numbers_of_array(x, image));
    status = numbers_of_array(ax, predicted);
done:
    argand_array_destroy(ax);
    argand_array_destroy(x);
    return status;
}

argand_status trial_run(const recon_trial *t, const argand_array *maps, recon_verdict *v)
{
    const int64_t count = t->data->at.count, all = count * t->s->coils;
    argand_op *sense = NULL;
    argand_status status;
    *v = (recon_verdict){0};
    TRY_OR_DONE(argand_op_sense(&sense, t->transform, maps));
    TRY_OR_DONE(run(t, sense, t->data->y, &v->image, &v->predicted));
    for (int64_t i = 0; i < all; i++) {
        const double w = t->w[i % count], *y = t->y + 2 * i, *a = v->predicted + 2 * i;
        const double rest = (y[0] - a[0]) * (y[0] - a[0]) + (y[1] - a[1]) * (y[1] - a[1]);
        v->rest += rest;
        v->shell_rest[t->shell[i % count]] += rest;
        v->shell_count[t->shell[i % count]]++;
        v->weighted_rest += w * rest;
        v->all += w * (y[0] * y[0] + y[1] * y[1]);
    }
    v->left = v->all > 0 ? sqrt(v->weighted_rest / v->all) : 0;
done:
    argand_op_destroy(sense);
    return status;
}

/* Computes the traces from A x for the samples and for those with noise added. */
static void follow(const recon_trial *t, const double *noisy, recon_verdict *v)
{
    const int64_t count = t->data->at.count, all = count * t->s->coils;
    for (int64_t i = 0; i < all; i++) {
        const double *n = t->n + 2 * i, *a = v->predicted + 2 * i, *b = noisy + 2 * i;
        const double follows = (n[0] * (b[0] - a[0]) + n[1] * (b[1] - a[1])) / t->added;
        v->follows += follows;
        v->weighted_follows += t->w[i % count] * follows;
    }
    v->variance = v->follows < (double)all ? v->rest / ((double)all - v->follows) : 0;
}

argand_status trial_noise(const recon_trial *t, const argand_array *maps, recon_verdict *v)
{
    const int64_t *n = t->s->grid.n;
    argand_op *sense = NULL;
    argand_array *noisy = NULL;
    double *predicted = NULL;
    argand_status status;
    TRY_OR_DONE(argand_op_sense(&sense, t->transform, maps));
    TRY_OR_DONE(argand_array_create(&noisy, t->s->device, argand_array_type(t->data->y), 2,
                                    (const int64_t[2]){t->data->at.count, t->s->coils}));
    TRY_OR_DONE(argand_array_copy(noisy, t->data->y));
    TRY_OR_DONE(argand_array_axpby(noisy, (argand_scalar){t->added, 0}, t->noise, (argand_scalar){1, 0}));
    TRY_OR_DONE(run(t, sense, noisy, &v->moved, &predicted));
    for (int64_t i = 0; i < 2 * n[0] * n[1] * n[2]; i++) v->moved[i] = (v->moved[i] - v->image[i]) / t->added;
    follow(t, predicted, v);
done:
    memory_free(predicted);
    argand_array_destroy(noisy);
    argand_op_destroy(sense);
    return status;
}

void verdict_free(recon_verdict *v)
{
    memory_free(v->image);
    memory_free(v->moved);
    memory_free(v->predicted);
    *v = (recon_verdict){0};
}

double verdict_risk(const recon_verdict *v, double variance)
{
    return v->weighted_rest + 2 * variance * v->weighted_follows;
}

/* Returns the noise level, which is the same in all shells of k-space, from shells in which the image is
 * explained. */
static double noise_of_shells(const recon_verdict *v)
{
    double least = INFINITY;
    for (int i = 0; i < TRIAL_SHELLS; i++)
        if (v->shell_count[i] >= TRIAL_SAMPLES) least = fmin(least, v->shell_rest[i] / v->shell_count[i]);
    return least;
}

double verdict_excess(const recon_trial *t, const recon_verdict *v)
{
    double weights = 0;
    const double least = noise_of_shells(v);
    for (int64_t i = 0; i < t->data->at.count; i++) weights += t->w[i] * t->s->coils;
    const bool white = !(least < INFINITY) || v->weighted_rest < WHITE * least * weights;
    return white || !(v->all > 0) ? 0 : (v->weighted_rest - least * weights) / v->all;
}
