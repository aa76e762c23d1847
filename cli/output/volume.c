/* SPDX-License-Identifier: BSD-3-Clause */
/* What an output knows of each volume, and the sums of all: steps, notes, residual, noise. Volumes may come
 * in any order and from other processes (blob.c); sums are made in the order of the volumes, once all are
 * there. */
#include "output/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void output_step_done(output *o, int volume, const argand_progress *progress)
{
    output_volume *to = &o->volumes[volume];
    if (to->step_count == to->step_capacity) {
        const int64_t capacity = to->step_capacity ? 2 * to->step_capacity : 16;
        argand_progress *steps = realloc(to->steps, (size_t)capacity * sizeof *steps);
        if (!steps) return; /* a step less in the table */
        to->steps = steps;
        to->step_capacity = capacity;
    }
    to->steps[to->step_count++] = *progress;
    o->last_stepped = volume;
}

/* ---- notes */

static bool has_line(const char *notes, const char *line, size_t length)
{
    for (const char *at = notes; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strcspn(at, "\n") == length && !strncmp(at, line, length)) return true;
    return false;
}

static argand_status append(char **text, const char *line, size_t length)
{
    const size_t before = *text ? strlen(*text) : 0;
    char *longer = realloc(*text, before + length + 2);
    if (!longer) return report_error(ARGAND_MEMORY, "out of memory");
    memcpy(longer + before, line, length);
    memcpy(longer + before + length, "\n", 2);
    *text = longer;
    return ARGAND_OK;
}

argand_status output_add_notes(char **notes, const char *lines, report *console)
{
    if (!*notes && !(*notes = calloc(1, 1))) return report_error(ARGAND_MEMORY, "out of memory");
    while (lines && *lines) {
        const size_t length = strcspn(lines, "\n");
        if (length && !has_line(*notes, lines, length)) {
            TRY(append(notes, lines, length));
            report_note(console, "%.*s", (int)length, lines);
        }
        lines += length + (lines[length] == '\n');
    }
    return ARGAND_OK;
}

argand_status output_hear(output *o, int volume)
{
    const char *notes = argand_sense_notes(o->run.session), *new = notes + o->notes_heard;
    o->notes_heard = strlen(notes);
    if (!*new) return ARGAND_OK;
    TRY(output_add_notes(&o->volumes[volume].notes, new, NULL));
    return output_add_notes(&o->notes, new, o->run.console);
}

/* ---- a volume */

static const char *keep(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text ? text : "");
    return to;
}

/* Copies the session's facts with their texts. */
static void describe(output_volume *v, const argand_sense_info *info)
{
    v->info = *info;
    v->info.transform = keep(v->transform, sizeof v->transform, info->transform);
    v->info.interpolator = keep(v->interpolator, sizeof v->interpolator, info->interpolator);
    v->info.solver = keep(v->solver, sizeof v->solver, info->solver);
    v->info.density = keep(v->density, sizeof v->density, info->density);
    v->info.stop = keep(v->stop, sizeof v->stop, info->stop);
}

/* Returns the residual of the iteration that was written. This may be an earlier one than the last. A volume
 * without steps was solved together with that of the last step. */
static double written_residual(const output *o, int volume)
{
    const output_volume *v = &o->volumes[volume];
    const output_volume *from = v->step_count ? v : &o->volumes[o->last_stepped];
    if (!from->step_count) return 0;
    const argand_progress *last = &from->steps[from->step_count - 1], *step = last;
    if (!*v->info.stop) return last->residual;
    while (step > from->steps && step->iteration > v->info.iteration) step--;
    return step->residual;
}

argand_status output_put(output *o, int volume, const argand_array *image)
{
    argand_array *place;
    argand_sense_info info = {0};
    double length;
    output_volume *v = &o->volumes[volume];
    const output_image *to = &o->images[o->places[volume].image];
    TRY(output_volume_place(&place, o, volume, to->array));
    const argand_type type = argand_array_type(to->array);
    const bool real = type == ARGAND_R32 || type == ARGAND_R64;
    argand_status status = real ? argand_array_abs(place, image) : argand_array_copy(place, image);
    argand_array_destroy(place);
    if (status == ARGAND_OK) status = argand_array_norm(&length, image);
    if (status != ARGAND_OK) return status;
    argand_sense_describe(o->run.session, &info);
    describe(v, &info);
    v->energy = length * length;
    v->residual = written_residual(o, volume);
    v->done = true;
    return ARGAND_OK;
}

