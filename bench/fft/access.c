/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench access: measures transforms with accessors next to plain ones of the same size, and the
 * time they save compared with separate steps. Both are timed alternately in one process; the least of
 * many rounds counts. */
#include "fft/transform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int bench_access(int argc, char **argv);

static const double ROUND = 3e-3; /* least seconds of a round, so that launching and waiting do not matter */

typedef struct settings {
    common_options common;
    option_sizes size;
    int batch, rounds;
    bool measure, explain;
    double measure_seconds;
    const char *only; /* names of rows to measure, separated by commas; NULL: all */
} settings;

/* The plain transform in the same direction, with which rows are compared. */
typedef struct plain_call {
    argand_fft *plan;
    argand_array *out, *in;
    argand_direction direction;
} plain_call;

typedef struct bench_case {
    const settings *s;
    argand_device *device;
    int rank;
    int64_t n[3], batch;
    argand_array *in, *out, *half, *map, *part;             /* part: half the size along each axis */
    argand_array *reals, *window, *spectrum, *spectrum_map; /* of a real transform */
    argand_fft *plain, *plain_real;
    plain_call plain_run;
} bench_case;

static argand_status make_array(argand_array **a, const bench_case *c, argand_type type, int divide,
                                int64_t batch)
{
    int64_t dims[4];
    for (int axis = 0; axis < c->rank; axis++) dims[axis] = c->n[axis] / divide;
    dims[c->rank] = batch;
    return argand_array_create(a, c->device, type, c->rank + 1, dims);
}

/* Makes the half spectrum of a real transform. */
static argand_status make_spectrum(argand_array **a, const bench_case *c, int64_t batch)
{
    int64_t dims[4] = {c->n[0] / 2 + 1};
    for (int axis = 1; axis < c->rank; axis++) dims[axis] = c->n[axis];
    dims[c->rank] = batch;
    return argand_array_create(a, c->device, ARGAND_C32, c->rank + 1, dims);
}

static argand_fft_options options_of(const bench_case *c)
{
    argand_fft_options o = {
        .type = ARGAND_C32, .rank = c->rank, .batch = c->batch, .scale = ARGAND_SCALE_UNITARY};
    memcpy(o.n, c->n, sizeof c->n);
    return o;
}

/* Makes arrays with constant values. They are not zeros, because transforms of zeros may be faster. */
static argand_status make_case(bench_case *c)
{
    argand_fft_options o = options_of(c);
    o.wait_for_kernels = true;
    TRY(make_array(&c->in, c, ARGAND_C32, 1, c->batch));
    TRY(make_array(&c->out, c, ARGAND_C32, 1, c->batch));
    TRY(make_array(&c->half, c, ARGAND_C16, 1, c->batch));
    TRY(make_array(&c->map, c, ARGAND_C32, 1, 1));
    TRY(make_array(&c->part, c, ARGAND_C32, 2, c->batch));
    TRY(argand_array_fill(c->in, (argand_scalar){0.5, -0.25}));
    TRY(argand_array_fill(c->part, (argand_scalar){0.5, -0.25}));
    TRY(argand_array_fill(c->map, (argand_scalar){0.6, 0.8}));
    TRY(argand_fft_create(&c->plain, c->device, &o));
    c->plain_run = (plain_call){c->plain, c->out, c->in, ARGAND_FORWARD};
    return ARGAND_OK;
}

static argand_status make_real_case(bench_case *c)
{
    argand_fft_options o = options_of(c);
    o.type = ARGAND_R32;
    o.wait_for_kernels = true;
    TRY(make_array(&c->reals, c, ARGAND_R32, 1, c->batch));
    TRY(make_array(&c->window, c, ARGAND_R32, 1, 1));
    TRY(make_spectrum(&c->spectrum, c, c->batch));
    TRY(make_spectrum(&c->spectrum_map, c, 1));
    TRY(argand_array_fill(c->reals, (argand_scalar){0.5, 0}));
    TRY(argand_array_fill(c->window, (argand_scalar){0.8, 0}));
    TRY(argand_array_fill(c->spectrum, (argand_scalar){0.5, -0.25}));
    TRY(argand_array_fill(c->spectrum_map, (argand_scalar){0.6, 0.8}));
    return argand_fft_create(&c->plain_real, c->device, &o);
}

static void free_case(bench_case *c)
{
    argand_fft_destroy(c->plain);
    argand_fft_destroy(c->plain_real);
    argand_array *const arrays[] = {c->in,    c->out,    c->half,     c->map,         c->part,
                                    c->reals, c->window, c->spectrum, c->spectrum_map};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
}

static argand_status once(double *least, const bench_case *c, const argand_fft *plan, argand_array *out,
                          const argand_array *in, int times)
{
    const double start = seconds_now();
    for (int i = 0; i < times; i++) TRY(argand_fft_apply(plan, out, in, c->plain_run.direction));
    TRY(argand_device_wait(c->device));
    *least = fmin(*least, (seconds_now() - start) / times);
    return ARGAND_OK;
}

