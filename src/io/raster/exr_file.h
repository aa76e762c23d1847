/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenEXR's C++ library behind C functions. The C library of OpenEXR 3.1 (Debian 12) has no DWA, misreads
 * blocks of B44 that are stored raw, and crashes on long names of attributes; the C++ library of the same
 * package has none of these faults. No exception leaves these functions. Threads: one file belongs to one
 * thread. */
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

/* The numbers that files have for them. */
typedef enum raster_exr_type {
    RASTER_EXR_UINT = 0,
    RASTER_EXR_HALF = 1,
    RASTER_EXR_FLOAT = 2
} raster_exr_type;

/* The bytes of a file, and the reason of the last failure. read and write return 0, or an error. */
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
    int x_step, y_step; /* one sample for so many pixels */
} raster_exr_channel;

typedef struct raster_exr_head {
    int parts, part; /* of the file; the one that is read, from 0 */
    char name[64];   /* of that part; "": none */
    int deep;        /* several samples for a pixel: no more is described */
    int tiled;       /* lines of several tiles are decoded at once */
    int64_t left, top, width, height;
    int compression;
    int channel_count; /* may be above RASTER_EXR_CHANNELS, which are listed */
    raster_exr_channel channels[RASTER_EXR_CHANNELS];
    int has_colours;
    double colours[8]; /* x and y of red, green, blue, white */
} raster_exr_head;

typedef struct raster_exr_file raster_exr_file;
typedef struct raster_exr_draft raster_exr_draft;

/* Compressions 0 to this number - 1 are read by the library. */
int raster_exr_file_compressions(void);
const char *raster_exr_file_version(void);

/* Reads the headers of all parts, and describes part `part` (from 1; 0: the first that is not deep).
 * head->part is -1 if there is no such part. bytes must outlive the file.
 * RASTER_EXR_NO_MEMORY if the samples that are decoded at once are more than 1 GB. */
raster_exr_outcome raster_exr_file_open(raster_exr_file **file, raster_exr_bytes *bytes, int part,
                                        raster_exr_head *head);
/* Where the samples of a row go: 4 bytes each, lines[i] for channel i. UINT stays, HALF becomes FLOAT. */
raster_exr_outcome raster_exr_file_begin(raster_exr_file *file, const raster_exr_head *head,
                                         void *const *lines);
/* Row `row` of the picture, counted from its top. Rows in order are decoded once. */
raster_exr_outcome raster_exr_file_read(raster_exr_file *file, int64_t row);
void raster_exr_file_close(raster_exr_file *file);

/* Begins a file of scan lines: head's channels, size, compression. like: attributes of its part go along, and
 * its other parts are copied as they are; NULL: none. lines[i]: where rows of channel i are, in its type. */
raster_exr_outcome raster_exr_draft_create(raster_exr_draft **draft, raster_exr_bytes *bytes,
                                           const raster_exr_head *head, raster_exr_file *like,
                                           void *const *lines);
/* The next row, from the top. */
raster_exr_outcome raster_exr_draft_write(raster_exr_draft *draft);
/* Completes the file. The bytes' write says whether that failed. */
void raster_exr_draft_close(raster_exr_draft *draft);

#ifdef __cplusplus
}
#endif
#endif
