/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the models of volumes whose slices come back after others: the repetitions of a series of
 * simultaneous slices. Coil maps, transforms and normal operators are then made once for each group of
 * slices. */
#include "recon/model/model.h"

#include <math.h>
#include "base/memory.h"
#include "base/memory_available.h"
#include "device/device.h"

/* Part of the device's memory that kept models may take. */
static const double PART = 0.25;

/* Returns true if a model may be needed again. The ranks that share a volume make models together, and have
 * devices with more and less memory. */
static bool comes_back(const argand_sense *s)
{
    return !s->meeting && (s->continued ? s->bands > 1 : s->returns && s->led_by >= 0);
}

/* Estimates the bytes of a model: for each slice, coil maps and a work array of their size; the grid of a
 * NUFFT, which has twice the pixels along both axes and a copy; arrays of the size of the samples. */
static double bytes_of(const argand_sense *s, const recon_model *m)
{
    const double size = (double)argand_type_size(s->options.type), coils = (double)s->coils;
    const double pixels = (double)s->grid.n[0] * (double)s->grid.n[1] * (double)s->grid.n[2];
    return size * coils * (pixels * (2 * s->bands + 8) + 3 * (double)m->at.count) + m->bytes;
}

static double most_bytes(const argand_sense *s)
{
    argand_device_info info;
    if (argand_device_describe(s->device, &info) != ARGAND_OK) return 0;
    const double all = device_is_host(s->device) ? (double)memory_available("").all : (double)info.memory;
    return PART * fmin((double)info.memory, all);
}

static argand_status reserve(argand_sense *s)
{
    recon_kept *more;
    TRY(NEW(more, s->kept_count + 1));
    if (s->kept_count) memcpy(more, s->kept, (size_t)s->kept_count * sizeof *more);
    memory_free(s->kept);
    s->kept = more;
    return ARGAND_OK;
}

void kept_put(argand_sense *s)
{
    const double bytes = s->has_model ? bytes_of(s, &s->model) : 0;
    const bool keeps = s->has_model && comes_back(s) && s->kept_bytes + bytes <= most_bytes(s);
    s->has_model = false;
    if (keeps && reserve(s) == ARGAND_OK) {
        s->kept[s->kept_count++] = (recon_kept){s->model, s->continued ? -1 : s->led_by};
        s->kept_bytes += bytes;
        s->model = (recon_model){0};
    }
    model_free(&s->model);
}

/* Makes a kept model that of the session, which has none. */
static void take(argand_sense *s, int which)
{
    s->model = s->kept[which].model;
    s->led_by = s->kept[which].leader;
    s->has_model = true;
    s->kept_bytes -= bytes_of(s, &s->model);
    s->kept[which] = s->kept[--s->kept_count];
}

bool kept_take(argand_sense *s, int leader)
{
    for (int i = 0; i < s->kept_count; i++)
        if (s->kept[i].leader == leader) {
            take(s, i);
            return true;
        }
    return false;
}

argand_status kept_find(argand_sense *s, const recon_volume *v, const recon_samples *data, bool *found)
{
    *found = false;
    for (int i = 0; i < s->kept_count; i++) {
        TRY(model_is_alike(&s->kept[i].model, v, data, found));
        if (!*found) continue;
        take(s, i);
        return ARGAND_OK;
    }
    return ARGAND_OK;
}

recon_model *kept_of(const argand_sense *s, int leader)
{
    for (int i = 0; i < s->kept_count; i++)
        if (s->kept[i].leader == leader) return &s->kept[i].model;
    return NULL;
}

static bool same_data(const argand_acquisition *a, const argand_acquisition *b)
{
    const size_t bytes = (size_t)(2 * a->samples * a->channels) * sizeof *a->data;
    return a->samples == b->samples && a->channels == b->channels && a->counters.slice == b->counters.slice &&
           !memcmp(a->data, b->data, bytes);
}

static bool same_calibrations(const argand_scan *a, const argand_scan *b)
{
    if (a->calibration_count != b->calibration_count) return !b->calibration_count;
    for (int64_t i = 0; i < a->calibration_count; i++)
        if (!same_data(&a->calibrations[i], &b->calibrations[i])) return false;
    return true;
}

void kept_continue(argand_sense *s, const argand_scan *before)
{
    if (!same_calibrations(before, s->scan)) {
        kept_free(s);
        if (s->bands > 1) model_free(&s->model); /* as those of the other groups */
        s->has_model = s->has_model && s->bands == 1;
    }
    for (int i = 0; i < s->kept_count; i++) s->kept[i].leader = -1;
}

void kept_free(argand_sense *s)
{
    for (int i = 0; i < s->kept_count; i++) model_free(&s->kept[i].model);
    memory_free(s->kept);
    s->kept = NULL;
    s->kept_count = 0;
    s->kept_bytes = 0;
}
