/* SPDX-License-Identifier: BSD-3-Clause */
/* The XML header of a scan that is written, in the order that the format's schema (ismrmrd.xsd) asks for. */
#include "io/ismrmrd_scan.h"

#include <libxml/xmlstring.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The shortest decimal whose product with `unit` reads back as exactly this value: 4.6 ms,
 * not 4.5999999999999996. */
static void add_number(text *xml, const char *name, double value, double unit)
{
    char digits[40];
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value / unit);
        if (strtod(digits, NULL) * unit == value) break;
    }
    text_add(xml, "<%s>%s</%s>", name, digits, name);
}

static void add_words(text *xml, const char *words)
{
    const bool utf8 = xmlCheckUTF8((const xmlChar *)words);
    for (const unsigned char *c = (const unsigned char *)words; *c; c++)
        if (*c == '&' || *c == '<' || *c == '>')
            text_add(xml, "&#%d;", *c);
        else if (*c >= ' ' && (*c < 128 || utf8))
            text_add_bytes(xml, (const char *)c, 1);
}

static void add_space(text *xml, const char *name, const int64_t *matrix, const double *view)
{
    text_add(xml,
             "  <%s>\n   <matrixSize><x>%lld</x><y>%lld</y><z>%lld</z></matrixSize>\n   <fieldOfView_mm>",
             name, (long long)matrix[0], (long long)matrix[1], (long long)matrix[2]);
    add_number(xml, "x", view[0], 1);
    add_number(xml, "y", view[1], 1);
    add_number(xml, "z", view[2], 1);
    text_add(xml, "</fieldOfView_mm>\n  </%s>\n", name);
}

static void add_limit(text *xml, const char *name, int maximum, int centre)
{
    text_add(xml, "   <%s><minimum>0</minimum><maximum>%d</maximum><center>%d</center></%s>\n", name, maximum,
             centre, name);
}

static void grow(uint16_t *most, uint16_t value)
{
    if (value > *most) *most = value;
}

static argand_counters largest_counters(const argand_scan *scan, int encoding)
{
    argand_counters most = {0};
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_counters *c = &scan->acquisitions[i].counters;
        if (scan->acquisitions[i].encoding != encoding) continue;
        grow(&most.shot, c->shot);
        grow(&most.partition, c->partition);
        grow(&most.average, c->average);
        grow(&most.slice, c->slice);
        grow(&most.contrast, c->contrast);
        grow(&most.phase, c->phase);
        grow(&most.repetition, c->repetition);
        grow(&most.set, c->set);
        grow(&most.segment, c->segment);
    }
    return most;
}

static void add_limits(text *xml, const argand_scan *scan, int encoding)
{
    const argand_encoding *e = &scan->encodings[encoding];
    const argand_counters most = largest_counters(scan, encoding);
    text_add(xml, "  <encodingLimits>\n");
    if (e->step1_centre >= 0) add_limit(xml, "kspace_encoding_step_1", most.shot, e->step1_centre);
    if (e->step2_centre >= 0) add_limit(xml, "kspace_encoding_step_2", most.partition, e->step2_centre);
    add_limit(xml, "average", most.average, 0);
    add_limit(xml, "slice", most.slice, 0);
    add_limit(xml, "contrast", most.contrast, 0);
    add_limit(xml, "phase", most.phase, 0);
    add_limit(xml, "repetition", most.repetition, 0);
    add_limit(xml, "set", most.set, 0);
    add_limit(xml, "segment", most.segment, 0);
    text_add(xml, "  </encodingLimits>\n");
}

/* The schema knows these words only. */
static const char *trajectory_word(const char *trajectory)
{
    static const char *const known[] = {"cartesian", "epi", "radial", "goldenangle", "spiral"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(trajectory, known[i])) return known[i];
    return "other";
}

static void add_encoding(text *xml, const argand_scan *scan, int encoding)
{
    const argand_encoding *e = &scan->encodings[encoding];
    text_add(xml, " <encoding>\n");
    add_space(xml, "encodedSpace", e->matrix, e->field_of_view);
    add_space(xml, "reconSpace", e->recon_matrix, e->recon_field_of_view);
    add_limits(xml, scan, encoding);
    text_add(xml,
             "  <trajectory>%s</trajectory>\n  <trajectoryDescription>\n"
             "   <identifier>kxyz_cycles_per_fov_and_time_s</identifier>\n"
             "   <comment>kx, ky, kz in cycles per field of view, t in seconds</comment>\n"
             "  </trajectoryDescription>\n </encoding>\n",
             trajectory_word(e->trajectory));
}

static void add_system(text *xml, const argand_scan *scan)
{
    text_add(xml, " <acquisitionSystemInformation>\n");
    if (scan->system && *scan->system) {
        text_add(xml, "  <systemVendor>");
        add_words(xml, scan->system);
        text_add(xml, "</systemVendor>\n");
    }
    if (scan->field_strength > 0) {
        text_add(xml, "  ");
        add_number(xml, "systemFieldStrength_T", scan->field_strength, 1);
        text_add(xml, "\n");
    }
    text_add(xml, "  <receiverChannels>%d</receiverChannels>\n </acquisitionSystemInformation>\n",
             scan->acquisitions[0].channels);
}

static void add_sequence(text *xml, const argand_scan *scan)
{
    text_add(xml, " <sequenceParameters>\n");
    if (scan->repetition_time > 0) add_number(xml, "TR", scan->repetition_time, 1e-3);
    for (int i = 0; i < scan->echo_count; i++) add_number(xml, "TE", scan->echo_times[i], 1e-3);
    if (!scan->echo_count && scan->echo_time > 0) add_number(xml, "TE", scan->echo_time, 1e-3);
    text_add(xml, "\n </sequenceParameters>\n");
}

void scan_header_text(text *xml, const argand_scan *scan)
{
    const double protons = 42577478.518; /* Hz per tesla (CODATA 2018); the schema wants the element */
    text_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\" "
                  "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                  "xsi:schemaLocation=\"http://www.ismrm.org/ISMRMRD ismrmrd.xsd\">\n");
    add_system(xml, scan);
    text_add(xml,
             " <experimentalConditions>\n  <H1resonanceFrequency_Hz>%.0f</H1resonanceFrequency_Hz>\n"
             " </experimentalConditions>\n",
             protons * scan->field_strength);
    for (int i = 0; i < scan->encoding_count; i++) add_encoding(xml, scan, i);
    add_sequence(xml, scan);
    text_add(xml, " <userParameters>\n"
                  "  <userParameterString><name>arrayOrder</name><value>x fastest, then y, z, coil</value>"
                  "</userParameterString>\n </userParameters>\n</ismrmrdHeader>\n");
}
