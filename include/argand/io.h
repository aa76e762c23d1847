/* SPDX-License-Identifier: BSD-3-Clause */
/* io.h: files. Raw scanner data (ISMRMRD), images (NIfTI), arrays (npy, cfl) and pictures (PNG). Everything
 * is written to a temporary file next to the target and renamed when complete: a failure leaves nothing
 * behind and loses nothing.
 *
 * Limits: arrays of 8 dimensions, 256 encodings of a scan, names of files of 4095
 * bytes; what a file claims is held against what it stores before memory is taken. Threads: any thread may
 * read and write, one at a time in HDF5; argand_files_begin and the rest belong to the thread that calls
 * them. A scan is not changed by those who read it. Refused: names without a known ending, what a format
 * cannot hold (ARGAND_ARGUMENT, ARGAND_UNSUPPORTED); folders, devices and pipes in place of files that are
 * read, data in other files, and what cannot be opened or written (ARGAND_FILE); damage and contradictions
 * (ARGAND_FORMAT). SECURITY.md says what is promised for files of strangers. NULL: see argand.h; paths are
 * needed, options may be NULL. */
#ifndef ARGAND_IO_H
#define ARGAND_IO_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------- raw data: one scan held in memory */

/* Units of k-space positions. Readers convert all of them to cycles per field of view. */
typedef enum argand_k_unit {
    ARGAND_K_AUTO = 0,       /* recognised: argand_k_unit_find */
    ARGAND_K_CYCLES = 1,     /* cycles per field of view, |k| <= N/2 */
    ARGAND_K_NORMALISED = 2, /* cycles per pixel, [-0.5, 0.5) */
    ARGAND_K_RADIANS = 3,    /* radians per pixel, [-pi, pi) */
    ARGAND_K_PER_MM = 4,     /* cycles per millimetre */
    ARGAND_K_PER_M = 5,      /* cycles per metre */
    ARGAND_K_RADIANS_PER_MM = 6,
    ARGAND_K_RADIANS_PER_M = 7
} argand_k_unit;
/* "auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"; or "unknown". */
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
    bool y_fastest; /* image arrays in the file are y fastest (forge, PowerGrid): transposed on reading */
    bool time_from_echo; /* subtract the echo time (of the acquisition's contrast) from t */
    bool no_images;      /* a file without image data (a noise scan of its own) is read as well */
    int bands;           /* slices that were excited together; 0: as the header says */
} argand_scan_options;

typedef struct argand_counters { /* as ISMRMRD's idx */
    uint16_t shot, partition, average, slice, contrast, phase, repetition, set, segment;
} argand_counters;

/* ISMRMRD's flags that mean something here, as bits of argand_acquisition's `flags`. */
#define ARGAND_FLAG(number) (UINT64_C(1) << ((number)-1))
#define ARGAND_FLAG_NOISE ARGAND_FLAG(19)
#define ARGAND_FLAG_CALIBRATION ARGAND_FLAG(20)
#define ARGAND_FLAG_CALIBRATION_AND_IMAGING ARGAND_FLAG(21)
#define ARGAND_FLAG_REVERSE ARGAND_FLAG(22)
#define ARGAND_FLAG_NAVIGATION ARGAND_FLAG(23)
#define ARGAND_FLAG_PHASE_CORRECTION ARGAND_FLAG(24)
#define ARGAND_FLAG_LAST_IN_REPETITION ARGAND_FLAG(14)
#define ARGAND_FLAG_LAST_IN_MEASUREMENT ARGAND_FLAG(25)

/* One acquisition (shot of a partition), discard_pre and discard_post already removed. A reversed readout
 * (flag ACQ_IS_REVERSE, which stays set) is put in forward order: data, k and t alike, so its t falls. k and
 * t are always there: what the file lacks is computed, with i counting the samples as acquired:
 *   no trajectory (Cartesian)  kx = i - centre_sample, ky = shot - step1_centre, kz = partition -
 *                              step2_centre; a centre that the header lacks is floor(matrix / 2)
 *   kx and ky only             kz as above
 *   no time                    t = TE + (i - centre_sample) sample_time, TE = 0 where the header has none */
