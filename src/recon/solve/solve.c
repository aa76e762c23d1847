/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the image from the model, by the solver or by one weighted adjoint. */
#include "recon/solve/solve.h"

#include <math.h>
#include <string.h>
#include "op/spread.h"
#include "penalty/penalty.h"
#include "recon/model/model.h"
#include "recon/transform/transform.h"

/* Solves with the constraint of partial Fourier or SPIRiT as an additional penalty; the other penalties must
 * be quadratic. */
static argand_status solve_constrained(argand_sense *s, const recon_problem *p, argand_array *x,
                                       argand_monitor monitor, void *context)
{
    enum { MOST = 2 * ARGAND_MAX_REGULARIZERS };
    argand_penalty penalties[MOST + 1] = {
        {p->constraint, (s->options.partial_fourier + s->options.spirit) * p->diagonal}};
    argand_cg_options options = {.iterations = s->options.iterations,
                                 .tolerance = s->options.tolerance,
                                 .weights = p->weights,
                                 .penalties = penalties,
                                 .penalty_count = 1,
                                 .normal = p->normal,
                                 .preconditioner = p->preconditioner,
                                 .monitor = monitor,
                                 .monitor_context = context,
                                 .outcome = &s->outcome};
    const argand_shape *shape = argand_op_domain(p->op);
    argand_status status = ARGAND_OK;
    for (int i = 0; i < s->options.regularizer_count && !status; i++) {
        const argand_regularizer *r = &s->options.regularizers[i];
        argand_penalty *to = &penalties[options.penalty_count];
        *to = (argand_penalty){NULL, r->weight * p->diagonal};
        status = regularizer_op(&to->op, r, s->device, shape, s->grid.rank);
        if (!status) options.penalty_count++;
    }
    if (!status) status = argand_solve_cg(x, p->op, p->y, &options);
    for (int i = 1; i < options.penalty_count; i++) argand_op_destroy(penalties[i].op);
    return status;
}

/* Notes the weight that was chosen for the first volume; other volumes choose their own. */
static void note_weight(argand_sense *s, const argand_regularizer *r, const argand_weight_choice *c)
{
    if (s->told_weight) return;
    s->told_weight = true;
    text_add(
        &s->notes,
        "The weight of %s is %.3g%s: by the discrepancy principle, with noise of %.3g a sample, told by %s; "
        "residual %.3g of %.3g sought.\n",
        argand_regularizer_name(r->kind), c->weight,
        s->volume_count > 1 ? " for the first volume (each has its own)" : "", ldexp(c->noise, s->exponent),
        strcmp(c->source, "given") ? c->source : "the noise scan or the whitening", c->residual, c->target);
}

static argand_status choose_and_solve(argand_sense *s, const recon_problem *p, argand_array *x,
                                      const argand_solve_options *options, int which)
{
    argand_weight_choice choice = {0};
    const argand_status status =
        argand_solve_weight(x, p->op, p->y, options, which, ldexp(s->sample_noise, -s->exponent), &choice);
    if (choice.solves) note_weight(s, &options->regularizers[which], &choice);
    return status ? status : s->notes.status;
}

argand_status solve_problem(argand_sense *s, const recon_problem *p, argand_array *x, argand_monitor monitor,
                            void *context)
{
    const argand_noise_spectrum *noise;
    s->outcome = (argand_outcome){.iteration = -1};
    if (p->constraint) return solve_constrained(s, p, x, monitor, context);
    TRY(noise_find(s, p, &noise));
    const argand_solve_options options = {.solver = s->options.solver,
                                          .iterations = s->options.iterations,
                                          .inner = s->options.inner,
                                          .tolerance = s->options.tolerance,
                                          .weights = p->weights,
                                          .regularizers = s->options.regularizers,
                                          .regularizer_count = s->options.regularizer_count,
                                          .space = s->grid.rank,
                                          .normal = p->normal,
                                          .preconditioner = p->preconditioner,
                                          .spectrum = p->spectrum,
                                          .noise = noise,
                                          .outcome = &s->outcome,
                                          .diagonal = p->diagonal,
                                          .monitor = monitor,
                                          .monitor_context = context};
    for (int i = 0; i < options.regularizer_count; i++)
        if (options.regularizers[i].automatic) return choose_and_solve(s, p, x, &options, i);
    return argand_solve(x, p->op, p->y, &options);
}

argand_status sum_of_squares(const argand_sense *s, const argand_array *images, argand_array *x)
{
    argand_array *rss;
    const argand_type real = s->options.type == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    TRY(argand_array_create(&rss, s->device, real, s->grid.rank, s->grid.n));
    argand_status status = argand_coils_rss(rss, images);
    if (status == ARGAND_OK) status = argand_array_copy(x, rss);
    argand_array_destroy(rss);
    return status;
}

/* Computes the root of the sum of squares of the weighted adjoint of each coil. */
static argand_status adjoint_of_coils(const argand_sense *s, const recon_samples *data, argand_array *x)
{
    const recon_model *m = &s->model;
    argand_array *images;
    TRY(combine_shots(s, data, m->transforms, m->weights, m->phases, &images));
    const argand_status status = sum_of_squares(s, images, x);
    argand_array_destroy(images);
    return status;
}

/* Computes x = A^H W y. */
static argand_status weighted_adjoint(const argand_sense *s, const recon_samples *data, argand_array *x)
{
    argand_array *weights = NULL, *y = NULL;
    op_spread *const spread = s->model.sense->spread;
    const argand_shape *shape = argand_op_range(s->model.sense);
    argand_status status;
    spread_begin(spread);
    TRY_OR_DONE(share_weights(s, data, s->model.weights, &weights));
    TRY_OR_DONE(argand_array_create(&y, s->device, shape->type, shape->rank, shape->dims));
    TRY_OR_DONE(weights ? argand_array_multiply(y, weights, data->own, ARGAND_PRODUCT)
                        : argand_array_copy(y, data->own));
    status = argand_op_adjoint(s->model.sense, x, y);
done:
    argand_array_destroy(y);
    argand_array_destroy(weights);
    return spread_end(spread, status);
}

/* Computes the image by the adjoint, and reports iteration 0 of 0, since there is no residual. */
static argand_status adjoint_volume(const argand_sense *s, const recon_samples *data, argand_array *x,
                                    argand_monitor monitor, void *context)
{
    const argand_progress progress = {.residual = 1, .gradient = 1};
    TRY(s->options.method == ARGAND_METHOD_ADJOINT_RSS ? adjoint_of_coils(s, data, x)
                                                       : weighted_adjoint(s, data, x));
    if (!monitor || monitor(context, &progress)) return ARGAND_OK;
    return status_set(ARGAND_STOPPED, "stopped");
}

argand_status solve_volume(argand_sense *s, const recon_samples *data, argand_array *x,
                           argand_monitor monitor, void *context)
{
    recon_problem p;
    if (s->options.method != ARGAND_METHOD_SOLVE) return adjoint_volume(s, data, x, monitor, context);
    TRY(problem_of_model(s, data, &p));
    const argand_status status = solve_problem(s, &p, x, monitor, context);
    problem_free(&p);
    return status;
}
