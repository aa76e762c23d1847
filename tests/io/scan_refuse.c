/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that the reader must refuse, each with a message that names what is wrong, and nothing left open. */
#include "harness.h"
#include <sys/stat.h>
#include "scan_build.h"
#include "scan_file.h"

static void nothing_open(void)
{
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* Writes and frees the file, and expects the reader's refusal. */
static void refused(build *b, argand_status status, const char *message)
{
    argand_scan *scan = NULL;
    build_write(b, path);
    build_free(b);
    FAILS(argand_scan_read(&scan, path, NULL), status, message);
    assert_non_null(strstr(argand_message(), path));
    assert_null(scan);
    nothing_open();
}

#define REFUSED_HEAD(message, ...)            \
    do {                                      \
        build b = build_small();              \
        ismrmrd_head *head = &b.rows[3].head; \
        __VA_ARGS__;                          \
        refused(&b, ARGAND_FORMAT, message);  \
    } while (0)

static void heads(void **state)
{
    (void)state;
    REFUSED_HEAD("acquisition 3 has no channels", head->active_channels = 0);
    REFUSED_HEAD("acquisition 3 has no samples", head->number_of_samples = 0);
    REFUSED_HEAD("discards all", head->discard_pre = 5; head->discard_post = 3);
    REFUSED_HEAD("discards all", head->discard_pre = 65535; head->discard_post = 65535);
    REFUSED_HEAD("acquisition 3 has 1 channels, acquisition 0 has 2", head->active_channels = 1);
    REFUSED_HEAD("refers to encoding 7", head->encoding_space_ref = 7);
    REFUSED_HEAD("trajectory_dimensions 5", head->trajectory_dimensions = 5);
    REFUSED_HEAD("trajectory_dimensions 1", head->trajectory_dimensions = 1);
    REFUSED_HEAD("sample_time_us is -1", head->sample_time_us = -1);
    REFUSED_HEAD("sample_time_us is nan", head->sample_time_us = NAN);
    REFUSED_HEAD("stores 32 numbers", head->number_of_samples = 7);
    REFUSED_HEAD("stores 0 numbers of trajectory", head->trajectory_dimensions = 3);
    REFUSED_HEAD("acquisition 3, sample 0: kx is -60000", head->center_sample = 60000);
    REFUSED_HEAD("ky is 41997", head->idx.kspace_encode_step_1 = 42000);
}

static void promises_too_much(void **state)
{
    (void)state;
    build b = build_small();
    for (int i = 0; i < BUILD_ROWS; i++) {
        b.rows[i].head.number_of_samples = 65535;
        b.rows[i].head.active_channels = 65535;
    }
    refused(&b, ARGAND_FORMAT, "promise");
}

static void not_finite(void **state)
{
    (void)state;
    build b = build_small();
    ((float *)b.rows[2].data.p)[2 * (BUILD_SAMPLES + 5) + 1] = INFINITY;
    refused(&b, ARGAND_FORMAT, "acquisition 2, sample 5, channel 1: the imaginary part is inf");
    b = build_small();
    ((float *)b.rows[0].data.p)[6] = NAN;
    b.rows[0].head.flags = ismrmrd_flag(ISMRMRD_REVERSE);
    refused(&b, ARGAND_FORMAT, "acquisition 0, sample 3, channel 0: the real part is");
    b = build_small();
    build_shape(&b.rows[1], BUILD_SAMPLES, BUILD_CHANNELS, 4);
    memset(b.rows[1].data.p, 0, b.rows[1].data.len * sizeof(float));
    ((float *)b.rows[1].traj.p)[4 * 2 + 1] = NAN;
    refused(&b, ARGAND_FORMAT, "acquisition 1, sample 2: ky of the trajectory is");
}

static void out_of_range(void **state)
{
    (void)state;
    build b = build_small();
    build_shape(&b.rows[1], BUILD_SAMPLES, BUILD_CHANNELS, 2);
    memset(b.rows[1].data.p, 0, b.rows[1].data.len * sizeof(float));
    ((float *)b.rows[1].traj.p)[2 * 6] = -4.5f;
    refused(&b, ARGAND_FORMAT, "acquisition 1, sample 6: kx is -4.5 cycles per field of view");
}

static void all_set_aside(void **state)
{
    (void)state;
    build b = build_small();
    for (int i = 0; i < BUILD_ROWS; i++) b.rows[i].head.flags = ismrmrd_flag(ISMRMRD_NOISE);
    refused(&b, ARGAND_FORMAT, "none of the 6 acquisitions is for an image: 6 noise");
}

static void compressed(void **state)
{
    (void)state;
    build b = build_small();
    b.rows[4].head.flags = ismrmrd_flag(ISMRMRD_COMPRESSED_FIRST);
    refused(&b, ARGAND_UNSUPPORTED, "compressed");
}

static void headers(void **state)
{
    (void)state;
#define NO_SPACE "<matrixSize><x>8</x><y>6</y></matrixSize>"
    static const struct {
        const char *xml, *message;
    } wrong[] = {
        {NULL, "has no header"},
        {"", "not well-formed"},
        {"hello", "not well-formed"},
        {"<ismrmrdHeader><encoding></ismrmrdHeader>", "line 1"},
        {"<other/>", "not <ismrmrdHeader>"},
        {XML_HEADER(""), "no <encoding>"},
        {XML_HEADER("<encoding/>"), "no encodedSpace"},
        {XML_HEADER(XML_ENCODING("", XML_CARTESIAN)), "no matrixSize"},
        {XML_HEADER(XML_ENCODING(XML_SPACE(0, 6, 1), "")),
         "matrixSize/x is 0; it must be a whole number from 1"},
        {XML_HEADER(XML_ENCODING(XML_SPACE(8, 1e9, 1), "")), "matrixSize/y is 1e+09"},
        {XML_HEADER(XML_ENCODING(XML_SPACE(8, 6.5, 1), "")), "matrixSize/y is 6.5"},
        {XML_HEADER(XML_ENCODING(XML_SPACE(8, six, 1), "")), "matrixSize/y is \"six\", not a number"},
        {XML_HEADER(XML_ENCODING("<matrixSize><x>8</x></matrixSize>", "")), "matrixSize/y is 0"},
        {XML_HEADER(XML_ENCODING(NO_SPACE "<fieldOfView_mm><x>-3</x></fieldOfView_mm>", "")), "is -3 mm"},
        {XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), "<trajectory>spiral</trajectory>")), "says \"spiral\""},
        {XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1),
                                 "<encodingLimits><kspace_encoding_step_1><center>70000</center>"
                                 "</kspace_encoding_step_1></encodingLimits>")),
         "center is 70000"},
        {XML_HEADER(
             XML_ENCODING(XML_SPACE(8, 6, 1), "") "<sequenceParameters><TE>soon</TE></sequenceParameters>"),
         "(TE) is \"soon\""},
        {XML_HEADER(
             XML_ENCODING(XML_SPACE(8, 6, 1), "") "<acquisitionSystemInformation><systemFieldStrength_T>-3"
                                                  "</systemFieldStrength_T></acquisitionSystemInformation>"),
         "systemFieldStrength_T is -3"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        build b = build_small();
        b.xml = wrong[i].xml;
        refused(&b, ARGAND_FORMAT, wrong[i].message);
    }
}

