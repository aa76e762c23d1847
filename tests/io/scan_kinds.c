/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file holds besides one encoding's images: noise, navigators, calibration, phase correction, several
 * encodings, missing limits, simultaneous slices, parameters of the sequence; read, reported, written
 * again. */
#include "scan_case.h"

/* Rows 0 and 2 noise (3 and 5 samples), 1 navigator, 3 calibration, 4 phase correction, 5 image and
 * calibration. */
static build build_kinds(void)
{
    build b = build_small();
    build_shape(&b.rows[0], 3, BUILD_CHANNELS, 0);
    build_shape(&b.rows[2], 5, BUILD_CHANNELS, 0);
    b.rows[0].head.flags = b.rows[2].head.flags = ARGAND_FLAG_NOISE;
    b.rows[0].head.sample_time_us = b.rows[2].head.sample_time_us = 2.5f;
    b.rows[1].head.flags = ARGAND_FLAG_NAVIGATION;
    b.rows[1].head.acquisition_time_stamp = 4711;
    b.rows[1].head.user_int[7] = -3;
    b.rows[1].head.user_float[2] = 0.25f;
    b.rows[3].head.flags = ARGAND_FLAG_CALIBRATION;
    b.rows[4].head.flags = ARGAND_FLAG_PHASE_CORRECTION | ARGAND_FLAG_REVERSE;
    b.rows[5].head.flags = ARGAND_FLAG_CALIBRATION_AND_IMAGING;
    return b;
}

static void check_kinds(const argand_scan *scan)
{
    assert_int_equal(scan->acquisition_count, 1);
    assert_int_equal(scan->noise_count, 2);
    assert_int_equal(scan->navigator_count, 1);
    assert_int_equal(scan->calibration_count, 1);
    assert_int_equal(scan->correction_count, 1);
    assert_int_equal(scan->other_count, 0);
    assert_null(scan->noise[0].k[0]);
    assert_int_equal(scan->noise[1].samples, 5);
    NEAR(scan->noise[1].data[9], 209, 0); /* the first channel's last sample */
    NEAR(scan->noise[1].sample_time, 2.5e-6, 1e-12);
    assert_int_equal(scan->navigators[0].time_stamp, 4711);
    assert_int_equal(scan->navigators[0].user_int[7], -3);
    NEAR(scan->navigators[0].user_float[2], 0.25, 0);
    NEAR(scan->navigators[0].k[1][3], 1 - 3, 0);
    NEAR(scan->calibrations[0].data[0], 300, 0);
    NEAR(scan->corrections[0].data[0], 400 + 14, 0); /* reversed */
    NEAR(scan->acquisitions[0].data[0], 500, 0);
}

static void kinds(void **state)
{
    (void)state;
    build b = build_kinds();
    argand_scan *scan = read_built(&b, NULL), *again;
    check_kinds(scan);
    assert_int_equal(scan->noise[1].row, 2);
    assert_int_equal(scan->acquisitions[0].row, 5);
    has_note(scan, "2 noise acquisitions are set aside");
    has_note(scan, "1 phase correction acquisition is set aside");
    OK(argand_scan_write(scan, path));
    OK(argand_scan_read(&again, path, NULL));
    check_kinds(again);
    argand_scan_destroy(again);
    argand_scan_destroy(scan);
}

static void noise(void **state)
{
    (void)state;
    build b = build_kinds();
    argand_scan *scan = read_built(&b, NULL);
    argand_array *samples;
    double step, values[2 * 8 * BUILD_CHANNELS];
    float numbers[2 * 8 * BUILD_CHANNELS];
    OK(argand_scan_noise(&samples, &step, scan, device));
    assert_int_equal(argand_array_dim(samples, 0), 8);
    assert_int_equal(argand_array_dim(samples, 1), BUILD_CHANNELS);
    NEAR(step, 2.5e-6, 1e-12);
    OK(argand_array_download(samples, numbers));
    for (int c = 0; c < BUILD_CHANNELS; c++)
        for (int i = 0; i < 16; i++) values[16 * c + i] = i < 6 ? 6 * c + i : 200 + 10 * c + i - 6;
    for (int i = 0; i < 32; i++) NEAR(numbers[i], values[i], 0);
    argand_array_destroy(samples);
    argand_scan_destroy(scan);

    b = build_kinds();
    b.rows[2].head.sample_time_us = 5;
    scan = read_built(&b, NULL);
    FAILS(argand_scan_noise(&samples, NULL, scan, device), ARGAND_FORMAT,
          "noise acquisition 1 has 5 us between its samples, the first one 2.5 us");
    argand_scan_destroy(scan);
    b = build_small();
    scan = read_built(&b, NULL);
    FAILS(argand_scan_noise(&samples, NULL, scan, device), ARGAND_FORMAT, "has no noise acquisitions");
    argand_scan_destroy(scan);
}

