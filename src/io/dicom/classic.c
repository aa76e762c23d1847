/* SPDX-License-Identifier: BSD-3-Clause */
/* MR Image Storage (DICOM PS3.3, A.4): an image for each slice of each volume, all with one slope. */
#include "io/dicom/dicom.h"

#include <stdio.h>
#include <string.h>

static const char class[] = "1.2.840.10008.5.1.4.1.1.4";

static void add_type(dicom_set *set, const dicom_series *s)
{
    char type[64];
    const bool phase = s->about->part == ARGAND_IMAGE_PHASE;
    snprintf(type, sizeof type, "DERIVED\\PRIMARY\\%s\\%s", phase ? "PHASE MAP" : "OTHER",
             dicom_part_letter(s));
    dicom_values(set, DICOM_IMAGE_TYPE, type);
}

static void add_sequence(dicom_set *set, const dicom_series *s)
{
    const argand_scan *scan = s->about->scan;
    dicom_text(set, DICOM_SCANNING_SEQUENCE,
               "RM"); /* research mode: the header names no kind that DICOM has */
    dicom_text(set, DICOM_SEQUENCE_VARIANT, "NONE");
    dicom_text(set, DICOM_SCAN_OPTIONS, "");
    dicom_text(set, DICOM_ACQUISITION_TYPE, s->about->is_3d ? "3D" : "2D");
    dicom_text(set, DICOM_ECHO_TRAIN_LENGTH, "");
    if (dicom_repetition_time(s) > 0)
        dicom_real(set, DICOM_REPETITION_TIME, dicom_repetition_time(s));
    else
        dicom_text(set, DICOM_REPETITION_TIME, "");
    if (dicom_echo_time(s) > 0)
        dicom_real(set, DICOM_ECHO_TIME, dicom_echo_time(s));
    else
        dicom_text(set, DICOM_ECHO_TIME, "");
    if (scan && scan->flip_angle > 0) dicom_real(set, DICOM_FLIP_ANGLE, scan->flip_angle);
    if (scan && scan->inversion_time > 0) dicom_real(set, DICOM_INVERSION_TIME, 1e3 * scan->inversion_time);
    if (s->about->volume) dicom_integer(set, DICOM_ECHO_NUMBER, s->about->volume->contrast + 1);
}

static void add_place(dicom_set *set, const dicom_series *s, int64_t slice)
{
    const argand_geometry *g = &s->geometry;
    double position[3], location = 0;
    dicom_position(position, s, slice);
    for (int i = 0; i < 3; i++) location += position[i] * g->slice[i];
    dicom_reals(set, DICOM_POSITION, 3, position);
    dicom_real(set, DICOM_SLICE_LOCATION, location);
    dicom_grid_add(set, set, s);
}

argand_status dicom_classic(text *to, dicom_series *s, int64_t frame)
{
    dicom_set set = {0};
    const int64_t volume = frame / s->pixels.slices;
    const argand_status status = dicom_modules_add(&set, s);
    if (status) {
        dicom_set_free(&set);
        return status;
    }
    dicom_text(&set, DICOM_LATERALITY, ""); /* unknown, and dciodvfy asks for it where the body part is */
    add_type(&set, s);
    add_sequence(&set, s);
    add_place(&set, s, frame % s->pixels.slices);
    dicom_slope_add(&set, s);
    dicom_meaning_add(&set, s);
    dicom_integer(&set, DICOM_INSTANCE_NUMBER, frame + 1);
    dicom_integer(&set, DICOM_ACQUISITION_NUMBER, volume + 1);
    dicom_integer(&set, DICOM_TEMPORAL_POSITION, volume + 1);
    dicom_integer(&set, DICOM_TEMPORAL_POSITIONS, s->pixels.volumes);
    return dicom_file(to, &set, class, (size_t)(2 * s->pixels.columns * s->pixels.rows));
}
