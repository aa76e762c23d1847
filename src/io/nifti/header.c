/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the header to and from bytes. The offsets are those of
 * https://nifti.nimh.nih.gov/pub/dist/src/niftilib/nifti1.h and nifti2.h. */
#include "io/nifti/nifti.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/status.h"

/* Offsets of the fields, and widths of their numbers, in one of the two versions. */
typedef struct layout {
    int header; /* size in bytes, the first number of the file */
    const char *magic;
    int magic_at, magic_size;
    int dim, dim_size;
    int type;
    int pixdim, real_size;
    int data_at, slope, intercept;
    int units, units_size;
    int qform, sform, code_size;
    int quaternion, offset, rows;
} layout;

static const layout layouts[2] = {
    {348, "n+1", 344, 4, 40, 2, 70, 76, 4, 108, 112, 116, 123, 1, 252, 254, 2, 256, 268, 280},
    {540, "n+2\0\r\n\032\n", 4, 8, 16, 8, 12, 104, 8, 168, 176, 184, 500, 4, 344, 348, 4, 352, 376, 400},
};

/* NIfTI's codes of voxel types and Argand's formats. Kind 0: known, but not read. */
static const struct {
    int code;
    number_format format;
    const char *name;
} types[] = {
    {2, {'u', 1, false}, "uint8"},       {4, {'i', 2, false}, "int16"},
    {8, {'i', 4, false}, "int32"},       {16, {'f', 4, false}, "float32"},
    {32, {'c', 8, false}, "complex64"},  {64, {'f', 8, false}, "float64"},
    {256, {'i', 1, false}, "int8"},      {512, {'u', 2, false}, "uint16"},
    {768, {'u', 4, false}, "uint32"},    {1024, {'i', 8, false}, "int64"},
    {1280, {'u', 8, false}, "uint64"},   {1792, {'c', 16, false}, "complex128"},
    {1, {0, 0, false}, "1 bit"},         {128, {0, 0, false}, "RGB"},
    {2304, {0, 0, false}, "RGBA"},       {1536, {0, 0, false}, "float128"},
    {2048, {0, 0, false}, "complex256"},
};

/* --------------------------------------------------------------- writing */

static void put(unsigned char *at, uint32_t value, int size)
{
    for (int i = 0; i < size; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static void put_float(unsigned char *at, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put(at, bits, 4);
}

static void put_pose(unsigned char *bytes, const nifti_pose *pose)
{
    const layout *where = &layouts[0];
    put_float(bytes + where->pixdim, pose->handedness);
    for (int i = 0; i < 3; i++) put_float(bytes + where->pixdim + 4 * (i + 1), pose->voxel[i]);
    if (!pose->known) return;
    put(bytes + where->qform, 1, 2); /* 1: scanner coordinates */
    put(bytes + where->sform, 1, 2);
    for (int i = 0; i < 3; i++) {
        put_float(bytes + where->quaternion + 4 * i, pose->quaternion[i]);
        put_float(bytes + where->offset + 4 * i, pose->offset[i]);
        for (int k = 0; k < 4; k++) put_float(bytes + where->rows + 16 * i + 4 * k, pose->rows[i][k]);
    }
}

void nifti_header_compose(unsigned char bytes[NIFTI_DATA], const nifti_header *header)
{
    const layout *where = &layouts[0];
    const bool is_complex = header->format.kind == 'c';
    memset(bytes, 0, NIFTI_DATA);
    put(bytes, NIFTI_HEADER, 4);
    put(bytes + where->dim, (uint32_t)header->rank, 2);
    for (int i = 0; i < NIFTI_MAX_RANK; i++) {
        put(bytes + where->dim + 2 * (i + 1), i < header->rank ? (uint32_t)header->dims[i] : 1, 2);
        put_float(bytes + where->pixdim + 4 * (i + 1), 1);
    }
    put(bytes + where->type, is_complex ? 32 : 16, 2);
    put(bytes + where->type + 2, is_complex ? 64 : 32, 2); /* bits */
    put_pose(bytes, &header->pose);
    put_float(bytes + where->pixdim + 16, header->repetition_time);
    put_float(bytes + where->data_at, NIFTI_DATA);
    put_float(bytes + where->slope, 1);
    bytes[where->units] = 2 | 8; /* mm, s */
    snprintf((char *)bytes + 148, 80, "argand %s", argand_version());
    memcpy(bytes + where->magic_at, where->magic, (size_t)where->magic_size);
}

/* --------------------------------------------------------------- reading */

typedef struct reader {
    const unsigned char *bytes;
    const layout *where;
    bool swapped;
    const char *path;
} reader;

static int64_t integer(const reader *in, int at, int size)
{
    return numbers_integer(in->bytes + at, size, in->swapped);
}

static double real(const reader *in, int at, int index)
{
    return numbers_real(in->bytes + at + index * in->where->real_size, in->where->real_size, in->swapped);
}

/* Finds the version and the byte order: the file starts with the header's size. */
static argand_status recognise(reader *in, size_t count)
{
    for (int i = 0; i < 4; i++) {
        const layout *where = &layouts[i / 2];
        in->swapped = (i % 2 == 1) == numbers_host_is_little();
        if (integer(in, 0, 4) != where->header) continue;
        const char *magic = (const char *)in->bytes + where->magic_at;
        CHECK(memcmp(magic, "ni", 2), ARGAND_UNSUPPORTED,
              "%s: the header of a .hdr/.img pair; make it one file (nifti_tool -copy_image, or nibabel) and "
              "give that",
              in->path);
        CHECK(!memcmp(magic, where->magic, (size_t)where->magic_size), ARGAND_FORMAT,
              "%s: has no NIfTI mark (an Analyze 7.5 file?)", in->path);
        CHECK(count >= (size_t)where->header, ARGAND_FORMAT,
              "%s: truncated: header of %d bytes expected, %zu found", in->path, where->header, count);
        in->where = where;
        return ARGAND_OK;
    }
    return status_set(ARGAND_FORMAT, "%s: is not a NIfTI file", in->path);
}

static argand_status parse_shape(nifti_header *header, const reader *in)
{
    const layout *where = in->where;
    const int64_t rank = integer(in, where->dim, where->dim_size);
    CHECK(rank >= 1 && rank <= NIFTI_MAX_RANK, ARGAND_FORMAT, "%s: dim[0] is %lld; it must be 1 to 7",
          in->path, (long long)rank);
    header->rank = (int)rank;
    for (int i = 0; i < NIFTI_MAX_RANK; i++) {
        header->dims[i] = i < rank ? integer(in, where->dim + where->dim_size * (i + 1), where->dim_size) : 1;
        CHECK(header->dims[i] >= 1, ARGAND_FORMAT, "%s: dim[%d] is %lld; it must be at least 1", in->path,
              i + 1, (long long)header->dims[i]);
    }
    return ARGAND_OK;
}

static argand_status parse_type(nifti_header *header, const reader *in)
{
    const int64_t code = integer(in, in->where->type, 2);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].code != code) continue;
        CHECK(types[i].format.kind, ARGAND_UNSUPPORTED,
              "%s: voxels of type %s are not read; convert it to float32", in->path, types[i].name);
        header->format = types[i].format;
        header->format.swapped = in->swapped;
        return ARGAND_OK;
    }
    return status_set(ARGAND_FORMAT, "%s: unknown type of voxels, datatype %lld", in->path, (long long)code);
}

