/* SPDX-License-Identifier: BSD-3-Clause */
/* argand compare: measures the error of images relative to a reference. */
#include "files/shape.h"
#include "files/sidecar.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_MOST = 8 };

typedef struct compare_settings {
    common_options common;
    const char *path[COMPARE_MOST], *mask;
    int count; /* number of paths; the last is the reference */
    bool scale;
    double limit;
} compare_settings;

/* A file's numbers in double precision. */
typedef struct numbers {
    const char *path;
    int rank;
    int64_t dims[ARGAND_MAX_RANK], count; /* fastest first, 1 beyond the rank */
    double complex *values;               /* NULL if no file was given */
    bool real;
} numbers;

static const char description[] =
    "Prints |IMAGE - REFERENCE| / |REFERENCE| (l2 norm over all elements) and the largest difference "
    "relative to the largest\n"
    "element of the reference. If one file is real and the other complex, magnitudes are compared.\n"
    "Files: .nii, .nii.gz, .npy, .cfl.";

static const char examples[] = "  argand compare image.nii.gz truth.nii.gz --mask mask.nii.gz\n"
                               "  argand compare plain.nii corrected.nii truth.nii\n"
                               "  argand compare a.npy b.npy --limit 1e-4 || echo different\n";

static argand_status take(numbers *n, const argand_array *stored, argand_device *device)
{
    argand_array *wide, *same = NULL;
    argand_status status = argand_array_create(&wide, device, ARGAND_C64, ARGAND_MAX_RANK, n->dims);
    if (status != ARGAND_OK) return status;
    status = argand_array_reshape(&same, stored, ARGAND_MAX_RANK, n->dims);
    if (status == ARGAND_OK) status = argand_array_copy(wide, same);
    if (status == ARGAND_OK) status = argand_array_download(wide, n->values);
    argand_array_destroy(same);
    argand_array_destroy(wide);
    return status;
}

static argand_status load(numbers *n, const char *path, argand_device *device)
{
    argand_array *stored;
    argand_status status = argand_array_read(&stored, path, device);
    if (status != ARGAND_OK) return status;
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++) n->dims[axis] = argand_array_dim(stored, axis);
    n->path = path;
    n->rank = argand_array_rank(stored);
    n->count = argand_array_count(stored);
    n->real = argand_array_type(stored) == ARGAND_R32 || argand_array_type(stored) == ARGAND_R64;
    n->values = malloc((size_t)n->count * sizeof *n->values);
    status = n->values ? take(n, stored, device) : report_error(ARGAND_MEMORY, "%s: no memory for it", path);
    argand_array_destroy(stored);
    return status;
}

static argand_status check_shape(const numbers *n, const numbers *reference)
{
    char own[256], its[256];
    if (!memcmp(n->dims, reference->dims, sizeof n->dims)) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT, "%s has the shape %s, but %s has %s%s: give files of the same shape",
                        n->path, shape_text(own, sizeof own, n->path, n->rank, n->dims), reference->path,
                        shape_text(its, sizeof its, reference->path, reference->rank, reference->dims),
                        shape_orders_differ(n->path, reference->path));
}

/* Returns element i, or its magnitude; 0 outside the mask. */
static double complex element(const numbers *n, const numbers *mask, int64_t i, bool magnitude)
{
    if (mask->values && mask->values[i] == 0) return 0;
    return magnitude ? cabs(n->values[i]) : n->values[i];
}

/* Returns the factor that brings a closest to b. */
static double complex best_scale(const numbers *a, const numbers *b, const numbers *mask, bool magnitude)
{
    double complex product = 0;
    double square = 0;
    for (int64_t i = 0; i < a->count; i++) {
        const double complex value = element(a, mask, i, magnitude);
        product += conj(value) * element(b, mask, i, magnitude);
        square += creal(value) * creal(value) + cimag(value) * cimag(value);
    }
    return square > 0 ? product / square : 1;
}

typedef struct distance {
    double l2, largest;
} distance;

static distance measure(const numbers *a, const numbers *b, const numbers *mask, bool scale)
{
    const bool magnitude = a->real != b->real;
    const double complex factor = scale ? best_scale(a, b, mask, magnitude) : 1;
    double difference = 0, norm = 0, largest = 0, peak = 0;
    for (int64_t i = 0; i < a->count; i++) {
        const double complex expected = element(b, mask, i, magnitude);
        const double here = cabs(factor * element(a, mask, i, magnitude) - expected), there = cabs(expected);
        difference += here * here;
        norm += there * there;
        largest = fmax(largest, here);
        peak = fmax(peak, there);
    }
    return (distance){norm > 0 ? sqrt(difference / norm) : sqrt(difference),
                      peak > 0 ? largest / peak : largest};
}

