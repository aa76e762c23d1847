/* SPDX-License-Identifier: BSD-3-Clause */
/* epi.h: scans whose lines are read forwards and backwards (EPI) become ordinary scans: ramp samples are
 * regridded, and the lines that were read backwards get the echo position and phase of the others. Scans that
 * calibrate the coils of another one, and the speed of EPI through ky.
 *
 * Limits: one number of samples for all lines of an encoding, at most 2048; with ramps, a matrix of at most
 * 512. Threads: several threads may prepare scans at the same time. Refused: see argand_epi_create. NULL:
 * options may be NULL. */
#ifndef ARGAND_EPI_H
#define ARGAND_EPI_H

#include "io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum argand_epi_choice {
    ARGAND_EPI_AUTO = 0,  /* all that the scan allows */
    ARGAND_EPI_OFF = 1,   /* the scan as it is */
    ARGAND_EPI_RAMPS = 2, /* ramp samples alone */
    ARGAND_EPI_GHOSTS = 3 /* reversed lines alone */
} argand_epi_choice;

typedef struct argand_epi_options {
    argand_epi_choice choice;
    int encoding; /* encoding space */
} argand_epi_options;

typedef struct argand_epi argand_epi;

/* What was done. */
typedef struct argand_epi_info {
    int64_t lines, reversed;   /* image lines of the encoding; those that were read backwards */
    int64_t regridded;         /* lines of any kind whose ramp samples were regridded; 0: none */
    int64_t corrected;         /* reversed lines of any kind that were corrected */
    int64_t groups;            /* sets of reference lines, or slices, that gave an estimate */
    double shift[3], phase[3]; /* of the estimates: mean, least, largest; samples, rad */
} argand_epi_info;

/* An error of reversed lines, relative to forward ones. */
typedef struct argand_epi_estimate {
    int slice;
    int64_t row;         /* of the last reference line; by the image: of the slice's first line */
    double shift, phase; /* samples, rad */
} argand_epi_estimate;

/* Makes a corrected scan; `scan` must outlive it. A scan without reversed lines and without ramp samples
 * stays as it is.
 *
 * Directions: if some straight lines of the encoding run against their flags by their positions (a
 * trajectory in the file, or argand_scan_place), they are reversed in memory, and the flag ACQ_IS_REVERSE
 * changes. Without reference lines, two or more lines at ky = kz = 0, read to and fro in front of a train
 * that goes on in one direction of ky, become its reference lines. Notes say both, and also if the samples
 * contradict the directions: lines that were read one after the other are mirror images of each other.
 * Ramp samples: lines whose positions along the readout are not equidistant, by the header's trapezoid
 * (argand_readout) or the file's trajectory, become the encoded matrix's number of equidistant samples, by
 * least squares over the encoded field of view. The times of samples stay those of their positions.
 * Both are done only if the scan has reversed lines or its trajectory is "epi", all lines of a direction have
 * the same rising positions along the readout, and the other positions are constant within a line;
 * otherwise the notes say what differs.
 * Reversed lines: from the reference lines (ARGAND_FLAG_PHASE_CORRECTION) of the same slice that were
 * acquired last before the line (else the first of that slice, or of the nearest slice), by
 * argand_epi_phase_estimate; removed from image, calibration and reference lines. Without usable reference
 * lines the error is that with which the image of the slice's first volume has the least entropy; an error
 * whose ghost is below 0.5 % counts as none, and phases are found modulo pi. ARGAND_ARGUMENT: the
 * options ask for what the scan does not allow; the message says what is missing. */
ARGAND_API ARGAND_MUST_USE argand_status argand_epi_create(argand_epi **epi, const argand_scan *scan,
                                                           const argand_epi_options *options);
/* Returns the corrected scan, which lives as long as epi. Its notes end with those of argand_epi_notes. */
ARGAND_API const argand_scan *argand_epi_scan(const argand_epi *epi);
ARGAND_API void argand_epi_describe(const argand_epi *epi, argand_epi_info *info);
/* Returns the number of estimates, and lists them in the order of slices, then of rows. The list lives as
 * long as epi. */
ARGAND_API int64_t argand_epi_estimates(const argand_epi *epi, const argand_epi_estimate **list);
/* Returns sentences for people, one per line: what was done, and what the scan lacks. */
ARGAND_API const char *argand_epi_notes(const argand_epi *epi);
ARGAND_API void argand_epi_destroy(argand_epi *epi);

/* Returns the time in seconds in which a train of EPI goes through one cycle of ky per encoded field of view:
 * echo spacing over acceleration, negative if ky falls in time. 0: the encoding is no EPI, or its lines have
 * no times of their own. */
ARGAND_API double argand_scan_ky_time(const argand_scan *scan, int encoding);

/* Makes a scan whose coils are calibrated by another scan: the image and calibration acquisitions of the
 * encoding of the reference's first one replace the scan's calibrations, and get an encoding of their own at
 * the end. A reference may have another matrix, field of view and contrast. Its slices are those at the same
 * place in the patient, within half of the distance of two slices, or those of the same number if the scan's
 * positions do not tell its slices apart. For simultaneous slices it holds single slices. *joined shares
 * everything else with both scans, which must outlive it. ARGAND_ARGUMENT: another number of channels,
 * another orientation, a centre that lies a pixel or more away in the plane, or a slice that the reference
 * lacks. ARGAND_FORMAT: a scan without image data. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_join_reference(argand_scan **joined,
                                                                    const argand_scan *scan, int encoding,
                                                                    const argand_scan *reference);

#ifdef __cplusplus
}
#endif
#endif
