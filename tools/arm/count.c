/* SPDX-License-Identifier: BSD-3-Clause */
/* count PEER KIND PRECISION N REPEATS: computes transforms REPEATS times, for tools/arm/counts.sh, which
 * counts the instructions. PEER: argand or fftw. KIND: line (N points), plane (N x N), rows (64 lines),
 * columns (64 lines side by side), type1 or type2 (NUFFT of 20000 points, N x N pixels). PRECISION: single
 * or double. One thread; plans are estimated, as times under emulation mean nothing. */
#include <argand/argand.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 64, POINTS = 20000 };

typedef struct job {
    const char *kind;
    int is_double, n, repeats;
} job;

static int is_kind(const job *j, const char *kind)
{
    return !strcmp(j->kind, kind);
}

static size_t points_of(const job *j)
{
    const size_t n = (size_t)j->n;
    return is_kind(j, "line") ? n : is_kind(j, "plane") ? n * n : n * LINES;
}

static void *numbers(const job *j, size_t count)
{
    double *d = aligned_alloc(64, (count * 16 + 63) / 64 * 64);
    float *f = (float *)d;
    for (size_t i = 0; d && i < 2 * count; i++) {
        if (j->is_double)
            d[i] = (double)(i * 7919 % 1009) / 1009 - 0.5;
        else
            f[i] = (float)((double)(i * 7919 % 1009) / 1009 - 0.5);
    }
    return d;
}

#define CALL_FFTW(X)                                                                                         \
    static int run_##X(const job *j)                                                                         \
    {                                                                                                        \
        X##_complex *in = numbers(j, points_of(j)), *out = numbers(j, points_of(j));                         \
        const int plane = is_kind(j, "plane"), line = is_kind(j, "line"), rows = is_kind(j, "rows");         \
        const int n[2] = {j->n, j->n}, step = plane || line || rows ? 1 : LINES,                             \
                  next = step == 1 ? j->n : 1;                                                               \
        X##_plan plan = X##_plan_many_dft(plane ? 2 : 1, n, plane || line ? 1 : LINES, in, NULL, step, next, \
                                          out, NULL, step, next, FFTW_FORWARD, FFTW_ESTIMATE);               \
        for (int i = 0; plan && i < j->repeats; i++) X##_execute(plan);                                      \
        return !plan;                                                                                        \
    }
CALL_FFTW(fftw)
CALL_FFTW(fftwf)

#define OK(call)                                                  \
    do {                                                          \
        if ((call) != ARGAND_OK) {                                \
            fprintf(stderr, "%s: %s\n", #call, argand_message()); \
            return 1;                                             \
        }                                                         \
    } while (0)

static int run_fft(const job *j, argand_device *device)
{
    argand_fft_options o = {.type = j->is_double ? ARGAND_C64 : ARGAND_C32, .rank = 1, .n = {j->n, j->n}};
    const int64_t n = j->n, count = (int64_t)points_of(j);
    if (is_kind(j, "plane")) o.rank = 2;
    if (is_kind(j, "rows")) o.batch = LINES;
    if (is_kind(j, "columns")) {
        o.axes_given = true;
        o.axes[0] = (argand_axis){n, LINES, LINES};
        o.loops = 1;
        o.loop[0] = (argand_axis){LINES, 1, 1};
    }
    argand_fft *plan;
    argand_array *in, *out;
    char text[2000];
    OK(argand_fft_create(&plan, device, &o));
    const int64_t shape[2] = {is_kind(j, "columns") ? LINES : n, count / (is_kind(j, "columns") ? LINES : n)};
    OK(argand_array_create(&in, device, o.type, 2, shape));
    OK(argand_array_create(&out, device, o.type, 2, shape));
    void *data = numbers(j, points_of(j));
    OK(argand_array_upload(in, data));
    for (int i = 0; i < j->repeats; i++) OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
    argand_fft_print(plan, text, sizeof text);
    if (j->repeats == 1) puts(text);
    return 0;
}

static int run_nufft(const job *j, argand_device *device)
{
    const argand_nufft_options o = {.type = j->is_double ? ARGAND_C64 : ARGAND_C32,
                                    .rank = 2,
                                    .n = {j->n, j->n},
                                    .tolerance = j->is_double ? 1e-9 : 1e-5};
    argand_nufft *plan;
    argand_array *x[2], *image, *samples;
    static double at[2][POINTS];
    for (int i = 0; i < POINTS; i++)
        for (int a = 0; a < 2; a++)
            at[a][i] = ((double)((i + 1) * 7919 * (a + 3) % 100003) / 100003 - 0.5) * j->n;
    OK(argand_nufft_create(&plan, device, &o));
    for (int a = 0; a < 2; a++) {
        OK(argand_array_create(&x[a], device, ARGAND_R64, 1, (const int64_t[]){POINTS}));
        OK(argand_array_upload(x[a], at[a]));
    }
    OK(argand_nufft_set_points(plan, x));
    OK(argand_array_create(&image, device, o.type, 2, o.n));
    OK(argand_array_create(&samples, device, o.type, 1, (const int64_t[]){POINTS}));
    OK(argand_array_upload(samples, numbers(j, POINTS)));
    OK(argand_array_upload(image, numbers(j, (size_t)j->n * (size_t)j->n)));
    for (int i = 0; i < j->repeats; i++)
        if (is_kind(j, "type1"))
            OK(argand_nufft_adjoint(plan, image, samples));
        else
            OK(argand_nufft_apply(plan, samples, image));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 6) return 2;
    const job j = {argv[2], !strcmp(argv[3], "double"), atoi(argv[4]), atoi(argv[5])};
    if (!strcmp(argv[1], "fftw")) return j.is_double ? run_fftw(&j) : run_fftwf(&j);
    argand_device *device;
    OK(argand_device_open(&device, "cpu"));
    OK(argand_device_set_threads(device, 1));
    return !strncmp(j.kind, "type", 4) ? run_nufft(&j, device) : run_fft(&j, device);
}
