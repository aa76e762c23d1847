/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes images as DICOM: a file for each image and part, as in other formats, and each of them a series. */
#include "common/path.h"
#include "output/output.h"

#include <stdio.h>

argand_status output_check_dicom(const output_settings *s)
{
    if (!path_is_dicom(s->path) || !(s->parts & OUTPUT_COMPLEX)) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "%s: DICOM holds real numbers: give --part magnitude,phase or real,imaginary, or another "
        "format",
        s->path);
}

argand_status output_check_places(const output *o)
{
    if (!path_is_dicom(o->run.settings->path)) return ARGAND_OK;
    for (int i = 0; i < o->image_count; i++)
        if (!o->images[i].geometry.valid)
            return report_error(
                ARGAND_ARGUMENT,
                "%s: a DICOM image states its position and orientation, and the scan has none "
                "(directions of 0): give a name that ends in .nii.gz",
                o->run.settings->path);
    return ARGAND_OK;
}

/* Describes a series by the protocol, what differs between images, and the part. */
static void describe(char *text, size_t size, const output *o, int image, int part)
{
    const char *protocol = o->run.scan->protocol;
    const char *what = part == OUTPUT_PARTS ? "noise" : output_part_name(part);
    snprintf(text, size, "%s%s %s", protocol && *protocol ? protocol : o->run.command, o->images[image].label,
             what);
}

argand_status output_dicom(const output *o, const char *path, int image, int part,
                           const argand_array *numbers)
{
    const output_image *which = &o->images[image];
    const bool is_phase = part == 1, is_noise = part == OUTPUT_PARTS;
    char description[256];
    describe(description, sizeof description, o, image, part);
    return argand_dicom_write(
        path, numbers, &which->geometry,
        &(argand_dicom_about){.scan = o->run.scan,
                              .volume = &which->counters,
                              .part = is_noise ? ARGAND_IMAGE_MAGNITUDE : (argand_image_part)(part + 1),
                              .series = part * o->image_count + image + 1,
                              .description = description,
                              .thickness = argand_sense_geometry(o->run.session, 0).voxel[2],
                              .quantity = is_phase ? "phase" : NULL,
                              .unit = is_phase ? "rad" : NULL});
}

void output_note_dicom(const output *o)
{
    char text[8];
    const bool name = scan_element(o->run.scan, "patientName", text, sizeof text),
               id = scan_element(o->run.scan, "patientID", text, sizeof text),
               date = scan_element(o->run.scan, "seriesDate", text, sizeof text) ||
                      scan_element(o->run.scan, "studyDate", text, sizeof text);
    if (!name || !id)
        report_note(o->run.console,
                    "The DICOM image has no patient %s, because the scan's header has none; an archive may "
                    "refuse it.",
                    !name && !id ? "name and ID"
                    : name       ? "ID"
                                 : "name");
    if (!date)
        report_note(o->run.console,
                    "The DICOM image is dated 1900-01-01, because the scan's header has no date.");
}
