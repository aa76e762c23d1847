/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves for all repetitions of a volume as one problem. Each repetition has its own samples and operator.
 * The unknowns are the images {grid, repetitions}, or a temporal basis of few columns spans these. The
 * first requested repetition solves for all; the images are kept for the others. */
#include "recon/solve/solve.h"

#include "base/memory.h"
#include "penalty/penalty.h"
#include "recon/maps/maps.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"
#include "recon/calibrate/calibrate.h"
#include "recon/model/model.h"

/* Lists the volumes of v's repetitions, in order. */
static argand_status members_of(const argand_sense *s, const recon_volume *v, const recon_volume ***members,
                                int *count)
{
    *count = 0;
    TRY(NEW(*members, s->volume_count));
    for (int i = 0; i < s->volume_count; i++)
        if (s->volumes[i].unit == v->unit) (*members)[(*count)++] = &s->volumes[i];
    return ARGAND_OK;
}

/* Input of the solver: an operator for each repetition, all samples, all weights. */
typedef struct joint_parts {
    int count;
    const recon_volume **members;
    argand_op **ops, **normals; /* normals: one per repetition, or NULL */
    argand_array **y, **weights;
    argand_array *all_y, *all_weights;
    argand_array **spectra; /* one per repetition, or NULL */
    argand_array *spectrum; /* spectrum of the joint problem; NULL: none */
    int64_t total;
    double diagonal;
} joint_parts;

static void parts_free(joint_parts *p)
{
    for (int r = 0; r < p->count; r++) {
        if (p->ops) argand_op_destroy(p->ops[r]);
        if (p->normals) argand_op_destroy(p->normals[r]);
        if (p->y) argand_array_destroy(p->y[r]);
        if (p->weights) argand_array_destroy(p->weights[r]);
        if (p->spectra) argand_array_destroy(p->spectra[r]);
    }
    memory_free(p->ops);
    memory_free(p->normals);
    memory_free(p->y);
    memory_free(p->weights);
    memory_free(p->spectra);
    memory_free(p->members);
    argand_array_destroy(p->all_y);
    argand_array_destroy(p->all_weights);
    argand_array_destroy(p->spectrum);
}

static void forget_maps(argand_sense *s)
{
    argand_array_destroy(s->shared_coil_maps);
    s->shared_coil_maps = NULL;
    s->shared_of = -1;
}

/* Estimates coil maps from the samples of all repetitions, because a single one may be too sparse. */
static argand_status calibrate(argand_sense *s, const joint_parts *p)
{
    const int unit = p->members[0]->unit;
    recon_row *rows = NULL;
    recon_samples samples = {0};
    argand_op *transform = NULL;
    int64_t count = 0;
    argand_status status;
    if (s->maps.coils.array || s->coils == 1 || calibrations_are_apart(s)) return ARGAND_OK;
    if (s->shared_of == unit) return ARGAND_OK;
    forget_maps(s);
    for (int r = 0; r < p->count; r++) count += p->members[r]->count;
    TRY_OR_DONE(NEW(rows, count));
    count = 0;
    for (int r = 0; r < p->count; r++)
        for (int64_t i = 0; i < p->members[r]->count; i++)
            rows[count++] = (recon_row){.acquisition = p->members[r]->rows[i].acquisition};
    TRY_OR_DONE(samples_of_rows(s, rows, count, &samples));
    TRY_OR_DONE(transform_of_slice(s, &samples.at, p->members[0]->counters.slice, &transform));
    const recon_source source = {
        .data = &samples, .transforms = &transform, .slice = p->members[0]->counters.slice};
    status = calibrate_coils(s, &source, NULL, &s->shared_coil_maps, NULL);
    if (!status) s->shared_of = unit;
done:
    argand_op_destroy(transform);
    samples_free(&samples);
    memory_free(rows);
    return status;
}

/* Makes a flat view, which outlives the array's handle. */
static argand_status whole_of(argand_array **view, argand_array *array)
{
    const int64_t count = argand_array_count(array);
    return argand_array_reshape(view, array, 1, &count);
}

/* Makes the session's model for a repetition and keeps the parts that the solver needs. */
static argand_status load_part(argand_sense *s, joint_parts *p, int r)
{
    recon_samples data;
    TRY(samples_load(s, p->members[r], &data));
    const argand_status status = model_prepare(s, p->members[r], &data);
    if (!status) {
        p->ops[r] = argand_op_keep(s->model.sense);
        p->normals[r] = argand_op_keep(s->model.normal);
        p->y[r] = data.y;
        data.y = NULL;
        p->total += data.at.count * s->coils;
        p->diagonal += s->model.diagonal / p->count;
    }
    samples_free(&data);
    TRY(status);
    if (s->model.spectrum) TRY(whole_of(&p->spectra[r], s->model.spectrum));
    if (!s->model.weights) return ARGAND_OK;
    const int64_t count = argand_array_count(s->model.weights);
    return argand_array_view(&p->weights[r], s->model.weights, 2, (int64_t[]){count, s->coils},
                             (int64_t[]){1, 0}, 0);
}

