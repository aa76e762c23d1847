/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes ISMRMRD's header from the protocol of a twix measurement and from its lines. Which value becomes
 * which element is what the parameter maps of siemens_to_ismrmrd say; the ranges and centres of the
 * counters are those of the lines. */
#include "io/twix/twix.h"

#include <math.h>
#include "base/plain.h"
#include "io/ismrmrd/write.h"

/* A value in each of the three directions. */
typedef struct triple {
    double x, y, z;
} triple;

typedef struct geometry {
    triple matrix, view, recon_matrix, recon_view;
    int centre_line, centre_partition;
    bool removed; /* the readout's oversampling was removed before the file was written */
    bool fitted;  /* matrix and centre are those of the lines: the protocol does not describe them */
} geometry;

static void add_number(text *xml, const char *name, double value)
{
    char digits[40];
    plain_print(digits, sizeof digits, "%.10g", value);
    text_add(xml, "<%s>%s</%s>", name, digits, name);
}

static void add_text(text *xml, const char *name, const char *content)
{
    text_add(xml, "<%s>", name);
    scan_header_content(xml, content);
    text_add(xml, "</%s>", name);
}

/* Adds a value of XProtocol, if it is there. */
static void add_meas(text *xml, const twix_protocol *p, const char *element, const char *name)
{
    char value[TWIX_VALUE];
    if (twix_meas(value, p, name)) add_text(xml, element, value);
}

/* ---- what was measured, and by what */

static void add_measurement(text *xml, const twix_protocol *p)
{
    char value[TWIX_VALUE];
    text_add(xml, "<measurementInformation>");
    add_text(xml, "patientPosition", twix_meas(value, p, "tPatientPosition") ? value : "");
    if (twix_yaps(value, p, "tProtocolName")) add_text(xml, "protocolName", value);
    add_meas(xml, p, "frameOfReferenceUID", "tFrameOfReference");
    text_add(xml, "</measurementInformation>\n");
}

static void add_system(text *xml, const twix_protocol *p, int channels)
{
    const double noise_bandwidth = 0.793; /* as siemens_to_ismrmrd states it for all systems */
    const double field = twix_meas_number(p, "flMagneticFieldStrength", 0);
    char value[TWIX_VALUE];
    text_add(xml, "<acquisitionSystemInformation>");
    add_text(xml, "systemVendor", twix_meas(value, p, "Manufacturer") ? value : "SIEMENS");
    add_meas(xml, p, "systemModel", "ManufacturersModelName");
    if (field > 0) add_number(xml, "systemFieldStrength_T", field);
    add_number(xml, "relativeReceiverNoiseBandwidth", noise_bandwidth);
    add_number(xml, "receiverChannels", channels);
    for (int i = 0; i < p->coil_count && p->coil_count == channels; i++) {
        text_add(xml, "<coilLabel><coilNumber>%d</coilNumber>", i);
        add_text(xml, "coilName", p->coils[i].name);
        text_add(xml, "</coilLabel>");
    }
    add_meas(xml, p, "institutionName", "InstitutionName");
    text_add(xml, "</acquisitionSystemInformation>\n");
}

static void add_conditions(text *xml, const twix_protocol *p)
{
    const double protons = 42577478.518; /* Hz per tesla (CODATA 2018) */
    const double field = twix_meas_number(p, "flMagneticFieldStrength", 0);
    text_add(xml, "<experimentalConditions>");
    add_number(xml, "H1resonanceFrequency_Hz", round(twix_meas_number(p, "lFrequency", protons * field)));
    text_add(xml, "</experimentalConditions>\n");
}

/* ---- the encoding */

/* Returns a number above 0 of ASCCONV, else that of XProtocol, else `otherwise`. */
static double positive(const twix_protocol *p, const char *yaps, const char *meas, double otherwise)
{
    const double first = yaps ? twix_yaps_number(p, yaps, 0) : 0;
    const double second = meas && !(first > 0) ? twix_meas_number(p, meas, 0) : 0;
    return first > 0 ? first : second > 0 ? second : otherwise;
}

