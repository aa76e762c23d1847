/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes ISMRMRD's header from the parameters of a ParaVision scan. */
#include <math.h>

#include "base/memory.h"
#include "io/bruker/bruker.h"
#include "io/ismrmrd/write.h"

static void add_text(text *xml, const char *element, const bruker_values *values, const char *name)
{
    char value[BRUKER_TEXT];
    if (!bruker_text(value, values, name)) return;
    text_add(xml, "<%s>", element);
    scan_header_content(xml, value);
    text_add(xml, "</%s>", element);
}

/* Adds the values above 0 of a list. */
static void add_list(text *xml, const char *element, const bruker_values *values, const char *name)
{
    enum { MOST = 128 };
    double numbers[MOST];
    const int64_t count = bruker_numbers(numbers, MOST, values, name);
    for (int64_t i = 0; i < count; i++)
        if (numbers[i] > 0 && isfinite(numbers[i]))
            text_add(xml, "<%s>%.10g</%s>", element, numbers[i], element);
}

static void add_position(text *xml, const bruker_scan *b)
{
    static const char *const names[][2] = {
        {"Head_Supine", "HFS"}, {"Head_Prone", "HFP"}, {"Head_Left", "HFDL"}, {"Head_Right", "HFDR"},
        {"Foot_Supine", "FFS"}, {"Foot_Prone", "FFP"}, {"Foot_Left", "FFDL"}, {"Foot_Right", "FFDR"}};
    char position[BRUKER_TEXT];
    if (!bruker_text(position, &b->acqp, "ACQ_patient_pos")) return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i][0], position))
            text_add(xml, "<patientPosition>%s</patientPosition>", names[i][1]);
}

/* Returns the frequency of a nucleus relative to protons in the same field (IUPAC 2001); 0: unknown. */
static double relative_frequency(const char *nucleus)
{
    static const struct {
        const char *name;
        double relative;
    } nuclei[] = {{"1H", 1},          {"2H", 0.15350609},  {"3He", 0.76179437}, {"7Li", 0.3886379},
                  {"13C", 0.2514502}, {"15N", 0.10136767}, {"17O", 0.13556457}, {"19F", 0.94094011},
                  {"23Na", 0.264519}, {"31P", 0.40480742}, {"39K", 0.04666373}, {"129Xe", 0.27810186}};
    for (size_t i = 0; i < sizeof nuclei / sizeof *nuclei; i++)
        if (!strcmp(nuclei[i].name, nucleus)) return nuclei[i].relative;
    return 0;
}

/* Returns the frequency of protons in the magnet's field; 0: unknown. BF1 is that of the measured nucleus. */
static double proton_frequency(const bruker_scan *b)
{
    const double measured = bruker_value(&b->acqp, "BF1", 0) * 1e6, most = 1e12;
    char nucleus[BRUKER_TEXT];
    const bool stated =
        bruker_text(nucleus, &b->acqp, "NUCLEUS") || bruker_text(nucleus, &b->method, "PVM_Nucleus1Enum");
    const double relative = stated ? relative_frequency(nucleus) : 1;
    return relative > 0 && measured > 0 && measured < most ? measured / relative : 0;
}

static void add_system(text *xml, const bruker_scan *b)
{
    const double hertz = proton_frequency(b), protons = 42577478.518;
    text_add(xml, "<measurementInformation>");
    add_position(xml, b);
    add_text(xml, "protocolName", &b->acqp, "ACQ_scan_name");
    text_add(xml,
             "</measurementInformation>\n<acquisitionSystemInformation><systemVendor>Bruker</systemVendor>");
    add_text(xml, "systemModel", &b->acqp, "ACQ_station");
    if (hertz > 0) text_add(xml, "<systemFieldStrength_T>%.10g</systemFieldStrength_T>", hertz / protons);
    text_add(xml, "<receiverChannels>%lld</receiverChannels>", (long long)b->channels);
    add_text(xml, "institutionName", &b->acqp, "ACQ_institution");
    text_add(xml,
             "</acquisitionSystemInformation>\n<experimentalConditions><H1resonanceFrequency_Hz>%.0f"
             "</H1resonanceFrequency_Hz></experimentalConditions>\n",
             hertz);
}

