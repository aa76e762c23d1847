/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that the parts of the reader of Siemens raw files (twix, .dat) share while they read one file. The
 * parts in the order in which they run: measurement (where each measurement of the file lies), protocol
 * (values of its header), lines (its measurement data headers, MDH), header (ISMRMRD's header from the
 * protocol), read (samples). The format is described by the sources of siemens_to_ismrmrd, twixtools and
 * pymapvbvd. All numbers are little-endian. */
#ifndef IO_TWIX_TWIX_H
#define IO_TWIX_TWIX_H

#include "io/scans/scans.h"

enum {
    TWIX_MOST_MEASUREMENTS = 64,
    TWIX_VALUE = 256 /* longest value of the header, with its NUL */
};

/* A coil element of a measurement's protocol. */
typedef struct twix_coil {
    char name[160]; /* coil, copy and element */
    int channel;    /* of the converter; the file's channels are in this order */
    bool selected;
} twix_coil;

/* Values of a measurement's header. Both parts lie in `chars`, which is as the file has it. */
typedef struct twix_protocol {
    char *chars;
    const char *yaps, *meas; /* ASCCONV of "MeasYaps" (else of "Phoenix"), XProtocol of "Meas" */
    size_t yaps_length, meas_length;
    twix_coil *coils; /* selected ones, in the order of the channels */
    int coil_count;
} twix_protocol;

typedef struct twix_measurement {
    uint64_t at, end;    /* bytes of the file; end: at most the file's size */
    uint64_t first_line; /* place of the first MDH */
    twix_protocol protocol;
} twix_measurement;

/* What an MDH says of a line, whichever version of the scanner's software wrote it. */
typedef struct twix_line {
    uint32_t bytes; /* flags and DMA length */
    uint32_t uid, counter, time_stamp, physiology, since_pulse;
    uint64_t mask;
    uint16_t samples, channels, counters[14], cut_pre, cut_post, centre_column, centre_line, centre_partition;
    uint16_t ice[24];
    float position[3], quaternion[4], table[3];
} twix_line;

/* Bits of the evaluation mask. */
enum {
    TWIX_END = 0,
    TWIX_RT_FEEDBACK = 1,
    TWIX_HP_FEEDBACK = 2,
    TWIX_SYNC = 5,
    TWIX_LAST_IN_MEASUREMENT = 11,
    TWIX_STABILIZATION_REFERENCE = 14,
    TWIX_STABILIZATION = 15,
    TWIX_PHASE_CORRECTION = 21,
    TWIX_REFERENCE = 22,
    TWIX_REFERENCE_AND_IMAGE = 23,
    TWIX_REFLECT = 24,
    TWIX_NOISE = 25,
    TWIX_FIRST_IN_SLICE = 28,
    TWIX_LAST_IN_SLICE = 29,
    TWIX_RETRO_END = 46,
    TWIX_DUMMY = 51
};

/* Where the samples of a kept line lie. */
typedef struct twix_place {
    uint64_t at;     /* header of the first channel */
    bool of_noise;   /* a line of the noise measurement, whose channels are mapped */
    uint16_t stored; /* channels in the file */
} twix_place;

typedef struct twix_file {
    const char *path;
    int descriptor;
    uint64_t size;
    bool old; /* VB: one measurement, and an MDH for each channel */
    int count;
    twix_measurement *measurements;
    twix_place *places; /* of reader->heads */
    int64_t reserved;
    int64_t syncs;       /* blocks of physiology, which are left out */
    int image, noise;    /* chosen measurements; noise -1: none */
    int channels;        /* of the image's lines */
    int *noise_channels; /* channel of a noise line for each channel of the image; NULL: the same */
    bool cut;            /* the measurement that was read last has no end mark */
} twix_file;

/* Reads bytes of the file; `what` names them in messages. */
argand_status twix_take(const twix_file *file, void *to, uint64_t at, uint64_t bytes, const char *what);
uint64_t twix_number(const uint8_t *bytes, int count);

/* Finds the measurements of the file. */
argand_status twix_find_measurements(twix_file *file);
/* Reads the header of a measurement. */
argand_status twix_read_protocol(const twix_file *file, int measurement);
/* Chooses the measurement of the image: the last, or the one whose number, from 1, is `name`. */
argand_status twix_choose(twix_file *file, const char *name);

/* Return true and a value of the protocol, as text, without quotes. A key of ASCCONV is a path; of
 * XProtocol, a name, of which the first one with a value counts, those of the map YAPS first. */
bool twix_yaps(char value[TWIX_VALUE], const twix_protocol *protocol, const char *key);
bool twix_meas(char value[TWIX_VALUE], const twix_protocol *protocol, const char *name);
/* Return a value as a number, or `otherwise` if it is not there or is not a finite number. */
double twix_yaps_number(const twix_protocol *protocol, const char *key, double otherwise);
double twix_meas_number(const twix_protocol *protocol, const char *name, double otherwise);
/* Rounds towards 0; `otherwise` if no int can be meant. */
int twix_whole(double number, int otherwise);
argand_status twix_read_coils(twix_protocol *protocol);

/* Appends the heads of a measurement's lines to reader->heads: only noise lines if `noise_only`. */
argand_status twix_read_lines(scan_reader *reader, twix_file *file, int measurement, bool noise_only);

/* Returns the first line of image data, or any line if there is none. */
const ismrmrd_head *twix_first_image(const scan_reader *reader);
/* Returns true if the protocol describes the readout of EPI with ramps. */
bool twix_has_ramps(const twix_protocol *protocol);
/* Makes ISMRMRD's header of the chosen measurement after its lines were read. */
argand_status twix_make_header(scan_reader *reader, const twix_file *file);

#endif
