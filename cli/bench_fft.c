/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench fft: time and rate of forward transforms, their error against the sum in long double at some
 * frequencies, and beside them FFTW, planned with FFTW_MEASURE, in turns with ours so that both see the same
 * load. */
#include "fftw_peer.h"
#include "report.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int bench_fft(int argc, char **argv);

typedef struct settings {
    common_options common;
    option_sizes size;
    int batch, precision, kind, repeat;
    bool measure, centred;
} settings;

enum { CHECKED = 16 }; /* frequencies that are checked */

typedef struct bench_case {
    int rank;
    int64_t n[3], batch, points;
    bool real, is_double;
    argand_device *device, *host; /* ours and the peer's */
    argand_array *in, *out, *peer_in, *peer_out;
    argand_array *source, *result; /* what went in and came out, on the host */
    argand_fft *plan;
    fftw_peer peer;
} bench_case;

typedef struct figures {
    double plan_seconds, seconds, error;
} figures;

/* ---- the problem ---- */

static argand_status make_array(argand_array **array, const bench_case *c, argand_device *device,
                                bool is_input)
{
    const argand_type real_type = c->is_double ? ARGAND_R64 : ARGAND_R32,
                      complex_type = c->is_double ? ARGAND_C64 : ARGAND_C32;
    int64_t dims[4] = {c->real && !is_input ? c->n[0] / 2 + 1 : c->n[0]};
    for (int axis = 1; axis < c->rank; axis++) dims[axis] = c->n[axis];
    dims[c->rank] = c->batch;
    return argand_array_create(array, device, c->real && is_input ? real_type : complex_type, c->rank + 1,
                               dims);
}

static void fill_random(const bench_case *c, argand_array *array)
{
    const int64_t count = (c->real ? 1 : 2) * argand_array_count(array);
    uint64_t state = 1;
    for (int64_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double value = (double)(state >> 11) * 0x1p-53 - 0.5;
        if (c->is_double)
            ((double *)argand_array_data(array))[i] = value;
        else
            ((float *)argand_array_data(array))[i] = (float)value;
    }
}

static argand_status make_case(bench_case *c, const settings *s, figures *ours)
{
    c->points = 1;
    for (int axis = 0; axis < c->rank; axis++) c->points *= c->n[axis];
    TRY(make_array(&c->in, c, c->device, true));
    TRY(make_array(&c->out, c, c->device, false));
    TRY(make_array(&c->peer_in, c, c->host, true));
    TRY(make_array(&c->peer_out, c, c->host, false));
    TRY(make_array(&c->source, c, c->host, true));
    TRY(make_array(&c->result, c, c->host, false));
    fill_random(c, c->source);
    TRY(argand_array_copy(c->in, c->source));
    argand_fft_options options = {.type = argand_array_type(c->in),
                                  .rank = c->rank,
                                  .batch = c->batch,
                                  .centred = s->centred,
                                  .effort = s->measure ? ARGAND_MEASURE : ARGAND_ESTIMATE};
    for (int axis = 0; axis < c->rank; axis++) options.n[axis] = c->n[axis];
    const double start = seconds_now();
    TRY(argand_fft_create(&c->plan, c->device, &options));
    ours->plan_seconds = seconds_now() - start;
    return ARGAND_OK;
}

static void free_case(bench_case *c)
{
    fftw_peer_release(&c->peer);
    argand_fft_destroy(c->plan);
    argand_array *const arrays[] = {c->in, c->out, c->peer_in, c->peer_out, c->source, c->result};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
}

/* ---- the error ---- */

static long double complex element(const argand_array *array, int64_t i)
{
    const void *data = argand_array_data(array);
    switch (argand_array_type(array)) {
    case ARGAND_R32:
        return ((const float *)data)[i];
    case ARGAND_R64:
        return ((const double *)data)[i];
    case ARGAND_C32:
        return ((const float *)data)[2 * i] + I * ((const float *)data)[2 * i + 1];
    default:
        return ((const double *)data)[2 * i] + I * ((const double *)data)[2 * i + 1];
    }
}

static long double complex *phases_of(int64_t n)
{
    long double complex *phases = malloc((size_t)n * sizeof *phases);
    for (int64_t j = 0; phases && j < n; j++) {
        const long double angle = -6.283185307179586476925286766559005768L * (long double)j / (long double)n;
        phases[j] = cosl(angle) + I * sinl(angle);
    }
    return phases;
}

/* X[k] of the batch's last transform, as the sum is written in fft.h. */
static long double complex direct_sum(const bench_case *c, const int64_t *k,
                                      long double complex *const *phases, bool centred)
{
    const int64_t first = (c->batch - 1) * c->points;
    long double complex sum = 0;
    for (int64_t i = 0; i < c->points; i++) {
        long double complex phase = 1;
        int64_t rest = i;
        for (int axis = 0; axis < c->rank; rest /= c->n[axis++]) {
            const int64_t n = c->n[axis], shift = centred ? n / 2 : 0;
            const int64_t turn = (rest % n - shift) * (k[axis] - shift) % n;
            phase *= phases[axis][turn < 0 ? turn + n : turn];
        }
        sum += element(c->source, first + i) * phase;
    }
    return sum;
}

