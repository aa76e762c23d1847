/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts and orders of a transform: one axis in the middle of an array, by its strides; reals in
 * place, in rows padded for their spectrum and half-packed; a convolution whose spectrum has the order
 * that is fastest; a shift by a fraction of a point, as phases at the spectrum; and the text by which
 * a plan describes itself. Each result is compared with a direct computation. */
#include <argand/argand.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 6, NY = 20, NZ = 5, N = 64, LONG = 1 << 17 };

static void stop(argand_status status)
{
    if (!status) return;
    fprintf(stderr, "%s\n", argand_message());
    exit(1);
}

static argand_fft *plan_of(argand_device *device, const argand_fft_options *options)
{
    argand_fft *plan;
    stop(argand_fft_create(&plan, device, options));
    return plan;
}

static argand_array *zeros(argand_device *device, argand_type type, int rank, const int64_t *dims)
{
    argand_array *a;
    stop(argand_array_create(&a, device, type, rank, dims));
    return a;
}

static float *fill(argand_array *a)
{
    float *x = argand_array_data(a);
    const int64_t parts = argand_array_type(a) == ARGAND_C32 ? 2 : 1;
    for (int64_t i = 0; i < parts * argand_array_count(a); i++) x[i] = sinf((float)(i * 37 % 1013));
    return x;
}

/* |a - b| / |b|; a is changed. */
static double apart(argand_array *a, const argand_array *b)
{
    double difference, norm;
    stop(argand_array_axpby(a, (argand_scalar){1, 0}, b, (argand_scalar){-1, 0}));
    stop(argand_array_norm(&difference, a));
    stop(argand_array_norm(&norm, b));
    return difference / norm;
}

/* Axis y of {x, y, z}: neighbours have stride NX; x and z are loops. Against a copy with y first. */
static double middle_axis(argand_device *device)
{
    const int64_t dims[3] = {NX, NY, NZ}, transposed[3] = {NY, NX, NZ}, steps[3] = {NX, 1, NX * NY};
    argand_array *x = zeros(device, ARGAND_C32, 3, dims), *y = zeros(device, ARGAND_C32, 3, transposed),
                 *view, *wanted;
    argand_fft *strided =
                   plan_of(device, &(argand_fft_options){.type = ARGAND_C32,
                                                         .rank = 1,
                                                         .axes_given = true,
                                                         .axes = {{NY, NX, NX}},
                                                         .loops = 2,
                                                         .loop = {{NX, 1, 1}, {NZ, NX * NY, NX * NY}}}),
               *lines = plan_of(
                   device, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {NY}, .batch = NX * NZ});
    fill(x);
    stop(argand_array_view(&view, x, 3, transposed, steps, 0));
    stop(argand_array_copy(y, view));
    stop(argand_fft_apply(lines, y, y, ARGAND_FORWARD));
    stop(argand_fft_apply(strided, x, x, ARGAND_FORWARD)); /* in place: the strides are the same */
    wanted = zeros(device, ARGAND_C32, 3, transposed);
    stop(argand_array_copy(wanted, view));
    const double error = apart(wanted, y);
    argand_array *const arrays[] = {view, x, y, wanted};
    for (int i = 0; i < 4; i++) argand_array_destroy(arrays[i]);
    argand_fft_destroy(strided);
    argand_fft_destroy(lines);
    return error;
}

/* NY rows of reals, forward and inverse, all in one array: rows padded to N/2 + 1 complex elements, or
 * half-packed, which are N/2. It begins as complex numbers, in whose rows the first N reals are seen. */
static double reals_in_place(argand_device *device, bool half_packed)
{
    static float before[NY][N], after[NY][N];
    const int64_t row[2] = {half_packed ? N / 2 : N / 2 + 1, NY};
    argand_array *spectrum, *numbers, *reals;
    double error = 0;
    for (int y = 0; y < NY; y++)
        for (int i = 0; i < N; i++) before[y][i] = sinf((float)(i * i + y));
    stop(argand_array_create(&spectrum, device, ARGAND_C32, 2, row));
    stop(argand_array_view_as(&numbers, spectrum, ARGAND_R32));
    stop(argand_array_part(&reals, numbers, 0, 0, N));
    stop(argand_array_upload(reals, before));
    argand_fft *plan = plan_of(device, &(argand_fft_options){.type = ARGAND_R32,
                                                             .rank = 1,
                                                             .n = {N},
                                                             .batch = NY,
                                                             .scale = ARGAND_SCALE_INVERSE,
                                                             .half_packed = half_packed});
    stop(argand_fft_apply(plan, spectrum, reals, ARGAND_FORWARD));
    stop(argand_fft_apply(plan, reals, spectrum, ARGAND_INVERSE));
    stop(argand_array_download(reals, after));
    for (int y = 0; y < NY; y++)
        for (int i = 0; i < N; i++) error = fmax(error, (double)fabsf(after[y][i] - before[y][i]));
    argand_array_destroy(reals);
    argand_array_destroy(numbers);
    argand_array_destroy(spectrum);
    argand_fft_destroy(plan);
    return error;
}

