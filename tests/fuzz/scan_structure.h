/* SPDX-License-Identifier: BSD-3-Clause */
/* An ISMRMRD file from arbitrary bytes: each byte decides one detail, most of them for something that is
 * right, so that the reader gets past its first checks. HDF5 writes the file, so its structure is sound; what
 * it says is not. */
#ifndef TESTS_FUZZ_SCAN_STRUCTURE_H
#define TESTS_FUZZ_SCAN_STRUCTURE_H

#include <math.h>
#include "io/scan_build.h"

typedef struct choices {
    const uint8_t *bytes;
    size_t left;
} choices;

static inline unsigned choose(choices *c, unsigned count) /* 0 when the bytes are used up */
{
    if (!c->left) return 0;
    c->left--;
    return *c->bytes++ % count;
}

static inline bool rarely(choices *c)
{
    return choose(c, 16) == 15;
}

static inline uint16_t odd_u16(choices *c)
{
    static const uint16_t values[] = {0, 1, 2, 3, 4, 7, 8, 9, 255, 256, 1024, 32767, 32768, 65534, 65535};
    return values[choose(c, sizeof values / sizeof *values)];
}

static inline float odd_float(choices *c)
{
    static const float values[] = {0,    1,      -1,    0.5f,   -0.5f, 4,        -4, 4.2f,
                                   4.3f, 1e-30f, 1e30f, -1e38f, NAN,   INFINITY, 5};
    return values[choose(c, sizeof values / sizeof *values)];
}

static inline const char *odd_number(choices *c, const char *usual)
{
    static const char *const values[] = {"0",    "-1",  "1",      "65535", "65536", "1e9",
                                         "2.5",  "nan", "-inf",   "",      "x",     "99999999999999999999",
                                         "0x10", " 7 ", "1e-300", "12345", "3,5",   "&lt;8"};
    return rarely(c) ? values[choose(c, sizeof values / sizeof *values)] : usual;
}

static inline void odd_space(choices *c, FILE *to, const char *name)
{
    static const char *const axes = "xyz", *const usual[3] = {"8", "6", "1"};
    if (rarely(c)) return;
    fprintf(to, "<%s>", name);
    for (int part = 0; part < 2; part++) {
        if (rarely(c)) continue;
        fprintf(to, part ? "<fieldOfView_mm>" : "<matrixSize>");
        for (int d = 0; d < 3; d++)
            if (!rarely(c))
                fprintf(to, "<%c>%s</%c>", axes[d], odd_number(c, part ? "240" : usual[d]), axes[d]);
        fprintf(to, part ? "</fieldOfView_mm>" : "</matrixSize>");
    }
    fprintf(to, "</%s>", name);
}

/* Both places and spellings of "multiband". */
static inline void odd_parallel(choices *c, FILE *to)
{
    const unsigned way = choose(c, 8);
    if (way < 4) return;
    if (way < 6)
        fprintf(to,
                "<parallelImaging><accelerationFactor><kspace_encoding_step_1>%s</kspace_encoding_step_1>"
                "</accelerationFactor><calibrationMode>%s</calibrationMode>",
                odd_number(c, "2"), odd_number(c, "embedded"));
    fprintf(to, "<multiband><spacing>");
    for (unsigned gaps = choose(c, rarely(c) ? 200 : 3); gaps; gaps--)
        fprintf(to, way == 4 ? "%s</spacing><spacing>" : "<dZ>%s</dZ>", odd_number(c, "20"));
    fprintf(to, "</spacing>");
    if (choose(c, 2))
        fprintf(to, "<multiband_factor>%s</multiband_factor><calibration_encoding>%s</calibration_encoding>",
                odd_number(c, "3"), odd_number(c, "1"));
    fprintf(to, way < 6 ? "</multiband></parallelImaging>" : "</multiband>");
}

static inline void odd_parameters(choices *c, FILE *to)
{
    static const char *const kinds[] = {"Long", "Double", "String", "Base64", "Other"};
    fprintf(to, "<userParameters>");
    for (unsigned count = choose(c, 4); count; count--) {
        const char *kind = kinds[choose(c, 5)];
        fprintf(to, "<userParameter%s>", kind);
        if (!rarely(c)) fprintf(to, "<name>%s</name>", odd_number(c, "a &amp; &lt;b&gt;"));
        if (!rarely(c)) fprintf(to, "<value>%s</value>", odd_number(c, "12"));
        fprintf(to, "</userParameter%s>", kind);
    }
    fprintf(to, "</userParameters>");
}

