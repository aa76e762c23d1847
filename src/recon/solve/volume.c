/* SPDX-License-Identifier: BSD-3-Clause */
/* Reconstructs a volume: loads the samples, updates the model, solves. */
#include "recon/solve/solve.h"

#include "base/observe.h"
#include "recon/samples/samples.h"
#include "recon/model/model.h"

/* Sets *empty to true if all samples are 0, as for a slice that was not measured. Its image is 0, and no
 * coil maps can be estimated. */
static argand_status is_empty(const recon_samples *data, bool *empty)
{
    double norm;
    TRY(argand_array_norm(&norm, data->y));
    *empty = norm == 0;
    return ARGAND_OK;
}

static argand_status empty_volume(argand_sense *s, const recon_volume *v, argand_array *x,
                                  argand_monitor monitor, void *context)
{
    const argand_progress progress = {.iteration = 0};
    note_once(s, "All samples of slice %d are 0, and so is its image.", v->counters.slice);
    s->outcome = (argand_outcome){.iteration = -1};
    TRY(argand_array_fill(x, (argand_scalar){0, 0}));
    if (!monitor || monitor(context, &progress)) return ARGAND_OK;
    return status_set(ARGAND_STOPPED, "stopped");
}

argand_status volume_prepare(argand_sense *s, const recon_volume *v)
{
    recon_samples data;
    bool empty = false;
    TRY(samples_load(s, v, &data));
    argand_status status = is_empty(&data, &empty);
    if (status == ARGAND_OK && !empty) status = noise_prepare(s, v, &data);
    if (status == ARGAND_OK && !empty) status = model_prepare(s, v, &data);
    samples_free(&data);
    return status;
}

argand_status sense_solve(argand_sense *s, const recon_volume *v, argand_array *x, argand_monitor monitor,
                          void *context)
{
    recon_samples data;
    bool empty = false;
    recon_misfit misfit = {monitor, context, 0};
    s->made_for = s->empty = -1;
    TRY(observe("preparing", -1));
    TRY(samples_load(s, v, &data));
    argand_status status = is_empty(&data, &empty);
    if (status == ARGAND_OK && !empty) status = noise_prepare(s, v, &data);
    if (status == ARGAND_OK && !empty) status = model_prepare(s, v, &data);
    if (status == ARGAND_OK) *(empty ? &s->empty : &s->made_for) = (int)(v - s->volumes);
    if (status == ARGAND_OK)
        status = empty                   ? empty_volume(s, v, x, monitor, context)
                 : s->options.spirit > 0 ? spirit_solve(s, &data, x, misfit_watch, &misfit)
                 : s->options.sets > 1   ? sets_solve(s, &data, x, misfit_watch, &misfit)
                                         : solve_volume(s, &data, x, misfit_watch, &misfit);
    if (status == ARGAND_OK && !empty) status = misfit_note(s, &data, &misfit);
    samples_free(&data);
    return status;
}
