/* SPDX-License-Identifier: BSD-3-Clause */
/* dicom.h: images as DICOM: an Enhanced MR Image, a file with all slices and volumes (argand_dicom_write),
 * or classic MR Images, a folder with a file for each slice (argand_dicom_write_slices). Files are in
 * explicit VR little endian, without compression, and written completely or not at all. The same input
 * gives the same bytes: identifiers (UIDs) come from the scan's header or are made from the contents, and
 * no clock is read.
 *
 * Pixels have 16 bits and one slope for the whole image, value = slope * pixel: the largest magnitude is the
 * largest pixel (65535, or 32767 if there are negative values), and a value is changed by at most half a
 * slope. 0 stays 0.
 *
 * Limits: 65535 rows and columns, 4 GB of pixels in a file. Threads: as io.h. Refused: complex arrays, and
 * places that are unknown (ARGAND_ARGUMENT), since a DICOM image states its position; values that are not
 * finite (ARGAND_NUMERIC); images that DICOM cannot hold (ARGAND_UNSUPPORTED); files that cannot be written
 * (ARGAND_FILE). NULL: see argand.h; `about` is required, its fields may be NULL. */
#ifndef ARGAND_DICOM_H
#define ARGAND_DICOM_H

#include "io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the image is. */
typedef struct argand_dicom_about {
    const argand_scan *scan;       /* patient, study, scanner, times; NULL: unknown */
    const argand_counters *volume; /* `contrast` chooses the echo time; NULL: the first */
    argand_image_part part;        /* 0: magnitude; not complex */
    int series;                    /* series number; 0: 1 */
    const char *description;       /* series description, up to 64 characters; NULL: the protocol's name */
    double thickness;              /* of a slice, mm; 0: the geometry's voxel[2], the distance of slices */
    bool is_3d;                    /* slices were phase-encoded, not excited one by one */
    double repetition_time;        /* s; 0: the scan's */
    /* Quantity and unit of a value, as UCUM writes it ("ms", "Hz", "/s", "rad", "1"); NULL: arbitrary. With a
     * unit the file has a real world value mapping. */
    const char *quantity, *unit;
} argand_dicom_about;

/* Writes an image {nx, ny, slices, volumes}, real, as one file. Axis 0 runs along the rows. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dicom_write(const char *path, const argand_array *image,
                                                            const argand_geometry *geometry,
                                                            const argand_dicom_about *about);

/* Writes the same as classic MR Images, one for each slice of each volume: 00001.dcm and so on in a folder,
 * slices fastest, all with one slope. The folder appears whole or not at all. ARGAND_FILE: a folder of this
 * name holds files already. */
ARGAND_API ARGAND_MUST_USE argand_status argand_dicom_write_slices(const char *folder,
                                                                   const argand_array *image,
                                                                   const argand_geometry *geometry,
                                                                   const argand_dicom_about *about);

#ifdef __cplusplus
}
#endif
#endif
