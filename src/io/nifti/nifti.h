/* SPDX-License-Identifier: BSD-3-Clause */
/* NIfTI, in three parts: the header (header.c), the position of voxels (pose.c), the file (nifti.c). */
#ifndef IO_NIFTI_H
#define IO_NIFTI_H

#include <argand/io.h>
#include "io/arrays/numbers.h"

enum { NIFTI_HEADER = 348, NIFTI_DATA = 352, NIFTI_MAX_RANK = 7 };

/* Positions of the voxels in NIfTI's coordinates: mm, RAS+ (x to the right, y to the front, z to the
 * head). */
typedef struct nifti_pose {
    bool known;           /* false: both codes are 0, so that only the voxel sizes are defined */
    double voxel[3];      /* mm */
    double rows[3][4];    /* the sform: (x y z) = rows (i j k 1) */
    double quaternion[3]; /* the qform: b, c, d */
    double offset[3];
    double handedness; /* pixdim[0]: -1 if (read x phase) . slice < 0 */
    int sform_code, qform_code;
    const char *note; /* note about the choice between both; NULL: none */
} nifti_pose;

typedef struct nifti_header {
    int rank;
    int64_t dims[NIFTI_MAX_RANK];
    number_format format;
    double slope, intercept; /* 1 and 0 if the file names none */
    uint64_t data_at;        /* offset in the file, bytes */
    double repetition_time;  /* s */
    nifti_pose pose;
} nifti_header;

/* Convert from and to the patient coordinates of DICOM and ISMRMRD (LPS, position of voxel floor(n/2)).
 * dims: 3. */
nifti_pose nifti_pose_make(const argand_geometry *geometry, const int64_t *dims);
void nifti_pose_geometry(const nifti_pose *pose, const int64_t *dims, argand_geometry *geometry);
/* Chooses between the sform's rows, which `pose` holds, and its quaternion: the sform if its code is above 0
 * and it places the voxels, else the qform on the same conditions. Sets rows, known and note. dims: 3. */
void nifti_pose_choose(nifti_pose *pose, const int64_t *dims);

/* Writes a little-endian NIfTI-1 header for float32 or complex64, as header->format says. */
void nifti_header_compose(unsigned char bytes[NIFTI_DATA], const nifti_header *header);
/* Reads a NIfTI-1 or NIfTI-2 header of either byte order. bytes: the first `count` bytes of the file, at
 * least 348. */
argand_status nifti_header_parse(nifti_header *header, const unsigned char *bytes, size_t count,
                                 const char *path);

#endif