/* A long line through a filter. Where the spectrum's order does not matter, give it up; the filter's elements
 * go where argand_fft_position says. Against the plan in natural order. */
static double any_order(argand_device *device)
{
    argand_array *x[2], *y[2];
    for (int scrambled = 0; scrambled < 2; scrambled++) {
        argand_fft *plan =
            plan_of(device, &(argand_fft_options){.type = ARGAND_C32,
                                                  .rank = 1,
                                                  .n = {LONG},
                                                  .scale = ARGAND_SCALE_INVERSE,
                                                  .spectrum_order = scrambled ? ARGAND_ORDER_SCRAMBLED
                                                                              : ARGAND_ORDER_NATURAL});
        x[scrambled] = zeros(device, ARGAND_C32, 1, (int64_t[]){LONG});
        y[scrambled] = zeros(device, ARGAND_R32, 1, (int64_t[]){LONG});
        fill(x[scrambled]);
        float *filter = argand_array_data(y[scrambled]);
        for (int64_t k = 0; k < LONG; k++) {
            const double f = (double)(k <= LONG / 2 ? k : LONG - k) / LONG;
            filter[argand_fft_position(plan, 0, k)] = (float)exp(-10 * f);
        }
        stop(argand_fft_apply(plan, x[scrambled], x[scrambled], ARGAND_FORWARD));
        stop(argand_array_multiply(x[scrambled], y[scrambled], x[scrambled], ARGAND_PRODUCT));
        stop(argand_fft_apply(plan, x[scrambled], x[scrambled], ARGAND_INVERSE));
        argand_fft_destroy(plan);
    }
    const double error = apart(x[1], x[0]);
    for (int i = 0; i < 2; i++) {
        argand_array_destroy(x[i]);
        argand_array_destroy(y[i]);
    }
    return error;
}

/* A wave of 3 periods, later by 0.3 points: exp(-2 pi i k 0.3 / N) at the spectrum, k from -N/2 on. */
static double fraction(argand_device *device)
{
    const double radians = 6.283185307179586 / N;
    argand_array *x = zeros(device, ARGAND_C32, 1, (int64_t[]){N}),
                 *phase = zeros(device, ARGAND_C32, 1, (int64_t[]){N});
    float *v = argand_array_data(x), *p = argand_array_data(phase);
    double error = 0;
    for (int k = 0; k < N; k++) {
        const int signed_k = k < N / 2 ? k : k - N;
        v[2 * k] = (float)cos(3 * radians * k);
        p[2 * k] = (float)cos(-0.3 * radians * signed_k);
        p[2 * k + 1] = (float)sin(-0.3 * radians * signed_k);
    }
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {N}, .scale = ARGAND_SCALE_INVERSE};
    o.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = phase};
    argand_fft *plan = plan_of(device, &o);
    stop(argand_fft_apply(plan, x, x, ARGAND_FORWARD)); /* forward and inverse */
    for (int i = 0; i < N; i++) error = fmax(error, fabs((double)v[2 * i] - cos(3 * radians * (i - 0.3))));
    argand_array_destroy(x);
    argand_array_destroy(phase);
    argand_fft_destroy(plan);
    return error;
}

static void say(argand_device *device)
{
    char text[300];
    argand_fft_pass pass;
    argand_fft *plan = plan_of(device, &(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {200, 300}});
    argand_fft_print(plan, text, sizeof text);
    printf("%s: %lld bytes of work memory\n", text, (long long)argand_fft_workspace(plan, ARGAND_FORWARD));
    for (int i = 0; i < argand_fft_pass_count(plan, ARGAND_FORWARD); i++) {
        stop(argand_fft_pass_describe(plan, ARGAND_FORWARD, i, &pass));
        printf("  %s: %lld lines of %lld points\n", pass.what, (long long)pass.lines, (long long)pass.length);
    }
    argand_fft_destroy(plan);
    printf("at least 1009 points: %lld take the least time here\n",
           (long long)argand_fft_fast_size(device, 1009, false));
}

int main(void)
{
    argand_device *device;
    stop(argand_device_open(&device, "cpu"));
    const double errors[] = {middle_axis(device), reals_in_place(device, false), reals_in_place(device, true),
                             any_order(device), fraction(device)};
    say(device);
    argand_device_close(device);
    int wrong = 0;
    for (int i = 0; i < 5; i++) {
        printf("%.1g\n", errors[i]);
        wrong += !(errors[i] < 5e-6);
    }
    return wrong != 0;
}