static bool is_cartesian(const twix_protocol *p)
{
    return twix_yaps_number(p, "sKSpace.ucTrajectory", 1) == 1;
}

bool twix_has_ramps(const twix_protocol *p)
{
    return twix_meas_number(p, "alRegridRampupTime", 0) > 0 &&
           twix_meas_number(p, "alRegridRampdownTime", 0) > 0;
}

const ismrmrd_head *twix_first_image(const scan_reader *reader)
{
    for (hsize_t i = 0; i < reader->row_count; i++)
        if (scan_purpose_of(&reader->heads[i]) == SCAN_IMAGE) return &reader->heads[i];
    return reader->heads;
}

/* Returns the factor of the readout's oversampling in the file. */
static double oversampling(geometry *g, const scan_reader *reader, const twix_protocol *p, double columns)
{
    const double factor = positive(p, NULL, "flReadoutOSFactor", 2);
    const ismrmrd_head *line = twix_first_image(reader);
    if (!is_cartesian(p)) return 1;
    g->removed = factor > 1 && !twix_has_ramps(p) && line->number_of_samples == columns &&
                 line->center_sample <= columns / 2 && 2 * line->center_sample >= columns - 1;
    return g->removed ? 1 : factor;
}

/* Pulseq's interpreter plays a sequence that the protocol does not describe: lines are counted one after the
 * other, unless the sequence has labels, and no line is the centre. */
static bool is_pulseq(const twix_protocol *p)
{
    char value[TWIX_VALUE];
    return twix_yaps(value, p, "tSequenceFileName") && strcasestr(value, "pulseq");
}

/* Returns the number of steps that the counters of image lines reach. */
static int steps_of(const scan_reader *reader, size_t counter)
{
    int most = 0;
    for (hsize_t i = 0; i < reader->row_count; i++) {
        uint16_t value;
        if (scan_purpose_of(&reader->heads[i]) != SCAN_IMAGE) continue;
        memcpy(&value, (const char *)&reader->heads[i].idx + counter, sizeof value);
        most = value > most ? value : most;
    }
    return most + 1;
}

/* Takes matrix and centre from the lines of a Pulseq scan, as far as they lie outside of the protocol's. */
static void fit_lines(geometry *g, const scan_reader *reader)
{
    const double samples = twix_first_image(reader)->number_of_samples,
                 lines = steps_of(reader, offsetof(ismrmrd_counters, kspace_encode_step_1)),
                 partitions = steps_of(reader, offsetof(ismrmrd_counters, kspace_encode_step_2));
    const triple before = g->matrix;
    if (samples > g->matrix.x) g->matrix.x = samples;
    if (!g->centre_line && lines > 1) {
        g->matrix.y = lines;
        g->centre_line = (int)(lines / 2);
    }
    if (!g->centre_partition) {
        g->matrix.z = partitions;
        g->centre_partition = (int)(partitions / 2);
    }
    g->fitted = before.x != g->matrix.x || before.y != g->matrix.y || before.z != g->matrix.z ||
                twix_first_image(reader)->idx.user[5] != g->centre_line;
    if (g->fitted) g->recon_matrix = g->matrix;
}

