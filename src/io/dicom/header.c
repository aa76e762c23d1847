/* SPDX-License-Identifier: BSD-3-Clause */
/* Patient, study and scanner, as the header of an ISMRMRD scan has them. */
#include "io/dicom/dicom.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/plain.h"
#include "io/ismrmrd/nodes.h"

typedef enum conversion { TEXT, DIGITS, TIME, CODE, NUMBER } conversion;

/* An attribute and the element that it comes from. If the element is missing, `otherwise` is written; NULL:
 * the attribute is left out. */
typedef struct copied_value {
    uint32_t tag;
    const char *vr, *section, *element;
    conversion as;
    const char *otherwise;
} copied_value;

static const copied_value of_patient[] = {
    {DICOM_PATIENT_NAME, "subjectInformation", "patientName", TEXT, ""},
    {DICOM_PATIENT_ID, "subjectInformation", "patientID", TEXT, ""},
    {DICOM_PATIENT_BIRTH_DATE, "subjectInformation", "patientBirthdate", DIGITS, ""},
    {DICOM_PATIENT_SEX, "subjectInformation", "patientGender", CODE, ""},
    {DICOM_PATIENT_WEIGHT, "subjectInformation", "patientWeight_kg", NUMBER, NULL},
    {DICOM_PATIENT_SIZE, "subjectInformation", "patientHeight_m", NUMBER, NULL},
    {DICOM_STUDY_DATE, "studyInformation", "studyDate", DIGITS, ""},
    {DICOM_STUDY_TIME, "studyInformation", "studyTime", TIME, ""},
    {DICOM_STUDY_ID, "studyInformation", "studyID", TEXT, ""},
    {DICOM_ACCESSION_NUMBER, "studyInformation", "accessionNumber", TEXT, ""},
    {DICOM_REFERRING_PHYSICIAN, "studyInformation", "referringPhysicianName", TEXT, ""},
    {DICOM_STUDY_DESCRIPTION, "studyInformation", "studyDescription", TEXT, NULL},
    {DICOM_BODY_PART, "studyInformation", "bodyPartExamined", CODE, NULL},
    {DICOM_SERIES_DATE, "measurementInformation", "seriesDate", DIGITS, NULL},
    {DICOM_SERIES_TIME, "measurementInformation", "seriesTime", TIME, NULL},
    {DICOM_PATIENT_POSITION, "measurementInformation", "patientPosition", CODE, ""},
    {DICOM_PROTOCOL, "measurementInformation", "protocolName", TEXT, NULL},
    {DICOM_INSTITUTION, "acquisitionSystemInformation", "institutionName", TEXT, NULL},
};

static const copied_value of_scanner[] = {
    {DICOM_MANUFACTURER, "acquisitionSystemInformation", "systemVendor", TEXT, "unknown"},
    {DICOM_MODEL, "acquisitionSystemInformation", "systemModel", TEXT, NULL},
    {DICOM_DEVICE_SERIAL, "acquisitionSystemInformation", "deviceSerialNumber", TEXT, NULL},
    {DICOM_INSTITUTION, "acquisitionSystemInformation", "institutionName", TEXT, NULL},
    {DICOM_STATION, "acquisitionSystemInformation", "stationName", TEXT, NULL},
};

/* Converts an element's text in place to a code, or to a date or time as DICOM writes them. */
static void convert(char *value, conversion as)
{
    char *to = value;
    for (const char *from = value; *from; from++) {
        unsigned char c = (unsigned char)*from;
        if (as == CODE)
            c = c < 128 && isalnum(c) ? (unsigned char)toupper(c) : c == ' ' || c == '_' ? c : ' ';
        const bool digit = isdigit(c) || (as == TIME && c == '.');
        if ((as == DIGITS || as == TIME) && !digit) {
            if (c == 'Z' || c == '+') break; /* a time zone */
            continue;
        }
        *to++ = (char)c;
    }
    *to = 0;
    if ((as == DIGITS && strlen(value) != 8) || (as == TIME && strspn(value, "0123456789") != 6)) *value = 0;
}

static void read_value(char value[DICOM_VALUE], const xmlNode *root, const char *section, const char *element,
                       conversion as)
{
    node_text(value, DICOM_VALUE, node_child(node_child(root, section), element));
    convert(value, as);
}

static void add_values(dicom_set *set, const xmlNode *root, size_t count, const copied_value *values)
{
    char value[DICOM_VALUE], *end;
    for (const copied_value *v = values; v < values + count; v++) {
        read_value(value, root, v->section, v->element, v->as);
        if (!*value && !v->otherwise) continue;
        const double number = plain_number(value, &end);
        if (v->as != NUMBER)
            dicom_text(set, v->tag, v->vr, *value ? value : v->otherwise);
        else if (end > value && !*end && number - number == 0)
            dicom_real(set, v->tag, v->vr, number);
    }
}

/* Adds the scanner as equipment that contributed. The equipment that made the image is Argand (modules.c):
 * readers apply a vendor's own conventions to images that are said to be made by its scanners. */
static void add_scanner(dicom_set *set, const xmlNode *root)
{
    dicom_set scanner = {0}, purpose = {0};
    if (!node_child(root, "acquisitionSystemInformation")) return;
    add_values(&scanner, root, sizeof of_scanner / sizeof *of_scanner, of_scanner);
    dicom_code(&purpose, "109101", "DCM", "Acquisition Equipment");
    dicom_item(&scanner, DICOM_PURPOSE, &purpose);
    dicom_item(set, DICOM_CONTRIBUTING, &scanner);
}

/* Copies a UID; anything else gives "". */
static void read_uid(char uid[DICOM_UID], const xmlNode *root, const char *section, const char *element)
{
    char value[DICOM_VALUE];
    node_text(value, sizeof value, node_child(node_child(root, section), element));
    const size_t length = strlen(value);
    const bool good = length && length < DICOM_UID && strspn(value, "0123456789.") == length &&
                      !strstr(value, "..") && value[0] != '.' && value[length - 1] != '.';
    memcpy(uid, value, good ? length : 0);
    uid[good ? length : 0] = 0;
}

/* Finds date and time that an image has to state. Without any in the header they are the first of 1900, so
 * that the same input gives the same file. */
static void find_date(dicom_facts *f, const xmlNode *root)
{
    read_value(f->date, root, "measurementInformation", "seriesDate", DIGITS);
    read_value(f->time, root, "measurementInformation", "seriesTime", TIME);
    if (!*f->date) read_value(f->date, root, "studyInformation", "studyDate", DIGITS);
    if (!*f->time) read_value(f->time, root, "studyInformation", "studyTime", TIME);
    if (!*f->date) strcpy(f->date, "19000101");
    if (!*f->time) strcpy(f->time, "000000");
}

argand_status dicom_header_add(dicom_set *set, dicom_facts *f, const argand_scan *scan)
{
    xmlDoc *document = NULL;
    text header = {0};
    argand_status status = ARGAND_OK;
    if (scan && scan->header && *scan->header) {
        text_add_bytes(&header, scan->header, strlen(scan->header));
        status = header.status ? header.status : node_document(&document, scan->path, &header);
        text_free(&header);
        TRY(status);
    }
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    add_values(set, root, sizeof of_patient / sizeof *of_patient, of_patient);
    add_scanner(set, root);
    read_uid(f->study, root, "studyInformation", "studyInstanceUID");
    read_uid(f->frame_of_reference, root, "measurementInformation", "frameOfReferenceUID");
    read_value(f->body_part, root, "studyInformation", "bodyPartExamined", CODE);
    find_date(f, root);
    xmlFreeDoc(document);
    return ARGAND_OK;
}
