/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench dist: transforms of one array over the ranks of an MPI job, next to FFTW's in the same job.
 * */
#include "common/report.h"
#include "median.h"
#include "parts/dist_model.h"
#include "parts/dist_nufft.h"
#include "peers/fftw_mpi.h"

#include <argand/argand.h>
#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bench_dist(int argc, char **argv);

static const double TWO_PI = 6.283185307179586476925286766559;
enum { FREQUENCIES = 6, MOST_REPEATS = 1000 };

typedef struct settings {
    common_options common;
    option_sizes size;
    int precision, real, natural, division, effort, peers, repeat, groups, batch, model, ranks, points;
    double tolerance;
    bool unchecked, overwrite, nufft;
} settings;

typedef struct bench_case {
    const settings *s;
    argand_comm *comm;
    argand_device *device;
    argand_type type, complex_type;
    int rank;
    int64_t n[3];
    argand_dist_fft *plan;
    argand_dist_fft_info info;
    argand_array *in, *out;
    double plan_seconds, seconds, least, error;
    fftw_mpi_peer peer;
    const char *no_peer;
    double peer_seconds, peer_least;
} bench_case;

static argand_status make_array(argand_array **array, const bench_case *c, argand_type type,
                                const argand_box *box)
{
    int64_t dims[4];
    const int axes = c->rank + (c->s->batch > 1);
    *array = NULL;
    if (!argand_box_count(box, axes)) return ARGAND_OK;
    for (int d = 0; d < axes; d++) dims[d] = box->upper[d] - box->lower[d];
    return argand_array_create(array, c->device, type, axes, dims);
}

/* Numbers that depend on the position in the global array alone: as many ranks, so many parts of one array.
 * */
