/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and checks the arrays of the field DFT's options. */
#include "field/input.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/pi.h"
#include "base/status.h"

static const char *const k_names[3] = {"k[0]", "k[1]", "k[2]"};
static const char *const gradient_names[3] = {"gradient[0]", "gradient[1]", "gradient[2]"};

static void widen(double *values, int64_t count)
{
    const float *floats = (const float *)(const void *)values;
    for (int64_t i = count; i-- > 0;) {
        float value;
        memcpy(&value, floats + i, sizeof value);
        values[i] = (double)value;
    }
}

argand_status field_read_reals(double **values, const argand_array *array, const char *name)
{
    const argand_type type = argand_array_type(array);
    CHECK(type == ARGAND_R32 || type == ARGAND_R64, ARGAND_ARGUMENT,
          "field: %s is %s; it must be a real array", name, argand_type_name(type));
    const int64_t count = argand_array_count(array);
    TRY(NEW(*values, count));
    const argand_status status = argand_array_download(array, *values);
    if (status) {
        memory_free(*values);
        *values = NULL;
        return status;
    }
    if (type == ARGAND_R32) widen(*values, count);
    return ARGAND_OK;
}

argand_status field_pack(void *pointer_to_pointer, const double *values, int64_t count, bool is_double)
{
    void *packed = NULL;
    TRY(memory_new(&packed, (size_t)count, is_double ? sizeof(double) : sizeof(float)));
    memcpy(pointer_to_pointer, &packed, sizeof packed);
    if (is_double) {
        if (count) memcpy(packed, values, (size_t)count * sizeof *values);
        return ARGAND_OK;
    }
    for (int64_t i = 0; i < count; i++) ((float *)packed)[i] = (float)values[i];
    return ARGAND_OK;
}

static argand_status read_per_sample(double **values, const argand_array *array, const char *name,
                                     int64_t samples)
{
    const int64_t count = argand_array_count(array);
    CHECK(count == samples, ARGAND_ARGUMENT, "field: %s has %lld values, but k[0] has %lld samples", name,
          (long long)count, (long long)samples);
    TRY(field_read_reals(values, array, name));
    for (int64_t j = 0; j < count; j++)
        CHECK(isfinite((*values)[j]), ARGAND_NUMERIC, "field: %s of sample %lld is %g", name, (long long)j,
              (*values)[j]);
    return ARGAND_OK;
}

/* Values of masked pixels may be anything. */
static argand_status read_per_pixel(double **values, const field_input *input, const argand_array *array,
                                    const char *name)
{
    if (!array) return ARGAND_OK;
    const int64_t count = argand_array_count(array), *n = input->n;
    CHECK(count == input->pixels, ARGAND_ARGUMENT,
          "field: %s has %lld values, but the image has %lld (%lldx%lldx%lld)", name, (long long)count,
          (long long)input->pixels, (long long)n[0], (long long)n[1], (long long)n[2]);
    TRY(field_read_reals(values, array, name));
    for (int64_t i = 0; i < count; i++)
        CHECK(isfinite((*values)[i]) || input_skips(input, i), ARGAND_NUMERIC,
              "field: %s at pixel (%lld, %lld, %lld) is %g", name, (long long)(i % n[0]),
              (long long)(i / n[0] % n[1]), (long long)(i / n[0] / n[1]), (*values)[i]);
    return ARGAND_OK;
}

