/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench nufft: rates of both types on any device, their errors against exact sums in double at a few
 * outputs, the share of what memory allows, and FINUFFT's figures for the same problem in the same run. */
#include "peers/finufft.h"
#include "common/report.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int bench_nufft(int argc, char **argv);

enum { CHECKED = 16 };
static const double two_pi = 6.283185307179586476925;

typedef struct settings {
    common_options common;
    option_sizes size;
    int points, vectors, precision, kind, repeat;
    double tolerance;
    bool alone;
} settings;

typedef struct bench_case {
    const settings *s;
    int rank;
    int64_t n[3], pixels, points, vectors;
    argand_type type;
    argand_device *device;
    argand_array *k[3], *image, *samples, *image_out, *samples_out;
    double *at[3];    /* positions as k has them */
    double copy_rate; /* bytes read and written a second, of large copies on the device */
    argand_nufft *plan;
    double points_seconds;
} bench_case;

/* uniform in [0, 1): xorshift64*, Vigna, ACM TOMS 42:30, 2016 */
static double uniform(void)
{
    static uint64_t state = 88172645463325252;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 2685821657736338717u) >> 11) * 0x1p-53;
}

/* Spokes of 512 points through the centre at golden angles, over the sphere where there are three axes */
static double radial(const bench_case *c, int64_t j, int axis)
{
    const double spoke = floor((double)j / 512), angle = spoke * 2.39996322972865;
    const double radius = (double)(j % 512) / 512 - 0.5;
    const double z = c->rank == 3 ? 1 - 2 * fmod(spoke * 0.6180339887498949, 1) : 0, across = sqrt(1 - z * z);
    return (double)c->n[axis] * radius * (axis == 2 ? z : across * (axis ? sin(angle) : cos(angle)));
}

/* One turn out of the centre for each 32 periods, as dense everywhere; 0.8 of the field of view */
static double spiral(const bench_case *c, int64_t j, int axis)
{
    const double radius = 0.4 * sqrt((double)j / (double)c->points), angle = two_pi * 80 * radius;
    return (double)c->n[axis] * radius * (axis == 0 ? cos(angle) : axis == 1 ? sin(angle) : radius);
}

enum { RANDOM, RADIAL, SPIRAL, CELL };

static double kind_of_point(const bench_case *c, int64_t j, int axis)
{
    switch (c->s->kind) {
    case RADIAL:
        return radial(c, j, axis);
    case SPIRAL:
        return spiral(c, j, axis);
    case CELL:
        return 0.1 + 0.3 * uniform(); /* all in one cell of the grid */
    default:
        return (double)c->n[axis] * (uniform() - 0.5);
    }
}

static argand_status upload_reals(argand_array *to, double *numbers, int64_t count, bool is_double)
{
    for (int64_t i = 0; i < count && !is_double; i++) ((float *)numbers)[i] = (float)numbers[i];
    return argand_array_upload(to, numbers);
}

/* Numbers of an array, parts of complex ones one behind the other */
static argand_status fetch(double **out, const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    const bool is_double = type == ARGAND_C64 || type == ARGAND_R64;
    const int64_t count = argand_array_count(array) * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
    double *numbers = malloc((size_t)count * sizeof *numbers);
    *out = numbers;
    if (!numbers) return ARGAND_MEMORY;
    TRY(argand_array_download(array, numbers));
    for (int64_t i = count; i-- > 0 && !is_double;) numbers[i] = (double)((float *)numbers)[i];
    return ARGAND_OK;
}

static argand_status make_points(bench_case *c)
{
    const bool is_double = c->type == ARGAND_C64;
    for (int axis = 0; axis < c->rank; axis++) {
        double *k = malloc((size_t)c->points * sizeof *k);
        if (!k) return ARGAND_MEMORY;
        for (int64_t j = 0; j < c->points; j++) k[j] = kind_of_point(c, j, axis);
        argand_status status =
            argand_array_create(&c->k[axis], c->device, is_double ? ARGAND_R64 : ARGAND_R32, 1, &c->points);
        if (!status) status = upload_reals(c->k[axis], k, c->points, is_double);
        free(k);
        if (!status) status = fetch(&c->at[axis], c->k[axis]);
        TRY(status);
    }
    return ARGAND_OK;
}

/* Vector `number` of an array whose last axis is the vectors' */
static argand_status vector_of(argand_array **view, const argand_array *array, int64_t number)
{
    return argand_array_part(view, array, argand_array_rank(array) - 1, number, 1);
}