static geometry find_geometry(const scan_reader *reader, const twix_protocol *p)
{
    const ismrmrd_counters *first = &twix_first_image(reader)->idx;
    geometry g = {.centre_line = first->user[5], .centre_partition = first->user[6]};
    const double columns = twix_yaps_number(p, "sKSpace.lBaseResolution", 0);
    const double lines = twix_yaps_number(p, "sKSpace.lPhaseEncodingLines", columns);
    const bool volume = twix_yaps_number(p, "sKSpace.ucDimension", 2) == 4;
    const double partitions = volume ? twix_yaps_number(p, "sKSpace.lPartitions", 1) : 1;
    const double halved = twix_yaps_number(p, "sKSpace.uc2DInterpolation", 0) == 1 ? 2 : 1;
    const double factor = oversampling(&g, reader, p, columns);
    g.recon_view = (triple){twix_yaps_number(p, "sSliceArray.asSlice[0].dReadoutFOV", 0),
                            twix_yaps_number(p, "sSliceArray.asSlice[0].dPhaseFOV", 0),
                            twix_yaps_number(p, "sSliceArray.asSlice[0].dThickness", 0)};
    const double more_lines = positive(p, "sKSpace.dPhaseOversamplingForDialog", "phaseOversampling", 0),
                 more_partitions = positive(p, "sKSpace.dSliceOversamplingForDialog", NULL, 0);
    g.view = (triple){g.recon_view.x * factor, g.recon_view.y * (1 + more_lines),
                      g.recon_view.z * (volume ? 1 + more_partitions : 1)};
    g.matrix = (triple){columns * factor, floor(positive(p, NULL, "iPEFTLength", lines * halved) / halved),
                        positive(p, NULL, "i3DFTLength", partitions)};
    const double square = g.recon_view.x > 0 ? columns * g.recon_view.y / g.recon_view.x : lines;
    g.recon_matrix = (triple){positive(p, NULL, "ImageColumns", columns),
                              positive(p, NULL, "ImageLines", floor(square + 0.5)),
                              g.matrix.z > 1 ? twix_yaps_number(p, "sKSpace.lImagesPerSlab", g.matrix.z) : 1};
    if (is_pulseq(p) && !reader->options.no_trajectory) fit_lines(&g, reader);
    return g;
}

static void add_space(text *xml, const char *name, triple matrix, triple view)
{
    text_add(xml, "<%s><matrixSize>", name);
    add_number(xml, "x", matrix.x);
    add_number(xml, "y", matrix.y);
    add_number(xml, "z", matrix.z);
    text_add(xml, "</matrixSize><fieldOfView_mm>");
    add_number(xml, "x", view.x);
    add_number(xml, "y", view.y);
    add_number(xml, "z", view.z);
    text_add(xml, "</fieldOfView_mm></%s>\n", name);
}

/* Adds the range of a counter in the image data. */
static void add_limit(text *xml, const scan_reader *reader, const char *name, size_t counter, int centre)
{
    int lowest = 65535, highest = 0;
    for (hsize_t i = 0; i < reader->row_count; i++) {
        uint16_t value;
        if (scan_purpose_of(&reader->heads[i]) != SCAN_IMAGE) continue;
        memcpy(&value, (const char *)&reader->heads[i].idx + counter, sizeof value);
        if (value < lowest) lowest = value;
        if (value > highest) highest = value;
    }
    text_add(xml, "<%s><minimum>%d</minimum><maximum>%d</maximum><center>%d</center></%s>\n", name,
             lowest < highest ? lowest : highest, highest, centre, name);
}

static void add_limits(text *xml, const scan_reader *reader, const geometry *g)
{
    text_add(xml, "<encodingLimits>\n");
#define LIMIT(name, member, centre) add_limit(xml, reader, name, offsetof(ismrmrd_counters, member), centre)
    LIMIT("kspace_encoding_step_1", kspace_encode_step_1, g->centre_line);
    LIMIT("kspace_encoding_step_2", kspace_encode_step_2, g->matrix.z > 1 ? g->centre_partition : 0);
    LIMIT("average", average, 0);
    LIMIT("slice", slice, 0);
    LIMIT("contrast", contrast, 0);
    LIMIT("phase", phase, 0);
    LIMIT("repetition", repetition, 0);
    LIMIT("set", set, 0);
    LIMIT("segment", segment, 0);
#undef LIMIT
    text_add(xml, "</encodingLimits>\n");
}

static void add_long(text *xml, const char *name, double value)
{
    text_add(xml, "<userParameterLong><name>%s</name>", name);
    add_number(xml, "value", value);
    text_add(xml, "</userParameterLong>\n");
}

