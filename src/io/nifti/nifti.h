/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of NIfTI: what the header says (nifti_header.c), where the voxels lie (nifti_pose.c), the file
 * (nifti.c). */
#ifndef IO_NIFTI_H
#define IO_NIFTI_H

#include <argand/io.h>
#include "io/arrays/numbers.h"

enum { NIFTI_HEADER = 348, NIFTI_DATA = 352, NIFTI_MAX_RANK = 7 };

/* Where the voxels lie, in the file's terms: mm, RAS+ (x to the right, y to the front, z to the head). */
typedef struct nifti_pose {
    bool known;           /* false: both codes are 0, and only the voxel sizes mean something */
    double voxel[3];      /* mm */
    double rows[3][4];    /* the sform: (x y z) = rows (i j k 1) */
    double quaternion[3]; /* the qform: b, c, d */
    double offset[3];
    double handedness; /* pixdim[0]: -1 where read x phase . slice < 0 */
    int sform_code, qform_code;
    const char *note; /* what is to be said about the choice between them; NULL: nothing */
} nifti_pose;

typedef struct nifti_header {
    int rank;
    int64_t dims[NIFTI_MAX_RANK];
    number_format format;
    double slope, intercept; /* 1 and 0 where the file asks for none */
    uint64_t data_at;        /* bytes from the start of the file */
    double repetition_time;  /* s */
    nifti_pose pose;
} nifti_header;

/* From the patient coordinates of DICOM and ISMRMRD (LPS, the centre voxel floor(n/2)) and back. dims: 3. */
nifti_pose nifti_pose_make(const argand_geometry *geometry, const int64_t *dims);
void nifti_pose_geometry(const nifti_pose *pose, const int64_t *dims, argand_geometry *geometry);
/* Chooses between the sform's rows, which `pose` holds, and its quaternion: the sform if its code is above 0
 * and it places the voxels, else the qform on the same conditions. Sets rows, known and note. dims: 3. */
void nifti_pose_choose(nifti_pose *pose, const int64_t *dims);

/* NIfTI-1, little-endian; float32 or complex64 by header->format. */
void nifti_header_compose(unsigned char bytes[NIFTI_DATA], const nifti_header *header);
/* NIfTI-1 and NIfTI-2, either byte order. bytes: the first `count` of the file, at least 348. */
argand_status nifti_header_parse(nifti_header *header, const unsigned char *bytes, size_t count,
                                 const char *path);

#endif
