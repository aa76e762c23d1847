/* SPDX-License-Identifier: BSD-3-Clause */
/* io.h: files: raw scanner data (ISMRMRD), images (NIfTI), arrays (npy, cfl) and pictures (PNG). Each file is
 * written under a temporary name next to the target and renamed when it is complete. After a failure, the old
 * file is unchanged and no temporary file remains.
 *
 * Limits: arrays of 8 dimensions, 256 encodings of a scan, names of files of 4095 bytes; sizes that a file
 * claims are compared with its length before memory is taken. Threads: all threads may read and write; one at
 * a time works in HDF5. argand_files_begin, commit and abandon act on the calling thread. Functions that take
 * a const scan do not change it. Refused: names without a known ending, and data that a format cannot hold
 * (ARGAND_ARGUMENT, ARGAND_UNSUPPORTED); input from folders, devices and pipes, data in external files, and
 * files that cannot be opened or written (ARGAND_FILE); damage and contradictions (ARGAND_FORMAT).
 * SECURITY.md states the guarantees for untrusted files. NULL: see argand.h; paths are required, options may
 * be NULL. */
#ifndef ARGAND_IO_H
#define ARGAND_IO_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------- raw data: one scan held in memory */

/* Units of k-space positions. Readers convert all of them to cycles per field of view. */
typedef enum argand_k_unit {
    ARGAND_K_AUTO = 0,       /* find the unit from the positions: argand_k_unit_find */
    ARGAND_K_CYCLES = 1,     /* cycles per field of view, |k| <= N/2 */
    ARGAND_K_NORMALISED = 2, /* cycles per pixel, [-0.5, 0.5) */
    ARGAND_K_RADIANS = 3,    /* radians per pixel, [-pi, pi) */
    ARGAND_K_PER_MM = 4,     /* cycles per millimetre */
    ARGAND_K_PER_M = 5,      /* cycles per metre */
    ARGAND_K_RADIANS_PER_MM = 6,
    ARGAND_K_RADIANS_PER_M = 7
} argand_k_unit;
/* Returns "auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"; or "unknown". */
ARGAND_API const char *argand_k_unit_name(argand_k_unit unit);
/* Returns how many cycles per field of view a position of 1 means, on an axis of n pixels over a field of
 * view in mm. Returns 0 if the unit is AUTO or unknown, or is a length and the field of view is not known
 * (0). */
ARGAND_API double argand_k_unit_scale(argand_k_unit unit, int64_t n, double field_of_view);
/* Finds the unit of positions whose magnitudes reach up to reach[axis], for an encoded matrix n and a field
 * of view in mm (0: not known). It is the unit in which positions reach the edge of k-space, 90 to 105 % of
 * N/2. Axes of one pixel, and axes with a reach of 0, are ignored. Cycles and normalised are also found if
 * positions reach less far and no other unit fits. ARGAND_FORMAT: several units fit, or none; the message
 * says how far the positions reach in each unit. ARGAND_ARGUMENT: a pointer is NULL, a reach is negative or
 * not finite, or n is below 1. */
ARGAND_API ARGAND_MUST_USE argand_status argand_k_unit_find(argand_k_unit *unit, const double reach[3],
                                                            const int64_t n[3],
                                                            const double field_of_view[3]);

typedef struct argand_scan_options {
    const char *group; /* HDF5 group; NULL means "dataset" */
    argand_k_unit k_unit;
    bool y_fastest;      /* transpose image arrays, which are y fastest in the file (forge, PowerGrid) */
    bool time_from_echo; /* subtract the echo time (of the acquisition's contrast) from t */
    bool no_images;      /* accept a file without image data (a separate noise scan) */
    bool no_trajectory;  /* leave k as 0 where the file has no trajectory, for argand_scan_place */
    int bands;           /* number of slices excited together; 0: from the header */
    /* Blips of simultaneous slices whose file has no kz: adjacent slices are shifted by 1 / blips of the
     * field of view along y, to the other side if negative; lines count by their steps. 0: kz is the
     * partition counter. -64 to 64. */
    int blips;
} argand_scan_options;

typedef struct argand_counters { /* as ISMRMRD's idx */
    uint16_t shot, partition, average, slice, contrast, phase, repetition, set, segment;
} argand_counters;

