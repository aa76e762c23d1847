/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan that was read and is written again: what its header says beyond argand_scan is kept, what the scan
 * says anew goes before it, and what was true of another machine is not kept. */
#include "harness.h"
#include "scan_build.h"
#include "scan_file.h"

#define SYSTEM(field)                                                                                    \
    "<acquisitionSystemInformation><systemVendor>Maker</systemVendor><systemModel>M 3</systemModel>"     \
    "<systemFieldStrength_T>" field "</systemFieldStrength_T><receiverChannels>2</receiverChannels>"     \
    "<coilLabel><coilNumber>0</coilNumber><coilName>H1</coilName></coilLabel><institutionName>Here"      \
    "</institutionName></acquisitionSystemInformation><experimentalConditions><H1resonanceFrequency_Hz>" \
    "63500001</H1resonanceFrequency_Hz></experimentalConditions>"
#define SEQUENCE                                                                            \
    "<sequenceParameters><TR>10</TR><TR>20</TR><TE>3</TE><flipAngle_deg>10</flipAngle_deg>" \
    "<flipAngle_deg>40</flipAngle_deg><sequence_type>gre</sequence_type></sequenceParameters>"
#define SUBJECT "<subjectInformation><patientID>7 &amp; 8</patientID></subjectInformation>"
#define INSIDE                                                                                          \
    SUBJECT SYSTEM("1.5")                                                                               \
        XML_ENCODING(XML_SPACE(8, 6, 1), XML_CARTESIAN "<echoTrainLength>3</echoTrainLength>") SEQUENCE \
        "<v:tree xmlns:v=\"urn:v\" v:a=\"1\"><v:leaf>x</v:leaf></v:tree>"

/* A copy of the scan as it came, to be changed. */
static argand_scan *read_with(const char *xml)
{
    argand_scan *scan;
    build b = build_small();
    b.xml = xml;
    build_write(&b, path);
    build_free(&b);
    OK(argand_scan_read(&scan, path, NULL));
    return scan;
}

static argand_scan *write_and_read(const argand_scan *scan)
{
    argand_scan *again;
    OK(argand_scan_write(scan, path));
    OK(argand_scan_read(&again, path, NULL));
    return again;
}

#define HAS(scan, message) assert_non_null(strstr((scan)->header, message))
#define LACKS(scan, message) assert_null(strstr((scan)->header, message))

static void unchanged(void **state)
{
    (void)state;
    argand_scan *first = read_with(XML_HEADER(INSIDE)), *again = write_and_read(first);
    static const char *const kept[] = {"<patientID>7 &amp; 8</patientID>",
                                       "<systemVendor>Maker</systemVendor>",
                                       "<systemModel>M 3</systemModel>",
                                       "<coilName>H1</coilName>",
                                       "<institutionName>Here</institutionName>",
                                       "<H1resonanceFrequency_Hz>63500001<",
                                       "<echoTrainLength>3<",
                                       "<TR>10</TR>",
                                       "<TR>20</TR>",
                                       "<flipAngle_deg>40<",
                                       "<sequence_type>gre<",
                                       "<v:tree xmlns:v=\"urn:v\" v:a=\"1\">",
                                       "<v:leaf>x</v:leaf>"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) HAS(again, kept[i]);
    assert_string_equal(first->system, again->system);
    argand_scan *third = write_and_read(again);
    assert_string_equal(third->header, again->header);
    argand_scan_destroy(third);
    argand_scan_destroy(again);
    argand_scan_destroy(first);
}