/* numbers[i] uniform in [-0.5, 0.5): a hash of its place (SplitMix64,
 * Steele, Lea, Flood, OOPSLA 2014) */
static void fill_noise(double *numbers, int64_t count, int64_t from)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t x = (uint64_t)(from + i) * 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        numbers[i] = (double)((x ^ x >> 31) >> 11) * 0x1p-53 - 0.5;
    }
}

static argand_status new_noise(argand_array **array, const bench_case *c, int rank, const int64_t *dims)
{
    TRY(argand_array_create(array, c->device, c->type, rank, dims));
    const int64_t count = 2 * argand_array_count(*array) / c->vectors;
    double *numbers = malloc((size_t)count * sizeof *numbers);
    argand_status status = numbers ? ARGAND_OK : ARGAND_MEMORY;
    for (int64_t v = 0; v < c->vectors && !status; v++) {
        argand_array *vector = NULL;
        fill_noise(numbers, count, v * count);
        status = vector_of(&vector, *array, v);
        if (!status) status = upload_reals(vector, numbers, count, c->type == ARGAND_C64);
        argand_array_destroy(vector);
    }
    free(numbers);
    return status;
}

static argand_status make_case(bench_case *c)
{
    int64_t image[4] = {c->n[0], c->n[1], c->n[2]};
    image[c->rank] = c->vectors;
    const int64_t samples[2] = {c->points, c->vectors};
    TRY(make_points(c));
    TRY(new_noise(&c->image, c, c->rank + 1, image));
    TRY(argand_array_create(&c->image_out, c->device, c->type, c->rank + 1, image));
    TRY(new_noise(&c->samples, c, 2, samples));
    TRY(argand_array_create(&c->samples_out, c->device, c->type, 2, samples));
    TRY(argand_nufft_create(&c->plan, c->device,
                            &(argand_nufft_options){.type = c->type,
                                                    .rank = c->rank,
                                                    .n = {c->n[0], c->n[1], c->n[2]},
                                                    .tolerance = c->s->tolerance}));
    TRY(argand_nufft_set_points(c->plan, c->k)); /* which builds kernels */
    TRY(argand_device_wait(c->device));
    const double start = seconds_now();
    TRY(argand_nufft_set_points(c->plan, c->k));
    TRY(argand_device_wait(c->device));
    c->points_seconds = seconds_now() - start;
    return ARGAND_OK;
}

static void free_case(bench_case *c)
{
    argand_nufft_destroy(c->plan);
    argand_array_destroy(c->samples_out);
    argand_array_destroy(c->samples);
    argand_array_destroy(c->image_out);
    argand_array_destroy(c->image);
    for (int axis = 0; axis < 3; axis++) {
        argand_array_destroy(c->k[axis]);
        free(c->at[axis]);
    }
}

/* k . r in turns for pixel i of the image */
static double turns(const bench_case *c, int64_t j, int64_t i)
{
    double sum = 0;
    for (int axis = 0; axis < c->rank; axis++) {
        const int64_t n = c->n[axis];
        sum += c->at[axis][j] * (double)(i % n - n / 2) / (double)n;
        i /= n;
    }
    return sum - rint(sum);
}

/* The sum of one output, from the first vector of inputs */
static double complex exact_sum(const bench_case *c, bool adjoint, const double *in, int64_t output)
{
    const int64_t inputs = adjoint ? c->points : c->pixels;
    double re = 0, im = 0;
    for (int64_t i = 0; i < inputs; i++) {
        const double phase = two_pi * (adjoint ? turns(c, i, output) : -turns(c, output, i));
        const double x = cos(phase), y = sin(phase);
        re += in[2 * i] * x - in[2 * i + 1] * y;
        im += in[2 * i] * y + in[2 * i + 1] * x;
    }
    return re + I * im;
}

/* Numbers of an array's first vector */
static argand_status fetch_first(double **out, const argand_array *array)
{
    argand_array *first;
    TRY(vector_of(&first, array, 0));
    const argand_status status = fetch(out, first);
    argand_array_destroy(first);
    return status;
}

static double mean_square(const double *numbers, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < 2 * count; i++) sum += numbers[i] * numbers[i];
    return sum / (double)count;
}

/* Of the first vector, at CHECKED outputs spread over all, against exact sums; relative to the mean of all
 * outputs, as a few of random numbers may happen to be small */