typedef struct argand_acquisition {
    argand_counters counters;
    uint64_t flags; /* ISMRMRD's bits */
    int encoding;   /* encoding space */
    int64_t samples;
    int channels;
    int centre_sample;  /* among these samples; may lie outside them */
    double sample_time; /* s */
    const float *data;  /* complex {samples, channels} */
    const float *k[3];  /* cycles per (encoded) field of view {samples} */
    const float *t;     /* s {samples} */
    float position[3], read_dir[3], phase_dir[3], slice_dir[3]; /* mm, LPS patient coordinates */
    int64_t row;         /* its place among all acquisitions of the file, from 0; not written */
    uint32_t time_stamp; /* ISMRMRD's acquisition_time_stamp: ticks of the scanner's clock */
    int32_t user_int[8];
    float user_float[8];
} argand_acquisition;

/* The values of a counter. centre is -1 where the header has none; lowest and highest are the header's, or
 * those of the image data where the header has none. */
typedef struct argand_limit {
    int lowest, highest, centre;
} argand_limit;

typedef struct argand_limits {
    argand_limit shot, partition, average, slice, contrast, phase, repetition, set, segment;
    bool derived; /* the header has no encodingLimits at all */
} argand_limits;

/* Slices that are excited and read together (multiband, SMS). An acquisition's slice counter then counts
 * groups, of which there are G; band b of group g is slice g + b G of the images. Its centre lies
 * (b - floor(count / 2)) spacing along slice_dir from the acquisition's position. kz (of the trajectory, or
 * counted from the partition counter) is in cycles per count spacing: band b has the phase
 *     exp(-2 pi i kz (b - floor(count / 2)) / count),
 * so that whole kz shift neighbours by a field of view / count against each other (blipped CAIPI). */
typedef struct argand_bands {
    int count;                /* 1: every slice by itself (0 means the same where a scan is written) */
    double spacing;           /* mm from centre to centre; 0 where the header has none */
    int calibration_encoding; /* encoding space of the single slices that calibrate it; -1 if not said */
} argand_bands;

typedef struct argand_encoding {
    int64_t matrix[3];       /* encoded space */
    double field_of_view[3]; /* mm */
    int64_t recon_matrix[3];
    double recon_field_of_view[3];
    char trajectory[32];            /* "cartesian", "spiral", "radial", ... as in the header */
    int step1_centre, step2_centre; /* -1 where the limits are absent */
    argand_limits limits;           /* not looked at in writing: they are counted from the acquisitions */
    argand_bands bands;
    int acceleration[2];       /* of steps 1 and 2, as the header says; 0 where it does not */
    char calibration_mode[16]; /* "embedded", "separate", ... as in the header; "" if absent */
    argand_k_unit k_unit;      /* of this encoding's trajectories in the file; not looked at in writing */
} argand_encoding;

/* A parameter that a sequence or a converter left in the header (userParameters); one without a name is left
 * out. */
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

/* An array of the file: FieldMap, SENSEMap, Mask, FieldGradientX, ... Fastest dimension first; the dimension
 * for appended copies, HDF5's first, is left out (only the first copy is read). Float and double remain what
 * they are; integers of 8 and 16 bits become float, longer ones double. */
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
    int64_t acquisition_count; /* image data only; those of them that calibrate as well have the flag
                                  ARGAND_FLAG_CALIBRATION_AND_IMAGING */
    const argand_acquisition *acquisitions;
    /* Acquisitions set aside by their flags, kept in the file's order: noise; navigators; calibration that is
     * not image data as well; phase correction (EPI's reference lines). They have the channels of the image
     * data; what cannot be used (other channels, not finite, k outside its matrix) is left out and named in
     * the notes. k is NULL where nothing says it: in noise, and without a trajectory in an encoding that is
     * not Cartesian. */
    int64_t noise_count, navigator_count, calibration_count, correction_count;
    const argand_acquisition *noise, *navigators, *calibrations, *corrections;
    int64_t other_count; /* not kept: feedback, dummy, surface coil correction, phase stabilisation, and what
                            cannot be used */
    int array_count;
    const argand_scan_array *arrays;
    int channels;
    double echo_time; /* s, first of the header's; 0 if absent */
    int echo_count;
    const double *echo_times;     /* s, as in the header; one for each contrast, or one for all */
    double field_strength;        /* T; 0 if absent */
    double repetition_time;       /* s; 0 if absent */
    argand_k_unit k_unit;         /* what was recognised or asked, of the first acquisition's encoding */
    const char *system;           /* vendor and model; "" if absent */
    const char *protocol;         /* protocolName; NULL or "" if absent */
    const char *patient_position; /* "HFS", ...; NULL or "" if absent. Without it no protocol is written */
    double flip_angle, inversion_time, echo_spacing; /* degrees, s, s; 0 if absent */
    double noise_bandwidth;                          /* relativeReceiverNoiseBandwidth; 0 if absent */
    int parameter_count;
    const argand_parameter *parameters;
    const char *header; /* the XML text */
    const char *notes;  /* what the reader assumed, a sentence a line, for people */
} argand_scan;

