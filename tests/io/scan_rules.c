/* SPDX-License-Identifier: BSD-3-Clause */
/* What the reader makes of flags, discarded samples, trajectories, times, units and arrays, on files made
 * with HDF5. */
#include "harness.h"
#include "scan_build.h"
#include "scan_file.h"
#include "scan_near.h"

static argand_scan *read_built(build *b, const argand_scan_options *options)
{
    argand_scan *scan = NULL;
    build_write(b, path);
    build_free(b);
    OK(argand_scan_read(&scan, path, options));
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    return scan;
}

static void has_note(const argand_scan *scan, const char *message)
{
    if (!strstr(scan->notes, message)) fail_msg("no \"%s\" in the notes:\n%s", message, scan->notes);
}

/* Line l, float i of the file is 100 l + i. */
static void plain(void **state)
{
    (void)state;
    build b = build_small();
    b.fixed_xml = true;
    argand_scan *scan = read_built(&b, NULL);
    assert_int_equal(scan->acquisition_count, 6);
    assert_int_equal(scan->encodings[0].step1_centre, -1);
    for (int line = 0; line < 6; line++) {
        const argand_acquisition *a = &scan->acquisitions[line];
        for (int i = 0; i < 2 * BUILD_SAMPLES * BUILD_CHANNELS; i++) NEAR(a->data[i], 100 * line + i, 0);
        for (int i = 0; i < BUILD_SAMPLES; i++) {
            NEAR(a->k[0][i], i - 4, 0);
            NEAR(a->k[1][i], line - 3, 0); /* no limits: floor(6 / 2) */
            NEAR(a->k[2][i], 0, 0);
            NEAR(a->t[i], (i - 4) * 4e-6, 1e-12);
        }
    }
    has_note(scan, "no encodingLimits for step 1");
    has_note(scan, "echo time of 0");
    argand_scan_destroy(scan);
}

static void flags(void **state)
{
    (void)state;
    build b = build_small();
    b.rows[0].head.flags = ismrmrd_flag(ISMRMRD_NOISE);
    build_shape(&b.rows[0], 3, 7, 0); /* what is set aside may have any shape */
    ((float *)b.rows[0].data.p)[1] = NAN;
    b.rows[1].head.flags = ismrmrd_flag(ISMRMRD_NAVIGATION);
    b.rows[2].head.flags = ismrmrd_flag(ISMRMRD_CALIBRATION);
    b.rows[3].head.flags = ismrmrd_flag(ISMRMRD_CALIBRATION) | ismrmrd_flag(ISMRMRD_CALIBRATION_AND_IMAGING);
    b.rows[4].head.flags = ismrmrd_flag(ISMRMRD_DUMMY);
    b.rows[5].head.flags = ismrmrd_flag(ISMRMRD_CALIBRATION_AND_IMAGING) | ismrmrd_flag(25);
    argand_scan *scan = read_built(&b, NULL);
    assert_int_equal(scan->acquisition_count, 2);
    assert_int_equal(scan->noise_count, 0); /* other channels than the images */
    assert_int_equal(scan->navigator_count, 1);
    assert_int_equal(scan->calibration_count, 1);
    assert_int_equal(scan->other_count, 2);
    assert_int_equal(scan->navigators[0].row, 1);
    NEAR(scan->navigators[0].data[3], 103, 0);
    assert_int_equal(scan->calibrations[0].counters.shot, 2);
    assert_true(scan->acquisitions[0].flags & ARGAND_FLAG_CALIBRATION_AND_IMAGING);
    assert_int_equal(scan->acquisitions[0].counters.shot, 3);
    assert_int_equal(scan->acquisitions[1].counters.shot, 5);
    NEAR(scan->acquisitions[1].data[2], 502, 0);
    has_note(scan, "1 navigator acquisition is set aside");
    has_note(scan, "Some noise acquisitions are left out: acquisition 0 has 7 channels, acquisition 3 has 2");
    argand_scan_destroy(scan);
}

