/* SPDX-License-Identifier: BSD-3-Clause */
/* The image from the model. */
#include "recon/session.h"

argand_status solve_volume(argand_sense *s, const recon_samples *data, argand_array *x,
                           argand_monitor monitor, void *context)
{
    const recon_model *m = &s->model;
    argand_array *weights = NULL;
    argand_penalty penalties[4];
    argand_cg_options options = {.iterations = s->options.iterations,
                                 .tolerance = s->options.tolerance,
                                 .penalties = penalties,
                                 .monitor = monitor,
                                 .monitor_context = context};
    for (int axis = 0; axis < 3; axis++)
        if (m->difference[axis])
            penalties[options.penalty_count++] =
                (argand_penalty){m->difference[axis], s->options.regularize * m->diagonal};
    if (m->constraint)
        penalties[options.penalty_count++] =
            (argand_penalty){m->constraint, s->options.partial_fourier * m->diagonal};
    if (m->weights)
        TRY(argand_array_view(&weights, m->weights, 2, (int64_t[]){data->at.count, s->coils},
                              (int64_t[]){1, 0}, 0));
    options.weights = weights;
    const argand_status status = argand_solve_cg(x, m->sense, data->y, &options);
    argand_array_destroy(weights);
    return status;
}
