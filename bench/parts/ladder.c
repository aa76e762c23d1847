/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench ladder: measures FFT kernels from 2012 to today's, step by step, each compared with a copy
 * of the same data in the same run. The steps are not part of the library: argand_bench_ladder
 * (bench/ladder) runs them, and this file prints its lines. */
#include "common/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int bench_ladder(int argc, char **argv);

typedef struct ladder_settings {
    common_options common;
    option_sizes size;
    int rows, repeat;
    const char *only;
} ladder_settings;

typedef struct ladder_session {
    const ladder_settings *s;
    const char *device;
    bool small; /* a processor with a GPU's interface */
    report out;
} ladder_session;

/* A line of argand_bench_ladder about a step. */
typedef struct ladder_line {
    int row, passes, items, registers, groups, items_at_most;
    double seconds, copy, error;
    size_t shared, spilled;
    char name[96], plan_text[128];
} ladder_line;

/* ---- the program in the same folder as this one ---- */

static bool find_program(char *path, size_t size)
{
    const char name[] = "argand_bench_ladder";
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0) return false;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash + 1 - path) + sizeof name > size) return false;
    memcpy(slash + 1, name, sizeof name);
    return access(path, X_OK) == 0;
}

/* Returns true if a word can stand between quotes in a shell command. */
static bool is_plain(const char *word)
{
    return word && !strpbrk(word, "'\\\n");
}

static argand_status open_program(FILE **program, const ladder_session *x, int rank, int n, long long rows)
{
    char path[4096], plan_text[5000];
    if (!find_program(path, sizeof path) || !is_plain(path))
        return report_error(
            ARGAND_UNSUPPORTED,
            "argand_bench_ladder, which has the steps, is not next to this program: build it with "
            "ARGAND_BUILD_BENCH=ON");
    if (!is_plain(x->device) || (x->s->only && !is_plain(x->s->only)))
        return report_error(ARGAND_ARGUMENT, "a device or a step has a quotation mark in its name");
    snprintf(plan_text, sizeof plan_text, "'%s' '%s' %d %d %lld %d '%s'", path, x->device, rank, n, rows,
             x->s->repeat, x->s->only ? x->s->only : "");
    *program = popen(plan_text, "r");
    return *program ? ARGAND_OK : report_error(ARGAND_FILE, "%s cannot be started", path);
}

/* ---- lines ---- */

static bool read_line(ladder_line *l, const char *line)
{
    *l = (ladder_line){0};
    return sscanf(line, "step\t%d\t%d\t%lf\t%lf\t%lf\t%d\t%d\t%zu\t%zu\t%d\t%d\t%95[^\t\n]\t%127[^\n]",
                  &l->row, &l->passes, &l->seconds, &l->copy, &l->error, &l->items, &l->registers, &l->shared,
                  &l->spilled, &l->groups, &l->items_at_most, l->name, l->plan_text) >= 12;
}

/* Returns the percentage of a multiprocessor's items that this kernel fills. */
static double occupancy(const ladder_line *l)
{
    return l->items_at_most ? 100.0 * l->groups * l->items / l->items_at_most : 0;
}

static void print_json(ladder_session *x, const ladder_line *l, int rank, int n, double points)
{
    char name[256], plan_text[300];
    report_result(
        &x->out,
        "\"rank\":%d,\"n\":%d,\"points\":%.0f,\"row\":%d,\"step\":%s,\"passes\":%d,\"bytes\":%.0f,\"time\":%."
        "6g,"
        "\"copy_time\":%.6g,\"error\":%.3g,\"items\":%d,\"registers\":%d,\"shared\":%zu,\"spilled\":%zu,"
        "\"groups_at_a_time\":%d,\"occupancy\":%.3g,\"plan\":%s",
        rank, n, points, l->row, json_string(name, sizeof name, l->name), l->passes, 16 * points * l->passes,
        l->seconds, l->copy, l->error, l->items, l->registers, l->shared, l->spilled, l->groups, occupancy(l),
        json_string(plan_text, sizeof plan_text, l->plan_text));
}

static void print_line(ladder_session *x, const ladder_line *l, int rank, int n, double points)
{
    const double bytes = 16 * points * l->passes;
    print_json(x, l, rank, n, points);
    if (x->s->common.json) return;
    printf("%3d  %-34s", l->row, l->name);
    if (l->passes)
        printf("  %6d  %9.4g", l->passes, 1e-6 * bytes);
    else
        printf("  %6s  %9s", "", "");
    printf("  %10.4f", 1e3 * l->seconds);
    if (l->passes)
        printf("  %8.1f", 1e-9 * bytes / l->seconds);
    else
        printf("  %8s", "");
    if (l->copy > 0 && l->passes)
        printf("  %6.1f", 100 * l->copy * l->passes / l->seconds);
    else
        printf("  %6s", "");
    if (l->copy > 0)
        printf("  %6.2f", l->seconds / l->copy);
    else
        printf("  %6s", "");
    printf("  %7.1e", l->error);
    if (l->items)
        printf("  %5d  %4d  %6zu  %5zu  %3d  %4.0f", l->items, l->registers, l->shared, l->spilled, l->groups,
               occupancy(l));
    printf("%s%s\n", l->plan_text[0] ? "  " : "", l->plan_text);
    fflush(stdout);
}

