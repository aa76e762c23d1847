/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench segments: measures the error of field correction by time segments for each interpolator,
 * and the time of a segmented NUFFT next to the exact DFT. Predictions are printed next to both. */
#include "common/report.h"
#include "parts/flatten.h"

#include <math.h>
#include <stdio.h>

int bench_segments(int argc, char **argv);

typedef struct settings {
    common_options common;
    option_sizes size;
    int coils, precision, repeat;
    double hertz, readout, tolerance;
    bool decay;
} settings;

/* A head phantom with birdcage coils and a head's field, sampled by spirals, as many as the readout
 * requires. */
typedef struct bench_case {
    const settings *s;
    int rank;
    int64_t n[3], samples;
    argand_type type, real;
    argand_device *device;
    argand_array *k[3], *t, *field, *decay;
    argand_array *image, *data, *out_image, *out_data;
    argand_segments *segments;
    argand_op *segmented, *exact;
    double create_seconds;
} bench_case;

static void free_case(bench_case *c)
{
    argand_op_destroy(c->exact);
    argand_op_destroy(c->segmented);
    argand_segments_destroy(c->segments);
    argand_array *const arrays[] = {c->k[0],  c->k[1],  c->k[2], c->t,         c->field,
                                    c->decay, c->image, c->data, c->out_image, c->out_data};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
}

static argand_status make_points(bench_case *c)
{
    const argand_trajectory_options options = {.kind = c->rank == 3 ? ARGAND_STACK_OF_SPIRALS : ARGAND_SPIRAL,
                                               .n = {c->n[0], c->n[1], c->n[2]},
                                               .readout = c->s->readout * 1e-3,
                                               .echo = 0.005};
    TRY(argand_trajectory_make(c->k, &c->t, c->device, c->real, &options));
    for (int axis = 0; axis < c->rank; axis++) TRY(flatten(&c->k[axis]));
    TRY(flatten(&c->t));
    c->samples = argand_array_count(c->t);
    return ARGAND_OK;
}

/* Makes coil images: the phantom, repeated over the coils, times birdcage maps. */
static argand_status make_images(bench_case *c)
{
    int64_t dims[4] = {c->n[0], c->n[1], c->n[2]}, strides[4] = {1, c->n[0], c->n[0] * c->n[1]};
    argand_array *phantom = NULL, *repeated = NULL;
    dims[c->rank] = c->s->coils;
    strides[c->rank] = 0;
    TRY(argand_array_create(&c->image, c->device, c->type, c->rank + 1, dims));
    TRY(argand_array_create(&c->out_image, c->device, c->type, c->rank + 1, dims));
    TRY(argand_coils_birdcage(c->image));
    TRY(argand_array_create(&phantom, c->device, c->real, c->rank, dims));
    argand_status status =
        argand_phantom_image(phantom, c->rank == 3 ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D);
    if (!status) status = argand_array_view(&repeated, phantom, c->rank + 1, dims, strides, 0);
    if (!status) status = argand_array_multiply(c->image, repeated, c->image, ARGAND_PRODUCT);
    argand_array_destroy(repeated);
    argand_array_destroy(phantom);
    return status;
}

static argand_status make_maps(bench_case *c)
{
    TRY(argand_array_create(&c->field, c->device, c->real, c->rank, c->n));
    TRY(argand_fieldmap_head(c->field, 6.283185307179586 * c->s->hertz));
    if (!c->s->decay) return ARGAND_OK;
    /* 10 to 50 1/s, from the lowest to the highest field */
    TRY(argand_array_create(&c->decay, c->device, c->real, c->rank, c->n));
    TRY(argand_array_fill(c->decay, (argand_scalar){30, 0}));
    const double slope = c->s->hertz > 0 ? 20 / (6.283185307179586 * c->s->hertz) : 0;
    return argand_array_axpby(c->decay, (argand_scalar){slope, 0}, c->field, (argand_scalar){1, 0});
}

static argand_status make_case(bench_case *c)
{
    TRY(make_points(c));
    TRY(make_images(c));
    TRY(make_maps(c));
    const int64_t dims[2] = {c->samples, c->s->coils};
    TRY(argand_array_create(&c->data, c->device, c->type, 2, dims));
    return argand_array_create(&c->out_data, c->device, c->type, 2, dims);
}

static argand_segments_options options_of(const bench_case *c)
{
    return (argand_segments_options){
        .type = c->type, .tolerance = c->s->tolerance, .t = c->t, .field_map = c->field, .r2star = c->decay};
}

/* ---- errors by interpolator ---- */

static argand_status one_error(const bench_case *c, report *out, argand_interpolator kind, int count)
{
    argand_segments_options options = options_of(c);
    argand_segments *segments;
    argand_segments_info info;
    options.interpolator = kind;
    options.count = count;
    TRY(argand_segments_create(&segments, c->device, &options));
    argand_segments_describe(segments, &info);
    argand_segments_destroy(segments);
    report_result(out, "\"interpolator\":\"%s\",\"count\":%d,\"error\":%.3g,\"largest\":%.3g",
                  argand_interpolator_name(kind), count, info.error, info.largest);
    if (!c->s->common.json) printf("  %8.1e %8.1e", info.error, info.largest);
    return ARGAND_OK;
}