static void add_space(text *xml, const char *name, const int64_t matrix[3], const double view[3])
{
    text_add(xml, "<%s><matrixSize><x>%lld</x><y>%lld</y><z>%lld</z></matrixSize>", name,
             (long long)matrix[0], (long long)matrix[1], (long long)matrix[2]);
    if (view[0] > 0 && view[1] > 0)
        text_add(xml, "<fieldOfView_mm><x>%.10g</x><y>%.10g</y><z>%.10g</z></fieldOfView_mm>", view[0],
                 view[1], view[2] > 0 ? view[2] : 1.0);
    text_add(xml, "</%s>\n", name);
}

/* Adds the space of the image: without oversampling. */
static void add_image_space(text *xml, const bruker_scan *b)
{
    double matrix[3] = {0}, view[3] = {0};
    int64_t size[3];
    double lengths[3];
    bruker_numbers(matrix, 3, &b->method, "PVM_Matrix");
    bruker_numbers(view, 3, &b->method, "PVM_Fov");
    for (int d = 0; d < 3; d++) {
        const bool given = d < b->dimensions && matrix[d] >= 1 &&
                           matrix[d] <= (b->readout && d == 0 ? UINT16_MAX : (double)b->matrix[d]);
        size[d] = given ? (int64_t)matrix[d] : b->matrix[d];
        lengths[d] = given && view[d] > 0 ? view[d] : b->view[d];
    }
    add_space(xml, "reconSpace", size, lengths);
}

static void add_limit(text *xml, const char *name, int64_t most, int64_t centre)
{
    text_add(xml, "<%s><minimum>0</minimum><maximum>%lld</maximum><center>%lld</center></%s>\n", name,
             (long long)most, (long long)centre, name);
}

static void add_encoding(text *xml, const bruker_scan *b)
{
    text_add(xml, "<encoding>\n");
    add_space(xml, "encodedSpace", b->matrix, b->view);
    add_image_space(xml, b);
    text_add(xml, "<encodingLimits>\n");
    add_limit(xml, "kspace_encoding_step_1", b->trajectory ? b->trajectory_lines - 1 : b->matrix[1] - 1,
              b->trajectory ? 0 : b->centre[1]);
    add_limit(xml, "kspace_encoding_step_2", b->matrix[2] - 1, b->centre[2]);
    add_limit(xml, "slice", b->slices - 1, 0);
    add_limit(xml, "contrast", b->echoes - 1, 0);
    add_limit(xml, "repetition", b->repetitions - 1, 0);
    text_add(xml, "</encodingLimits>\n<trajectory>%s</trajectory>\n</encoding>\n",
             b->trajectory ? "other"
             : b->readout  ? "epi"
                           : "cartesian");
}

argand_status bruker_make_header(scan_reader *reader, const bruker_scan *b)
{
    text *xml = &reader->owner->header;
    text_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\">\n");
    add_system(xml, b);
    add_encoding(xml, b);
    text_add(xml, "<sequenceParameters>\n");
    add_list(xml, "TR", &b->method, "PVM_RepetitionTime");
    add_list(xml, "TE", &b->acqp, "ACQ_echo_time");
    add_list(xml, "TI", &b->acqp, "ACQ_inversion_time");
    add_list(xml, "flipAngle_deg", &b->acqp, "ACQ_flip_angle");
    add_text(xml, "sequence_type", &b->acqp, "PULPROG");
    if (b->readout) add_list(xml, "echo_spacing", &b->method, "PVM_EpiEchoSpacing");
    text_add(xml, "</sequenceParameters>\n</ismrmrdHeader>\n");
    return xml->status;
}
