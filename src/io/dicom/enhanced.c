/* SPDX-License-Identifier: BSD-3-Clause */
/* Enhanced MR Image Storage (DICOM PS3.3, A.36): all slices and volumes as the frames of one image. The image
 * type is DERIVED, because ORIGINAL requires values of the scanner that raw data lack, such as transmit coil
 * and SAR. */
#include "io/dicom/dicom.h"

#include <string.h>

static const char class[] = "1.2.840.10008.5.1.4.1.1.4.1";

static void add_type(dicom_set *set, const dicom_series *s)
{
    dicom_text(set, DICOM_PIXEL_PRESENTATION, "MONOCHROME");
    dicom_text(set, DICOM_VOLUMETRIC_PROPERTIES, "VOLUME");
    dicom_text(set, DICOM_VOLUME_TECHNIQUE, "NONE");
    dicom_text(set, DICOM_COMPLEX_COMPONENT, dicom_part_name(s));
    dicom_text(set, DICOM_ACQUISITION_CONTRAST, "UNKNOWN");
}

static void add_anatomy(dicom_set *shared, const dicom_series *s)
{
    static const struct {
        const char *part, *code, *meaning;
    } regions[] = {{"HEAD", "69536005", "Head"},      {"BRAIN", "12738006", "Brain"},
                   {"NECK", "45048000", "Neck"},      {"HEART", "80891009", "Heart"},
                   {"CHEST", "816094009", "Chest"},   {"ABDOMEN", "818981001", "Abdomen"},
                   {"PELVIS", "816092008", "Pelvis"}, {"KNEE", "72696002", "Knee"},
                   {"SPINE", "421060004", "Spine"},   {"BREAST", "76752008", "Breast"},
                   {"", "38266002", "Entire body"}};
    size_t i = 0;
    while (*regions[i].part && strcmp(regions[i].part, s->facts.body_part) != 0) i++;
    dicom_set region = {0}, anatomy = {0};
    dicom_code(&region, regions[i].code, "SCT", regions[i].meaning);
    dicom_item(&anatomy, DICOM_ANATOMIC_REGION, &region);
    dicom_text(&anatomy, DICOM_FRAME_LATERALITY, "U");
    dicom_item(shared, DICOM_FRAME_ANATOMY, &anatomy);
}

static void add_grid(dicom_set *shared, const dicom_series *s)
{
    dicom_set measures = {0}, orientation = {0};
    dicom_grid_add(&measures, &orientation, s);
    dicom_item(shared, DICOM_PIXEL_MEASURES, &measures);
    dicom_item(shared, DICOM_PLANE_ORIENTATION, &orientation);
}

/* Adds times to the image, which no enhanced image needs to have: the functional group that is for them
 * must have SAR and operating mode, too, says dciodvfy. Readers find them here as well. */
static void add_timing(dicom_set *set, const dicom_series *s)
{
    const argand_scan *scan = s->about->scan;
    if (dicom_repetition_time(s) > 0) dicom_real(set, DICOM_REPETITION_TIME, dicom_repetition_time(s));
    if (scan && scan->flip_angle > 0) dicom_real(set, DICOM_FLIP_ANGLE, scan->flip_angle);
}

static void add_shared(dicom_set *set, const dicom_series *s)
{
    dicom_set shared = {0}, type = {0}, slope = {0};
    dicom_values(&type, DICOM_FRAME_TYPE, "DERIVED\\PRIMARY\\VOLUME\\NONE");
    add_type(&type, s);
    dicom_item(&shared, DICOM_FRAME_TYPE_GROUP, &type);
    add_anatomy(&shared, s);
    add_grid(&shared, s);
    dicom_slope_add(&slope, s);
    dicom_item(&shared, DICOM_PIXEL_TRANSFORMATION, &slope);
    dicom_meaning_add(&shared, s);
    dicom_item(set, DICOM_SHARED_GROUPS, &shared);
}