/* ISMRMRD's flags that Argand uses, as bits of argand_acquisition's `flags`. */
#define ARGAND_FLAG(number) (UINT64_C(1) << ((number)-1))
#define ARGAND_FLAG_NOISE ARGAND_FLAG(19)
#define ARGAND_FLAG_CALIBRATION ARGAND_FLAG(20)
#define ARGAND_FLAG_CALIBRATION_AND_IMAGING ARGAND_FLAG(21)
#define ARGAND_FLAG_REVERSE ARGAND_FLAG(22)
#define ARGAND_FLAG_NAVIGATION ARGAND_FLAG(23)
#define ARGAND_FLAG_PHASE_CORRECTION ARGAND_FLAG(24)
#define ARGAND_FLAG_LAST_IN_REPETITION ARGAND_FLAG(14)
#define ARGAND_FLAG_LAST_IN_MEASUREMENT ARGAND_FLAG(25)

/* One acquisition (a shot of a partition), without its discard_pre and discard_post samples. A reversed
 * readout (flag ACQ_IS_REVERSE, which stays set) is put in forward order: data, k and t alike, so that t
 * decreases. k and t always exist. Values that the file lacks are computed; i counts samples as acquired:
 *   no trajectory (Cartesian)  kx = i - centre_sample, ky = shot - step1_centre, kz = partition -
 *                              step2_centre; a centre that the header lacks is floor(matrix / 2)
 *   the same, EPI with ramps   kx = the integral of the trapezoid (argand_readout), whose half is 0; a line
 *                              covers the encoded matrix
 *   kx and ky only             kz as above
 *   no time                    t = TE + (i - centre_sample) sample_time; TE is 0 if the header has none;
 *                              with ramps, TE is where kx is 0
 *   the same, EPI              t + (line's index in its train - index of ky = 0) echo spacing; a train is
 *                              what follows one excitation: consecutive lines of one slice, repetition, ...,
 *                              read to and fro, with ky in one direction */
typedef struct argand_acquisition {
    argand_counters counters;
    uint64_t flags; /* ISMRMRD's flag bits */
    int encoding;   /* encoding space */
    int64_t samples;
    int channels;
    int centre_sample;  /* index among these samples; may be outside */
    double sample_time; /* s */
    const float *data;  /* complex {samples, channels} */
    const float *k[3];  /* cycles per (encoded) field of view {samples} */
    const float *t;     /* s {samples} */
    /* mm, LPS patient coordinates. The directions are those of images with these k: for Siemens scanners,
     * whose images come from a Fourier transform of the other sign, those of a file without k are negated. */
    float position[3], read_dir[3], phase_dir[3], slice_dir[3];
    int64_t row;         /* index among all acquisitions of the file, from 0; not written */
    uint32_t time_stamp; /* ISMRMRD's acquisition_time_stamp: ticks of the scanner's clock */
    int32_t user_int[8];
    float user_float[8];
} argand_acquisition;

/* Range of a counter. centre is -1 if the header has none. lowest and highest are the header's, or those
 * of the image data if the header has none. */
typedef struct argand_limit {
    int lowest, highest, centre;
} argand_limit;

typedef struct argand_limits {
    argand_limit shot, partition, average, slice, contrast, phase, repetition, set, segment;
    bool derived; /* the header has no encodingLimits */
} argand_limits;

/* Slices that are excited and read together (multiband, SMS). An acquisition's slice counter then counts
 * groups, of which there are G; band b of group g is slice g + b G of the images. The centre of band b is
 * at (b - floor(count / 2)) spacing along slice_dir from the acquisition's position. kz (from the
 * trajectory or the partition counter) is in cycles per (count spacing). Band b has the phase
 *     exp(-2 pi i kz (b - floor(count / 2)) / count),
 * so that kz = 1 shifts adjacent bands by a field of view / count relative to each other (blipped CAIPI). */
typedef struct argand_bands {
    int count;                /* slices per acquisition; 1: no multiband (0 means 1 when a scan is written) */
    double spacing;           /* mm from centre to centre; 0 if the header has none */
    int calibration_encoding; /* encoding space of the single-band calibration; -1 if not given */
} argand_bands;