/* Every flag that is not for images, one by one; all others keep the acquisition. */
static void each_flag(void **state)
{
    (void)state;
    for (int flag = 1; flag <= 64; flag++) {
        if (flag >= ISMRMRD_COMPRESSED_FIRST && flag <= ISMRMRD_COMPRESSED_LAST) continue;
        const bool aside = flag == 19 || flag == 20 || flag == 23 || flag == 24 || (flag >= 26 && flag <= 31);
        build b = build_small();
        b.rows[2].head.flags = ismrmrd_flag(flag);
        argand_scan *scan = read_built(&b, NULL);
        assert_int_equal(scan->acquisition_count, aside ? 5 : 6);
        argand_scan_destroy(scan);
    }
}

/* siemens_to_ismrmrd flags all lines of some scans as surface coil corrections: they are the image. */
static void surface_coil(void **state)
{
    (void)state;
    for (int flagged = 6; flagged > 0; flagged -= 2) {
        build b = build_small();
        for (int line = 0; line < flagged; line++)
            b.rows[line].head.flags = ismrmrd_flag(ISMRMRD_SURFACE_COIL);
        argand_scan *scan = read_built(&b, NULL);
        assert_int_equal(scan->acquisition_count, flagged == 6 ? 6 : 6 - flagged);
        assert_int_equal(scan->other_count, flagged == 6 ? 0 : flagged);
        if (flagged == 2)
            has_note(scan, "2 acquisitions are flagged as surface coil corrections (flag 29), 4");
        argand_scan_destroy(scan);
    }
}

static void discard_and_reverse(void **state)
{
    (void)state;
    build b = build_small();
    for (int line = 0; line < 2; line++) {
        b.rows[line].head.discard_pre = 2;
        b.rows[line].head.discard_post = 1;
    }
    b.rows[1].head.flags = ismrmrd_flag(ISMRMRD_REVERSE);
    argand_scan *scan = read_built(&b, NULL);
    const argand_acquisition *forward = &scan->acquisitions[0], *reverse = &scan->acquisitions[1];
    assert_int_equal(forward->samples, 5);
    assert_int_equal(forward->centre_sample, 2);
    assert_int_equal(reverse->centre_sample, 2);
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 5; i++) {
            NEAR(forward->data[2 * (5 * c + i) + 1], 16 * c + 2 * (i + 2) + 1, 0);
            NEAR(reverse->data[2 * (5 * c + i) + 1], 100 + 16 * c + 2 * (6 - i) + 1, 0);
            NEAR(forward->k[0][i], i - 2, 0);
            NEAR(reverse->k[0][i], i - 2, 0);
            NEAR(forward->t[i], (i - 2) * 4e-6, 1e-12);
            NEAR(reverse->t[i], (2 - i) * 4e-6, 1e-12);
        }
    argand_scan_destroy(scan);
}

/* A stored trajectory is cut and reversed with its samples. */
static void reversed_trajectory(void **state)
{
    (void)state;
    build b = build_small();
    build_shape(&b.rows[0], BUILD_SAMPLES, BUILD_CHANNELS, 4);
    memset(b.rows[0].data.p, 0, b.rows[0].data.len * sizeof(float));
    for (int i = 0; i < 8; i++) {
        ((float *)b.rows[0].traj.p)[4 * i] = (float)(4 - i) / 2;
        ((float *)b.rows[0].traj.p)[4 * i + 3] = 0.01f * (float)i;
    }
    b.rows[0].head.flags = ismrmrd_flag(ISMRMRD_REVERSE);
    b.rows[0].head.discard_pre = 1;
    b.rows[0].head.center_sample = 3;
    argand_scan *scan = read_built(&b, NULL);
    const argand_acquisition *a = &scan->acquisitions[0];
    assert_int_equal(a->samples, 7);
    assert_int_equal(a->centre_sample, 4);
    for (int i = 0; i < 7; i++) {
        NEAR(a->k[0][i], (4 - (7 - i)) / 2.0, 0);
        NEAR(a->t[i], 0.01f * (float)(7 - i), 0);
    }
    argand_scan_destroy(scan);
}

