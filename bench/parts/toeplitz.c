/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench toeplitz: measures the normal operator of SENSE, by NUFFT forward and adjoint and as a
 * convolution. Predictions are printed next to the times. */
#include "common/report.h"
#include "parts/flatten.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int bench_toeplitz(int argc, char **argv);

typedef struct settings {
    common_options common;
    option_sizes size;
    int coils, precision, repeat, shots, images;
    double tolerance, hertz;
} settings;

typedef struct scan {
    const char *name;
    argand_trajectory kind;
    int64_t n[3];
    int rank;
} scan;

/* A scan with birdcage coils, without a field or with a head's field. */
typedef struct bench_case {
    const settings *s;
    const scan *scan;
    argand_type type, real;
    argand_device *device;
    argand_array *k[3], *t, *field, *maps, *factors, *x, *y, *z;
    argand_segments *segments;
    argand_toeplitz *toeplitz;
    argand_op *sense, *normal;
    double create_seconds;
    int64_t samples;
    int terms;
} bench_case;

static void free_case(bench_case *c)
{
    argand_array *const arrays[] = {c->k[0], c->k[1],    c->k[2], c->t, c->field,
                                    c->maps, c->factors, c->x,    c->y, c->z};
    argand_op_destroy(c->normal);
    argand_op_destroy(c->sense);
    argand_toeplitz_destroy(c->toeplitz);
    argand_segments_destroy(c->segments);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
}

/* Makes factors of a subspace: cosines over the samples, which change from shot to shot. */
static argand_status make_factors(bench_case *c)
{
    const int64_t dims[2] = {c->samples, c->s->images}, count = dims[0] * dims[1];
    argand_array *doubles = NULL;
    double *values = malloc((size_t)count * sizeof *values);
    if (!values) return report_error(ARGAND_MEMORY, "out of memory");
    for (int64_t i = 0; i < count; i++)
        values[i] = cos(3.14159265358979323846 * (double)(i / dims[0]) * ((double)(i % dims[0]) + 0.5) /
                        (double)dims[0]);
    argand_device *host = NULL;
    argand_status status = argand_device_open(&host, "cpu");
    if (!status) status = argand_array_wrap(&doubles, host, ARGAND_R64, 2, dims, NULL, values);
    if (!status) status = argand_array_create(&c->factors, c->device, c->type, 2, dims);
    if (!status) status = argand_array_copy(c->factors, doubles);
    argand_array_destroy(doubles);
    argand_device_close(host);
    free(values);
    return status;
}

/* Fills the images of a subspace with phantoms. */
static argand_status make_image(const bench_case *c)
{
    const scan *s = c->scan;
    const argand_phantom phantom = s->rank == 3 ? ARGAND_SHEPP_LOGAN_3D : ARGAND_SHEPP_LOGAN_2D;
    argand_array *part = NULL, *image = NULL;
    if (!c->s->images) return argand_phantom_image(c->x, phantom);
    argand_status status = ARGAND_OK;
    for (int k = 0; k < c->s->images && !status; k++) {
        status = argand_array_part(&part, c->x, s->rank, k, 1);
        if (!status) status = argand_array_reshape(&image, part, s->rank, s->n);
        if (!status) status = argand_phantom_image(image, phantom);
        if (!status) status = argand_array_scale(image, (argand_scalar){1.0 / (k + 1), 0.2 * k});
        argand_array_destroy(image);
        argand_array_destroy(part);
        part = image = NULL;
    }
    return status;
}

static argand_status make_arrays(bench_case *c)
{
    const scan *s = c->scan;
    const argand_trajectory_options options = {
        .kind = s->kind, .n = {s->n[0], s->n[1], s->n[2]}, .shots = c->s->shots, .echo = 0.005};
    const int64_t dims[4] = {s->n[0], s->n[1], s->rank > 2 ? s->n[2] : c->s->coils, c->s->coils};
    TRY(argand_trajectory_make(c->k, &c->t, c->device, c->real, &options));
    for (int axis = 0; axis < s->rank; axis++) TRY(flatten(&c->k[axis]));
    TRY(flatten(&c->t));
    c->samples = argand_array_count(c->t);
    TRY(argand_array_create(&c->maps, c->device, c->type, s->rank + 1, dims));
    TRY(argand_coils_birdcage(c->maps));
    argand_array **const images[] = {&c->x, &c->y, &c->z};
    const int more = c->s->images > 0;
    int64_t image[4] = {s->n[0], s->n[1], s->n[2]};
    if (more) image[s->rank] = c->s->images;
    if (more) TRY(make_factors(c));
    for (int i = 0; i < 3; i++)
        TRY(argand_array_create(images[i], c->device, c->type, s->rank + more, image));
    if (c->s->hertz > 0) {
        TRY(argand_array_create(&c->field, c->device, c->real, s->rank, dims));
        TRY(argand_fieldmap_head(c->field, 2 * 3.14159265358979323846 * c->s->hertz));
    }
    return make_image(c);
}