static double number(int64_t i)
{
    uint64_t z = (uint64_t)i * UINT64_C(0x9E3779B97F4A7C15) + 12345;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static bool is_real(const bench_case *c)
{
    return c->type == ARGAND_R32 || c->type == ARGAND_R64;
}

static double complex value(const bench_case *c, int64_t x, int64_t y, int64_t z)
{
    const int64_t i = x + c->n[0] * (y + c->n[1] * z);
    return is_real(c) ? number(i) : number(2 * i) + I * number(2 * i + 1);
}

static argand_status fill(const bench_case *c)
{
    const argand_box *b = &c->info.in;
    const bool is_double = c->s->precision;
    if (!c->in) return ARGAND_OK;
    const int64_t own = argand_box_count(b, c->rank), bx = b->upper[0] - b->lower[0],
                  by = b->upper[1] - b->lower[1];
    const int parts = is_real(c) ? 1 : 2;
    void *host = malloc((size_t)argand_array_count(c->in) * argand_type_size(c->type));
    if (!host) return report_error(ARGAND_MEMORY, "no memory for the numbers");
    for (int64_t i = 0; i < argand_array_count(c->in); i++) {
        const int64_t j = i % own, x = j % bx, y = j / bx % by, z = j / bx / by;
        const double complex v =
            value(c, b->lower[0] + x, b->lower[1] + y, c->rank > 2 ? b->lower[2] + z : 0);
        for (int k = 0; k < parts; k++)
            if (is_double)
                ((double *)host)[parts * i + k] = k ? cimag(v) : creal(v);
            else
                ((float *)host)[parts * i + k] = (float)(k ? cimag(v) : creal(v));
    }
    const argand_status status = argand_array_upload(c->in, host);
    free(host);
    return status;
}

/* This rank's terms of a frequency's sum, by phases of each axis. */
static double complex terms(const bench_case *c, const int64_t *k)
{
    const argand_box *b = &c->info.in;
    double complex sum = 0;
    const int64_t last = c->rank > 2 ? b->upper[2] : 1;
    if (!c->in) return 0;
    double complex *phase = malloc((size_t)c->n[0] * sizeof *phase);
    if (!phase) return NAN;
    for (int64_t x = 0; x < c->n[0]; x++)
        phase[x] = cexp(-I * TWO_PI * (double)(x * k[0] % c->n[0]) / (double)c->n[0]);
    for (int64_t z = c->rank > 2 ? b->lower[2] : 0; z < last; z++)
        for (int64_t y = b->lower[1]; y < b->upper[1]; y++) {
            double complex row = 0;
            for (int64_t x = b->lower[0]; x < b->upper[0]; x++) row += value(c, x, y, z) * phase[x];
            const double cycles = (double)(y * k[1] % c->n[1]) / (double)c->n[1] +
                                  (double)(z * k[2] % c->n[2]) / (double)c->n[2];
            sum += row * cexp(-I * TWO_PI * cycles);
        }
    free(phase);
    return sum;
}

static double complex output(const bench_case *c, const void *host, const int64_t *k)
{
    const argand_box *b = &c->info.out;
    int64_t at = 0;
    for (int d = 0; d < c->rank; d++) {
        if (k[d] < b->lower[d] || k[d] >= b->upper[d]) return 0;
        at += (k[d] - b->lower[d]) * b->strides[d];
    }
    if (c->s->precision) return ((const double complex *)host)[at];
    return ((const float complex *)host)[at];
}

/* The largest error of a few frequencies, against direct sums, relative to the rms of all. */
static argand_status check(bench_case *c)
{
    const double points = (double)c->n[0] * (double)c->n[1] * (double)c->n[2];
    void *host = NULL;
    if (c->out) host = malloc((size_t)argand_array_count(c->out) * argand_type_size(c->complex_type));
    argand_status status = c->out ? argand_array_download(c->out, host) : ARGAND_OK;
    const int count = points > 1e8 ? 1 : FREQUENCIES; /* a sum over 1024^3 takes seconds */
    for (int f = 0; f < count && !status; f++) {
        const int64_t half = is_real(c) ? c->n[0] / 2 + 1 : c->n[0];
        const int64_t k[3] = {(7 * f + 1) % half, (c->n[1] * f / FREQUENCIES + f) % c->n[1],
                              (11 * f + 2) % c->n[2]};
        const double complex sum = terms(c, k), got = c->out ? output(c, host, k) : 0;
        double both[4] = {creal(sum), cimag(sum), creal(got), cimag(got)};
        status = argand_comm_sum_doubles(c->comm, both, 4);
        const double rms = sqrt(points * (is_real(c) ? 1 : 2) / 3);
        c->error = fmax(c->error, hypot(both[0] - both[2], both[1] - both[3]) / rms);
    }
    free(host);
    return status;
}

/* The longest of all ranks' times. */
static argand_status longest(argand_comm *comm, double *seconds)
{
    enum { MOST_RANKS = 8192 };
    static _Thread_local double all[MOST_RANKS];
    const double mine = *seconds;
    if (argand_comm_size(comm) > MOST_RANKS) return ARGAND_OK;
    TRY(argand_comm_gather(comm, all, &mine, sizeof mine));
    for (int r = 0; r < argand_comm_size(comm); r++) *seconds = fmax(*seconds, all[r]);
    return ARGAND_OK;
}

static argand_status time_own(const bench_case *c, double *seconds)
{
    TRY(argand_comm_barrier(c->comm));
    const double start = seconds_now();
    TRY(argand_dist_fft_apply(c->plan, c->out, c->in, ARGAND_FORWARD));
    TRY(argand_device_wait(c->device));
    *seconds = seconds_now() - start;
    return longest(c->comm, seconds);
}

static argand_status time_peer(const bench_case *c, double *seconds)
{
    TRY(argand_comm_barrier(c->comm));
    const double start = seconds_now();
    c->peer.execute(c->peer.plan);
    *seconds = seconds_now() - start;
    return longest(c->comm, seconds);
}

/* Alternates between both, so that both see the same other work of the machine. */
static argand_status measure(bench_case *c)
{
    static _Thread_local double own[MOST_REPEATS], peer[MOST_REPEATS];
    double unused;
    const int repeat = c->s->repeat;
    TRY(time_own(c, &unused));
    TRY(check(c));
    if (!c->no_peer) TRY(time_peer(c, &unused));
    for (int i = 0; i < repeat; i++) {
        TRY(time_own(c, &own[i]));
        if (!c->no_peer) TRY(time_peer(c, &peer[i]));
    }
    c->seconds = median_of(own, repeat);
    c->least = own[0];
    if (!c->no_peer) c->peer_seconds = median_of(peer, repeat);
    if (!c->no_peer) c->peer_least = peer[0];
    return ARGAND_OK;
}

static argand_status make(bench_case *c)
{
    const settings *s = c->s;
    const argand_dist_fft_options options = {.type = c->type,
                                             .rank = c->rank,
                                             .n = {c->n[0], c->n[1], c->n[2]},
                                             .batch = s->batch,
                                             .division = (argand_dist_division)s->division,
                                             .effort = s->effort ? ARGAND_MEASURE : ARGAND_ESTIMATE,
                                             .transposed = !s->natural,
                                             .groups = s->groups,
                                             .unchecked = s->unchecked,
                                             .overwrite = s->overwrite};
    const double start = seconds_now();
    TRY(argand_dist_fft_create(&c->plan, c->comm, c->device, &options));
    c->plan_seconds = seconds_now() - start;
    TRY(argand_dist_fft_describe(c->plan, &c->info));
    TRY(make_array(&c->in, c, c->type, &c->info.in));
    TRY(make_array(&c->out, c, c->complex_type, &c->info.out));
    return fill(c);
}

static void make_peer(bench_case *c)
{
    static const unsigned flags[] = {0, 64, 32}; /* FFTW_MEASURE, _ESTIMATE, _PATIENT */
    const settings *s = c->s;
    const fftw_mpi_job job = {.rank = c->rank,
                              .n = c->n,
                              .real = is_real(c),
                              .is_double = s->precision,
                              .transposed = !s->natural,
                              .flags = flags[s->peers > 0 ? s->peers - 1 : 0]};
    c->no_peer = s->peers == 0 ? "not asked for" : s->batch > 1 ? "of one array alone" : NULL;
    const double start = seconds_now();
    if (!c->no_peer) c->no_peer = fftw_mpi_open(&c->peer, &job);
    c->peer.plan_seconds = seconds_now() - start;
}

static double rate(const bench_case *c, double seconds)
{
    const double points = (double)c->n[0] * (double)c->n[1] * (double)c->n[2];
    return 5e-9 * points * log2(points) * (is_real(c) ? 0.5 : 1) * (c->s->batch > 1 ? c->s->batch : 1) /
           seconds;
}

static void print_case(const bench_case *c, report *out)
{
    static const char *const names[] = {"auto", "slab", "pencil"};
    const argand_dist_fft_info *i = &c->info;
    const int64_t bytes =
        i->work_bytes + (c->in ? argand_array_count(c->in) * (int64_t)argand_type_size(c->type) : 0) +
        (c->out ? argand_array_count(c->out) * (int64_t)argand_type_size(c->complex_type) : 0);
    const int64_t theirs = c->peer.elements * (int64_t)argand_type_size(c->complex_type) * 2;
    report_result(
        out,
        "\"size\":[%lld,%lld,%lld],\"ranks\":%d,\"division\":\"%s\",\"grid\":[%d,%d],\"seconds\":%.6g,"
        "\"least\":%.6g,"
        "\"rate\":%.6g,\"bytes_per_rank\":%lld,\"sent\":%lld,\"messages\":%d,\"error\":%.3g,"
        "\"plan_seconds\":%.3g,\"fftw_mpi\":%.6g,\"fftw_mpi_least\":%.6g,\"fftw_mpi_plan_seconds\":%.3g",
        (long long)c->n[0], (long long)c->n[1], (long long)c->n[2], argand_comm_size(c->comm),
        names[i->division], i->grid[0], i->grid[1], c->seconds, c->least, rate(c, c->seconds),
        (long long)bytes, (long long)i->sent_bytes, i->messages, c->error, c->plan_seconds, c->peer_seconds,
        c->peer_least, c->peer.plan_seconds);
    if (c->s->common.json) return;
    printf("%lldx%lldx%lld %s, %d ranks, %s: %.2f ms (least %.2f), %.2f GFLOP/s, %.1f MB/rank, sends %.1f MB "
           "in %d messages, "
           "error %.1e, plan %.2f s\n",
           (long long)c->n[0], (long long)c->n[1], (long long)c->n[2], argand_type_name(c->type),
           argand_comm_size(c->comm), names[i->division], 1e3 * c->seconds, 1e3 * c->least,
           rate(c, c->seconds), 1e-6 * (double)bytes, 1e-6 * (double)i->sent_bytes, i->messages, c->error,
           c->plan_seconds);
    if (c->no_peer)
        printf("FFTW-MPI: %s\n", c->no_peer);
    else
        printf("FFTW-MPI: %.2f ms (least %.2f; Argand takes %.2f of the median), %.1f MB/rank, plan %.2f s\n",
               1e3 * c->peer_seconds, 1e3 * c->peer_least, c->seconds / c->peer_seconds,
               1e-6 * (double)theirs, c->peer.plan_seconds);
}

static const char *const models[] = {"no", "measured", "cpu", "a100", "h100", "h200", "h200-threads"};

static argand_status print_model(const settings *s, argand_comm *comm, argand_device *device)
{
    argand_dist_machine machine;
    argand_dist_fft_options o = {.type = s->precision ? ARGAND_C64 : ARGAND_C32,
                                 .rank = s->size.rank ? s->size.rank : 3,
                                 .transposed = !s->natural};
    for (int d = 0; d < s->size.rank && d < 3; d++) o.n[d] = s->size.n[d];
    if (s->real) o.type = s->precision ? ARGAND_R64 : ARGAND_R32;
    if (s->model == 1)
        TRY(argand_dist_machine_measure(&machine, comm, device));
    else
        TRY(argand_dist_machine_named(&machine, models[s->model]));
    return argand_comm_rank(comm) ? ARGAND_OK
                                  : dist_model_print(models[s->model], &machine, &o, s->size.rank);
}

static argand_status run_case(const settings *s, argand_comm *comm, argand_device *device, report *out)
{
    static const argand_type types[] = {ARGAND_C32, ARGAND_C64, ARGAND_R32, ARGAND_R64};
    bench_case c = {.s = s,
                    .comm = comm,
                    .device = device,
                    .type = types[2 * s->real + s->precision],
                    .complex_type = s->precision ? ARGAND_C64 : ARGAND_C32,
                    .rank = s->size.rank ? s->size.rank : 3,
                    .n = {256, 256, 256}};
    for (int d = 0; d < 3 && s->size.rank; d++) c.n[d] = d < s->size.rank ? s->size.n[d] : 1;
    argand_status status = make(&c);
    if (!status) make_peer(&c);
    if (!status) status = measure(&c);
    if (!status && argand_comm_rank(comm) == 0) print_case(&c, out);
    if (c.peer.plan) fftw_mpi_close(&c.peer);
    argand_dist_fft_destroy(c.plan);
    argand_array_destroy(c.in);
    argand_array_destroy(c.out);
    return status;
}

/* A rank: a process of the job, or a thread. */
typedef struct bench_rank {
    const settings *s;
    argand_comm *comm;
    report *out;
    pthread_t thread;
    argand_status status;
    char message[1024];
} bench_rank;

/* "cuda" is the GPU of the rank's number on its host. */
static argand_status open_device(const settings *s, const argand_comm_info *info, argand_device **device)
{
    common_options own = s->common;
    char name[32];
    snprintf(name, sizeof name, "cuda:%d", info->local_rank);
    if (own.device && !strcmp(own.device, "cuda")) own.device = name;
    return common_open(&own, device);
}

static argand_status run_nufft(const settings *s, argand_comm *comm, argand_device *device, report *out)
{
    dist_nufft_settings n = {.common = &s->common,
                             .rank = s->size.rank ? s->size.rank : 3,
                             .repeat = s->repeat,
                             .vectors = s->batch > 1 ? s->batch : 1,
                             .n = {128, 128, 128},
                             .type = s->precision ? ARGAND_C64 : ARGAND_C32,
                             .points = s->points,
                             .tolerance = s->tolerance};
    for (int d = 0; d < s->size.rank && d < 3; d++) n.n[d] = s->size.n[d];
    return dist_nufft_bench(&n, comm, device, out);
}

static argand_status run_on(bench_rank *r, argand_comm *comm, argand_device *device)
{
    const settings *s = r->s;
    argand_comm_info info;
    argand_device_info about;
    TRY(argand_comm_describe(comm, &info));
    TRY(argand_device_describe(device, &about));
    if (!argand_comm_rank(comm) && !s->common.json)
        printf("%d ranks on %d hosts (%s), %s, median of %d\n", argand_comm_size(comm), info.hosts,
               *info.library ? info.library : info.kind, about.name, s->repeat);
    if (s->nufft) return run_nufft(s, comm, device, r->out);
    return s->model ? print_model(s, comm, device) : run_case(s, comm, device, r->out);
}

/* NCCL between GPUs, with a note of the reason where it cannot be used. */
static argand_status choose_comm(const bench_rank *r, argand_device *device, argand_comm **comm)
{
    argand_device_info about;
    TRY(argand_device_describe(device, &about));
    if (argand_comm_size(r->comm) > 1 && !strcmp(about.backend, "cuda")) {
        if (!argand_comm_nccl(comm, r->comm, device)) return ARGAND_OK;
        if (!argand_comm_rank(r->comm)) report_note(r->out, "without NCCL: %s", argand_message());
    }
    *comm = argand_comm_keep(r->comm);
    return ARGAND_OK;
}

static void *run_rank(void *context)
{
    bench_rank *r = context;
    argand_comm_info info;
    argand_device *device = NULL;
    argand_comm *comm = NULL;
    r->status = argand_comm_describe(r->comm, &info);
    if (!r->status) r->status = argand_comm_agree(r->comm, open_device(r->s, &info, &device));
    if (!r->status) r->status = choose_comm(r, device, &comm);
    if (!r->status) r->status = run_on(r, comm, device);
    if (r->status) snprintf(r->message, sizeof r->message, "%s", argand_message());
    argand_comm_destroy(comm);
    argand_device_close(device);
    argand_comm_destroy(r->comm);
    return NULL;
}

static argand_status run_threads(const settings *s, report *out)
{
    enum { MOST_THREADS = 64 };
    bench_rank ranks[MOST_THREADS] = {{0}};
    argand_comm *comms[MOST_THREADS];
    argand_status status = argand_comm_threads(comms, s->ranks);
    for (int r = 0; r < s->ranks && !status; r++) {
        ranks[r] = (bench_rank){.s = s, .comm = comms[r], .out = out};
        if (pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]))
            return report_error(ARGAND_INTERNAL, "no thread for rank %d", r);
    }
    for (int r = 0; r < s->ranks && !status; r++) pthread_join(ranks[r].thread, NULL);
    for (int r = s->ranks - 1; r >= 0 && !status; r--)
        if (ranks[r].status) return report_error(ranks[r].status, "%s", ranks[r].message);
    return status;
}

