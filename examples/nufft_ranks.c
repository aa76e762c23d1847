/* SPDX-License-Identifier: BSD-3-Clause */
/* A NUFFT of a volume over the ranks of an MPI job (mpirun -n 4 nufft_ranks), or on one rank without mpirun.
 * Each rank holds some planes of the volume and gives some spokes. Samples are compared with the
 * exact sum (nufft_radial.c). */
#include <argand/argand.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 20, SPOKES = 6, SAMPLES = 32, POINTS = SPOKES * SAMPLES };
#define PI 3.14159265358979323846

#define OK(call)                                                  \
    do {                                                          \
        if ((call) != ARGAND_OK) {                                \
            fprintf(stderr, "%s: %s\n", #call, argand_message()); \
            return 1;                                             \
        }                                                         \
    } while (0)

static double k[3][POINTS];
static double complex planes[N][N][N], samples[POINTS];

static double complex volume(int x, int y, int z)
{
    return hypot(hypot(x - 9, y - 11), z - 10) < 6 ? 1 + 0.02 * I * z : 0;
}

static double complex direct_sum(int j)
{
    double complex sum = 0;
    for (int z = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                sum += volume(x, y, z) *
                       cexp(-2 * PI * I *
                            (k[0][j] * (x - N / 2) + k[1][j] * (y - N / 2) + k[2][j] * (z - N / 2)) / N);
    return sum;
}

int main(void)
{
    argand_comm *comm;
    argand_device *device;
    argand_dist_nufft *plan;
    argand_dist_nufft_info info;
    argand_array *m = NULL, *s, *at[3];
    const double tolerance = 1e-8;
    OK(argand_comm_open(&comm));
    OK(argand_device_open(&device, "cpu"));

    const int rank = argand_comm_rank(comm), spokes = SPOKES * argand_comm_size(comm);
    for (int j = 0; j < POINTS; j++) {
        const int spoke = SPOKES * rank + j / SAMPLES;
        const double height = (2 * spoke + 1.0) / spokes - 1, turn = 2.4 * spoke,
                     radius = (j % SAMPLES - SAMPLES / 2) * (double)N / SAMPLES;
        k[0][j] = radius * sqrt(1 - height * height) * cos(turn);
        k[1][j] = radius * sqrt(1 - height * height) * sin(turn);
        k[2][j] = radius * height;
    }
    for (int axis = 0; axis < 3; axis++) {
        OK(argand_array_create(&at[axis], device, ARGAND_R64, 1, (int64_t[]){POINTS}));
        OK(argand_array_upload(at[axis], k[axis]));
    }
    OK(argand_array_create(&s, device, ARGAND_C64, 1, (int64_t[]){POINTS}));
    OK(argand_dist_nufft_create(
        &plan, comm, device,
        &(argand_nufft_options){.type = ARGAND_C64, .rank = 3, .n = {N, N, N}, .tolerance = tolerance}));
    OK(argand_dist_nufft_set_points(plan, at));
    argand_dist_nufft_describe(plan, &info);
    for (int z = 0; z < info.planes; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) planes[z][y][x] = volume(x, y, z + (int)info.first);
    if (info.planes) { /* with more than N ranks, some have none */
        OK(argand_array_create(&m, device, ARGAND_C64, 3, (int64_t[]){N, N, info.planes}));
        OK(argand_array_upload(m, planes));
    }
    OK(argand_dist_nufft_apply(plan, s, m));
    OK(argand_array_download(s, samples));

    double sums[2] = {0, 0};
    for (int j = 0; j < POINTS; j++) {
        const double complex expected = direct_sum(j);
        sums[0] += pow(cabs(samples[j] - expected), 2);
        sums[1] += pow(cabs(expected), 2);
    }
    OK(argand_comm_sum_doubles(comm, sums, 2));
    const double error = sqrt(sums[0] / sums[1]);
    if (rank == 0)
        printf("%d ranks, %lld samples: relative error %.2e, asked for %.0e\n", argand_comm_size(comm),
               (long long)info.points, error, tolerance);

    argand_dist_nufft_destroy(plan);
    argand_array_destroy(m);
    argand_array_destroy(s);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(at[axis]);
    argand_device_close(device);
    argand_comm_destroy(comm);
    return error <= tolerance ? 0 : 1;
}