/* Replaces SENSE by that of a subspace. */
static argand_status join_images(bench_case *c)
{
    argand_op *parts[ARGAND_TOEPLITZ_IMAGES], *joined;
    if (!c->factors) return ARGAND_OK;
    for (int k = 0; k < c->s->images; k++) parts[k] = c->sense;
    TRY(argand_op_multiband(&joined, parts, c->s->images, c->factors));
    argand_op_destroy(c->sense);
    c->sense = joined;
    return ARGAND_OK;
}

static argand_status make_nufft(bench_case *c)
{
    const scan *s = c->scan;
    argand_nufft *plan;
    argand_op *transform;
    TRY(argand_nufft_create(&plan, c->device,
                            &(argand_nufft_options){.type = c->type,
                                                    .rank = s->rank,
                                                    .n = {s->n[0], s->n[1], s->n[2]},
                                                    .tolerance = c->s->tolerance,
                                                    .wait_for_kernels = true}));
    const argand_status status = argand_nufft_set_points(plan, c->k);
    if (status != ARGAND_OK) {
        argand_nufft_destroy(plan);
        return status;
    }
    if (c->field) {
        argand_segments_info info;
        TRY(argand_segments_create(
            &c->segments, c->device,
            &(argand_segments_options){
                .type = c->type, .tolerance = c->s->tolerance, .t = c->t, .field_map = c->field}));
        argand_segments_describe(c->segments, &info);
        c->terms = info.terms;
        TRY(argand_op_segmented(&transform, c->device, plan, c->segments, c->s->coils));
    } else {
        TRY(argand_op_nufft(&transform, c->device, plan, c->s->coils));
    }
    const argand_status made = argand_op_sense(&c->sense, transform, c->maps);
    argand_op_destroy(transform);
    return made ? made : join_images(c);
}

static argand_status make_toeplitz(bench_case *c)
{
    const scan *s = c->scan;
    const double start = seconds_now();
    TRY(argand_toeplitz_create(&c->toeplitz, c->device,
                               &(argand_toeplitz_options){.type = c->type,
                                                          .rank = s->rank,
                                                          .n = {s->n[0], s->n[1], s->n[2]},
                                                          .k = {c->k[0], c->k[1], c->k[2]},
                                                          .t = c->t,
                                                          .field_map = c->field,
                                                          .factors = c->factors,
                                                          .tolerance = c->s->tolerance}));
    TRY(argand_device_wait(c->device));
    c->create_seconds = seconds_now() - start;
    return argand_op_sense_normal(&c->normal, c->toeplitz, c->maps);
}

static argand_status time_one(const bench_case *c, bool toeplitz, double *seconds)
{
    *seconds = HUGE_VAL;
    for (int i = 0; i <= c->s->repeat && !interrupted(); i++) {
        const double start = seconds_now();
        TRY(toeplitz ? argand_op_apply(c->normal, c->z, c->x) : argand_op_normal(c->sense, c->y, c->x));
        TRY(argand_device_wait(c->device));
        if (i) *seconds = fmin(*seconds, seconds_now() - start);
    }
    return ARGAND_OK;
}

static argand_status measure(const bench_case *c, report *out)
{
    const scan *s = c->scan;
    double nufft, toeplitz, norm, apart;
    argand_toeplitz_info info;
    argand_toeplitz_times predicted;
    argand_toeplitz_describe(c->toeplitz, &info);
    TRY(time_one(c, false, &nufft));
    TRY(time_one(c, true, &toeplitz));
    TRY(argand_array_norm(&norm, c->y));
    TRY(argand_array_axpby(c->y, (argand_scalar){1, 0}, c->z, (argand_scalar){-1, 0}));
    TRY(argand_array_norm(&apart, c->y));
    TRY(argand_toeplitz_predict(&predicted, c->device,
                                &(argand_toeplitz_problem){.type = c->type,
                                                           .rank = s->rank,
                                                           .n = {s->n[0], s->n[1], s->n[2]},
                                                           .samples = c->samples,
                                                           .vectors = c->s->coils,
                                                           .terms = c->terms,
                                                           .segments = info.segments,
                                                           .tolerance = c->s->tolerance}));
    report_result(out,
                  "\"scan\":\"%s\",\"samples\":%lld,\"coils\":%d,\"terms\":%d,\"segments\":%d,\"nufft\":%.6g,"
                  "\"toeplitz\":%.6g,\"create\":%.6g,\"apart\":%.3g",
                  s->name, (long long)c->samples, c->s->coils, c->terms, info.segments, nufft, toeplitz,
                  c->create_seconds, apart / norm);
    if (!c->s->common.json)
        printf("%-24s %8lld %4d/%-3d %9.2f %9.2f %9.2f %9.2f %9.1f %8.1e\n", s->name, (long long)c->samples,
               c->terms, info.segments, 1e3 * nufft, 1e3 * predicted.nufft, 1e3 * toeplitz,
               1e3 * predicted.toeplitz, 1e3 * c->create_seconds, apart / norm);
    fflush(stdout);
    return ARGAND_OK;
}

