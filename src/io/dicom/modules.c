/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes that classic and enhanced images share, one function for a module of DICOM PS3.3. */
#include "io/dicom/dicom.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"

static const struct {
    const char *name, *letter;
} parts[] = {{"MAGNITUDE", "M"}, {"MAGNITUDE", "M"}, {"PHASE", "P"}, {"REAL", "R"}, {"IMAGINARY", "I"}};

const char *dicom_part_letter(const dicom_series *s)
{
    return parts[s->about->part].letter;
}

const char *dicom_part_name(const dicom_series *s)
{
    return parts[s->about->part].name;
}

double dicom_echo_time(const dicom_series *s)
{
    const argand_scan *scan = s->about->scan;
    const int contrast = s->about->volume ? s->about->volume->contrast : 0;
    if (!scan) return 0;
    return 1e3 * (contrast < scan->echo_count ? scan->echo_times[contrast] : scan->echo_time);
}

double dicom_repetition_time(const dicom_series *s)
{
    if (s->about->repetition_time > 0) return 1e3 * s->about->repetition_time;
    return s->about->scan ? 1e3 * s->about->scan->repetition_time : 0;
}

void dicom_position(double position[3], const dicom_series *s, int64_t slice)
{
    const argand_geometry *g = &s->geometry;
    for (int i = 0; i < 3; i++)
        position[i] = g->centre[i] - g->read[i] * g->voxel[0] * (double)(s->pixels.columns / 2) -
                      g->phase[i] * g->voxel[1] * (double)(s->pixels.rows / 2) +
                      g->slice[i] * g->voxel[2] * (double)(slice - s->pixels.slices / 2);
}

/* Sets study and frame of reference where the header has none, from all of the header, or from the pixels if
 * there is no header: scans of one examination then have studies of their own. */
static void find_identity(dicom_series *s)
{
    const argand_scan *scan = s->about->scan;
    const bool has_header = scan && scan->header && *scan->header;
    const void *from = has_header ? (const void *)scan->header : s->pixels.hash;
    const size_t count = has_header ? strlen(scan->header) : sizeof s->pixels.hash;
    dicom_facts *f = &s->facts;
    if (!*f->study) dicom_uid(f->study, "study", from, count);
    if (!*f->frame_of_reference)
        dicom_uid(f->frame_of_reference, "frame of reference", f->study, strlen(f->study));
}

static void add_series(dicom_set *set, dicom_series *s)
{
    const char *protocol = s->about->scan && s->about->scan->protocol ? s->about->scan->protocol : "";
    const char *description = s->about->description ? s->about->description : protocol;
    char identity[DICOM_UID + 2 * HASH_BYTES + 64], hash[HASH_HEX];
    hash_print(hash, s->pixels.hash);
    const int length = snprintf(identity, sizeof identity, "%s %d %d %s", s->facts.study, s->about->part,
                                s->about->series, hash);
    dicom_uid(s->uid, "series", identity, (size_t)length);
    dicom_text(set, DICOM_STUDY, s->facts.study);
    dicom_text(set, DICOM_SERIES, s->uid);
    dicom_text(set, DICOM_FRAME_OF_REFERENCE, s->facts.frame_of_reference);
    dicom_text(set, DICOM_POSITION_REFERENCE, "");
    dicom_text(set, DICOM_MODALITY, "MR");
    dicom_integer(set, DICOM_SERIES_NUMBER, s->about->series > 0 ? s->about->series : 1);
    if (*description) dicom_text(set, DICOM_SERIES_DESCRIPTION, description);
}

static void add_equipment(dicom_set *set)
{
    dicom_text(set, DICOM_MANUFACTURER, "Argand");
    dicom_text(set, DICOM_MODEL, "Argand");
    dicom_text(set, DICOM_DEVICE_SERIAL, "none");
    dicom_text(set, DICOM_SOFTWARE, argand_version());
}