/* Concatenates the arrays; arrays that repeat for all coils are expanded. */
static argand_status gather(const argand_sense *s, const joint_parts *p, argand_array *const *from,
                            argand_type type, argand_array **all)
{
    int64_t at = 0;
    TRY(argand_array_create(all, s->device, type, 1, &p->total));
    for (int r = 0; r < p->count; r++) {
        argand_array *part;
        const int64_t dims[2] = {argand_array_dim(from[r], 0), argand_array_dim(from[r], 1)};
        TRY(argand_array_view(&part, *all, 2, dims, (int64_t[]){1, dims[0]}, at));
        const argand_status status = argand_array_copy(part, from[r]);
        argand_array_destroy(part);
        TRY(status);
        at += dims[0] * dims[1];
    }
    return ARGAND_OK;
}

static argand_status parts_load(argand_sense *s, joint_parts *p)
{
    TRY(NEW(p->ops, p->count));
    TRY(NEW(p->normals, p->count));
    TRY(NEW(p->y, p->count));
    TRY(NEW(p->weights, p->count));
    TRY(NEW(p->spectra, p->count));
    TRY(calibrate(s, p));
    for (int r = 0; r < p->count; r++) TRY(load_part(s, p, r));
    TRY(gather(s, p, p->y, s->options.type, &p->all_y));
    if (!p->weights[0]) return ARGAND_OK;
    return gather(s, p, p->weights, s->options.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32, &p->all_weights);
}

/* Computes images {grid, repetitions} = sum_k v_rk x_k. */
static argand_status expand(const argand_sense *s, const argand_array *x, argand_array *images)
{
    const int64_t pixels = s->grid.n[0] * s->grid.n[1] * s->grid.n[2];
    const int64_t repetitions = argand_array_count(images) / pixels, one = 1;
    for (int64_t r = 0; r < repetitions; r++)
        for (int64_t k = 0; k < s->basis_count; k++) {
            argand_array *to, *from;
            const double *v = s->basis + 2 * (r + repetitions * k);
            TRY(argand_array_view(&to, images, 1, &pixels, &one, r * pixels));
            argand_status status = argand_array_view(&from, x, 1, &pixels, &one, k * pixels);
            if (!status)
                status = argand_array_axpby(to, (argand_scalar){v[0], v[1]}, from, (argand_scalar){1, 0});
            argand_array_destroy(from);
            argand_array_destroy(to);
            TRY(status);
        }
    return ARGAND_OK;
}

static argand_status basis_array(const argand_sense *s, int64_t repetitions, argand_array **basis)
{
    argand_array *flat;
    *basis = NULL;
    if (!s->basis) return ARGAND_OK;
    TRY(complex_of_numbers(s, s->basis, repetitions * s->basis_count, &flat));
    const argand_status status =
        argand_array_reshape(basis, flat, 2, (int64_t[]){repetitions, s->basis_count});
    argand_array_destroy(flat);
    return status;
}

/* Joins the spectra: one for each repetition's image, or for each column of the basis the sum over
 * repetitions, weighted by the squares of the column's elements. */
static argand_status join_spectra(const argand_sense *s, joint_parts *p)
{
    const int64_t images = s->basis ? s->basis_count : p->count;
    for (int r = 0; r < p->count; r++)
        if (!p->spectra[r]) return ARGAND_OK;
    TRY(spectrum_new(s, p->spectra[0], images, &p->spectrum));
    for (int r = 0; r < p->count; r++)
        for (int64_t k = 0; k < images; k++) {
            const double *v = s->basis ? s->basis + 2 * (r + p->count * k) : NULL, own = k == r;
            const double factor = v ? v[0] * v[0] + v[1] * v[1] : own;
            if (factor > 0) TRY(spectrum_add(p->spectrum, k, factor, p->spectra[r]));
        }
    return ARGAND_OK;
}

