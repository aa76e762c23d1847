/* SPDX-License-Identifier: BSD-3-Clause */
/* ISMRMRD's messages (MRD streams, version 1) for all commands: a 2-byte number names the type of each
 * message; all numbers are little-endian. `argand serve` moves them over TCP, other commands through pipes:
 *   pass.c     passes over what follows a message's number
 *   spool.c    takes a stream from a pipe into memory, from which it is read as a file
 *   sink.c     writes a stream to a pipe
 *   image.c    the message of an image; images that a stream holds
 *   latency.c  latencies of images, for serve and stream (latency.h) */
#ifndef CLI_MRD_H
#define CLI_MRD_H

#include "common/report.h"

/* Message identifiers. */
enum {
    MRD_CONFIG_FILE = 1,
    MRD_CONFIG_TEXT = 2,
    MRD_HEADER = 3,
    MRD_CLOSE = 4,
    MRD_TEXT = 5,
    MRD_ACQUISITION = 1008,
    MRD_IMAGE = 1022,
    MRD_WAVEFORM = 1026,
    MRD_ARRAY = 1030
};
enum { MRD_CONFIG_FILE_BYTES = 1024, MRD_MOST_TEXT = 16 << 20 };

/* ---- passing over messages */

/* Where the bytes of messages come from. */
typedef struct mrd_source {
    argand_status (*read)(void *context, void *to, size_t bytes);
    argand_status (*skip)(void *context, uint64_t bytes);
    void *context;
    const char *name; /* for messages */
} mrd_source;

argand_status mrd_number(const mrd_source *s, uint64_t *number, int bytes);
/* Passes over a message whose number has been read. ARGAND_FORMAT: ISMRMRD has no such message, or its sizes
 * make no sense. */
argand_status mrd_pass(const mrd_source *s, int message);

/* ---- a stream from a pipe */

/* Returns true for "-" (standard input or output) and for the names of pipes, unless these end as array
 * files do: such a pipe takes an array. */
bool mrd_is_pipe(const char *path);

/* A stream that was received: its bytes in memory that has a name. */
typedef struct mrd_spool {
    const char *name; /* for messages: "standard input", or the pipe's name */
    char path[64];    /* to read it from */
    int memory;
    bool is_whole; /* an HDF5 file or a stream of MRD 2; nothing is counted */
    int64_t acquisitions, images;
    uint64_t *places; /* offset of each image's head */
} mrd_spool;

/* Receives a stream up to its closing message, or an HDF5 file up to the end. Refuses terminals, streams that
 * end too early, other data, and more than a third of the machine's memory. A second call for the same path
 * returns the same spool, until it is closed. */
argand_status mrd_spool_open(mrd_spool **spool, const char *path);
void mrd_spool_close(mrd_spool *spool);
/* Reads bytes of a spool. */
argand_status mrd_spool_read(const mrd_spool *spool, uint64_t at, void *to, size_t bytes);

/* ---- a stream to a pipe */

typedef struct mrd_sink {
    const char *name;
    const char *path; /* NULL: standard output */
    int descriptor, held;
} mrd_sink;

/* Prepares a stream before the work begins. "-": refuses a terminal; what is printed goes to standard error
 * from now on. A named pipe: lets its readers wait, which get an end of file if the command fails. */
argand_status mrd_sink_prepare(mrd_sink *sink, const char *path);
/* Opens the prepared stream, and waits for the reader of a named pipe. */
argand_status mrd_sink_open(mrd_sink *sink);
/* Writes bytes; `sink` is a mrd_sink, so that this suits argand_scan_write_messages. */
argand_status mrd_sink_write(void *sink, const void *bytes, size_t count);
argand_status mrd_sink_message(mrd_sink *sink, int message);
argand_status mrd_sink_header(mrd_sink *sink, const char *xml);
void mrd_sink_close(mrd_sink *sink);

/* ---- images */

typedef argand_status (*mrd_writer)(void *context, const void *bytes, size_t count);
/* Writes what follows the number of an image's message: head, attributes, numbers. */
argand_status mrd_write_image(mrd_writer write, void *context, const argand_scan_image *image,
                              const char *attributes, const void *numbers);

/* An image of a spool. */
typedef struct mrd_image {
    uint64_t at;       /* offset of its numbers */
    uint64_t n[4];     /* x, y, z, channels */
    int type, series;  /* ISMRMRD's data_type, image_series_index */
    float view[3];     /* field of view, mm */
    float position[3]; /* mm, LPS */
    float read_dir[3], phase_dir[3], slice_dir[3];
    argand_counters counters;
} mrd_image;
argand_status mrd_image_of(mrd_image *image, const mrd_spool *spool, int64_t index);

#endif