/* Reads the whole file: ISMRMRD's HDF5, a stream of its messages (version 1) that was written to a file, or
 * fastMRI's HDF5. In a fastMRI file, lines that are not 0 and that the mask keeps become acquisitions, and
 * the reconstructions become arrays {x, y, 1, slices}. One thread at a time works in HDF5 (calls wait for
 * each other); a program that uses the same HDF5 library itself from other threads must not use it at the
 * same time, because HDF5's usual build is not thread safe. ARGAND_FILE: the file cannot be opened.
 * ARGAND_FORMAT: it is none of these files, is damaged, or is invalid: samples or trajectories that are not
 * finite, |k| more than 5 % beyond the encoded matrix, image data whose channels differ. The message names
 * acquisition (row of the file, from 0), sample (as stored, from 0), field and value. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_read(argand_scan **scan, const char *path,
                                                          const argand_scan_options *options);
/* The same for files that nobody vouches for: a child process reads it, with limits on memory and processor
 * time, and, where the kernel has Landlock and seccomp, without access to other files and to anything that
 * could do harm; it hands plain arrays over by shared memory. A crash or an endless loop in HDF5 is
 * ARGAND_FORMAT. Costs a fork (some ms) and a copy of the samples. stop (NULL allowed) is asked after a
 * signal: true ends the reading, ARGAND_STOPPED. Meant for programs like the tool: fork() from one with many
 * threads is as safe as its C library's allocator makes it (glibc's is). Where there is no such memory
 * (memfd_create) and under sanitizers it reads within the process. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_read_isolated(argand_scan **scan, const char *path,
                                                                   const argand_scan_options *options,
                                                                   bool (*stop)(void));

/* One acquisition as ISMRMRD's streams have it: its head of ARGAND_SCAN_MESSAGE_HEAD bytes (packed,
 * little-endian), then positions and samples, as many as the head says: sample by sample, and channel by
 * channel. */
enum { ARGAND_SCAN_MESSAGE_HEAD = 340 };
typedef struct argand_scan_message {
    const void *head;
    const float *trajectory; /* NULL where there are none */
    const float *data;       /* complex {number_of_samples, active_channels} */
} argand_scan_message;
/* What a head says about where an acquisition belongs. is_image: image data, which may calibrate as well. */
typedef struct argand_scan_message_info {
    argand_counters counters;
    uint64_t flags;
    int encoding;
    bool is_image;
} argand_scan_message_info;
ARGAND_API void argand_scan_message_describe(const void *head, argand_scan_message_info *info);
/* How many floats follow a head. */
ARGAND_API void argand_scan_message_sizes(const void *head, int64_t *trajectory, int64_t *data);
/* A scan of what was received: the header's XML text and acquisitions. As argand_scan_read of a file that
 * holds the same, arrays aside; `name` stands for the file in messages and notes. Nothing is kept. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_read_messages(argand_scan **scan, const char *name,
                                                                   const char *header, int64_t count,
                                                                   const argand_scan_message *messages,
                                                                   const argand_scan_options *options);
ARGAND_API void argand_scan_destroy(argand_scan *scan);
/* NULL if the file has no such array. */
ARGAND_API const argand_scan_array *argand_scan_find(const argand_scan *scan, const char *name);
/* The value of a user parameter, NULL if the header has none of the name. */
ARGAND_API const char *argand_scan_parameter(const argand_scan *scan, const char *name);