static argand_status error_of(const bench_case *c, bool adjoint, double *error)
{
    const int64_t outputs = adjoint ? c->pixels : c->points;
    double *in = NULL, *out = NULL, wrong = 0;
    argand_status status = fetch_first(&in, adjoint ? c->samples : c->image);
    if (!status) status = fetch_first(&out, adjoint ? c->image_out : c->samples_out);
    const int64_t checked = c->pixels + c->points > 4000000 ? 4 : CHECKED;
    for (int64_t n = 0; n < checked && !status; n++) {
        const int64_t o = (outputs - 1) * n / (checked - 1);
        const double difference = cabs(out[2 * o] + I * out[2 * o + 1] - exact_sum(c, adjoint, in, o));
        wrong += difference * difference;
    }
    if (!status) *error = sqrt(wrong / ((double)checked * mean_square(out, outputs)));
    free(out);
    free(in);
    return status;
}

enum { AT_ONCE = 4 }; /* calls between looks at the clock, on devices that work on their own */

static argand_status time_direction(const bench_case *c, bool adjoint, double *seconds)
{
    argand_device_info info;
    TRY(argand_device_describe(c->device, &info));
    const int calls = info.host_addressable ? 1 : AT_ONCE;
    *seconds = HUGE_VAL;
    for (int i = 0; i <= c->s->repeat && !interrupted(); i++) {
        const double start = seconds_now();
        for (int call = 0; call < calls; call++)
            TRY(adjoint ? argand_nufft_adjoint(c->plan, c->image_out, c->samples)
                        : argand_nufft_apply(c->plan, c->samples_out, c->image));
        TRY(argand_device_wait(c->device));
        if (i > 0) *seconds = fmin(*seconds, (seconds_now() - start) / calls); /* the first builds kernels */
    }
    return ARGAND_OK;
}

/* Bytes that a large copy reads and writes in a second */
static argand_status measure_copy(bench_case *c)
{
    enum { BYTES = 256 << 20, RUNS = 4 };
    const int64_t count = BYTES / 4;
    argand_array *from = NULL, *to = NULL;
    argand_status status = argand_array_create(&from, c->device, ARGAND_R32, 1, &count);
    if (!status) status = argand_array_create(&to, c->device, ARGAND_R32, 1, &count);
    for (int i = 0; i < 2 && !status; i++) { /* the second time counts */
        const double start = seconds_now();
        for (int run = 0; run < RUNS && !status; run++) status = argand_array_copy(to, from);
        if (!status) status = argand_device_wait(c->device);
        c->copy_rate = 2.0 * BYTES * RUNS / (seconds_now() - start);
    }
    argand_array_destroy(to);
    argand_array_destroy(from);
    return status;
}

/* Seconds for images and samples once and the oversampled grid twice at that rate */
static double least_seconds(const bench_case *c)
{
    argand_nufft_info info;
    argand_nufft_describe(c->plan, &info);
    const double cells = (double)info.grid[0] * (double)info.grid[1] * (double)info.grid[2];
    return (double)c->vectors * ((double)c->pixels + (double)c->points + 2 * cells) *
           (c->type == ARGAND_C64 ? 16 : 8) / c->copy_rate;
}

static void print_line(const bench_case *c, report *out, const char *who, int type, double seconds,
                       double error)
{
    const double rate = 1e-6 * (double)c->points * (double)c->vectors / seconds;
    report_result(out,
                  "\"library\":\"%s\",\"type\":%d,\"points\":%lld,\"vectors\":%lld,\"time\":%.6g,"
                  "\"mpoints_per_second\":%.4g,\"error\":%.3g,\"fraction\":%.3g",
                  who, type, (long long)c->points, (long long)c->vectors, seconds, rate, error,
                  least_seconds(c) / seconds);
    if (!c->s->common.json)
        printf("  %-16s type %d  %10.3f ms  %10.2f  %9.1e  %5.3f of memory's limit\n", who, type,
               1e3 * seconds, rate, error, least_seconds(c) / seconds);
    fflush(stdout);
}

static void measure_peer(const bench_case *c, report *out)
{
    const finufft_job job = {.rank = c->rank,
                             .n = c->n,
                             .points = c->points,
                             .vectors = c->vectors,
                             .tolerance = c->s->tolerance,
                             .is_double = c->type == ARGAND_C64,
                             .radial = c->s->kind == RADIAL,
                             .threads = argand_device_threads(c->device),
                             .repeat = c->s->repeat};
    finufft_result r;
    if (!finufft_measure(&job, &r)) {
        report_note(out,
                    "FINUFFT was not found: python3 -m pip install finufft puts it next to these figures");
        return;
    }
    char name[48];
    snprintf(name, sizeof name, "FINUFFT %s", r.version);
    for (int adjoint = 0; adjoint < 2; adjoint++)
        print_line(c, out, name, adjoint ? 1 : 2, r.seconds[adjoint], r.error[adjoint]);
    if (!c->s->common.json) printf("  FINUFFT sorts points in %.2f ms\n", 1e3 * r.points_seconds);
}