/* Relative l2 error over some frequencies of `out`, and of the peer's output (which is not centred). */
static void measure_error(const bench_case *c, const argand_array *out, bool centred, double *error)
{
    long double complex *phases[3] = {NULL};
    long double difference = 0, norm = 0;
    const int64_t half = c->real ? c->n[0] / 2 + 1 : c->n[0];
    for (int axis = 0; axis < c->rank; axis++) phases[axis] = phases_of(c->n[axis]);
    for (int64_t i = 0; i < CHECKED; i++) {
        int64_t k[3] = {0}, at = 0;
        for (int axis = c->rank; axis-- > 0;) {
            const int64_t n = axis == 0 ? half : c->n[axis];
            k[axis] = (i * (7919 + 104729 * axis) + 1) % n;
            at = at * n + k[axis];
        }
        const long double complex truth = direct_sum(c, k, phases, centred);
        const long double complex d =
            element(out, (c->batch - 1) * (c->points / c->n[0] * half) + at) - truth;
        difference += creall(d) * creall(d) + cimagl(d) * cimagl(d);
        norm += creall(truth) * creall(truth) + cimagl(truth) * cimagl(truth);
    }
    for (int axis = 0; axis < c->rank; axis++) free(phases[axis]);
    *error = (double)sqrtl(difference / norm);
}

/* ---- the time ---- */

static argand_status time_ours(const bench_case *c, int64_t times, double *seconds)
{
    const double start = seconds_now();
    for (int64_t i = 0; i < times; i++) TRY(argand_fft_apply(c->plan, c->out, c->in, ARGAND_FORWARD));
    TRY(argand_device_wait(c->device));
    *seconds = (seconds_now() - start) / (double)times;
    return ARGAND_OK;
}

static double time_peer(const bench_case *c, int64_t times)
{
    const double start = seconds_now();
    for (int64_t i = 0; i < times; i++) c->peer.execute(c->peer.plan);
    return (seconds_now() - start) / (double)times;
}

/* The least of `repeat` rounds of some milliseconds each, ours and the peer's in turns. */
static argand_status measure_times(bench_case *c, int repeat, figures *ours, figures *peer)
{
    double seconds;
    TRY(time_ours(c, 1, &seconds));
    const int64_t times = seconds > 5e-3 ? 1 : (int64_t)(5e-3 / (seconds + 1e-7)) + 1;
    ours->seconds = peer->seconds = INFINITY;
    for (int round = 0; round < repeat; round++) {
        TRY(time_ours(c, times, &seconds));
        ours->seconds = fmin(ours->seconds, seconds);
        if (c->peer.plan) peer->seconds = fmin(peer->seconds, time_peer(c, times));
    }
    return ARGAND_OK;
}

/* ---- a line of the table ---- */

static double rate(const bench_case *c, double seconds)
{
    const double points = (double)c->points,
                 flops = (c->real ? 2.5 : 5) * points * log2(points) * (double)c->batch;
    return flops / seconds / 1e9;
}

