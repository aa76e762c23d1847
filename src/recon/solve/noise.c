/* SPDX-License-Identifier: BSD-3-Clause */
/* The noise spectrum of the operator, if noise is to end the iterations. It costs several applications of the
 * operator, and hardly differs between slices with given coil maps. Volumes therefore share the spectrum of
 * one of them. It is chosen from the scan alone (samples/order.c), not by what ran before. */
#include "recon/solve/solve.h"

#include <math.h>
#include "op/spread.h"
#include "recon/model/model.h"
#include "recon/samples/samples.h"

static argand_status measure(argand_sense *s, const recon_problem *p)
{
    s->noise_of = -1;
    TRY(argand_solve_noise(&s->noise, p->op, p->weights, p->normal));
    s->noise_samples = (int64_t)spread_count(p->op->spread, p->y);
    s->noise_diagonal = p->diagonal;
    s->model.noise = s->noise;
    s->model.noise_samples = s->noise_samples;
    return ARGAND_OK;
}

/* Takes the spectrum that was measured with a model, if there is one. */
static bool take_measured(argand_sense *s, const recon_model *m)
{
    if (!m || !m->noise_samples) return false;
    s->noise = m->noise;
    s->noise_samples = m->noise_samples;
    s->noise_diagonal = m->diagonal;
    return true;
}

/* Takes the spectrum of the model of a leader, if the session has kept it. */
static bool take_kept(argand_sense *s, int leader)
{
    const bool own = s->has_model && s->led_by == leader;
    if (!take_measured(s, own ? &s->model : kept_of(s, leader))) return false;
    s->noise_of = leader;
    return true;
}

/* Measures the spectrum of a volume's model. */
static argand_status measure_model(argand_sense *s, const recon_volume *v, const recon_samples *data)
{
    recon_problem p;
    TRY(model_prepare(s, v, data));
    TRY(problem_of_model(s, data, &p));
    const argand_status status = measure(s, &p);
    problem_free(&p);
    return status;
}

/* Measures the spectrum of another volume's model, or of that of `v` if the other one has no signal. */
static argand_status measure_other(argand_sense *s, const recon_volume *other, const recon_volume *v,
                                   const recon_samples *own)
{
    recon_samples data;
    double norm;
    TRY(samples_load(s, other, &data));
    argand_status status = argand_array_norm(&norm, data.y);
    if (!status && norm > 0) {
        status = measure_model(s, other, &data);
        if (!status) s->noise_of = v->noise;
    } else if (!status) {
        status = measure_model(s, v, own);
    }
    samples_free(&data);
    return status;
}

argand_status noise_prepare(argand_sense *s, const recon_volume *v, const recon_samples *data)
{
    const recon_volume *of = &s->volumes[v->noise];
    if (!s->judges_noise || s->options.method != ARGAND_METHOD_SOLVE || s->options.partial_fourier > 0 ||
        s->options.spirit > 0)
        return ARGAND_OK;
    if (s->continued || s->options.joint || s->noise_of == v->noise || take_kept(s, v->noise))
        return ARGAND_OK;
    if (of->rows != v->rows) return measure_other(s, of, v, data);
    TRY(measure_model(s, v, data));
    s->noise_of = v->noise;
    return ARGAND_OK;
}

/* Returns true if the last spectrum is nearly that of another operator: with the same number of samples and
 * a diagonal within a tenth. */
static bool is_near(const argand_sense *s, const recon_problem *p)
{
    return s->noise_samples == (int64_t)spread_count(p->op->spread, p->y) &&
           fabs(s->noise_diagonal / p->diagonal - 1) <= 0.1;
}

argand_status noise_find(argand_sense *s, const recon_problem *p, const argand_noise_spectrum **noise)
{
    *noise = NULL;
    if (!s->judges_noise || p->constraint || p->preconditioner) return ARGAND_OK;
    const bool again = s->options.joint || (s->continued && !is_near(s, p));
    if (again && (s->options.joint || !take_measured(s, &s->model))) TRY(measure(s, p));
    if (s->noise.count > 0) *noise = &s->noise;
    return ARGAND_OK;
}
