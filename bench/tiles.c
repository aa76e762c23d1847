/* SPDX-License-Identifier: BSD-3-Clause */
/* argand_bench_tiles DEVICE [POINTS [REPEAT]]: measures passes that only move points (tiles.krn) in the
 * access patterns of FFTs. These times are lower bounds for passes with such tiles, whatever they compute.
 * It prints one line per pattern: points along the axis, adjacent neighbours, stride of rows, pattern of
 * loads and stores, items, points per item, most groups per multiprocessor, cycles that each group waits
 * instead of computing, median of REPEAT times in ms, and the time as a multiple of a copy's. Results are
 * checked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "array/array.h"
#include "device/backend.h"
#include "device/handle.h"
#include "device/source.h"
#include "kernels/texts.h"
#include "median.h"

extern const kernel_text tiles_texts[];

static const kernel_recipe recipes[] = {{.name = "tiles", .files = {"tiles.krn"}}, {.name = NULL}};

enum { MOST_REPEATS = 64, MOST_MAP = 1 << 24, ROWS_TO_TILES = 2, TILES_TO_ROWS = 1, TILES = 3 };

/* A pattern of n x width tiles. apart: stride of a tile's rows in points; 0: the largest stride, along the
 * last axis of a volume. If neither input nor output is strided, n need not divide the points: the rest is
 * not moved. */
typedef struct pattern {
    int n, width;
    int64_t apart;
    int tiles, items, values, map;
    int groups; /* most groups per multiprocessor; 0: as many as the registers allow */
    int wait;   /* cycles */
    /* Bits. 1: persistent blocks, one per multiprocessor, which prefetch their next tile; 2: no exchange;
     * 4: tiles are drawn from a counter. */
    int stays;
} pattern;