/* A noise scan of its own is read only where that is asked for. */
static void noise_alone(void **state)
{
    (void)state;
    build b = build_small();
    argand_scan *scan, *again;
    for (int i = 0; i < BUILD_ROWS; i++) b.rows[i].head.flags = ARGAND_FLAG_NOISE;
    b.xml = XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), "<trajectory>spiral</trajectory>"));
    scan = read_built(&b, &(argand_scan_options){.no_images = true});
    assert_int_equal(scan->acquisition_count, 0);
    assert_int_equal(scan->noise_count, 6);
    assert_int_equal(scan->channels, BUILD_CHANNELS);
    OK(argand_scan_write(scan, path));
    OK(argand_scan_read(&again, path, &(argand_scan_options){.no_images = true}));
    assert_int_equal(again->noise_count, 6);
    FAILS(argand_scan_write(&(argand_scan){.encoding_count = 1, .encodings = scan->encodings}, path),
          ARGAND_ARGUMENT, "needs acquisitions");
    argand_scan_destroy(again);
    argand_scan_destroy(scan);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "none of the 6 acquisitions is for an image");
}

/* What is set aside does not stand in the way of the images, whatever is wrong with it. */
static void useless(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "acquisition 1 has no samples", "acquisition 2 promises 0.96 MB of samples",
        "acquisition 3, sample 0: kx is -996", "acquisition 4 refers to encoding 9"};
    build b = build_kinds();
    ((float *)b.rows[0].data.p)[3] = INFINITY;
    b.rows[1].head.number_of_samples = 0;
    b.rows[2].head.number_of_samples = 60000;
    b.rows[3].head.center_sample = 996;
    b.rows[4].head.encoding_space_ref = 9;
    argand_scan *scan = read_built(&b, NULL);
    assert_int_equal(scan->acquisition_count, 1);
    NEAR(scan->acquisitions[0].data[0], 500, 0);
    assert_int_equal(
        scan->noise_count + scan->navigator_count + scan->calibration_count + scan->correction_count, 0);
    assert_int_equal(scan->other_count, 5);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        has_note(scan, wrong[i]); /* the first of each kind is reported */
    argand_scan_destroy(scan);

    b = build_kinds();
    ((float *)b.rows[0].data.p)[3] = INFINITY;
    scan = read_built(&b, NULL);
    assert_int_equal(scan->noise_count, 1);
    assert_int_equal(scan->noise[0].samples, 5);
    has_note(scan, "acquisition 0, sample 1, channel 0: the imaginary part is inf");
    argand_scan_destroy(scan);
}