argand_status output_put_pixel_map(output *o, int volume, int which, const argand_array *map)
{
    argand_array *place;
    TRY(output_volume_place(&place, o, volume, o->images[o->places[volume].image].pixel_map[which]));
    const argand_status status = argand_array_copy(place, map);
    argand_array_destroy(place);
    return status;
}

/* ---- all volumes */

argand_sense_info output_info(const output *o)
{
    argand_sense_info info = {0};
    const output_volume *last = &o->volumes[argand_sense_volumes(o->run.session) - 1];
    if (last->done) return last->info;
    argand_sense_describe(o->run.session, &info);
    return info;
}

static void add_stop(output *o, const argand_sense_info *info)
{
    if (!*info->stop) return;
    const bool first = !o->stop;
    o->stop = info->stop;
    if (first || info->iteration < o->stopped_first) o->stopped_first = info->iteration;
    if (first || info->iteration > o->stopped_last) o->stopped_last = info->iteration;
}

/* Keeps the largest number of segments and the largest error of all volumes. */
static void add_info(output *o, const argand_sense_info *info)
{
    if (info->segments > o->segments) o->segments = info->segments;
    if (info->segment_error > o->segment_error) o->segment_error = info->segment_error;
    if (info->shots > o->shots) o->shots = info->shots;
    o->density = info->density;
    o->density_power = info->density_power;
    if (*info->interpolator) o->interpolator = info->interpolator;
    add_stop(o, info);
}

/* Averages residual and noise, weighted by the energy of each image: slices beyond the object contain only
 * noise and say nothing about the scan. */
static void average(output *o, const output_volume *v)
{
    o->energy += v->energy;
    o->noise_energy += v->energy * v->info.noise * v->info.noise;
    o->misfit += v->energy * v->residual * v->residual;
    if (o->energy > 0) {
        o->noise = sqrt(o->noise_energy / o->energy);
        o->residual = sqrt(o->misfit / o->energy);
    }
}

/* Joins the steps of all volumes, and frees those of each. */
static argand_status join_steps(output *o, int volumes)
{
    int64_t count = 0;
    for (int v = 0; v < volumes; v++) count += o->volumes[v].step_count;
    o->steps = calloc((size_t)count + 1, sizeof *o->steps);
    if (!o->steps) return report_error(ARGAND_MEMORY, "out of memory");
    for (int v = 0; v < volumes; v++) {
        output_volume *from = &o->volumes[v];
        for (int64_t i = 0; i < from->step_count; i++)
            o->steps[o->step_count++] = (output_step){v, from->steps[i]};
        free(from->steps);
        from->steps = NULL;
        from->step_count = from->step_capacity = 0;
    }
    return ARGAND_OK;
}

/* Makes the notes again, so that they follow the order of the volumes and not that of their arrival. */
static argand_status join_notes(output *o, int volumes)
{
    char *notes = NULL;
    o->notes[o->first_notes] = 0;
    argand_status status = output_add_notes(&notes, o->notes, NULL);
    for (int v = 0; v < volumes && status == ARGAND_OK; v++)
        status = output_add_notes(&notes, o->volumes[v].notes, NULL);
    free(o->notes);
    o->notes = notes;
    return status;
}

argand_status output_total(output *o)
{
    const int volumes = argand_sense_volumes(o->run.session);
    o->interpolator = "";
    for (int v = 0; v < volumes; v++) {
        if (!o->volumes[v].done) continue;
        add_info(o, &o->volumes[v].info);
        average(o, &o->volumes[v]);
    }
    TRY(join_steps(o, volumes));
    return join_notes(o, volumes);
}
