/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench field: the rate of the exact field-corrected DFT in both directions, its error against plain
 * sums in double, and beside it the rate of the plain loop over sample and pixel with the C library's sine.
 */
#include "report.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int bench_field(int argc, char **argv);

enum { PLAIN, FIELD, DECAY, GRADIENTS, MODELS, CHECKED = 24 };
static const char *const model_names[MODELS] = {"plain", "field", "decay", "gradients"};

typedef struct settings {
    common_options common;
    option_sizes size;
    int samples, coils, model, precision, repeat;
} settings;

/* The numbers of a problem, in double, and what is made of them. */
typedef struct bench_case {
    const settings *s;
    int model, rank;
    int64_t n[3], pixels, samples, coils;
    argand_type type;
    argand_device *device;
    argand_array *k[3], *t, *field, *r2star, *gradient[3], *image, *data, *image_out, *data_out;
    argand_field *plan;
} bench_case;

/* ---- a spiral readout of a smooth field ---- */

static argand_status new_doubles(argand_array **array, const bench_case *c, int rank, const int64_t *dims)
{
    return argand_array_create(array, c->device, ARGAND_R64, rank, dims);
}

/* Turns of a spiral to the edge of k-space, 20 ms each, one after another; a stack of them where the image
 * has planes. */
static argand_status make_samples(bench_case *c)
{
    const int64_t turns = 16, each = c->samples / turns + 1;
    for (int d = 0; d < c->rank; d++) TRY(new_doubles(&c->k[d], c, 1, &c->samples));
    TRY(new_doubles(&c->t, c, 1, &c->samples));
    for (int64_t j = 0; j < c->samples; j++) {
        const double part = (double)(j % each) / (double)each, angle = 150 * part + 0.39 * (double)(j / each);
        double *const t = argand_array_data(c->t);
        t[j] = 0.002 + 0.02 * part;
        for (int d = 0; d < c->rank; d++) {
            double *const k = argand_array_data(c->k[d]);
            const double edge = 0.5 * (double)c->n[d];
            k[j] = edge * (d == 0   ? part * cos(angle)
                           : d == 1 ? part * sin(angle)
                                    : sin(0.7 * (double)(j / each)));
        }
    }
    return ARGAND_OK;
}

static argand_status make_map(argand_array **map, const bench_case *c, double low, double high)
{
    TRY(new_doubles(map, c, c->rank, c->n));
    double *values = argand_array_data(*map);
    for (int64_t i = 0; i < c->pixels; i++) {
        const double x = (double)(i % c->n[0]) / (double)c->n[0],
                     y = (double)(i / c->n[0]) / (double)(c->pixels / c->n[0]);
        values[i] = low + (high - low) * (0.5 + 0.25 * sin(5 * x + 1) + 0.25 * cos(4 * y + 3 * x));
    }
    return ARGAND_OK;
}

static argand_status make_maps(bench_case *c)
{
    if (c->model >= FIELD) TRY(make_map(&c->field, c, -800, 1200));
    if (c->model == DECAY) TRY(make_map(&c->r2star, c, 5, 60));
    for (int d = 0; c->model == GRADIENTS && d < c->rank; d++) TRY(make_map(&c->gradient[d], c, -12, 8));
    return ARGAND_OK;
}

static argand_status fill_random(argand_array *array, unsigned seed)
{
    const argand_type type = argand_array_type(array);
    const int64_t count = 2 * argand_array_count(array);
    uint64_t state = seed;
    for (int64_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double value = (double)(state >> 11) * 0x1p-53 - 0.4;
        if (type == ARGAND_C64)
            ((double *)argand_array_data(array))[i] = value;
        else
            ((float *)argand_array_data(array))[i] = (float)value;
    }
    return ARGAND_OK;
}

static argand_status make_vectors(bench_case *c)
{
    int64_t image[4] = {c->n[0], c->n[1], c->n[2], c->coils}, data[2] = {c->samples, c->coils};
    image[c->rank] = c->coils;
    TRY(argand_array_create(&c->image, c->device, c->type, c->rank + 1, image));
    TRY(argand_array_create(&c->image_out, c->device, c->type, c->rank + 1, image));
    TRY(argand_array_create(&c->data, c->device, c->type, 2, data));
    TRY(argand_array_create(&c->data_out, c->device, c->type, 2, data));
    TRY(fill_random(c->image, 1));
    return fill_random(c->data, 2);
}

static argand_status make_case(bench_case *c)
{
    TRY(make_samples(c));
    TRY(make_maps(c));
    TRY(make_vectors(c));
    argand_field_options options = {
        .type = c->type, .rank = c->rank, .t = c->t, .field_map = c->field, .r2star = c->r2star};
    for (int d = 0; d < c->rank; d++) {
        options.n[d] = c->n[d];
        options.k[d] = c->k[d];
        options.gradient[d] = c->gradient[d];
    }
    return argand_field_create(&c->plan, c->device, &options);
}