static void set_radial(build *b, int dimensions, float largest)
{
    for (int line = 0; line < BUILD_ROWS; line++) {
        build_shape(&b->rows[line], BUILD_SAMPLES, BUILD_CHANNELS, dimensions);
        memset(b->rows[line].data.p, 0, b->rows[line].data.len * sizeof(float));
        for (int i = 0; i < BUILD_SAMPLES; i++)
            ((float *)b->rows[line].traj.p)[dimensions * i] = largest * (float)(i - 4) / 4;
    }
}

static void units(void **state)
{
    (void)state;
    build b = build_small();
    set_radial(&b, 2, 0.5f);
    argand_scan *scan = read_built(&b, NULL);
    assert_int_equal(scan->k_unit, ARGAND_K_NORMALISED);
    NEAR(scan->acquisitions[0].k[0][0], -4, 0);
    has_note(scan, "taken as normalised");
    argand_scan_destroy(scan);

    b = build_small();
    set_radial(&b, 2, 4);
    scan = read_built(&b, NULL);
    assert_int_equal(scan->k_unit, ARGAND_K_CYCLES);
    NEAR(scan->acquisitions[0].k[0][0], -4, 0);
    has_note(scan, "taken as cycles per field of view: |k| reaches 4");
    argand_scan_destroy(scan);

    b = build_small();
    set_radial(&b, 2, 0.5f);
    scan = read_built(&b, &(argand_scan_options){.k_unit = ARGAND_K_CYCLES});
    NEAR(scan->acquisitions[0].k[0][0], -0.5, 0);
    has_note(scan, "as asked");
    has_note(scan, "reaches only");
    argand_scan_destroy(scan);

    b = build_small();
    set_radial(&b, 2, 0.5f);
    b.xml =
        XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), "<trajectory>radial</trajectory><trajectoryDescription>"
                                                    "<identifier>kxyz_cycles_per_fov_and_time_s</identifier>"
                                                    "</trajectoryDescription>"));
    scan = read_built(&b, NULL);
    assert_int_equal(scan->k_unit, ARGAND_K_CYCLES);
    NEAR(scan->acquisitions[0].k[0][0], -0.5, 0);
    argand_scan_destroy(scan);
}

