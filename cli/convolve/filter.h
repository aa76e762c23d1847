/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand convolve` and `argand bloom` that work on pictures: where rows come from (source.c)
 * and go (sink.c), the kernel (kernel.c, models.c, glare.c), what happens to a pixel (pixels.c), the
 * convolution of a picture in memory (whole.c) or band by band (bands.c), before and after side by side
 * (compare.c). */
#ifndef CLI_FILTER_H
#define CLI_FILTER_H

#include "convolve/engine.h"

typedef struct filter_settings {
    const char *input, *kernel, *output;
    int border, mode, normalise, range; /* argand_border, argand_conv_mode, _normalise, _range */
    double constant;
    const char *centre, *memory, *compare;
    int part; /* of an EXR file of several, from 1; 0: the first */
    bool correlate, explain;
    double sharpen; /* of the kernel, towards the identity */
    double strength, threshold, scale, exposure;
    const argand_deconv_options *deconv; /* a convolution is undone; NULL: done */
    common_options common;
} filter_settings;

/* Options of commands that are given a kernel, as parts of their tables. */
#define FILTER_KERNEL_OPTIONS(s)                                                            \
    text_option("centre", 0, &(s)->centre, "WHERE",                                         \
                "centre of the kernel: middle (element floor(k/2)), brightest, or x,y,... " \
                "Default: middle"),                                                         \
        choice_option("normalise", 0, &(s)->normalise, "HOW", "none|channel|luminance",     \
                      "divide the kernel by its sum: of each channel, or the luminance of all channels")
#define FILTER_COMPARE_OPTIONS(s)                                   \
    text_option("compare", 'c', &(s)->compare, "FILE.png",          \
                "also write a picture of IN and OUT side by side"), \
        double_option("exposure", 0, &(s)->exposure, "EV", -40, 40, \
                      "multiply the --compare picture by 2^EV")

#define FILTER_PART_OPTION(s) \
    int_option("part", 0, &(s)->part, "N", 0, 1 << 20, "part of an EXR file to filter, from 0")

#define FILTER_RANGE_OPTION(s)                                                                      \
    choice_option("dynamic-range", 0, &(s)->range, "HOW", "auto|narrow|wide",                       \
                  "precision for a high dynamic range. auto: double where dark parts of the image " \
                  "need it; narrow: never; wide: always")

/* The options at the end of every table whose plan is a convolution. */
#define FILTER_IMAGE_OPTIONS(s)                                                                       \
    FILTER_COMPARE_OPTIONS(s), FILTER_PART_OPTION(s),                                                 \
        text_option("memory", 0, &(s)->memory, "BYTES",                                               \
                    "use at most this much memory, such as 500M or 2G. Default: half of the memory"), \
        FILTER_RANGE_OPTION(s),                                                                       \
        flag_option("explain", 'e', &(s)->explain, "also print kernel, padding and plan"),            \
        COMMON_OPTIONS((s)->common)

/* A kernel in the host's memory: planes {width, height, channels}. */
typedef struct filter_kernel {
    float *samples;
    int64_t width, height, centre[2];
    int channels;
    char description[128]; /* what it is, for --explain */
} filter_kernel;

/* Rows of a picture's file, or of an array that is in memory. */
typedef struct filter_source {
    argand_picture *picture;
    argand_picture_info info;
    float *memory; /* planes, where there is no picture */
    int64_t next;
    argand_geometry geometry;
} filter_source;

/* Rows to a picture's file, or to memory and then to an array's file. */
typedef struct filter_sink {
    const char *path;
    argand_picture *picture;
    argand_picture_info info;
    float *memory;
    int64_t next;
    const filter_source *like;
} filter_sink;

typedef struct filter_compare filter_compare;

typedef struct filter_job {
    const filter_settings *s;
    argand_device *device;
    report *out;
    filter_source source;
    filter_sink sink;
    filter_kernel kernel;
    filter_compare *compare;
    int lights, light[ARGAND_PICTURE_CHANNELS]; /* channels that are convolved */
    int64_t width, height;                      /* of the result */
    int64_t first[2];                           /* the pixel of the picture that result 0 stands on */
    double memory;                              /* bytes that may be used */
    double sharpness;                           /* of the plan */
    const argand_deconv_options *deconv;        /* of the plan: a convolution is undone; NULL: done */
    int64_t bands;                              /* 0: in one piece */
    int64_t wide;                               /* pieces whose dynamic range asked for double precision */
} filter_job;

/* Opens IN; arrays {x, y}, {x, y, channels} and {channels, x, y} of 3 or 4 channels are pictures, too.
 * options: of pictures; NULL: the usual ones. */
argand_status source_open(filter_source *source, const char *path, const argand_picture_options *options);
/* Planes of the next rows. */
argand_status source_read(filter_source *source, int64_t rows, float *planes);
void source_close(filter_source *source);

/* Begins OUT in the format of its name, as like the source as that allows. */
argand_status sink_open(filter_sink *sink, const char *path, const filter_source *like, int64_t width,
                        int64_t height);
argand_status sink_write(filter_sink *sink, const float *row); /* one row, channel after channel */
argand_status sink_finish(filter_sink *sink);
void sink_close(filter_sink *sink);
/* Whether such a file can be written, before any work. */
argand_status sink_check(const char *path);

/* A kernel of a file: a picture's light, or an array. */
argand_status kernel_read(filter_kernel *kernel, const char *path);
/* Its centre, by --centre: middle, brightest, or "x,y"; out is told where it is not the brightest. */
argand_status kernel_find_centre(filter_kernel *kernel, const char *centre, const char *path, report *out);
argand_status kernel_scale(filter_kernel *kernel, double scale);
/* As many channels as there are to be: one for all, or each its own. */
argand_status kernel_fit(filter_kernel *kernel, int lights, const char *path);
/* Divided by the sum of each channel, or by the luminance of all; refused where that is 0 or not finite. */
argand_status kernel_normalise(filter_kernel *kernel, int how, const char *path);
argand_status kernel_check(const filter_kernel *kernel, const char *path);
void kernel_free(filter_kernel *kernel);
argand_status kernel_take(filter_kernel *kernel, int64_t width, int64_t height, int channels);
/* A model of FILTER_MODELS for a picture of this size. */
#define FILTER_MODELS "glare|gaussian|disc|heart"
argand_status kernel_model(filter_kernel *kernel, int model, int64_t width, int64_t height, double scale);
argand_status kernel_glare(filter_kernel *kernel, int64_t width, int64_t height, double scale);

/* An array of single reals as the host sees it: its own memory, or a copy where the device has another. */
typedef struct filter_buffer {
    argand_array *array;
    float *samples;
    bool copy;
} filter_buffer;

argand_status filter_buffer_open(filter_buffer *buffer, argand_device *device, const int64_t dims[3]);
void filter_buffer_close(filter_buffer *buffer);
/* first, count: what of `in` is no border (argand_conv_apply_part); NULL: all. */
argand_status filter_buffer_convolve(const filter_engine *engine, filter_buffer *out, filter_buffer *in,
                                     const int64_t *first, const int64_t *count);

/* One row, channel after channel: colours times their coverage. */
void pixels_associate(const filter_job *job, float *row);
/* What of a row is convolved: all of its light, or what lies above the threshold. planes[k]: of light k. */
void pixels_select(const filter_job *job, const float *row, float *const *planes);
/* The result from the picture's row (as pixels_associate left it) and the convolved one. */
void pixels_mix(const filter_job *job, float *row, const float *const *convolved);
void pixels_write_form(const filter_job *job, float *row);
bool pixels_keep_row(const filter_job *job); /* the row itself is part of the result */
/* Which element of n stands at place i beyond the border; -1: the constant. */
int64_t pixels_border(int64_t i, int64_t n, int border);

/* Opens the job's IN (again), as its OUT can take it. */
argand_status filter_open_source(filter_source *source, const filter_settings *s);
/* Opens it for the job: its lights are counted, and what is to be known of the file is said. */
argand_status filter_begin(filter_job *job);
/* Reads, convolves, writes. */
argand_status filter_run(filter_job *job);
argand_status filter_whole(filter_job *job, filter_engine *engine);
argand_status filter_bands(filter_job *job, int64_t rows);
/* The plan for one piece of the picture. */
argand_status filter_plan(filter_engine *engine, const filter_job *job, int64_t width, int64_t height,
                          argand_conv_mode mode);
argand_status filter_use_kernel(filter_engine *engine, const filter_job *job);
argand_conv_options filter_options(const filter_job *job, int64_t width, int64_t height,
                                   argand_conv_mode mode);
/* The kernel's samples on the job's device, {width, height, channels}. */
argand_status filter_kernel_array(argand_array **kernel, const filter_job *job);
/* Bytes of the memory that are for pictures of a high dynamic range: a quarter, or what the library's second
 * plan takes at least. */
double filter_range_memory(const filter_job *job);
/* A row of the result: mixed, written, compared. before: the picture's, as associated; NULL: none there. */
argand_status filter_put_row(filter_job *job, const float *before, const float *const *convolved, float *row);
/* A row of the picture as wide as the result: itself, or a copy in `line` with zeros around it. */
const float *filter_row_under(const filter_job *job, const float *row, float *line);
/* Says what a high dynamic range cost, and what takes less; wide: how many pieces. */
void filter_note_range(report *out, const char *input, int64_t wide, bool is_double);
/* Says where Wiener's noise was raised to its floor; device: of the kernel. */
argand_status filter_note_noise(report *out, const argand_array *kernel,
                                const argand_deconv_options *options);
void filter_explain(const filter_job *job, const filter_engine *engine);
/* "1G", "500M", "64k" or bytes. */
argand_status filter_memory(double *bytes, const char *text);

argand_status compare_open(filter_compare **compare, const char *path, const filter_job *job);
void compare_add(filter_compare *compare, const float *before, const float *after);
argand_status compare_write(const filter_compare *compare);
void compare_close(filter_compare *compare);

#endif