static const pattern patterns[] = {{256, 64, 65536, TILES, 512, 32, 0, 0, 0, 0},
                                   {512, 16, 512, TILES, 512, 16, 0, 0, 0, 0},
                                   {512, 32, 0, TILES, 512, 32, 0, 0, 0, 0},
                                   {1024, 8, 1024, TILES_TO_ROWS, 512, 16, 0, 0, 0, 0},
                                   {1024, 8, 1024, ROWS_TO_TILES, 512, 16, 0, 0, 0, 0},
                                   {1024, 8, 1024, TILES, 512, 16, 0, 0, 0, 0},
                                   {1024, 16, 1024, TILES_TO_ROWS, 512, 32, 0, 0, 0, 0},
                                   {1024, 16, 1024, ROWS_TO_TILES, 512, 32, 0, 0, 0, 0},
                                   {1024, 16, 1024, TILES, 512, 32, 0, 0, 0, 0},
                                   {1024, 8, 0, TILES, 512, 16, 0, 0, 0, 0},
                                   {1024, 16, 0, TILES, 512, 32, 0, 0, 0, 0},
                                   {2048, 8, 2048, TILES_TO_ROWS, 512, 32, 0, 0, 0, 0},
                                   {2048, 8, 2048, ROWS_TO_TILES, 512, 32, 0, 0, 0, 0},
                                   {2048, 8, 2048, TILES, 512, 32, 0, 0, 0, 0},
                                   {4096, 4, 4096, TILES_TO_ROWS, 512, 32, 0, 0, 0, 0},
                                   {4096, 4, 4096, ROWS_TO_TILES, 512, 32, 0, 0, 0, 0},
                                   {4096, 4, 4096, TILES, 512, 32, 0, 0, 0, 0},
                                   {8192, 2, 8192, TILES, 512, 32, 0, 0, 0, 0},
                                   {16384, 1, 1, 0, 512, 32, 0, 0, 0, 0},
                                   {2048, 1, 1, 0, 256, 8, 0, 0, 0, 0},
                                   {2048, 1, 1, 0, 256, 8, 1 << 16, 0, 0, 0},
                                   {2048, 1, 1, 0, 256, 8, 1 << 20, 0, 0, 0},
                                   {2048, 1, 1, 0, 256, 8, 1 << 21, 0, 0, 0},
                                   {2048, 1, 1, 0, 256, 8, 1 << 24, 0, 0, 0},
                                   /* one group per multiprocessor, as in the transforms */
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 0, 0},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 4000, 0},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 0, 1},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 4000, 1},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 8000, 1},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 0, 3},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 4000, 3},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 8000, 3},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 0, 5},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 4000, 5},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 8000, 5},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 0, 7},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 4000, 7},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 8000, 7},
                                   {14641, 1, 1, 0, 666, 22, 0, 1, 0, 0},
                                   {14641, 1, 1, 0, 666, 22, 0, 1, 4000, 0},
                                   {1024, 16, 16384, TILES, 512, 32, 0, 1, 0, 0},
                                   {1024, 16, 16384, TILES, 512, 32, 0, 1, 4000, 0},
                                   {1024, 8, 16384, TILES, 256, 32, 0, 3, 0, 0},
                                   {256, 64, 16384, TILES, 512, 32, 0, 0, 0, 0},
                                   {512, 16, 8192, TILES, 512, 16, 0, 2, 0, 0},
                                   {1000, 8, 1000, TILES_TO_ROWS, 400, 20, 0, 2, 0, 0},
                                   {1000, 8, 1000, ROWS_TO_TILES, 400, 20, 0, 2, 0, 0},
                                   {512, 16, 4096, TILES_TO_ROWS, 512, 16, 0, 2, 0, 0},
                                   {4096, 4, 512, ROWS_TO_TILES, 1024, 16, 0, 1, 0, 0},
                                   {1024, 16, 2048, TILES_TO_ROWS, 512, 32, 0, 1, 0, 0},
                                   {2048, 8, 1024, ROWS_TO_TILES, 512, 32, 0, 1, 0, 0},
                                   {1024, 16, 2048, TILES_TO_ROWS, 512, 32, 0, 1, 8000, 0},
                                   {2048, 8, 1024, ROWS_TO_TILES, 512, 32, 0, 1, 8000, 0},
                                   {16384, 1, 1, 0, 512, 32, 0, 1, 8000, 0},
                                   {1024, 16, 16384, TILES, 512, 32, 0, 1, 8000, 0},
                                   {1024, 16, 4096, TILES_TO_ROWS, 512, 32, 0, 1, 0, 0},
                                   {4096, 4, 1024, ROWS_TO_TILES, 1024, 16, 0, 1, 0, 0},
                                   /* lines that start at any address */
                                   {1000, 2, 1, 0, 200, 10, 0, 0, 0, 0},
                                   {1001, 2, 1, 0, 182, 11, 0, 0, 0, 0},
                                   {1001, 1, 1, 0, 91, 11, 0, 0, 0, 0},
                                   {2401, 1, 1, 0, 343, 7, 0, 0, 0, 0},
                                   {2187, 3, 1, 0, 243, 27, 0, 0, 0, 0},
                                   {3125, 2, 1, 0, 250, 25, 0, 0, 0, 0}};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

struct tiles_params {
    int64_t apart, tiles;
};

typedef struct bench {
    argand_device *device;
    argand_array *in, *out, *map, *counter; /* map: all ones; counter: 0 between launches */
    argand_timer *timer;
    int64_t points;
    int64_t units; /* multiprocessors */
    bool hopper;   /* 228 KB of shared memory and bulk copies */
    int repeat;
    bool is_cuda; /* the launch must request shared memory */
} bench;

static int64_t apart_of(const bench *b, const pattern *c)
{
    return c->apart ? c->apart : b->points / c->n;
}

/* Returns the number of whole tiles in the data. */
static int64_t groups_of(const bench *b, const pattern *c)
{
    if (!c->tiles) return b->points / ((int64_t)c->n * c->width);
    return b->points / (c->n * apart_of(b, c)) * (apart_of(b, c) / c->width);
}

