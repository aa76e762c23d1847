/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand convolve` and `argand bloom` that work on pictures: rows are read (source.c) and
 * written (sink.c), kernels are made (kernel.c, models.c, glare.c), pixels are prepared and mixed
 * (pixels.c), a picture is convolved in memory (whole.c) or in bands (bands.c), before and after are shown
 * side by side (compare.c). */
#ifndef CLI_FILTER_H
#define CLI_FILTER_H

#include "convolve/engine.h"

typedef struct filter_settings {
    const char *input, *kernel, *output;
    int border, mode, normalise, range; /* argand_border, argand_conv_mode, _normalise, _range */
    double constant;
    const char *centre, *memory, *compare;
    int part; /* of an EXR file with several parts, from 1; 0: the first */
    bool correlate, explain;
    double sharpen; /* sharpens the kernel, towards the identity */
    double strength, threshold, scale, exposure;
    const argand_deconv_options *deconv; /* deconvolution options; NULL: convolves */
    common_options common;
} filter_settings;

/* Options of commands that take a kernel. */
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

#define FILTER_PART_OPTION(s)                          \
    int_option("part", 0, &(s)->part, "N", 0, 1 << 20, \
               "part of an EXR file to filter: 1 is the first, 0 the first that is not deep")

#define FILTER_RANGE_OPTION(s)                                                                      \
    choice_option("dynamic-range", 0, &(s)->range, "HOW", "auto|narrow|wide",                       \
                  "precision for a high dynamic range. auto: double where dark parts of the image " \
                  "need it; narrow: never; wide: always")

/* Options at the end of the table of each command that convolves. */
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
    char description[128]; /* for --explain */
} filter_kernel;

/* Source of rows: a picture's file, or an array in memory. */
typedef struct filter_source {
    argand_picture *picture;
    argand_picture_info info;
    float *memory;    /* planes, if there is no picture */
    bool is_tiff;     /* the picture's file is TIFF */
    bool interleaved; /* the array has the channels of a pixel together, and so has its result */
    int64_t next;
    argand_geometry geometry;
} filter_source;

/* Destination of rows: a picture's file, or memory that is then written as an array. */
typedef struct filter_sink {
    const char *path;
    argand_picture *picture;
    argand_picture_info info;
    float *memory;
    int64_t next;
    const filter_source *like;
    int64_t clipped; /* samples that the file's whole numbers cannot hold */
    float least, largest;
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
    int64_t first[2];                    /* the pixel of the picture at the position of the result's first */
    double memory;                       /* maximum of bytes */
    double sharpness;                    /* sharpness of the plan */
    const argand_deconv_options *deconv; /* deconvolution options of the plan; NULL: convolves */
    int64_t bands;                       /* 0: the whole picture at once */
    int64_t wide;                        /* pieces whose dynamic range required double precision */
} filter_job;

/* Opens IN. Arrays {x, y}, {x, y, channels} and {channels, x, y} with 3 or 4 channels count as pictures.
 * options: for pictures; NULL: the defaults. */
argand_status source_open(filter_source *source, const char *path, const argand_picture_options *options);
/* Reads the planes of the next rows. */
argand_status source_read(filter_source *source, int64_t rows, float *planes);
void source_close(filter_source *source);

/* Begins OUT in the format of its name, with the source's properties as far as the format allows. */
argand_status sink_open(filter_sink *sink, const char *path, const filter_source *like, int64_t width,
                        int64_t height);
argand_status sink_write(filter_sink *sink, const float *row); /* one row, channel by channel */
argand_status sink_finish(filter_sink *sink);
void sink_note_clipped(const filter_sink *sink, report *out);
void sink_close(filter_sink *sink);
/* Returns an error before any work if such a file cannot be written. */
argand_status sink_check(const char *path);

/* Reads a kernel: the light of a picture, or an array. */
argand_status kernel_read(filter_kernel *kernel, const char *path);
/* Sets the centre from --centre: middle, brightest, or "x,y". Prints a note if it is not the brightest
 * pixel. */
argand_status kernel_find_centre(filter_kernel *kernel, const char *centre, const char *path, report *out);
argand_status kernel_scale(filter_kernel *kernel, double scale);
/* Adapts the number of channels: one for all lights, or one for each. */
argand_status kernel_fit(filter_kernel *kernel, int lights, const char *path);
/* Divides each channel by its sum, or all by their luminance. Refuses a divisor that is 0 or not finite. */
argand_status kernel_normalise(filter_kernel *kernel, int how, const char *path);
argand_status kernel_check(const filter_kernel *kernel, const char *path);
void kernel_free(filter_kernel *kernel);
argand_status kernel_take(filter_kernel *kernel, int64_t width, int64_t height, int channels);
/* Makes a model of FILTER_MODELS for a picture of this size. */
#define FILTER_MODELS "glare|gaussian|disc|heart"
argand_status kernel_model(filter_kernel *kernel, int model, int64_t width, int64_t height, double scale);
argand_status kernel_glare(filter_kernel *kernel, int64_t width, int64_t height, double scale);

/* An array of single-precision reals that the host can access: the array's own memory, or a copy if the
 * device's memory is separate. */
typedef struct filter_buffer {
    argand_array *array;
    float *samples;
    bool copy;
} filter_buffer;

argand_status filter_buffer_open(filter_buffer *buffer, argand_device *device, const int64_t dims[3]);
void filter_buffer_close(filter_buffer *buffer);
/* first, count: the part of `in` that is not border (argand_conv_apply_part); NULL: all. */
argand_status filter_buffer_convolve(const filter_engine *engine, filter_buffer *out, filter_buffer *in,
                                     const int64_t *first, const int64_t *count);

/* Multiplies the colours of a row, stored channel by channel, by their coverage. */
void pixels_associate(const filter_job *job, float *row);
/* Selects the light of a row to convolve: all of it, or what exceeds the threshold. planes[k]: light k. */
void pixels_select(const filter_job *job, const float *row, float *const *planes);
/* Mixes the picture's row (after pixels_associate) and the convolved row into the result. */
void pixels_mix(const filter_job *job, float *row, const float *const *convolved);
void pixels_write_form(const filter_job *job, float *row);
bool pixels_keep_row(const filter_job *job); /* true if the row itself is part of the result */
/* Returns the element of n that stands for index i beyond the border; -1: the constant. */
int64_t pixels_border(int64_t i, int64_t n, int border);

/* Opens the job's IN, or opens it again, in a form that OUT can hold. */
argand_status filter_open_source(filter_source *source, const filter_settings *s);
/* Opens IN for the job, counts its lights and prints notes about the file. */
argand_status filter_begin(filter_job *job);
/* Reads, convolves and writes. */
argand_status filter_run(filter_job *job);
argand_status filter_whole(filter_job *job, filter_engine *engine);
argand_status filter_bands(filter_job *job, int64_t rows);
/* Creates the plan for one piece of the picture. */
argand_status filter_plan(filter_engine *engine, const filter_job *job, int64_t width, int64_t height,
                          argand_conv_mode mode);
argand_status filter_use_kernel(filter_engine *engine, const filter_job *job);
argand_conv_options filter_options(const filter_job *job, int64_t width, int64_t height,
                                   argand_conv_mode mode);
/* Uploads the kernel's samples to the job's device, {width, height, channels}. */
argand_status filter_kernel_array(argand_array **kernel, const filter_job *job);
/* Returns the bytes of the memory limit that are reserved for a high dynamic range: a quarter, or the
 * minimum of the library's second plan. */
double filter_range_memory(const filter_job *job);
/* Mixes, writes and compares a row of the result. before: the associated row of the picture; NULL: none. */
argand_status filter_put_row(filter_job *job, const float *before, const float *const *convolved, float *row);
/* Returns a row of the picture as wide as the result: the row itself, or a copy in `line` padded with
 * zeros. */
const float *filter_row_under(const filter_job *job, const float *row, float *line);
/* Notes the cost of a high dynamic range and how to avoid it. wide: number of such pieces. */
void filter_note_range(report *out, const char *input, int64_t wide, bool is_double);
/* Notes if Wiener's noise was raised to its floor. The kernel's device computes the floor. */
argand_status filter_note_noise(report *out, const argand_array *kernel,
                                const argand_deconv_options *options);
void filter_explain(const filter_job *job, const filter_engine *engine);
/* Reads a size: "1G", "500M", "64k" or bytes. */
argand_status filter_memory(double *bytes, const char *text);

/* Refuses names that --compare cannot write. */
argand_status compare_check(const filter_settings *s);
argand_status compare_open(filter_compare **compare, const char *path, const filter_job *job);
void compare_add(filter_compare *compare, const float *before, const float *after);
argand_status compare_write(const filter_compare *compare);
void compare_close(filter_compare *compare);

#endif
