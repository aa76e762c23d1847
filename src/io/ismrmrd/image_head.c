/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs and unpacks the head of an ISMRMRD image: 198 bytes, packed and little-endian in streams; a
 * compound of the same bytes in HDF5. */
#include <string.h>

#include <argand/io.h>
#include "base/status.h"
#include "io/ismrmrd/types.h"

enum { VERSION = 1, TYPE_FLOAT = 5, TYPE_DOUBLE = 6, TYPE_COMPLEX_FLOAT = 7, TYPE_COMPLEX_DOUBLE = 8 };

typedef enum member_kind { U16, U32, U64, I32, F32 } member_kind;

/* Members of the head, in the order of its bytes. */
static const struct {
    const char *name;
    member_kind kind;
    hsize_t count;
} members[] = {{"version", U16, 1},
               {"data_type", U16, 1},
               {"flags", U64, 1},
               {"measurement_uid", U32, 1},
               {"matrix_size", U16, 3},
               {"field_of_view", F32, 3},
               {"channels", U16, 1},
               {"position", F32, 3},
               {"read_dir", F32, 3},
               {"phase_dir", F32, 3},
               {"slice_dir", F32, 3},
               {"patient_table_position", F32, 3},
               {"average", U16, 1},
               {"slice", U16, 1},
               {"contrast", U16, 1},
               {"phase", U16, 1},
               {"repetition", U16, 1},
               {"set", U16, 1},
               {"acquisition_time_stamp", U32, 1},
               {"physiology_time_stamp", U32, 3},
               {"image_type", U16, 1},
               {"image_index", U16, 1},
               {"image_series_index", U16, 1},
               {"user_int", I32, 8},
               {"user_float", F32, 8},
               {"attribute_string_len", U32, 1}};

static hid_t insert(hid_t type, size_t i, size_t *offset)
{
    const hid_t kinds[] = {H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE, H5T_STD_I32LE, H5T_IEEE_F32LE};
    const hid_t one = kinds[members[i].kind];
    const hid_t several = members[i].count > 1 ? H5Tarray_create2(one, 1, &members[i].count) : H5Tcopy(one);
    const herr_t result = H5Tinsert(type, members[i].name, *offset, several);
    *offset += H5Tget_size(several);
    H5Tclose(several);
    return result;
}

hid_t ismrmrd_type_images(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, ARGAND_SCAN_IMAGE_HEAD);
    size_t offset = 0;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (insert(type, i, &offset) < 0) {
            H5Tclose(type);
            return -1;
        }
    return type;
}

static void put(uint8_t **at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) *(*at)++ = (uint8_t)(value >> (8 * i));
}

static void put_floats(uint8_t **at, const double *values, double scale)
{
    for (int i = 0; i < 3; i++) {
        const float value = (float)(values[i] * scale);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        put(at, bits, 4);
    }
}

static void put_place(uint8_t **at, const argand_scan_image *image)
{
    const argand_geometry *g = &image->geometry;
    const double known = g->valid ? 1 : 0;
    double fov[3];
    for (int d = 0; d < 3; d++) fov[d] = g->voxel[d] * (double)image->n[d];
    put_floats(at, fov, 1);
    put(at, 1, 2); /* channels */
    put_floats(at, g->centre, known);
    put_floats(at, g->read, known);
    put_floats(at, g->phase, known);
    put_floats(at, g->slice, known);
    put_floats(at, fov, 0); /* table */
}

static int data_type(argand_type type)
{
    switch (type) {
    case ARGAND_R32:
        return TYPE_FLOAT;
    case ARGAND_R64:
        return TYPE_DOUBLE;
    case ARGAND_C32:
        return TYPE_COMPLEX_FLOAT;
    case ARGAND_C64:
        return TYPE_COMPLEX_DOUBLE;
    default:
        return 0;
    }
}

static argand_status check(const argand_scan_image *image)
{
    CHECK(data_type(image->type), ARGAND_UNSUPPORTED, "ISMRMRD images of type %d: give floats or doubles",
          (int)image->type);
    CHECK(image->part >= ARGAND_IMAGE_MAGNITUDE && image->part <= ARGAND_IMAGE_COMPLEX, ARGAND_ARGUMENT,
          "part %d of an image: give 1 (magnitude) to 5 (complex)", (int)image->part);
    const bool is_complex = image->type == ARGAND_C32 || image->type == ARGAND_C64;
    CHECK(is_complex == (image->part == ARGAND_IMAGE_COMPLEX), ARGAND_ARGUMENT,
          "an ISMRMRD image of part %d holds %s numbers", (int)image->part, is_complex ? "complex" : "real");
    for (int d = 0; d < 3; d++)
        CHECK(image->n[d] > 0 && image->n[d] <= UINT16_MAX, ARGAND_UNSUPPORTED,
              "ISMRMRD images have 1 to 65535 pixels along an axis, not %lld", (long long)image->n[d]);
    return ARGAND_OK;
}

argand_status argand_scan_image_head(uint8_t head[ARGAND_SCAN_IMAGE_HEAD], const argand_scan_image *image,
                                     uint32_t attributes)
{
    CHECK(head && image, ARGAND_ARGUMENT, "argand_scan_image_head: head and image must not be NULL");
    TRY(check(image));
    const argand_counters *c = &image->counters;
    const uint16_t places[] = {c->average, c->slice, c->contrast, c->phase, c->repetition, c->set};
    const uint16_t kinds[] = {(uint16_t)image->part, (uint16_t)image->index, (uint16_t)image->series};
    uint8_t *at = head;
    memset(head, 0, ARGAND_SCAN_IMAGE_HEAD);
    put(&at, VERSION, 2);
    put(&at, (uint64_t)data_type(image->type), 2);
    at += 8 + 4; /* flags, measurement */
    for (int d = 0; d < 3; d++) put(&at, (uint64_t)image->n[d], 2);
    put_place(&at, image);
    for (int i = 0; i < 6; i++) put(&at, places[i], 2);
    put(&at, image->time_stamp, 4);
    at += 3 * 4; /* physiology */
    for (int i = 0; i < 3; i++) put(&at, kinds[i], 2);
    at += 8 * 4 + 8 * 4; /* user-defined values */
    put(&at, attributes, 4);
    return ARGAND_OK;
}