/* Encodings of their own sizes, units, depth and lines; the second has fewer samples. */
static void encodings(void **state)
{
    (void)state;
    build b = build_small();
    b.xml = XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), XML_CARTESIAN)
                           XML_ENCODING(XML_SPACE(20, 20, 1), "<trajectory>spiral</trajectory>"));
    for (int line = 3; line < 6; line++) { /* normalised */
        build_shape(&b.rows[line], 5, BUILD_CHANNELS, 2);
        memset(b.rows[line].data.p, 0, b.rows[line].data.len * sizeof(float));
        for (int i = 0; i < 5; i++) ((float *)b.rows[line].traj.p)[2 * i] = 0.1f * (float)i;
        b.rows[line].head.encoding_space_ref = 1;
        b.rows[line].head.idx.repetition = (uint16_t)(line + 1);
    }
    argand_scan *scan = read_built(&b, NULL);
    argand_coverage c;
    assert_int_equal(scan->encodings[0].k_unit, ARGAND_K_CYCLES);
    assert_int_equal(scan->encodings[1].k_unit, ARGAND_K_NORMALISED);
    assert_int_equal(scan->acquisitions[3].samples, 5);
    NEAR(scan->acquisitions[4].k[0][3], 6, 1e-6);
    NEAR(scan->acquisitions[1].k[0][3], -1, 0);
    assert_true(scan->encodings[1].limits.derived);
    assert_int_equal(scan->encodings[1].limits.repetition.lowest, 4);
    assert_int_equal(scan->encodings[1].limits.repetition.highest, 6);
    assert_int_equal(scan->encodings[0].limits.shot.highest, 2);
    has_note(scan, "The trajectory of encoding 1 is taken as normalised");
    has_note(scan, "no encodingLimits: the counters' ranges are those");
    argand_scan_cover(scan, 1, &c);
    assert_int_equal(c.acquisitions, 3);
    assert_int_equal(c.most_samples, 5);
    NEAR(c.high[0], 8, 1e-6);
    NEAR(c.partial[0], 1, 0); /* a spiral is never partial Fourier */
    argand_scan_destroy(scan);
}

#define LIMIT(name, low, high, centre) \
    "<" name "><minimum>" #low "</minimum><maximum>" #high "</maximum><center>" #centre "</center></" name ">"

/* Lines 1 to 5 of 12 whose centre is 2, and an echo 3 samples early: partial Fourier along x and y. */
static void partial(void **state)
{
    (void)state;
    build b = build_small();
    argand_coverage c;
    b.xml = XML_HEADER(XML_ENCODING(XML_SPACE(14, 12, 1),
                                    XML_CARTESIAN "<encodingLimits>" LIMIT("kspace_encoding_step_1", 0, 4, 1)
                                        LIMIT("slice", 0, 0, 0) "</encodingLimits>"));
    for (int line = 0; line < BUILD_ROWS; line++) b.rows[line].head.center_sample = 1;
    b.rows[2].head.flags = b.rows[1].head.flags = ARGAND_FLAG_CALIBRATION_AND_IMAGING;
    argand_scan *scan = read_built(&b, NULL);
    argand_scan_cover(scan, 0, &c);
    assert_int_equal(c.acquisitions, 6);
    assert_int_equal(c.calibrating, 2);
    NEAR(c.low[0], -1, 0);
    NEAR(c.high[0], 6, 0);
    NEAR(c.symmetric[0], 1, 0);
    NEAR(c.partial[0], 8.0 / 14, 1e-15);
    NEAR(c.low[1], -1, 0);
    NEAR(c.high[1], 4, 0);
    NEAR(c.partial[1], 6.0 / 12, 1e-15);
    NEAR(c.partial[2], 1, 0);
    NEAR(c.calibration_low[1], 0, 0);
    NEAR(c.calibration_high[1], 1, 0);
    assert_int_equal(scan->encodings[0].limits.shot.highest, 4);
    assert_int_equal(scan->encodings[0].limits.average.highest, 0); /* counted */
    assert_false(scan->encodings[0].limits.derived);
    has_note(scan, "Encoding 0: the header limits kspace_encoding_step_1 to 4, but acquisitions reach 5");
    argand_scan_destroy(scan);
}

/* A complete even grid is not partial, nor is one with every second line. */
static void complete(void **state)
{
    (void)state;
    build b = build_small();
    argand_coverage c;
    argand_scan *scan = read_built(&b, NULL);
    argand_scan_cover(scan, 0, &c);
    for (int d = 0; d < 3; d++) NEAR(c.partial[d], 1, 0);
    argand_scan_destroy(scan);
    b = build_small();
    b.xml = XML_HEADER(XML_ENCODING(XML_SPACE(8, 12, 1), XML_CARTESIAN));
    for (int line = 0; line < BUILD_ROWS; line++)
        b.rows[line].head.idx.kspace_encode_step_1 = (uint16_t)(2 * line);
    scan = read_built(&b, NULL);
    argand_scan_cover(scan, 0, &c);
    NEAR(c.partial[1], 1, 0);
    argand_scan_destroy(scan);
}