static void add_pixels(dicom_set *set, const dicom_series *s)
{
    dicom_integer(set, DICOM_SAMPLES, 1);
    dicom_text(set, DICOM_PHOTOMETRIC, "MONOCHROME2");
    dicom_integer(set, DICOM_ROWS, s->pixels.rows);
    dicom_integer(set, DICOM_COLUMNS, s->pixels.columns);
    dicom_integer(set, DICOM_BITS_ALLOCATED, 16);
    dicom_integer(set, DICOM_BITS_STORED, 16);
    dicom_integer(set, DICOM_HIGH_BIT, 15);
    dicom_integer(set, DICOM_SIGNED, s->pixels.is_signed);
    dicom_text(set, DICOM_BURNED_IN, "NO");
    dicom_text(set, DICOM_LOSSY, "00");
}

argand_status dicom_modules_add(dicom_set *set, dicom_series *s)
{
    TRY(dicom_header_add(set, &s->facts, s->about->scan));
    find_identity(s);
    dicom_text(set, DICOM_CHARACTER_SET, "ISO_IR 192"); /* UTF-8 */
    add_equipment(set);
    dicom_text(set, DICOM_CONTENT_DATE, s->facts.date);
    dicom_text(set, DICOM_CONTENT_TIME, s->facts.time);
    if (s->about->scan && s->about->scan->field_strength > 0)
        dicom_real(set, DICOM_FIELD_STRENGTH, s->about->scan->field_strength);
    add_series(set, s);
    add_pixels(set, s);
    return ARGAND_OK;
}

void dicom_slope_add(dicom_set *set, const dicom_series *s)
{
    dicom_real(set, DICOM_INTERCEPT, 0);
    dicom_real(set, DICOM_SLOPE, s->pixels.slope);
    dicom_text(set, DICOM_RESCALE_TYPE, "US"); /* unspecified */
}

void dicom_grid_add(dicom_set *measures, dicom_set *orientation, const dicom_series *s)
{
    const argand_geometry *g = &s->geometry;
    const double spacing[2] = {g->voxel[1], g->voxel[0]}; /* of rows, of columns */
    double axes[6];
    memcpy(axes, g->read, sizeof g->read);
    memcpy(axes + 3, g->phase, sizeof g->phase);
    dicom_reals(measures, DICOM_PIXEL_SPACING, 2, spacing);
    dicom_real(measures, DICOM_SLICE_THICKNESS, s->about->thickness > 0 ? s->about->thickness : g->voxel[2]);
    dicom_real(measures, DICOM_SLICE_SPACING, g->voxel[2]);
    dicom_reals(orientation, DICOM_ORIENTATION, 6, axes);
}

void dicom_meaning_add(dicom_set *set, const dicom_series *s)
{
    static dicom_set none;
    const char *quantity = s->about->quantity ? s->about->quantity : "value";
    dicom_set units = none, mapping = none;
    if (!s->about->unit) return;
    dicom_code(&units, s->about->unit, "UCUM", s->about->unit);
    dicom_item(&mapping, DICOM_UNITS, &units);
    dicom_text(&mapping, DICOM_EXPLANATION, quantity);
    dicom_text(&mapping, DICOM_LABEL, quantity);
    dicom_real(&mapping, DICOM_REAL_INTERCEPT, 0);
    dicom_real(&mapping, DICOM_REAL_SLOPE, s->pixels.slope);
    if (s->pixels.is_signed) {
        dicom_integer(&mapping, DICOM_FIRST_MAPPED_SIGNED, INT16_MIN);
        dicom_integer(&mapping, DICOM_LAST_MAPPED_SIGNED, INT16_MAX);
    } else {
        dicom_integer(&mapping, DICOM_FIRST_MAPPED_UNSIGNED, 0);
        dicom_integer(&mapping, DICOM_LAST_MAPPED_UNSIGNED, UINT16_MAX);
    }
    dicom_item(set, DICOM_REAL_WORLD, &mapping);
}