/* Returns the shared memory that the kernel uses, or more if this is needed to limit the groups per
 * multiprocessor. */
static size_t shared_bytes(const pattern *c)
{
    enum { ALL = 228 * 1024, UNIT = 1024 };
    const int64_t lines = c->n + (c->width < 32 ? 32 / c->width : 1),
                  used = (int64_t)sizeof(float) * (c->stays ? 3 * c->n : lines) * c->width,
                  more = c->groups && !c->stays ? ALL / (c->groups + 1) / UNIT * UNIT : 0;
    return (size_t)(used > more ? used : more);
}

static argand_status start(const bench *b, const pattern *c)
{
    char key[200];
    storage *const memory[] = {b->out->storage, b->in->storage, b->map->storage, b->counter->storage};
    const int64_t apart = apart_of(b, c);
    const int64_t groups = groups_of(b, c), stay = c->stays ? b->units : groups;
    const struct tiles_params params = {apart, c->stays ? groups : apart / c->width};
    snprintf(key, sizeof key,
             "tiles REAL=float ITEMS=%d VALUES=%d N=%d WIDTH=%d TILES=%d MAP=%d WAIT=%d STAYS=%d", c->items,
             c->values, c->n, c->width, c->tiles, c->map, c->wait, c->stays);
    return kernel_start(b->device, &(kernel_run){.key = key,
                                                 .groups = stay,
                                                 .memory = memory,
                                                 .memory_count = 4,
                                                 .params = &params,
                                                 .params_bytes = sizeof params,
                                                 .shared_bytes = b->is_cuda ? shared_bytes(c) : 0});
}

/* Runs a pattern; copies the data if c is NULL. */
static argand_status run(const bench *b, const pattern *c)
{
    return c ? start(b, c) : argand_array_copy(b->out, b->in);
}

static argand_status measure(const bench *b, const pattern *c, double *milliseconds)
{
    double times[MOST_REPEATS];
    TRY(run(b, c));
    for (int i = 0; i < b->repeat; i++) {
        TRY(argand_timer_start(b->timer));
        TRY(run(b, c));
        TRY(argand_timer_stop(b->timer));
        TRY(argand_timer_milliseconds(b->timer, &times[i]));
    }
    *milliseconds = median_of(times, b->repeat);
    return ARGAND_OK;
}

/* Returns the index of a point of a group's tile in the input or the output. */
static int64_t place(const pattern *c, int64_t apart, int64_t group, int64_t row, int64_t column,
                     bool strided)
{
    if (!strided) return group * c->n * c->width + column * c->n + row;
    const int64_t tiles = apart / c->width;
    return group / tiles * c->n * apart + group % tiles * c->width + row * apart + column;
}

/* Checks that the points arrived at their places. Each element holds its index, rounded to single
 * precision. Checks only some of many points. */
static argand_status check(const bench *b, const pattern *c, const float *in, float *out)
{
    const int64_t box = (int64_t)c->n * c->width, apart = apart_of(b, c), all = groups_of(b, c) * box;
    TRY(argand_array_download(b->out, out));
    for (int64_t i = 0; i<all; i += all> 1 << 24 ? 61 : 1) {
        const int64_t from = place(c, apart, i / box, i % box / c->width, i % c->width, c->tiles & 1),
                      to = place(c, apart, i / box, i % box / c->width, i % c->width, c->tiles >> 1);
        CHECK(in[2 * from] == out[2 * to] && in[2 * from + 1] == out[2 * to + 1], ARGAND_FORMAT,
              "point %lld came as (%g, %g), not (%g, %g)", (long long)to, (double)out[2 * to],
              (double)out[2 * to + 1], (double)in[2 * from], (double)in[2 * from + 1]);
    }
    return ARGAND_OK;
}

static const char *const moves[] = {"lines", "lines from tiles", "tiles from lines", "tiles"};

