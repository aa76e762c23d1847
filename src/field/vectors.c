/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass over the image or the samples besides all pairs of both: written for one text in both precisions,
 * not speed. */
#include "field/vectors.h"
#include "base/status.h"

static double real_at(const void *reals, int64_t i, bool is_double)
{
    return is_double ? ((const double *)reals)[i] : (double)((const float *)reals)[i];
}

static void set_real(void *reals, int64_t i, double value, bool is_double)
{
    if (is_double)
        ((double *)reals)[i] = value;
    else
        ((float *)reals)[i] = (float)value;
}

typedef struct number {
    double re, im;
} number;

static number element(const field_view *v, int64_t at)
{
    return (number){real_at(v->data, 2 * at, v->is_double), real_at(v->data, 2 * at + 1, v->is_double)};
}

static void set_element(const field_view *v, int64_t at, number value)
{
    set_real(v->data, 2 * at, value.re, v->is_double);
    set_real(v->data, 2 * at + 1, value.im, v->is_double);
}

static argand_status view_array(field_view *view, const argand_field *plan, const argand_array *array,
                                int vector_axis)
{
    *view = (field_view){.data = argand_array_data(array),
                         .is_double = field_is_double(plan),
                         .coils = argand_array_dim(array, vector_axis)};
    for (int d = 0; d < vector_axis && d < argand_array_rank(array); d++)
        view->stride[d] = argand_array_stride(array, d);
    if (view->coils > 1) view->coil_stride = argand_array_stride(array, vector_axis);
    return argand_device_wait(argand_array_device(array));
}

argand_status field_view_image(field_view *view, const argand_field *plan, const argand_array *image)
{
    return view_array(view, plan, image, plan->rank);
}

argand_status field_view_samples(field_view *view, const argand_field *plan, const argand_array *samples)
{
    return view_array(view, plan, samples, 1);
}

static int64_t row_start(const field_view *v, const field_row *row, int64_t coil)
{
    return row->y * v->stride[1] + row->z * v->stride[2] + coil * v->coil_stride;
}

static number pixel(const field_view *image, int64_t start, int32_t x)
{
    return x < 0 ? (number){0, 0} : element(image, start + x * image->stride[0]);
}

void field_gather_image(void *planes, const argand_field *plan, const field_view *image, int64_t coil)
{
    const field_pixels *p = &plan->pixels;
    const int64_t first = coil * field_planes(plan) * p->columns;
    for (int64_t r = 0; r < p->rows; r++) {
        const int64_t start = row_start(image, &p->row[r], coil);
        for (int64_t c = p->row[r].first; c < p->row[r].first + p->row[r].count; c++) {
            const number a = pixel(image, start, p->plus[c]), b = pixel(image, start, p->minus[c]);
            set_real(planes, first + c, a.re + b.re, image->is_double);
            set_real(planes, first + p->columns + c, a.im + b.im, image->is_double);
            if (!plan->paired) continue;
            set_real(planes, first + 2 * p->columns + c, a.re - b.re, image->is_double);
            set_real(planes, first + 3 * p->columns + c, a.im - b.im, image->is_double);
        }
    }
}

static void clear_image(const argand_field *plan, const field_view *image, int64_t coil)
{
    for (int64_t z = 0; z < plan->n[2]; z++)
        for (int64_t y = 0; y < plan->n[1]; y++)
            for (int64_t x = 0; x < plan->n[0]; x++)
                set_element(image,
                            x * image->stride[0] + y * image->stride[1] + z * image->stride[2] +
                                coil * image->coil_stride,
                            (number){0, 0});
}

/* One column's sums over all parts: pairs are sum c y and sum s y, of which the pixels at plus and minus are
 * sum (c + i s) y and sum (c - i s) y. */
static void column_sums(number sums[2], const argand_field *plan, const void *planes, int64_t at, int parts,
                        int64_t part_size)
{
    const int64_t stride = plan->pixels.columns;
    double total[4] = {0};
    for (int part = 0; part < parts; part++)
        for (int p = 0; p < field_planes(plan); p++)
            total[p] += real_at(planes, part * part_size + at + p * stride, field_is_double(plan));
    sums[0] = (number){total[0] - total[3], total[1] + total[2]};
    sums[1] = (number){total[0] + total[3], total[1] - total[2]};
}

void field_scatter_image(const argand_field *plan, const field_view *image, const void *planes, int parts,
                         int64_t part_size, int64_t coil)
{
    const field_pixels *p = &plan->pixels;
    if (p->unmasked < plan->n[0] * plan->n[1] * plan->n[2]) clear_image(plan, image, coil);
    for (int64_t r = 0; r < p->rows; r++) {
        const int64_t start = row_start(image, &p->row[r], coil);
        for (int64_t c = p->row[r].first; c < p->row[r].first + p->row[r].count; c++) {
            number sums[2];
            column_sums(sums, plan, planes, coil * field_planes(plan) * p->columns + c, parts, part_size);
            if (p->plus[c] >= 0) set_element(image, start + p->plus[c] * image->stride[0], sums[0]);
            if (p->minus[c] >= 0) set_element(image, start + p->minus[c] * image->stride[0], sums[1]);
        }
    }
}

static double weight(const argand_field *plan, int64_t j)
{
    return plan->samples.weight ? real_at(plan->samples.weight, j, field_is_double(plan)) : 1;
}

void field_gather_samples(void *planes, const argand_field *plan, const field_view *samples, int64_t coil)
{
    const field_samples *s = &plan->samples;
    const int64_t first = coil * 2 * s->padded;
    for (int64_t j = 0; j < s->count; j++) {
        const number y = element(samples, s->source[j] * samples->stride[0] + coil * samples->coil_stride);
        set_real(planes, first + j, weight(plan, j) * y.re, samples->is_double);
        set_real(planes, first + s->padded + j, weight(plan, j) * y.im, samples->is_double);
    }
}

void field_scatter_block(const argand_field *plan, const field_view *samples, const void *sums, int parts,
                         int64_t block)
{
    const field_samples *s = &plan->samples;
    const int64_t part_size = samples->coils * 2 * s->per_block, first = block * s->per_block;
    for (int64_t coil = 0; coil < samples->coils; coil++)
        for (int64_t j = 0; j < s->per_block && first + j < s->count; j++) {
            number y = {0, 0};
            for (int part = 0; part < parts; part++) {
                const int64_t at = part * part_size + coil * 2 * s->per_block + j;
                y.re += real_at(sums, at, samples->is_double);
                y.im += real_at(sums, at + s->per_block, samples->is_double);
            }
            const double w = weight(plan, first + j);
            set_element(samples, s->source[first + j] * samples->stride[0] + coil * samples->coil_stride,
                        (number){w * y.re, w * y.im});
        }
}