static argand_status run_job(const settings *s, report *out)
{
    bench_rank mine = {.s = s, .out = out};
    TRY(argand_comm_open(&mine.comm));
    run_rank(&mine);
    return mine.status ? report_error(mine.status, "%s", mine.message) : ARGAND_OK;
}

static int bench(const settings *s)
{
    report out;
    report_begin(&out, "bench dist", &s->common);
    const argand_status status = s->ranks ? run_threads(s, &out) : run_job(s, &out);
    return status ? report_failure(&out, status) : 0;
}

int bench_dist(int argc, char **argv)
{
    settings s = {.repeat = 7, .peers = 1};
    const option options[] = {
        sizes_option("size", 0, &s.size, "NxNxN", "size of the whole array, 2-D or 3-D [256x256x256]"),
        choice_option("kind", 0, &s.real, "NAME", "complex|real", "transform complex numbers, or reals"),
        choice_option("precision", 0, &s.precision, "NAME", "single|double", "precision of all numbers"),
        choice_option("division", 0, &s.division, "NAME", "auto|slab|pencil", "division of the array"),
        choice_option("order", 0, &s.natural, "NAME", "transposed|natural", "division of the spectrum"),
        choice_option("effort", 0, &s.effort, "NAME", "estimate|measure", "planning of Argand's local FFTs"),
        choice_option("fftw", 0, &s.peers, "NAME", "no|measure|estimate|patient",
                      "planning of FFTW-MPI; no: do not time FFTW-MPI"),
        choice_option("model", 0, &s.model, "NAME", "no|measured|cpu|a100|h100|h200|h200-threads",
                      "print predicted times of this machine, or of GPUs with NVLink and InfiniBand"),
        int_option("ranks", 0, &s.ranks, "N", 0, 64,
                   "ranks that are threads of this process; 0: the MPI job"),
        int_option("batch", 0, &s.batch, "N", 0, 1e6, "number of arrays"),
        int_option("groups", 0, &s.groups, "N", 0, 1e6, "number of parts of an exchange; 0: as predicted"),
        int_option("repeat", 0, &s.repeat, "N", 1, MOST_REPEATS, "number of runs; the median counts"),
        flag_option("nufft", 0, &s.nufft, "time NUFFTs and their Toeplitz operator instead [128x128x128]"),
        int_option("points", 0, &s.points, "N", 0, 2e9,
                   "number of points in thousands, with --nufft; 0: as many as pixels"),
        double_option("tolerance", 0, &s.tolerance, "E", 0, 0.1,
                      "relative error, with --nufft; 0: 1e-5 in single precision, 1e-9 in double"),
        flag_option("unchecked", 0, &s.unchecked,
                    "do not exchange errors between ranks before each transform"),
        flag_option("overwrite", 0, &s.overwrite,
                    "transform without work memory, which overwrites the input"),
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench dist [options], or with ranks: mpirun -n RANKS argand bench dist [options]",
        .description =
            "Times transforms of one array over the ranks of an MPI job, and FFTW-MPI in the same job.",
        .examples = "  mpirun -n 4 argand bench dist --size 256x256x256\n"
                    "  mpirun -n 6 argand bench dist --size 300x200x100 --kind real --division pencil\n"
                    "  argand bench dist --nufft --ranks 2 --threads 1 --size 96x96x96 --points 1000\n"
                    "  argand bench dist --ranks 8 --device cuda --size 1024x1024x1024\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    return bench(&s);
}
