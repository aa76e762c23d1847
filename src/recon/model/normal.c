/* SPDX-License-Identifier: BSD-3-Clause */
/* The normal operator of a volume by Toeplitz embedding, with which iterations need only FFTs: decides if
 * it is possible and predicted to save time, and makes it. */
#include <math.h>
#include "array/across.h"
#include "device/device.h"
#include "op/op.h"
#include "penalty/penalty.h"
#include "recon/model/model.h"
#include "recon/samples/samples.h"
#include "recon/transform/transform.h"

/* Returns the reason why the operator cannot be used, or NULL. */
static const char *obstacle(const argand_sense *s)
{
    if (s->term_count)
        return "with phase terms or concomitant fields the normal operator is not a convolution; use "
               "--toeplitz auto "
               "without --precondition";
    if (s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS)
        return "with gradients within voxels the normal operator is not a convolution";
    if (s->transform == ARGAND_TRANSFORM_SEGMENTED && s->options.segments)
        return "a fixed number of segments would give it another model than the data; give a segment "
               "tolerance instead";
    if (s->options.spirit > 0) return "SPIRiT solves for the images of all coils";
    if (s->options.sets > 1) return "several sets of coil maps have images that overlap in each sample";
    if (s->bands > 1) return "with simultaneous slices the normal operator is not a convolution of one image";
    if (s->options.method != ARGAND_METHOD_SOLVE) return "nothing is iterated";
    if (s->time_counter && s->transform != ARGAND_TRANSFORM_NUFFT)
        return "coefficients of a basis have one without off-resonance and R2* only";
    if (s->time_counter && s->basis_count > ARGAND_TOEPLITZ_IMAGES)
        return "a basis of more than 16 columns has too many kernels; give a smaller rank";
    return NULL;
}

static argand_solver solver_of(const argand_sense *s)
{
    const argand_sense_options *o = &s->options;
    return o->solver ? o->solver : argand_solver_choose(o->regularizers, o->regularizer_count);
}

/* Returns true if the solver's image updates can use the spectrum of the nearest circulant matrix. Grids
 * of gigabytes do without it. So do simultaneous slices: no spectrum describes their coupling, and a
 * single step with it is worse than without. */
static bool wants_spectrum(const argand_sense *s)
{
    const double most = 64 * 1048576.0;
    const argand_solver solver = solver_of(s);
    double grid = 1;
    for (int axis = 0; axis < s->grid.rank; axis++) grid *= 2.0 * (double)s->grid.n[axis];
    return s->options.method == ARGAND_METHOD_SOLVE && s->bands == 1 && !s->options.precondition &&
           grid <= most && (solver == ARGAND_SOLVER_ADMM || solver == ARGAND_SOLVER_HALF_QUADRATIC);
}

/* Returns the largest number of applications of the normal operator for a volume: those of the image
 * updates; 10 first steps of all solvers but CG; three times as many if a weight is chosen
 * (docs/internals/solve.md). */
static double pairs_of(const argand_sense *s)
{
    const argand_sense_options *o = &s->options;
    const argand_solver solver = solver_of(s);
    const double inner = o->inner ? o->inner : solver == ARGAND_SOLVER_ADMM && wants_spectrum(s) ? 1 : 4;
    double pairs = o->iterations;
    if (solver == ARGAND_SOLVER_HALF_QUADRATIC) pairs *= 1 + inner;
    if (solver == ARGAND_SOLVER_ADMM) pairs *= inner;
    if (solver != ARGAND_SOLVER_CG) pairs += 10;
    for (int i = 0; i < o->regularizer_count; i++)
        if (o->regularizers[i].automatic) return 3 * pairs;
    return pairs;
}

/* Corrects the prediction for samples in planes, whose NUFFT works plane by plane. */
static argand_status predict_planes(const argand_sense *s, argand_toeplitz_problem problem,
                                    argand_toeplitz_times *times)
{
    argand_toeplitz_times of_planes;
    int64_t planes;
    TRY(planes_of_volume(s, &s->volumes[0], &planes));
    if (!planes || problem.shots > 1) return ARGAND_OK;
    problem.rank = 2;
    problem.samples /= planes;
    problem.vectors *= planes;
    TRY(argand_toeplitz_predict(&of_planes, s->device, &problem));
    times->nufft = of_planes.nufft;
    return ARGAND_OK;
}

/* Turns the times of one image into those of all images of a basis. */
static void predict_images(const argand_sense *s, argand_toeplitz_times *times, double *exact)
{
    const double images = (double)s->basis_count;
    *exact *= images;
    times->nufft *= images;
    times->toeplitz *= images;
    times->kernels *= images * (images + 1) / 2;
}

/* Predicts the times for some shots (0: all) and coils, with the segments that are predicted for the
 * transform and the scan's samples and shots. exact: seconds of the exact DFT and its adjoint */