/* Sets *embedded to true if the calibration acquisitions also measure the images of an encoding, so that a
 * reconstruction or a copy of k-space must use them together with `acquisitions`. This is so for a Cartesian
 * encoding without simultaneous slices if calibrationMode is "embedded" or not given, and each calibration
 * acquisition is a line (shot and partition) that the image data of its volume lack. The lines of a volume
 * have the same other counters, segments aside. ARGAND_MEMORY: there is no memory to sort. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_embedded(bool *embedded, const argand_scan *scan,
                                                              int encoding);

/* All noise acquisitions, one after the other: a new complex array {samples, channels} for whitening, and the
 * time between samples (NULL allowed), by which noise variances of other bandwidths follow. ARGAND_FORMAT
 * where there is none, or where their sample times differ. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_noise(argand_array **noise, double *sample_time,
                                                           const argand_scan *scan, argand_device *device);

/* What the acquisitions of an encoding cover, and so what a reconstruction has to do about it. */
typedef struct argand_coverage {
    int64_t acquisitions, calibrating, calibrations, navigators, corrections; /* calibrating: of the first */
    int64_t fewest_samples, most_samples;
    double low[3], high[3]; /* of k, cycles per field of view */
    double symmetric[3];    /* k is covered on both sides of 0 up to this */
    /* Partial Fourier and asymmetric echoes: the part of the matrix that is covered on an axis where one side
     * is cut (by more than a tenth of the other); 1 on the others, and on those of radial and spiral scans.
     */
    double partial[3];
    double calibration_low[3], calibration_high[3]; /* of k where data calibrate; 0 and 0 where none do */
} argand_coverage;
ARGAND_API void argand_scan_cover(const argand_scan *scan, int encoding, argand_coverage *coverage);

/* Writing: the same struct, filled by the caller; all of it is written, arrays too. The XML header is made
 * from encodings, counters, system, protocol, field strength, times and parameters. What else scan->header
 * says, the header of the file that the scan was read from, is kept (subject, study, measurement, coil
 * labels, further repetition times, elements that the format does not know); what this struct has a field for
 * goes before it. coilLabel is kept where the number of channels is the header's, the model where `system`
 * is, the proton frequency where the field is. NULL: nothing is kept. ARGAND_FORMAT where it is no such
 * header. Notes are not written. Noise, phase correction, calibration and navigators come before the image
 * data, with their flags set. k[0] and k[1] may both be NULL (no trajectory is written, so readers count a
 * Cartesian one), k[2] and t as well. Acquisitions with the flag ACQ_IS_REVERSE are reversed back. What was
 * written reads back bit for bit. ARGAND_ARGUMENT or ARGAND_UNSUPPORTED where the format cannot hold it (more
 * than 65535 samples an acquisition, 1024 channels). */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_write(const argand_scan *scan, const char *path);

/* --------------------------------------------------------------- images: NIfTI-1, .nii, .nii.gz */

typedef struct argand_geometry {
    bool valid;
    double voxel[3];                    /* mm */
    double read[3], phase[3], slice[3]; /* unit vectors, LPS */
    double centre[3]; /* mm, LPS: the centre of the volume (ISMRMRD's position for a slab) */
    double time_step; /* s from volume to volume; set by argand_nifti_read, not used in writing */
    /* Says what the file's sform and qform lack or contradict, and which one was used; NULL: nothing. The
     * text lives as long as the library. argand_nifti_read sets it; writing does not use it. */
    const char *note;
} argand_geometry;

/* image: real (float32 written) or complex (complex64 written), rank up to 7: x, y, z, time, further; at
 * least 3 dimensions are written. qform and sform (both "scanner") from the geometry, LPS converted to RAS;
 * the centre voxel floor(n/2) lies at `centre`. A geometry that is NULL, not valid, or has directions that do
 * not span space: both codes 0, and the voxel sizes kept. repetition_time in s, 0 if unknown. Gzipped if the
 * name ends in .gz. */
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

/* Volumes {nx, ny, nz, ...} on another grid: voxels of `from` at the places of `to`'s in the patient, trilinear
 * between the eight neighbours or of the nearest voxel (masks, labels); 0 where `from` has nothing. Both real
 * or both complex, of any precision and device; dimensions from the fourth on are equal. outside: how many
 * voxels of a volume lie outside of `from`; NULL allowed. ARGAND_ARGUMENT: a geometry that is not valid. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_regrid(argand_array *to,
                                                             const argand_geometry *to_place,
                                                             const argand_array *from,
                                                             const argand_geometry *from_place, bool nearest,
                                                             int64_t *outside);
/* Returns how far two volumes of as many voxels each, n, lie from each other: the largest distance in mm
 * between a corner of one and the same corner of the other. 0 if a pointer is NULL. */
ARGAND_API double argand_geometry_distance(const argand_geometry *a, const int64_t a_n[3],
                                           const argand_geometry *b, const int64_t b_n[3]);

/* ----------------------------------------------------------------------- own arrays as a scan */