static argand_status parse_place(nifti_header *header, const reader *in)
{
    const layout *where = in->where;
    const double at =
        where->real_size == 4 ? real(in, where->data_at, 0) : (double)integer(in, where->data_at, 8);
    CHECK(at >= where->header && at < 0x1p53, ARGAND_FORMAT, "%s: vox_offset is %g; it must be at least %d",
          in->path, at, where->header);
    header->data_at = (uint64_t)at;
    header->slope = real(in, where->slope, 0);
    header->intercept = real(in, where->intercept, 0);
    if (header->slope == 0 || !isfinite(header->slope) || !isfinite(header->intercept)) {
        header->slope = 1;
        header->intercept = 0;
    }
    return ARGAND_OK;
}

/* Returns the file's unit of length (metre, mm or micrometre) in mm. */
static double length_unit(int64_t units)
{
    return (units & 7) == 1 ? 1e3 : (units & 7) == 3 ? 1e-3 : 1;
}

static double time_unit(int64_t units)
{
    return (units & 56) == 16 ? 1e-3 : (units & 56) == 24 ? 1e-6 : 1;
}

static void parse_pose(nifti_header *header, const reader *in)
{
    const layout *where = in->where;
    const int64_t units = integer(in, where->units, where->units_size);
    const double unit = length_unit(units);
    nifti_pose *pose = &header->pose;
    pose->sform_code = (int)integer(in, where->sform, where->code_size);
    pose->qform_code = (int)integer(in, where->qform, where->code_size);
    pose->handedness = real(in, where->pixdim, 0) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        const double size = fabs(real(in, where->pixdim, i + 1)) * unit;
        pose->voxel[i] = size > 0 && isfinite(size) ? size : 1;
        pose->quaternion[i] = real(in, where->quaternion, i);
        pose->offset[i] = real(in, where->offset, i) * unit;
        for (int k = 0; k < 4; k++) pose->rows[i][k] = real(in, where->rows, 4 * i + k) * unit;
    }
    nifti_pose_choose(pose, header->dims);
    const double time = real(in, where->pixdim, 4) * time_unit(units);
    header->repetition_time = time > 0 && isfinite(time) ? time : 0;
}

argand_status nifti_header_parse(nifti_header *header, const unsigned char *bytes, size_t count,
                                 const char *path)
{
    *header = (nifti_header){0};
    reader in = {.bytes = bytes, .path = path};
    TRY(recognise(&in, count));
    TRY(parse_shape(header, &in));
    TRY(parse_type(header, &in));
    TRY(parse_place(header, &in));
    parse_pose(header, &in);
    return ARGAND_OK;
}