static argand_status bench_all(const bench *b, const float *in, float *out)
{
    double copy, time;
    TRY(measure(b, NULL, &copy));
    printf("copy of %lld points: %.4f ms\n", (long long)b->points, copy);
    printf("%6s %6s %9s  %-19s %9s %5s %6s %6s %6s %9s %7s\n", "n", "wide", "stride", "stores", "times",
           "items", "points", "groups", "waits", "ms", "copies");
    for (int i = 0; i < PATTERNS; i++) {
        const pattern *c = &patterns[i];
        const int64_t apart = apart_of(b, c);
        if (!groups_of(b, c) || (c->tiles && apart % c->width)) continue; /* too few points */
        if (!b->hopper && (c->groups || c->wait || c->stays)) continue;
        TRY(measure(b, c, &time));
        TRY(check(b, c, in, out));
        printf("%6d %6d %9lld  %-19s %9d %5d %6d %6d %6d %9.4f %7.3f\n", c->n, c->width, (long long)apart,
               c->stays & 4 ? "lines, stays, draws"
               : c->stays   ? "lines, stays"
                            : moves[c->tiles],
               c->map, c->items, c->values, c->groups, c->wait, time, time / copy);
        fflush(stdout);
    }
    return ARGAND_OK;
}

static argand_status begin(bench *b, float *in)
{
    argand_device_info info;
    TRY(argand_device_describe(b->device, &info));
    b->is_cuda = !strcmp(info.backend, "cuda");
    b->units = info.units;
    b->hopper = b->is_cuda && info.capability >= 90 && info.capability < 120;
    source_more(recipes, tiles_texts);
    CHECK(b->device->backend->items, ARGAND_UNSUPPORTED, "the device compiles no kernels");
    for (int64_t i = 0; i < 2 * b->points; i++) in[i] = (float)(i % 16777213);
    TRY(argand_array_create(&b->in, b->device, ARGAND_C32, 1, &b->points));
    TRY(argand_array_create(&b->out, b->device, ARGAND_C32, 1, &b->points));
    TRY(argand_array_upload(b->in, in));
    TRY(argand_array_create(&b->map, b->device, ARGAND_C32, 1, &(int64_t){MOST_MAP}));
    TRY(argand_array_fill(b->map, (argand_scalar){1, 0}));
    TRY(argand_array_create(&b->counter, b->device, ARGAND_R32, 1, &(int64_t){1}));
    TRY(argand_array_fill(b->counter, (argand_scalar){0, 0}));
    return argand_timer_create(&b->timer, b->device);
}

int main(int argc, char **argv)
{
    bench b = {.points = argc > 2 ? atoll(argv[2]) : 1 << 27, .repeat = argc > 3 ? atoi(argv[3]) : 11};
    if (argc < 2 || argc > 4 || b.points < 1 << 16 || b.repeat < 1 || b.repeat > MOST_REPEATS) {
        fprintf(stderr, "usage: %s DEVICE [POINTS (from 65536 on, 2^27) [REPEAT (11)]]\n", argv[0]);
        return ARGAND_ARGUMENT;
    }
    float *in = malloc(sizeof *in * 2 * (size_t)b.points), *out = malloc(sizeof *out * 2 * (size_t)b.points);
    argand_status status = in && out ? argand_device_open(&b.device, argv[1]) : ARGAND_MEMORY;
    if (!status) status = begin(&b, in);
    if (!status) status = bench_all(&b, in, out);
    if (status) fprintf(stderr, "%s: %s\n", argv[0], in && out ? argand_message() : "no host memory");
    argand_timer_destroy(b.timer);
    argand_array_destroy(b.in);
    argand_array_destroy(b.out);
    argand_array_destroy(b.map);
    argand_array_destroy(b.counter);
    if (b.device) argand_device_close(b.device);
    free(in);
    free(out);
    return status == ARGAND_DEVICE && !b.timer ? 77
                                               : (int)status; /* tells tests that there is no such device */
}
