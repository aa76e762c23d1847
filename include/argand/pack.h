/* SPDX-License-Identifier: BSD-3-Clause */
/* pack.h: own arrays as a scan: samples of any layout, with positions and times, become an argand_scan that
 * reconstructions and argand_scan_write take. Positions and times of the samples of Pulseq sequences.
 *
 * Limits: arrays of 8 dimensions, at most 1024 coils, and 65535 of all else but samples. Threads: all threads
 * may pack at the same time. Refused: see argand_scan_pack. NULL: options may be NULL; all else is required.
 */
#ifndef ARGAND_PACK_H
#define ARGAND_PACK_H

#include "io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An array, with names for messages and the order of its axes. */
typedef struct argand_pack_array {
    const argand_array *array; /* NULL: none */
    const char *name;          /* in notes, for example the file; NULL: "kspace", "trajectory", "times" */
    const char *title;         /* in errors, for example "--kspace FILE"; NULL: name */
    /* Meaning of each axis in the caller's order, such as "shot,sample,k": 1, k, sample, shot, partition,
     * coil, slice, repetition, contrast, average, set. NULL: found from the data. Not for times. */
    const char *axes;
    bool slowest_first; /* the slowest axis comes first in `axes`, as in NumPy's shapes */
} argand_pack_array;

/* Order of the components of a position. */
typedef enum argand_k_order {
    /* The order of the image's axes in the caller's order: x, y, z; or z, y, x if the trajectory's slowest
     * axis comes first, as in NumPy. Refused if the positions contradict it. */
    ARGAND_K_ORDER_AUTO = 0,
    ARGAND_K_ORDER_XYZ = 1,
    ARGAND_K_ORDER_ZYX = 2
} argand_k_order;

typedef struct argand_pack_options {
    /* Positions, real or complex without an imaginary part: an axis of 2 or 3 components, samples, shots,
     * partitions. NULL: a Cartesian grid; points that are 0 in all coils count as not measured. */
    argand_pack_array trajectory;
    argand_pack_array times; /* s, real {samples}, {samples, shots} or {samples, shots, partitions} */
    argand_k_order k_order;  /* of the components of positions */
    argand_k_unit k_unit;    /* AUTO: found from the positions; without a matrix, only CYCLES */
    int64_t matrix[3];       /* zeros: the range of positions. If only the first is given: for all axes */
    /* mm; zeros: from `place`, otherwise voxels of 1 mm. If only the first is given, it holds for the
     * longest axis, and voxels are cubic. */
    double field_of_view[3];
    const argand_geometry *place;  /* position in the patient, with voxel sizes; NULL: at the centre */
    double sample_time, echo_time; /* s, used without times; 0: not known */
    /* Called with each sentence about what was found and assumed. NULL: the sentences become the scan's
     * notes. */
    void (*note)(void *context, const char *sentence);
    void *note_context;
} argand_pack_options;
/* Makes a scan from own arrays, with an acquisition for each shot of each partition and volume; options
 * may be NULL. kspace: complex, any rank. If its axes are not given, they are found from the data. With a
 * trajectory they are samples, shots, coils, repetitions ({samples, shots, coils}, NumPy's [coil, shot,
 * sample]); a first axis of 1, as in BART's files, is allowed. A grid is {nx, ny, coils} or {nx, ny, nz,
 * coils[, repetitions]}, unless its energy shows that another axis counts the coils. Positions are
 * converted to cycles per field of view. Lines of a grid and ends of its readouts are omitted if they are
 * 0 in all coils. ARGAND_ARGUMENT: shapes do not match, the data do not determine the axes or the unit, or
 * positions are far off or contradict the order of their components; the message says which option to give.
 * ARGAND_FORMAT: elements are not finite. The scan keeps nothing of the arrays; argand_scan_destroy destroys
 * it. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_pack(argand_scan **scan, const argand_pack_array *kspace,
                                                          const argand_pack_options *options);

/* ------------------------------------------------------------------------ Pulseq sequences */

/* Where in k-space, and when, a Pulseq sequence samples. Samples of all readouts (ADC events) lie one after
 * the other, in the order of the sequence. */
typedef struct argand_sequence {
    int64_t readout_count, sample_count;
    const int64_t *sizes;  /* samples of each readout */
    const double *k[3];    /* of each sample: x, y, z of the gradients, 1/m */
    const double *t;       /* of each sample: s from the beginning of the sequence */
    const double *excited; /* of each readout: the same of the last excitation's centre; 0: none before it */
    /* Labels of each readout that are counters: LIN (shot), PAR (partition), AVG, SLC, ECO (contrast), PHS,
     * REP, SET, SEG; NULL: the sequence has no labels. */
    const argand_counters *counters;
    const char *notes;       /* text for people: what was assumed, one sentence per line */
    double field_of_view[3]; /* m, of the definition FOV; 0: the sequence has none */
} argand_sequence;

/* Reads a Pulseq sequence (.seq) of version 1.2 to 1.5 and integrates its gradients: trapezoids, shapes on
 * the raster, shapes with times. An excitation pulse sets k to 0 at its centre, a refocusing pulse negates
 * k; other pulses change nothing. Before 1.5, which says what pulses are for, flip angles tell (see
 * `notes`). At most 2^25 samples and 2^24 values of shapes are read. ARGAND_FILE: the file cannot be
 * opened. ARGAND_FORMAT: it is no sequence, or damaged; the message names line or event.
 * ARGAND_UNSUPPORTED: another version. Rotated blocks (extension ROTATIONS) are rotated. */
ARGAND_API ARGAND_MUST_USE argand_status argand_sequence_read(argand_sequence **sequence, const char *path);
ARGAND_API void argand_sequence_destroy(argand_sequence *sequence);

/* Makes a scan whose k and t are those of a sequence, for files without a trajectory (read them with
 * argand_scan_options.no_trajectory); `scan` must outlive it. Acquisition n of the file is ADC event n,
 * whatever its flags. If the sequence has as many events as the file has acquisitions without those of noise,
 * the noise is skipped. Gradient axes x, y, z are the image's (readout, phase, slice); positions along an
 * axis of one pixel become 0; t counts from the centre of the last excitation. If the sequence has labels,
 * they replace the counters. Data with the flag ACQ_IS_REVERSE take the samples of their event backwards. An
 * encoding is "cartesian" if all of its image positions are whole cycles; otherwise "cartesian" becomes
 * "other". If positions lie outside the encoded matrix, as with the protocol of a scanner that plays a
 * sequence, the field of view is the sequence's, and the matrix becomes what the positions reach; notes say
 * so. ARGAND_ARGUMENT: numbers of acquisitions or samples differ, or positions lie outside the encoded
 * matrix and the sequence states no field of view; the message has both numbers. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_place(argand_scan **placed, const argand_scan *scan,
                                                           const argand_sequence *sequence);

#ifdef __cplusplus
}
#endif

#endif