static void engine_of(char *name, size_t size, const argand_fft *plan)
{
    argand_fft_candidate taken;
    snprintf(name, size, "-");
    for (int i = 0; i < argand_fft_candidate_count(plan); i++)
        if (argand_fft_candidate_describe(plan, i, &taken) == ARGAND_OK && taken.taken)
            snprintf(name, size, "%s", taken.engine);
}

static bool is_wanted(const settings *s, const char *name)
{
    char word[64];
    bool found = !s->only || strstr(name, s->only); /* names may contain commas */
    for (const char *at = s->only; at && !found; at = *at ? at + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        found = strstr(name, word) != NULL;
        at += length;
    }
    return found;
}

/* Measures one row: the plan next to the plain one. */
static argand_status row(bench_case *c, report *r, const char *name, const argand_fft_options *o,
                         argand_array *out, const argand_array *in)
{
    argand_fft *plan;
    argand_fft_candidate taken;
    argand_fft_options asked = *o;
    double fused = INFINITY, plain = INFINITY;
    char engine[32];
    if (!is_wanted(c->s, name)) return ARGAND_OK;
    asked.effort = c->s->measure ? ARGAND_REMEASURE : ARGAND_ESTIMATE;
    asked.measure_seconds = c->s->measure_seconds;
    asked.wait_for_kernels = true;
    TRY(argand_fft_create(&plan, c->device, &asked));
    engine_of(engine, sizeof engine, plan);
    const plain_call *b = &c->plain_run;
    argand_status status = c->s->explain ? transform_candidates(&taken, plan, c->s->common.json) : ARGAND_OK;
    if (!status) status = once(&plain, c, b->plan, b->out, b->in, 1);
    const int times = plain < ROUND ? (int)(ROUND / plain) + 1 : 1;
    plain = INFINITY;
    if (!status) status = once(&fused, c, plan, out, in, 1);
    fused = INFINITY;
    for (int i = 0; i < c->s->rounds && !status && !interrupted(); i++) {
        status = once(&plain, c, b->plan, b->out, b->in, times);
        if (!status) status = once(&fused, c, plan, out, in, times);
    }
    argand_fft_destroy(plan);
    if (status || interrupted()) return status;
    report_result(r, "\"accessor\":\"%s\",\"engine\":\"%s\",\"time\":%.6g,\"plain\":%.6g", name, engine,
                  fused, plain);
    if (!c->s->common.json)
        printf("  %-40s %9.4f  %9.4f  %6.3f  %s\n", name, 1e3 * fused, 1e3 * plain, fused / plain, engine);
    return ARGAND_OK;
}

/* Replaces X[k] by (X[k] + conj X[-k]) / 2: in C for processors, as text for devices. */
static void even_part(void *values, const void *mirror, const argand_access_run *run)
{
    float *v = values;
    const float *m = mirror;
    for (int64_t i = 0; i < run->count; i++) {
        v[2 * i] = 0.5f * (v[2 * i] + m[2 * i]);
        v[2 * i + 1] = 0.5f * (v[2 * i + 1] - m[2 * i + 1]);
    }
}

static const char even_text[] =
    "DEVICE struct pair even_part(struct pair v, struct pair mirror, struct access_point at)\n"
    "{ return make_pair((REAL)0.5 * (v.re + mirror.re), (REAL)0.5 * (v.im - mirror.im)); }\n";

static argand_status rows(bench_case *c, report *r)
{
    const argand_accessor map = {.kind = ARGAND_ACCESS_MULTIPLY, .array = c->map};
    argand_fft_options o = options_of(c);
    if (!c->s->common.json)
        printf("  %-40s %9s  %9s  %6s  %s\n", "", "fused, ms", "plain, ms", "ratio", "way");
    o.input.window[0].first = 1;
    TRY(row(c, r, "shifted by one", &o, c->out, c->in));
    o = options_of(c);
    o.centred = true;
    TRY(row(c, r, "centred", &o, c->out, c->in));
    o.output.window[0].first = 1;
    TRY(row(c, r, "centred, then shifted by one", &o, c->out, c->in));
    o.output.window[0].first = 32; /* a shift by whole cache lines */
    TRY(row(c, r, "centred, then shifted by 32", &o, c->out, c->in));
    o = options_of(c);
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {0, 1}};
    TRY(row(c, r, "times a scalar at load", &o, c->out, c->in));
    o.access.load[0] = map;
    TRY(row(c, r, "times a map at load", &o, c->out, c->in));
    o.access.load[0].kind = ARGAND_ACCESS_NONE;
    o.access.store[0] = map;
    TRY(row(c, r, "times a map at store", &o, c->out, c->in));
    o = options_of(c);
    o.output.type = ARGAND_C16;
    TRY(row(c, r, "stored as halves", &o, c->half, c->in));
    o = options_of(c);
    for (int axis = 0; axis < c->rank; axis++) o.input.window[axis].count = c->n[axis] / 2;
    TRY(row(c, r, "padded from half the size", &o, c->out, c->part));
    o = options_of(c);
    for (int axis = 0; axis < c->rank; axis++) o.output.window[axis].count = c->n[axis] / 2;
    TRY(row(c, r, "cropped to half the size", &o, c->part, c->in));
    o = options_of(c);
    o.access.spectrum[0] = map;
    TRY(row(c, r, "there, times a map, and back (two)", &o, c->out, c->in));
    o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_CALL,
                                             .mirror = true,
                                             .function = even_part,
                                             .source = even_text,
                                             .name = "even_part"};
    return row(c, r, "there, with X[-k], and back (two)", &o, c->out, c->in);
}