/* The trapezoid of the gradient under which a line of EPI is read, from the header's trajectoryDescription
 * (siemens_to_ismrmrd), and the times of lines. Seconds; 0 where the header has none. */
typedef struct argand_readout {
    double ramp_up, flat_top, ramp_down;
    double delay;    /* from the start of the ramp to the beginning of the first sample */
    double dwell;    /* of a sample */
    int64_t samples; /* of a line */
    /* From line to line of a train: the header's echo_spacing, else trajectoryDescription's echoSpacing, else
     * the duration of the trapezoid. Times of lines that the file lacks are computed from it. 0: unknown. */
    double echo_spacing;
    int64_t
        untimed; /* trains whose lines are all taken at the echo time, since nothing says when they were */
} argand_readout;

typedef struct argand_encoding {
    int64_t matrix[3];       /* encoded space */
    double field_of_view[3]; /* mm */
    int64_t recon_matrix[3];
    double recon_field_of_view[3];
    char trajectory[32];            /* "cartesian", "spiral", "radial", ... as in the header */
    int step1_centre, step2_centre; /* -1 if the limits are absent */
    argand_limits limits;           /* ignored in writing, where limits are found from the acquisitions */
    argand_bands bands;
    int acceleration[2];       /* of steps 1 and 2, from the header; 0 if absent */
    char calibration_mode[16]; /* "embedded", "separate", ... as in the header; "" if absent */
    argand_k_unit k_unit;      /* unit of this encoding's trajectories in the file; ignored in writing */
    argand_readout readout;    /* of EPI; ignored in writing, where a header that is kept has it */
} argand_encoding;

/* A parameter that a sequence or a converter wrote into the header (userParameters). Parameters without a
 * name are omitted. */
typedef enum argand_parameter_kind {
    ARGAND_PARAMETER_LONG,
    ARGAND_PARAMETER_DOUBLE,
    ARGAND_PARAMETER_STRING,
    ARGAND_PARAMETER_BASE64
} argand_parameter_kind;
typedef struct argand_parameter {
    argand_parameter_kind kind;
    const char *name, *value; /* as in the header */
} argand_parameter;

/* An array of the file: FieldMap, SENSEMap, Mask, FieldGradientX, ... The fastest dimension comes first.
 * HDF5's first dimension, which counts appended copies, is omitted; only the first copy is read. Float and
 * double stay as they are; integers of 8 and 16 bits become float, longer ones double. */
typedef struct argand_scan_array {
    char name[64];
    argand_type type;
    int rank;
    int64_t dims[ARGAND_MAX_RANK];
    const void *data;
} argand_scan_array;

typedef struct argand_scan {
    char path[512];
    int encoding_count;
    const argand_encoding *encodings;
    /* Image data only; acquisitions that also calibrate have the flag
     * ARGAND_FLAG_CALIBRATION_AND_IMAGING. */
    int64_t acquisition_count;
    const argand_acquisition *acquisitions;
    /* Acquisitions that are not image data according to their flags, in the file's order: noise,
     * navigators, calibration, phase correction (EPI's reference lines). They have the channels of the
     * image data. Unusable ones (other channels, not finite, k outside their matrix) are omitted and named
     * in the notes. k is NULL if it is unknown: for noise, and without a trajectory in an encoding that is
     * not Cartesian. */
    int64_t noise_count, navigator_count, calibration_count, correction_count;
    const argand_acquisition *noise, *navigators, *calibrations, *corrections;
    /* Omitted: feedback, dummy, surface coil correction, phase stabilisation, unusable acquisitions. */
    int64_t other_count;
    int array_count;
    const argand_scan_array *arrays;
    int channels;
    double echo_time; /* s, the first in the header; 0 if absent */
    int echo_count;
    const double *echo_times;     /* s, from the header; one per contrast, or one for all */
    double field_strength;        /* T; 0 if absent */
    double repetition_time;       /* s; 0 if absent */
    argand_k_unit k_unit;         /* unit that was found or requested for the first acquisition's encoding */
    const char *system;           /* vendor and model; "" if absent */
    const char *protocol;         /* protocolName; NULL or "" if absent */
    const char *patient_position; /* "HFS", ...; NULL or "" if absent. If absent, no protocol is written */
    double flip_angle, inversion_time, echo_spacing; /* degrees, s, s; 0 if absent */
    double noise_bandwidth;                          /* relativeReceiverNoiseBandwidth; 0 if absent */
    int parameter_count;
    const argand_parameter *parameters;
    const char *header; /* the XML text */
    const char *notes;  /* text for people: what the reader assumed, one sentence per line */
} argand_scan;

