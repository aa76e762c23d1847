/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench field: measures the exact field-corrected DFT in both directions. It prints the rate, the
 * error against plain sums in double, whether forward and adjoint match, and whether results are bitwise
 * reproducible. It compares the rate with the chip's ceiling and with the plain kernel, measured in the
 * same run. */
#include "field/field.h"
#include "median.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bench_field(int argc, char **argv);

/* ---- measuring ---- */

/* Measures the seconds per run of `times` runs in a row. */
static argand_status run_row(const field_case *c, bool adjoint, argand_timer *timer, int times,
                             double *seconds)
{
    double milliseconds;
    TRY(argand_timer_start(timer));
    for (int i = 0; i < times; i++)
        TRY(adjoint ? argand_field_adjoint(c->plan, c->image_out, c->data)
                    : argand_field_apply(c->plan, c->data_out, c->image));
    TRY(argand_timer_stop(timer));
    TRY(argand_timer_milliseconds(timer, &milliseconds));
    *seconds = 1e-3 * milliseconds / times;
    return ARGAND_OK;
}

/* Returns the median of `repeat` such rows. */
static argand_status time_rows(const field_case *c, const field_session *x, bool adjoint, argand_timer *timer,
                               int times, double *median)
{
    double seconds[1000];
    int count = 0;
    while (count < x->s->repeat && !interrupted()) TRY(run_row(c, adjoint, timer, times, &seconds[count++]));
    if (count) *median = median_of(seconds, count);
    return ARGAND_OK;
}

/* Measures a single run, and a row of runs as in an iterative solve, long enough that launch overhead is
 * negligible. */
static argand_status time_both(const field_case *c, const field_session *x, bool adjoint, argand_timer *timer,
                               field_figures *f)
{
    const double row = 1e-3;
    f->alone = f->seconds;
    TRY(time_rows(c, x, adjoint, timer, 1, &f->alone));
    f->seconds = f->alone;
    if (f->alone >= row || x->on_cpu) return ARGAND_OK;
    return time_rows(c, x, adjoint, timer, (int)(row / f->alone) + 1, &f->seconds);
}

static argand_status keep_bits(void **bits, const argand_array *array)
{
    *bits = malloc((size_t)argand_array_count(array) * argand_type_size(argand_array_type(array)));
    if (!*bits) return report_error(ARGAND_MEMORY, "no memory to compare two runs");
    return argand_array_download(array, *bits);
}

/* Runs once to warm up and measures the times. Checks that the bits stay the same. */
static argand_status time_direction(const field_case *c, const field_session *x, bool adjoint,
                                    argand_timer *timer, field_figures *f)
{
    const argand_array *out = adjoint ? c->image_out : c->data_out;
    const size_t bytes = (size_t)argand_array_count(out) * argand_type_size(c->type);
    void *first = NULL, *last = NULL;
    argand_status status = run_row(c, adjoint, timer, 1, &f->seconds);
    if (!status) status = keep_bits(&first, out);
    if (!status) status = time_both(c, x, adjoint, timer, f);
    if (!status) status = keep_bits(&last, out);
    f->same = !status && !memcmp(first, last, bytes);
    free(first);
    free(last);
    return status;
}

static argand_status measure(field_session *x, field_case *c, argand_timer *timer)
{
    field_figures f[2] = {0};
    argand_field_info info;
    argand_field_describe(c->plan, &info);
    if (!x->on_cpu && !strcmp(info.engine, "cpu"))
        report_note(&x->out, "this device has no engine to compute the sums: the host does in its place");
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        TRY(time_direction(c, x, adjoint, timer, &f[adjoint]));
        if (interrupted()) return ARGAND_STOPPED;
        TRY(field_case_error(c, adjoint, &f[adjoint].error, &f[adjoint].seconds_per_pair));
        if (adjoint) TRY(field_case_adjointness(c, &f[adjoint].apart));
        field_print_line(x, c, adjoint, &f[adjoint]);
    }
    return ARGAND_OK;
}

static argand_status run_case(field_session *x, field_case c)
{
    argand_timer *timer = NULL;
    c.device = x->device;
    c.tolerance = x->s->tolerance;
    argand_status status = field_case_make(&c);
    if (!status) status = argand_timer_create(&timer, x->device);
    if (!status) status = measure(x, &c, timer);
    argand_timer_destroy(timer);
    field_case_free(&c);
    return status;
}

/* ---- the lists ---- */

/* Measures the plain kernel once per geometry: it has one coil and one precision. */
static void measure_plain(field_session *x, const field_case *c)
{
    x->plain = (plain_figures){0};
    if (!x->s->alone && !x->on_cpu && !field_plain_kernel(&x->plain, c, x->device_name, 3))
        report_note(&x->out, "no comparison: argand_bench_plain is not next to argand, or does not run here");
}

static argand_status run_coils(field_session *x, const field_case *problem)
{
    static const int counts[2][4] = {{1, 8, 16, 32}, {1, 4, 8, 0}};
    const int *list = x->s->coils ? (const int[]){x->s->coils, 0} : counts[x->small];
    for (int i = 0; i < 4 && list[i] && !interrupted(); i++) {
        field_case c = *problem;
        c.coils = list[i];
        TRY(run_case(x, c));
    }
    return interrupted() ? ARGAND_STOPPED : ARGAND_OK;
}

static argand_status run_models(field_session *x, field_case problem)
{
    for (int model = 0; model < MODELS; model++) {
        if (x->s->model && model + 1 != x->s->model) continue;
        problem.model = model;
        if (model == MODEL_PLAIN || model == MODEL_GRADIENTS || x->s->model) measure_plain(x, &problem);
        if (model == MODEL_TERMS && !x->s->model) x->plain = (plain_figures){0};
        for (int is_double = 0; is_double < 2; is_double++) {
            if (is_double ? x->s->precision == 0 || !x->info.has_double : x->s->precision == 1) continue;
            problem.type = is_double ? ARGAND_C64 : ARGAND_C32;
            TRY(run_coils(x, &problem));
        }
    }
    return ARGAND_OK;
}