static inline void odd_encoding(choices *c, FILE *to)
{
    static const char *const trajectories[] = {"cartesian", "epi", "spiral", "", "radial"};
    fprintf(to, "<encoding>");
    odd_space(c, to, "encodedSpace");
    odd_space(c, to, "reconSpace");
    if (choose(c, 2))
        fprintf(to,
                "<encodingLimits><kspace_encoding_step_1><minimum>%s</minimum><center>%s</center>"
                "</kspace_encoding_step_1><repetition><maximum>%s</maximum></repetition></encodingLimits>",
                odd_number(c, "0"), odd_number(c, "3"), odd_number(c, "2"));
    odd_parallel(c, to);
    fprintf(to, "<trajectory>%s</trajectory>", trajectories[choose(c, 5)]);
    if (rarely(c))
        fprintf(to,
                "<trajectoryDescription><identifier>k_cycles_per_fov</identifier></trajectoryDescription>");
    fprintf(to, "</encoding>");
}

/* free() it; NULL for none */
static inline char *odd_header(choices *c)
{
    char *xml = NULL;
    size_t size;
    if (rarely(c)) return NULL;
    FILE *to = open_memstream(&xml, &size);
    if (!rarely(c)) fprintf(to, "<?xml version=\"1.0\"?>");
    fprintf(to, "<ismrmrdHeader>");
    odd_encoding(c, to);
    for (unsigned more = rarely(c) ? choose(c, 4) : 0; more; more--) odd_encoding(c, to);
    if (choose(c, 2))
        fprintf(to,
                "<sequenceParameters><TR>%s</TR><TE>%s</TE><TE>%s</TE><TI>%s</TI><flipAngle_deg>%s"
                "</flipAngle_deg></sequenceParameters>",
                odd_number(c, "500"), odd_number(c, "4.6"), odd_number(c, "9.2"), odd_number(c, "900"),
                odd_number(c, "70"));
    if (choose(c, 2))
        fprintf(to,
                "<measurementInformation><patientPosition>%s</patientPosition><protocolName>%s</protocolName>"
                "</measurementInformation>",
                odd_number(c, "HFS"), odd_number(c, "p"));
    if (choose(c, 2)) odd_parameters(c, to);
    if (choose(c, 2))
        fprintf(to,
                "<acquisitionSystemInformation><systemVendor>&amp;\xc3\xa4</"
                "systemVendor><systemFieldStrength_T>%s"
                "</systemFieldStrength_T></acquisitionSystemInformation>",
                odd_number(c, "3"));
    for (unsigned junk = rarely(c) ? choose(c, 64) : 0; junk; junk--) fputc((int)choose(c, 255) + 1, to);
    if (!rarely(c)) fprintf(to, "</ismrmrdHeader>");
    fclose(to);
    return xml;
}

static inline void odd_row(choices *c, ismrmrd_row *row, int line)
{
    static const int dimensions[] = {0, 0, 2, 3, 4, 4, 1, 5};
    ismrmrd_head *head = &row->head;
    build_shape(row, rarely(c) ? (int)choose(c, 20) : 8, rarely(c) ? (int)choose(c, 4) : 2,
                dimensions[choose(c, 8)]);
    for (size_t i = 0; i < row->data.len; i++) ((float *)row->data.p)[i] = (float)i;
    for (size_t i = 0; i < row->traj.len; i++) ((float *)row->traj.p)[i] = 0.25f * (float)(i % 3);
    head->sample_time_us = 5;
    head->idx.kspace_encode_step_1 = (uint16_t)line;
    static const int purposes[] = {ISMRMRD_NOISE, ISMRMRD_NAVIGATION, ISMRMRD_CALIBRATION,
                                   ISMRMRD_PHASE_CORRECTION, ISMRMRD_CALIBRATION_AND_IMAGING};
    const unsigned purpose = choose(c, 12);
    if (purpose < 5) head->flags = ismrmrd_flag(purposes[purpose]);
    for (unsigned changes = choose(c, 3); changes; changes--) {
        uint16_t *const fields[] = {&head->number_of_samples,
                                    &head->active_channels,
                                    &head->discard_pre,
                                    &head->discard_post,
                                    &head->center_sample,
                                    &head->encoding_space_ref,
                                    &head->trajectory_dimensions,
                                    &head->idx.kspace_encode_step_1,
                                    &head->idx.kspace_encode_step_2,
                                    &head->idx.contrast};
        const unsigned field = choose(c, 14);
        if (field < 10) *fields[field] = odd_u16(c);
        if (field == 10) head->flags = ismrmrd_flag(1 + (int)choose(c, 64));
        if (field == 11) head->sample_time_us = odd_float(c);
        if (field == 12 && row->traj.len)
            ((float *)row->traj.p)[choose(c, 255) % row->traj.len] = odd_float(c);
        if (field == 13 && row->data.len)
            ((float *)row->data.p)[choose(c, 255) % row->data.len] = odd_float(c);
    }
    if (rarely(c)) row->data.len = choose(c, (unsigned)row->data.len + 1);
    if (rarely(c)) row->traj.len = choose(c, (unsigned)row->traj.len + 1);
}

