/* SPDX-License-Identifier: BSD-3-Clause */
/* The input of a solver, from the model and the samples of a volume. */
#include "recon/model/model.h"
#include "recon/solve/solve.h"

argand_status problem_of_model(const argand_sense *s, const recon_samples *data, recon_problem *p)
{
    const recon_model *m = &s->model;
    *p = (recon_problem){.op = m->sense,
                         .y = data->own,
                         .constraint = m->constraint,
                         .normal = m->normal,
                         .preconditioner = m->preconditioner,
                         .spectrum = m->spectrum,
                         .diagonal = m->diagonal};
    return share_weights(s, data, m->weights, &p->weights);
}

void problem_free(recon_problem *p)
{
    argand_array_destroy(p->weights);
}
