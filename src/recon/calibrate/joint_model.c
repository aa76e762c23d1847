/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of joint estimation. Samples on a grid, without field map and phases, need no NUFFT: T^H D T
 * is a product on the grid of coefficients. Other samples use Toeplitz convolutions if these are predicted
 * to be faster. */
#include "recon/calibrate/joint_model.h"

#include <math.h>
#include "base/memory.h"
#include "recon/maps/maps.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"

enum { MOST_PIXELS = 64 };

/* Approximate number of applications of the normal operator in a solve, over which the cost of Toeplitz
 * kernels is spread. */
static const double APPLICATIONS = 200;

/* Tolerances; NUFFT errors make results differ between devices. */
static const double NUFFT_TOLERANCE = 1e-5, SEGMENT_TOLERANCE = 1e-3;

/* Temporary parts from which the operator is made. */
typedef struct parts {
    recon_physics physics;
    argand_array *phases;   /* {small grid, shots}; NULL: none */
    argand_array *weights;  /* {samples} */
    argand_op **transforms; /* transform of each shot */
    argand_op *transform;   /* transform of all shots */
} parts;

int64_t joint_size(int64_t n)
{
    return n < MOST_PIXELS ? n : MOST_PIXELS;
}

static argand_sense small_session(const argand_sense *s)
{
    argand_sense small = *s;
    for (int axis = 0; axis < 3; axis++) small.grid.n[axis] = joint_size(s->grid.n[axis]);
    small.options.density = ARGAND_DENSITY_PIPE;
    small.options.segments = 0; /* as many as the tolerance requires */
    small.nufft_tolerance = NUFFT_TOLERANCE;
    small.segment_tolerance = fmax(s->options.segment_tolerance, SEGMENT_TOLERANCE);
    return small;
}

/* ---- what is known for every pixel */

static argand_status find_maps(joint_model *m, const argand_sense *s, int slice, const argand_array *phases,
                               parts *p)
{
    const argand_array *mask;
    const bool corrects = s->transform != ARGAND_TRANSFORM_NUFFT;
    TRY(physics_of_slice(s, slice, &p->physics));
    mask = p->physics.mask;
    TRY(map_shrink(&m->small, s, mask, &p->physics.field));
    TRY(map_shrink(&m->small, s, mask, &p->physics.r2star));
    if (phases) TRY(phases_shrink(&m->small, s, mask, phases, &m->near, &p->phases));
    argand_array_destroy(p->physics.mask);
    p->physics.mask = NULL;
    m->small.transform = corrects && (p->physics.field || p->physics.r2star) ? ARGAND_TRANSFORM_SEGMENTED
                                                                             : ARGAND_TRANSFORM_NUFFT;
    return ARGAND_OK;
}

/* ---- samples */

/* Selects the samples of both lists inside the small grid's k-space. */
static argand_status find_samples(joint_model *m, const recon_samples *data, const recon_samples *more)
{
    const recon_samples *const lists[2] = {data, more};
    recon_region region = {.middle = {0}};
    for (int axis = 0; axis < 3; axis++) region.reach[axis] = 0.5 * (double)m->small.grid.n[axis];
    TRY(samples_within(&m->small, &region, lists, more ? 2 : 1, &m->near));
    CHECK(m->near.at.count > 0, ARGAND_FORMAT,
          "coil maps together with an image: there are no samples near the middle of k-space");
    return ARGAND_OK;
}

/* ---- operators */

static argand_status make_transforms(joint_model *m, parts *p)
{
    TRY(NEW(p->transforms, m->near.shot_count));
    for (int i = 0; i < m->near.shot_count; i++) {
        recon_points at;
        TRY(points_of_shot(&m->near.at, &m->near.shots[i], &at));
        if (m->near.shots[i].map < 0) { /* calibration scan, whose phase was not measured */
            argand_array_destroy(at.phase);
            at.phase = NULL;
        }
        const argand_status status = transform_make(&m->small, &at, &p->physics, &p->transforms[i]);
        points_free(&at);
        TRY(status);
    }
    if (m->near.shot_count > 1 || p->phases)
        return shots_operator(&m->small, &m->near, p->transforms, p->phases, &p->transform);
    p->transform = argand_op_keep(p->transforms[0]);
    return ARGAND_OK;
}

