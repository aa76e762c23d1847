/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads a volume's samples to the device, shot after shot. */
#include "recon/samples/samples.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"

/* Returns the factor from cycles per field of view of an acquisition's own encoding to those of the grid. */
static double scale_of(const argand_sense *s, const argand_acquisition *a, int axis)
{
    const argand_encoding *e = &s->scan->encodings[a->encoding];
    if (e == s->encoding || !(e->field_of_view[axis] > 0)) return s->grid.k_scale[axis];
    return s->grid.field_of_view[axis] / e->field_of_view[axis];
}

double samples_position(const argand_sense *s, const argand_acquisition *a, int axis, int64_t i)
{
    return a->k[axis] ? a->k[axis][i] * scale_of(s, a, axis) : 0;
}

recon_choice choice_of(const argand_sense *s, const recon_row *rows, int64_t count)
{
    const bool may = s->zeros.points || s->zeros.samples;
    return (recon_choice){s, may && zeros_are_all(rows, count)};
}

bool choice_takes(const recon_choice *c, const argand_acquisition *a, int64_t i)
{
    const argand_sense *s = c->session;
    for (int axis = 0; axis < s->grid.rank; axis++)
        if (s->grid.k_limit[axis] > 0 && a->k[axis] &&
            fabs(a->k[axis][i] * scale_of(s, a, axis)) > s->grid.k_limit[axis])
            return false;
    return c->keeps_zeros || !zeros_hold(s, a, i);
}

/* Samples on the host as doubles, converted to the session's precision on the way to the device. */
typedef struct gathered {
    double *y, *k[3], *t;
    int64_t count;
} gathered;

static void gathered_free(gathered *g)
{
    for (int axis = 0; axis < 3; axis++) memory_free(g->k[axis]);
    memory_free(g->t);
    memory_free(g->y);
}

static void gather_one(const argand_sense *s, const argand_acquisition *a, int64_t i, int64_t total,
                       gathered *g)
{
    const int64_t j = g->count++;
    const double scale = ldexp(1, -s->exponent);
    for (int axis = 0; axis < 3; axis++) g->k[axis][j] = samples_position(s, a, axis, i);
    g->t[j] = a->t[i];
    for (int coil = 0; coil < s->channels; coil++) {
        const float *from = a->data + 2 * (i + a->samples * coil);
        g->y[2 * (j + total * coil)] = from[0] * scale;
        g->y[2 * (j + total * coil) + 1] = from[1] * scale;
    }
}

static argand_status gather_reserve(const argand_sense *s, int64_t total, gathered *g)
{
    for (int axis = 0; axis < 3; axis++) TRY(NEW(g->k[axis], total));
    TRY(NEW(g->t, total));
    return NEW(g->y, 2 * total * s->channels);
}

/* Gathers one row after the other; adjacent rows with the same map form a shot. */
static argand_status gather(const argand_sense *s, const recon_row *rows, int64_t count, gathered *g,
                            recon_samples *out)
{
    const recon_choice choice = choice_of(s, rows, count);
    int64_t total = 0;
    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < rows[q].acquisition->samples; i++)
            total += choice_takes(&choice, rows[q].acquisition, i);
    CHECK(total > 0, ARGAND_ARGUMENT, "%s: no sample lies within a matrix of %lldx%lldx%lld", s->scan->path,
          (long long)s->grid.n[0], (long long)s->grid.n[1], (long long)s->grid.n[2]);
    TRY(gather_reserve(s, total, g));
    TRY(NEW(out->shots, count));
    for (int64_t q = 0; q < count; q++) {
        const argand_acquisition *a = rows[q].acquisition;
        const int64_t first = g->count;
        TRY(observe("collecting samples", (double)q / (double)count));
        for (int64_t i = 0; i < a->samples; i++)
            if (choice_takes(&choice, a, i)) gather_one(s, a, i, total, g);
        out->left_out += a->samples - (g->count - first);
        const bool continues = out->shot_count && out->shots[out->shot_count - 1].map == rows[q].map;
        if (continues)
            out->shots[out->shot_count - 1].count += g->count - first;
        else if (g->count > first)
            out->shots[out->shot_count++] = (recon_shot){rows[q].map, first, g->count - first};
    }
    return ARGAND_OK;
}

