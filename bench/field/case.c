/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the problems of `argand bench field`: a spiral readout in a smooth field. */
#include "field/field.h"

#include <math.h>
#include <stdlib.h>

static double *new_doubles(int64_t count)
{
    return malloc((size_t)count * sizeof(double));
}

/* Makes spiral interleaves to the edge of k-space, 20 ms each, one after the other; a stack of spirals if
 * the image has planes. */
static argand_status make_samples(field_case *c)
{
    const int64_t turns = 16, each = c->samples / turns + 1;
    c->t = new_doubles(c->samples);
    for (int d = 0; d < c->rank; d++) {
        c->k[d] = new_doubles(c->samples);
        if (!c->k[d]) return ARGAND_MEMORY;
    }
    if (!c->t) return ARGAND_MEMORY;
    for (int64_t j = 0; j < c->samples; j++) {
        const double part = (double)(j % each) / (double)each, angle = 150 * part + 0.39 * (double)(j / each);
        const double place[3] = {part * cos(angle), part * sin(angle), sin(0.7 * (double)(j / each))};
        c->t[j] = 0.002 + 0.02 * part;
        for (int d = 0; d < c->rank; d++) c->k[d][j] = 0.5 * (double)c->n[d] * place[d];
    }
    return ARGAND_OK;
}

static argand_status make_map(double **map, const field_case *c, double low, double high)
{
    double *values = *map = new_doubles(c->pixels);
    if (!values) return ARGAND_MEMORY;
    for (int64_t i = 0; i < c->pixels; i++) {
        const double x = (double)(i % c->n[0]) / (double)c->n[0],
                     y = (double)(i / c->n[0]) / (double)(c->pixels / c->n[0]);
        values[i] = low + (high - low) * (0.5 + 0.25 * sin(5 * x + 1) + 0.25 * cos(4 * y + 3 * x));
    }
    return ARGAND_OK;
}

/* Makes terms: slow changes of a few radians, times polynomials of space. */
static argand_status make_terms(field_case *c)
{
    c->term_time = new_doubles(c->terms * c->samples);
    c->term_space = new_doubles(c->terms * c->pixels);
    if (!c->term_time || !c->term_space) return ARGAND_MEMORY;
    for (int i = 0; i < c->terms; i++) {
        for (int64_t j = 0; j < c->samples; j++)
            c->term_time[i * c->samples + j] = 8 * sin((40 + 9 * i) * c->t[j] + i);
        for (int64_t n = 0; n < c->pixels; n++) {
            const double x = 2 * (double)(n % c->n[0]) / (double)c->n[0] - 1,
                         y = 2 * (double)(n / c->n[0]) / (double)(c->pixels / c->n[0]) - 1;
            c->term_space[i * c->pixels + n] = pow(x, i % 4) * pow(y, i / 4 % 4);
        }
    }
    return ARGAND_OK;
}

static argand_status make_maps(field_case *c)
{
    if (c->model >= MODEL_FIELD) TRY(make_map(&c->field, c, -800, 1200));
    if (c->model == MODEL_DECAY) TRY(make_map(&c->r2star, c, 5, 60));
    for (int d = 0; c->model == MODEL_GRADIENTS && d < c->rank; d++)
        TRY(make_map(&c->gradient[d], c, -12, 8));
    c->terms = c->model == MODEL_TERMS ? 16 : 0;
    return c->terms ? make_terms(c) : ARGAND_OK;
}

static argand_status fill_random(argand_array *array, unsigned seed)
{
    const bool is_double = argand_array_type(array) == ARGAND_C64;
    const int64_t count = 2 * argand_array_count(array);
    void *values = malloc((size_t)count * (is_double ? sizeof(double) : sizeof(float)));
    uint64_t state = seed;
    if (!values) return ARGAND_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double value = (double)(state >> 11) * 0x1p-53 - 0.4;
        if (is_double)
            ((double *)values)[i] = value;
        else
            ((float *)values)[i] = (float)value;
    }
    const argand_status status = argand_array_upload(array, values);
    free(values);
    return status;
}

static argand_status make_vectors(field_case *c)
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

/* Inputs of the plan on the host. The plan makes its own copies. */
typedef struct inputs {
    argand_device *cpu;
    argand_array *made[80];
    int count;
} inputs;

static argand_status wrap(const argand_array **array, inputs *in, double *values, int64_t count)
{
    *array = NULL;
    if (!values) return ARGAND_OK;
    TRY(argand_array_wrap(&in->made[in->count], in->cpu, ARGAND_R64, 1, &count, NULL, values));
    *array = in->made[in->count++];
    return ARGAND_OK;
}

static argand_status make_plan(field_case *c, inputs *in)
{
    argand_field_options o = {.type = c->type, .rank = c->rank, .terms = c->terms, .tolerance = c->tolerance};
    TRY(argand_device_open(&in->cpu, "cpu"));
    TRY(wrap(&o.t, in, c->t, c->samples));
    TRY(wrap(&o.field_map, in, c->field, c->pixels));
    TRY(wrap(&o.r2star, in, c->r2star, c->pixels));
    for (int d = 0; d < c->rank; d++) {
        o.n[d] = c->n[d];
        TRY(wrap(&o.k[d], in, c->k[d], c->samples));
        TRY(wrap(&o.gradient[d], in, c->gradient[d], c->pixels));
    }
    for (int i = 0; i < c->terms; i++) {
        TRY(wrap(&o.term_time[i], in, c->term_time + i * c->samples, c->samples));
        TRY(wrap(&o.term_space[i], in, c->term_space + i * c->pixels, c->pixels));
    }
    return argand_field_create(&c->plan, c->device, &o);
}

argand_status field_case_make(field_case *c)
{
    inputs in = {0};
    c->pixels = 1;
    for (int d = 0; d < c->rank; d++) c->pixels *= c->n[d];
    for (int d = c->rank; d < 3; d++) c->n[d] = 1;
    argand_status status = make_samples(c);
    if (!status) status = make_maps(c);
    if (status) return report_error(status, "no memory for the problem's numbers");
    status = make_vectors(c);
    if (!status) status = make_plan(c, &in);
    while (in.count > 0) argand_array_destroy(in.made[--in.count]);
    argand_device_close(in.cpu);
    return status;
}

void field_case_free(field_case *c)
{
    argand_field_destroy(c->plan);
    argand_array *const arrays[] = {c->image, c->image_out, c->data, c->data_out};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) argand_array_destroy(arrays[i]);
    double *const numbers[] = {c->k[0],        c->k[1],      c->k[2],        c->t,
                               c->field,       c->r2star,    c->gradient[0], c->gradient[1],
                               c->gradient[2], c->term_time, c->term_space};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) free(numbers[i]);
}
