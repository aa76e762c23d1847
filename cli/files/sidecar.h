/* SPDX-License-Identifier: BSD-3-Clause */
/* X.json next to an array file X.npy, X.cfl, X.nii or X.nii.gz: what the numbers are and in which unit, which
 * .npy and .cfl cannot say and NIfTI rarely does. BIDS's "Units" stands at the top, as in its sidecars of
 * field maps; under "Argand" stand Kind, Dimensions, Source, and what else a kind has. */
#ifndef CLI_FILES_SIDECAR_H
#define CLI_FILES_SIDECAR_H

#include "common/report.h"

typedef enum sidecar_kind {
    KIND_UNKNOWN,
    KIND_COIL_MAPS,
    KIND_EIGENVALUES,
    KIND_FIELD_MAP,
    KIND_WHITENER,
    KIND_COVARIANCE,
    KIND_COMPRESSION,
    KIND_WEIGHTS,
    KIND_MASK,
    KIND_PHASE_MAPS,
    KIND_KSPACE,
    KIND_BASIS,
    KIND_NOISE,
    KIND_TRAJECTORY,
    KIND_ECHOES,
    KIND_OTHER /* a text that is none of these */
} sidecar_kind;

/* What is written and what was read; "" and 0: not said. */
typedef struct sidecar {
    bool found;
    char path[4200]; /* of the sidecar */
    char units[64], source[1024], axes[256], method[64], whitened[16], trajectory[32];
    char kind_name[64];
    sidecar_kind kind;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
} sidecar;

/* A file without a sidecar is no error (found is false); one whose sidecar is no JSON is. */
argand_status sidecar_read(sidecar *s, const char *file);
/* Refuses a name whose sidecar describes another array file of that stem in another way: f.nii in rad/s and
 * f.npy in Hz cannot share f.json. To be asked before the array is written. */
argand_status sidecar_may_write(const sidecar *s, const char *file);
/* Of an array that was just written to `file` by a command ("calibrate noise"). */
argand_status sidecar_write(const sidecar *s, const char *file, const argand_array *array, const char *by);
/* The sidecar as it stands, for `file`: nothing where it is its own. */
argand_status sidecar_copy(const sidecar *s, const char *file);

/* "whitening matrix" */
const char *sidecar_kind_name(sidecar_kind kind);
/* Refuses a sidecar that says that the file is of another kind than one of these two (the second may be
 * KIND_UNKNOWN), or of another shape than the array. `named`: "--coil-maps". */
argand_status sidecar_check(const sidecar *s, const char *named, const char *file, const argand_array *array,
                            sidecar_kind wanted, sidecar_kind also);

#endif
