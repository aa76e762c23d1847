/* SPDX-License-Identifier: BSD-3-Clause */
/* C functions for OpenEXR's C++ library. The C library of OpenEXR 3.1 (Debian 12) lacks DWA, misreads B44
 * blocks that are stored raw, and crashes on long attribute names; the C++ library of the same package
 * does not. No exception leaves these functions. Threads: only one thread at a time may use a file. */
#ifndef IO_RASTER_EXR_FILE_H
#define IO_RASTER_EXR_FILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RASTER_EXR_CHANNELS = 32, RASTER_EXR_NAME = 256 };

typedef enum raster_exr_outcome {
    RASTER_EXR_DONE = 0,
    RASTER_EXR_DAMAGED,
    RASTER_EXR_UNSUPPORTED,
    RASTER_EXR_NO_MEMORY
} raster_exr_outcome;

/* Sample types, with their numbers in files. */
typedef enum raster_exr_type {
    RASTER_EXR_UINT = 0,
    RASTER_EXR_HALF = 1,
    RASTER_EXR_FLOAT = 2
} raster_exr_type;

/* Access to the bytes of a file, and the reason of the last failure. read and write return 0, or an error. */
typedef struct raster_exr_bytes {
    const char *path;
    uint64_t size;
    void *user;
    int (*read)(void *user, uint64_t place, void *bytes, size_t count);
    int (*write)(void *user, uint64_t place, const void *bytes, size_t count);
    char reason[256];
} raster_exr_bytes;

typedef struct raster_exr_channel {
    char name[RASTER_EXR_NAME];
    raster_exr_type type;
    int x_step, y_step; /* distance of samples in pixels */
} raster_exr_channel;

typedef struct raster_exr_head {
    int parts, part; /* number of parts in the file; index of the described part */
    char name[64];   /* name of this part; "": none */
    int deep;        /* several samples per pixel; the fields below are not set */
    int tiled;       /* a row of tiles is decoded at once */
    int64_t left, top, width, height;
    int compression;
    int channel_count; /* may exceed RASTER_EXR_CHANNELS; the further channels are not listed */
    raster_exr_channel channels[RASTER_EXR_CHANNELS];
    int has_colours;
    double colours[8]; /* x and y of red, green, blue, white */
} raster_exr_head;

typedef struct raster_exr_file raster_exr_file;
typedef struct raster_exr_draft raster_exr_draft;

/* Returns how many compressions the library reads: numbers 0 to the result - 1. */
int raster_exr_file_compressions(void);
const char *raster_exr_file_version(void);

/* Reads the headers of all parts, and describes part `part` (from 1; 0: the first that is not deep).
 * head->part is -1 if there is no such part. bytes must outlive the file.
 * RASTER_EXR_NO_MEMORY if the samples that are decoded at once are more than 1 GB. */
raster_exr_outcome raster_exr_file_open(raster_exr_file **file, raster_exr_bytes *bytes, int part,
                                        raster_exr_head *head);
/* Sets the buffers for the samples of a row: lines[i] for channel i, 4 bytes per sample. HALF becomes
 * FLOAT; UINT stays. */
raster_exr_outcome raster_exr_file_begin(raster_exr_file *file, const raster_exr_head *head,
                                         void *const *lines);
/* Decodes row `row` of the picture, counted from the top. If rows are read in order, each block is decoded
 * once. */
raster_exr_outcome raster_exr_file_read(raster_exr_file *file, int64_t row);
void raster_exr_file_close(raster_exr_file *file);

/* Begins a file of scan lines with head's channels, size and compression. lines[i]: buffer for rows of
 * channel i, in its type. like: the attributes of its part and all other parts are copied; NULL: none. */
raster_exr_outcome raster_exr_draft_create(raster_exr_draft **draft, raster_exr_bytes *bytes,
                                           const raster_exr_head *head, raster_exr_file *like,
                                           void *const *lines);
/* Writes the next row, from the top. */
raster_exr_outcome raster_exr_draft_write(raster_exr_draft *draft);
/* Completes the file. The `write` function of the bytes sees failures. */
void raster_exr_draft_close(raster_exr_draft *draft);

#ifdef __cplusplus
}
#endif
#endif