/* A unit is recognised where positions reach the edge of k-space in this one alone. */
static void units_by_their_reach(void **state)
{
    (void)state;
    static const struct {
        double reach, view;
        int64_t n;
        argand_k_unit unit; /* AUTO: refused */
    } cases[] = {
        {48, 240, 96, ARGAND_K_CYCLES},
        {50, 240, 96, ARGAND_K_CYCLES},
        {30, 240, 96, ARGAND_K_CYCLES},   /* falls short */
        {4000, 240, 96, ARGAND_K_CYCLES}, /* far beyond: the reader names the sample */
        {0, 240, 96, ARGAND_K_CYCLES},
        {0.5, 240, 96, ARGAND_K_NORMALISED},
        {0.49, 96, 96, ARGAND_K_NORMALISED}, /* voxels of 1 mm: 1/mm is the same */
        {0.3, 0, 96, ARGAND_K_NORMALISED},
        {3.14159, 240, 96, ARGAND_K_RADIANS},
        {3.0, 0, 64, ARGAND_K_RADIANS},
        {0.2, 240, 96, ARGAND_K_PER_MM},
        {200, 240, 96, ARGAND_K_PER_M},
        {1.2566, 240, 96, ARGAND_K_RADIANS_PER_MM},
        {1256.6, 240, 96, ARGAND_K_RADIANS_PER_M},
        {0.2, 0, 96, ARGAND_K_AUTO},
        {0.476, 100.8, 96, ARGAND_K_AUTO}, /* 1/mm exactly, normalised nearly */
        {1, 240, 96, ARGAND_K_AUTO},
        {3.14159, 200, 8, ARGAND_K_RADIANS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_k_unit unit;
        const double reach[3] = {cases[i].reach, cases[i].reach / 2, 0},
                     view[3] = {cases[i].view, cases[i].view, 5};
        const int64_t n[3] = {cases[i].n, cases[i].n, 1};
        const argand_status status = argand_k_unit_find(&unit, reach, n, view);
        assert_int_equal(unit, cases[i].unit);
        assert_int_equal(status, cases[i].unit ? ARGAND_OK : ARGAND_FORMAT);
    }
    argand_k_unit unit;
    const int64_t n[3] = {96, 96, 1};
    FAILS(argand_k_unit_find(&unit, (double[]){NAN, 0, 0}, n, (double[]){0, 0, 0}), ARGAND_ARGUMENT,
          "reaches nan");
    FAILS(argand_k_unit_find(&unit, (double[]){.2, 0, 0}, n, (double[]){0, 0, 0}), ARGAND_FORMAT,
          "normalised 40 %");
    FAILS(argand_k_unit_find(&unit, (double[]){.99, .99, 0}, n, (double[]){240, 240, 0}), ARGAND_FORMAT,
          "if they go from -1 to 1 between the edges of k-space, halve them");
    assert_string_equal(argand_k_unit_name(ARGAND_K_RADIANS), "rad/pixel");
}

/* A navigator of few cycles, in an encoding of its own, says nothing and has the unit of the image. */
static void an_unclear_encoding_has_the_unit_of_the_others(void **state)
{
    (void)state;
    build b = build_small();
    b.xml = XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), "") XML_ENCODING(XML_SPACE(64, 64, 1), ""));
    set_radial(&b, 2, 4);
    b.rows[4].head.encoding_space_ref = 1;
    argand_scan *scan = read_built(&b, NULL);
    assert_int_equal(scan->encodings[1].k_unit, ARGAND_K_CYCLES);
    NEAR(scan->acquisitions[4].k[0][0], -4, 0);
    has_note(scan, "The trajectory of encoding 1 reaches only kx = 4 of 32");
    argand_scan_destroy(scan);
}

/* One position in a hundred does not make normalised ones cycles; it is refused by its place. */
static void stray_positions_decide_no_unit(void **state)
{
    (void)state;
    build b = build_small();
    argand_scan *scan;
    for (int line = 0; line < BUILD_ROWS; line++) {
        build_shape(&b.rows[line], 16, BUILD_CHANNELS, 2);
        memset(b.rows[line].data.p, 0, b.rows[line].data.len * sizeof(float));
        for (int i = 0; i < 16; i++) ((float *)b.rows[line].traj.p)[2 * i] = (float)(i - 8) / 16;
    }
    ((float *)b.rows[2].traj.p)[6] = 3.5f;
    build_write(&b, path);
    build_free(&b);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "acquisition 2, sample 3: kx is 28");
}

/* Two columns in a stack: kz from the partition; three in a slice: no kz (ismrmrd issue 160). */
static void dimensions(void **state)
{
    (void)state;
    build b = build_small();
    set_radial(&b, 2, 4);
    b.xml = XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 5),
                                    "<encodingLimits><kspace_encoding_step_2><center>1</center>"
                                    "</kspace_encoding_step_2></encodingLimits>"));
    b.rows[3].head.idx.kspace_encode_step_2 = 3;
    argand_scan *scan = read_built(&b, NULL);
    NEAR(scan->acquisitions[3].k[2][7], 2, 0);
    NEAR(scan->acquisitions[0].k[2][7], -1, 0);
    has_note(scan, "kz is computed from the partition counter");
    argand_scan_destroy(scan);

    b = build_small();
    set_radial(&b, 3, 4);
    for (int i = 0; i < BUILD_SAMPLES; i++) ((float *)b.rows[0].traj.p)[3 * i + 2] = 0.3f;
    scan = read_built(&b, NULL);
    NEAR(scan->acquisitions[0].k[2][7], 0, 0);
    has_note(scan, "third column is left out");
    argand_scan_destroy(scan);
}

