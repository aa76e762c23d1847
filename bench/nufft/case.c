/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes points, images and samples of `argand bench nufft`. Positions are in radians per pixel, as all
 * NUFFT libraries expect them, so that all get the same numbers. */
#include "nufft/case.h"

#include <math.h>
#include <stdlib.h>

static const double two_pi = 6.283185307179586476925;

/* Returns a uniform random number in [0, 1): xorshift64*, Vigna, ACM TOMS 42:30, 2016. */
static double uniform(void)
{
    static uint64_t state = 88172645463325252;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 2685821657736338717u) >> 11) * 0x1p-53;
}

/* Returns a coordinate of spokes of 512 points through the centre at golden angles; in 3-D distributed
 * over the sphere. */
static double radial(const nufft_case *c, int64_t j, int axis)
{
    const double spoke = floor((double)j / 512), angle = spoke * 2.39996322972865;
    const double radius = (double)(j % 512) / 512 - 0.5;
    const double z = c->rank == 3 ? 1 - 2 * fmod(spoke * 0.6180339887498949, 1) : 0, across = sqrt(1 - z * z);
    return radius * (axis == 2 ? z : across * (axis ? sin(angle) : cos(angle)));
}

/* Returns a coordinate of a spiral of constant density: 32 turns from the centre to a radius of 0.4 cycles
 * per pixel. */
static double spiral(const nufft_case *c, int64_t j, int axis)
{
    const double radius = 0.4 * sqrt((double)j / (double)c->points), angle = two_pi * 80 * radius;
    return radius * (axis == 0 ? cos(angle) : axis == 1 ? sin(angle) : radius);
}

/* Returns a coordinate of point j, in cycles per pixel. */
static double position(const nufft_case *c, int64_t j, int axis)
{
    switch (c->s->kind) {
    case NUFFT_RADIAL:
        return radial(c, j, axis);
    case NUFFT_SPIRAL:
        return spiral(c, j, axis);
    case NUFFT_CELL:
        return (0.1 + 0.3 * uniform()) / (double)c->n[axis]; /* all points in one cell of the grid */
    default:
        return uniform() - 0.5;
    }
}

static argand_status new_array(nufft_array *a, const nufft_case *c, argand_type type, int rank,
                               const int64_t *dims)
{
    size_t bytes = argand_type_size(type);
    if (!c->cuda) return argand_array_create(&a->array, c->device, type, rank, dims);
    for (int d = 0; d < rank; d++) bytes *= (size_t)dims[d];
    a->memory = cuda_peer_allocate(c->cuda, bytes);
    if (!a->memory) return report_error(ARGAND_MEMORY, "the device has no memory for %zu bytes more", bytes);
    return argand_array_wrap(&a->array, c->device, type, rank, dims, NULL, a->memory);
}

static void free_array(nufft_array *a, const nufft_case *c)
{
    argand_array_destroy(a->array);
    if (c->cuda) cuda_peer_free(c->cuda, a->memory);
}

static argand_status upload_reals(argand_array *to, double *numbers, int64_t count, bool is_double)
{
    for (int64_t i = 0; i < count && !is_double; i++) ((float *)numbers)[i] = (float)numbers[i];
    return argand_array_upload(to, numbers);
}

/* Downloads an array as doubles; real and imaginary parts alternate. */
static argand_status fetch(double **out, const argand_array *array)
{
    const argand_type type = argand_array_type(array);
    const bool is_double = type == ARGAND_C64 || type == ARGAND_R64;
    const int64_t count = argand_array_count(array) * (type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1);
    double *numbers = malloc((size_t)count * sizeof *numbers);
    *out = numbers;
    if (!numbers) return ARGAND_MEMORY;
    TRY(argand_array_download(array, numbers));
    for (int64_t i = count; i-- > 0 && !is_double;) numbers[i] = (double)((float *)numbers)[i];
    return ARGAND_OK;
}

static argand_status make_points(nufft_case *c)
{
    const bool is_double = c->type == ARGAND_C64;
    for (int axis = 0; axis < c->rank; axis++) {
        double *k = malloc((size_t)c->points * sizeof *k);
        if (!k) return ARGAND_MEMORY;
        for (int64_t j = 0; j < c->points; j++) k[j] = two_pi * position(c, j, axis);
        argand_status status = new_array(&c->k[axis], c, is_double ? ARGAND_R64 : ARGAND_R32, 1, &c->points);
        if (!status) status = upload_reals(c->k[axis].array, k, c->points, is_double);
        free(k);
        if (!status) status = fetch(&c->at[axis], c->k[axis].array);
        TRY(status);
    }
    return ARGAND_OK;
}

/* Returns a view of one vector of an array whose last axis counts the vectors. */
static argand_status vector_of(argand_array **view, const argand_array *array, int64_t number)
{
    return argand_array_part(view, array, argand_array_rank(array) - 1, number, 1);
}

argand_status nufft_fetch_first(double **out, const argand_array *array)
{
    argand_array *first;
    TRY(vector_of(&first, array, 0));
    const argand_status status = fetch(out, first);
    argand_array_destroy(first);
    return status;
}

/* Fills numbers with values uniform in [-0.5, 0.5), a hash of their index (SplitMix64, Steele, Lea, Flood,
 * OOPSLA 2014). */
static void fill_noise(double *numbers, int64_t count, int64_t from)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t x = (uint64_t)(from + i) * 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        numbers[i] = (double)((x ^ x >> 31) >> 11) * 0x1p-53 - 0.5;
    }
}

static argand_status new_noise(nufft_array *array, const nufft_case *c, int rank, const int64_t *dims)
{
    TRY(new_array(array, c, c->type, rank, dims));
    const int64_t count = 2 * argand_array_count(array->array) / c->vectors;
    double *numbers = malloc((size_t)count * sizeof *numbers);
    argand_status status = numbers ? ARGAND_OK : ARGAND_MEMORY;
    for (int64_t v = 0; v < c->vectors && !status; v++) {
        argand_array *vector = NULL;
        fill_noise(numbers, count, v * count);
        status = vector_of(&vector, array->array, v);
        if (!status) status = upload_reals(vector, numbers, count, c->type == ARGAND_C64);
        argand_array_destroy(vector);
    }
    free(numbers);
    return status;
}

argand_status nufft_case_make(nufft_case *c)
{
    int64_t image[4] = {c->n[0], c->n[1], c->n[2]};
    image[c->rank] = c->vectors;
    const int64_t samples[2] = {c->points, c->vectors};
    TRY(make_points(c));
    TRY(new_noise(&c->image, c, c->rank + 1, image));
    TRY(new_array(&c->image_out, c, c->type, c->rank + 1, image));
    TRY(new_noise(&c->samples, c, 2, samples));
    return new_array(&c->samples_out, c, c->type, 2, samples);
}

void nufft_case_free(nufft_case *c)
{
    argand_nufft_destroy(c->plan);
    free_array(&c->samples_out, c);
    free_array(&c->samples, c);
    free_array(&c->image_out, c);
    free_array(&c->image, c);
    for (int axis = 0; axis < 3; axis++) {
        free_array(&c->k[axis], c);
        free(c->at[axis]);
    }
}