/* Describes the trapezoid of EPI's readout. */
static void add_readout(text *xml, const scan_reader *reader, const twix_protocol *p)
{
    static const char *const names[][2] = {
        {"rampUpTime", "alRegridRampupTime"},         {"rampDownTime", "alRegridRampdownTime"},
        {"flatTopTime", "alRegridFlattopTime"},       {"echoSpacing", "lEchoSpacing"},
        {"acqDelayTime", "alRegridDelaySamplesTime"},
    };
    const double samples = twix_first_image(reader)->number_of_samples;
    const double duration = twix_meas_number(p, "aflRegridADCDuration", 0);
    const double dwell = twix_yaps_number(p, "sRXSPEC.alDwellTime[0]", 0) * 1e-3;
    if (!twix_has_ramps(p)) return;
    text_add(xml, "<trajectoryDescription><identifier>ConventionalEPI</identifier>\n");
    add_long(xml, "etl", twix_yaps_number(p, "sFastImaging.lEPIFactor", 0));
    add_long(xml, "numberOfNavigators", twix_meas_number(p, "lNoOfPhaseCorrScans", 0));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_long(xml, names[i][0], twix_meas_number(p, names[i][1], 0));
    add_long(xml, "numSamples", samples);
    text_add(xml, "<userParameterDouble><name>dwellTime</name>");
    add_number(xml, "value", duration > 0 ? duration / samples : dwell);
    text_add(xml, "</userParameterDouble></trajectoryDescription>\n");
}

static void add_parallel(text *xml, const twix_protocol *p)
{
    static const struct {
        int mode;
        const char *name;
    } modes[] = {{2, "embedded"},     {4, "separate"},     {8, "separate"},
                 {16, "interleaved"}, {32, "interleaved"}, {64, "interleaved"}};
    const double mode = twix_yaps_number(p, "sPat.ucRefScanMode", 1);
    const char *name = "other";
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (mode == modes[i].mode) name = modes[i].name;
    text_add(xml, "<parallelImaging><accelerationFactor>");
    add_number(xml, "kspace_encoding_step_1", positive(p, "sPat.lAccelFactPE", NULL, 1));
    add_number(xml, "kspace_encoding_step_2", positive(p, "sPat.lAccelFact3D", NULL, 1));
    text_add(xml, "</accelerationFactor><calibrationMode>%s</calibrationMode></parallelImaging>\n", name);
}

/* Longer readouts and longer lists of lines than these are no lines of an image. */
enum { MOST_STEPS = 1024 };

static const char *trajectory_name(const twix_protocol *p, const geometry *g)
{
    if (g->fitted && (g->matrix.x > MOST_STEPS || g->matrix.y > MOST_STEPS)) return "other";
    const double kind = twix_yaps_number(p, "sKSpace.ucTrajectory", 1);
    if (kind == 2) return "radial";
    if (kind == 4) return "spiral";
    if (kind != 1) return "other";
    return twix_has_ramps(p) || twix_yaps_number(p, "ucSequenceType", 0) == 4 ? "epi" : "cartesian";
}

static void note_geometry(scan_reader *reader, const twix_protocol *p, const geometry *g)
{
    char name[TWIX_VALUE];
    const bool named = twix_yaps(name, p, "sWipMemBlock.tFree") || twix_yaps(name, p, "sWiPMemBlock.tFree");
    if (g->removed)
        scan_note(reader,
                  "Siemens: the lines have %.0f samples, those of the protocol without oversampling: it was "
                  "removed before the file was written.",
                  g->matrix.x);
    if (g->fitted)
        scan_note(
            reader,
            "Siemens: Pulseq played a sequence (%.80s) that the protocol does not describe. Its lines are "
            "taken as those of a Cartesian scan of %.0f x %.0f x %.0f, in the order of their counters, "
            "with the centre of k-space in the middle. argand sense --sequence FILE.seq takes the "
            "sequence's positions instead.",
            named ? name : "no name", g->matrix.x, g->matrix.y, g->matrix.z);
}