static argand_status check_options(const argand_field_options *options)
{
    CHECK(options, ARGAND_ARGUMENT, "field: no options given");
    CHECK(options->type == ARGAND_C32 || options->type == ARGAND_C64, ARGAND_ARGUMENT,
          "field: type must be ARGAND_C32 or ARGAND_C64, not %d", (int)options->type);
    CHECK(options->rank >= 1 && options->rank <= 3, ARGAND_ARGUMENT, "field: rank must be 1, 2 or 3, not %d",
          options->rank);
    for (int d = 0; d < options->rank; d++) {
        CHECK(options->n[d] >= 1 && options->n[d] <= 1 << 24, ARGAND_ARGUMENT,
              "field: n[%d] is %lld; it must be from 1 to 2^24", d, (long long)options->n[d]);
        CHECK(options->k[d], ARGAND_ARGUMENT, "field: %s is missing; an image of rank %d needs k[0] to k[%d]",
              k_names[d], options->rank, options->rank - 1);
    }
    CHECK(options->terms >= 0 && options->terms <= ARGAND_FIELD_TERMS, ARGAND_ARGUMENT,
          "field: %d terms; there may be 0 to %d", options->terms, ARGAND_FIELD_TERMS);
    for (int i = 0; i < options->terms; i++)
        CHECK(options->term_time[i] && options->term_space[i], ARGAND_ARGUMENT,
              "field: %s[%d] is missing; each of the %d terms needs term_time and term_space",
              options->term_time[i] ? "term_space" : "term_time", i, options->terms);
    CHECK(options->tolerance >= 0 && options->tolerance < 1, ARGAND_ARGUMENT,
          "field: a tolerance of %g; it must be at least 0 (the precision's best) and below 1",
          options->tolerance);
    for (int d = options->rank; d < 3; d++) {
        CHECK(!options->k[d], ARGAND_ARGUMENT, "field: %s is given, but the image has rank %d", k_names[d],
              options->rank);
        CHECK(!options->gradient[d], ARGAND_ARGUMENT, "field: %s is given, but the image has rank %d",
              gradient_names[d], options->rank);
    }
    return ARGAND_OK;
}

static argand_status read_samples(field_input *input)
{
    const argand_field_options *o = input->options;
    for (int d = 0; d < o->rank; d++) TRY(read_per_sample(&input->k[d], o->k[d], k_names[d], input->samples));
    const bool timed = o->field_map || o->r2star || o->gradient[0] || o->gradient[1] || o->gradient[2];
    CHECK(o->t || !timed, ARGAND_ARGUMENT,
          "field: t is missing; a field map, R2* or a gradient needs sample times");
    if (o->t && timed) TRY(read_per_sample(&input->t, o->t, "t", input->samples));
    return ARGAND_OK;
}

static argand_status read_pixels(field_input *input)
{
    const argand_field_options *o = input->options;
    TRY(read_per_pixel(&input->mask, input, o->mask, "mask"));
    TRY(read_per_pixel(&input->field_map, input, o->field_map, "field_map"));
    TRY(read_per_pixel(&input->r2star, input, o->r2star, "r2star"));
    for (int d = 0; d < o->rank; d++)
        TRY(read_per_pixel(&input->gradient[d], input, o->gradient[d], gradient_names[d]));
    return ARGAND_OK;
}

/* A map that is zero in all pixels that count says the same as none. */
static void drop_zero(double **map, const field_input *input)
{
    if (!*map) return;
    for (int64_t i = 0; i < input->pixels; i++)
        if ((*map)[i] != 0 && !input_skips(input, i)) return;
    memory_free(*map);
    *map = NULL;
}

static double largest(const double *values, const field_input *input)
{
    double most = 0;
    for (int64_t i = 0; values && i < input->pixels; i++)
        if (!input_skips(input, i)) most = fmax(most, fabs(values[i]));
    return most;
}

/* One term, which is dropped where one of its factors is zero throughout. */
static argand_status read_term(field_input *input, int i)
{
    const argand_field_options *o = input->options;
    char name[32];
    double **time = &input->term_time[input->terms], **space = &input->term_space[input->terms], most = 0;
    snprintf(name, sizeof name, "term_time[%d]", i);
    TRY(read_per_sample(time, o->term_time[i], name, input->samples));
    snprintf(name, sizeof name, "term_space[%d]", i);
    TRY(read_per_pixel(space, input, o->term_space[i], name));
    for (int64_t j = 0; j < input->samples; j++) most = fmax(most, fabs((*time)[j]));
    const double turns = most * largest(*space, input) / TWO_PI;
    CHECK(turns <= 1e6, ARGAND_ARGUMENT, "field: phase term %d reaches %g turns; are the units right?", i,
          turns);
    if (turns > 0) {
        input->terms++;
        return ARGAND_OK;
    }
    memory_free(*time);
    memory_free(*space);
    *time = *space = NULL;
    return ARGAND_OK;
}