/* Makes the operator A^H diag(d) A. */
static argand_status enclose(argand_op *a, const argand_array *d, argand_op **normal)
{
    argand_op *diagonal = NULL, *right = NULL, *left = NULL;
    argand_status status;
    TRY_OR_DONE(argand_op_diagonal(&diagonal, d));
    TRY_OR_DONE(argand_op_chain(&right, diagonal, a));
    TRY_OR_DONE(argand_op_adjoint_of(&left, a));
    status = argand_op_chain(normal, left, right);
done:
    argand_op_destroy(left);
    argand_op_destroy(right);
    argand_op_destroy(diagonal);
    return status;
}

static argand_status by_transform(joint_model *m, const parts *p)
{
    argand_array *repeated;
    TRY(argand_array_view(&repeated, p->weights, 2, (int64_t[]){m->near.at.count, m->small.coils},
                          (int64_t[]){1, 0}, 0));
    const argand_status status = enclose(p->transform, repeated, &m->normal);
    argand_array_destroy(repeated);
    return status;
}

static argand_status by_toeplitz(joint_model *m, const parts *p)
{
    const argand_sense *s = &m->small;
    const bool has_field = s->transform == ARGAND_TRANSFORM_SEGMENTED;
    argand_toeplitz *toeplitz;
    argand_toeplitz_options options = {.type = s->options.type,
                                       .rank = s->grid.rank,
                                       .weights = p->weights,
                                       .t = has_field ? m->near.at.t : NULL,
                                       .field_map = has_field ? p->physics.field : NULL,
                                       .r2star = has_field ? p->physics.r2star : NULL,
                                       .phase_maps = p->phases,
                                       .shots = p->phases ? m->near.shot_count : 1,
                                       .tolerance = has_field ? s->segment_tolerance : s->nufft_tolerance};
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = m->near.at.k[axis];
    }
    TRY(argand_toeplitz_create(&toeplitz, s->device, &options));
    const argand_status status = argand_op_toeplitz(&m->normal, s->device, toeplitz, s->coils);
    argand_toeplitz_destroy(toeplitz);
    return status;
}

/* Predicts if Toeplitz convolutions save time. They need shots of equal lengths and no measured phase. */
static argand_status toeplitz_pays(const joint_model *m, const parts *p, bool *pays)
{
    const recon_samples *near = &m->near;
    const bool has_field = m->small.transform == ARGAND_TRANSFORM_SEGMENTED;
    argand_toeplitz_times times;
    argand_toeplitz_problem problem = {.type = m->small.options.type,
                                       .rank = m->small.grid.rank,
                                       .samples = near->at.count,
                                       .vectors = m->small.coils,
                                       .shots = p->phases ? near->shot_count : 1,
                                       .terms = has_field ? p->physics.worst.terms : 1,
                                       .tolerance = m->small.nufft_tolerance};
    *pays = !near->at.phase;
    for (int axis = 0; axis < 3; axis++) problem.n[axis] = m->small.grid.n[axis];
    for (int i = 1; i < near->shot_count && p->phases; i++)
        *pays = *pays && near->shots[i].count == near->shots[0].count;
    if (!*pays) return ARGAND_OK;
    TRY(argand_toeplitz_predict(&times, m->small.device, &problem));
    *pays = times.toeplitz + times.kernels / APPLICATIONS < times.nufft;
    return ARGAND_OK;
}

/* Returns the index of the coefficient at a sample's position, or -1 if the sample lies between
 * coefficients. */
static int64_t coefficient_of(const recon_grid *grid, double *const k[3], int64_t i)
{
    int64_t at = 0;
    for (int axis = grid->rank - 1; axis >= 0; axis--) {
        const int64_t n = grid->n[axis];
        const double x = n > 1 ? k[axis][i] : 0, nearest = rint(x);
        if (fabs(x - nearest) > 1e-5) return -1;
        const int64_t cell = (int64_t)nearest + n / 2;
        at = at * n + (cell < 0 ? cell + n : cell) % n;
    }
    return at;
}

/* Computes the spectrum {small grid} of T^H D T if all samples lie on the grid; otherwise *spectrum is
 * NULL. T has no scale factor; the matching FFT is unitary. */
static argand_status find_spectrum(const joint_model *m, const parts *p, double **spectrum)
{
    const recon_grid *grid = &m->small.grid;
    const int64_t pixels = grid->n[0] * grid->n[1] * grid->n[2];
    double *k[3] = {NULL}, *weights = NULL;
    argand_status status;
    int64_t at = 0;
    *spectrum = NULL;
    for (int axis = 0; axis < 3; axis++) TRY_OR_DONE(numbers_of_array(m->near.at.k[axis], &k[axis]));
    TRY_OR_DONE(numbers_of_array(p->weights, &weights));
    TRY_OR_DONE(NEW(*spectrum, pixels));
    for (int64_t i = 0; i < m->near.at.count && at >= 0; i++) {
        at = coefficient_of(grid, k, i);
        if (at >= 0) (*spectrum)[at] += weights[i] * (double)pixels;
    }
    if (at < 0) {
        memory_free(*spectrum);
        *spectrum = NULL;
    }
done:
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(weights);
    return status;
}