static argand_status predict(const argand_sense *s, int64_t shots, int64_t coils,
                             argand_toeplitz_times *times, double *exact)
{
    argand_segments_times segments;
    argand_segments_problem one;
    int all;
    TRY(segmented_problem(s, &one, &all));
    one.vectors = coils;
    one.gradients = s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS;
    TRY(argand_segments_predict(&segments, s->device, &one));
    if (!shots) shots = all;
    argand_toeplitz_problem problem = {.type = s->options.type,
                                       .rank = s->grid.rank,
                                       .samples = one.samples * shots,
                                       .vectors = coils,
                                       .shots = (int)shots,
                                       .terms = segments.terms,
                                       .tolerance = s->options.nufft_tolerance};
    for (int axis = 0; axis < 3; axis++) problem.n[axis] = s->grid.n[axis];
    *exact = 2 * (double)shots * segments.exact;
    TRY(argand_toeplitz_predict(times, s->device, &problem));
    TRY(predict_planes(s, problem, times));
    if (s->time_counter) predict_images(s, times, exact);
    return ARGAND_OK;
}

/* Returns what coils cost on a CPU in units of one of a full group, which an instruction takes at once: a
 * smaller rest takes nearly as long as a group. Measured on images of 256 x 256 (docs/internals/dist.md). */
static double cost_of(const argand_sense *s, int64_t coils)
{
    const int64_t group = s->options.type == ARGAND_C64 ? 4 : 8, rest = coils % group;
    const double full = (double)(coils - rest), part = (double)rest;
    if (!device_traits_of(s->device)->is_host) return (double)coils;
    if (s->toeplitz) return full + (rest < 3 ? part : 0.9 * (double)group + 0.1 * part);
    return full + fmin(2 * part, rest ? 0.7 * (double)group + 0.3 * part : 0);
}

argand_status normal_seconds(const argand_sense *s, int64_t shots, int64_t coils, double *seconds)
{
    argand_toeplitz_times times;
    double exact;
    TRY(predict(s, shots, coils, &times, &exact));
    const bool is_exact =
        s->transform == ARGAND_TRANSFORM_DFT || s->transform == ARGAND_TRANSFORM_DFT_GRADIENTS;
    const double factor = cost_of(s, coils) / (double)coils;
    *seconds = s->toeplitz ? factor * times.toeplitz : is_exact ? exact : factor * times.nufft;
    return ARGAND_OK;
}

/* Predicts if the operator saves time. */
static argand_status pays(const argand_sense *s, bool *result)
{
    argand_toeplitz_times times;
    double exact;
    TRY(predict(s, 0, s->coils, &times, &exact));
    *result = times.nufft > times.toeplitz + times.kernels / pairs_of(s);
    return ARGAND_OK;
}

/* Returns the approximate contribution of quadratic penalties to the diagonal: at most 4 for each axis of
 * differences, 2 on average. */
static double shift_of(const argand_sense *s, double diagonal)
{
    double shift = 0;
    for (int i = 0; i < s->options.regularizer_count; i++) {
        const argand_regularizer *r = &s->options.regularizers[i];
        if (r->automatic) continue; /* not known yet; a preconditioner need not be exact */
        if (regularizer_is_quadratic(r))
            shift += (regularizer_has_gradient(r) ? 2 * s->grid.rank : 1) * r->weight;
    }
    return shift * diagonal;
}

/* Makes the preconditioner, with the mask on both sides, so that pixels outside stay 0. */
static argand_status precondition(const argand_sense *s, const argand_toeplitz *toeplitz, recon_model *m)
{
    argand_op *circulant = NULL, *mask = NULL, *right = NULL;
    argand_status status;
    TRY_OR_DONE(argand_op_circulant(&circulant, toeplitz, m->coil_maps, shift_of(s, m->diagonal)));
    TRY_OR_DONE(model_mask(s, m, &mask));
    if (mask) {
        TRY_OR_DONE(argand_op_chain(&right, circulant, mask));
        status = argand_op_chain(&m->preconditioner, mask, right);
    } else {
        m->preconditioner = argand_op_keep(circulant);
    }
done:
    argand_op_destroy(right);
    argand_op_destroy(mask);
    argand_op_destroy(circulant);
    return status;
}

/* The samples that kernels are made of: k, times, weights and phase maps of the shots. */
typedef struct kernel_input {
    recon_points at;
    argand_array *weights, *phases;
    int shots;
} kernel_input;

static void input_free(kernel_input *in)
{
    points_free(&in->at);
    argand_array_destroy(in->weights);
    argand_array_destroy(in->phases);
}

