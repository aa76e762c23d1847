/* SPDX-License-Identifier: BSD-3-Clause */
/* What is particular to scans of Siemens scanners. */
#include "harness.h"
#include "scan_case.h"

/* Images run against the directions in the acquisitions, unless k is stored or a sequence gives it, or if
 * Pulseq's interpreter played the sequence. */
static void directions(void **state)
{
    (void)state;
    static const char *const vendors[] = {"Siemens", "GE"}, *const protocols[] = {"t1_mprage", "Pulseq_gre"};
    for (int i = 0; i < 16; i++) {
        const bool stored = i & 4, later = i & 8;
        char xml[4096];
        build b = build_small();
        const char *rest = strstr(b.xml, "<encoding>");
        assert_non_null(rest);
        snprintf(
            xml, sizeof xml,
            "%.*s<acquisitionSystemInformation><systemVendor>%s</systemVendor>"
            "</acquisitionSystemInformation><measurementInformation><patientPosition>HFS</patientPosition>"
            "<protocolName>%s</protocolName></measurementInformation>%s",
            (int)(rest - b.xml), b.xml, vendors[i & 1], protocols[i >> 1 & 1], rest);
        b.xml = xml;
        for (int line = 0; line < BUILD_ROWS; line++)
            for (int d = 0; d < 3; d++)
                ((float *[]){b.rows[line].head.read_dir, b.rows[line].head.phase_dir,
                             b.rows[line].head.slice_dir})[d][d] = 1;
        for (int line = 0; line < BUILD_ROWS && stored; line++) {
            build_shape(&b.rows[line], BUILD_SAMPLES, BUILD_CHANNELS, 2);
            for (int x = 0; x < BUILD_SAMPLES; x++) {
                ((float *)b.rows[line].traj.p)[2 * x] = (float)(x - 4);
                ((float *)b.rows[line].traj.p)[2 * x + 1] = (float)(line - 3);
            }
        }
        argand_scan *scan = read_built(&b, &(argand_scan_options){.no_trajectory = later});
        assert_true(scan->acquisitions[0].read_dir[0] == (i == 0 ? -1 : 1));
        assert_true(scan->acquisitions[0].phase_dir[1] == (i == 0 ? -1 : 1));
        assert_true(scan->acquisitions[0].slice_dir[2] == 1);
        assert_int_equal(strstr(scan->notes, "run against the directions") != NULL, i == 0);
        argand_scan_destroy(scan);
    }
}

#define SIEMENS \
    "<acquisitionSystemInformation><systemVendor>SIEMENS</systemVendor></acquisitionSystemInformation>"
#define VOLUME(deep, image)                                                                            \
    XML_HEADER(SIEMENS "<encoding><encodedSpace>" XML_SPACE(                                           \
        8, 6, deep) "</encodedSpace><reconSpace>" XML_SPACE(8, 6, image) "</reconSpace>" XML_CARTESIAN \
                                                                         "</encoding>")

/* A volume of two partitions by its header, of which one was measured, is a slice; others are turned along
 * the third axis, too. */
static void volume(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        int partition, deep;
    } cases[] = {{VOLUME(2, 1), 0, 1}, {VOLUME(2, 1), 1, 2}, {VOLUME(2, 2), 0, 2}, {VOLUME(3, 1), 0, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        build b = build_small();
        b.xml = cases[i].xml;
        for (int line = 0; line < BUILD_ROWS; line++)
            b.rows[line].head.read_dir[0] = b.rows[line].head.slice_dir[2] = 1;
        b.rows[5].head.idx.kspace_encode_step_2 = (uint16_t)cases[i].partition;
        argand_scan *scan = read_built(&b, NULL);
        assert_int_equal(scan->encodings[0].matrix[2], cases[i].deep);
        NEAR(scan->acquisitions[0].slice_dir[2], cases[i].deep > 1 ? -1 : 1, 0);
        NEAR(scan->acquisitions[0].k[2][0], cases[i].deep > 1 ? -1 : 0, 0);
        assert_int_equal(strstr(scan->notes, "it is a slice") != NULL, cases[i].deep == 1);
        argand_scan_destroy(scan);
    }
}

/* The centre of k-space is the line that all acquisitions name, unless they name none, several, or one that
 * was not measured. */
static void centre(void **state)
{
    (void)state;
    static const struct {
        int first, others, ky;
    } cases[] = {{2, 2, -2}, {0, 0, -3}, {2, 4, -3}, {9, 9, -3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        build b = build_small();
        b.xml = XML_HEADER(SIEMENS XML_ENCODING(
            XML_SPACE(8, 8, 1),
            "<encodingLimits><kspace_encoding_step_1><minimum>0</minimum><maximum>5</maximum>"
            "<center>3</center></kspace_encoding_step_1></encodingLimits>" XML_CARTESIAN));
        for (int line = 0; line < BUILD_ROWS; line++)
            b.rows[line].head.idx.user[5] = (uint16_t)(line ? cases[i].others : cases[i].first);
        argand_scan *scan = read_built(&b, NULL);
        NEAR(scan->acquisitions[0].k[1][0], cases[i].ky, 0);
        assert_int_equal(strstr(scan->notes, "is line 2, as the acquisitions say") != NULL, i == 0);
        argand_scan_destroy(scan);
    }
}

/* A Siemens line that was read backwards has the centre of the lines that were read forward, at its place
 * after reversal. */
static void to_and_fro(void **state)
{
    (void)state;
    for (int siemens = 0; siemens < 2; siemens++) {
        build b = build_small();
        b.xml = siemens ? VOLUME(1, 1) : XML_SMALL;
        for (int line = 0; line < BUILD_ROWS; line++) b.rows[line].head.center_sample = 4;
        b.rows[1].head.flags = ismrmrd_flag(ISMRMRD_REVERSE);
        argand_scan *scan = read_built(&b, NULL);
        NEAR(scan->acquisitions[0].k[0][0], -4, 0);
        NEAR(scan->acquisitions[1].k[0][0], siemens ? -4 : -3, 0);
        argand_scan_destroy(scan);
    }
}

static const struct CMUnitTest tests[] = {TEST(directions), TEST(volume), TEST(centre), TEST(to_and_fro)};
RUN_TESTS(tests)
