/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the DICOM writer share:
 *   set.c       data sets: elements, sequences, their order
 *   uid.c       unique identifiers, made from contents
 *   header.c    patient, study and scanner, from the header of a scan
 *   pixels.c    pixels of 16 bits and their scale
 *   modules.c   what both kinds of image have in common
 *   enhanced.c  Enhanced MR Image Storage: all slices and volumes in one file
 *   classic.c   MR Image Storage: a file for each slice
 *   file.c      what a file has in front of its pixels
 *   write.c     the public functions: one file, or a folder of slices */
#ifndef IO_DICOM_DICOM_H
#define IO_DICOM_DICOM_H

#include <argand/dicom.h>
#include "base/hash.h"
#include "io/dicom/attributes.h"
#include "io/dicom/set.h"

enum { DICOM_UID = 65, DICOM_VALUE = 400 };

/* Pixels {columns, rows, slices, volumes} and what they mean: value = slope * pixel. */
typedef struct dicom_pixels {
    int64_t columns, rows, slices, volumes;
    unsigned char *bytes; /* two for each pixel, the low one first */
    bool is_signed;
    double slope; /* exactly as it is printed */
    unsigned char hash[HASH_BYTES];
} dicom_pixels;
argand_status dicom_pixels_make(dicom_pixels *pixels, const char *path, const argand_array *image);
void dicom_pixels_free(dicom_pixels *pixels);

/* What a header says of patient, study and scanner, and the dates that an image must have. */
typedef struct dicom_facts {
    char study[DICOM_UID], frame_of_reference[DICOM_UID]; /* "": none in the header */
    char date[DICOM_VALUE], time[DICOM_VALUE];
    char body_part[DICOM_VALUE];
} dicom_facts;
/* Adds the attributes that the header has, and empty ones where DICOM requires them. scan may be NULL. */
argand_status dicom_header_add(dicom_set *set, dicom_facts *facts, const argand_scan *scan);

/* Makes a UID from contents: 2.25. and a UUID (version 8) that is their SHA-256, cut. role: what it names. */
void dicom_uid(char uid[DICOM_UID], const char *role, const void *contents, size_t count);

/* A series: what all of its images share. */
typedef struct dicom_series {
    const argand_dicom_about *about;
    argand_geometry geometry;
    dicom_pixels pixels;
    dicom_facts facts;
    char uid[DICOM_UID];
} dicom_series;
/* Returns the corner of a slice: the centre of the first pixel, mm. */
void dicom_position(double position[3], const dicom_series *s, int64_t slice);
/* Adds the attributes that both kinds of image have: patient, study, series, scanner, pixels. */
argand_status dicom_modules_add(dicom_set *set, dicom_series *s);
/* Adds pixel spacing and slice thickness to one set, and the orientation to another or the same. */
void dicom_grid_add(dicom_set *measures, dicom_set *orientation, const dicom_series *s);
/* Adds rescale slope, and what a value means where its unit is known. */
void dicom_slope_add(dicom_set *set, const dicom_series *s);
void dicom_meaning_add(dicom_set *set, const dicom_series *s);
/* Returns "M" or "P" and so on, the last value of a classic image type, or the name of the part. */
const char *dicom_part_letter(const dicom_series *s);
const char *dicom_part_name(const dicom_series *s);
/* Echo time and repetition time in ms; 0: unknown. */
double dicom_echo_time(const dicom_series *s);
double dicom_repetition_time(const dicom_series *s);

/* Appends a file up to its pixels: preamble, meta information, and the data set with an instance UID made
 * from it. The set is then empty. */
argand_status dicom_file(text *to, dicom_set *set, const char *class, size_t pixel_bytes);
argand_status dicom_enhanced(text *to, dicom_series *s);
argand_status dicom_classic(text *to, dicom_series *s, int64_t frame);

#endif
