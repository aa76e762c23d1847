/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes ISMRMRD's header (XML) of the header of MRD 2. Both have the same elements in the same order;
 * version 2 spells some names otherwise. */
#include <ctype.h>
#include <math.h>

#include "base/plain.h"
#include "io/ismrmrd/write.h"
#include "io/mrd2/mrd2.h"

enum { LONGEST = 16384 };

/* Names that differ; others are the same. */
static const char *const names[][2] = {
    {"fieldOfViewMm", "fieldOfView_mm"},
    {"systemFieldStrengthT", "systemFieldStrength_T"},
    {"h1resonanceFrequencyHz", "H1resonanceFrequency_Hz"},
    {"patientWeightKg", "patientWeight_kg"},
    {"patientHeightM", "patientHeight_m"},
    {"kspaceEncodingStep0", "kspace_encoding_step_0"},
    {"kspaceEncodingStep1", "kspace_encoding_step_1"},
    {"kspaceEncodingStep2", "kspace_encoding_step_2"},
    {"tR", "TR"},
    {"tE", "TE"},
    {"tI", "TI"},
    {"flipAngleDeg", "flipAngle_deg"},
    {"sequenceType", "sequence_type"},
    {"echoSpacing", "echo_spacing"},
    {"multibandFactor", "multiband_factor"},
    {"calibrationEncoding", "calibration_encoding"},
};

static const char *element_of(char own[8], const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i][0], name)) return names[i][1];
    if (strncmp(name, "user", 4) || name[4] < '0' || name[4] > '7' || name[5]) return name;
    plain_print(own, 8, "user_%c", name[4]);
    return own;
}

/* Returns true if a name is one of XML's that cannot do harm in a text. */
static bool is_element(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return isalpha((unsigned char)name[0]) && strlen(name) < 64;
}

/* ---- values */

/* Writes days since 1970 as a date of the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date
 * algorithms"). */
static void print_date(char *chars, size_t size, int64_t days)
{
    const int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097,
                  day = shifted - era * 146097, year = (day - day / 1460 + day / 36524 - day / 146096) / 365,
                  of_year = day - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    plain_print(chars, size, "%04d-%02d-%02d", (int)(year + era * 400 + (month >= 10)),
                (int)(month < 10 ? month + 3 : month - 9), (int)(of_year - (153 * month + 2) / 5 + 1));
}

static void print_time(char *chars, size_t size, double nanoseconds)
{
    const int64_t all = (int64_t)(nanoseconds / 1e9);
    plain_print(chars, size, "%02d:%02d:%02d", (int)(all / 3600), (int)(all / 60 % 60), (int)(all % 60));
}

/* Finds the name of an enumeration's value. The symbols of positions and genders begin with a small letter
 * where ISMRMRD has a capital one. */
static void print_symbol(char *chars, size_t size, const mrd2_type *type, double number, const char *element)
{
    const bool capital = !strcmp(element, "patientPosition") || !strcmp(element, "patientGender");
    for (const json_node *n = type->symbols->child; n; n = n->next) {
        const json_node *symbol = json_member(n, "symbol"), *value = json_member(n, "value");
        char *end;
        if (!symbol || !value || plain_number(value->chars, &end) != number) continue;
        plain_print(chars, size, "%.60s", symbol->chars);
        if (capital) chars[0] = (char)toupper((unsigned char)chars[0]);
        return;
    }
    plain_print(chars, size, "%.0f", number);
}

static argand_status print_number(char *chars, size_t size, mrd2_file *f, const mrd2_type *type,
                                  const char *element)
{
    double number;
    TRY(mrd2_take_number(&number, f, type));
    if (type->symbols)
        print_symbol(chars, size, type, number, element);
    else if (!strcmp(type->name, "date") && fabs(number) < 1e6)
        print_date(chars, size, (int64_t)number);
    else if (!strcmp(type->name, "time") && number >= 0 && number < 1e14)
        print_time(chars, size, number);
    else
        plain_print(chars, size, "%.*g", type->size == 4 ? 9 : 17, number);
    return ARGAND_OK;
}

/* ---- elements */

static argand_status add(text *xml, mrd2_file *f, const mrd2_type *type, const char *element, int depth);

static argand_status add_value(text *xml, mrd2_file *f, const mrd2_type *type, const char *element)
{
    char value[LONGEST];
    if (type->kind == MRD2_STRING)
        TRY(mrd2_take_string(value, sizeof value, f));
    else
        TRY(print_number(value, sizeof value, f, type, element));
    text_add(xml, "<%s>", element);
    scan_header_content(xml, value);
    text_add(xml, "</%s>", element);
    return ARGAND_OK;
}

static argand_status add_record(text *xml, mrd2_file *f, const mrd2_type *type, const char *element,
                                int depth)
{
    text_add(xml, "<%s>", element);
    for (int i = 0; i < type->part_count; i++) {
        char own[8];
        const char *name = element_of(own, type->parts[i].name);
        TRY(is_element(name) ? add(xml, f, type->parts[i].type, name, depth)
                             : mrd2_skip(f, type->parts[i].type, depth));
    }
    text_add(xml, "</%s>\n", element);
    return ARGAND_OK;
}

static argand_status add_vector(text *xml, mrd2_file *f, const mrd2_type *type, const char *element,
                                int depth)
{
    uint64_t count;
    TRY(mrd2_take_length(&count, f, type));
    for (uint64_t i = 0; i < count; i++) TRY(add(xml, f, type->item, element, depth));
    return ARGAND_OK;
}

static argand_status add(text *xml, mrd2_file *f, const mrd2_type *type, const char *element, int depth)
{
    const mrd2_part *chosen;
    CHECK(++depth < MRD2_DEEPEST, ARGAND_FORMAT, "%s: its header is nested too deep", f->path);
    TRY(xml->status);
    switch (type->kind) {
    case MRD2_UNION:
        TRY(mrd2_take_case(&chosen, f, &type));
        return type ? add(xml, f, type, element, depth) : ARGAND_OK;
    case MRD2_RECORD:
        return add_record(xml, f, type, element, depth);
    case MRD2_VECTOR:
        return add_vector(xml, f, type, element, depth);
    case MRD2_ARRAY:
    case MRD2_MAP:
    case MRD2_STREAM:
        return mrd2_skip(f, type, depth);
    default:
        return add_value(xml, f, type, element);
    }
}

argand_status mrd2_take_header(text *xml, mrd2_file *f, const mrd2_type *type)
{
    const mrd2_part *chosen;
    text_add(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    TRY(mrd2_take_case(&chosen, f, &type));
    CHECK(type && type->kind == MRD2_RECORD, ARGAND_FORMAT,
          "%s: has no header, so that the matrix is unknown: write it with its header", f->path);
    TRY(add_record(xml, f, type, "ismrmrdHeader", 0));
    return xml->status;
}
