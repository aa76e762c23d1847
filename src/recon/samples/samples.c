/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads a volume's samples to the device, shot after shot. */
#include "recon/samples/samples.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "device/device.h"

/* Samples on the host: y in the session's precision, positions as doubles, which are converted on the way to
 * the device. Positions that are known already are not gathered. */
typedef struct gathered {
    void *y;
    double *k[3], *t;
    int64_t count, total;
    bool knows;
} gathered;

static void gathered_free(gathered *g)
{
    for (int axis = 0; axis < 3; axis++) memory_free(g->k[axis]);
    memory_free(g->t);
    memory_free(g->y);
}

/* Copies `count` samples of a channel, from number `first` on, divided by 2^exponent. */
static void gather_channel(const argand_sense *s, const argand_acquisition *a, int channel, int64_t first,
                           int64_t count, const gathered *g)
{
    const double scale = ldexp(1, -s->exponent);
    const float *from = a->data + 2 * (first + a->samples * channel);
    const int64_t to = 2 * (g->count + g->total * channel);
    if (s->options.type == ARGAND_C64) {
        double *y = (double *)g->y + to;
        for (int64_t i = 0; i < 2 * count; i++) y[i] = from[i] * scale;
    } else {
        float *y = (float *)g->y + to;
        for (int64_t i = 0; i < 2 * count; i++) y[i] = (float)(from[i] * scale);
    }
}

/* Gathers consecutive samples of an acquisition. */
static void gather_run(const argand_sense *s, const argand_acquisition *a, int64_t first, int64_t count,
                       gathered *g)
{
    for (int64_t i = 0; i < count && !g->knows; i++) {
        for (int axis = 0; axis < 3; axis++)
            g->k[axis][g->count + i] = samples_position(s, a, axis, first + i);
        g->t[g->count + i] = a->t[first + i];
    }
    for (int channel = 0; channel < s->channels; channel++) gather_channel(s, a, channel, first, count, g);
    g->count += count;
}

static argand_status gather_reserve(const argand_sense *s, gathered *g)
{
    const size_t samples = memory_product((size_t)g->total, (size_t)s->channels);
    TRY(memory_take(&g->y, memory_product(samples, argand_type_size(s->options.type))));
    for (int axis = 0; axis < 3 && !g->knows; axis++) TRY(NEW(g->k[axis], g->total));
    return g->knows ? ARGAND_OK : NEW(g->t, g->total);
}

/* Gathers the samples in use of an acquisition, run by run. */
static void gather_row(const recon_choice *choice, const argand_acquisition *a, gathered *g)
{
    for (int64_t i = 0, end; i < a->samples; i = end) {
        const bool takes = choice_takes(choice, a, i);
        for (end = i + 1; end < a->samples && choice_takes(choice, a, end) == takes;) end++;
        if (takes) gather_run(choice->session, a, i, end - i, g);
    }
}

/* Gathers one row after the other; adjacent rows with the same map form a shot. known: positions of all
 * samples, or NULL. */
static argand_status gather(const argand_sense *s, const recon_row *rows, int64_t count,
                            const recon_points *known, gathered *g, recon_samples *out)
{
    const recon_choice choice = choice_of(s, rows, count);
    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < rows[q].acquisition->samples; i++)
            g->total += choice_takes(&choice, rows[q].acquisition, i);
    CHECK(g->total > 0, ARGAND_ARGUMENT, "%s: no sample lies within a matrix of %lldx%lldx%lld",
          s->scan->path, (long long)s->grid.n[0], (long long)s->grid.n[1], (long long)s->grid.n[2]);
    g->knows = known && known->count == g->total;
    TRY(gather_reserve(s, g));
    TRY(NEW(out->shots, count));
    for (int64_t q = 0; q < count; q++) {
        const argand_acquisition *a = rows[q].acquisition;
        const int64_t first = g->count;
        TRY(observe("collecting samples", (double)q / (double)count));
        gather_row(&choice, a, g);
        out->left_out += a->samples - (g->count - first);
        const bool continues = out->shot_count && out->shots[out->shot_count - 1].map == rows[q].map;
        if (continues)
            out->shots[out->shot_count - 1].count += g->count - first;
        else if (g->count > first)
            out->shots[out->shot_count++] = (recon_shot){rows[q].map, first, g->count - first};
    }
    return ARGAND_OK;
}

