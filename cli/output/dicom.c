/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes images as DICOM: a file for each image and part, as in other formats, and each of them a series. */
#include "common/path.h"
#include "output/output.h"

#include <dirent.h>
#include <stdio.h>

argand_status output_check_dicom(const output_settings *s)
{
    static const char *const kinds[] = {"auto", "enhanced", "classic"};
    if (!path_is_dicom(s->path) && s->dicom)
        return report_error(ARGAND_ARGUMENT, "--dicom %s: %s is no DICOM file: give a name that ends in .dcm",
                            kinds[s->dicom], s->path);
    if (!path_is_dicom(s->path) || !(s->parts & OUTPUT_COMPLEX)) return ARGAND_OK;
    return report_error(
        ARGAND_ARGUMENT,
        "%s: DICOM holds real numbers: give --part magnitude,phase or real,imaginary, or another "
        "format",
        s->path);
}

static bool holds_files(const char *folder)
{
    int count = 0;
    DIR *all = opendir(folder);
    while (all && readdir(all)) count++;
    if (all) closedir(all);
    return count > 2; /* . and .. */
}

/* Writes the name of an image's folder of slices. */
static void name_folder(char folder[4200], const char *path)
{
    snprintf(folder, 4200, "%.*s", (int)path_stem(path), path);
}

/* Refuses folders that hold files: slices of an earlier image would be mixed with those of this one. */
static argand_status check_folder(const output *o, int image, int part)
{
    char path[4200], folder[4200];
    output_name(path, sizeof path, o, image, part, NULL);
    name_folder(folder, path);
    if (!holds_files(folder)) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "--dicom classic: the folder %s holds files already: remove it, or give another name",
                        folder);
}

argand_status output_check_places(const output *o)
{
    if (!path_is_dicom(o->run.settings->path)) return ARGAND_OK;
    for (int i = 0; i < o->image_count && o->run.settings->dicom == OUTPUT_DICOM_CLASSIC; i++)
        for (int part = 0; part < OUTPUT_PARTS; part++)
            if (output_parts(o) & 1 << part) TRY(check_folder(o, i, part));
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
    snprintf(text, size, "%s%s %s", protocol && *protocol ? protocol : o->run.command, o->images[image].label,
             output_part_name(part));
}

argand_status output_dicom(output *o, const char *path, int image, int part, const argand_array *numbers)
{
    const output_image *which = &o->images[image];
    const bool is_phase = part == 1, is_map = part >= OUTPUT_PARTS;
    char description[256], folder[4200];
    int64_t n[3];
    argand_sense_grid(o->run.session, n);
    describe(description, sizeof description, o, image, part);
    const argand_dicom_about about = {.scan = o->run.scan,
                                      .volume = &which->counters,
                                      .part = is_map ? ARGAND_IMAGE_MAGNITUDE : (argand_image_part)(part + 1),
                                      .series = part * o->image_count + image + 1,
                                      .description = description,
                                      .thickness = argand_sense_geometry(o->run.session, 0).voxel[2],
                                      .is_3d = n[2] > 1,
                                      .quantity = is_phase ? "phase" : NULL,
                                      .unit = is_phase ? "rad" : NULL};
    if (o->run.settings->dicom != OUTPUT_DICOM_CLASSIC)
        return output_note_file(o, path, argand_dicom_write(path, numbers, &which->geometry, &about));
    name_folder(folder, path);
    return output_note_file(o, folder, argand_dicom_write_slices(folder, numbers, &which->geometry, &about));
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
