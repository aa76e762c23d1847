/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides if iterations use a Toeplitz normal operator: if it is possible, and predicted to save time. */
#include <math.h>
#include "device/device.h"
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

bool normal_wants_spectrum(const argand_sense *s)
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
    const double inner = o->inner                                                   ? o->inner
                         : solver == ARGAND_SOLVER_ADMM && normal_wants_spectrum(s) ? 1
                                                                                    : 4;
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