/* Beyond these no digits are left of a phase, so a unit must be wrong (ms for s, rad/m for cycles per field
 * of view). */
static argand_status check_ranges(const field_input *input)
{
    double time = 0;
    for (int64_t j = 0; input->t && j < input->samples; j++) time = fmax(time, fabs(input->t[j]));
    for (int d = 0; d < input->options->rank; d++) {
        for (int64_t j = 0; j < input->samples; j++)
            CHECK(fabs(input->k[d][j]) <= 1e6, ARGAND_ARGUMENT,
                  "field: %s of sample %lld is %g cycles per field of view; is its unit right?", k_names[d],
                  (long long)j, input->k[d][j]);
        CHECK(largest(input->gradient[d], input) * time <= 1e4, ARGAND_ARGUMENT,
              "field: %s reaches %g cycles per voxel at t = %g s; are the units right?", gradient_names[d],
              largest(input->gradient[d], input) * time, time);
    }
    const double turns = largest(input->field_map, input) * time / TWO_PI;
    CHECK(turns <= 1e6, ARGAND_ARGUMENT,
          "field: the field map reaches %g turns at t = %g s; are the units right?", turns, time);
    return ARGAND_OK;
}

/* exp(-R t) must not overflow; large positive R t are fine. */
static argand_status check_decay(const field_input *input)
{
    double low = 0, high = 0, slowest = 0, fastest = 0;
    for (int64_t j = 0; input->r2star && j < input->samples; j++) {
        low = fmin(low, input->t[j]);
        high = fmax(high, input->t[j]);
    }
    for (int64_t i = 0; input->r2star && i < input->pixels; i++) {
        if (input_skips(input, i)) continue;
        slowest = fmin(slowest, input->r2star[i]);
        fastest = fmax(fastest, input->r2star[i]);
    }
    const double least = fmin(slowest * high, fastest * low);
    CHECK(least >= -80, ARGAND_ARGUMENT,
          "field: R2* times t falls to %g, which grows instead of decaying; is a sign wrong?", least);
    return ARGAND_OK;
}

static argand_status read_all(field_input *input)
{
    TRY(read_samples(input));
    TRY(read_pixels(input));
    drop_zero(&input->field_map, input);
    drop_zero(&input->r2star, input);
    for (int d = 0; d < 3; d++) drop_zero(&input->gradient[d], input);
    for (int i = 0; i < input->options->terms; i++) TRY(read_term(input, i));
    input->separable = !input->terms && !input->field_map && !input->r2star && !input->gradient[0] &&
                       !input->gradient[1] && !input->gradient[2];
    TRY(check_ranges(input));
    return check_decay(input);
}

argand_status field_input_read(field_input *input, const argand_field_options *options)
{
    *input = (field_input){.options = options, .pixels = 1, .n = {1, 1, 1}};
    TRY(check_options(options));
    for (int d = 0; d < options->rank; d++) {
        input->n[d] = options->n[d];
        input->pixels *= options->n[d];
    }
    CHECK(input->pixels <= INT64_C(1) << 40, ARGAND_ARGUMENT, "field: an image of %lld pixels is too large",
          (long long)input->pixels);
    input->samples = argand_array_count(options->k[0]);
    input->sinc = options->gradients || options->gradient[0] || options->gradient[1] || options->gradient[2];
    const argand_status status = read_all(input);
    if (status) field_input_release(input);
    return status;
}

void field_input_release(field_input *input)
{
    for (int d = 0; d < 3; d++) {
        memory_free(input->gradient[d]);
        memory_free(input->k[d]);
    }
    for (int i = 0; i < ARGAND_FIELD_TERMS; i++) {
        memory_free(input->term_space[i]);
        memory_free(input->term_time[i]);
    }
    memory_free(input->mask);
    memory_free(input->r2star);
    memory_free(input->field_map);
    memory_free(input->t);
    *input = (field_input){0};
}