/* Takes all samples, or those of the rank's shots. */
static argand_status input_take(const argand_sense *s, const recon_samples *data, const recon_model *m,
                                bool own, kernel_input *in)
{
    const recon_share *share = &data->share;
    const bool part = own && share->shots;
    const recon_shot all = {.first = part ? share->sample : 0,
                            .count = part ? share->samples : data->at.count};
    *in = (kernel_input){.shots = part ? (int)share->count : m->shot_count};
    TRY(points_of_shot(&data->at, &all, &in->at));
    argand_status status = ARGAND_OK;
    if (m->weights) status = argand_array_part(&in->weights, m->weights, 0, all.first, all.count);
    if (!status && m->phases)
        status = argand_array_part(&in->phases, m->phases, s->grid.rank, part ? share->first : 0, in->shots);
    if (status) input_free(in);
    return status;
}

/* exact: with field map and the phases of the rank's shots */
static argand_status make_kernels(const argand_sense *s, const recon_samples *data, const recon_model *m,
                                  bool exact, argand_toeplitz **toeplitz)
{
    recon_physics p;
    kernel_input in;
    const bool corrects = exact && s->transform != ARGAND_TRANSFORM_NUFFT;
    TRY(input_take(s, data, m, exact, &in));
    argand_status status = physics_of_slice(s, m->slice, &p);
    if (status) {
        input_free(&in);
        return status;
    }
    const bool has_field = corrects && (p.field || p.r2star);
    argand_toeplitz_options options = {.type = s->options.type,
                                       .rank = s->grid.rank,
                                       .weights = in.weights,
                                       .t = has_field ? in.at.t : NULL,
                                       .field_map = corrects ? p.field : NULL,
                                       .r2star = corrects ? p.r2star : NULL,
                                       .mask = p.mask,
                                       .phase_maps = exact ? in.phases : NULL,
                                       .shots = exact && in.phases ? in.shots : 1,
                                       .tolerance = has_field ? s->segment_tolerance
                                                    : exact   ? s->nufft_tolerance
                                                              : 1e-3};
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = in.at.k[axis];
    }
    status = argand_toeplitz_create(toeplitz, s->device, &options);
    physics_free(&p);
    input_free(&in);
    return status;
}

/* Makes the spectrum without field map and phases of shots, which hardly change the response to plane
 * waves. It is the same with and without the Toeplitz operator. A preconditioner need not be exact. */
static argand_status make_spectrum(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    argand_toeplitz *toeplitz;
    if (!wants_spectrum(s)) return ARGAND_OK;
    TRY(make_kernels(s, data, m, false, &toeplitz));
    const argand_status status = argand_toeplitz_circulant(&m->spectrum, toeplitz, m->coil_maps);
    argand_toeplitz_destroy(toeplitz);
    return status;
}

/* Makes the operator of the rank's share. */
static argand_status make_own(const recon_share *share, argand_toeplitz *toeplitz, recon_model *m)
{
    argand_array *maps;
    TRY(share_maps(share, m->coil_maps, &maps));
    const argand_status status = argand_op_sense_normal(&m->normal, toeplitz, maps);
    argand_array_destroy(maps);
    return status;
}

/* Makes the operator of a rank without a share. */
static argand_status make_zero(const argand_sense *s, recon_model *m)
{
    const argand_shape image = {s->options.type, s->grid.rank, {s->grid.n[0], s->grid.n[1], s->grid.n[2]}};
    return op_zero(&m->normal, s->device, &image, &image);
}

static argand_status make(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    argand_toeplitz *toeplitz = NULL;
    argand_status status;
    if (!data->share.count) TRY_OR_DONE(make_zero(s, m));
    if (data->share.count || s->options.precondition) {
        TRY_OR_DONE(make_kernels(s, data, m, true, &toeplitz));
        argand_toeplitz_describe(toeplitz, &m->toeplitz);
    }
    if (data->share.count) TRY_OR_DONE(make_own(&data->share, toeplitz, m));
    if (s->options.precondition) TRY_OR_DONE(precondition(s, toeplitz, m));
    status = make_spectrum(s, data, m);
done:
    argand_toeplitz_destroy(toeplitz);
    return status;
}

/* Factor of the tolerances when iterations use the Toeplitz operator. Right-hand side and operator then
 * have different errors, and the problem's condition number multiplies the difference. Images agree to the
 * tolerance if both are accurate to a few hundredths of it. */
static const double SHARE = 0.03;