static argand_status errors(const bench_case *c, report *out)
{
    static const int counts[] = {4, 6, 8, 10, 12, 16};
    const bool prints = !c->s->common.json;
    if (prints) printf("error of the exponential with L + 1 terms, rms and largest\n   L");
    for (int kind = ARGAND_INTERPOLATE_LINEAR; prints && kind <= ARGAND_INTERPOLATE_SVD; kind++)
        printf("  %-17s", argand_interpolator_name((argand_interpolator)kind));
    if (prints) printf("\n");
    for (size_t i = 0; i < sizeof counts / sizeof *counts && !interrupted(); i++) {
        if (prints) printf("%4d", counts[i]);
        for (int kind = ARGAND_INTERPOLATE_LINEAR; kind <= ARGAND_INTERPOLATE_SVD; kind++)
            TRY(one_error(c, out, (argand_interpolator)kind, counts[i]));
        if (prints) printf("\n");
    }
    return ARGAND_OK;
}

/* ---- times ---- */

static argand_status make_exact(bench_case *c)
{
    argand_field_options options = {.type = c->type,
                                    .rank = c->rank,
                                    .n = {c->n[0], c->n[1], c->n[2]},
                                    .k = {c->k[0], c->k[1], c->k[2]},
                                    .t = c->t,
                                    .field_map = c->field,
                                    .r2star = c->decay};
    argand_field *plan;
    TRY(argand_field_create(&plan, c->device, &options));
    return argand_op_field(&c->exact, c->device, plan, c->s->coils);
}

static argand_status make_segmented(bench_case *c)
{
    const argand_segments_options options = options_of(c);
    argand_nufft *plan;
    const double start = seconds_now();
    TRY(argand_segments_create(&c->segments, c->device, &options));
    c->create_seconds = seconds_now() - start;
    TRY(argand_nufft_create(&plan, c->device,
                            &(argand_nufft_options){.type = c->type,
                                                    .rank = c->rank,
                                                    .n = {c->n[0], c->n[1], c->n[2]},
                                                    .tolerance = c->s->tolerance / 3,
                                                    .wait_for_kernels = true}));
    const argand_status status = argand_nufft_set_points(plan, c->k);
    if (!status) return argand_op_segmented(&c->segmented, c->device, plan, c->segments, c->s->coils);
    argand_nufft_destroy(plan);
    return status;
}

static argand_status timed(const bench_case *c, const argand_op *op, bool adjoint, argand_array *to,
                           const argand_array *from, double *seconds)
{
    *seconds = HUGE_VAL;
    for (int i = 0; i <= c->s->repeat && !interrupted(); i++) { /* the first run warms up */
        TRY(argand_device_wait(c->device));
        const double start = seconds_now();
        TRY(adjoint ? argand_op_adjoint(op, to, from) : argand_op_apply(op, to, from));
        TRY(argand_device_wait(c->device));
        if (i) *seconds = fmin(*seconds, seconds_now() - start);
    }
    return ARGAND_OK;
}

/* Computes |a - b| / |b|; overwrites a. */
static argand_status difference(double *error, argand_array *a, const argand_array *b)
{
    double norm;
    TRY(argand_array_axpby(a, (argand_scalar){-1, 0}, b, (argand_scalar){1, 0}));
    TRY(argand_array_norm(error, a));
    TRY(argand_array_norm(&norm, b));
    *error /= norm;
    return ARGAND_OK;
}

static void print_times(const bench_case *c, report *out, const double exact[2], const double segmented[2],
                        const double error[2], const argand_segments_times *predicted)
{
    argand_segments_info info;
    char text[128];
    argand_segments_describe(c->segments, &info);
    argand_segments_print(c->segments, text, sizeof text);
    report_result(
        out,
        "\"terms\":%d,\"optimum\":%d,\"create\":%.6g,\"exact\":[%.6g,%.6g],\"segmented\":[%.6g,%.6g],"
        "\"error\":[%.3g,%.3g],\"predicted\":{\"terms\":%d,\"exact\":%.6g,\"segmented\":%.6g}",
        info.terms, info.optimum, c->create_seconds, exact[0], exact[1], segmented[0], segmented[1], error[0],
        error[1], predicted->terms, predicted->exact, predicted->segmented);
    if (c->s->common.json) return;
    printf("%s, made in %.1f ms; the SVD needs %d\n", text, 1e3 * c->create_seconds, info.optimum);
    printf("             forward, ms  adjoint, ms  predicted, ms\n");
    printf("  exact      %11.2f  %11.2f  %13.2f\n", 1e3 * exact[0], 1e3 * exact[1], 1e3 * predicted->exact);
    printf("  segmented  %11.2f  %11.2f  %13.2f\n", 1e3 * segmented[0], 1e3 * segmented[1],
           1e3 * predicted->segmented);
    printf("  error      %11.1e  %11.1e\n", error[0], error[1]);
}

