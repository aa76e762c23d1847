/* SPDX-License-Identifier: BSD-3-Clause */
/* A NUFFT of an image onto radial spokes, compared with the exact sum:
 *   s_j = sum_n m_n exp(-2 pi i k_j . r_n),  r = (n - floor(N/2)) / N,  k in cycles per field of view. */
#include <argand/argand.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 40, SPOKES = 21, SAMPLES = 64, POINTS = SPOKES * SAMPLES };
#define PI 3.14159265358979323846

#define OK(call)                                                  \
    do {                                                          \
        if ((call) != ARGAND_OK) {                                \
            fprintf(stderr, "%s: %s\n", #call, argand_message()); \
            return 1;                                             \
        }                                                         \
    } while (0)

static double kx[POINTS], ky[POINTS];
static double complex image[N][N], samples[POINTS];

static double complex direct_sum(double x, double y)
{
    double complex sum = 0;
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++)
            sum += image[row][column] * cexp(-2 * PI * I * (x * (column - N / 2) + y * (row - N / 2)) / N);
    return sum;
}

int main(void)
{
    for (int j = 0; j < POINTS; j++) {
        const double angle = PI * (j / SAMPLES) / SPOKES,
                     radius = (j % SAMPLES - SAMPLES / 2) * (double)N / SAMPLES;
        kx[j] = radius * cos(angle);
        ky[j] = radius * sin(angle);
    }
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++)
            image[row][column] = hypot(row - 18, column - 22) < 11 ? 1 + 0.02 * I * row : 0;

    argand_device *device;
    argand_array *m, *s, *k[2];
    argand_nufft *plan;
    OK(argand_device_open(&device, NULL));
    OK(argand_array_create(&m, device, ARGAND_C64, 2, (int64_t[]){N, N}));
    OK(argand_array_create(&s, device, ARGAND_C64, 1, (int64_t[]){POINTS}));
    OK(argand_array_create(&k[0], device, ARGAND_R64, 1, (int64_t[]){POINTS}));
    OK(argand_array_create(&k[1], device, ARGAND_R64, 1, (int64_t[]){POINTS}));
    OK(argand_array_upload(m, image));
    OK(argand_array_upload(k[0], kx));
    OK(argand_array_upload(k[1], ky));

    const double tolerance = 1e-8;
    OK(argand_nufft_create(
        &plan, device,
        &(argand_nufft_options){.type = ARGAND_C64, .rank = 2, .n = {N, N}, .tolerance = tolerance}));
    OK(argand_nufft_set_points(plan, (argand_array *const[]){k[0], k[1]}));
    OK(argand_nufft_apply(plan, s, m));
    OK(argand_array_download(s, samples));

    double difference = 0, norm = 0;
    for (int j = 0; j < POINTS; j++) {
        const double complex expected = direct_sum(kx[j], ky[j]);
        difference += pow(cabs(samples[j] - expected), 2);
        norm += pow(cabs(expected), 2);
    }
    const double error = sqrt(difference / norm);
    char text[256];
    argand_nufft_print(plan, text, sizeof text);
    printf("%s\nrelative error %.2e, asked for %.0e\n", text, error, tolerance);

    argand_nufft_destroy(plan);
    argand_array_destroy(k[1]);
    argand_array_destroy(k[0]);
    argand_array_destroy(s);
    argand_array_destroy(m);
    argand_device_close(device);
    return error <= tolerance ? 0 : 1;
}