/* An array, and how its owner counts its axes. */
typedef struct argand_pack_array {
    const argand_array *array; /* NULL: none */
    const char *name;          /* what notes call it, say its file; NULL: "kspace", "trajectory", "times" */
    const char *title;         /* what errors call it, say "--kspace FILE"; NULL: name */
    /* What the axes count, "shot,sample,k": a word for each, in the owner's order: 1, k, sample, shot,
     * partition, coil, slice, repetition, contrast, average, set. NULL: recognised. Not for times. */
    const char *axes;
    bool slowest_first; /* the owner names the slowest axis first, as NumPy's shapes do */
} argand_pack_array;

typedef struct argand_pack_options {
    /* Positions, real or complex without an imaginary part: an axis of 2 or 3 components, samples, shots,
     * partitions; NULL: a Cartesian grid, whose points that are 0 in all coils count as not measured. */
    argand_pack_array trajectory;
    argand_pack_array times; /* s, real {samples}, {samples, shots} or {samples, shots, partitions} */
    bool k_reversed;         /* components z, y, x */
    argand_k_unit k_unit;    /* AUTO: recognised; without a matrix, cycles alone */
    int64_t matrix[3];       /* zeros: as far as positions reach. Only the first: for all axes of them */
    double
        field_of_view[3]; /* mm; zeros: that of `place`, else voxels of 1 mm. Only the first: of the longest
                                 axis, with cubic voxels */
    const argand_geometry *place;  /* in the patient, with voxel sizes; NULL: at the centre */
    double sample_time, echo_time; /* s, where there are no times; 0: not known */
    /* Told each sentence of what was recognised and assumed, as it is found; NULL: they are the scan's
     * notes. */
    void (*note)(void *context, const char *sentence);
    void *note_context;
} argand_pack_options;
/* Makes a scan of own arrays, with an acquisition for each shot of each partition and volume; NULL options:
 * defaults. kspace: complex, any rank. Axes are recognised: with a trajectory k-space has its samples and
 * shots first, then coils, then repetitions ({samples, shots, coils}, NumPy's [coil, shot, sample]; a first
 * axis of 1 as in BART's files may stand before); a grid is {nx, ny, coils} or {nx, ny, nz, coils[,
 * repetitions]}, unless its energy shows that another axis counts the coils. Positions become cycles per
 * field of view. Lines and ends of readouts of a grid that are 0 in all coils are left out. ARGAND_ARGUMENT:
 * shapes that do not go together, axes or a unit that the data do not show, stray positions; the message
 * says what to name. ARGAND_FORMAT: elements that are not finite. The scan is destroyed by
 * argand_scan_destroy; it keeps nothing of the arrays. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_pack(argand_scan **scan, const argand_pack_array *kspace,
                                                          const argand_pack_options *options);

/* ------------------------------------------------------- images as ISMRMRD has them, .h5 and messages */

typedef enum argand_image_part { /* ISMRMRD's image_type */
                                 ARGAND_IMAGE_MAGNITUDE = 1,
                                 ARGAND_IMAGE_PHASE = 2,
                                 ARGAND_IMAGE_REAL = 3,
                                 ARGAND_IMAGE_IMAGINARY = 4,
                                 ARGAND_IMAGE_COMPLEX = 5
} argand_image_part;

/* What an image's head says. */
typedef struct argand_scan_image {
    int64_t n[3];             /* up to 65535 each */
    argand_type type;         /* float, double, complex float or complex double */
    argand_geometry geometry; /* `centre` is the head's position; not valid: all 0 but the voxel sizes */
    argand_counters counters; /* average, slice, contrast, phase, repetition, set */
    argand_image_part part;
    int index, series;   /* image_index, from 1, and image_series_index; 16 bits are kept */
    uint32_t time_stamp; /* acquisition_time_stamp */
} argand_scan_image;

/* The head as files and streams have it (packed, little-endian); attributes: bytes of the attribute string.
 */
enum { ARGAND_SCAN_IMAGE_HEAD = 198 };
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_image_head(uint8_t head[ARGAND_SCAN_IMAGE_HEAD],
                                                                const argand_scan_image *image,
                                                                uint32_t attributes);

/* Images of one size and type: `name` is their group in the file ("image_1"), `attributes` the string of each
 * (NULL: ""). Image i is array {nx, ny, nz, count} at i; its n and type are the array's, whatever images[i]
 * says. */
typedef struct argand_scan_series {
    const char *name, *attributes;
    int64_t count;
    const argand_scan_image *images;
    const argand_array *array;
} argand_scan_series;
/* An ISMRMRD file of images: the scan's header and the series, without acquisitions. ARGAND_ARGUMENT where an
 * array does not fit its series. */