/* Each contrast has its echo. */
static void echoes(void **state)
{
    (void)state;
    build b = build_small();
    b.xml = XML_HEADER(XML_ENCODING(
        XML_SPACE(8, 6, 1),
        XML_CARTESIAN) "<sequenceParameters><TR>500</TR><TE>4.5</TE><TE>9.5</TE></sequenceParameters>");
    b.rows[1].head.idx.contrast = 1;
    b.rows[2].head.idx.contrast = 9;
    argand_scan *scan = read_built(&b, NULL);
    assert_int_equal(scan->echo_count, 2);
    NEAR(scan->repetition_time, 0.5, 1e-15);
    NEAR(scan->acquisitions[0].t[4], 4.5e-3, 1e-9);
    NEAR(scan->acquisitions[1].t[4], 9.5e-3, 1e-9);
    NEAR(scan->acquisitions[2].t[4], 4.5e-3, 1e-9);
    argand_scan_destroy(scan);
    OK(argand_scan_read(&scan, path, &(argand_scan_options){.time_from_echo = true}));
    NEAR(scan->acquisitions[1].t[4], 0, 1e-9); /* half a step of float at 9.5 ms */
    NEAR(scan->acquisitions[1].t[6], 8e-6, 1e-9);
    argand_scan_destroy(scan);
}

static void several_encodings(void **state)
{
    (void)state;
    build b = build_small();
    b.xml = XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), XML_CARTESIAN) XML_ENCODING(
        XML_SPACE(10, 12, 1), XML_CARTESIAN "<encodingLimits><kspace_encoding_step_1><center>2</center>"
                                            "</kspace_encoding_step_1></encodingLimits>"));
    b.rows[4].head.encoding_space_ref = 1;
    argand_scan *scan = read_built(&b, NULL);
    assert_int_equal(scan->encoding_count, 2);
    assert_int_equal(scan->encodings[1].matrix[1], 12);
    assert_int_equal(scan->acquisitions[4].encoding, 1);
    NEAR(scan->acquisitions[4].k[1][0], 2, 0);
    NEAR(scan->acquisitions[5].k[1][0], 2, 0);
    argand_scan_destroy(scan);
}

