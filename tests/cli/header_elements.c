/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of a scan's header by the names of their elements. */
#include "harness.h"
#undef TRY /* the tool has its own */
#include "output/output.h"

static const char header[] =
    "<?xml version=\"1.0\"?>\n<m:ismrmrdHeader xmlns:m=\"x\">\n"
    "<!-- <systemVendor>commented out</systemVendor> <b -->\n"
    "<m:systemVendor>\n  Smith &amp; Sons &lt;1&gt;\t</m:systemVendor><systemModel/>\n"
    "<xsystemModel>no</xsystemModel><TIme>3</TIme><TI "
    "unit='ms'>250.5</TI><flipAngle_deg>wide</flipAngle_deg>\n"
    "</m:ismrmrdHeader>";
static const argand_scan scan = {.header = header};

static void elements(void **state)
{
    (void)state;
    char found[64], cut[6];
    assert_true(scan_element(&scan, "systemVendor", found, sizeof found));
    assert_string_equal(found, "Smith & Sons <1>");
    assert_true(scan_element(&scan, "systemVendor", cut, sizeof cut));
    assert_string_equal(cut, "Smith");
    assert_false(scan_element(&scan, "systemModel", found, sizeof found));
    assert_string_equal(found, "");
    assert_false(scan_element(&scan, "institutionName", found, sizeof found));
    assert_false(scan_element(&(argand_scan){0}, "systemVendor", found, sizeof found));
    assert_false(
        scan_element(&(argand_scan){.header = "<systemVendor"}, "systemVendor", found, sizeof found));
    assert_false(
        scan_element(&(argand_scan){.header = "<!-- <systemVendor>"}, "systemVendor", found, sizeof found));
}

static void numbers(void **state)
{
    (void)state;
    double number = 0;
    assert_true(scan_number(&scan, "TI", &number));
    assert_true(number == 250.5);
    assert_false(scan_number(&scan, "flipAngle_deg", &number));
    assert_false(scan_number(&scan, "TE", &number));
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(elements), cmocka_unit_test(numbers)};
RUN_TESTS(tests)