/* Reads the whole file: ISMRMRD's HDF5, a stream of its messages (version 1) that was written to a file,
 * MRD version 2, fastMRI's HDF5, or a Siemens raw file (twix, .dat). In a fastMRI file, lines that are not
 * 0 and that the mask keeps become acquisitions, and the reconstructions become arrays {x, y, 1, slices}.
 * In a Siemens file, options->group is the number of the measurement, from 1; by default the last one is
 * read, with the noise of an earlier one if it has none. One thread at a time works in HDF5 (calls wait
 * for each other); a program that uses the same HDF5 library itself from other threads must not use it at
 * the same time, because HDF5's usual build is not thread safe. ARGAND_FILE: the file cannot be opened.
 * ARGAND_FORMAT: it is none of these files, is damaged, or is invalid: samples or trajectories that are
 * not finite, |k| more than 5 % beyond the encoded matrix, image data whose channels differ. The message
 * names acquisition (row of the file, from 0), sample (as stored, from 0), field and value. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_read(argand_scan **scan, const char *path,
                                                          const argand_scan_options *options);
/* Reads an untrusted file as argand_scan_read does, but in a child process. The process has limits on
 * memory and processor time. If the kernel has Landlock and seccomp, it has no access to other files or to
 * harmful system calls. It returns plain arrays in shared memory. A crash or an endless loop in HDF5
 * becomes ARGAND_FORMAT. The isolation costs a fork (some ms) and a copy of the samples. stop (NULL
 * allowed) is called after a signal: if it returns true, reading ends with ARGAND_STOPPED. fork() from a
 * program with many threads is as safe as the allocator of its C library makes it (glibc's is safe).
 * Under sanitizers the file is read within the process. macOS limits no memory and hides no files. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_read_isolated(argand_scan **scan, const char *path,
                                                                   const argand_scan_options *options,
                                                                   bool (*stop)(void));

/* One acquisition as in ISMRMRD's streams: its head of ARGAND_SCAN_MESSAGE_HEAD bytes (packed,
 * little-endian), then positions and samples. The head gives their numbers. Positions are ordered sample
 * by sample, data channel by channel. */
enum { ARGAND_SCAN_MESSAGE_HEAD = 340 };
typedef struct argand_scan_message {
    const void *head;
    const float *trajectory; /* NULL if there are none */
    const float *data;       /* complex {number_of_samples, active_channels} */
} argand_scan_message;
/* Where an acquisition belongs, by its head. is_image: image data, which may also calibrate. */
typedef struct argand_scan_message_info {
    argand_counters counters;
    uint64_t flags;
    int encoding;
    bool is_image;
} argand_scan_message_info;
ARGAND_API void argand_scan_message_describe(const void *head, argand_scan_message_info *info);
/* Returns the number of floats of the trajectory and of the data that follow a head. */
ARGAND_API void argand_scan_message_sizes(const void *head, int64_t *trajectory, int64_t *data);
/* Makes a scan from received data: the header's XML text and acquisitions. The result is that of
 * argand_scan_read for a file with the same contents, without arrays. `name` replaces the path in messages
 * and notes. Nothing of the input is kept. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_read_messages(argand_scan **scan, const char *name,
                                                                   const char *header, int64_t count,
                                                                   const argand_scan_message *messages,
                                                                   const argand_scan_options *options);
ARGAND_API void argand_scan_destroy(argand_scan *scan);
/* Returns the array of this name, or NULL if the file has none. */
ARGAND_API const argand_scan_array *argand_scan_find(const argand_scan *scan, const char *name);
/* Returns the value of a user parameter, or NULL if the header has none of this name. */
ARGAND_API const char *argand_scan_parameter(const argand_scan *scan, const char *name);