/* Copies doubles to a new real array in the session's precision. */
static argand_status to_device(const argand_sense *s, argand_array **out, int64_t count, double *numbers)
{
    const bool is_double = s->options.type == ARGAND_C64;
    if (!is_double) { /* in place: the float written never overtakes the double read */
        float *narrow = (float *)numbers;
        for (int64_t i = 0; i < count; i++) {
            const float value = (float)numbers[i];
            memcpy(narrow + i, &value, sizeof value);
        }
    }
    TRY(argand_array_create(out, s->device, is_double ? ARGAND_R64 : ARGAND_R32, 1, &count));
    return argand_array_upload(*out, numbers);
}

static argand_status points_to_device(const argand_sense *s, const recon_points *known, gathered *g,
                                      recon_points *at)
{
    at->count = g->count;
    for (int axis = 0; axis < 3; axis++)
        TRY(g->knows ? argand_array_reshape(&at->k[axis], known->k[axis], 1, &g->count)
                     : to_device(s, &at->k[axis], g->count, g->k[axis]));
    return g->knows ? argand_array_reshape(&at->t, known->t, 1, &g->count)
                    : to_device(s, &at->t, g->count, g->t);
}

/* Mixes the channels on the host, which has both samples and matrix, and copies the coils to the device. */
static argand_status mixed_to_device(const argand_sense *s, const gathered *g, argand_array **y)
{
    const int64_t dims[2] = {g->count, s->channels}, made[2] = {g->count, s->coils};
    argand_device *host;
    argand_array *channels = NULL, *mixed = NULL;
    argand_status status;
    TRY(device_host(&host, s->device));
    TRY_OR_DONE(argand_array_wrap(&channels, host, s->options.type, 2, dims, NULL, g->y));
    TRY_OR_DONE(argand_array_create(&mixed, host, s->options.type, 2, made));
    TRY_OR_DONE(argand_coils_mix(mixed, s->mix, channels));
    if (host == s->device) {
        *y = mixed;
        mixed = NULL;
    } else {
        TRY_OR_DONE(argand_array_create(y, s->device, s->options.type, 2, made));
        status = argand_array_copy(*y, mixed);
    }
done:
    argand_array_destroy(mixed);
    argand_array_destroy(channels);
    return status;
}

static argand_status samples_to_device(const argand_sense *s, const gathered *g, argand_array **y)
{
    if (s->mix) return mixed_to_device(s, g, y);
    TRY(argand_array_create(y, s->device, s->options.type, 2, (int64_t[]){g->count, s->channels}));
    return argand_array_upload(*y, g->y);
}

static argand_status load_rows(const argand_sense *s, const recon_row *rows, int64_t count,
                               const recon_points *known, recon_samples *out)
{
    gathered g = {0};
    argand_status status;
    *out = (recon_samples){0};
    TRY_OR_DONE(gather(s, rows, count, known, &g, out));
    out->share = (recon_share){.count = s->coils, .samples = g.count};
    TRY_OR_DONE(points_to_device(s, known, &g, &out->at));
    status = samples_to_device(s, &g, &out->y);
done:
    gathered_free(&g);
    if (status != ARGAND_OK) samples_free(out);
    return status;
}

argand_status samples_of_rows(const argand_sense *s, const recon_row *rows, int64_t count, recon_samples *out)
{
    return load_rows(s, rows, count, NULL, out);
}

/* Returns the positions of the model that the session has for a volume; NULL: they are not known. Measured
 * phase changes them. */
static const recon_points *known_points(const argand_sense *s, const recon_volume *v)
{
    if (s->continued || s->options.joint || s->term_count) return NULL;
    if (s->has_model && s->led_by == v->leader) return &s->model.at;
    for (int i = 0; i < s->kept_count; i++)
        if (s->kept[i].leader == v->leader) return &s->kept[i].model.at;
    return NULL;
}

argand_status samples_load(const argand_sense *s, const recon_volume *v, recon_samples *out)
{
    argand_status status;
    TRY(load_rows(s, v->rows, v->count, known_points(s, v), out));
    status = s->term_count ? terms_of_volume(s, v, out) : ARGAND_OK;
    if (!status && s->options.density == ARGAND_DENSITY_FILE) status = weights_of_volume(s, v, out);
    if (!status) status = share_samples(s, out);
    if (status) samples_free(out);
    return status;
}