static void size_text(const bench_case *c, char *text, size_t size)
{
    size_t used = 0;
    for (int axis = 0; axis < c->rank; axis++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", axis ? "x" : "", (long long)c->n[axis]);
    if (c->batch > 1) snprintf(text + used, size - used, " batch %lld", (long long)c->batch);
}

static void print_line(report *r, const bench_case *c, const figures *ours, const figures *peer)
{
    char name[96];
    size_text(c, name, sizeof name);
    report_result(r,
                  "\"size\":\"%s\",\"type\":\"%s%s\",\"plan_seconds\":%.4g,\"seconds\":%.5g,\"gflops\":%.4g,"
                  "\"error\":%.3g,"
                  "\"fftw_seconds\":%.5g,\"fftw_plan_seconds\":%.4g,\"fftw_error\":%.3g",
                  name, c->real ? "real " : "", c->is_double ? "double" : "single", ours->plan_seconds,
                  ours->seconds, rate(c, ours->seconds), ours->error, c->peer.plan ? peer->seconds : 0,
                  peer->plan_seconds, peer->error);
    if (r->json) return;
    printf("%-20s %9.2f %11.4f %9.2f %9.1e", name, 1e3 * ours->plan_seconds, 1e3 * ours->seconds,
           rate(c, ours->seconds), ours->error);
    if (c->peer.plan)
        printf(" | %10.2f %11.4f %9.2f %9.1e %6.2f", 1e3 * peer->plan_seconds, 1e3 * peer->seconds,
               rate(c, peer->seconds), peer->error, peer->seconds / ours->seconds);
    printf("\n");
    fflush(stdout);
}

static argand_status run_case(bench_case *c, const settings *s, report *r)
{
    figures ours = {0}, peer = {0};
    TRY(make_case(c, s, &ours));
    const fftw_job job = {
        c->rank, c->n, c->batch, c->real, argand_array_data(c->peer_in), argand_array_data(c->peer_out)};
    const double start = seconds_now();
    if (c->peer.execute) fftw_peer_plan(&c->peer, &job, argand_device_threads(c->device));
    peer.plan_seconds = seconds_now() - start;
    TRY(argand_array_copy(c->peer_in, c->source));
    TRY(measure_times(c, s->repeat, &ours, &peer));
    TRY(argand_array_copy(c->result, c->out));
    measure_error(c, c->result, s->centred, &ours.error);
    if (c->peer.plan) measure_error(c, c->peer_out, false, &peer.error);
    print_line(r, c, &ours, &peer);
    return ARGAND_OK;
}

/* ---- the command ---- */

static const struct {
    int rank;
    int64_t n[3], batch;
} standard[] = {{1, {256}, 4096},     {1, {4096}, 256},       {1, {1000}, 1000},  {1, {1009}, 500},
                {1, {65536}, 1},      {1, {1048576}, 1},      {2, {64, 64}, 64},  {2, {256, 256}, 1},
                {2, {256, 256}, 16},  {2, {243, 250}, 16},    {2, {512, 512}, 1}, {2, {1024, 1024}, 1},
                {3, {64, 64, 64}, 1}, {3, {128, 128, 128}, 1}};

static void print_head(const settings *s, argand_device *device, bool has_peer)
{
    argand_device_info info;
    if (argand_device_describe(device, &info)) return;
    printf("%s, %d threads, %s %s%s\n", info.name, argand_device_threads(device),
           s->precision ? "double" : "single", s->kind ? "real to complex" : "complex",
           s->centred ? ", centred" : "");
    printf("%-20s %9s %11s %9s %9s%s\n", "size", "plan ms", "time ms", "GFLOP/s", "error",
           has_peer ? " |    plan ms     time ms   GFLOP/s     error  ratio   (FFTW, measured)"
                    : "   (FFTW is not installed)");
}

static argand_status run_all(const settings *s, argand_device *device, argand_device *host, report *r)
{
    const int count = s->size.rank ? 1 : (int)(sizeof standard / sizeof *standard);
    fftw_peer peer;
    argand_status status = ARGAND_OK;
    const bool has_peer = fftw_peer_open(&peer, s->precision);
    if (!r->json) print_head(s, device, has_peer);
    for (int i = 0; i < count && status == ARGAND_OK; i++) {
        bench_case c = {
            .real = s->kind, .is_double = s->precision, .device = device, .host = host, .peer = peer};
        c.rank = s->size.rank ? s->size.rank : standard[i].rank;
        c.batch = s->size.rank ? s->batch : standard[i].batch;
        for (int axis = 0; axis < c.rank; axis++)
            c.n[axis] = s->size.rank ? s->size.n[axis] : standard[i].n[axis];
        status = run_case(&c, s, r);
        free_case(&c);
        if (interrupted()) break;
    }
    return status;
}

int bench_fft(int argc, char **argv)
{
    settings s = {.batch = 1, .repeat = 20};
    const option options[] = {
        {.name = "size",
         .kind = OPTION_SIZES,
         .value = &s.size,
         .argument = "N",
         .help = "one size, like 256x256, instead of a list"},
        {.name = "batch",
         .kind = OPTION_INT,
         .value = &s.batch,
         .argument = "B",
         .help = "transforms at a time, with --size",
         .low = 1,
         .high = 1e9},
        {.name = "precision",
         .kind = OPTION_CHOICE,
         .value = &s.precision,
         .help = "of all numbers",
         .choices = "single|double"},
        {.name = "kind",
         .kind = OPTION_CHOICE,
         .value = &s.kind,
         .help = "complex, or real to complex",
         .choices = "complex|real"},
        {.name = "centred",
         .kind = OPTION_FLAG,
         .value = &s.centred,
         .help = "ours with centred indices (FFTW's stays plain)"},
        {.name = "measure", .kind = OPTION_FLAG, .value = &s.measure, .help = "ours planned by measuring"},
        {.name = "repeat",
         .kind = OPTION_INT,
         .value = &s.repeat,
         .argument = "N",
         .help = "rounds; the fastest counts",
         .low = 1,
         .high = 1e6},
        COMMON_OPTIONS(s.common)};
    command_line line = {
        .usage = "argand bench fft [options]",
        .description =
            "Measures forward transforms: time, rate (5 N log2 N operations each, half for real ones), error "
            "against\n"
            "the sum in long double, and the same of FFTW planned with FFTW_MEASURE where it is installed.",
        .examples = "argand bench fft --size 512x512 --batch 8 --precision double\n",
        .options = options,
        .option_count = (int)(sizeof options / sizeof *options)};
    int exit_code;
    report r;
    argand_device *device = NULL, *host = NULL;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    report_begin(&r, "bench fft", &s.common);
    argand_status status = common_open(&s.common, &device);
    if (!status) status = argand_device_open(&host, "cpu");
    if (!status) status = run_all(&s, device, host, &r);
    argand_device_close(host);
    argand_device_close(device);
    return status ? report_failure(&r, status) : 0;
}