/* Sets *embedded to true if the calibration acquisitions also measure the images of an encoding, so that a
 * reconstruction or a copy of k-space must use them together with `acquisitions`. This is so for a Cartesian
 * encoding without simultaneous slices if calibrationMode is "embedded" or not given, and each calibration
 * acquisition is a line (shot and partition) that the image data of its volume lack. The lines of a volume
 * have the same other counters, segments aside. ARGAND_MEMORY: there is no memory to sort. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_embedded(bool *embedded, const argand_scan *scan,
                                                              int encoding);

/* Collects all noise acquisitions, one after the other, in a new complex array {samples, channels} for
 * whitening. sample_time (NULL allowed) receives the time between samples, from which noise variances for
 * other bandwidths follow. ARGAND_FORMAT: the scan has no noise, or sample times differ. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_noise(argand_array **noise, double *sample_time,
                                                           const argand_scan *scan, argand_device *device);

/* The part of k-space that the acquisitions of an encoding cover. */
typedef struct argand_coverage {
    int64_t acquisitions, calibrating, calibrations, navigators, corrections; /* calibrating: of the first */
    int64_t fewest_samples, most_samples;
    double low[3], high[3]; /* range of k, cycles per field of view */
    double symmetric[3];    /* largest |k| that is covered on both sides of 0 */
    /* Partial Fourier and asymmetric echoes: the covered part of the matrix on axes where one side is
     * shorter than the other by more than a tenth. 1 on other axes, and on all axes of radial and spiral
     * scans. */
    double partial[3];
    double calibration_low[3], calibration_high[3]; /* range of k of calibration data; else 0 */
} argand_coverage;
ARGAND_API void argand_scan_cover(const argand_scan *scan, int encoding, argand_coverage *coverage);

/* Writes a scan that the caller has filled in, with its arrays, and without its notes. The XML header is
 * made from encodings, counters, system, protocol, field strength, times and parameters. scan->header may
 * be the header of the file that the scan was read from; NULL: none. Its other contents are kept (subject,
 * study, measurement, coil labels, further repetition times, unknown elements); fields of this struct take
 * precedence. coilLabel is kept if the number of channels is the header's, the model if `system` is, the
 * proton frequency if the field strength is. ARGAND_FORMAT: scan->header is not such a header.
 *
 * Noise, phase correction, calibration and navigators are written before the image data, with their flags
 * set. k[0] and k[1] may both be NULL: no trajectory is written, so readers compute Cartesian positions.
 * k[2] and t may be NULL, too. Acquisitions with the flag ACQ_IS_REVERSE are reversed back. Reading the
 * file gives the same bits. ARGAND_ARGUMENT or ARGAND_UNSUPPORTED: the format cannot hold the scan (more
 * than 65535 samples in an acquisition, more than 1024 channels). */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_write(const argand_scan *scan, const char *path);

/* Writes the same as a stream of ISMRMRD's messages (version 1): header, acquisitions in the order of `row`,
 * close. Arrays, which messages do not name, are left out. `write` gets one part after the other; a status
 * other than ARGAND_OK ends the writing and is returned. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_write_messages(
    const argand_scan *scan, argand_status (*write)(void *context, const void *bytes, size_t count),
    void *context);

/* --------------------------------------------------------------- images: NIfTI-1, .nii, .nii.gz */

typedef struct argand_geometry {
    bool valid;
    double voxel[3];                    /* mm */
    double read[3], phase[3], slice[3]; /* unit vectors, LPS */
    double centre[3]; /* mm, LPS: the centre of the volume (ISMRMRD's position for a slab) */
    double time_step; /* s from volume to volume; set by argand_nifti_read, ignored in writing */
    /* Says what the file's sform and qform lack or contradict, and which one was used; NULL: nothing. The
     * text lives as long as the library. argand_nifti_read sets it; writing does not use it. */
    const char *note;
} argand_geometry;

