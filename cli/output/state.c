/* SPDX-License-Identifier: BSD-3-Clause */
/* State of an output, and access to it for the files of this folder: facts, maps, places of volumes,
 * complete files. */
#include "output/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool output_wants_report(const output *o)
{
    return o->run.settings->report != NULL;
}

static output_fact *add_fact(output *o, const char *name)
{
    static output_fact surplus;
    output_fact *fact = o->fact_count < OUTPUT_FACTS ? &o->facts[o->fact_count++] : &surplus;
    *fact = (output_fact){0};
    snprintf(fact->name, sizeof fact->name, "%s", name);
    return fact;
}

void output_text(output *o, const char *name, const char *format, ...)
{
    output_fact *fact = add_fact(o, name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fact->value, sizeof fact->value, format, arguments);
    va_end(arguments);
}

void output_number(output *o, const char *name, double value)
{
    output_fact *fact = add_fact(o, name);
    fact->is_number = value - value == 0;
    snprintf(fact->value, sizeof fact->value, "%.9g", value);
}

void output_take_map(output *o, const char *title, const char *unit, const char *volume_name,
                     argand_array *array)
{
    if (array && o->map_count < OUTPUT_MAPS)
        o->maps[o->map_count++] = (output_map){title, unit, volume_name, array};
    else
        argand_array_destroy(array);
}

argand_status output_volume_place(argand_array **place, const output *o, int volume,
                                  const argand_array *whole)
{
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    const output_place *at = &o->places[volume];
    const int64_t before = o->run.apart ? 0 : at->slice + o->images[at->image].slices * at->repetition;
    const int64_t offset = n[0] * n[1] * n[2] * before;
    return argand_array_view(place, whole, 3, n, (int64_t[]){1, n[0], n[0] * n[1]}, offset);
}

argand_status output_note_file(output *o, const char *path, argand_status status)
{
    if (status == ARGAND_OK) snprintf(o->written[o->written_count++], sizeof *o->written, "%s", path);
    return status;
}

void output_device(const output *o, char *text, size_t size)
{
    argand_device_info info = {0};
    if (argand_device_describe(o->run.device, &info) != ARGAND_OK) info.name[0] = 0;
    snprintf(text, size, "%s (%s)", info.name, info.backend);
}

/* Returns the average residual, or the last volume's if all images are 0. */
double output_residual(const output *o)
{
    if (!o->step_count) return 0;
    return o->energy > 0 ? o->residual : o->steps[o->step_count - 1].progress.residual;
}
