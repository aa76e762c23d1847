/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench nufft: measures types 1 and 2 on any device. It prints their rates, their errors against
 * exact sums in double at a few outputs, and the fraction of the rate that memory allows. It also runs
 * FINUFFT on the same problem. */
#include "nufft/case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "peers/finufft.h"

int bench_nufft(int argc, char **argv);

typedef struct nufft_place {
    argand_device *device;
    cuda_peer *cuda; /* NULL: no peer runs there */
} nufft_place;

static argand_status make_plan(nufft_case *c)
{
    argand_array *k[3];
    TRY(argand_nufft_create(&c->plan, c->device,
                            &(argand_nufft_options){.type = c->type,
                                                    .rank = c->rank,
                                                    .n = {c->n[0], c->n[1], c->n[2]},
                                                    .tolerance = c->s->tolerance,
                                                    .units = ARGAND_NUFFT_RADIANS,
                                                    .wait_for_kernels = true}));
    for (int axis = 0; axis < 3; axis++) k[axis] = c->k[axis].array;
    TRY(argand_nufft_set_points(c->plan, k)); /* builds kernels */
    TRY(argand_device_wait(c->device));
    const double start = seconds_now();
    TRY(argand_nufft_set_points(c->plan, k));
    TRY(argand_device_wait(c->device));
    c->points_seconds = seconds_now() - start;
    return ARGAND_OK;
}

/* Calls once first, to build kernels. Repeats slow calls only for some seconds. */
argand_status nufft_time(const nufft_case *c, nufft_call *run, void *context, bool adjoint, double *seconds)
{
    enum { AT_ONCE = 4, LONG = 3 }; /* calls between readings of the clock; seconds */
    const double brief = 0.1;
    argand_device_info info;
    TRY(argand_device_describe(c->device, &info));
    const double first = seconds_now();
    int calls = 1;
    *seconds = HUGE_VAL;
    for (int i = 0; i <= c->s->repeat && !interrupted(); i++) {
        const double start = seconds_now();
        if (i > 1 && start - first > LONG) break;
        for (int call = 0; call < calls; call++) TRY(run(context, adjoint));
        TRY(argand_device_wait(c->device));
        if (i > 0) *seconds = fmin(*seconds, (seconds_now() - start) / calls);
        calls = !info.host_addressable && seconds_now() - start < brief * calls ? AT_ONCE : 1;
    }
    return ARGAND_OK;
}

static argand_status run_ours(void *context, bool adjoint)
{
    const nufft_case *c = context;
    return adjoint ? argand_nufft_adjoint(c->plan, c->image_out.array, c->samples.array)
                   : argand_nufft_apply(c->plan, c->samples_out.array, c->image.array);
}

/* Measures the bytes/s that a large copy reads and writes. */
static argand_status measure_copy(nufft_case *c)
{
    enum { BYTES = 256 << 20, RUNS = 4 };
    const int64_t count = BYTES / 4;
    argand_array *from = NULL, *to = NULL;
    argand_status status = argand_array_create(&from, c->device, ARGAND_R32, 1, &count);
    if (!status) status = argand_array_create(&to, c->device, ARGAND_R32, 1, &count);
    for (int i = 0; i < 2 && !status; i++) { /* the second copy counts */
        const double start = seconds_now();
        for (int run = 0; run < RUNS && !status; run++) status = argand_array_copy(to, from);
        if (!status) status = argand_device_wait(c->device);
        c->copy_rate = 2.0 * BYTES * RUNS / (seconds_now() - start);
    }
    argand_array_destroy(to);
    argand_array_destroy(from);
    return status;
}

/* Returns the seconds to read images and samples once and the oversampled grid twice at that rate. */
static double least_seconds(const nufft_case *c)
{
    argand_nufft_info info;
    argand_nufft_describe(c->plan, &info);
    const double cells = (double)info.grid[0] * (double)info.grid[1] * (double)info.grid[2];
    return (double)c->vectors * ((double)c->pixels + (double)c->points + 2 * cells) *
           (c->type == ARGAND_C64 ? 16 : 8) / c->copy_rate;
}