static void print_head(const ladder_session *x, int rank, int n, double points)
{
    if (x->s->common.json) return;
    if (rank == 1)
        printf("\n%.0f rows of %d\n", points / n, n);
    else
        printf("\n%dx%dx%d\n", n, n, n);
    printf("row  %-34s  passes         MB          ms      GB/s  %% copy  copies    error  items  regs  "
           "shared  spill  grp  occ%%\n",
           "step");
}

/* ---- cases ---- */

static argand_status run_case(ladder_session *x, int rank, int n, long long rows)
{
    char line[1024];
    const double points = (double)rows * n;
    FILE *program = NULL;
    TRY(open_program(&program, x, rank, n, rows));
    print_head(x, rank, n, points);
    while (fgets(line, sizeof line, program)) {
        ladder_line l;
        char name[96], reason[700];
        int row;
        if (read_line(&l, line))
            print_line(x, &l, rank, n, points);
        else if (sscanf(line, "refused\t%d\t%95[^\t]\t%699[^\n]", &row, name, reason) == 3)
            report_note(&x->out, "%s: not on this device: %s", name, reason);
    }
    if (pclose(program) == 0) return ARGAND_OK;
    return report_error(ARGAND_INTERNAL, "argand_bench_ladder failed for n = %d (its words are above)", n);
}

/* Measures the document's cases, rows of 128 as many as in a cube of 128 and the cube, then cases that
 * exceed the cache. */
static argand_status run_all(ladder_session *x)
{
    const ladder_settings *s = x->s;
    const int rows_of[] = {64, 128, 256, 512, 1024}, cubes[] = {64, 128, 256, 512};
    if (s->size.rank == 1)
        return run_case(x, 1, (int)s->size.n[0], s->rows ? s->rows : x->small ? 4096 : 1 << 19);
    if (s->size.rank) return run_case(x, 3, (int)s->size.n[0], s->size.n[0] * s->size.n[0]);
    TRY(run_case(x, 1, 128, x->small ? 256 : 128 * 128));
    if (x->small) return run_case(x, 3, 32, 32 * 32);
    for (size_t i = 0; i < sizeof rows_of / sizeof *rows_of; i++)
        TRY(run_case(x, 1, rows_of[i], (1 << 26) / rows_of[i]));
    for (size_t i = 0; i < sizeof cubes / sizeof *cubes; i++)
        TRY(run_case(x, 3, cubes[i], (long long)cubes[i] * cubes[i]));
    return ARGAND_OK;
}

static argand_status begin(ladder_session *x)
{
    const char *given = x->s->common.device ? x->s->common.device : getenv("ARGAND_DEVICE");
    argand_device *device;
    argand_device_info info;
    x->device = given && *given ? given : "auto";
    TRY(common_open(&x->s->common, &device));
    const argand_status status = argand_device_describe(device, &info);
    argand_device_close(device);
    if (status) return status;
    x->small = info.units < 16;
    if (!x->s->common.json)
        printf("%s (%s), %s; medians of %d rounds, a copy of the data in turn with each; %% copy: of the "
               "copy's rate over all passes; "
               "copies: time in copies\n",
               info.name, info.detail, info.backend, x->s->repeat);
    return ARGAND_OK;
}

static int bench(const ladder_settings *s)
{
    ladder_session x = {.s = s};
    report_begin(&x.out, "bench ladder", &s->common);
    argand_status status = begin(&x);
    if (!status) status = run_all(&x);
    return status ? report_failure(&x.out, status) : 0;
}

int bench_ladder(int argc, char **argv)
{
    ladder_settings s = {.repeat = 20};
    const option options[] = {
        sizes_option("size", 0, &s.size, "N|NxNxN",
                     "rows of N points, or a cube; N is a power of two. Default: rows of 64 to 1024, cubes "
                     "of 64 to 512"),
        int_option("rows", 0, &s.rows, "N", 0, 1e9,
                   "number of rows, a multiple of 64; 0: 524288 on a GPU, 4096 on a processor"),
        text_option("only", 0, &s.only, "TEXT", "time only steps whose names contain TEXT"),
        int_option("repeat", 0, &s.repeat, "N", 1, 64,
                   "number of rounds after a warm-up; a round has 8 transforms if they are short; the median "
                   "counts"),
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench ladder [options]",
        .description = "Times FFT kernels from those of 2012 (radix-2 stages through shared memory, four "
                       "transposes for three axes) to today's, in\n"
                       "single precision. Each step changes one thing: decimation in time or in frequency, "
                       "rows of a group, threads of a group,\n"
                       "order, twiddle factors, shuffles, 7 passes down to 2 for a cube. The last ones are "
                       "argand_fft and cuFFT. Errors are against\n"
                       "sums in double precision. docs/performance/fft-ladder.md explains each step and its "
                       "expected time.",
        .examples = "  argand bench ladder --device cuda:0\n"
                    "  argand bench ladder --device cuda:0 --size 128x128x128 --json\n"
                    "  argand bench ladder --device opencl:0 --size 128 --only 2012\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    if (s.size.rank == 2 ||
        (s.size.rank == 3 && (s.size.n[1] != s.size.n[0] || s.size.n[2] != s.size.n[0]))) {
        fprintf(stderr, "argand bench ladder: --size takes N or NxNxN with one N\n");
        return ARGAND_ARGUMENT;
    }
    return bench(&s);
}