/* Writes a NIfTI-1 file, gzipped if the name ends in .gz. image: real (written as float32) or complex
 * (complex64), of rank up to 7: x, y, z, time, further axes; at least 3 dimensions are written. qform and
 * sform (both "scanner") are made from the geometry, with LPS converted to RAS; the centre voxel
 * floor(n/2) is at `centre`. If the geometry is NULL, not valid, or its directions do not span space, both
 * codes are 0, and the voxel sizes are kept. repetition_time in s, 0 if unknown. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nifti_write(const char *path, const argand_array *image,
                                                            const argand_geometry *geometry,
                                                            double repetition_time);
/* Reads NIfTI-1 or NIfTI-2, gzipped or not, any real or complex type and byte order, into a new array (R32 or
 * C32; R64 and C64 from double files), slope and intercept applied. geometry may be NULL. It is taken from
 * the sform if its code is above 0 and it places the voxels: it is finite and its directions span space.
 * Otherwise it is taken from the qform on the same conditions. With neither, `valid` is false and only the
 * voxel sizes are set. `note` says if a form with a code was not used, or if the two forms disagree by a
 * tenth of a voxel. */
ARGAND_API ARGAND_MUST_USE argand_status argand_nifti_read(argand_array **image, const char *path,
                                                           argand_device *device, argand_geometry *geometry);

/* Resamples volumes {nx, ny, nz, ...} on another grid: each voxel of `to` gets the value of `from` at the
 * same position in the patient. Values are interpolated trilinearly, or taken from the nearest voxel (for
 * masks and labels); outside of `from` they are 0. Both arrays are real or both complex, of any precision
 * and device; dimensions from the fourth on are equal. outside (NULL allowed): number of voxels of a
 * volume of `to` that lie outside of `from`. ARGAND_ARGUMENT: a geometry is not valid.
 * ARGAND_UNSUPPORTED: storage types. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_regrid(argand_array *to,
                                                             const argand_geometry *to_place,
                                                             const argand_array *from,
                                                             const argand_geometry *from_place, bool nearest,
                                                             int64_t *outside);
/* Returns how far two volumes of as many voxels each, n, lie from each other: the largest distance in mm
 * between a corner of one and the same corner of the other. 0 if a pointer is NULL. */
ARGAND_API double argand_geometry_distance(const argand_geometry *a, const int64_t a_n[3],
                                           const argand_geometry *b, const int64_t b_n[3]);

/* ------------------------------------------------------- images as ISMRMRD has them, .h5 and messages */

typedef enum argand_image_part { /* ISMRMRD's image_type */
                                 ARGAND_IMAGE_MAGNITUDE = 1,
                                 ARGAND_IMAGE_PHASE = 2,
                                 ARGAND_IMAGE_REAL = 3,
                                 ARGAND_IMAGE_IMAGINARY = 4,
                                 ARGAND_IMAGE_COMPLEX = 5
} argand_image_part;

/* Contents of an image's head. */
typedef struct argand_scan_image {
    int64_t n[3];             /* up to 65535 each */
    argand_type type;         /* float, double, complex float or complex double */
    argand_geometry geometry; /* `centre`: the head's position. If not valid: only voxel sizes */
    argand_counters counters; /* average, slice, contrast, phase, repetition, set */
    argand_image_part part;
    int index, series;   /* image_index, from 1, and image_series_index; written with 16 bits */
    uint32_t time_stamp; /* acquisition_time_stamp */
} argand_scan_image;

/* Makes the head as in files and streams (packed, little-endian). attributes: bytes of their string. */
enum { ARGAND_SCAN_IMAGE_HEAD = 198 };
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_image_head(uint8_t head[ARGAND_SCAN_IMAGE_HEAD],
                                                                const argand_scan_image *image,
                                                                uint32_t attributes);

/* Images of one size and type. `name` is their group in the file ("image_1"), `attributes` the attribute
 * string of each (NULL: ""). Image i is array {nx, ny, nz, count} at i; n and type of images[i] are
 * ignored in favour of the array's. */
typedef struct argand_scan_series {
    const char *name, *attributes;
    int64_t count;
    const argand_scan_image *images;
    const argand_array *array;
} argand_scan_series;
/* Writes a file of the scan's header and the series. ARGAND_ARGUMENT: an array does not fit its series. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_images_write(const char *path, const argand_scan *scan,
                                                                  int series_count,
                                                                  const argand_scan_series *series);

/* ------------------------------------------------------------------ arrays: npy and BART's cfl */