static void parameters(void **state)
{
    (void)state;
    build b = build_small();
    argand_scan *scan, *again;
    b.xml = XML_HEADER(
        "<measurementInformation><patientPosition>HFS</patientPosition><protocolName>a &amp; "
        "b</protocolName></measurementInformation><acquisitionSystemInformation>"
        "<relativeReceiverNoiseBandwidth>0.793</relativeReceiverNoiseBandwidth>"
        "</acquisitionSystemInformation>" XML_ENCODING(
            XML_SPACE(8, 6, 1),
            XML_CARTESIAN) "<sequenceParameters><TR>500</TR><TI>900</TI><flipAngle_deg>77</flipAngle_deg>"
                           "<echo_spacing>0.6</echo_spacing></sequenceParameters><userParameters>"
                           "<userParameterLong><name/><value>3</value></userParameterLong>"
                           "<userParameterLong><name>EmbeddedRefLinesE1</name><value>24</value></"
                           "userParameterLong>"
                           "<userParameterDouble><name>MaxwellCoefficient_0</name><value>0.5</value></"
                           "userParameterDouble>"
                           "<userParameterString><name> s "
                           "</name><value/></userParameterString></userParameters>");
    scan = read_built(&b, NULL);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(argand_scan_parameter(scan, "EmbeddedRefLinesE1"), "24");
        assert_string_equal(argand_scan_parameter(scan, "MaxwellCoefficient_0"), "0.5");
        assert_string_equal(argand_scan_parameter(scan, "s"), "");
        assert_null(argand_scan_parameter(scan, "t"));
        assert_int_equal(scan->parameters[0].kind, ARGAND_PARAMETER_LONG);
        assert_string_equal(scan->protocol, "a & b");
        assert_string_equal(scan->patient_position, "HFS");
        NEAR(scan->inversion_time, 0.9, 1e-15);
        NEAR(scan->flip_angle, 77, 0);
        NEAR(scan->echo_spacing, 0.6e-3, 1e-18);
        NEAR(scan->noise_bandwidth, 0.793, 0);
        OK(argand_scan_write(scan, path));
        OK(argand_scan_read(&again, path, NULL));
        argand_scan_destroy(scan);
        scan = again;
    }
    assert_int_equal(scan->parameter_count, 4); /* and arrayOrder, once; not the nameless one */
    argand_scan_destroy(scan);
}

/* A vector of the second encoding's size, and planes of it that are transposed. */
static void add_second_maps(hid_t group)
{
    float vector[20 * 10] = {0}, plane[20][10];
    for (int x = 0; x < 20; x++)
        for (int y = 0; y < 10; y++) plane[x][y] = (float)(100 * x + y);
    build_array(group, "Mask", H5T_NATIVE_FLOAT, 2, (hsize_t[]){1, 200}, vector);
    build_array(group, "FieldMap", H5T_NATIVE_FLOAT, 3, (hsize_t[]){1, 20, 10}, plane);
}

static void maps_of_second(void **state)
{
    (void)state;
    build b = build_small();
    b.xml = XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), XML_CARTESIAN)
                           XML_ENCODING(XML_SPACE(20, 10, 1), XML_CARTESIAN));
    b.more = add_second_maps;
    argand_scan *scan = read_built(&b, &(argand_scan_options){.y_fastest = true});
    const argand_scan_array *mask = argand_scan_find(scan, "Mask"), *map = argand_scan_find(scan, "FieldMap");
    assert_int_equal(mask->dims[0], 20);
    assert_int_equal(mask->dims[1], 10);
    assert_int_equal(map->dims[0], 20);
    NEAR(((const float *)map->data)[3 + 20 * 7], 307, 0);
    argand_scan_destroy(scan);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *message;
    } wrong[] = {
        {XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1),
                                 "<encodingLimits><slice><maximum>70000</maximum></slice></encodingLimits>")),
         "slice/maximum is 70000; it must be a whole number"},
        {XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1),
                                 "<multiband><multiband_factor>1000</multiband_factor></multiband>")),
         "multiband/multiband_factor is 1000; it must be a whole number from 0 to 64"},
        {XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1),
                                 "<parallelImaging><accelerationFactor><kspace_encoding_step_1>two"
                                 "</kspace_encoding_step_1></accelerationFactor></parallelImaging>")),
         "kspace_encoding_step_1 is \"two\", not a number"},
    };
    argand_scan *scan;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        build b = build_small();
        b.xml = wrong[i].xml;
        build_write(&b, path);
        build_free(&b);
        FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, wrong[i].message);
    }
}