static void add_kinds(hid_t group)
{
    const hsize_t dims[] = {2, 3, 2};
    const hid_t pair = ismrmrd_type_complex(H5T_NATIVE_DOUBLE), truth = H5Tenum_create(H5T_NATIVE_INT8);
    H5Tenum_insert(truth, "FALSE", &(int8_t){0});
    H5Tenum_insert(truth, "TRUE", &(int8_t){1});
    build_array(group, "a_double", H5T_NATIVE_DOUBLE, 3, dims, (double[12]){0.1, 1, 2, 3, 4, NAN});
    build_array(group, "b_short", H5T_NATIVE_INT16, 3, dims, (int16_t[12]){-7, 1, 2, 3, 4, 32767});
    build_array(group, "c_long", H5T_NATIVE_INT64, 3, dims, (int64_t[12]){INT64_C(1) << 40, 1});
    build_array(group, "d_complex", pair, 3, dims, (double[24]){0.1, -0.1, 2, 3});
    build_array(group, "e_vector", H5T_NATIVE_FLOAT, 1, dims + 1, (float[3]){1, 2, 3});
    build_array(group, "f_truth", truth, 1, dims, (int8_t[2]){0, 1});
    build_array(group, "g_big_endian", H5T_IEEE_F32BE, 1, dims,
                (unsigned char[8]){0x3f, 0x80, 0, 0, 0x40, 0, 0, 0});
    H5Gclose(H5Gcreate2(group, "h_group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Lcreate_external("/etc/passwd", "/", group, "i_elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Tclose(truth);
    H5Tclose(pair);
}

static void arrays(void **state)
{
    (void)state;
    build b = build_small();
    b.more = add_kinds;
    argand_scan *scan = read_built(&b, NULL);
    static const struct {
        const char *name;
        argand_type type;
        int rank;
        double first;
    } expected[] = {{"a_double", ARGAND_R64, 2, 0.1},
                    {"b_short", ARGAND_R32, 2, -7},
                    {"c_long", ARGAND_R64, 2, 1099511627776.0},
                    {"d_complex", ARGAND_C64, 2, 0.1},
                    {"e_vector", ARGAND_R32, 1, 1},
                    {"f_truth", ARGAND_R32, 1, 0},
                    {"g_big_endian", ARGAND_R32, 1, 1}};
    assert_int_equal(scan->array_count, 7);
    for (size_t i = 0; i < 7; i++) {
        const argand_scan_array *a = argand_scan_find(scan, expected[i].name);
        assert_non_null(a);
        assert_int_equal(a->type, expected[i].type);
        assert_int_equal(a->rank, expected[i].rank);
        assert_int_equal(a->dims[0], a->rank == 2 ? 2 : i == 4 ? 3 : 2);
        if (a->rank == 2) assert_int_equal(a->dims[1], 3);
        const double first =
            a->type == ARGAND_R32 ? (double)*(const float *)a->data : *(const double *)a->data;
        NEAR(first, expected[i].first, 0);
    }
    NEAR(((const float *)argand_scan_find(scan, "f_truth")->data)[1], 1, 0);
    NEAR(((const double *)argand_scan_find(scan, "d_complex")->data)[1], -0.1, 0);
    has_note(scan, "a_double holds 2 copies");
    has_note(scan, "a_double: 1 of its numbers are not finite");
    has_note(scan, "h_group is left out");
    has_note(scan, "i_elsewhere is left out");
    argand_scan_destroy(scan);
}

/* As forge writes: FieldMap {y, x}, SENSEMap one vector, y fastest; the value of voxel (x, y) is 10 x + y. */
static void add_y_fastest(hid_t group)
{
    float map[8][6], coils[3][8][6];
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 6; y++) {
            map[x][y] = (float)(10 * x + y);
            for (int c = 0; c < 3; c++) coils[c][x][y] = (float)(1000 * c + 10 * x + y);
        }
    build_array(group, "FieldMap", H5T_NATIVE_FLOAT, 3, (hsize_t[]){1, 8, 6}, map);
    build_array(group, "SENSEMap", H5T_NATIVE_FLOAT, 2, (hsize_t[]){1, 144}, coils);
    build_array(group, "Other", H5T_NATIVE_FLOAT, 2, (hsize_t[]){1, 144}, coils);
}

static void y_fastest(void **state)
{
    (void)state;
    build b = build_small();
    b.more = add_y_fastest;
    argand_scan *scan = read_built(&b, &(argand_scan_options){.y_fastest = true});
    const argand_scan_array *map = argand_scan_find(scan, "FieldMap"),
                            *coils = argand_scan_find(scan, "SENSEMap");
    assert_int_equal(map->rank, 2);
    assert_int_equal(map->dims[0], 8);
    assert_int_equal(map->dims[1], 6);
    assert_int_equal(coils->rank, 4);
    assert_int_equal(coils->dims[0], 8);
    assert_int_equal(coils->dims[3], 3);
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 6; y++) {
            NEAR(((const float *)map->data)[x + 8 * y], 10 * x + y, 0);
            NEAR(((const float *)coils->data)[x + 8 * (y + 6 * 2)], 2000 + 10 * x + y, 0);
        }
    assert_int_equal(argand_scan_find(scan, "Other")->rank, 1);
    has_note(scan, "FieldMap is turned from y fastest");
    has_note(scan, "Other is not turned");
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {
    TEST(plain),
    TEST(flags),
    TEST(each_flag),
    TEST(surface_coil),
    TEST(discard_and_reverse),
    TEST(reversed_trajectory),
    TEST(units),
    TEST(units_by_their_reach),
    TEST(an_unclear_encoding_has_the_unit_of_the_others),
    TEST(stray_positions_decide_no_unit),
    TEST(echoes),
    TEST(several_encodings),
    TEST(dimensions),
    TEST(arrays),
    TEST(y_fastest),
};
RUN_TESTS(tests)
