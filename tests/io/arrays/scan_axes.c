/* SPDX-License-Identifier: BSD-3-Clause */
/* Images of Siemens scanners run against the directions in the acquisitions, unless k is stored or a sequence
 * gives it, or Pulseq's interpreter played the sequence. */
#include "harness.h"
#include "scan_case.h"

static void reversed_axes(void **state)
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
        for (int line = 0; line < BUILD_ROWS && stored; line++) {
            build_shape(&b.rows[line], BUILD_SAMPLES, BUILD_CHANNELS, 2);
            for (int x = 0; x < BUILD_SAMPLES; x++) {
                ((float *)b.rows[line].traj.p)[2 * x] = (float)(x - 4);
                ((float *)b.rows[line].traj.p)[2 * x + 1] = (float)(line - 3);
            }
        }
        argand_scan *scan = read_built(&b, &(argand_scan_options){.no_trajectory = later});
        assert_int_equal(scan->reversed_axes, i == 0);
        assert_int_equal(strstr(scan->notes, "run against the directions") != NULL, i == 0);
        argand_scan_destroy(scan);
    }
}

static const struct CMUnitTest tests[] = {TEST(reversed_axes)};
RUN_TESTS(tests)
