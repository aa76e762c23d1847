/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand convert`: an image from a file (convert_input.c), what is kept of it and where it goes
 * (convert.c), pictures (convert_picture.c). */
#ifndef CLI_CONVERT_H
#define CLI_CONVERT_H

#include "files/sidecar.h"

enum { CONVERT_INPUTS = 8 };

typedef struct convert_settings {
    const char *inputs[CONVERT_INPUTS], *output; /* more than one input: side by side in a picture */
    int input_count;
    const char *array; /* of a scan */
    scan_reading reading;
    bool magnitude, phase, real, imaginary;
    int slice, volume; /* -1: all */
    double low, high;
    int zoom, columns;
    bool nearest;
    bool list; /* k-space of a Cartesian scan acquisition by acquisition */
    const char *captions;
    const char *like; /* an image whose place in the patient NIfTI gets */
    common_options common;
} convert_settings;

typedef struct convert_image {
    const char *name; /* of the input */
    argand_array *array;
    argand_geometry geometry;
    sidecar described; /* what is known of the numbers */
    bool is_file;      /* an array file, which may have a sidecar; else an array of a scan */
    bool was_complex;  /* before a part was taken */
} convert_image;

/* Reads image->name: an array of a scan, or an array file. s->output may be NULL, and so may `out`. */
argand_status convert_read(convert_image *image, const convert_settings *s, argand_device *device,
                           report *out);
/* The raw samples of a scan, where no array of it has that name. */
bool convert_is_samples(const char *name);
argand_status convert_samples(convert_image *image, const argand_scan *scan, const char *name,
                              const convert_settings *s, argand_device *device, report *out);
/* The slices that a scan's arrays may count: groups times bands. */
int convert_slice_count(const argand_scan *scan);
/* Slices of the scan, which its array counts behind the third dimension, become the third dimension, and the
 * geometry that of the stack. has_places: the file says where slices lie or is looked at (NIfTI,
 * pictures). */
argand_status convert_stack(convert_image *image, const argand_scan *scan, bool has_places);
/* Writes real images as one picture. */
argand_status convert_picture(convert_image *images, const convert_settings *s);

#endif