ARGAND_API ARGAND_MUST_USE argand_status argand_scan_images_write(const char *path, const argand_scan *scan,
                                                                  int series_count,
                                                                  const argand_scan_series *series);

/* ------------------------------------------------------------------ arrays: npy and BART's cfl */

/* By ending: .npy, .cfl (with its .hdr), .nii, .nii.gz. A name without an ending is read as BART reads it, as
 * NAME.cfl, where that and NAME.hdr are there. First dimension fastest: NumPy's [z, y, x] is {x, y,
 * z} here, whichever order the file has in memory. */
ARGAND_API ARGAND_MUST_USE argand_status argand_array_read(argand_array **array, const char *path,
                                                           argand_device *device);
ARGAND_API ARGAND_MUST_USE argand_status argand_array_write(const char *path, const argand_array *array);
/* Returns where in the path the ending begins by which these two know its format (".nii.gz"); NULL: they know
 * none. */
ARGAND_API const char *argand_array_ending(const char *path);
/* Returns the endings one by one, the first for index 0; NULL past the last one. */
ARGAND_API const char *argand_array_format(int index);

/* --------------------------------------------------------------------------------- pictures */

/* An 8-bit PNG, grey (channels 1) or red, green, blue (3). pixels: rows from the top. */
ARGAND_API ARGAND_MUST_USE argand_status argand_png_write(const char *path, int width, int height,
                                                          const uint8_t *pixels, int channels);
/* Slices of a real image {nx, ny, tiles...} as a montage, x to the right, y down. Dimensions of 1 are left
 * out where two others follow, so that {1, ny, nz, coils} shows an image for each coil. `low` is black and
 * `high` white. Where both are 0: from 0 to the 99.7th percentile, and for images with negative values (more
 * than a few) from -w to w, so that 0 is mid-grey. columns 0: as square as it gets. */
typedef struct argand_montage_options {
    double low, high;
    int columns, zoom;           /* zoom 0: enlarged to about 768 pixels */
    bool nearest;                /* enlarged by repeating pixels; the default is cubic interpolation */
    const char *const *captions; /* above the slices, in their order; NULL, or NULL for a slice: none */
    int caption_count;
} argand_montage_options;
ARGAND_API ARGAND_MUST_USE argand_status argand_montage_write(const char *path, const argand_array *image,
                                                              const argand_montage_options *options);
/* A line plot of y over its index, on a logarithmic axis if `logarithmic`, as PNG. */
ARGAND_API ARGAND_MUST_USE argand_status argand_plot_write(const char *path, const char *title, int64_t count,
                                                           const double *y, bool logarithmic);

/* ------------------------------------------------------------------------------ plain bytes */

/* Tables, sidecars, reports: written whole or not at all. */
ARGAND_API ARGAND_MUST_USE argand_status argand_bytes_write(const char *path, const void *bytes,
                                                            size_t count);
/* The SHA-256 of a file's bytes, as 64 hexadecimal digits and a NUL: a report says by it which inputs were
 * meant. ARGAND_FILE where it cannot be read. */
enum { ARGAND_SHA256_TEXT = 65 };
ARGAND_API ARGAND_MUST_USE argand_status argand_file_sha256(char text[ARGAND_SHA256_TEXT], const char *path);

/* -------------------------------------------------------------------- several files at once */

/* Files that the calling thread writes with this header's functions after argand_files_begin are complete
 * next to their places, under hidden names, and take their places at argand_files_commit: all of them, or on
 * failure none, and every old file is as it was (ARGAND_FILE names the one that could not be placed).
 * argand_files_abandon removes them. Commits to one folder follow each other. Pairs may be nested: files take
 * their places at the outermost commit, and an abandon removes those since its own begin. Without a pair each
 * file takes its place when it is written. A file that is there keeps its permissions and, where that is
 * allowed, its owner; a symbolic link's end is replaced, not the link; devices and FIFOs are written to,
 * first of all; what nobody may write is refused. Commits end on the disk (fsync of files and folders). */
ARGAND_API void argand_files_begin(void);
ARGAND_API ARGAND_MUST_USE argand_status argand_files_commit(void);
ARGAND_API void argand_files_abandon(void);
/* Removes the unfinished files of all threads, for a process that will end at once: it may be called by a
 * handler of a signal, and nothing else of Argand after it. (Those of a process that was killed are removed
 * when another one writes to their folder.) */
ARGAND_API void argand_files_remove_unfinished(void);

#ifdef __cplusplus
}
#endif
#endif
