/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by all picture formats: an open picture, rows of planar floats, and a table of functions for each
 * format. A row holds all channels of one line, one after the other, in linear light. */
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
    int64_t stored_width, stored_height; /* reading: size of the rows in the file, before they are turned */
    int orientation;                     /* reading: of EXIF, 1 (upright) to 8 */
    int64_t next;                        /* index of the next row */
    float *row;                          /* channels x width */
    float *curve;                        /* reading: linear light of each code */
    int descriptor;                      /* input file */
    uint64_t size;                       /* of the input file, bytes */
    file_draft draft;
    bool write_failed;
    char note[400];             /* remarks on the file that are not in info */
    bool decoded, failed;       /* failed: decoding ended with an error */
    struct isolated_rows *rows; /* rows from the child process that decodes; NULL: none */
    void *state;                /* state of the format */
};

struct raster_format {
    const char *endings[3];
    bool whole_numbers; /* channels may have info.bits */
    const char *lacks;  /* reason why this build lacks the format; NULL: it has the format */
    /* Fills info and state from the head of the open file. */
    argand_status (*open)(argand_picture *p);
    /* Prepares for the first row. Decodes all samples of files that cannot be read row by row. NULL:
     * nothing to do. decode and read_row may run in a child process. */
    argand_status (*decode)(argand_picture *p);
    argand_status (*read_row)(argand_picture *p, float *row);
    /* Checks info and writes the head to the open draft. like: a picture of the same format, or NULL.
     * create is NULL for formats that are only read. */
    argand_status (*create)(argand_picture *p, const argand_picture *like);
    argand_status (*write_row)(argand_picture *p, const float *row);
    argand_status (*finish)(
        argand_picture *p);           /* completes the file after the last row; NULL: nothing to do */
    void (*close)(argand_picture *p); /* frees state, which may be NULL, and sets it to NULL */
};

extern const raster_format raster_exr, raster_png, raster_pfm, raster_tiff, raster_jpeg;

/* Reads exactly `count` bytes at an offset of the input file. */
argand_status raster_read_at(const argand_picture *p, uint64_t place, void *bytes, size_t count);
/* Writes bytes at an offset of the output file. Failures also set write_failed, because a foreign library
 * in between may lose the status. */
argand_status raster_write_at(argand_picture *p, uint64_t place, const void *bytes, size_t count);
/* Checks the size that a header claims. Refuses unreasonable sizes, and pictures of pixel_bytes per pixel
 * that are more than `packing` times as large as the file (1 for uncompressed files). */
argand_status raster_check_size(const argand_picture *p, int64_t width, int64_t height, int64_t channels,
                                int pixel_bytes, uint64_t packing);
/* Adds a sentence to argand_picture_note. */
void raster_note(argand_picture *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Names the channels of grey or colour, with or without alpha. Sets which are light and where alpha is. */
argand_status raster_name_channels(argand_picture *p, int channels, bool alpha);

/* Returns the orientation, 1 to 8, in EXIF data, which begin with a TIFF header; 1 if there is none. */
int raster_exif_orientation(const unsigned char *exif, size_t count);
/* Sets the size of the upright picture and of the rows in the file; adds a note if they differ. */
void raster_set_size(argand_picture *p, int64_t width, int64_t height, int orientation, const char *said_by);
/* Finds the stored pixel that is shown at (x, y) of the upright picture. */
void raster_place(int64_t from[2], int64_t x, int64_t y, const argand_picture *p);
/* Takes the transfer curve of an ICC profile, or adds a note that the numbers are taken as sRGB. */
void raster_use_profile(argand_picture *p, const unsigned char *profile, size_t count);

/* Convert integer codes of the file to light and back. levels: 255 or 65535. */
argand_status raster_make_curve(argand_picture *p, unsigned levels);
/* The curve does not apply to alpha. */
float raster_decode(const argand_picture *p, int channel, unsigned code, unsigned levels);
unsigned raster_encode(const argand_picture *p, int channel, float light, unsigned levels);
/* The same for colours that are stored multiplied by alpha, as code times alpha: fractions of the levels. */
float raster_decode_multiplied(const argand_picture *p, float code, float alpha);
float raster_encode_multiplied(const argand_picture *p, float light, float alpha);
/* Convert to and from IEEE binary16. raster_half rounds to nearest even and clamps to +-65504. */
uint16_t raster_half(float value);
float raster_from_half(uint16_t half);

#endif
