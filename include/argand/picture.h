/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.h: pictures in files, read and written row by row or whole: OpenEXR (.exr), PNG of 8 and 16 bits
 * (.png), portable float maps (.pfm), TIFF of 8, 16 and 32 bits (.tif, .tiff). JPEG (.jpg, .jpeg) is read but
 * not written. Samples are linear light as floats, whatever the file keeps: integers are decoded by the
 * file's transfer curve on reading (of its colour profile, cICP, gAMA; sRGB if the file names none) and
 * encoded by it on writing. TIFF keeps no curve: write it with ARGAND_TRANSFER_SRGB, or like a picture whose
 * profile is copied. Everything else that the file holds (attributes, colour profile, resolution, texts) is
 * copied into a file of the same format that is made like it. Rows are those of the upright picture, if the
 * file has an orientation (EXIF, TIFF).
 *
 * Limits: sides of 1 to 2^20 pixels, 32 channels. Whole numbers of 32 bits (UINT of EXR) are exact to 2^24 as
 * floats, and always exact with the option bits. Sizes that a file claims are compared with its length before
 * memory is taken. Threads: a picture belongs to one thread at a time; several threads may use different
 * pictures at once. Refused: unknown endings, what a format cannot hold (ARGAND_ARGUMENT,
 * ARGAND_UNSUPPORTED); files that cannot be opened or written (ARGAND_FILE); damage and contradictions
 * (ARGAND_FORMAT); a format that this build was made without (ARGAND_UNSUPPORTED, with the package's name);
 * samples that are NaN or infinite, unless the options allow them (ARGAND_NUMERIC). NULL: see argand.h;
 * options, strides and like may be NULL. */
#ifndef ARGAND_PICTURE_H
#define ARGAND_PICTURE_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ARGAND_PICTURE_CHANNELS = 32 };

typedef struct argand_picture argand_picture;

/* Type of a sample in the file. */
typedef enum argand_sample {
    ARGAND_SAMPLE_U8 = 1,
    ARGAND_SAMPLE_U16 = 2,
    ARGAND_SAMPLE_F16 = 3, /* half precision; larger values are written as 65504 */
    ARGAND_SAMPLE_F32 = 4
} argand_sample;

/* Relation between integers in the file and linear light. */
typedef enum argand_transfer {
    ARGAND_TRANSFER_LINEAR = 0, /* proportional to light */
    ARGAND_TRANSFER_SRGB = 1,   /* IEC 61966-2-1 */
    ARGAND_TRANSFER_POWER = 2   /* light to the power of `gamma` */
} argand_transfer;

typedef struct argand_picture_info {
    int64_t width, height;
    int channels;
    int alpha;       /* index of the coverage channel, which is never decoded by a curve; -1: none */
    bool associated; /* colours are already multiplied by alpha (EXR, TIFF's associated), or not (PNG) */
    uint32_t light;  /* bit c: channel c is light; other channels are depth, object numbers, coverage */
    char names[ARGAND_PICTURE_CHANNELS][256]; /* "R", "G", "B", "A", "Y", "diffuse.R", ... */
    argand_sample sample;
    argand_transfer transfer;
    double gamma;  /* for ARGAND_TRANSFER_POWER */
    uint32_t bits; /* bit c: rows of channel c hold a uint32_t in the place of each float (UINT of EXR) */
} argand_picture_info;

typedef struct argand_picture_options {
    bool stored;     /* read integers as stored, scaled to 0 to 1, without the file's curve */
    bool not_finite; /* accept NaN and infinity */
    bool bits; /* read UINT channels of EXR that are not light as uint32_t in place of floats: info.bits */
    int part;  /* part of a multi-part EXR file, from 1; 0: the first that is not deep */
    bool isolated; /* A child process with limits decodes the samples, see argand_scan_read_isolated. */
} argand_picture_options;

/* Returns true if the name ends like a picture's (.exr, .png, .pfm, .tif, .tiff, .jpg, .jpeg). No file
 * is opened. */
ARGAND_API bool argand_picture_is_known(const char *path);
/* Returns true if Argand also writes files with this ending. */
ARGAND_API bool argand_picture_is_written(const char *path);
/* Returns NULL if this build has the format of this name, otherwise the reason why not. */
ARGAND_API const char *argand_picture_lacks(const char *path);

/* Opens a file to read. One part of an EXR file is read (options), and the finest level of its tiles;
 * luminance and chroma (Y, RY, BY) become R, G, B. */
ARGAND_API ARGAND_MUST_USE argand_status argand_picture_open(argand_picture **picture, const char *path,
                                                             const argand_picture_options *options);
ARGAND_API ARGAND_MUST_USE argand_status argand_picture_describe(const argand_picture *picture,
                                                                 argand_picture_info *info);
/* Returns sentences about what the picture lacks or changes of the file; "" if there is nothing to say.
 * The text belongs to the picture. */
ARGAND_API const char *argand_picture_note(const argand_picture *picture);
/* Reads the next rows, from the top. strides: elements from pixel to pixel, row to row, channel to
 * channel; NULL: planes of `rows` rows, {1, width, width rows}. */
ARGAND_API ARGAND_MUST_USE argand_status argand_picture_read(argand_picture *picture, int64_t rows,
                                                             float *samples, const int64_t strides[3]);

/* Creates a file with info's size, channels and sample type. ARGAND_ARGUMENT: the format does not have
 * them; the message names those that it has. like: an open picture, or NULL. If both formats are the same,
 * attributes, profiles and texts are copied from it, and for EXR the other parts. */
ARGAND_API ARGAND_MUST_USE argand_status argand_picture_create(argand_picture **picture, const char *path,
                                                               const argand_picture_info *info,
                                                               const argand_picture *like);
/* Writes the next rows. Integers are rounded and clamped to 0 and 1, halves to 65504. */
ARGAND_API ARGAND_MUST_USE argand_status argand_picture_write(argand_picture *picture, int64_t rows,
                                                              const float *samples, const int64_t strides[3]);
/* Completes the file after the last row and moves it to its path. */
ARGAND_API ARGAND_MUST_USE argand_status argand_picture_finish(argand_picture *picture);
/* Destroys a picture; NULL is allowed. The file of a picture that was not finished is removed. */
ARGAND_API void argand_picture_close(argand_picture *picture);

/* Reads the remaining rows into a new array {width, rows, channels}, or {channels, width, rows} if
 * interleaved, of type ARGAND_R32 or ARGAND_R16. */
ARGAND_API ARGAND_MUST_USE argand_status argand_picture_load(argand_array **array, argand_picture *picture,
                                                             argand_device *device, argand_type type,
                                                             bool interleaved);
/* Writes all rows from an array of this shape and calls argand_picture_finish. */
ARGAND_API ARGAND_MUST_USE argand_status argand_picture_save(argand_picture *picture,
                                                             const argand_array *array, bool interleaved);

/* Convert by the sRGB curve between code and linear light, for numbers from 0 to 1. Below 0 the curve is
 * continued as an odd function, above 1 by the same formula. */
ARGAND_API double argand_srgb_decode(double code);
ARGAND_API double argand_srgb_encode(double light);

#ifdef __cplusplus
}
#endif
#endif
