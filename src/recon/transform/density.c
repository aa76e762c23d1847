/* SPDX-License-Identifier: BSD-3-Clause */
/* Density weights: the file's, Pipe and Menon's, or by deconvolution. AUTO follows the sampling. Samples
 * on a grid need no weights. For others, weights speed up convergence, because the dense middle of k-space
 * then no longer dominates. */
#include "recon/transform/transform.h"

#include <math.h>
#include "base/memory.h"

static const char array_name[] = "DensityCompensation";

/* Returns true if an acquisition lies on a Cartesian grid: within a tenth of a grid step of the first
 * sample's offset along every axis. Half-step offsets and rounded trajectories still count as a grid. */
static bool row_is_cartesian(const argand_sense *s, const argand_acquisition *a, const float origin[3])
{
    for (int axis = 0; axis < s->grid.rank; axis++) {
        if (!a->k[axis]) continue;
        for (int64_t i = 0; i < a->samples; i++) {
            const double step = (double)a->k[axis][i] - (double)origin[axis];
            if (fabs(step - nearbyint(step)) > 0.1) return false;
        }
    }
    return true;
}

static bool volume_is_cartesian(const argand_sense *s, const recon_volume *v)
{
    float origin[3] = {0};
    const argand_acquisition *first = v->rows[0].acquisition;
    for (int axis = 0; axis < 3; axis++)
        if (first->k[axis] && first->samples > 0) origin[axis] = first->k[axis][0];
    for (int64_t q = 0; q < v->count; q++)
        if (!row_is_cartesian(s, v->rows[q].acquisition, origin)) return false;
    return true;
}

/* Returns NULL if the scan's weights are usable, otherwise what is wrong with them. */
static const char *fault_of_file(const argand_sense *s, const argand_scan_array *found)
{
    int64_t count = 1, zeros = 0;
    for (int axis = 0; axis < found->rank; axis++) count *= found->dims[axis];
    if (found->type != ARGAND_R32 && found->type != ARGAND_R64) return "is not real";
    for (int v = 0; v < s->volume_count; v++)
        if (count != s->volumes[v].samples) return "does not have a number for each sample of each volume";
    for (int64_t i = 0; i < count; i++) {
        const double w = found->type == ARGAND_R64 ? ((const double *)found->data)[i]
                                                   : (double)((const float *)found->data)[i];
        if (!(w >= 0 && w < INFINITY)) return "holds negative numbers, NaN or infinity";
        zeros += w == 0;
    }
    return 2 * zeros > count ? "is 0 for most samples" : NULL;
}

static argand_density choose_weights(argand_sense *s)
{
    const argand_scan_array *found = argand_scan_find(s->scan, array_name);
    const char *fault = found ? fault_of_file(s, found) : NULL;
    if (found && !fault) return ARGAND_DENSITY_FILE;
    if (fault) text_add(&s->notes, "The scan's %s is not used, because it %s.\n", array_name, fault);
    return ARGAND_DENSITY_PIPE;
}

static void note_choice(argand_sense *s)
{
    const bool root = s->options.density_power != 1;
    if (s->options.density == ARGAND_DENSITY_NONE)
        text_add(&s->notes, "The samples lie on a Cartesian grid: all have the same density weight.\n");
    else if (s->options.density == ARGAND_DENSITY_FILE)
        text_add(&s->notes, "The samples are weighted by %sthe scan's %s.\n", root ? "the root of " : "",
                 array_name);
    else
        text_add(&s->notes, "The samples are weighted by %stheir inverse density (Pipe and Menon).\n",
                 root ? "the root of " : "");
}

/* Chooses the weights. The adjoint always needs some, because without weights it shows the sampling
 * density. */
argand_status density_choose(argand_sense *s)
{
    argand_density *way = &s->options.density;
    const bool adjoint = s->options.method != ARGAND_METHOD_SOLVE;
    if (s->options.density_power == 0)
        s->options.density_power = *way == ARGAND_DENSITY_AUTO && !adjoint ? 0.5 : 1;
    if (*way == ARGAND_DENSITY_NONE && adjoint) *way = ARGAND_DENSITY_PIPE;
    if (*way != ARGAND_DENSITY_AUTO) return ARGAND_OK;
    s->density_is_chosen = true;
    *way = volume_is_cartesian(s, &s->volumes[0]) && !adjoint ? ARGAND_DENSITY_NONE : choose_weights(s);
    note_choice(s);
    return ARGAND_OK;
}

static argand_status make_plan(const argand_sense *s, const recon_points *at, argand_nufft **plan)
{
    return argand_density_plan(plan, s->device, s->options.type, at->k, s->grid.n[2] > 1 ? 3 : 2, s->grid.n);
}

static argand_status pipe_weights(const argand_sense *s, const recon_points *at, argand_array *weights)
{
    argand_nufft *plan = NULL;
    argand_status status = make_plan(s, at, &plan);
    if (!status) status = argand_density_pipe(weights, plan, 0, 0, NULL);
    argand_nufft_destroy(plan);
    return status;
}