static void add_encoding(text *xml, scan_reader *reader, const twix_protocol *p)
{
    const geometry g = find_geometry(reader, p);
    text_add(xml, "<encoding>\n");
    add_space(xml, "encodedSpace", g.matrix, g.view);
    add_space(xml, "reconSpace", g.recon_matrix, g.recon_view);
    add_limits(xml, reader, &g);
    text_add(xml, "<trajectory>%s</trajectory>\n", trajectory_name(p, &g));
    add_readout(xml, reader, p);
    add_parallel(xml, p);
    text_add(xml, "</encoding>\n");
    note_geometry(reader, p, &g);
}

/* ---- the sequence */

/* Adds the values above 0 of a list of ASCCONV. */
static void add_list(text *xml, const twix_protocol *p, const char *element, const char *list, double unit,
                     int most)
{
    for (int i = 0; i < most; i++) {
        char key[64];
        plain_print(key, sizeof key, "%s[%d]", list, i);
        const double value = twix_yaps_number(p, key, 0) * unit;
        if (value > 0) add_number(xml, element, value);
    }
}

static void add_sequence(text *xml, const twix_protocol *p)
{
    enum { MOST = 128 };
    static const char *const types[] = {"Flash", "SSFP", "EPI", "TurboSpinEcho", "ChemicalShiftImaging",
                                        "FID"};
    const int type = twix_whole(twix_yaps_number(p, "ucSequenceType", 0), 0);
    const int contrasts = twix_whole(positive(p, "lContrasts", NULL, 1), 1);
    const double spacing = twix_meas_number(p, "lEchoSpacing", 0);
    text_add(xml, "<sequenceParameters>\n");
    add_list(xml, p, "TR", "alTR", 1e-3, 1);
    add_list(xml, p, "TE", "alTE", 1e-3, contrasts < MOST ? contrasts : MOST);
    add_list(xml, p, "TI", "alTI", 1e-3, 1);
    add_list(xml, p, "flipAngle_deg", "adFlipAngleDegree", 1, 1);
    for (int i = 0; i < 6; i++)
        if (type == 1 << i) add_text(xml, "sequence_type", types[i]);
    if (spacing > 0) add_number(xml, "echo_spacing", spacing * 1e-3);
    text_add(xml, "</sequenceParameters>\n");
}

/* Adds the parameters that a sequence's author defines, and those that tell how lines were measured. */
static void add_parameters(text *xml, const twix_protocol *p)
{
    enum { FREE = 64 };
    static const char *const whole[][2] = {{"lMultiBandFactor", "sSliceAcceleration.lMultiBandFactor"},
                                           {"EmbeddedRefLinesE1", "sPat.lRefLinesPE"},
                                           {"EmbeddedRefLinesE2", "sPat.lRefLines3D"}};
    char key[64], value[TWIX_VALUE];
    text_add(xml, "<userParameters>\n");
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (twix_yaps(value, p, whole[i][1])) add_long(xml, whole[i][0], twix_yaps_number(p, whole[i][1], 0));
    for (int i = 0; i < 2 * FREE; i++) {
        const char *kind = i < FREE ? "Long" : "Double", *list = i < FREE ? "alFree" : "adFree";
        plain_print(key, sizeof key, "sWipMemBlock.%s[%d]", list, i % FREE);
        if (!twix_yaps(value, p, key)) key[2] = 'P'; /* VB: sWiPMemBlock */
        if (!twix_yaps(value, p, key)) continue;
        text_add(xml, "<userParameter%s><name>sWipMemBlock.%s[%d]</name>", kind, list, i % FREE);
        add_text(xml, "value", value);
        text_add(xml, "</userParameter%s>\n", kind);
    }
    text_add(xml, "</userParameters>\n");
}

argand_status twix_make_header(scan_reader *reader, const twix_file *file)
{
    text *xml = &reader->owner->header;
    const twix_protocol *p = &file->measurements[file->image].protocol;
    reader->is_pulseq = is_pulseq(p);
    text_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\">\n");
    add_measurement(xml, p);
    add_system(xml, p, file->channels);
    add_conditions(xml, p);
    add_encoding(xml, reader, p);
    add_sequence(xml, p);
    add_parameters(xml, p);
    text_add(xml, "</ismrmrdHeader>\n");
    return xml->status;
}