/* The caller's own values are never undone by the header that the scan came with. */
static void changed(void **state)
{
    (void)state;
    argand_scan *first = read_with(XML_HEADER(INSIDE)), scan = *first;
    const double echo = 5e-3;
    scan.system = "Another";
    scan.field_strength = 3;
    scan.repetition_time = 0.5;
    scan.flip_angle = 0;
    scan.echo_times = &echo;
    scan.patient_position = "FFS";
    argand_scan *again = write_and_read(&scan);
    HAS(again, "<systemVendor>Another<");
    HAS(again, "<systemFieldStrength_T>3<");
    HAS(again, "<TR>500</TR>");
    HAS(again, "<TE>5</TE>");
    HAS(again, "<patientPosition>FFS<");
    LACKS(again, "systemModel");
    LACKS(again, "63500001");
    LACKS(again, "<TR>20</TR>");
    LACKS(again, "<TE>3</TE>");
    LACKS(again, "flipAngle_deg");
    HAS(again, "<institutionName>Here<");
    HAS(again, "<sequence_type>gre<");
    argand_scan_destroy(again);
    argand_scan_destroy(first);
}

/* Labels of channels that are no more. */
static void fewer_channels(void **state)
{
    (void)state;
    argand_scan *first = read_with(XML_HEADER(INSIDE)), scan = *first;
    argand_acquisition one[BUILD_ROWS];
    memcpy(one, first->acquisitions, sizeof one);
    for (int i = 0; i < BUILD_ROWS; i++) one[i].channels = 1;
    scan.acquisitions = one;
    scan.channels = 1;
    argand_scan *again = write_and_read(&scan);
    LACKS(again, "coilLabel");
    HAS(again, "<receiverChannels>1<");
    HAS(again, "<institutionName>Here<");
    argand_scan_destroy(again);
    argand_scan_destroy(first);
}

static void without_header(void **state)
{
    (void)state;
    argand_scan *first = read_with(XML_HEADER(INSIDE)), scan = *first;
    scan.header = NULL;
    argand_scan *again = write_and_read(&scan);
    LACKS(again, "patientID");
    LACKS(again, "Here");
    argand_scan_destroy(again);
    argand_scan_destroy(first);
}

/* Elements without the format's namespace get it: readers that ask for it find them. */
static void without_namespace(void **state)
{
    (void)state;
    argand_scan *first = read_with("<ismrmrdHeader>" INSIDE "</ismrmrdHeader>");
    argand_scan *again = write_and_read(first);
    HAS(again, "<ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\"");
    HAS(again, "<subjectInformation>\n");
    LACKS(again, "xmlns=\"\"");
    argand_scan_destroy(again);
    argand_scan_destroy(first);
}

/* MRIReco writes a capital; some writers leave elements empty. */
static void loosely_written(void **state)
{
    (void)state;
    argand_scan *scan = read_with(XML_HEADER(XML_ENCODING(
        XML_SPACE(8, 6, 1), "<trajectory>Cartesian</trajectory>") "<sequenceParameters><TE></TE><TE>7</TE>"
                                                                  "</sequenceParameters>"));
    assert_string_equal(scan->encodings[0].trajectory, "cartesian");
    assert_int_equal(scan->echo_count, 1);
    assert_true(scan->echo_time == 7e-3);
    assert_non_null(strstr(scan->notes, "an echo time (TE) without a value"));
    argand_scan_destroy(scan);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *header, *message;
    } bad[] = {{"nothing", "not well-formed"},
               {"<html/>", "<html>, not <ismrmrdHeader>"},
               {"<!DOCTYPE a [<!ENTITY b \"c\">]><ismrmrdHeader>&b;</ismrmrdHeader>", "document type"}};
    argand_scan *first = read_with(XML_SMALL), scan = *first;
    unlink(path);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scan.header = bad[i].header;
        FAILS(argand_scan_write(&scan, path), ARGAND_FORMAT, bad[i].message);
        FAILS(argand_scan_write(&scan, path), ARGAND_FORMAT, "argand_scan.header (NULL where there is none)");
        assert_int_not_equal(access(path, F_OK), 0);
    }
    argand_scan_destroy(first);
}

static const struct CMUnitTest tests[] = {
    TEST(unchanged),         TEST(changed),         TEST(fewer_channels), TEST(without_header),
    TEST(without_namespace), TEST(loosely_written), TEST(refused)};
RUN_TESTS(tests)