static argand_status measure(const bench_case *c, report *out)
{
    char text[256];
    argand_nufft_print(c->plan, text, sizeof text);
    if (!c->s->common.json) printf("%s, %lld vectors\n", text, (long long)c->vectors);
    for (int adjoint = 0; adjoint < 2 && !interrupted(); adjoint++) {
        double seconds, error;
        TRY(time_direction(c, adjoint, &seconds));
        TRY(error_of(c, adjoint, &error));
        if (!interrupted()) print_line(c, out, "argand", adjoint ? 1 : 2, seconds, error);
    }
    if (!c->s->common.json) printf("  points set in %.2f ms\n", 1e3 * c->points_seconds);
    if (!c->s->alone && c->s->kind <= RADIAL && !interrupted()) measure_peer(c, out);
    return ARGAND_OK;
}

static argand_status run_case(const settings *s, argand_device *device, report *out, const option_sizes *size,
                              int64_t points, int64_t vectors)
{
    if (interrupted()) return ARGAND_STOPPED;
    bench_case c = {.s = s,
                    .rank = size->rank,
                    .n = {1, 1, 1},
                    .pixels = 1,
                    .points = points,
                    .vectors = vectors,
                    .type = s->precision ? ARGAND_C64 : ARGAND_C32,
                    .device = device};
    for (int axis = 0; axis < c.rank; axis++) c.pixels *= c.n[axis] = size->n[axis];
    argand_status status = make_case(&c);
    if (!status) status = measure_copy(&c);
    if (!status) status = measure(&c, out);
    free_case(&c);
    return status;
}

static argand_status run_all(const settings *s, argand_device *device, report *out)
{
    static const struct {
        option_sizes size;
        int64_t points, vectors;
    } cases[] = {{{2, {256, 256, 1}}, 1000000, 1},
                 {{2, {256, 256, 1}}, 50000, 32},
                 {{3, {128, 128, 128}}, 1000000, 1}};
    if (s->size.rank)
        return run_case(s, device, out, &s->size, s->points ? s->points : 100000,
                        s->vectors ? s->vectors : 1);
    for (int i = 0; i < 3; i++)
        TRY(run_case(s, device, out, &cases[i].size, s->points ? s->points : cases[i].points,
                     s->vectors ? s->vectors : cases[i].vectors));
    return ARGAND_OK;
}

static int bench(const settings *s)
{
    report out;
    argand_device *device = NULL;
    argand_device_info info;
    report_begin(&out, "bench nufft", &s->common);
    argand_status status = common_open(&s->common, &device);
    if (!status) status = argand_device_describe(device, &info);
    if (!status && !s->common.json)
        printf("%s (%s), %d threads; rates in 10^6 points x vectors a second, without sorting the points\n",
               info.name, info.detail, argand_device_threads(device));
    if (!status) status = run_all(s, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

int bench_nufft(int argc, char **argv)
{
    settings s = {.repeat = 10, .tolerance = 1e-4};
    const option options[] = {
        sizes_option("size", 0, &s.size, "NxN", "image, 1 to 3 dimensions; without it three usual cases run"),
        int_option("points", 0, &s.points, "N", 0, 2e9, "positions in k-space; 0 means the case's own"),
        int_option("vectors", 0, &s.vectors, "N", 0, 4096,
                   "images that share the points; 0 means the case's own"),
        double_option("tolerance", 0, &s.tolerance, "E", 1e-15, 1, "relative l2 error"),
        choice_option("precision", 0, &s.precision, "NAME", "single|double", "of all numbers"),
        choice_option("kind", 0, &s.kind, "NAME", "random|radial|spiral|cell", "of points"),
        int_option("repeat", 0, &s.repeat, "N", 1, 1e6, "runs, of which the shortest counts"),
        flag_option("alone", 0, &s.alone, "do not look for FINUFFT"),
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench nufft [options]",
        .description =
            "Times the nonuniform FFT: type 2 (image to samples) and type 1 (samples to image), with the "
            "error against exact\nsums in double, and FINUFFT's Python package with the same problem, where "
            "it is installed.",
        .examples =
            "  argand bench nufft --device cuda:0\n  argand bench nufft --size 128x128x128 --points 1000000 "
            "--tolerance 1e-6\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    interrupt_watch();
    return bench(&s);
}