/* Notes different units in the sidecars: then the error mostly shows the units. */
static void note_units(const compare_settings *s, report *out)
{
    sidecar its, reference;
    if (sidecar_read(&reference, s->path[s->count - 1]) || !*reference.units) return;
    for (int i = 0; i < s->count - 1; i++)
        if (!sidecar_read(&its, s->path[i]) && *its.units && strcmp(its.units, reference.units) != 0)
            report_note(out, "%s is in %s, but %s is in %s: the error mostly shows the different units.",
                        s->path[i], its.units, s->path[s->count - 1], reference.units);
}

/* Returns true if a file of complex numbers holds reals, as a .cfl of magnitudes does. */
static bool is_flat(const numbers *n)
{
    int64_t i = 0;
    while (i < n->count && cimag(n->values[i]) == 0) i++;
    return !n->real && i == n->count;
}

/* Notes a comparison of magnitudes with complex numbers: then the error mostly shows the phase. */
static void note_flat(const compare_settings *s, const numbers *images, report *out)
{
    const numbers *reference = &images[s->count - 1];
    for (int i = 0; i < s->count - 1; i++) {
        const bool flat = is_flat(&images[i]);
        if (images[i].real || reference->real || flat == is_flat(reference)) continue;
        report_note(out,
                    "%s is complex with imaginary parts of 0, and %s has others: if the first holds "
                    "magnitudes, compare it with those of the second (argand array abs).",
                    flat ? images[i].path : reference->path, flat ? reference->path : images[i].path);
    }
}

/* Prints the errors relative to the last image. Fails if one exceeds the limit. */
static argand_status print_result(const compare_settings *s, const numbers *images, const numbers *mask,
                                  report *out)
{
    const numbers *reference = &images[s->count - 1];
    argand_status status = ARGAND_OK;
    for (int i = 0; i < s->count - 1; i++) {
        char quoted[4200];
        const distance d = measure(&images[i], reference, mask, s->scale);
        if (!s->common.json)
            print("%s: relative error %.6g, largest %.6g\n", images[i].path, d.l2, d.largest);
        report_result(out, "\"image\":%s,\"relative_error\":%.9g,\"largest\":%.9g",
                      json_string(quoted, sizeof quoted, images[i].path), d.l2, d.largest);
        if (!(d.l2 <= s->limit)) /* also true for NaN */
            status = report_error(ARGAND_NUMERIC, "%s: the relative error is %.6g, more than %g",
                                  images[i].path, d.l2, s->limit);
    }
    return status;
}

static argand_status compare(const compare_settings *s, argand_device *device, report *out)
{
    numbers images[COMPARE_MOST] = {0}, mask = {0};
    argand_status status = ARGAND_OK;
    for (int i = 0; i < s->count && status == ARGAND_OK; i++) status = load(&images[i], s->path[i], device);
    for (int i = 0; i < s->count - 1 && status == ARGAND_OK; i++)
        status = check_shape(&images[i], &images[s->count - 1]);
    if (s->mask && status == ARGAND_OK) status = load(&mask, s->mask, device);
    if (s->mask && status == ARGAND_OK) status = check_shape(&mask, &images[0]);
    if (status == ARGAND_OK) note_units(s, out);
    if (status == ARGAND_OK) note_flat(s, images, out);
    if (status == ARGAND_OK) status = print_result(s, images, &mask, out);
    for (int i = 0; i < s->count; i++) free(images[i].values);
    free(mask.values);
    return status;
}

static bool parse(compare_settings *s, int argc, char **argv, int *exit_code)
{
    const option options[] = {
        text_option("mask", 'm', &s->mask, "FILE", "compare only the pixels where FILE is not 0"),
        flag_option(
            "scale", 's', &s->scale,
            "first multiply each image by the factor that minimises its difference from the reference"),
        double_option("limit", 'l', &s->limit, "E", 0, 1e300,
                      "exit with code 8 if a relative error is larger than E"),
        COMMON_OPTIONS(s->common),
    };
    command_line line = {.usage = "argand compare IMAGE... REFERENCE [options]",
                         .description = description,
                         .examples = examples,
                         OPTION_TABLE(options),
                         .positional_least = 2,
                         .positional_most = COMPARE_MOST,
                         .positional = s->path};
    const bool go_on = command_parse(&line, argc, argv, exit_code);
    s->count = line.positional_count;
    return go_on;
}

static int run(int argc, char **argv)
{
    compare_settings s = {.limit = INFINITY};
    int exit_code;
    report out;
    argand_device *device = NULL;
    if (!parse(&s, argc, argv, &exit_code)) return exit_code;
    report_begin(&out, "compare", &s.common);
    argand_status status = common_open_host(&s.common, &device);
    if (status == ARGAND_OK) status = compare(&s, device, &out);
    argand_device_close(device);
    return status == ARGAND_OK ? 0 : report_failure(&out, status);
}

const command command_compare = {
    .name = "compare", .summary = "print the error of images relative to a reference", .run = run};