static argand_status run_case(const settings *s, argand_device *device, report *out, const scan *of)
{
    if (interrupted()) return ARGAND_STOPPED;
    bench_case c = {.s = s,
                    .scan = of,
                    .type = s->precision ? ARGAND_C64 : ARGAND_C32,
                    .real = s->precision ? ARGAND_R64 : ARGAND_R32,
                    .device = device,
                    .terms = 1};
    argand_status status = make_arrays(&c);
    if (!status) status = make_nufft(&c);
    if (!status) status = make_toeplitz(&c);
    if (!status) status = measure(&c, out);
    free_case(&c);
    return status;
}

static argand_status run_all(const settings *s, argand_device *device, report *out)
{
    static const scan scans[] = {{"spiral 256x256", ARGAND_SPIRAL, {256, 256, 1}, 2},
                                 {"radial 256x256", ARGAND_RADIAL, {256, 256, 1}, 2},
                                 {"spiral 192x180", ARGAND_SPIRAL, {192, 180, 1}, 2},
                                 {"stack of spirals 64^3", ARGAND_STACK_OF_SPIRALS, {64, 64, 64}, 3},
                                 {"stack of stars 64^3", ARGAND_STACK_OF_STARS, {64, 64, 64}, 3}};
    const option_sizes *size = &s->size;
    if (!s->common.json)
        printf("%-24s %8s %8s %9s %9s %9s %9s %9s %8s\n", "ms; ... predicted", "samples", "terms", "nufft",
               "...", "toeplitz", "...", "kernels", "apart");
    if (size->rank)
        return run_case(s, device, out,
                        &(scan){size->rank == 3 ? "stack of stars" : "radial",
                                size->rank == 3 ? ARGAND_STACK_OF_STARS : ARGAND_RADIAL,
                                {size->n[0], size->n[1], size->rank == 3 ? size->n[2] : 1},
                                size->rank});
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) TRY(run_case(s, device, out, &scans[i]));
    return ARGAND_OK;
}

static int bench(const settings *s)
{
    report out;
    argand_device *device = NULL;
    argand_device_info info;
    report_begin(&out, "bench toeplitz", &s->common);
    argand_status status = common_open(&s->common, &device);
    if (!status) status = argand_device_describe(device, &info);
    if (!status && !s->common.json)
        printf("%s (%s), %d coils, tolerance %g\n", info.name, info.detail, s->coils, s->tolerance);
    if (!status) status = run_all(s, device, &out);
    argand_device_close(device);
    return status ? report_failure(&out, status) : 0;
}

int bench_toeplitz(int argc, char **argv)
{
    settings s = {.repeat = 5, .tolerance = 1e-4, .coils = 8};
    const option options[] = {
        sizes_option("size", 0, &s.size, "NxN", "time one image size: radial (2-D) or stack of stars (3-D)"),
        int_option("shots", 0, &s.shots, "N", 0, 1e6, "number of spokes of each slice; 0: full sampling"),
        int_option("coils", 0, &s.coils, "N", 1, 1024, "number of birdcage maps"),
        int_option("images", 0, &s.images, "K", 0, ARGAND_TOEPLITZ_IMAGES,
                   "number of images of a subspace, with K x K kernels; not with --field. 0: one image"),
        double_option("field", 0, &s.hertz, "HZ", 0, 1e4, "range of the field map of a head in Hz; 0: none"),
        double_option("tolerance", 0, &s.tolerance, "E", 1e-12, 0.1, "relative l2 error"),
        choice_option("precision", 0, &s.precision, "NAME", "single|double", "precision of all numbers"),
        int_option("repeat", 0, &s.repeat, "N", 1, 1e6, "number of runs; the shortest counts"),
        COMMON_OPTIONS(s.common),
    };
    command_line line = {
        .usage = "argand bench toeplitz [options]",
        .description = "Times the normal operator of SENSE by forward and adjoint NUFFTs (segmented if there "
                       "is a field) and by convolutions\n"
                       "(Toeplitz embedding), with their difference and the predicted times.",
        .examples =
            "  argand bench toeplitz\n  argand bench toeplitz --field 100 --tolerance 1e-3\n"
            "  argand bench toeplitz --device cuda:0 --size 256x256x256 --shots 32 --coils 32\n"
            "  argand bench toeplitz --device cuda:0 --size 256x256 --shots 600 --coils 32 --images 4\n",
        .options = options,
        .option_count = sizeof options / sizeof *options,
    };
    int exit_code;
    if (!command_parse(&line, argc, argv, &exit_code)) return exit_code;
    interrupt_watch();
    return bench(&s);
}