static argand_status to_device(const argand_sense *s, argand_array **out, bool is_complex, int rank,
                               const int64_t *dims, double *numbers)
{
    const bool is_double = s->options.type == ARGAND_C64;
    argand_array *wide = NULL;
    argand_status status;
    int64_t count = is_complex ? 2 : 1;
    for (int axis = 0; axis < rank; axis++) count *= dims[axis];
    if (!is_double) { /* in place: the float written never overtakes the double read */
        float *narrow = (float *)numbers;
        for (int64_t i = 0; i < count; i++) {
            const float value = (float)numbers[i];
            memcpy(narrow + i, &value, sizeof value);
        }
    }
    const argand_type type = is_complex ? s->options.type : is_double ? ARGAND_R64 : ARGAND_R32;
    TRY(argand_array_create(&wide, s->device, type, rank, dims));
    status = argand_array_upload(wide, numbers);
    if (status != ARGAND_OK) {
        argand_array_destroy(wide);
        wide = NULL;
    }
    *out = wide;
    return status;
}

argand_status samples_of_rows(const argand_sense *s, const recon_row *rows, int64_t count, recon_samples *out)
{
    gathered g = {0};
    argand_status status;
    *out = (recon_samples){0};
    TRY_OR_DONE(gather(s, rows, count, &g, out));
    out->at.count = g.count;
    out->share = (recon_share){.count = s->coils, .samples = g.count};
    for (int axis = 0; axis < 3; axis++)
        TRY_OR_DONE(to_device(s, &out->at.k[axis], false, 1, &g.count, g.k[axis]));
    TRY_OR_DONE(to_device(s, &out->at.t, false, 1, &g.count, g.t));
    TRY_OR_DONE(to_device(s, &out->y, true, 2, (int64_t[]){g.count, s->channels}, g.y));
    status = channels_mix(s, &out->y);
done:
    gathered_free(&g);
    if (status != ARGAND_OK) samples_free(out);
    return status;
}

argand_status samples_load(const argand_sense *s, const recon_volume *v, recon_samples *out)
{
    argand_status status;
    TRY(samples_of_rows(s, v->rows, v->count, out));
    status = s->term_count ? terms_of_volume(s, v, out) : ARGAND_OK;
    if (!status && s->options.density == ARGAND_DENSITY_FILE) status = weights_of_volume(s, v, out);
    if (!status) status = share_samples(s, out);
    if (status) samples_free(out);
    return status;
}

void points_free(recon_points *p)
{
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(p->k[axis]);
    argand_array_destroy(p->t);
    argand_array_destroy(p->phase);
    *p = (recon_points){0};
}

void samples_free(recon_samples *out)
{
    argand_array_destroy(out->own);
    argand_array_destroy(out->y);
    points_free(&out->at);
    memory_free(out->weights);
    memory_free(out->shots);
    *out = (recon_samples){0};
}

argand_status points_of_shot(const recon_points *all, const recon_shot *shot, recon_points *out)
{
    argand_status status = ARGAND_OK;
    *out = (recon_points){.count = shot->count};
    for (int axis = 0; axis < 3 && !status; axis++)
        status = argand_array_part(&out->k[axis], all->k[axis], 0, shot->first, shot->count);
    if (!status) status = argand_array_part(&out->t, all->t, 0, shot->first, shot->count);
    if (!status && all->phase)
        status = argand_array_part(&out->phase, all->phase, 0, shot->first, shot->count);
    if (status) points_free(out);
    return status;
}

argand_status samples_energies(const recon_samples *data, double **out)
{
    argand_array *rss = NULL;
    const argand_type type = argand_array_type(data->y) == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
    argand_status status;
    TRY_OR_DONE(argand_array_create(&rss, argand_array_device(data->y), type, 1, &data->at.count));
    TRY_OR_DONE(argand_coils_rss(rss, data->y));
    TRY_OR_DONE(numbers_of_array(rss, out));
    for (int64_t i = 0; i < data->at.count; i++) (*out)[i] *= (*out)[i];
done:
    argand_array_destroy(rss);
    return status;
}
