/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an image or a map as DICOM, with the unit of its sidecar, and patient and study of a scan. */
#include "common/path.h"
#include "convert/convert.h"

#include <stdio.h>
#include <string.h>

/* Returns the unit as UCUM writes it; NULL: arbitrary or unknown. */
static const char *ucum(const char *units)
{
    if (!*units || !strcmp(units, "arbitrary")) return NULL;
    return !strncmp(units, "1/", 2) ? units + 1 : units;
}

/* Writes the input's name without folder and ending: "image_t2star". */
static void name_quantity(char *text, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(text, size, "%.*s", (int)path_stem(name), name);
}

argand_status convert_check_dicom(const convert_settings *s)
{
    const bool dicom = path_is_dicom(s->output);
    if (dicom || (!s->dicom && !s->header)) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "--%s: %s is no DICOM file: give a name that ends in .dcm",
                        s->header ? "header" : "dicom", s->output);
}

argand_status convert_dicom(const convert_image *image, const convert_settings *s)
{
    const char *units = s->phase ? "rad" : image->described.units;
    char quantity[200], folder[4200];
    argand_scan *scan = NULL;
    name_quantity(quantity, sizeof quantity, image->name);
    if (s->header) TRY(scan_open(&scan, s->header, &s->reading));
    const argand_dicom_about about = {.scan = scan,
                                      .part = s->phase || !strcmp(units, "rad") ? ARGAND_IMAGE_PHASE
                                              : s->real                         ? ARGAND_IMAGE_REAL
                                              : s->imaginary                    ? ARGAND_IMAGE_IMAGINARY
                                                                                : ARGAND_IMAGE_MAGNITUDE,
                                      .description = quantity,
                                      .repetition_time = image->geometry.time_step,
                                      .quantity = quantity,
                                      .unit = ucum(units)};
    snprintf(folder, sizeof folder, "%.*s", (int)path_stem(s->output), s->output);
    const argand_status status =
        s->dicom == CONVERT_DICOM_CLASSIC
            ? argand_dicom_write_slices(folder, image->array, &image->geometry, &about)
            : argand_dicom_write(s->output, image->array, &image->geometry, &about);
    argand_scan_destroy(scan);
    return status;
}