/* Measures 10^4 x 10^4 to 10^6 x 10^6 pairs. A constant cost per pair shows that there is no other cost. */
static argand_status run_growth(field_session *x)
{
    static const int64_t widths[] = {100, 178, 316, 562, 1000};
    for (size_t i = 0; i < sizeof widths / sizeof *widths && !interrupted(); i++) {
        const int64_t n = widths[i];
        if (x->small && n > 178) break; /* would take hours on a processor */
        field_case c = {
            .model = MODEL_FIELD, .rank = 2, .n = {n, n, 1}, .samples = n * n, .type = ARGAND_C32};
        measure_plain(x, &c);
        for (c.coils = x->s->coils ? x->s->coils : 1; c.coils <= 32; c.coils *= 32) {
            TRY(run_case(x, c));
            if (x->s->coils) break;
        }
    }
    return interrupted() ? ARGAND_STOPPED : ARGAND_OK;
}

static argand_status run_all(field_session *x)
{
    const field_settings *s = x->s;
    if (s->growth) {
        field_print_head(s);
        return run_growth(x);
    }
    field_case c = {.rank = s->size.rank, .n = {s->size.n[0], s->size.n[1], s->size.n[2]}};
    if (!c.rank) {
        c.rank = 2;
        c.n[0] = c.n[1] = x->small ? 128 : 256;
    }
    for (int d = c.rank; d < 3; d++) c.n[d] = 1;
    c.samples = s->samples ? s->samples : x->small ? 16384 : 65536;
    if (!s->common.json) {
        printf("image %lldx%lldx%lld, %lld samples\n", (long long)c.n[0], (long long)c.n[1],
               (long long)c.n[2], (long long)c.samples);
    }
    field_print_head(s);
    return run_models(x, c);
}

/* ---- the command ---- */

static argand_status begin(field_session *x)
{
    const char *given = x->s->common.device ? x->s->common.device : getenv("ARGAND_DEVICE");
    x->device_name = given && *given ? given : "auto";
    TRY(common_open(&x->s->common, &x->device));
    TRY(argand_device_describe(x->device, &x->info));
    x->on_cpu = !strcmp(x->info.backend, "cpu");
    x->small = x->on_cpu || x->info.units < 16;
    if (x->s->common.json) return ARGAND_OK;
    printf("%s (%s), %s", x->info.name, x->info.detail, x->info.backend);
    if (x->on_cpu) printf(", %d threads", argand_device_threads(x->device));
    printf("; medians of %d runs; rates in 10^9 a second; x plain: times the rate of %s\n", x->s->repeat,
           x->on_cpu ? "a plain loop in double on one core" : "the plain kernel, coil after coil");
    return ARGAND_OK;
}

static int bench(const field_settings *s)
{
    field_session x = {.s = s};
    report_begin(&x.out, "bench field", &s->common);
    argand_status status = begin(&x);
    if (!status) status = run_all(&x);
    argand_device_close(x.device);
    return status ? report_failure(&x.out, status) : 0;
}

int bench_field(int argc, char **argv)
{
    field_settings s = {.repeat = 7};
    const option options[] = {
        sizes_option(
            "size", 0, &s.size, "NxN",
            "size of the image, 1 to 3 dimensions. Default: 256x256 on a GPU, 128x128 on a processor"),
        int_option("samples", 0, &s.samples, "N", 0, 1e9,
                   "number of samples; 0: 65536 on a GPU, 16384 on a processor"),
        int_option("coils", 0, &s.coils, "N", 0, 4096,
                   "number of vectors, which share the phases; 0: 1, 8, 16, 32 (GPU) or 1, 4, 8 in turn"),
        choice_option("model", 0, &s.model, "NAME", "all|plain|field|decay|gradients|terms",
                      "model of the phase; terms: 16 further phase terms"),
        choice_option("precision", 0, &s.precision, "NAME", "single|double|both", "precision of all numbers"),
        double_option("tolerance", 0, &s.tolerance, "E", 0, 0.5,
                      "allowed relative error; 0: the best of the precision"),
        flag_option("growth", 0, &s.growth,
                    "time one model from 10^4 x 10^4 to 10^6 x 10^6 pixels and samples"),
        flag_option("alone", 0, &s.alone, "do not time the plain kernel"),
        int_option("repeat", 0, &s.repeat, "N", 1, 1000, "number of runs after a warm-up; the median counts"),
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench field [options]",
        .description = "Times the exact field-corrected DFT in both directions: plain (no field map), with a "
                       "field map, with R2* decay, with\n"
                       "gradients inside the voxel, with 16 further phase terms. The columns:\n"
                       "  error    against plain sums in double precision, at random outputs\n"
                       "  adjoint  |<Ax,y> - <x,A^H y>| / (|Ax| |y|)\n"
                       "  same     whether two runs gave the same bits\n"
                       "On a device that compiles kernels, argand_bench_plain (built next to argand) also "
                       "runs a plain kernel: a thread for each\n"
                       "output, a sine and a cosine for each pair, coil after coil. If the limits of the "
                       "chip were measured, the fraction of the\n"
                       "limiting one is printed.",
        .examples = "  argand bench field --device cuda:0\n"
                    "  argand bench field --device cuda:0 --growth --json\n"
                    "  argand bench field --device cpu --model field --coils 1 --threads 1\n"
                    "  argand bench field --size 64x64x16 --samples 66592 --coils 4\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    interrupt_watch();
    return bench(&s);
}