argand_status normal_choose(argand_sense *s)
{
    const char *why = obstacle(s);
    s->nufft_tolerance = s->options.nufft_tolerance;
    s->segment_tolerance = s->options.segment_tolerance;
    s->toeplitz = s->options.toeplitz == ARGAND_TOEPLITZ_ON || s->options.precondition;
    CHECK(!s->toeplitz || !why, ARGAND_UNSUPPORTED, "%s: no Toeplitz normal operator: %s", s->scan->path,
          why ? why : "");
    const bool wanted = s->toeplitz;
    if (!why && !wanted && s->options.toeplitz == ARGAND_TOEPLITZ_AUTO &&
        (s->transform == ARGAND_TRANSFORM_NUFFT || s->transform == ARGAND_TRANSFORM_SEGMENTED))
        TRY(pays(s, &s->toeplitz));
    if (!s->toeplitz) return ARGAND_OK;
    s->nufft_tolerance *= SHARE;
    s->segment_tolerance *= SHARE;
    text_add(&s->notes, "Iterations use Toeplitz convolutions%s.\n",
             wanted ? "" : ", predicted to be faster");
    return ARGAND_OK;
}

argand_status normal_make(const argand_sense *s, const recon_samples *data, recon_model *m)
{
    if (!s->toeplitz || s->time_counter) return make_spectrum(s, data, m);
    for (int i = 1; m->phases && i < m->shot_count; i++) {
        if (m->shots[i].count == m->shots[0].count) continue;
        CHECK(s->options.toeplitz == ARGAND_TOEPLITZ_AUTO, ARGAND_UNSUPPORTED,
              "%s: no Toeplitz normal operator: shot %d has %lld samples, the first one %lld", s->scan->path,
              i, (long long)m->shots[i].count, (long long)m->shots[0].count);
        return make_spectrum(s, data, m);
    }
    return make(s, data, m);
}

argand_status masked_maps(const argand_sense *s, const recon_model *m, argand_array **maps)
{
    const int64_t pixels = s->grid.n[0] * s->grid.n[1] * s->grid.n[2], dims[2] = {pixels, s->coils};
    argand_array *mask = NULL, *spread = NULL, *flat = NULL, *given = NULL;
    argand_status status;
    if (!s->maps.mask.array) return argand_array_reshape(maps, m->coil_maps, 2, dims);
    TRY(argand_array_create(maps, s->device, s->options.type, 2, dims));
    TRY_OR_DONE(map_of_slice(s, &s->maps.mask, m->slice, &given));
    TRY_OR_DONE(array_on_device(&mask, given, s->device));
    TRY_OR_DONE(argand_array_view(&spread, mask, 2, dims, (int64_t[2]){1, 0}, 0));
    TRY_OR_DONE(argand_array_reshape(&flat, m->coil_maps, 2, dims));
    status = argand_array_multiply(*maps, spread, flat, ARGAND_PRODUCT);
done:
    argand_array_destroy(flat);
    argand_array_destroy(spread);
    argand_array_destroy(mask);
    argand_array_destroy(given);
    if (status) argand_array_destroy(*maps);
    return status;
}

argand_status normal_of_factors(const argand_sense *s, const recon_samples *data, recon_model *m,
                                const argand_array *factors)
{
    argand_toeplitz *toeplitz = NULL;
    argand_array *flat = NULL, *maps = NULL;
    int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2]};
    argand_toeplitz_options options = {.type = s->options.type,
                                       .rank = s->grid.rank,
                                       .weights = m->weights,
                                       .factors = factors,
                                       .tolerance = s->nufft_tolerance};
    argand_status status;
    for (int axis = 0; axis < s->grid.rank; axis++) {
        options.n[axis] = s->grid.n[axis];
        options.k[axis] = data->at.k[axis];
    }
    TRY(argand_toeplitz_create(&toeplitz, s->device, &options));
    argand_toeplitz_describe(toeplitz, &m->toeplitz);
    dims[s->grid.rank] = s->coils;
    TRY_OR_DONE(masked_maps(s, m, &flat));
    TRY_OR_DONE(argand_array_reshape(&maps, flat, s->grid.rank + 1, dims));
    status = argand_op_sense_normal(&m->normal, toeplitz, maps);
done:
    argand_array_destroy(maps);
    argand_array_destroy(flat);
    argand_toeplitz_destroy(toeplitz);
    return status;
}

argand_status spectrum_new(const argand_sense *s, const argand_array *like, int64_t images,
                           argand_array **all)
{
    int64_t dims[4] = {s->grid.n[0], s->grid.n[1], s->grid.n[2]};
    dims[s->grid.rank] = images;
    return argand_array_create(all, argand_array_device(like), argand_array_type(like), s->grid.rank + 1,
                               dims);
}

argand_status spectrum_add(argand_array *all, int64_t image, double factor, const argand_array *spectrum)
{
    const int64_t count = argand_array_count(spectrum), one = 1;
    argand_array *to, *from;
    TRY(argand_array_reshape(&from, spectrum, 1, &count));
    argand_status status = argand_array_view(&to, all, 1, &count, &one, image * count);
    if (!status) {
        status = argand_array_axpby(to, (argand_scalar){factor, 0}, from, (argand_scalar){1, 0});
        argand_array_destroy(to);
    }
    argand_array_destroy(from);
    return status;
}