/* Entities that double 40 times over would fill any memory. */
static void exploding_header(void **state)
{
    (void)state;
    char xml[4096] = "<?xml version=\"1.0\"?><!DOCTYPE ismrmrdHeader [<!ENTITY e0 \"lol\">", entity[64];
    for (int i = 1; i <= 40; i++) {
        snprintf(entity, sizeof entity, "<!ENTITY e%d \"&e%d;&e%d;\">", i, i - 1, i - 1);
        strcat(xml, entity);
    }
    strcat(xml,
           "]><ismrmrdHeader><encoding><encodedSpace><matrixSize><x>&e40;</x></matrixSize></encodedSpace>"
           "</encoding></ismrmrdHeader>");
    build b = build_small();
    b.xml = xml;
    refused(&b, ARGAND_FORMAT, "header");
}

static void groups(void **state)
{
    (void)state;
    argand_scan *scan;
    build b = build_small();
    b.group = "scan1";
    refused(&b, ARGAND_FORMAT,
            "has no group \"dataset\". It holds: scan1. Name the group of the scan: --group, or "
            "argand_scan_options.group");
    OK(argand_scan_read(&scan, path, &(argand_scan_options){.group = "scan1"}));
    argand_scan_destroy(scan);
    b = build_small();
    b.no_data = true;
    refused(&b, ARGAND_FORMAT, "holds no acquisitions");
    b = build_small();
    build_free(&b);
    b.count = 0;
    b.rows = NULL;
    refused(&b, ARGAND_FORMAT, "holds no acquisitions");
}