static argand_status by_spectrum(joint_model *m, const double *spectrum)
{
    const argand_sense *s = &m->small;
    const int64_t *n = s->grid.n, pixels = n[0] * n[1] * n[2];
    argand_fft_options options = {.type = s->options.type,
                                  .rank = s->grid.rank,
                                  .batch = s->coils,
                                  .centred = true,
                                  .scale = ARGAND_SCALE_UNITARY};
    int64_t dims[4] = {n[0], n[1], n[2]}, strides[4] = {1, n[0], n[0] * n[1]};
    argand_array *flat = NULL, *repeated = NULL;
    argand_op *fourier = NULL;
    argand_status status;
    for (int axis = 0; axis < s->grid.rank; axis++) options.n[axis] = n[axis];
    dims[s->grid.rank] = s->coils;
    strides[s->grid.rank] = 0;
    TRY_OR_DONE(array_of_numbers(s, spectrum, pixels, &flat));
    TRY_OR_DONE(argand_array_view(&repeated, flat, s->grid.rank + 1, dims, strides, 0));
    TRY_OR_DONE(argand_op_fft(&fourier, s->device, &options, ARGAND_FORWARD));
    status = enclose(fourier, repeated, &m->normal);
done:
    argand_op_destroy(fourier);
    argand_array_destroy(repeated);
    argand_array_destroy(flat);
    return status;
}

static argand_status make_normal(joint_model *m, const parts *p)
{
    double *spectrum = NULL;
    bool pays;
    if (m->small.transform == ARGAND_TRANSFORM_NUFFT && !m->near.at.phase && !p->phases)
        TRY(find_spectrum(m, p, &spectrum));
    if (spectrum) {
        const argand_status status = by_spectrum(m, spectrum);
        memory_free(spectrum);
        return status;
    }
    TRY(toeplitz_pays(m, p, &pays));
    return pays ? by_toeplitz(m, p) : by_transform(m, p);
}

/* Computes right = T^H D y and replaces y by D y. */
static argand_status make_right(joint_model *m, const parts *p)
{
    const argand_shape *shape = argand_op_domain(p->transform);
    argand_array *weighted = NULL;
    argand_scalar energy;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&weighted, m->small.device, m->small.options.type, 2,
                                    (int64_t[]){m->near.at.count, m->small.coils}));
    TRY_OR_DONE(argand_array_copy(weighted, m->near.y));
    TRY_OR_DONE(combine_weigh(weighted, p->weights));
    TRY_OR_DONE(argand_array_dot(&energy, m->near.y, weighted));
    m->norm = sqrt(energy.re);
    TRY_OR_DONE(argand_array_create(&m->right, m->small.device, shape->type, shape->rank, shape->dims));
    status = argand_op_adjoint(p->transform, m->right, weighted);
done:
    argand_array_destroy(weighted);
    return status;
}

static void parts_free(const joint_model *m, parts *p)
{
    physics_free(&p->physics);
    argand_array_destroy(p->phases);
    argand_array_destroy(p->weights);
    for (int i = 0; p->transforms && i < m->near.shot_count; i++) argand_op_destroy(p->transforms[i]);
    argand_op_destroy(p->transform);
    memory_free(p->transforms);
}

argand_status joint_model_make(joint_model *m, const argand_sense *s, const recon_source *image,
                               const recon_samples *more)
{
    const bool apart = image->phases && more;
    parts p = {.phases = NULL};
    argand_status status;
    *m = (joint_model){.small = small_session(s)};
    TRY_OR_DONE(find_samples(m, apart ? more : image->data, apart ? NULL : more));
    TRY_OR_DONE(find_maps(m, s, image->slice, apart ? NULL : image->phases, &p));
    TRY_OR_DONE(density_of_points(&m->small, &m->near.at, &p.weights));
    TRY_OR_DONE(make_transforms(m, &p));
    TRY_OR_DONE(make_normal(m, &p));
    status = make_right(m, &p);
done:
    parts_free(m, &p);
    return status;
}

void joint_model_free(joint_model *m)
{
    argand_op_destroy(m->normal);
    argand_array_destroy(m->right);
    samples_free(&m->near);
}