static argand_status times(bench_case *c, report *out)
{
    double exact[2], segmented[2], error[2];
    argand_segments_info info;
    argand_segments_times predicted;
    argand_array *back;
    int64_t dims[4] = {c->n[0], c->n[1], c->n[2]};
    dims[c->rank] = c->s->coils;
    TRY(make_segmented(c));
    TRY(make_exact(c));
    argand_segments_describe(c->segments, &info);
    TRY(argand_segments_predict(&predicted, c->device,
                                &(argand_segments_problem){.type = c->type,
                                                           .rank = c->rank,
                                                           .n = {c->n[0], c->n[1], c->n[2]},
                                                           .samples = c->samples,
                                                           .vectors = c->s->coils,
                                                           .cycles = info.cycles,
                                                           .tolerance = c->s->tolerance,
                                                           .decay = c->s->decay}));
    TRY(timed(c, c->exact, false, c->data, c->image, &exact[0]));
    TRY(timed(c, c->segmented, false, c->out_data, c->image, &segmented[0]));
    TRY(difference(&error[0], c->out_data, c->data));
    TRY(argand_array_create(&back, c->device, c->type, c->rank + 1, dims));
    argand_status status = timed(c, c->exact, true, back, c->data, &exact[1]);
    if (!status) status = timed(c, c->segmented, true, c->out_image, c->data, &segmented[1]);
    if (!status) status = difference(&error[1], c->out_image, back);
    argand_array_destroy(back);
    if (!status && !interrupted()) print_times(c, out, exact, segmented, error, &predicted);
    return status;
}

static argand_status run(const settings *s, argand_device *device, report *out)
{
    bench_case c = {.s = s,
                    .rank = s->size.rank ? s->size.rank : 2,
                    .n = {128, 128, 1},
                    .type = s->precision ? ARGAND_C64 : ARGAND_C32,
                    .real = s->precision ? ARGAND_R64 : ARGAND_R32,
                    .device = device};
    if (s->size.rank == 1) return report_error(ARGAND_ARGUMENT, "--size must have 2 or 3 dimensions");
    for (int axis = 0; axis < s->size.rank; axis++) c.n[axis] = s->size.n[axis];
    argand_status status = make_case(&c);
    if (!status && !s->common.json)
        printf("%lldx%lldx%lld pixels, %lld samples over %g ms, %d coils, field within +-%g Hz%s\n",
               (long long)c.n[0], (long long)c.n[1], (long long)c.n[2], (long long)c.samples, s->readout,
               s->coils, s->hertz, s->decay ? ", model R2* from 10 to 50 1/s, too" : "");
    if (!status) status = errors(&c, out);
    if (!status && !interrupted()) status = times(&c, out);
    free_case(&c);
    return status;
}

static int bench(const settings *s)
{
    report out;
    argand_device *device = NULL;
    argand_device_info info;
    report_begin(&out, "bench segments", &s->common);
    argand_status status = common_open(&s->common, &device);
    if (!status) status = argand_device_describe(device, &info);
    if (!status && !s->common.json)
        printf("%s (%s), %d threads\n", info.name, info.detail, argand_device_threads(device));
    if (!status) status = run(s, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

int bench_segments(int argc, char **argv)
{
    settings s = {.coils = 8, .hertz = 100, .readout = 20, .tolerance = 1e-3, .repeat = 5};
    const option options[] = {
        sizes_option("size", 0, &s.size, "NxN", "size of the image. Default: 128x128"),
        int_option("coils", 0, &s.coils, "N", 1, 4096, "number of images in one call"),
        double_option("hertz", 0, &s.hertz, "F", 0, 1e5, "range of the field: -F to F Hz"),
        double_option("readout", 0, &s.readout, "MS", 0.1, 1000, "duration of a shot in ms"),
        flag_option("decay", 0, &s.decay, "R2* from 10 to 50 1/s"),
        double_option("tolerance", 0, &s.tolerance, "E", 1e-12, 0.5,
                      "relative rms error of the off-resonance phase factor"),
        choice_option("precision", 0, &s.precision, "NAME", "single|double", "precision of all numbers"),
        int_option("repeat", 0, &s.repeat, "N", 1, 1e6, "number of runs; the shortest counts"),
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench segments [options]",
        .description = "Measures field correction by segments, for a head's field and a spiral: the error of "
                       "each interpolator with L + 1 terms, and\n"
                       "the times of a segmented NUFFT and of the exact DFT, with their difference and the "
                       "predicted times.",
        .examples =
            "  argand bench segments\n  argand bench segments --size 64x64x16 --hertz 150 --tolerance 1e-4\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    interrupt_watch();
    return bench(&s);
}
