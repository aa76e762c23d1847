/* SPDX-License-Identifier: BSD-3-Clause */
/* Partial Fourier: the samples that cover both sides of the centre give a low-resolution image. Its phase
 * approximates the object's smooth phase, and the constraint (mri/phase_constraint.c) passes it to the
 * solver. The image comes from a few steps of the same solver, so that the coils unalias it. A Hann window
 * then filters it, because ringing would make its phase jump. */
#include "recon/model/model.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "base/pi.h"
#include "recon/transform/transform.h"

static double energy_of(const argand_acquisition *a, int64_t sample)
{
    double sum = 0;
    for (int64_t c = 0; c < a->channels; c++) {
        const float *z = a->data + 2 * (c * a->samples + sample);
        sum += (double)z[0] * (double)z[0] + (double)z[1] * (double)z[1];
    }
    return sum;
}

/* Adds up the energy of the first image at each whole k along an axis, from -n / 2 on, and the samples. */
static void add_energies(double *energy, double *samples, const argand_sense *s, int axis, int64_t n)
{
    for (int64_t row = 0; row < s->volumes[0].count; row++) {
        const argand_acquisition *a = s->volumes[0].rows[row].acquisition;
        for (int64_t i = 0; i < a->samples && a->k[axis] && a->data; i++) {
            const double at = floor((double)a->k[axis][i] + 0.5) + (double)(n / 2);
            if (!(at >= 0 && at < (double)n)) continue;
            energy[(int64_t)at] += energy_of(a, i);
            samples[(int64_t)at]++;
        }
    }
}

/* Finds where k-space is strongest along an axis: *k is 0 unless this is clearly away from the centre, which
 * then seems to be another one than the header says. */
static argand_status strongest(double *k, const argand_sense *s, int axis)
{
    const int64_t n = s->encoding->matrix[axis];
    double *energy = NULL, *samples = NULL, near = 0;
    int64_t most = 0;
    argand_status status;
    *k = 0;
    TRY_OR_DONE(NEW(energy, n));
    TRY_OR_DONE(NEW(samples, n));
    add_energies(energy, samples, s, axis, n);
    for (int64_t i = 0; i < n; i++) {
        energy[i] /= samples[i] > 0 ? samples[i] : 1;
        if (energy[i] > energy[most]) most = i;
        if (llabs(i - n / 2) < 2) near = fmax(near, energy[i]);
    }
    if (llabs(most - n / 2) > 2 + n / 16 && energy[most] > 4 * near) *k = (double)(most - n / 2);
done:
    memory_free(energy);
    memory_free(samples);
    return status;
}

static argand_status note_centre(argand_sense *s, int axis)
{
    double k;
    TRY(strongest(&k, s, axis));
    if (k != 0)
        text_add(
            &s->notes,
            "Along %c k-space is strongest at k = %.4g. If its centre is there, correct %s: partial Fourier "
            "depends on it.\n",
            "xyz"[axis], k,
            axis == 0   ? "center_sample"
            : axis == 1 ? "the center of kspace_encoding_step_1 in the header"
                        : "the center of kspace_encoding_step_2 in the header");
    return ARGAND_OK;
}

argand_status partial_note(argand_sense *s)
{
    argand_coverage c;
    argand_scan_cover(s->scan, s->options.encoding, &c);
    for (int axis = 0; axis < 3; axis++) {
        if (c.partial[axis] < 1)
            text_add(&s->notes,
                     "Partial Fourier: along %c k goes from %.4g to %.4g, %.3g %% of the matrix.%s\n",
                     "xyz"[axis], c.low[axis], c.high[axis], 100 * c.partial[axis],
                     s->options.partial_fourier > 0 || s->options.pocs || s->options.homodyne
                         ? ""
                         : " --partial-fourier 0.3 fills in the rest.");
        if (c.partial[axis] < 1 && s->volume_count) TRY(note_centre(s, axis));
    }
    return ARGAND_OK;
}

/* Computes how far k reaches on both sides, as the smallest fraction of k-space's half width over all
 * axes. */
static argand_status symmetric_part(const argand_sense *s, double *const k[3], int64_t count, double *part)
{
    *part = 1;
    for (int axis = 0; axis < s->grid.rank; axis++) {
        double low = 0, high = 0;
        if (s->grid.n[axis] < 4) continue;
        for (int64_t i = 0; i < count; i++) {
            low = fmin(low, k[axis][i]);
            high = fmax(high, k[axis][i]);
        }
        *part = fmin(*part, fmin(-low, high) / (0.5 * (double)s->grid.n[axis]));
    }
    CHECK(*part >= 0.05, ARGAND_ARGUMENT,
          "%s: k-space is sampled to only %.2g %% of its half width on both sides of the centre: too little "
          "for "
          "the phase that --partial-fourier needs",
          s->scan->path, 100 * *part);
    return ARGAND_OK;
}

/* Makes weights that are 1 up to the edge of the symmetric part, and 0 outside. */
static argand_status central_weights(const argand_sense *s, const recon_samples *data, double *part,
                                     argand_array **weights)
{
    double *k[3] = {NULL}, *inside = NULL;
    argand_status status;
    for (int axis = 0; axis < s->grid.rank; axis++) TRY_OR_DONE(numbers_of_array(data->at.k[axis], &k[axis]));
    TRY_OR_DONE(symmetric_part(s, k, data->at.count, part));
    TRY_OR_DONE(NEW(inside, data->at.count));
    for (int64_t i = 0; i < data->at.count; i++) {
        inside[i] = 1;
        for (int axis = 0; axis < s->grid.rank; axis++)
            if (fabs(k[axis][i]) > *part * 0.5 * (double)s->grid.n[axis] + 0.5) inside[i] = 0;
    }
    status = array_of_numbers(s, inside, data->at.count, weights);
done:
    for (int axis = 0; axis < 3; axis++) memory_free(k[axis]);
    memory_free(inside);
    return status;
}

static argand_status low_image(const argand_sense *s, const recon_samples *data, const recon_model *m,
                               argand_array *image)
{
    enum { STEPS = 6 };
    argand_array *weights = NULL, *repeated = NULL;
    double part, reach[3];
    argand_status status;
    TRY_OR_DONE(central_weights(s, data, &part, &weights));
    TRY_OR_DONE(share_weights(s, data, weights, &repeated));
    TRY_OR_DONE(argand_solve_cg(image, m->sense, data->own,
                                &(argand_cg_options){.iterations = STEPS, .weights = repeated}));
    for (int axis = 0; axis < 3; axis++) reach[axis] = part * 0.5 * (double)s->grid.n[axis] + 1;
    status = partial_low_pass(s, image, reach);
done:
    argand_array_destroy(repeated);
    argand_array_destroy(weights);
    return status;
}

argand_status partial_prepare(argand_sense *s, const recon_samples *data, recon_model *m)
{
    argand_array *image = NULL, *phase = NULL;
    const argand_shape *shape = argand_op_domain(m->sense);
    argand_status status;
    if (!(s->options.partial_fourier > 0)) return ARGAND_OK;
    argand_op_destroy(m->constraint);
    m->constraint = NULL;
    TRY_OR_DONE(argand_array_create(&image, s->device, shape->type, shape->rank, shape->dims));
    TRY_OR_DONE(argand_array_create(&phase, s->device, shape->type, shape->rank, shape->dims));
    TRY_OR_DONE(low_image(s, data, m, image));
    TRY_OR_DONE(argand_phase_unit(phase, image));
    status = argand_op_phase_constraint(&m->constraint, phase);
done:
    argand_array_destroy(phase);
    argand_array_destroy(image);
    return status;
}