/* A type from the whole zoo; the caller closes it. */
static inline hid_t odd_type(choices *c)
{
    const hsize_t three = 3;
    hid_t type;
    switch (choose(c, 14)) {
    case 0:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 1:
        return H5Tcopy(H5T_NATIVE_INT8);
    case 2:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case 3:
        return ismrmrd_type_complex(H5T_NATIVE_FLOAT);
    case 4:
        return ismrmrd_type_complex(H5T_IEEE_F64BE);
    case 5:
        return ismrmrd_type_complex(H5T_NATIVE_INT16);
    case 6:
        return H5Tcopy(H5T_C_S1);
    case 7:
        return H5Tcreate(H5T_OPAQUE, 5);
    case 8:
        return H5Tvlen_create(H5T_NATIVE_FLOAT);
    case 9:
        return H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &three);
    case 10:
        return H5Tcopy(H5T_STD_B16LE);
    case 11:
        return H5Tcopy(H5T_STD_REF_OBJ);
    case 12:
        type = H5Tenum_create(H5T_NATIVE_INT8);
        H5Tenum_insert(type, "no", &(int8_t){0});
        return type;
    default:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    }
}

static inline void odd_array(choices *c, hid_t group)
{
    static const char *const names[] = {
        "FieldMap", "SENSEMap",
        "Mask",     "PhaseMaps",
        "Other",    "a name of many more letters than sixty-three, which the reader leaves out, all"};
    static double numbers[100000]; /* 5 of each of 7 dimensions of 3 elements of 8 bytes at most; zeros are
                                      right for vlen */
    hsize_t dims[8] = {1, 8, 6};
    const hid_t type = odd_type(c);
    const int rank = rarely(c) ? (int)choose(c, 8) : 3;
    for (int d = 0; d < rank; d++)
        if (rank > 3 || rarely(c)) dims[d] = choose(c, 6);
    const hid_t space =
        rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(rarely(c) ? H5S_NULL : H5S_SCALAR);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (rarely(c) && rank == 3 && dims[0] && dims[1] && dims[2]) {
        H5Pset_chunk(creation, 3, dims);
        H5Pset_deflate(creation, 5);
    }
    const hid_t dataset =
        H5Dcreate2(group, names[choose(c, 6)], type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (dataset >= 0 && !rarely(c) &&
        H5Sget_simple_extent_npoints(space) * (hssize_t)H5Tget_size(type) < 800000)
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    if (dataset >= 0) H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
}

static choices *odd_choices; /* `more` has no argument of its own */

static inline void odd_rest(hid_t group)
{
    choices *c = odd_choices;
    for (unsigned arrays = choose(c, 4); arrays; arrays--) odd_array(c, group);
    if (rarely(c)) H5Lcreate_soft("/nowhere", group, "soft", H5P_DEFAULT, H5P_DEFAULT);
    if (rarely(c)) H5Lcreate_hard(group, ".", group, "circle", H5P_DEFAULT, H5P_DEFAULT);
}

static inline void odd_file(const uint8_t *bytes, size_t count, const char *path)
{
    choices c = {bytes, count};
    build b = {.group = "dataset", .more = odd_rest};
    char *xml = odd_header(&c);
    b.xml = xml;
    b.fixed_xml = rarely(&c) && xml && *xml;
    b.no_data = rarely(&c);
    b.count = rarely(&c) ? 0 : 1 + choose(&c, 6);
    b.rows = calloc(b.count + 1, sizeof *b.rows);
    for (hsize_t i = 0; i < b.count; i++) odd_row(&c, &b.rows[i], (int)i);
    odd_choices = &c;
    build_write(&b, path);
    build_free(&b);
    free(xml);
}

#endif
