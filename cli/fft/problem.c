/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the command line to the options of a plan. */
#include "fft/transform.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool transform_is_size(const char *name)
{
    for (const char *at = name; *at; at++)
        if (!isdigit((unsigned char)*at) && *at != 'x') return false;
    return isdigit((unsigned char)*name);
}

static argand_status read_size(transform_problem *p, const char *size)
{
    const char *at = size;
    for (p->dim_count = 0; p->dim_count < ARGAND_MAX_RANK; at++) {
        int64_t n = 0;
        for (; isdigit((unsigned char)*at) && n < INT64_C(1) << 50; at++) n = 10 * n + (*at - '0');
        if (n < 1 || n >= INT64_C(1) << 50 || (*at && *at != 'x')) break;
        p->dims[p->dim_count++] = n;
        if (!*at) return ARGAND_OK;
    }
    return report_error(ARGAND_ARGUMENT, "%s: give lengths from 1, at most %d of them, like 64x64x16", size,
                        ARGAND_MAX_RANK);
}

/* Reads --axes, "0,2" or "x,z". Default: as many axes as --size has, otherwise the first three, or all
 * axes of a size. */
static argand_status read_axes(transform_problem *p, const transform_settings *s, int most)
{
    if (s->size.rank) most = s->size.rank;
    p->rank = p->dim_count < most ? p->dim_count : most;
    for (int i = 0; i < p->rank; i++) p->axes[i] = i;
    if (!s->axes) return ARGAND_OK;
    p->rank = 0;
    for (const char *at = s->axes;; at++) {
        const char *letter = *at ? strchr("xyz", *at) : NULL;
        const int axis = letter ? (int)(letter - "xyz") : *at >= '0' && *at <= '7' ? *at - '0' : -1;
        if (axis < 0 || p->rank == ARGAND_MAX_RANK || (at[1] && at[1] != ','))
            return report_error(ARGAND_ARGUMENT,
                                "--axes %s: give axes from 0 to 7, or x, y, z, with commas between", s->axes);
        if (axis >= p->dim_count)
            return report_error(ARGAND_ARGUMENT,
                                "--axes %s: the array has %d dimensions, so that its last axis is %d",
                                s->axes, p->dim_count, p->dim_count - 1);
        for (int i = 0; i < p->rank; i++)
            if (p->axes[i] == axis)
                return report_error(ARGAND_ARGUMENT, "--axes %s: axis %d is named twice", s->axes, axis);
        p->axes[p->rank++] = axis;
        if (!*++at) return ARGAND_OK;
    }
}

/* Applies --size, with a length for each transformed axis. */
static argand_status resize(transform_problem *p, const transform_settings *s)
{
    if (!s->size.rank) return ARGAND_OK;
    if (s->size.rank != p->rank)
        return report_error(ARGAND_ARGUMENT,
                            "--size names %d lengths for %d transformed axes; choose these by --axes",
                            s->size.rank, p->rank);
    for (int i = 0; i < p->rank; i++) p->dims[p->axes[i]] = s->size.n[i];
    return ARGAND_OK;
}

static bool is_double(argand_type type)
{
    return type == ARGAND_C64 || type == ARGAND_R64;
}

/* Sets types and lengths of input and output. */
static void set_layouts(transform_problem *p, const transform_settings *s, bool twice)
{
    const argand_type real = twice ? ARGAND_R64 : ARGAND_R32, complex_type = twice ? ARGAND_C64 : ARGAND_C32;
    p->in_type = s->real && !s->inverse ? real : complex_type;
    p->out_type = s->real && s->inverse ? real : complex_type;
    for (int i = 0; i < ARGAND_MAX_RANK; i++) p->out_dims[i] = i < p->dim_count ? p->dims[i] : 1;
    if (!s->real) return;
    const int64_t first = p->dims[p->axes[0]];
    p->out_dims[p->axes[0]] =
        s->inverse ? 2 * (first - !s->half_packed) + s->odd : first / 2 + !s->half_packed;
}

/* Checks that products of lengths (strides, batch) do not overflow before the library sees them. */
static argand_status check_count(const transform_problem *p, const int64_t *dims)
{
    int64_t all = 1;
    for (int i = 0; i < p->dim_count; i++)
        if (__builtin_mul_overflow(all, dims[i], &all))
            return report_error(ARGAND_ARGUMENT,
                                "with dimension %d of %lld (0 is the fastest) there are too many elements", i,
                                (long long)dims[i]);
    return ARGAND_OK;
}

/* Sets the layout: leading axes in order are a plain transform with a batch; other axes need strides,
 * those of the real array first. */
