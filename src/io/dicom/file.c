/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the part of a DICOM file before its pixels: preamble, meta information, data set. */
#include "io/dicom/dicom.h"

static const char explicit_little_endian[] = "1.2.840.10008.1.2.1";
/* made by dicom_uid from "program" and "Argand" */
static const char program[] = "2.25.83147810846056751202222482493247697938";

/* Appends preamble and meta information. */
static argand_status begin(text *to, const char *class, const char *instance)
{
    static const char preamble[128];
    text rest = {0};
    dicom_set meta = {0};
    dicom_bytes(&meta, DICOM_META_VERSION, "\0\1", 2);
    dicom_text(&meta, DICOM_META_CLASS, class);
    dicom_text(&meta, DICOM_META_INSTANCE, instance);
    dicom_text(&meta, DICOM_META_SYNTAX, explicit_little_endian);
    dicom_text(&meta, DICOM_META_PROGRAM_UID, program);
    dicom_text(&meta, DICOM_META_PROGRAM, "ARGAND");
    const argand_status status = dicom_set_write(&rest, &meta);
    const char length[4] = {(char)(rest.length & 0xff), (char)(rest.length >> 8 & 0xff), 0, 0};
    text_add_bytes(to, preamble, sizeof preamble);
    text_add_bytes(to, "DICM", 4);
    dicom_head(to, 0x00020000, "UL", sizeof length);
    text_add_bytes(to, length, sizeof length);
    text_add_bytes(to, text_chars(&rest), rest.length);
    text_free(&rest);
    return status ? status : to->status;
}

argand_status dicom_file(text *to, dicom_set *set, const char *class, size_t pixel_bytes)
{
    char instance[DICOM_UID];
    text contents = {0};
    dicom_uid(instance, class, text_chars(&set->bytes), set->bytes.length);
    dicom_text(set, DICOM_CLASS, class);
    dicom_text(set, DICOM_INSTANCE, instance);
    argand_status status = dicom_set_write(&contents, set);
    if (!status) status = begin(to, class, instance);
    text_add_bytes(to, text_chars(&contents), contents.length);
    text_free(&contents);
    dicom_head(to, DICOM_PIXELS, pixel_bytes);
    return status ? status : to->status;
}
