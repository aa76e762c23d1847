/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls as one writes them, which C and C++ must take without a warning: CMakeLists.txt has both compile it.
 */
#include <argand/argand.h>
#include <stdio.h>
#include <string.h>

static int positions(argand_device *device, argand_nufft *plan, argand_array *samples, argand_array *weights)
{
    argand_array *k[3] = {NULL, NULL, NULL}, *t = NULL;
    argand_trajectory_options options;
    argand_radial_delay delay;
    argand_simulation simulation;
    double area;
    memset(&options, 0, sizeof options);
    memset(&simulation, 0, sizeof simulation);
    options.kind = ARGAND_RADIAL;
    options.n[0] = options.n[1] = 64;
    if (argand_trajectory_make(k, &t, device, ARGAND_R32, &options)) return 1;
    simulation.t = t;
    for (int axis = 0; axis < 3; axis++) simulation.k[axis] = k[axis];
    const int failed =
        argand_nufft_set_points(plan, k) || argand_phantom_kspace(samples, ARGAND_SHEPP_LOGAN_2D, k, 1) ||
        argand_density_voronoi(weights, k, &area) || argand_radial_delay_estimate(&delay, samples, k) ||
        argand_radial_delay_correct(k, &delay) || argand_simulate(samples, &simulation);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(k[axis]);
    argand_array_destroy(t);
    return failed;
}

static int transforms(argand_device *device)
{
    const int64_t dims[2] = {16, 16};
    argand_fft_options options;
    argand_fft *plan = NULL;
    argand_array *x = NULL;
    char text[200];
    memset(&options, 0, sizeof options);
    options.type = ARGAND_C32;
    options.rank = 2;
    options.n[0] = options.n[1] = 16;
    const int failed = argand_array_create(&x, device, ARGAND_C32, 2, dims) ||
                       argand_fft_create(&plan, device, &options) ||
                       argand_fft_apply(plan, x, x, ARGAND_FORWARD);
    argand_fft_print(plan, text, sizeof text);
    printf("%s\n", failed ? argand_message() : text);
    argand_fft_destroy(plan);
    argand_array_destroy(x);
    return failed;
}

int main(void)
{
    argand_device *device = NULL;
    if (argand_device_open(&device, "cpu")) return 1;
    const int failed = positions(device, NULL, NULL, NULL) == 0 || transforms(device);
    argand_device_close(device);
    return failed;
}