static void add_table(hid_t group)
{
    const hsize_t dims = 4;
    build_array(group, "data", H5T_NATIVE_FLOAT, 1, &dims, (float[4]){0});
}

static void add_huge_array(hid_t group)
{
    const hsize_t dims[] = {1, 1 << 20, 1 << 20, 1 << 20}, chunk[] = {1, 8, 8, 8};
    const hid_t space = H5Screate_simple(4, dims, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 4, chunk);
    H5Dclose(H5Dcreate2(group, "FieldMap", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
}

/* A table of 2^50 rows of which none is stored. */
static void add_huge_table(hid_t group)
{
    const hsize_t count = (hsize_t)1 << 50, chunk = 1;
    const hid_t space = H5Screate_simple(1, &count, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t type = ismrmrd_type_rows();
    H5Pset_chunk(creation, 1, &chunk);
    H5Dclose(H5Dcreate2(group, "data", type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Tclose(type);
    H5Pclose(creation);
    H5Sclose(space);
}

static void tables(void **state)
{
    (void)state;
    static const struct {
        void (*more)(hid_t group);
        const char *message;
    } wrong[] = {{add_table, "not a table of acquisitions"},
                 {add_huge_table, "promises 1125899906842624 acquisitions"},
                 {add_huge_array, "FieldMap promises 1.15292e+18 elements"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        build b = build_small();
        b.no_data = i < 2;
        b.more = wrong[i].more;
        refused(&b, ARGAND_FORMAT, wrong[i].message);
    }
}

static void write_bytes(const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void not_hdf5(void **state)
{
    (void)state;
    static unsigned char bytes[512];
    argand_scan *scan;
    static const struct {
        size_t at;
        const char *magic, *message;
    } kinds[] = {{0, "\x1f\x8b", "gzip"},
                 {0, "PK\x03\x04", "zip"},
                 {0, "\x93NUMPY", "NumPy"},
                 {344, "n+1", "NIfTI"},
                 {128, "DICM", "DICOM"},
                 {0, "MATLAB 5.0", "MATLAB"},
                 {0, "<?xml", "XML"},
                 {0, "version https://git-lfs.github.com/spec/v1\n", "git lfs pull"},
                 {4, "\x02", "its first bytes are 00 00 00 00 02 00 00 00"}}; /* a number, not twix's table */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes + kinds[i].at, kinds[i].magic, strlen(kinds[i].magic));
        write_bytes(bytes, sizeof bytes);
        FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, kinds[i].message);
        assert_non_null(strstr(argand_message(), "Argand reads ISMRMRD"));
    }
    bytes[16] = 200; /* where the first measurement would begin */
    write_bytes(bytes, 192);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "measurement 1 begins at byte 200 (off_");
    write_bytes("hello\n", 6);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "looks like a text");
    write_bytes("", 0);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "an empty file");
    FAILS(argand_scan_read(&scan, "/tmp", NULL), ARGAND_FILE, "is a folder");
    FAILS(argand_scan_read(&scan, "/nowhere/at/all.h5", NULL), ARGAND_FILE,
          "/nowhere/at/all.h5: cannot be read: No such");
    FAILS(argand_scan_read(&scan, path, &(argand_scan_options){.k_unit = 8}), ARGAND_ARGUMENT, "unit of k");
    nothing_open();
}

/* Cut at every 97th byte: never read, never crashed on. */
static void cut_off(void **state)
{
    (void)state;
    argand_scan *scan;
    build b = build_small();
    build_write(&b, path);
    build_free(&b);
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    for (off_t size = found.st_size - 1; size > 0; size -= 97) {
        assert_int_equal(truncate(path, size), 0);
        FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, size > 2048 ? "is cut off" : path);
    }
    nothing_open();
}

static const struct CMUnitTest tests[] = {
    TEST(heads),         TEST(promises_too_much), TEST(not_finite), TEST(out_of_range),
    TEST(all_set_aside), TEST(compressed),        TEST(headers),    TEST(groups),
    TEST(tables),        TEST(exploding_header),  TEST(not_hdf5),   TEST(cut_off),
};
RUN_TESTS(tests)