static void free_case(bench_case *c)
{
    argand_field_destroy(c->plan);
    for (int d = 0; d < 3; d++) {
        argand_array_destroy(c->k[d]);
        argand_array_destroy(c->gradient[d]);
    }
    argand_array *const others[] = {c->t, c->field, c->r2star, c->image, c->image_out, c->data, c->data_out};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) argand_array_destroy(others[i]);
}

/* ---- the plain sums ---- */

static double value_at(const argand_array *array, int64_t i)
{
    return array ? ((const double *)argand_array_data(array))[i] : 0;
}

static double complex element(const argand_array *array, int64_t i)
{
    if (argand_array_type(array) == ARGAND_C64) {
        const double *v = (const double *)argand_array_data(array) + 2 * i;
        return v[0] + I * v[1];
    }
    const float *v = (const float *)argand_array_data(array) + 2 * i;
    return (double)v[0] + I * (double)v[1];
}

static double sinc(double x)
{
    const double angle = 3.14159265358979323846 * x;
    return fabs(angle) < 1e-4 ? 1 - angle * angle / 6 : sin(angle) / angle;
}

static double complex pair(const bench_case *c, int64_t j, int64_t pixel)
{
    const double t = value_at(c->t, j);
    double turns = value_at(c->field, pixel) * t / 6.283185307179586476925, size = 1;
    int64_t rest = pixel;
    for (int d = 0; d < c->rank; d++) {
        const double rate = value_at(c->k[d], j) / (double)c->n[d];
        turns += rate * (double)(rest % c->n[d] - c->n[d] / 2);
        rest /= c->n[d];
        if (c->model == GRADIENTS) size *= sinc(rate + value_at(c->gradient[d], pixel) * t);
    }
    if (c->r2star) size *= exp(-value_at(c->r2star, pixel) * t);
    const double angle = 6.283185307179586476925 * turns;
    return size * cos(angle) - I * (size * sin(angle));
}

/* Relative l2 error of the first vector in some outputs spread over all, and the pairs that the truth took.
 */
static double error_of(const bench_case *c, bool adjoint, int64_t *pairs)
{
    const int64_t outputs = adjoint ? c->pixels : c->samples, terms = adjoint ? c->samples : c->pixels;
    const int64_t step = outputs > CHECKED ? outputs / CHECKED : 1;
    double wrong = 0, norm = 0;
    for (int64_t o = step / 2; o < outputs; o += step, *pairs += terms) {
        double complex sum = 0;
        for (int64_t i = 0; i < terms; i++)
            sum += adjoint ? conj(pair(c, i, o)) * element(c->data, i) : pair(c, o, i) * element(c->image, i);
        const double complex difference = element(adjoint ? c->image_out : c->data_out, o) - sum;
        wrong += creal(difference * conj(difference));
        norm += creal(sum * conj(sum));
    }
    return sqrt(wrong / norm);
}

/* ---- measuring ---- */

/* The shortest of some runs, which also warm up. */
static argand_status time_direction(const bench_case *c, bool adjoint, double *seconds)
{
    *seconds = HUGE_VAL;
    for (int i = 0; i < c->s->repeat && !interrupted(); i++) {
        const double start = seconds_now();
        TRY(adjoint ? argand_field_adjoint(c->plan, c->image_out, c->data)
                    : argand_field_apply(c->plan, c->data_out, c->image));
        *seconds = fmin(*seconds, seconds_now() - start);
    }
    return ARGAND_OK;
}

static void print_line(const bench_case *c, report *out, bool adjoint, double seconds, double error)
{
    argand_field_info info;
    argand_field_describe(c->plan, &info);
    const double rate = 1e-9 * (double)info.pairs / seconds;
    const int threads = argand_device_threads(c->device);
    const char *precision = c->type == ARGAND_C64 ? "double" : "single",
               *way = adjoint ? "adjoint" : "forward";
    report_result(out,
                  "\"model\":\"%s\",\"precision\":\"%s\",\"direction\":\"%s\",\"coils\":%lld,\"time\":%.6g,"
                  "\"gpairs_per_second\":%.4g,\"threads\":%d,\"error\":%.3g",
                  model_names[c->model], precision, way, (long long)c->coils, seconds, rate, threads, error);
    if (!c->s->common.json)
        printf("%-9s  %-6s  %-7s  %5lld  %10.3f  %8.2f  %8.2f  %10.2f  %8.1e\n", model_names[c->model],
               precision, way, (long long)c->coils, 1e3 * seconds, rate, rate / threads,
               rate * (double)c->coils / threads, error);
    fflush(stdout);
}

static argand_status measure(bench_case *c, report *out)
{
    for (int adjoint = 0; adjoint < 2 && !interrupted(); adjoint++) {
        double seconds;
        int64_t pairs = 0;
        TRY(time_direction(c, adjoint, &seconds));
        if (!interrupted()) print_line(c, out, adjoint, seconds, error_of(c, adjoint, &pairs));
    }
    return ARGAND_OK;
}

