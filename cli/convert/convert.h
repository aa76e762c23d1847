/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand convert`: input.c reads an image, convert.c selects a part and writes it, picture.c
 * makes pictures. */
#ifndef CLI_CONVERT_H
#define CLI_CONVERT_H

#include "files/sidecar.h"

enum { CONVERT_INPUTS = 8 };

/* Values of convert_settings.dicom, in the order of its option. */
enum { CONVERT_DICOM_AUTO, CONVERT_DICOM_ENHANCED, CONVERT_DICOM_CLASSIC };

typedef struct convert_settings {
    const char *inputs[CONVERT_INPUTS], *output; /* several inputs: side by side in a picture */
    int input_count;
    const char *array; /* of a scan */
    scan_reading reading;
    bool magnitude, phase, real, imaginary;
    int slice, volume; /* -1: all */
    double low, high;
    int zoom, columns;
    bool nearest;
    bool list; /* writes k-space of a Cartesian scan acquisition by acquisition */
    const char *captions;
    const char *like;   /* an image whose position in the patient is copied to NIfTI and DICOM */
    int dicom;          /* CONVERT_DICOM_CLASSIC: a folder of slices */
    const char *header; /* a scan with patient and study for DICOM */
    common_options common;
} convert_settings;

#define CONVERT_DICOM_OPTIONS(s)                                                                          \
    choice_option("dicom", 0, &(s).dicom, "KIND", "auto|enhanced|classic",                                \
                  "kind of DICOM that OUT.dcm is. enhanced: one file; classic: a folder OUT with a file " \
                  "for each slice. auto: enhanced"),                                                      \
        text_option("header", 0, &(s).header, "FILE",                                                     \
                    "DICOM: take patient, study and scanner from the header of the scan FILE")

typedef struct convert_image {
    const char *name; /* of the input */
    argand_array *array;
    argand_geometry geometry;
    sidecar described; /* known facts about the numbers */
    bool is_file;      /* an array file, which may have a sidecar; otherwise an array of a scan */
    bool was_complex;  /* complex before a part was selected */
} convert_image;

/* Reads image->name, an array of a scan or an array file. s->output and `out` may be NULL. */
argand_status convert_read(convert_image *image, const convert_settings *s, argand_device *device,
                           report *out);
/* Raw samples of a scan, which have reserved names, unless the scan has an array of that name. */
bool convert_is_samples(const char *name);
argand_status convert_samples(convert_image *image, const argand_scan *scan, const char *name,
                              const convert_settings *s, argand_device *device, report *out);
/* Makes the trajectory (also without a name) or the times of a Pulseq sequence. */
argand_status convert_sequence(convert_image *image, const char *path, const char *name,
                               const convert_settings *s, argand_device *device, report *out);
/* Sorts the components of a trajectory's file for the format of the output. */
argand_status convert_order(convert_image *image, const convert_settings *s);
/* Returns the number of slices in the scan's arrays: groups times bands. */
int convert_slice_count(const argand_scan *scan);
/* Moves the slices of a scan's array into the third dimension and sets the geometry of the stack.
 * has_places: the file format holds positions (NIfTI), or is for viewing (pictures). */
argand_status convert_stack(convert_image *image, const argand_scan *scan, bool has_places);
/* Returns true if the output is a stream or a file of a whole scan; convert_whole writes it. */
bool convert_is_whole(const convert_settings *s);
argand_status convert_whole(const convert_settings *s, report *out);
/* Reads the images of a stream, of the series `name` ("image_1"; NULL: the only one). *are_images: false if
 * the stream holds a scan, which is then read as one. */
argand_status convert_images(convert_image *image, const char *path, const char *name, argand_device *device,
                             bool *are_images);
/* Refuses options of DICOM for other formats; writes the image as DICOM. */
argand_status convert_check_dicom(const convert_settings *s);
argand_status convert_dicom(const convert_image *image, const convert_settings *s);
/* Writes real images as one picture. */
argand_status convert_picture(convert_image *images, const convert_settings *s);

#endif