static argand_status solve_parts(argand_sense *s, joint_parts *p, argand_monitor monitor, void *context)
{
    argand_array *basis = NULL, *x = NULL;
    argand_op *op = NULL, *normal = NULL;
    argand_status status;
    bool all_normal = true;
    for (int r = 0; r < p->count; r++) all_normal = all_normal && p->normals[r];
    TRY_OR_DONE(basis_array(s, p->count, &basis));
    TRY_OR_DONE(argand_op_repetitions(&op, p->ops, p->count, basis));
    if (all_normal) TRY_OR_DONE(argand_op_repetitions_normal(&normal, p->normals, p->count, basis));
    TRY_OR_DONE(images_new(s, p->count, &s->joint_images));
    if (s->basis) TRY_OR_DONE(images_new(s, s->basis_count, &x));
    TRY_OR_DONE(join_spectra(s, p));
    const recon_problem problem = {.op = op,
                                   .y = p->all_y,
                                   .weights = p->all_weights,
                                   .normal = normal,
                                   .spectrum = p->spectrum,
                                   .diagonal = p->diagonal};
    status = solve_problem(s, &problem, x ? x : s->joint_images, monitor, context);
    if (x && (status == ARGAND_OK || status == ARGAND_STOPPED)) {
        const argand_status expanded = expand(s, x, s->joint_images);
        if (expanded) status = expanded;
    }
done:
    argand_op_destroy(normal);
    argand_op_destroy(op);
    argand_array_destroy(x);
    argand_array_destroy(basis);
    return status;
}

static void forget_images(argand_sense *s)
{
    argand_array_destroy(s->joint_images);
    s->joint_images = NULL;
    s->joint = NULL;
}

static argand_status solve_group(argand_sense *s, const recon_volume *v, argand_monitor monitor,
                                 void *context)
{
    joint_parts p = {0};
    argand_status status;
    TRY_OR_DONE(members_of(s, v, &p.members, &p.count));
    CHECK_OR_DONE(!s->basis || s->basis_rows == p.count, ARGAND_ARGUMENT,
                  "%s: the temporal basis has %lld rows, but slice %d has %d repetitions", s->scan->path,
                  (long long)s->basis_rows, v->counters.slice, p.count);
    TRY_OR_DONE(parts_load(s, &p));
    status = solve_parts(s, &p, monitor, context);
done:
    parts_free(&p);
    return status;
}

argand_status joint_run(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                        void *context)
{
    argand_status status = ARGAND_OK;
    int64_t place = 0;
    if (!s->joint || s->joint->unit != v->unit) {
        forget_images(s);
        status = (s->time_counter ? subspace_solve : solve_group)(s, v, monitor, context);
        if (status == ARGAND_OK) s->joint = v;
    }
    if ((status != ARGAND_OK && status != ARGAND_STOPPED) || !s->joint_images) return status;
    for (const recon_volume *other = s->volumes; other < v; other++) place += other->unit == v->unit;
    int64_t strides[3] = {1, s->grid.n[0], s->grid.n[0] * s->grid.n[1]};
    argand_array *image;
    TRY(argand_array_view(&image, s->joint_images, s->grid.rank, s->grid.n, strides,
                          place * s->grid.n[0] * s->grid.n[1] * s->grid.n[2]));
    const argand_status copied = argand_array_copy(x, image);
    argand_array_destroy(image);
    return copied ? copied : status;
}

argand_status joint_prepare(argand_sense *s, const recon_volume *v)
{
    joint_parts p = {0};
    if (s->time_counter) return subspace_calibrate(s, v);
    TRY(members_of(s, v, &p.members, &p.count));
    const argand_status status = calibrate(s, &p);
    parts_free(&p);
    return status;
}

void joint_forget(argand_sense *s)
{
    forget_images(s);
    forget_maps(s);
}

static argand_status check_repetitions(const argand_sense *s)
{
    int most = 1;
    for (int v = 0; v < s->volume_count; v++)
        if (s->volumes[v].counters.repetition >= most) most = s->volumes[v].counters.repetition + 1;
    for (int i = 0; i < s->options.regularizer_count; i++)
        CHECK(!regularizer_has_series(&s->options.regularizers[i]) || (s->basis ? s->basis_count : most) > 1,
              ARGAND_ARGUMENT, "%s: a low-rank regularizer needs several repetitions, but the scan has one",
              s->scan->path);
    return ARGAND_OK;
}

argand_status joint_find(argand_sense *s, const argand_sense_options *given)
{
    if (!s->time_counter) TRY(basis_find(s, given));
    if (s->basis) s->options.joint = true;
    for (int i = 0; i < s->options.regularizer_count; i++)
        if (regularizer_has_series(&s->options.regularizers[i])) s->options.joint = true;
    if (!s->options.joint) return ARGAND_OK;
    CHECK(s->bands == 1 && !(s->options.partial_fourier > 0), ARGAND_UNSUPPORTED,
          "%s: repetitions cannot be solved together with simultaneous slices or with the partial Fourier "
          "constraint",
          s->scan->path);
    CHECK(!s->time_counter || s->options.phases == ARGAND_PHASES_NONE, ARGAND_UNSUPPORTED,
          "%s: coefficients of a basis are not solved for with phase maps of shots; leave them out",
          s->scan->path);
    return check_repetitions(s);
}