/* The peer: one loop over both, in double, with sin, cos and exp of the C library, on one core. */
static void measure_plain_loop(const bench_case *c, report *out)
{
    int64_t pairs = 0;
    const double start = seconds_now();
    (void)error_of(c, false, &pairs);
    const double rate = 1e-9 * (double)pairs / (seconds_now() - start);
    report_result(out, "\"model\":\"%s\",\"peer\":\"plain loop\",\"gpairs_per_second\":%.4g,\"threads\":1",
                  model_names[c->model], rate);
    if (!c->s->common.json)
        printf("%-9s  double  plain loop with libm, one core     %16.3f\n", model_names[c->model], rate);
}

static argand_status run_case(const settings *s, argand_device *device, report *out, int model,
                              argand_type type, int coils)
{
    bench_case c = {.s = s,
                    .model = model,
                    .rank = s->size.rank,
                    .n = {1, 1, 1},
                    .pixels = 1,
                    .samples = s->samples,
                    .coils = coils,
                    .type = type,
                    .device = device};
    for (int d = 0; d < c.rank; d++) c.pixels *= c.n[d] = s->size.n[d];
    argand_status status = make_case(&c);
    if (!status) status = measure(&c, out);
    if (!status && coils == (s->coils ? s->coils : 8) && !interrupted() &&
        (type == ARGAND_C64 || s->precision == 1))
        measure_plain_loop(&c, out);
    free_case(&c);
    return status;
}

static argand_status run_coils(const settings *s, argand_device *device, report *out, int model,
                               argand_type type)
{
    static const int counts[] = {1, 4, 8};
    if (s->coils) return run_case(s, device, out, model, type, s->coils);
    for (int i = 0; i < 3 && !interrupted(); i++) TRY(run_case(s, device, out, model, type, counts[i]));
    return ARGAND_OK;
}

static argand_status run_all(const settings *s, argand_device *device, report *out)
{
    for (int model = 0; model < MODELS; model++)
        for (int precision = 1; precision <= 2; precision++) {
            if (interrupted() || (s->model && model + 1 != s->model)) continue;
            if (s->precision && precision != s->precision) continue;
            TRY(run_coils(s, device, out, model, precision == 2 ? ARGAND_C64 : ARGAND_C32));
        }
    return interrupted() ? ARGAND_STOPPED : ARGAND_OK;
}

static void print_head(const settings *s, argand_device *device)
{
    argand_device_info info;
    if (s->common.json || argand_device_describe(device, &info)) return;
    printf("%s (%s), %d threads\n", info.name, info.detail, argand_device_threads(device));
    printf("image ");
    for (int d = 0; d < s->size.rank; d++) printf("%s%lld", d ? "x" : "", (long long)s->size.n[d]);
    printf(", %d samples; rates in 10^9 pairs of sample and pixel a second\n\n", s->samples);
    printf("model      precision direction coils   time, ms     pairs  per core  coil-pairs     error\n");
}

static int bench(const settings *s)
{
    report out;
    argand_device *device = NULL;
    report_begin(&out, "bench field", &s->common);
    argand_status status = common_open(&s->common, &device);
    if (!status) print_head(s, device);
    if (!status) status = run_all(s, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

int bench_field(int argc, char **argv)
{
    settings s = {.size = {.rank = 2, .n = {128, 128}}, .samples = 16384, .repeat = 5};
    const option options[] = {
        {.name = "size",
         .kind = OPTION_SIZES,
         .value = &s.size,
         .argument = "NxN",
         .help = "image, 1 to 3 dimensions"},
        {.name = "samples",
         .kind = OPTION_INT,
         .value = &s.samples,
         .argument = "N",
         .help = "of the trajectory",
         .low = 1,
         .high = 1e9},
        {.name = "coils",
         .kind = OPTION_INT,
         .value = &s.coils,
         .argument = "N",
         .help = "vectors that share the phases; 0 means 1, 4 and 8 in turn",
         .low = 0,
         .high = 4096},
        {.name = "model",
         .kind = OPTION_CHOICE,
         .value = &s.model,
         .choices = "all|plain|field|decay|gradients",
         .help = "what the phases depend on"},
        {.name = "precision",
         .kind = OPTION_CHOICE,
         .value = &s.precision,
         .choices = "both|single|double",
         .help = "of all numbers"},
        {.name = "repeat",
         .kind = OPTION_INT,
         .value = &s.repeat,
         .argument = "N",
         .help = "runs, of which the shortest counts",
         .low = 1,
         .high = 1e6},
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench field [options]",
        .description = "Times the exact field-corrected DFT in both directions: plain (no field map), with a "
                       "field map, with\n"
                       "R2* decay, with gradients inside the voxel. The error is against plain sums in "
                       "double, in a few outputs\n"
                       "spread over all; the rate of that plain loop stands beside it. coil-pairs: per core, "
                       "times the coils.",
        .examples = "  argand bench field --model field --coils 1 --precision single --threads 1\n"
                    "  argand bench field --size 64x64x16 --samples 66592 --coils 4\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    interrupt_watch();
    return bench(&s);
}
