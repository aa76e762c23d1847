/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes images in the ISMRMRD format: one file, a series of images for each part, and in it an image with
 * its own position and counters for each volume. */
#include "output/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

argand_status output_check_ismrmrd(const output_settings *s)
{
    struct stat there;
    if (!output_is_ismrmrd(s) || stat(s->path, &there)) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "%s: is there already, and an .h5 file may be a raw scan: give another name (the scan comes "
        "first, the result last), or remove it",
        s->path);
}

static bool same_volume(const argand_counters *a, const argand_counters *b)
{
    return a->repetition == b->repetition && a->average == b->average && a->contrast == b->contrast &&
           a->phase == b->phase && a->set == b->set;
}

/* Returns the time stamp of a volume's first acquisition. If slices were excited together, the slice
 * counter counts groups. */
static uint32_t time_stamp_of(const argand_scan *scan, const argand_counters *c)
{
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_acquisition *a = &scan->acquisitions[i];
        const bool together = scan->encodings[a->encoding].bands.count > 1;
        if (same_volume(&a->counters, c) && (together || a->counters.slice == c->slice)) return a->time_stamp;
    }
    return 0;
}

argand_scan_image output_scan_image(const argand_scan *scan, const argand_sense *session, int volume)
{
    argand_scan_image image = {.counters = *argand_sense_counters(session, volume),
                               .geometry = argand_sense_geometry(session, volume),
                               .index = volume + 1};
    argand_sense_grid(session, image.n);
    image.time_stamp = time_stamp_of(scan, &image.counters);
    return image;
}

/* Gathers the volumes of a part into one array {nx, ny, nz, volumes}. from: an array for each image. */
static argand_status gather(const output *o, argand_array *const *from, argand_array **all)
{
    const int volumes = argand_sense_volumes(o->run.session);
    int64_t dims[4];
    argand_status status = ARGAND_OK;
    argand_sense_grid(o->run.session, dims);
    dims[3] = volumes;
    TRY(argand_array_create(all, o->run.device, argand_array_type(from[0]), 4, dims));
    for (int v = 0; v < volumes && !status; v++) {
        argand_array *place = NULL, *to = NULL, *shaped = NULL;
        status = output_volume_place(&place, o, v, from[o->places[v].image]);
        if (!status) status = argand_array_part(&to, *all, 3, v, 1);
        if (!status) status = argand_array_reshape(&shaped, to, 3, dims);
        if (!status) status = argand_array_copy(shaped, place);
        argand_array_destroy(shaped);
        argand_array_destroy(to);
        argand_array_destroy(place);
    }
    return status;
}

/* Gathers a part of all images, or a map. */
static argand_status take_part(const output *o, int part, argand_array **all)
{
    argand_array **parts = calloc((size_t)o->image_count, sizeof *parts);
    argand_status status = ARGAND_OK;
    if (!parts) return report_error(ARGAND_MEMORY, "out of memory");
    for (int i = 0; i < o->image_count && !status; i++)
        status = output_part_of(&parts[i], o, output_array_of(&o->images[i], part),
                                part < OUTPUT_PARTS ? part : 0);
    if (!status) status = gather(o, parts, all);
    for (int i = 0; i < o->image_count; i++) argand_array_destroy(parts[i]);
    free(parts);
    return status;
}

/* Makes the series of a part; its number is part + 1. Maps come after all parts. */
static argand_status make_series(const output *o, int part, argand_scan_image *images, argand_array **array)
{
    const int volumes = argand_sense_volumes(o->run.session);
    for (int v = 0; v < volumes; v++) {
        images[v] = output_scan_image(o->run.scan, o->run.session, v);
        images[v].part = (argand_image_part)(part < OUTPUT_PARTS ? part + 1 : ARGAND_IMAGE_MAGNITUDE);
        images[v].series = part + 1;
    }
    return take_part(o, part, array);
}

static argand_status write_series(const output *o, int count, const int *parts, argand_scan_image *images)
{
    const size_t volumes = (size_t)argand_sense_volumes(o->run.session);
    argand_scan_series series[OUTPUT_PARTS + OUTPUT_PIXEL_MAPS];
    argand_array *arrays[OUTPUT_PARTS + OUTPUT_PIXEL_MAPS] = {NULL};
    char names[OUTPUT_PARTS + OUTPUT_PIXEL_MAPS][24];
    argand_status status = ARGAND_OK;
    for (int i = 0; i < count && !status; i++) {
        argand_scan_image *of = images + volumes * (size_t)i;
        status = make_series(o, parts[i], of, &arrays[i]);
        snprintf(names[i], sizeof names[i], "image_%d", parts[i] + 1);
        series[i] =
            (argand_scan_series){names[i], output_attributes(parts[i]), (int64_t)volumes, of, arrays[i]};
    }
    if (!status) status = argand_scan_images_write(o->run.settings->path, o->run.scan, count, series);
    for (int i = 0; i < count; i++) argand_array_destroy(arrays[i]);
    return status;
}

argand_status output_ismrmrd(output *o)
{
    int parts[OUTPUT_PARTS + OUTPUT_PIXEL_MAPS], count = 0;
    for (int part = 0; part < OUTPUT_PARTS; part++)
        if (output_parts(o) & 1 << part) parts[count++] = part;
    for (int m = 0; m < OUTPUT_PIXEL_MAPS; m++)
        if (o->images[0].pixel_map[m]) parts[count++] = OUTPUT_PARTS + m;
    argand_scan_image *images =
        calloc((size_t)argand_sense_volumes(o->run.session) * (size_t)count, sizeof *images);
    if (!images) return report_error(ARGAND_MEMORY, "out of memory");
    const argand_status status = write_series(o, count, parts, images);
    free(images);
    return output_note_file(o, o->run.settings->path, status);
}
