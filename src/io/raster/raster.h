/* SPDX-License-Identifier: BSD-3-Clause */
/* What the picture formats share: an open picture, rows of planar floats, and a table of functions for each
 * format. A row is all channels of one line, channel after channel, in linear light. */
#ifndef IO_RASTER_H
#define IO_RASTER_H

#include <argand/picture.h>
#include "base/files/file.h"

enum { RASTER_LONGEST = 1 << 20 };

typedef struct raster_format raster_format;

struct argand_picture {
    const raster_format *format;
    char path[4096];
    argand_picture_info info;
    argand_picture_options options;
    bool writing;
    int64_t next;   /* row */
    float *row;     /* channels x width */
    float *curve;   /* reading: light of each whole number */
    int descriptor; /* of the file that is read */
    uint64_t size;  /* its bytes */
    file_draft draft;
    bool write_failed;
    char note[400];             /* what is to be known of the file and is not in info */
    bool decoded, failed;       /* failed: decoding ended with an error */
    struct isolated_rows *rows; /* of the child process that decodes; NULL: there is none */
    void *state;                /* the format's own */
};

struct raster_format {
    const char *endings[3];
    bool whole_numbers; /* channels may have info.bits */
    const char *lacks;  /* why this build has it not; NULL: it has */
    /* Fills info and state from the head of the file, which is open. */
    argand_status (*open)(argand_picture *p);
    /* Prepares for the first row, and decodes the samples of files that do not come row by row; NULL: none
     * does. decode and read_row may be called in a child process. */
    argand_status (*decode)(argand_picture *p);
    argand_status (*read_row)(argand_picture *p, float *row);
    /* Checks info and writes the head; the draft is begun. like is of the same format, or NULL. create itself
     * is NULL for a format that is read alone. */
    argand_status (*create)(argand_picture *p, const argand_picture *like);
    argand_status (*write_row)(argand_picture *p, const float *row);
    argand_status (*finish)(argand_picture *p); /* what comes after the last row; NULL: nothing */
    void (*close)(argand_picture *p);           /* state may be NULL, and is afterwards */
};

extern const raster_format raster_exr, raster_png, raster_pfm, raster_tiff, raster_jpeg;

/* Exactly `count` bytes from a place of the file that is read. */
argand_status raster_read_at(const argand_picture *p, uint64_t place, void *bytes, size_t count);
/* The same for the file that is written. write_failed says so through a foreign library. */
argand_status raster_write_at(argand_picture *p, uint64_t place, const void *bytes, size_t count);
/* Sides and channels are what the header promises; refused where they make no sense, or where they are more
 * than `packing` times the bytes of the file could hold (1 for plain files), pixel_bytes each. */
argand_status raster_check_size(const argand_picture *p, int64_t width, int64_t height, int64_t channels,
                                int pixel_bytes, uint64_t packing);
/* Adds a sentence to argand_picture_note. */
void raster_note(argand_picture *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Grey, grey and alpha, colour, colour and alpha: their names, which are light, where alpha is. */
argand_status raster_name_channels(argand_picture *p, int channels, bool alpha);

/* Whole numbers of the file to light and back: `levels` is 255 or 65535. */
argand_status raster_make_curve(argand_picture *p, unsigned levels);
/* Alpha is never decoded by the curve. */
float raster_decode(const argand_picture *p, int channel, unsigned code, unsigned levels);
unsigned raster_encode(const argand_picture *p, int channel, float light, unsigned levels);
/* IEEE binary16, rounded to nearest even, cut off at +-65504. */
uint16_t raster_half(float value);
float raster_from_half(uint16_t half);

#endif
