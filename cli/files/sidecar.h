/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes X.json next to an array file X.npy, X.cfl, X.nii or X.nii.gz: kind and unit of the
 * numbers, which .npy and .cfl cannot store and NIfTI rarely does. "Units" is at the top, as in BIDS's
 * sidecars of field maps; "Argand" holds Kind, Dimensions, Source, and further facts of a kind. */
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
    KIND_OTHER /* any other text */
} sidecar_kind;

/* Axes of a trajectory: the order of the components follows from the file's ending. Files of earlier
 * versions, whose sidecars have the second text, begin with kx in .npy, too. */
#define SIDECAR_K_AXES "k (kx first in .cfl, kx last in .npy), sample, acquisition"
#define SIDECAR_K_AXES_X_FIRST "k, sample, acquisition"

/* Contents of a sidecar; "" and 0: unknown. */
typedef struct sidecar {
    bool found;
    char path[4200];          /* of the sidecar */
    double echo_spacing;      /* s, BIDS's EffectiveEchoSpacing */
    double echo_times[2];     /* s, EchoTime1 and EchoTime2, which BIDS gives phase differences */
    char phase_encoding[4];   /* BIDS's PhaseEncodingDirection */
    char patient_position[8]; /* "HFS", BIDS's PatientPosition */
    char units[64], source[1024], axes[256], method[64], whitened[16], trajectory[32];
    char kind_name[64];
    sidecar_kind kind;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
} sidecar;

/* Reads the sidecar of a file. A missing sidecar is no error (found is false); invalid JSON is. */
argand_status sidecar_read(sidecar *s, const char *file);
/* Refuses a name whose sidecar describes another array file of the same stem differently: f.nii in rad/s
 * and f.npy in Hz cannot share f.json. Call this before the array is written. */
argand_status sidecar_may_write(const sidecar *s, const char *file);
/* Returns whether positions in a file of any format begin with kx, by its sidecar. */
bool sidecar_x_first(const sidecar *s, const argand_array *positions);
/* Writes the sidecar of an array that a command ("calibrate noise") has just written to `file`. */
argand_status sidecar_write(const sidecar *s, const char *file, const argand_array *array, const char *by);
/* Copies the sidecar unchanged for `file`; does nothing if it is the file's own. */
argand_status sidecar_copy(const sidecar *s, const char *file);

/* Returns the name of a kind, "whitening matrix". */
const char *sidecar_kind_name(sidecar_kind kind);
/* Refuses a sidecar that gives a kind other than these two (the second may be KIND_UNKNOWN), or a shape
 * other than the array's. `named`: "--coil-maps". */
argand_status sidecar_check(const sidecar *s, const char *named, const char *file, const argand_array *array,
                            sidecar_kind wanted, sidecar_kind also);

#endif
