/* SPDX-License-Identifier: BSD-3-Clause */
/* A data set of DICOM, in explicit VR little endian. Elements are added in any order and sorted by their tags
 * when the set is written, so that each module of the standard is one function. The first error is kept: add
 * freely, and check the status of dicom_set_write. A tag and its value representation (vr) are the two
 * arguments that a name of attributes.h stands for. */
#ifndef IO_DICOM_SET_H
#define IO_DICOM_SET_H

#include <stdint.h>
#include "base/text.h"

enum { DICOM_MOST_ELEMENTS = 96 };

typedef struct dicom_set {
    text bytes; /* of all elements, as they were added */
    int count;
    struct {
        uint32_t tag;
        size_t at, length;
    } elements[DICOM_MOST_ELEMENTS];
} dicom_set;

/* Adds a text, cut to the length that its vr allows. NULL means "". Control characters become spaces, and
 * backslashes, which separate values, slashes. */
void dicom_text(dicom_set *set, uint32_t tag, const char *vr, const char *value);
/* Adds several values, separated by backslashes, as they are. */
void dicom_values(dicom_set *set, uint32_t tag, const char *vr, const char *values);
/* Adds decimal numbers (DS, with 10 digits) or doubles (FD). */
void dicom_reals(dicom_set *set, uint32_t tag, const char *vr, int count, const double *values);
void dicom_real(dicom_set *set, uint32_t tag, const char *vr, double value);
/* Adds integers: as text (IS), 16 bits (US, SS), 32 bits (UL) or tags (AT). */
void dicom_integers(dicom_set *set, uint32_t tag, const char *vr, int count, const int64_t *values);
void dicom_integer(dicom_set *set, uint32_t tag, const char *vr, int64_t value);
void dicom_bytes(dicom_set *set, uint32_t tag, const char *vr, const void *bytes, size_t count);
/* Adds the elements of a code: its value, the scheme that it belongs to, and its meaning. */
void dicom_code(dicom_set *set, const char *value, const char *scheme, const char *meaning);
/* Adds a sequence of one item, which is then empty; NULL: a sequence without items. */
void dicom_item(dicom_set *set, uint32_t tag, const char *vr, dicom_set *item);
/* Appends an item to a list, which dicom_bytes adds as a sequence. The item is then empty. */
void dicom_list_item(text *list, dicom_set *item);

/* Appends the sorted elements to `to` and empties the set. */
argand_status dicom_set_write(text *to, dicom_set *set);
void dicom_set_free(dicom_set *set);
/* Appends the head of an element with this number of bytes. */
void dicom_head(text *to, uint32_t tag, const char *vr, size_t length);

#endif