/* Read and write an array in the format of the path's ending: .npy, .cfl (with its .hdr), .nii, .nii.gz. A
 * name without an ending is read as in BART, as NAME.cfl, if that file and NAME.hdr exist. The fastest
 * dimension comes first: NumPy's [z, y, x] is {x, y, z} here, also for files in Fortran's order. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_read(argand_array **array, const char *path,
                                                           argand_device *device);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_write(const char *path, const argand_array *array);
/* Returns where the ending of the path begins that gives the format (".nii.gz"); NULL: none is known. */
ARGAND_API const char *argand_array_ending(const char *path);
/* Returns the known endings one by one, the first for index 0; NULL past the last one. */
ARGAND_API const char *argand_array_format(int index);

/* --------------------------------------------------------------------------------- pictures */

/* Writes an 8-bit PNG, grey (channels 1) or red, green, blue (3). pixels: rows from the top. */
ARGAND_API ARGAND_MUST_USE argand_status argand_png_write(const char *path, int width, int height,
                                                          const uint8_t *pixels, int channels);
/* Options of a montage of the slices of a real image {nx, ny, tiles...}, x to the right, y down.
 * Dimensions of 1 are omitted if two others follow, so that {1, ny, nz, coils} shows an image for each
 * coil. `low` is black and `high` white. If both are 0, the window is 0 to the 99.7th percentile w. For
 * images with more than a few negative values it is -w to w, with mid-grey at 0. columns 0: nearly square. */
typedef struct argand_montage_options {
    double low, high;
    int columns, zoom;           /* zoom 0: enlarge to about 768 pixels */
    bool nearest;                /* enlarge by repeating pixels instead of cubic interpolation */
    const char *const *captions; /* texts above the slices, in order; NULL, or NULL for a slice: none */
    int caption_count;
} argand_montage_options;
ARGAND_API ARGAND_MUST_USE argand_status argand_montage_write(const char *path, const argand_array *image,
                                                              const argand_montage_options *options);
/* Writes a line plot of y over its index as PNG, with a logarithmic axis if `logarithmic`. */
ARGAND_API ARGAND_MUST_USE argand_status argand_plot_write(const char *path, const char *title, int64_t count,
                                                           const double *y, bool logarithmic);

/* ------------------------------------------------------------------------------ plain bytes */

/* Writes a file of bytes (tables, sidecars, reports), completely or not at all. */
ARGAND_API ARGAND_MUST_USE argand_status argand_bytes_write(const char *path, const void *bytes,
                                                            size_t count);
/* Computes the SHA-256 of a file, as 64 hexadecimal digits and a NUL, with which reports identify their
 * inputs. ARGAND_FILE: the file cannot be read. */
enum { ARGAND_SHA256_TEXT = 65 };
ARGAND_API ARGAND_MUST_USE argand_status argand_file_sha256(char text[ARGAND_SHA256_TEXT], const char *path);

/* -------------------------------------------------------------------- several files at once */

/* Between argand_files_begin and argand_files_commit, the files that the calling thread writes with this
 * header's functions are completed under hidden names next to their targets. argand_files_commit moves all
 * of them to their targets. If one cannot be moved, none is, and every old file is restored; ARGAND_FILE
 * names the one that failed. argand_files_abandon removes the hidden files. Commits to one folder run one
 * after the other. Pairs may be nested: files are moved at the outermost commit, and an abandon removes
 * the files since its own begin. Outside of a pair, each file is moved when it is complete.
 *
 * An existing target keeps its permissions and, if possible, its owner. If the target is a symbolic link,
 * the file that it points to is replaced. Devices and FIFOs are written directly, before the other files.
 * Targets without write permission are refused. A commit returns after the data are on the disk (fsync of
 * files and folders). */
ARGAND_API void argand_files_begin(void);
ARGAND_API ARGAND_MUST_USE argand_status argand_files_commit(void);
ARGAND_API void argand_files_abandon(void);
/* Removes the unfinished files of all threads, for a process that is about to exit. A signal handler may
 * call it; no other function of Argand may be called afterwards. (Unfinished files of a killed process are
 * removed when another process writes to their folder.) */
ARGAND_API void argand_files_remove_unfinished(void);

#ifdef __cplusplus
}
#endif
#endif
