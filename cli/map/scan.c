/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of several echoes straight from a scan: each contrast is reconstructed as argand sense does it. */
#include "map/map.h"
#include "output/output.h"

#include <stdlib.h>
#include <string.h>

static void print_notes(report *out, const char *notes)
{
    while (*notes) {
        const int length = (int)strcspn(notes, "\n");
        if (length) report_note(out, "%.*s", length, notes);
        notes += length + (notes[length] == '\n');
    }
}

/* Remembers the place of a volume, and its coil maps if they are wanted. */
static argand_status keep_volume(map_echoes *e, const map_settings *s, const output *images,
                                 argand_sense *session, int v)
{
    map_volume *volume = &e->volumes[v];
    *volume = (map_volume){.counters = *argand_sense_counters(session, v),
                           .image = images->places[v].image,
                           .slice = images->places[v].slice,
                           .repetition = images->places[v].repetition,
                           .place = argand_sense_geometry(session, v)};
    return s->keep_coils && volume->image == 0 ? argand_sense_coil_maps(session, v, &volume->coil_maps)
                                               : ARGAND_OK;
}

static argand_status run_volumes(map_echoes *e, const map_settings *s, output *images, argand_sense *session,
                                 argand_device *device, report *out)
{
    int64_t n[3];
    argand_array *image = NULL;
    const int volumes = argand_sense_volumes(session);
    argand_sense_grid(session, n);
    argand_status status = argand_array_create(&image, device, ARGAND_C32, 3, n);
    report_stage(out, "reconstructing");
    for (int v = 0; v < volumes && !status; v++) {
        status = interrupted() ? ARGAND_STOPPED : argand_sense_run(session, v, image, NULL, NULL);
        if (!status) status = output_put(images, v, image);
        if (!status) status = keep_volume(e, s, images, session, v);
        report_progress(out, v + 1, volumes);
    }
    argand_array_destroy(image);
    return status;
}

/* Finds the echo time of an image. */
static argand_status time_of(double *time, const argand_scan *scan, const output_image *image)
{
    const int contrast = image->counters.contrast;
    if (contrast >= scan->echo_count)
        return report_error(
            ARGAND_ARGUMENT,
            "%s: the header has %d echo times, none for contrast %d: reconstruct images (argand "
            "sense --part complex), and map them with --echo-times",
            scan->path, scan->echo_count, contrast + 1);
    *time = scan->echo_times[contrast];
    return ARGAND_OK;
}

static bool differ_in_contrast(const argand_counters *a, const argand_counters *b)
{
    return a->average == b->average && a->phase == b->phase && a->set == b->set && a->slice == b->slice;
}

/* Puts the images of all contrasts into one array. */
static argand_status stack(map_echoes *e, const output *images, const argand_scan *scan,
                           argand_device *device)
{
    const bool timed = e->count > 0;
    if (images->image_count > MAP_MOST_ECHOES || (timed && images->image_count != e->count))
        return report_error(ARGAND_ARGUMENT, "%s: %d echo times for images of %d contrasts", scan->path,
                            e->count, images->image_count);
    e->count = images->image_count;
    for (int i = 0; i < e->count; i++) {
        const output_image *image = &images->images[i];
        if (!differ_in_contrast(&image->counters, &images->images[0].counters))
            return report_error(
                ARGAND_ARGUMENT,
                "%s: images differ in more than the contrast: reconstruct them by argand sense "
                "--part complex, and map those that belong together",
                scan->path);
        if (!timed) TRY(time_of(&e->times[i], scan, image));
        TRY(map_put(e, image->array, i, e->count, scan->path, device));
    }
    e->place = images->images[0].geometry;
    return ARGAND_OK;
}

/* Makes the list of volumes. */
static argand_status list_volumes(map_echoes *e, const argand_sense *session)
{
    const int count = argand_sense_volumes(session);
    e->volumes = calloc((size_t)count, sizeof *e->volumes);
    if (!e->volumes) return report_error(ARGAND_MEMORY, "out of memory");
    e->volume_count = count;
    return ARGAND_OK;
}

static argand_status reconstruct(map_echoes *e, const map_settings *s, argand_device *device, report *out)
{
    argand_sense *session = NULL;
    output images = {0};
    const output_settings files = {.path = "maps.nii.gz", .parts = OUTPUT_COMPLEX}; /* not written */
    const argand_sense_options o = {.field_map_name = "", .as_received = s->keep_coils};
    const argand_scan *scan = e->scan;
    argand_status status = argand_sense_create(&session, device, scan, &o);
    if (!status) print_notes(out, argand_sense_notes(session));
    const output_run run = {.command = out->command,
                            .settings = &files,
                            .input = s->input,
                            .device = device,
                            .scan = scan,
                            .session = session,
                            .console = out};
    if (!status) status = output_begin(&images, &run);
    if (!status && images.image_count < 2)
        status =
            report_error(ARGAND_ARGUMENT, "%s: one contrast; at least two echoes are needed", scan->path);
    if (!status) status = list_volumes(e, session);
    if (!status) status = run_volumes(e, s, &images, session, device, out);
    if (!status) status = stack(e, &images, scan, device);
    output_end(&images);
    argand_sense_destroy(session);
    return status;
}

argand_status map_read_scan(map_echoes *e, const map_settings *s, argand_device *device, report *out)
{
    TRY(calibrate_open(&e->file, s->input, &(scan_reading){0}, out));
    TRY(argand_epi_create(&e->epi, e->file, NULL));
    print_notes(out, argand_epi_notes(e->epi));
    e->scan = argand_epi_scan(e->epi);
    e->field_strength = e->file->field_strength;
    scan_number(e->file, "H1resonanceFrequency_Hz", &e->frequency);
    return reconstruct(e, s, device, out);
}
