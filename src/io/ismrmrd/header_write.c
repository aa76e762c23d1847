/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the XML header of a scan in the order that the schema (ismrmrd.xsd) requires. */
#include "io/ismrmrd/write.h"

#include <libxml/xmlstring.h>
#include <math.h>
#include <string.h>
#include "base/plain.h"

/* Writes the shortest decimal whose product with `unit` reads back as exactly this value: 4.6 ms, not
 * 4.5999999999999996. */
static void add_number(text *xml, const char *name, double value, double unit)
{
    char digits[40];
    for (int precision = 6; precision <= 17; precision++) {
        plain_print(digits, sizeof digits, "%.*g", precision, value / unit);
        if (plain_number(digits, NULL) * unit == value) break;
    }
    text_add(xml, "<%s>%s</%s>", name, digits, name);
}

void scan_header_content(text *xml, const char *content)
{
    const bool utf8 = xmlCheckUTF8((const xmlChar *)content);
    for (const unsigned char *c = (const unsigned char *)content; *c; c++)
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

static void add_limit(text *xml, const char *name, argand_limit limit, int centre)
{
    text_add(xml, "   <%s><minimum>%d</minimum><maximum>%d</maximum><center>%d</center></%s>\n", name,
             limit.lowest, limit.highest, centre, name);
}

static void grow(argand_limit *limit, bool first, int value)
{
    if (first || value < limit->lowest) limit->lowest = value;
    if (first || value > limit->highest) limit->highest = value;
}

static argand_limits count_limits(const argand_scan *scan, int encoding)
{
    argand_limits l = {.derived = true};
    bool first = true;
    for (int64_t i = 0; i < scan->acquisition_count; i++) {
        const argand_counters *c = &scan->acquisitions[i].counters;
        if (scan->acquisitions[i].encoding != encoding) continue;
        grow(&l.shot, first, c->shot);
        grow(&l.partition, first, c->partition);
        grow(&l.average, first, c->average);
        grow(&l.slice, first, c->slice);
        grow(&l.contrast, first, c->contrast);
        grow(&l.phase, first, c->phase);
        grow(&l.repetition, first, c->repetition);
        grow(&l.set, first, c->set);
        grow(&l.segment, first, c->segment);
        first = false;
    }
    return l;
}

static void add_limits(text *xml, const argand_scan *scan, int encoding)
{
    const argand_encoding *e = &scan->encodings[encoding];
    const argand_limits l = count_limits(scan, encoding);
    text_add(xml, "  <encodingLimits>\n");
    if (e->step1_centre >= 0) add_limit(xml, "kspace_encoding_step_1", l.shot, e->step1_centre);
    if (e->step2_centre >= 0) add_limit(xml, "kspace_encoding_step_2", l.partition, e->step2_centre);
    add_limit(xml, "average", l.average, 0);
    add_limit(xml, "slice", l.slice, 0);
    add_limit(xml, "contrast", l.contrast, 0);
    add_limit(xml, "phase", l.phase, 0);
    add_limit(xml, "repetition", l.repetition, 0);
    add_limit(xml, "set", l.set, 0);
    add_limit(xml, "segment", l.segment, 0);
    text_add(xml, "  </encodingLimits>\n");
}

/* Writes simultaneous slices as libismrmrd 1.14 does: a list of gaps between bands, the step of k_z
 * between shifts. */
static void add_multiband(text *xml, const argand_bands *bands)
{
    if (bands->count < 2) return;
    text_add(xml, "   <multiband>\n    <spacing>");
    for (int i = 1; i < bands->count; i++) add_number(xml, "dZ", bands->spacing, 1);
    text_add(xml, "</spacing>\n    ");
    add_number(xml, "deltaKz", bands->spacing > 0 ? 1 / (bands->count * bands->spacing) : 0, 1);
    text_add(xml,
             "\n    <multiband_factor>%d</multiband_factor>\n    <calibration>other</calibration>\n"
             "    <calibration_encoding>%d</calibration_encoding>\n   </multiband>\n",
             bands->count, bands->calibration_encoding > 0 ? bands->calibration_encoding : 0);
}

static void add_parallel(text *xml, const argand_encoding *e)
{
    if (!e->acceleration[0] && e->bands.count < 2) return;
    text_add(xml,
             "  <parallelImaging>\n   <accelerationFactor><kspace_encoding_step_1>%d</kspace_encoding_step_1>"
             "<kspace_encoding_step_2>%d</kspace_encoding_step_2></accelerationFactor>\n",
             e->acceleration[0] > 0 ? e->acceleration[0] : 1,
             e->acceleration[1] > 0 ? e->acceleration[1] : 1);
    if (*e->calibration_mode) {
        text_add(xml, "   <calibrationMode>");
        scan_header_content(xml, e->calibration_mode);
        text_add(xml, "</calibrationMode>\n");
    }
    add_multiband(xml, &e->bands);
    text_add(xml, "  </parallelImaging>\n");
}

/* Returns the value that the schema allows. */
static const char *trajectory_value(const char *trajectory)
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
             "  </trajectoryDescription>\n",
             trajectory_value(e->trajectory));
    add_parallel(xml, e);
    text_add(xml, " </encoding>\n");
}