argand_status density_of_points(const argand_sense *s, const recon_points *at, argand_array **weights)
{
    const argand_type type = s->options.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    *weights = NULL;
    argand_status status = argand_array_create(weights, s->device, type, 1, &at->count);
    if (!status && s->options.density == ARGAND_DENSITY_DECONVOLVE)
        status = argand_density_deconvolve(*weights, at->k, s->grid.n[2] > 1 ? 3 : 2, s->grid.n);
    else if (!status)
        status = pipe_weights(s, at, *weights);
    if (status != ARGAND_OK) {
        argand_array_destroy(*weights);
        *weights = NULL;
    }
    return status;
}

/* Measures how uneven the weighted density is at the samples: the standard deviation of the blurred
 * weights over their mean; 0 is even. All samples count equally. Counted by weight, weights concentrated
 * in one place would appear even. */
static argand_status unevenness(const argand_nufft *plan, const argand_array *weights, double *result)
{
    argand_array *blurred = NULL;
    double *b = NULL, mean = 0, square = 0;
    argand_status status;
    const int64_t count = argand_array_count(weights);
    TRY_OR_DONE(
        argand_array_create(&blurred, argand_array_device(weights), argand_array_type(weights), 1, &count));
    TRY_OR_DONE(argand_nufft_blur(plan, blurred, weights));
    TRY_OR_DONE(numbers_of_array(blurred, &b));
    for (int64_t i = 0; i < count; i++) {
        mean += b[i] / (double)count;
        square += b[i] * b[i] / (double)count;
    }
    *result = mean > 0 ? sqrt(fmax(0, square - mean * mean)) / mean : INFINITY;
done:
    memory_free(b);
    argand_array_destroy(blurred);
    return status;
}

/* Measures how uneven the density is with and without weights. Suitable weights make it clearly more even;
 * weights of other samples, or in another order, do not. */
static argand_status try_weights(const argand_sense *s, const recon_points *at, const argand_array *weights,
                                 double *with, double *without)
{
    argand_nufft *plan = NULL;
    argand_array *ones = NULL;
    argand_status status;
    TRY_OR_DONE(make_plan(s, at, &plan));
    TRY_OR_DONE(argand_array_create(&ones, s->device, argand_array_type(weights), 1, &at->count));
    TRY_OR_DONE(argand_array_fill(ones, (argand_scalar){1, 0}));
    TRY_OR_DONE(unevenness(plan, weights, with));
    status = unevenness(plan, ones, without);
done:
    argand_array_destroy(ones);
    argand_nufft_destroy(plan);
    return status;
}

/* Adds a note if the caller's weights do not even out the density. The weights are used in any case. On a
 * grid the density is even anyway, and there is no note. */
static argand_status note_given(argand_sense *s, const recon_samples *data, const argand_array *weights)
{
    double with, without;
    TRY(try_weights(s, &data->at, weights, &with, &without));
    if (with > 0.9 * without && with > 0.05)
        text_add(&s->notes, "The given weights do not even out the density of the samples. Do they belong to "
                            "this trajectory, in the order sample (fastest), then shot?\n");
    return ARGAND_OK;
}

/* Takes the file's weights. If the caller did not request them and they are unusable for these samples,
 * weights are computed. */
static argand_status weights_of_file(argand_sense *s, const recon_samples *data, argand_array **weights,
                                     argand_density *kind)
{
    double with = 0, without = 1;
    TRY(array_of_numbers(s, data->weights, data->at.count, weights));
    argand_status status = ARGAND_OK;
    if (s->weights_are_given) return note_given(s, data, *weights);
    if (s->density_is_chosen) status = try_weights(s, &data->at, *weights, &with, &without);
    if (!status && with < 0.9 * without) return ARGAND_OK;
    argand_array_destroy(*weights);
    *weights = NULL;
    TRY(status);
    note_once(
        s,
        "The scan's %s makes the density of the samples more uneven. Computed weights are used instead; "
        "--density file forces the scan's.",
        array_name);
    *kind = ARGAND_DENSITY_PIPE;
    return density_of_points(s, &data->at, weights);
}

/* Raises the weights to the power of the options; 0 stays 0. */
static argand_status take_power(const argand_sense *s, argand_array **weights)
{
    double *w;
    const int64_t count = argand_array_count(*weights);
    if (s->options.density_power == 1) return ARGAND_OK;
    TRY(numbers_of_array(*weights, &w));
    for (int64_t i = 0; i < count; i++) w[i] = w[i] > 0 ? pow(w[i], s->options.density_power) : 0;
    argand_array_destroy(*weights);
    *weights = NULL;
    const argand_status status = array_of_numbers(s, w, count, weights);
    memory_free(w);
    return status;
}

argand_status density_weights(argand_sense *s, const recon_samples *data, argand_array **weights,
                              argand_density *kind)
{
    *weights = NULL;
    *kind = s->options.density;
    if (*kind == ARGAND_DENSITY_NONE) return ARGAND_OK;
    TRY(*kind == ARGAND_DENSITY_FILE ? weights_of_file(s, data, weights, kind)
                                     : density_of_points(s, &data->at, weights));
    return take_power(s, weights);
}
