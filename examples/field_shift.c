/* SPDX-License-Identifier: BSD-3-Clause */
/* What a wrong field does to a picture, and how the field-corrected DFT undoes it. A Cartesian line of N
 * samples takes T seconds; a constant field of f Hz turns the phase by 2 pi f t, and since t grows with k
 * this is the shift theorem: without correction the picture moves by f T pixels towards larger x. With the
 * field map in the model it is where it was. */
#include <argand/argand.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 64, AT = 20 };
#define PI 3.14159265358979323846

#define OK(call)                                                  \
    do {                                                          \
        if ((call) != ARGAND_OK) {                                \
            fprintf(stderr, "%s: %s\n", #call, argand_message()); \
            return 1;                                             \
        }                                                         \
    } while (0)

static argand_status array_of(argand_array **array, argand_device *device, const double *values)
{
    const argand_status status = argand_array_create(array, device, ARGAND_R64, 1, (int64_t[]){N});
    return status ? status : argand_array_upload(*array, values);
}

static int brightest(const argand_array *array)
{
    double complex values[N];
    int best = 0;
    if (argand_array_download(array, values)) return -1;
    for (int n = 1; n < N; n++)
        if (cabs(values[n]) > cabs(values[best])) best = n;
    return best;
}

int main(void)
{
    const double readout = 0.02, hertz = 250; /* moves by 5 pixels */
    double k[N], t[N], w[N];
    double complex object[N] = {[AT] = 1};
    for (int j = 0; j < N; j++) {
        k[j] = j - N / 2;
        t[j] = readout * j / N;
        w[j] = 2 * PI * hertz;
    }
    argand_device *device;
    argand_array *positions, *times, *map, *image, *samples;
    argand_field *with, *without;
    OK(argand_device_open(&device, NULL));
    OK(array_of(&positions, device, k));
    OK(array_of(&times, device, t));
    OK(array_of(&map, device, w));
    OK(argand_array_create(&image, device, ARGAND_C64, 1, (int64_t[]){N}));
    OK(argand_array_create(&samples, device, ARGAND_C64, 1, (int64_t[]){N}));
    argand_field_options options = {.type = ARGAND_C64, .rank = 1, .n = {N}, .k = {positions}};
    OK(argand_field_create(&without, device, &options));
    options.t = times;
    options.field_map = map;
    OK(argand_field_create(&with, device, &options));

    /* the scanner: the object in the field */
    OK(argand_array_upload(image, object));
    OK(argand_field_apply(with, samples, image));
    /* two reconstructions; on a full Cartesian grid the adjoint is N times the inverse */
    OK(argand_field_adjoint(without, image, samples));
    const int moved = brightest(image);
    OK(argand_field_adjoint(with, image, samples));
    const int corrected = brightest(image);
    printf("object at pixel %d; seen without correction at %d, with it at %d\n", AT, moved, corrected);

    argand_field_destroy(with);
    argand_field_destroy(without);
    argand_array_destroy(samples);
    argand_array_destroy(image);
    argand_array_destroy(map);
    argand_array_destroy(times);
    argand_array_destroy(positions);
    argand_device_close(device);
    return moved == AT + 5 && corrected == AT ? 0 : 1;
}
