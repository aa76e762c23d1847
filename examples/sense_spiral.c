/* SPDX-License-Identifier: BSD-3-Clause */
/* SENSE in memory: eight coils see a phantom along an undersampled spiral, and conjugate gradients
 * reconstruct it:
 *     y_c = F(S_c x) + noise;   x = argmin |y - A x|^2 */
#include <argand/argand.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, COILS = 8, ITERATIONS = 30 };
static const double LEVEL = 1e-3; /* of noise, to the samples' root mean square */

#define OK(call)                                                  \
    do {                                                          \
        if ((call) != ARGAND_OK) {                                \
            fprintf(stderr, "%s: %s\n", #call, argand_message()); \
            return 1;                                             \
        }                                                         \
    } while (0)

static bool show(void *context, const argand_progress *progress)
{
    double *last = context;
    if (progress->iteration % 5 == 0)
        printf("iteration %2d  residual %.2e\n", progress->iteration, progress->residual);
    *last = progress->residual;
    return true; /* false would stop the solver */
}

static double uniform(void)
{
    return (double)rand() / RAND_MAX - 0.5;
}

/* Noise whose norm is `level` times that of the samples. */
static int add_noise(argand_array *samples, argand_device *device, const argand_shape *shape, double level)
{
    argand_array *noise;
    double signal, size;
    OK(argand_array_create(&noise, device, shape->type, shape->rank, shape->dims));
    const size_t count = 2 * (size_t)argand_array_count(noise);
    double *numbers = malloc(count * sizeof *numbers);
    if (!numbers) return 1;
    for (size_t i = 0; i < count; i++) numbers[i] = uniform();
    OK(argand_array_upload(noise, numbers));
    free(numbers);
    OK(argand_array_norm(&signal, samples));
    OK(argand_array_norm(&size, noise));
    OK(argand_array_axpby(samples, (argand_scalar){level * signal / size, 0}, noise, (argand_scalar){1, 0}));
    argand_array_destroy(noise);
    return 0;
}

int main(void)
{
    argand_device *device;
    argand_array *maps, *phantom, *truth, *image, *samples, *k[3], *t;
    argand_nufft *plan;
    argand_op *transform, *sense;
    OK(argand_device_open(&device, NULL));

    OK(argand_array_create(&maps, device, ARGAND_C64, 3, (int64_t[]){N, N, COILS}));
    OK(argand_coils_birdcage(maps));
    OK(argand_array_create(&phantom, device, ARGAND_R64, 2, (int64_t[]){N, N}));
    OK(argand_array_create(&truth, device, ARGAND_C64, 2, (int64_t[]){N, N}));
    OK(argand_array_create(&image, device, ARGAND_C64, 2, (int64_t[]){N, N}));
    OK(argand_phantom_image(phantom, ARGAND_SHEPP_LOGAN_2D));
    OK(argand_array_copy(truth, phantom));

    OK(argand_trajectory_make(
        k, &t, device, ARGAND_R64,
        &(argand_trajectory_options){
            .kind = ARGAND_SPIRAL, .n = {N, N, 1}, .readout = 0.01, .acceleration = 2}));
    const int64_t points = argand_array_count(k[0]);
    OK(argand_nufft_create(
        &plan, device,
        &(argand_nufft_options){.type = ARGAND_C64, .rank = 2, .n = {N, N}, .tolerance = 1e-7}));
    OK(argand_nufft_set_points(plan, (argand_array *const[]){k[0], k[1]}));
    OK(argand_op_nufft(&transform, device, plan, COILS)); /* the plan is the operator's now */
    OK(argand_op_sense(&sense, transform, maps));
    argand_op_destroy(transform);
    printf("%lld samples for %d pixels, %d coils\n", (long long)points, N * N, COILS);

    /* the measurement, with noise of 0.1 percent of its root mean square */
    const argand_shape *range = argand_op_range(sense);
    OK(argand_array_create(&samples, device, range->type, range->rank, range->dims));
    OK(argand_op_apply(sense, samples, truth));
    if (add_noise(samples, device, range, LEVEL)) return 1;

    double residual = 1, error, norm;
    OK(argand_solve_cg(
        image, sense, samples,
        &(argand_cg_options){.iterations = ITERATIONS, .monitor = show, .monitor_context = &residual}));
    OK(argand_array_norm(&norm, truth));
    OK(argand_array_axpby(image, (argand_scalar){-1, 0}, truth, (argand_scalar){1, 0}));
    OK(argand_array_norm(&error, image));
    printf("residual %.2e, error of the image %.2e\n", residual, error / norm);

    argand_array_destroy(samples);
    argand_op_destroy(sense);
    for (int axis = 0; axis < 2; axis++) argand_array_destroy(k[axis]);
    argand_array_destroy(t);
    argand_array_destroy(image);
    argand_array_destroy(truth);
    argand_array_destroy(phantom);
    argand_array_destroy(maps);
    argand_device_close(device);
    /* The fit ends near the noise. A spiral fills a circle of k-space, and 10.2 percent of this phantom (l2)
     * lie in the corners outside: an image that were nothing but the measured part would have that error, and
     * the coils recover some of the rest. */
    return residual < 2 * LEVEL && error < 0.102 * norm ? 0 : 1;
}