void nufft_print_line(const nufft_case *c, report *out, const nufft_line *line)
{
    const double rate = 1e-6 * (double)c->points * (double)c->vectors / line->seconds,
                 fraction = least_seconds(c) / line->seconds;
    report_result(out,
                  "\"library\":\"%s\",\"type\":%d,\"points\":%lld,\"vectors\":%lld,\"tolerance\":%.3g,"
                  "\"time\":%.6g,\"mpoints_per_second\":%.4g,\"error\":%.3g,\"fraction\":%.3g",
                  line->who, line->type, (long long)c->points, (long long)c->vectors, line->tolerance,
                  line->seconds, rate, line->error, fraction);
    if (!c->s->common.json)
        printf("  %-22s type %d  asked %7.1e  %10.3f ms  %10.2f  %9.1e  %5.3f of memory's limit\n", line->who,
               line->type, line->tolerance, 1e3 * line->seconds, rate, line->error, fraction);
    fflush(stdout);
}

static void measure_finufft(const nufft_case *c, report *out)
{
    const finufft_job job = {.rank = c->rank,
                             .n = c->n,
                             .points = c->points,
                             .vectors = c->vectors,
                             .tolerance = c->s->tolerance,
                             .is_double = c->type == ARGAND_C64,
                             .radial = c->s->kind == NUFFT_RADIAL,
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
        nufft_print_line(
            c, out,
            &(nufft_line){name, adjoint ? 1 : 2, c->s->tolerance, r.seconds[adjoint], r.error[adjoint]});
    if (!c->s->common.json) printf("  FINUFFT sorts points in %.2f ms\n", 1e3 * r.points_seconds);
}

static void measure_peer(nufft_case *c, report *out)
{
    argand_device_info info;
    if (c->s->alone || interrupted() || argand_device_describe(c->device, &info)) return;
    if (c->cuda)
        nufft_bench_cufinufft(c, out, cuda_peer_index(c->s->common.device));
    else if (info.host_addressable && c->s->kind <= NUFFT_RADIAL)
        measure_finufft(c, out);
}

static argand_status measure(nufft_case *c, report *out)
{
    char text[256];
    argand_nufft_print(c->plan, text, sizeof text);
    if (!c->s->common.json) printf("%s, %lld vectors\n", text, (long long)c->vectors);
    for (int adjoint = 0; adjoint < 2 && !interrupted(); adjoint++) {
        nufft_line line = {.who = "argand", .type = adjoint ? 1 : 2, .tolerance = c->s->tolerance};
        TRY(nufft_time(c, run_ours, c, adjoint, &line.seconds));
        TRY(nufft_error(c, adjoint, &line.error));
        c->error[adjoint] = line.error;
        if (!interrupted()) nufft_print_line(c, out, &line);
    }
    if (!c->s->common.json) printf("  points set in %.2f ms\n", 1e3 * c->points_seconds);
    measure_peer(c, out);
    return ARGAND_OK;
}

static argand_status run_case(const nufft_settings *s, const nufft_place *where, report *out,
                              const option_sizes *size, int64_t points, int64_t vectors)
{
    if (interrupted()) return ARGAND_STOPPED;
    nufft_case c = {.s = s,
                    .rank = size->rank,
                    .n = {1, 1, 1},
                    .pixels = 1,
                    .points = points,
                    .vectors = vectors,
                    .type = s->precision ? ARGAND_C64 : ARGAND_C32,
                    .device = where->device,
                    .cuda = where->cuda};
    for (int axis = 0; axis < c.rank; axis++) c.pixels *= c.n[axis] = size->n[axis];
    argand_status status = nufft_case_make(&c);
    if (!status) status = make_plan(&c);
    if (!status) status = measure_copy(&c);
    if (!status) status = measure(&c, out);
    nufft_case_free(&c);
    return status;
}

static argand_status run_all(const nufft_settings *s, const nufft_place *where, report *out)
{
    static const struct {
        option_sizes size;
        int64_t points, vectors;
    } cases[] = {{{2, {256, 256, 1}}, 1000000, 1},
                 {{2, {256, 256, 1}}, 50000, 32},
                 {{3, {128, 128, 128}}, 1000000, 1}};
    if (s->size.rank)
        return run_case(s, where, out, &s->size, s->points ? s->points : 100000, s->vectors ? s->vectors : 1);
    for (int i = 0; i < 3; i++)
        TRY(run_case(s, where, out, &cases[i].size, s->points ? s->points : cases[i].points,
                     s->vectors ? s->vectors : cases[i].vectors));
    return ARGAND_OK;
}

/* Opens a CUDA device again with a stream that the peer can use too. */
static argand_status take_stream(nufft_place *where, const common_options *common)
{
    char why[200], name[32];
    const int index = cuda_peer_index(common->device);
    where->cuda = cuda_peer_open(index, why, sizeof why);
    if (!where->cuda) return report_error(ARGAND_DEVICE, "%s", why);
    argand_device_close(where->device);
    where->device = NULL;
    snprintf(name, sizeof name, "cuda:%d", index);
    TRY(argand_device_open_stream(&where->device, name, cuda_peer_stream(where->cuda)));
    return argand_device_set_threads(where->device, common->threads);
}

static argand_status open_place(nufft_place *where, const nufft_settings *s)
{
    argand_device_info info;
    TRY(common_open(&s->common, &where->device));
    TRY(argand_device_describe(where->device, &info));
    if (!strcmp(info.backend, "cuda") && !s->alone) TRY(take_stream(where, &s->common));
    if (!s->common.json)
        printf("%s (%s), %d threads; rates in 10^6 points x vectors a second, without sorting the points\n",
               info.name, info.detail, argand_device_threads(where->device));
    return ARGAND_OK;
}

static int bench(const nufft_settings *s)
{
    report out;
    nufft_place where = {0};
    report_begin(&out, "bench nufft", &s->common);
    argand_status status = open_place(&where, s);
    if (!status) status = run_all(s, &where, &out);
    argand_device_close(where.device);
    cuda_peer_close(where.cuda);
    return status ? report_failure(&out, status) : 0;
}

int bench_nufft(int argc, char **argv)
{
    nufft_settings s = {.repeat = 10, .tolerance = 1e-4};
    const option options[] = {
        sizes_option("size", 0, &s.size, "NxN",
                     "size of the image, 1 to 3 dimensions. Default: three common cases"),
        int_option("points", 0, &s.points, "N", 0, 2e9, "number of points; 0: that of the case"),
        int_option("vectors", 0, &s.vectors, "N", 0, 4096,
                   "number of images, which share the points; 0: that of the case"),
        double_option("tolerance", 0, &s.tolerance, "E", 1e-15, 1, "relative l2 error"),
        choice_option("precision", 0, &s.precision, "NAME", "single|double", "precision of all numbers"),
        choice_option("kind", 0, &s.kind, "NAME", "random|radial|spiral|cell", "kind of points"),
        int_option("repeat", 0, &s.repeat, "N", 1, 1e6, "number of runs; the shortest counts"),
        flag_option("alone", 0, &s.alone, "do not time FINUFFT or cuFINUFFT"),
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench nufft [options]",
        .description =
            "Times NUFFTs of type 2 (image to samples) and type 1 (samples to image), with the error against "
            "exact sums in double\n"
            "precision. It also times the same problem by FINUFFT's Python package, or on CUDA devices by "
            "each method of cuFINUFFT (the\n"
            "library that ARGAND_CUFINUFFT names, or that of its Python package). If the other library's "
            "error at the same tolerance is\n"
            "larger than Argand's, it runs once more at the loosest tolerance whose error is not larger.",
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