static void set_layout(transform_problem *p, const transform_settings *s)
{
    argand_fft_options *o = &p->options;
    const bool swap = s->real && s->inverse;
    const int64_t *in_dims = swap ? p->out_dims : p->dims, *out_dims = swap ? p->dims : p->out_dims;
    bool leading = true;
    argand_axis all[ARGAND_MAX_RANK] = {{0}};
    int64_t in_stride = 1, out_stride = 1, batch = 1;
    for (int i = 0; i < p->dim_count; i++) {
        all[i] = (argand_axis){in_dims[i], in_stride, out_stride};
        in_stride *= in_dims[i];
        out_stride *= out_dims[i];
        leading = leading && (i >= p->rank || p->axes[i] == i);
        if (i >= p->rank) batch *= in_dims[i];
    }
    o->rank = p->rank;
    o->axes_given = !leading;
    for (int i = 0; i < p->rank; i++) {
        o->n[i] = all[p->axes[i]].n;
        o->axes[i] = all[p->axes[i]];
    }
    if (leading) o->batch = batch;
    for (int i = 0; i < p->dim_count && !leading; i++) {
        bool transformed = false;
        for (int j = 0; j < p->rank; j++) transformed |= p->axes[j] == i;
        if (!transformed) o->loop[o->loops++] = all[i];
    }
}

static argand_status finish(transform_problem *p, const transform_settings *s, bool twice)
{
    argand_status status = resize(p, s);
    if (status != ARGAND_OK) return status;
    set_layouts(p, s, twice);
    if (s->half_packed && !s->inverse && p->dims[p->axes[0]] % 2)
        return report_error(ARGAND_ARGUMENT, "--half-packed: %lld reals; give an even number of them",
                            (long long)p->dims[p->axes[0]]);
    if (p->out_dims[p->axes[0]] < 1)
        return report_error(
            ARGAND_ARGUMENT,
            "a half spectrum of 1 element belongs to 1 real number, which is odd: give --odd");
    status = check_count(p, p->dims);
    if (status == ARGAND_OK) status = check_count(p, p->out_dims);
    if (status != ARGAND_OK) return status;
    p->options = (argand_fft_options){.type = s->real ? (twice ? ARGAND_R64 : ARGAND_R32)
                                                      : (twice ? ARGAND_C64 : ARGAND_C32),
                                      .centred = s->centred,
                                      .scale = (argand_fft_scale)s->scale,
                                      .effort = s->measure ? ARGAND_REMEASURE : ARGAND_ESTIMATE,
                                      .measure_seconds = s->measure_seconds,
                                      .preserve_input = true,
                                      .wait_for_kernels = true,
                                      .half_packed = s->half_packed};
    set_layout(p, s);
    return ARGAND_OK;
}

argand_status transform_of_size(transform_problem *p, const transform_settings *s, const char *size)
{
    *p = (transform_problem){0};
    argand_status status = read_size(p, size);
    const int lengths = p->dim_count;
    if (status != ARGAND_OK) return status;
    if (s->real && s->inverse && s->half_packed && p->dims[0] % 2)
        return report_error(ARGAND_ARGUMENT, "--half-packed: %lld reals; give an even number of them",
                            (long long)p->dims[0]);
    if (s->real && s->inverse) p->dims[0] = p->dims[0] / 2 + !s->half_packed; /* a size counts the reals */
    if (s->batch > 1 && p->dim_count == ARGAND_MAX_RANK)
        return report_error(ARGAND_ARGUMENT, "%s: no dimension is left for --batch", size);
    if (s->batch > 1) p->dims[p->dim_count++] = s->batch;
    status = read_axes(p, s, lengths);
    return status == ARGAND_OK ? finish(p, s, s->precision == 2) : status;
}

argand_status transform_of_array(transform_problem *p, const transform_settings *s, const argand_array *array,
                                 const char *name)
{
    const argand_type type = argand_array_type(array);
    *p = (transform_problem){.dim_count = argand_array_rank(array)};
    for (int i = 0; i < p->dim_count; i++) p->dims[i] = argand_array_dim(array, i);
    if (!p->dim_count) p->dims[p->dim_count++] = 1;
    argand_status status = read_axes(p, s, 3);
    if (status != ARGAND_OK) return status;
    if (s->real && !s->inverse && (type == ARGAND_C32 || type == ARGAND_C64))
        return report_error(
            ARGAND_ARGUMENT,
            "--real: %s holds complex numbers; argand convert %s real.npy --real takes their real part", name,
            name);
    return finish(p, s, s->precision ? s->precision == 2 : is_double(type));
}
