/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests if the solved image explains the data. If coil maps, field map and trajectory are right, the
 * residual is noise. The noise energy of a sample is at most its energy. The mean energy of the outer
 * samples of k-space, which hold little signal, is therefore an upper bound of the noise. */
#include "recon/solve/solve.h"

#include <math.h>
#include "base/memory.h"
#include "recon/samples/samples.h"

/* MUCH: fraction of the data's energy beyond twice the bound that counts as unexplained. OUTER: fraction
 * of the largest distance from which samples are outer ones. */
static const double MUCH = 0.25, OUTER = 0.9;

bool misfit_watch(void *context, const argand_progress *progress)
{
    recon_misfit *m = context;
    m->residual = progress->residual;
    return !m->monitor || m->monitor(m->context, progress);
}

/* Computes squared distances from k-space's centre, in half widths. */
static argand_status distances(const argand_sense *s, const recon_samples *data, double **out)
{
    TRY(NEW(*out, data->at.count));
    for (int axis = 0; axis < s->grid.rank; axis++) {
        double *k;
        TRY(numbers_of_array(data->at.k[axis], &k));
        for (int64_t i = 0; i < data->at.count; i++)
            if (s->grid.n[axis] > 1) (*out)[i] += pow(2 * k[i] / (double)s->grid.n[axis], 2);
        memory_free(k);
    }
    return ARGAND_OK;
}

/* Computes an upper bound of the noise's part of the weighted energy. */
static argand_status noise_part(const argand_sense *s, const recon_samples *data, double *part)
{
    double *energy = NULL, *distance = NULL, *weights = NULL, farthest = 0, outer = 0, total = 0, sum = 0;
    int64_t outside = 0;
    argand_status status;
    TRY_OR_DONE(samples_energies(data, &energy));
    TRY_OR_DONE(distances(s, data, &distance));
    if (s->model.weights) TRY_OR_DONE(numbers_of_array(s->model.weights, &weights));
    for (int64_t i = 0; i < data->at.count; i++) {
        farthest = fmax(farthest, distance[i]);
        total += (weights ? weights[i] : 1) * energy[i];
        sum += weights ? weights[i] : 1;
    }
    for (int64_t i = 0; i < data->at.count; i++)
        if (distance[i] >= OUTER * OUTER * farthest) {
            outer += energy[i];
            outside++;
        }
    *part = total > 0 && outside ? outer / (double)outside * sum / total : 1;
    status = ARGAND_OK;
done:
    memory_free(weights);
    memory_free(distance);
    memory_free(energy);
    return status;
}

argand_status misfit_note(argand_sense *s, const recon_samples *data, const recon_misfit *m)
{
    double noise;
    const double left = m->residual * m->residual;
    if (!(left > MUCH) || s->options.method != ARGAND_METHOD_SOLVE || s->options.regularizer_count ||
        s->options.partial_fourier > 0 || s->options.spirit > 0)
        return ARGAND_OK;
    TRY(noise_part(s, data, &noise));
    if (left <= 2 * noise + MUCH) return ARGAND_OK;
    note_once(s,
              "The image explains only %.0f %% of the data's energy, and noise is at most %.0f %%: coil "
              "maps, field "
              "map or trajectory do not belong to these data, or iterations are too few.",
              100 * (1 - left), 100 * noise);
    return s->notes.status;
}