/* Measures rows of real transforms next to plain ones. */
static argand_status real_rows(bench_case *c, report *r)
{
    const argand_accessor window = {.kind = ARGAND_ACCESS_MULTIPLY, .array = c->window},
                          map = {.kind = ARGAND_ACCESS_MULTIPLY, .array = c->spectrum_map};
    argand_fft_options o = options_of(c);
    o.type = ARGAND_R32;
    c->plain_run = (plain_call){c->plain_real, c->spectrum, c->reals, ARGAND_FORWARD};
    o.access.load[0] = window;
    TRY(row(c, r, "reals times a window at load", &o, c->spectrum, c->reals));
    o.access.load[0].kind = ARGAND_ACCESS_NONE;
    o.access.store[0] = map;
    TRY(row(c, r, "reals, half a spectrum times a map", &o, c->spectrum, c->reals));
    o.access.store[0].kind = ARGAND_ACCESS_NONE;
    o.access.spectrum[0] = map;
    TRY(row(c, r, "reals there, times a map, and back (two)", &o, c->reals, c->reals));
    o.access.spectrum[0].kind = ARGAND_ACCESS_NONE;
    c->plain_run = (plain_call){c->plain_real, c->reals, c->spectrum, ARGAND_INVERSE};
    o.access.load[0] = map;
    TRY(row(c, r, "to reals, half a spectrum times a map", &o, c->reals, c->spectrum));
    o.access.load[0].kind = ARGAND_ACCESS_NONE;
    o.access.store[0] = window;
    return row(c, r, "to reals, times a window at store", &o, c->reals, c->spectrum);
}

static argand_status run(const settings *s, argand_device *device, report *r)
{
    bench_case c = {.s = s,
                    .device = device,
                    .rank = s->size.rank ? s->size.rank : 2,
                    .n = {256, 256, 1},
                    .batch = s->batch};
    for (int axis = 0; axis < s->size.rank; axis++) c.n[axis] = s->size.n[axis];
    for (int axis = 0; axis < c.rank; axis++)
        if (c.n[axis] < 2) return report_error(ARGAND_ARGUMENT, "--size: at least 2 on each axis");
    argand_status status = make_case(&c);
    if (!status && !s->common.json) {
        char text[512];
        argand_fft_print(c.plain, text, sizeof text);
        printf("plain: %s\n", text);
    }
    if (!status) status = rows(&c, r);
    const bool reals = !s->only || strstr(s->only, "real"); /* part of all their names */
    if (!status && reals && !interrupted()) status = make_real_case(&c);
    if (!status && reals && !interrupted()) status = real_rows(&c, r);
    free_case(&c);
    return status;
}

static int bench(const settings *s)
{
    report r;
    argand_device *device = NULL;
    argand_device_info info;
    report_begin(&r, "bench access", &s->common);
    argand_status status = common_open(&s->common, &device);
    if (!status) status = argand_device_describe(device, &info);
    if (!status && !s->common.json)
        printf("%s (%s), %d threads\n", info.name, info.detail, argand_device_threads(device));
    if (!status) status = run(s, device, &r);
    argand_device_close(device);
    return status ? report_failure(&r, status) : 0;
}

int bench_access(int argc, char **argv)
{
    settings s = {.batch = 4, .rounds = 50};
    const option options[] = {
        sizes_option("size", 0, &s.size, "NxN", "size of the transforms. Default: 256x256"),
        int_option("batch", 0, &s.batch, "N", 1, 65536, "number of transforms in one call"),
        int_option("repeat", 0, &s.rounds, "N", 1, 100000, "number of rounds; the fastest counts"),
        flag_option("measure", 0, &s.measure,
                    "time all candidates of plans with accessors, and keep the fastest as wisdom"),
        double_option("measure-seconds", 0, &s.measure_seconds, "SECONDS", 0, 1e6,
                      "start no further candidate after SECONDS. Default: 10"),
        flag_option("explain", 0, &s.explain, "print the candidates of each plan"),
        text_option("only", 0, &s.only, "WORDS",
                    "time only rows whose names contain one of these words: a,b"),
        COMMON_OPTIONS(s.common)};
    command_line line = {.usage = "argand bench access [options]",
                         .description = "Times transforms that shift, pad, multiply and convert while they "
                                        "read and write (accessors), and the same by plain\n"
                                        "transforms and separate steps.",
                         .options = options,
                         .option_count = sizeof options / sizeof options[0]};
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    interrupt_watch();
    return bench(&s);
}
