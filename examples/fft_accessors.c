/* SPDX-License-Identifier: BSD-3-Clause */
/* Coil images in one transform: an image in the middle of a grid twice its size is multiplied by the
 * map of each coil and transformed, without a padded or weighted copy. The adjoint applies the inverse
 * transform, multiplies by the conjugate maps and sums over the coils; the program checks that it is
 * the adjoint. Then one plan filters an image: mirror its border, transform, multiply, transform back. */
#include <argand/argand.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48, M = 2 * N, COILS = 4 };

static void stop(argand_status status)
{
    if (!status) return;
    fprintf(stderr, "%s\n", argand_message());
    exit(1);
}

static argand_array *numbers(argand_device *device, int rank, const int64_t *dims, int step)
{
    argand_array *a;
    stop(argand_array_create(&a, device, ARGAND_C32, rank, dims));
    float *x = argand_array_data(a);
    for (int64_t i = 0; i < 2 * argand_array_count(a); i++) x[i] = sinf((float)(i * step % 1013));
    return a;
}

/* |<A x, y> - <x, A^H y>| / |<A x, y>| */
static double coils(argand_device *device)
{
    argand_array *x = numbers(device, 2, (int64_t[]){N, N}, 3),
                 *maps = numbers(device, 3, (int64_t[]){N, N, COILS}, 5),
                 *y = numbers(device, 3, (int64_t[]){M, M, COILS}, 7), *ax, *ay;
    argand_fft_options forward = {.type = ARGAND_C32,
                                  .rank = 2,
                                  .n = {M, M},
                                  .batch = COILS,
                                  .centred = true},
                       back;
    forward.input.window[0].count = forward.input.window[1].count = N;
    forward.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    stop(argand_fft_adjoint(&back, &forward));
    back.sum = 1; /* the image repeats over the coils, so its adjoint sums */
    argand_fft *a, *b;
    stop(argand_fft_create(&a, device, &forward));
    stop(argand_fft_create(&b, device, &back));
    stop(argand_array_create(&ax, device, ARGAND_C32, 3, (int64_t[]){M, M, COILS}));
    stop(argand_array_create(&ay, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    stop(argand_fft_apply(a, ax, x, ARGAND_FORWARD));
    stop(argand_fft_apply(b, ay, y, ARGAND_INVERSE));
    argand_scalar left, right;
    stop(argand_array_dot(&left, ax, y));
    stop(argand_array_dot(&right, x, ay));
    argand_array *const arrays[] = {x, maps, y, ax, ay};
    for (int i = 0; i < 5; i++) argand_array_destroy(arrays[i]);
    argand_fft_destroy(a);
    argand_fft_destroy(b);
    return hypot(left.re - right.re, left.im - right.im) / hypot(left.re, left.im);
}

/* The heat equation's filter at the spectrum, exp(-t k^2), as a function of the user's own. */
static void cool(void *values, const void *mirror, const argand_access_run *run)
{
    float *v = values;
    (void)mirror;
    for (int64_t i = 0; i < run->count; i++) {
        double k2 = 0;
        for (int axis = 0; axis < 2; axis++) {
            int64_t k = run->coordinate[axis] + (axis == run->axis ? i : 0);
            if (k > M / 2) k -= M;
            k2 += (double)(k * k);
        }
        const float f = (float)exp(-run->parameters[0] * k2);
        v[2 * i] *= f;
        v[2 * i + 1] *= f;
    }
}

/* A mirrored border loses nothing: the sum does not change. */
static double filter(argand_device *device)
{
    argand_array *x = numbers(device, 2, (int64_t[]){N, N}, 3), *y;
    stop(argand_array_create(&y, device, ARGAND_C32, 2, (int64_t[]){N, N}));
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {M, M}, .scale = ARGAND_SCALE_INVERSE};
    for (int axis = 0; axis < 2; axis++) {
        o.input.window[axis] = (argand_window){.count = N, .border = ARGAND_BORDER_MIRROR};
        o.output.window[axis].count = N;
    }
    o.access.spectrum[0] =
        (argand_accessor){.kind = ARGAND_ACCESS_CALL, .function = cool, .parameters = {0.001}};
    argand_fft *plan;
    stop(argand_fft_create(&plan, device, &o));
    stop(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    argand_scalar before, after;
    stop(argand_array_sum(&before, x));
    stop(argand_array_sum(&after, y));
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_fft_destroy(plan);
    return hypot(before.re - after.re, before.im - after.im) / hypot(before.re, before.im);
}

int main(void)
{
    argand_device *device;
    stop(argand_device_open(&device, "cpu"));
    const double adjoint = coils(device), sum = filter(device);
    printf("adjoint to %.1g, sum kept to %.1g\n", adjoint, sum);
    argand_device_close(device);
    return adjoint < 1e-5 && sum < 1e-4 ? 0 : 1;
}