static void refused_writing(void **state)
{
    (void)state;
    build b = build_kinds();
    argand_scan *scan = read_built(&b, NULL), s;
    argand_acquisition a[2];
    const argand_parameter p = {ARGAND_PARAMETER_LONG, "", "1"};
    argand_encoding e = scan->encodings[0];
#define REFUSED(message, change)                                      \
    do {                                                              \
        s = *scan;                                                    \
        s.encodings = &e;                                             \
        memcpy(a, scan->noise, sizeof a);                             \
        change;                                                       \
        FAILS(argand_scan_write(&s, path), ARGAND_ARGUMENT, message); \
    } while (0)
    REFUSED("noise acquisition 1 has 3 channels, the first one has 2", a[1].channels = 3; s.noise = a);
    REFUSED("noise acquisition 0 has no data", a[0].data = NULL; s.noise = a);
    REFUSED("navigators is NULL, but there are to be 1", s.navigators = NULL);
    REFUSED("acquisition 0 is among the image data, but has the flag", s.acquisitions = scan->noise);
    REFUSED("acquisition 0 is among the image data, but has the flag", s.acquisitions = scan->calibrations);
    REFUSED("user parameter 0 needs a name", s.parameters = &p; s.parameter_count = 1);
    REFUSED("parameters is NULL", s.parameters = NULL; s.parameter_count = 1);
    REFUSED("-2 simultaneous slices", e.bands.count = -2);
    argand_scan_destroy(scan);
}

/* Every allocation of reading all kinds fails once. */
static void no_memory(void **state)
{
    (void)state;
    build b = build_kinds();
    argand_scan *scan = NULL;
    argand_status status = ARGAND_MEMORY;
    build_write(&b, path);
    build_free(&b);
    for (long n = 1; status != ARGAND_OK; n++) {
        argand_test_fail_allocation(n);
        status = argand_scan_read(&scan, path, NULL);
        argand_test_fail_allocation(0);
        if (status != ARGAND_OK) assert_int_equal(status, ARGAND_MEMORY);
    }
    check_kinds(scan);
    argand_scan_destroy(scan);
}

/* philips_to_ismrmrd writes this TR, and steps with a sign in counters of 16 bits. */
static void signed_steps(void **state)
{
    (void)state;
    build b = build_small();
    argand_scan *scan;
    b.xml = XML_HEADER(XML_ENCODING(
        XML_SPACE(8, 6, 1), XML_CARTESIAN) "<sequenceParameters><TR>ETH</TR><TE>3</TE></sequenceParameters>");
    for (hsize_t i = 0; i < b.count; i++)
        b.rows[i].head.idx.kspace_encode_step_1 = (uint16_t)(b.rows[i].head.idx.kspace_encode_step_1 - 3);
    scan = read_built(&b, NULL);
    assert_non_null(strstr(scan->notes, "TR is \"ETH\", not a number: it counts as unknown"));
    assert_non_null(strstr(scan->notes, "kspace_encoding_step_1 is stored with a sign, from -3 to"));
    NEAR(scan->repetition_time, 0, 0);
    NEAR(scan->echo_time, 3e-3, 1e-15);
    assert_int_equal(scan->encodings[0].step1_centre, 3);
    for (int64_t i = 0; i < scan->acquisition_count; i++)
        NEAR(scan->acquisitions[i].k[1][0], scan->acquisitions[i].counters.shot - 3, 0);
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {
    TEST(kinds),           TEST(signed_steps),   TEST(noise),     TEST(noise_alone), TEST(useless),
    TEST(encodings),       TEST(partial),        TEST(complete),  TEST(parameters),  TEST(refusals),
    TEST(refused_writing), TEST(maps_of_second), TEST(no_memory),
};
RUN_TESTS(tests)