static void add_frame(text *list, const dicom_series *s, int64_t frame)
{
    const int64_t slice = frame % s->pixels.slices, volume = frame / s->pixels.slices;
    const int64_t index[3] = {1, volume + 1, slice + 1};
    double position[3];
    dicom_set groups = {0}, content = {0}, place = {0}, echo = {0};
    dicom_position(position, s, slice);
    /* although all frames have one echo time: dcm2niix finds the index of a frame by this group */
    dicom_real(&echo, DICOM_EFFECTIVE_ECHO_TIME, dicom_echo_time(s));
    dicom_item(&groups, DICOM_ECHO, &echo);
    dicom_text(&content, DICOM_STACK, "1");
    dicom_integer(&content, DICOM_IN_STACK, slice + 1);
    dicom_integer(&content, DICOM_TEMPORAL_INDEX, volume + 1);
    dicom_integers(&content, DICOM_INDEX_VALUES, 3, index);
    dicom_item(&groups, DICOM_FRAME_CONTENT, &content);
    dicom_reals(&place, DICOM_POSITION, 3, position);
    dicom_item(&groups, DICOM_PLANE_POSITION, &place);
    dicom_list_item(list, &groups);
}

/* Adds a sequence whose items are in a list, and frees the list. */
static void add_list(dicom_set *set, uint32_t tag, const char *vr, text *list)
{
    if (list->status && !set->bytes.status) set->bytes.status = list->status;
    dicom_bytes(set, tag, vr, text_chars(list), list->length);
    text_free(list);
}

static void add_frames(dicom_set *set, const dicom_series *s)
{
    text list = {0};
    const int64_t frames = s->pixels.slices * s->pixels.volumes;
    for (int64_t i = 0; i < frames; i++) add_frame(&list, s, i);
    add_list(set, DICOM_FRAME_GROUPS, &list);
}

static void add_index(text *list, const char *uid, int64_t tag)
{
    dicom_set index = {0};
    dicom_text(&index, DICOM_DIMENSION_UID, uid);
    dicom_integer(&index, DICOM_INDEX_POINTER, tag);
    dicom_integer(&index, DICOM_GROUP_POINTER, 0x00209111); /* frame content */
    dicom_list_item(list, &index);
}

/* Adds the dimensions: stack, volume in time, slice in the stack. The first varies slowest. */
static void add_dimensions(dicom_set *set, const dicom_series *s)
{
    char uid[DICOM_UID];
    text list = {0};
    dicom_set organization = {0};
    dicom_uid(uid, "dimensions", s->uid, strlen(s->uid));
    dicom_text(&organization, DICOM_DIMENSION_UID, uid);
    dicom_item(set, DICOM_DIMENSION_ORGANIZATION, &organization);
    add_index(&list, uid, 0x00209056);
    add_index(&list, uid, 0x00209128);
    add_index(&list, uid, 0x00209057);
    add_list(set, DICOM_DIMENSION_INDEX, &list);
}

argand_status dicom_enhanced(text *to, dicom_series *s)
{
    dicom_set set = {0};
    const int64_t frames = s->pixels.slices * s->pixels.volumes;
    argand_status status = dicom_modules_add(&set, s);
    if (status) {
        dicom_set_free(&set);
        return status;
    }
    dicom_values(&set, DICOM_IMAGE_TYPE, "DERIVED\\PRIMARY\\VOLUME\\NONE");
    add_type(&set, s);
    dicom_text(&set, DICOM_PRESENTATION, "IDENTITY");
    dicom_text(&set, DICOM_QUALIFICATION, "RESEARCH");
    dicom_text(&set, DICOM_SAFETY_AGENCY, "UNKNOWN"); /* dciodvfy requires it of derived images, too */
    dicom_integer(&set, DICOM_INSTANCE_NUMBER, 1);
    dicom_integer(&set, DICOM_FRAMES, frames);
    dicom_item(&set, DICOM_ACQUISITION_CONTEXT, NULL);
    add_timing(&set, s);
    add_dimensions(&set, s);
    add_shared(&set, s);
    add_frames(&set, s);
    return dicom_file(to, &set, class, (size_t)(2 * s->pixels.columns * s->pixels.rows * frames));
}