static void add_system(text *xml, const argand_scan *scan)
{
    text_add(xml, " <acquisitionSystemInformation>\n");
    if (scan->system && *scan->system) {
        text_add(xml, "  <systemVendor>");
        scan_header_content(xml, scan->system);
        text_add(xml, "</systemVendor>\n");
    }
    if (scan->field_strength > 0) {
        text_add(xml, "  ");
        add_number(xml, "systemFieldStrength_T", scan->field_strength, 1);
        text_add(xml, "\n");
    }
    if (scan->noise_bandwidth > 0) {
        text_add(xml, "  ");
        add_number(xml, "relativeReceiverNoiseBandwidth", scan->noise_bandwidth, 1);
        text_add(xml, "\n");
    }
    text_add(xml, "  <receiverChannels>%d</receiverChannels>\n </acquisitionSystemInformation>\n",
             scan_written_at(scan, scan_written_count(scan) - 1).acquisition->channels);
}

static void add_measurement(text *xml, const argand_scan *scan)
{
    if (!scan->patient_position || !*scan->patient_position) return;
    text_add(xml, " <measurementInformation>\n  <patientPosition>");
    scan_header_content(xml, scan->patient_position);
    text_add(xml, "</patientPosition>\n");
    if (scan->protocol && *scan->protocol) {
        text_add(xml, "  <protocolName>");
        scan_header_content(xml, scan->protocol);
        text_add(xml, "</protocolName>\n");
    }
    text_add(xml, " </measurementInformation>\n");
}

static const char array_order[] = "arrayOrder"; /* a user parameter of Argand */

static void add_parameters(text *xml, const argand_scan *scan)
{
    static const char *const kinds[] = {"Long", "Double", "String", "Base64"};
    text_add(xml, " <userParameters>\n");
    for (int kind = 0; kind < 4; kind++) {
        if (kind == ARGAND_PARAMETER_STRING)
            text_add(xml,
                     "  <userParameterString><name>%s</name><value>x fastest, then y, z, coil</value>"
                     "</userParameterString>\n",
                     array_order);
        for (int i = 0; i < scan->parameter_count; i++) {
            const argand_parameter *p = &scan->parameters[i];
            if ((int)p->kind != kind || !strcmp(p->name, array_order)) continue;
            text_add(xml, "  <userParameter%s><name>", kinds[kind]);
            scan_header_content(xml, p->name);
            text_add(xml, "</name><value>");
            scan_header_content(xml, p->value);
            text_add(xml, "</value></userParameter%s>\n", kinds[kind]);
        }
    }
    text_add(xml, " </userParameters>\n");
}

static void add_sequence(text *xml, const argand_scan *scan)
{
    text_add(xml, " <sequenceParameters>\n");
    if (scan->repetition_time > 0) add_number(xml, "TR", scan->repetition_time, 1e-3);
    for (int i = 0; i < scan->echo_count; i++) add_number(xml, "TE", scan->echo_times[i], 1e-3);
    if (!scan->echo_count && scan->echo_time > 0) add_number(xml, "TE", scan->echo_time, 1e-3);
    if (scan->inversion_time > 0) add_number(xml, "TI", scan->inversion_time, 1e-3);
    if (scan->flip_angle > 0) add_number(xml, "flipAngle_deg", scan->flip_angle, 1);
    if (scan->echo_spacing > 0) add_number(xml, "echo_spacing", scan->echo_spacing, 1e-3);
    text_add(xml, "\n </sequenceParameters>\n");
}

void scan_header_text(text *xml, const argand_scan *scan)
{
    const double protons = 42577478.518; /* Hz per tesla (CODATA 2018); the schema requires the element */
    text_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\" "
                  "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                  "xsi:schemaLocation=\"http://www.ismrm.org/ISMRMRD ismrmrd.xsd\">\n");
    add_measurement(xml, scan);
    add_system(xml, scan);
    text_add(xml,
             " <experimentalConditions>\n  <H1resonanceFrequency_Hz>%.0f</H1resonanceFrequency_Hz>\n"
             " </experimentalConditions>\n",
             protons * scan->field_strength);
    for (int i = 0; i < scan->encoding_count; i++) add_encoding(xml, scan, i);
    add_sequence(xml, scan);
    add_parameters(xml, scan);
    text_add(xml, "</ismrmrdHeader>\n");
}
