/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices that were excited together, as headers of several versions say it. */
#include "scan_case.h"

#define BANDS(inside)                                                                                  \
    "<parallelImaging><accelerationFactor><kspace_encoding_step_1>2</kspace_encoding_step_1>"          \
    "<kspace_encoding_step_2>1</kspace_encoding_step_2></accelerationFactor><calibrationMode>separate" \
    "</calibrationMode>" inside "</parallelImaging>"

/* Each spelling of "multiband", and kz counted from the partitions. */
static void bands(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        int count, calibration;
        double spacing;
    } said[] = {
        {XML_CARTESIAN BANDS("<multiband><spacing><dZ>30</dZ><dZ>30</dZ></spacing><deltaKz>0.01</deltaKz>"
                             "<multiband_factor>3</multiband_factor><calibration>other</calibration>"
                             "<calibration_encoding>1</calibration_encoding></multiband>"),
         3, 1, 30},
        {XML_CARTESIAN "<multiband><spacing>20.5</spacing><spacing>20.5</spacing><phaseShift/>"
                       "<calibration_encoding>0</calibration_encoding></multiband>",
         3, 0, 20.5},
        {XML_CARTESIAN BANDS(""), 1, -1, 0},
    };
    for (size_t i = 0; i < 3; i++) {
        char xml[2000];
        build b = build_small();
        snprintf(xml, sizeof xml, XML_HEADER(XML_ENCODING(XML_SPACE(8, 6, 1), "%s")), said[i].xml);
        b.xml = xml;
        for (int line = 0; line < BUILD_ROWS && i < 2; line++)
            b.rows[line].head.idx.kspace_encode_step_2 = (uint16_t)(line % 3);
        argand_scan *scan = read_built(&b, NULL), *again;
        const argand_encoding *e = scan->encodings;
        assert_int_equal(e->bands.count, said[i].count);
        assert_int_equal(e->bands.calibration_encoding, said[i].calibration);
        NEAR(e->bands.spacing, said[i].spacing, 0);
        assert_int_equal(e->acceleration[0], i == 1 ? 0 : 2);
        assert_string_equal(e->calibration_mode, i == 1 ? "" : "separate");
        for (int line = 0; line < BUILD_ROWS; line++)
            NEAR(scan->acquisitions[line].k[2][3], i < 2 ? line % 3 - 1 : 0, 0);
        OK(argand_scan_write(scan, path));
        OK(argand_scan_read(&again, path, NULL));
        assert_int_equal(again->encodings->bands.count, said[i].count);
        NEAR(again->encodings->bands.spacing, said[i].spacing, 0);
        for (int line = 0; line < BUILD_ROWS; line++)
            NEAR(again->acquisitions[line].k[2][3], i < 2 ? line % 3 - 1 : 0, 0);
        argand_scan_destroy(again);
        argand_scan_destroy(scan);
    }
}

static void bands_by_option(void **state)
{
    (void)state;
    build b = build_small();
    argand_scan *scan;
    b.rows[2].head.idx.kspace_encode_step_2 = 3;
    scan = read_built(&b, &(argand_scan_options){.bands = 4});
    assert_int_equal(scan->encodings->bands.count, 4);
    NEAR(scan->acquisitions[2].k[2][0], 1, 0);
    NEAR(scan->acquisitions[1].k[2][0], -2, 0);
    argand_scan_destroy(scan);
    FAILS(argand_scan_read(&scan, path, NULL), ARGAND_FORMAT, "acquisition 2, sample 0: kz is 3");
    FAILS(argand_scan_read(&scan, path, &(argand_scan_options){.bands = 65}), ARGAND_ARGUMENT,
          "65 simultaneous slices: give 1 to 64");
}

/* What a sequence left in the header, without a multiband element: a hint, no more. */
static void bands_hint(void **state)
{
    (void)state;
    build b = build_small();
    b.xml = XML_HEADER(XML_ENCODING(
        XML_SPACE(8, 6, 1),
        XML_CARTESIAN) "<userParameters><userParameterLong><name>lMultiBandFactor</name><value>4</value>"
                       "</userParameterLong></userParameters>");
    argand_scan *scan = read_built(&b, NULL);
    has_note(scan,
             "parameter lMultiBandFactor is 4: if as many slices were excited together, say so (--bands 4)");
    assert_int_equal(scan->encodings[0].bands.count, 1);
    argand_scan_destroy(scan);
    OK(argand_scan_read(&scan, path, &(argand_scan_options){.bands = 1}));
    assert_null(strstr(scan->notes, "lMultiBandFactor"));
    argand_scan_destroy(scan);
}

static const struct CMUnitTest tests[] = {TEST(bands), TEST(bands_by_option), TEST(bands_hint)};

RUN_TESTS(tests)
