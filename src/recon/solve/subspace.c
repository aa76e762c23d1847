/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves for the coefficients of a temporal basis from all samples of a slice, whenever they were taken:
 * y_j = sum_k v_k(time of j) (A x_k)_j, with one transform for all samples. Relaxation: Petzschner et al.,
 * Magn. Reson. Med. 66:706, 2011; Tamir et al., 77:180, 2017. */
#include "recon/solve/solve.h"

#include "base/memory.h"
#include "base/observe.h"
#include "recon/calibrate/calibrate.h"
#include "recon/model/model.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"

argand_status subspace_find(argand_sense *s, const argand_sense_options *given)
{
    if (!s->options.coefficients) return ARGAND_OK;
    TRY(basis_find(s, given));
    CHECK(s->basis, ARGAND_ARGUMENT, "%s: coefficients need a temporal basis, and none is given",
          s->scan->path);
    s->options.joint = true;
    return times_find(s);
}

argand_status subspace_calibrate(argand_sense *s, const recon_volume *v)
{
    recon_row *rows = NULL;
    recon_samples samples = {0};
    argand_op *transform = NULL;
    int64_t count;
    argand_status status;
    if (s->maps.coils.array || s->coils == 1 || calibrations_are_apart(s) || s->shared_of == v->unit)
        return ARGAND_OK;
    argand_array_destroy(s->shared_coil_maps);
    s->shared_coil_maps = NULL;
    s->shared_of = -1;
    TRY(times_strong(s, v, &rows, &count));
    TRY_OR_DONE(samples_of_rows(s, rows, count, &samples));
    TRY_OR_DONE(times_even_out(s, rows, count, &samples));
    TRY_OR_DONE(transform_of_slice(s, &samples.at, v->counters.slice, &transform));
    status = calibrate_coils(
        s, &(recon_source){.data = &samples, .transforms = &transform, .slice = v->counters.slice}, NULL,
        &s->shared_coil_maps, NULL);
    if (!status) s->shared_of = v->unit;
done:
    argand_op_destroy(transform);
    samples_free(&samples);
    memory_free(rows);
    return status;
}

/* Makes the operator {grid, images} -> {samples, coils}. */
static argand_status make_operator(const argand_sense *s, argand_array *factors, argand_op **op)
{
    argand_op **parts;
    TRY(NEW(parts, s->basis_count));
    for (int64_t k = 0; k < s->basis_count; k++) parts[k] = s->model.sense;
    const argand_status status = argand_op_multiband(op, parts, (int)s->basis_count, factors);
    memory_free(parts);
    return status;
}

/* Computes the mean of |v_k|^2 over the samples and images: the ratio of the mean diagonal of A^H W A of the
 * coefficients to that of one image. */
static argand_status mean_square(const argand_array *factors, double *mean)
{
    TRY(argand_array_norm(mean, factors));
    *mean *= *mean / (double)argand_array_count(factors);
    return ARGAND_OK;
}

/* Approximates the spectrum of each coefficient image by that of one image. */
static argand_status make_spectrum(const argand_sense *s, double factor, argand_array **spectrum)
{
    if (!s->model.spectrum) return ARGAND_OK;
    TRY(spectrum_new(s, s->model.spectrum, s->basis_count, spectrum));
    for (int64_t k = 0; k < s->basis_count; k++) TRY(spectrum_add(*spectrum, k, factor, s->model.spectrum));
    return ARGAND_OK;
}

/* Makes the problem from the session's model; its operator and spectrum are the caller's. */
static argand_status make_problem(argand_sense *s, const recon_volume *v, const recon_samples *data,
                                  recon_problem *p, argand_op **op, argand_array **spectrum)
{
    recon_model *m = &s->model;
    argand_array *factors;
    double mean = 0;
    argand_status status;
    TRY(times_factors(s, v, data, &factors));
    argand_op_destroy(m->normal);
    m->normal = NULL;
    TRY_OR_DONE(make_operator(s, factors, op));
    if (s->toeplitz) TRY_OR_DONE(normal_of_factors(s, data, m, factors));
    TRY_OR_DONE(mean_square(factors, &mean));
    TRY_OR_DONE(make_spectrum(s, mean, spectrum));
    status = problem_of_model(s, data, p);
    p->op = *op;
    p->spectrum = *spectrum;
    p->diagonal *= mean;
done:
    argand_array_destroy(factors);
    return status;
}

static argand_status solve(argand_sense *s, const recon_volume *v, const recon_samples *data,
                           argand_monitor monitor, void *context)
{
    recon_problem p = {0};
    argand_op *op = NULL;
    argand_array *spectrum = NULL;
    argand_status status;
    TRY(subspace_calibrate(s, v));
    TRY(model_prepare(s, v, data));
    TRY_OR_DONE(make_problem(s, v, data, &p, &op, &spectrum));
    status = solve_problem(s, &p, s->joint_images, monitor, context);
done:
    problem_free(&p);
    argand_array_destroy(spectrum);
    argand_op_destroy(op);
    return status;
}

argand_status subspace_solve(argand_sense *s, const recon_volume *v, argand_monitor monitor, void *context)
{
    recon_samples data;
    double norm;
    TRY(observe("preparing", -1));
    TRY(samples_load(s, v, &data));
    argand_status status = argand_array_norm(&norm, data.y);
    if (!status) status = images_new(s, s->basis_count, &s->joint_images); /* zeros */
    if (!status && norm > 0) status = solve(s, v, &data, monitor, context);
    if (!status && norm == 0)
        note_once(s, "All samples of slice %d are 0, and so is its image.", v->counters.slice);
    samples_free(&data);
    return status;
}
