/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of several echoes straight from a scan: each contrast is reconstructed as argand sense does it. */
#include "map/map.h"
#include "output/output.h"

#include <stdio.h>
#include <string.h>

static void print_notes(report *out, const char *notes)
{
    while (*notes) {
        const int length = (int)strcspn(notes, "\n");
        if (length) report_note(out, "%.*s", length, notes);
        notes += length + (notes[length] == '\n');
    }
}

static argand_status run_volumes(output *images, argand_sense *session, argand_device *device, report *out)
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

static argand_status from_session(map_echoes *e, const map_settings *s, const argand_scan *scan,
                                  argand_device *device, report *out)
{
    argand_sense *session = NULL;
    output images = {0};
    const output_settings files = {.path = "maps.nii.gz", .parts = OUTPUT_COMPLEX}; /* not written */
    const argand_sense_options o = {.field_map_name = ""};
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
    if (!status) status = run_volumes(&images, session, device, out);
    if (!status) status = stack(e, &images, scan, device);
    output_end(&images);
    argand_sense_destroy(session);
    return status;
}

argand_status map_read_scan(map_echoes *e, const map_settings *s, argand_device *device, report *out)
{
    argand_scan *scan;
    argand_epi *epi = NULL;
    TRY(calibrate_open(&scan, s->input, &(scan_reading){0}, out));
    argand_status status = argand_epi_create(&epi, scan, NULL);
    if (!status) {
        print_notes(out, argand_epi_notes(epi));
        e->field_strength = scan->field_strength;
        scan_number(scan, "H1resonanceFrequency_Hz", &e->frequency);
        status = from_session(e, s, argand_epi_scan(epi), device, out);
    }
    argand_epi_destroy(epi);
    argand_scan_destroy(scan);
    return status;
}
